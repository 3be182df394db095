"""The matrix of bugs and checks, as `make zoo` has measured it in `ledger/zoo.json`.

* `read`: what the file says.
* `table`: which bugs are noticed by which theorems, as a policy, and by a plain differential test.
* `also`, `differential`: what a bug's panel says of it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from docs.inserts import contents
from docs.inserts.contents import Links
from docs.inserts.sources import Project
from tests.zoo.bug import Bug

FILE = Path("ledger") / "zoo.json"

OPTIONS = {
    "plain": "什么也不加",
    "mask": "带遮罩",
    "is_causal": "用因果遮罩",
    "grouped": "几个头共用键和值",
}
"""What a plain differential test is run with."""

WITHOUT_THEOREM = {
    "batch_is_single": "单独算与成批算相同",
    "deterministic": "两次算出的相同",
}
"""The checks that rest on no theorem."""

Zoo = Mapping[str, Any]


def read(root: Path) -> Zoo:
    """Return what the file says in the project in `root`.

    Raises:
        ValueError: If it is missing.
    """
    file = root / FILE
    if not file.is_file():
        raise ValueError(f"{FILE} is missing: `make zoo` writes it")
    found: Zoo = json.loads(file.read_text(encoding="utf-8"))
    return found


def theorems(zoo: Zoo, bug: Bug) -> list[str]:
    """Return the theorems of which a check fails on a bug, in the order of the checks."""
    ids = [zoo["checks"][name]["theorem"] for name in zoo["bugs"][bug.id]["fails"]]
    return list(dict.fromkeys(id_ for id_ in ids if id_ is not None))


def also(zoo: Zoo, bug: Bug, project: Project, links: Links, here: str) -> str:
    """Return the theorems that notice a bug besides those that must; an empty string if there are none."""
    rest = [id_ for id_ in theorems(zoo, bug) if id_ not in bug.theorems]
    return "、".join(
        contents.link(project.results[id_], links, here, f"<code>{escape(id_)}</code>") for id_ in rest
    )


def differential(zoo: Zoo, bug: Bug) -> str:
    """Return when a plain differential test tells a bug from a right function."""
    told = zoo["bugs"][bug.id]["differential"]
    when = [words for name, words in OPTIONS.items() if told[name]]
    if not when:
        return f"看不出（float32，相对误差 {zoo['rtol']:g}，常见的输入）"
    return "怎样比都看得出" if len(when) == len(OPTIONS) else f"看得出，只要{'，或'.join(when)}"


def table(zoo: Zoo, bugs: Sequence[Bug], titles: Mapping[str, str], project: Project, links: Links) -> str:
    """Return the matrix for the page `bugs/`, and a sentence that counts."""
    measured = zoo["bugs"]
    caught = {bug.id: theorems(zoo, bug) for bug in bugs}

    def row(label: str, mark: Callable[[Bug], str]) -> str:
        cells = "".join(
            f'<td><span title="{escape(titles[bug.id])}">{mark(bug)}</span></td>'
            if mark(bug)
            else "<td></td>"
            for bug in bugs
        )
        return f'<tr><th scope="row">{label}</th>{cells}</tr>'

    def theorem_mark(id_: str, bug: Bug) -> str:
        return "" if id_ not in caught[bug.id] else "●" if id_ in bug.theorems else "○"

    def check_mark(name: str, bug: Bug) -> str:
        return "○" if name in measured[bug.id]["fails"] else ""

    def told_mark(name: str, bug: Bug) -> str:
        return "■" if measured[bug.id]["differential"][name] else ""

    def theorem_rows() -> Iterator[str]:
        noticing = {id_ for ids in caught.values() for id_ in ids}
        for result in (result for result in project.results.values() if result.id in noticing):
            label = contents.link(result, links, "bugs/", f"<code>{escape(result.id)}</code>")
            yield row(label, partial(theorem_mark, result.id))

    def other_rows() -> Iterator[str]:
        for name, words in WITHOUT_THEOREM.items():
            if any(check_mark(name, bug) for bug in bugs):
                yield row(words, partial(check_mark, name))
        yield row("策略说不通", lambda bug: "○" if measured[bug.id]["inconsistent"] else "")
        yield row("报告为策略", lambda bug: "◇" if bug.policy is not None else "")

    def told_rows() -> Iterator[str]:
        for name, words in OPTIONS.items():
            yield row(f"对比：{words}", partial(told_mark, name))

    head = "".join(
        f'<th scope="col"><a href="{escape(bug.id)}/" title="{escape(titles[bug.id])}">{number}</a></th>'
        for number, bug in enumerate(bugs, start=1)
    )
    bodies = "".join(
        f"<tbody>{''.join(rows)}</tbody>" for rows in (theorem_rows(), other_rows(), told_rows())
    )
    return (
        '<div class="caught" tabindex="0"><table class="marks"><thead><tr><td></td>'
        f"{head}</tr></thead>{bodies}</table></div><p>{_counted(zoo, bugs, titles)}</p>"
    )


def _counted(zoo: Zoo, bugs: Sequence[Bug], titles: Mapping[str, str]) -> str:
    failing = [bug for bug in bugs if not zoo["bugs"][bug.id]["ok"]]
    choices = [bug for bug in bugs if bug.policy is not None]
    unseen = [bug for bug in bugs if not any(zoo["bugs"][bug.id]["differential"].values())]
    named = "、".join(f'<a href="{escape(bug.id)}/">{escape(titles[bug.id])}</a>' for bug in unseen)
    accepted = sum(row["ok"] for row in zoo["variants"].values())
    return (
        f"{len(bugs)} 个错误里，审计判错 {len(failing)} 个，另外 {len(choices)} 个报告为策略。对比测试（float32，"
        f"相对误差 {zoo['rtol']:g}）怎样都看不出的有 {len(unseen)} 个：{named}。"
        f"另有 {len(zoo['variants'])} 份写法不同的正确程序，审计接受了 {accepted} 份。"
    )
