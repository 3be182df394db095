"""The bugs of the zoo on pages.

* `page`: the Markdown of a bug without a page of its own.
* `panel`: what is known of one bug: example, both outputs, the claims that notice, reports, the program.
* `table`: all bugs, and which theorem notices which.
"""

import inspect
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from docs.inserts import caught, chinese, contents
from docs.inserts.contents import Links
from docs.inserts.sources import Project
from tests.zoo.bug import Bug

NAMES = {
    "query": "查询",
    "key": "键",
    "value": "值",
    "mask": "遮罩",
    "is_causal": "因果遮罩",
    "dtype": "类型",
}
"""What the facts of an example are called."""

ROOT = Path(__file__).resolve().parents[2]
EXPLAINED = Path(__file__).parent / "explained"
"""The explanations of the bugs, a Markdown file each, with links as from the bug's page."""


def title(bug: Bug) -> str:
    """Return the title of a bug.

    Raises:
        ValueError: If there is none.
    """
    titles = chinese.sections()["bugs"]
    if bug.id not in titles:
        raise ValueError(f"no title for the bug `{bug.id}`: add it to docs/inserts/chinese.json")
    return titles[bug.id]


def page(bug: Bug) -> str:
    """Return the Markdown of a bug's page: what is wrong, the panel, then the explanation.

    Raises:
        ValueError: If it has no title or no explanation.
    """
    file = EXPLAINED / f"{bug.id}.md"
    if not file.is_file():
        raise ValueError(f"the bug `{bug.id}` is not explained: write docs/inserts/explained/{bug.id}.md")
    explained = file.read_text(encoding="utf-8")
    return f"# {title(bug)}\n\n{bug.zh}\n\n<!-- bug: {bug.id} -->\n\n{explained}"


def numbers(array: Any) -> str:
    """Return an array as nested lists of numbers to four digits, without axes of length 1 in front."""
    array = np.asarray(array)
    while array.ndim > 1 and array.shape[0] == 1:
        array = array[0]
    if array.ndim:
        return f"[{', '.join(numbers(entry) for entry in array)}]"
    return str(array.item()) if array.dtype == bool else f"{float(array):.4g}"


def panel(bug: Bug, project: Project, links: Links, here: str) -> str:
    """Return the panel of a bug for the page at `here`.

    Raises:
        ValueError: If a theorem that it names does not exist.
    """
    right, wrong = bug.figures()
    example = "".join(
        f"<li>{NAMES[name]} <code>{escape(_fact(value))}</code></li>" for name, value in bug.example.items()
    )
    rows = [
        ("例子", f"<ul>{example}</ul>"),
        ("应有的输出", f"<code>{numbers(right)}</code>"),
        ("错误的输出", f"<strong><code>{numbers(wrong)}</code></strong>"),
        (
            "抓住它的检验" if bug.policy is None else "有关的定理",
            f"<ul>{''.join(f'<li>{_theorem(id_, project, links, here)}</li>' for id_ in bug.theorems)}</ul>",
        ),
    ]
    zoo = caught.read(ROOT)
    if others := caught.also(zoo, bug, project, links, here):
        rows.append(("另外抓住它的", others))
    rows += [("对比测试", caught.differential(zoo, bug)), ("公开报告", _reports(bug))]
    if bug.policy is not None:
        said = (
            "正确的程序在这里也有不同的选择，所以审计默认只报告，不判错；要求其中一种时才判："
            f"<code>--policy {escape(bug.policy.name)}={escape(bug.policy.right)}</code>"
        )
        rows.append(("取舍", said))
    facts = "".join(f"<dt>{term}</dt><dd>{fact}</dd>" for term, fact in rows)
    source = escape(inspect.getsource(bug.function), quote=False)
    name = escape(bug.id)
    return (
        f'<section class="panel" aria-label="对照栏：{name}" data-bug="{name}" data-search-exclude="true">'
        f'<dl class="facts">{facts}</dl>'
        '<details class="fold"><summary>出错的程序</summary>'
        f'<pre tabindex="0"><code class="language-python">{source}</code></pre></details></section>'
    )


def _fact(value: Any) -> str:
    return numbers(value) if isinstance(value, list) else str(value)


def _theorem(id_: str, project: Project, links: Links, here: str) -> str:
    if id_ not in project.results:
        raise ValueError(f"a bug names the theorem `{id_}`, which does not exist")
    heading = f"：{links[id_][1]}" if id_ in links else ""
    return contents.mention(project.results[id_], links, here) + escape(heading)


def _reports(bug: Bug) -> str:
    if not bug.reports:
        return "没有单独的报告：教科书都提醒过它。"
    return "、".join(f'<a href="{escape(report.url)}">{escape(report.name)}</a>' for report in bug.reports)


def table(bugs: Sequence[Bug], project: Project, links: Links) -> str:
    """Return the list of bugs for the page `bugs/`, and under it the matrix of theorems and bugs."""
    listed = "".join(
        f'<li><a href="{escape(bug.id)}/">{escape(title(bug))}</a> <code>{escape(bug.id)}</code></li>'
        for bug in bugs
    )
    titles = {bug.id: title(bug) for bug in bugs}
    return f"<ol>{listed}</ol>{caught.table(caught.read(ROOT), bugs, titles, project, links)}"
