"""What the figure of hypotheses shows, `figures/breaks.json`: the smallest numbers without each condition of a theorem.

* `data`: what it holds.
* `in_chinese`: what goes wrong, in Chinese.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from docs.inserts import chinese, conditions, words
from docs.inserts.contents import Links
from docs.inserts.sources import Project, Result

SCHEMA = 1
SAYS = (
    (re.compile(r"the statement is off by (\S+)"), r"离结论差 \1"),
    (re.compile(r"the error is (\S+) times what the statement allows"), r"误差是命题允许的 \1 倍"),
    (
        re.compile(r"the strict statement fails: there is equality, or worse"),
        "严格的大小关系落空：至多只有相等",
    ),
    (re.compile(r"the statement speaks of a number that does not exist"), "命题说到的数不存在"),
    (re.compile(r"the statement fails"), "结论落空"),
)


def in_chinese(says: str) -> str:
    """Return what goes wrong, in Chinese.

    Raises:
        ValueError: If there is no translation.
    """
    for pattern, translation in SAYS:
        match = pattern.fullmatch(says)
        if match is not None:
            return match.expand(translation)
    raise ValueError(f"docs/inserts/broken.py has no translation of {says!r}")


def data(project: Project, links: Links) -> Mapping[str, Any]:
    """Return every theorem with conditions that has a page: its words, and what breaks without each condition.

    Raises:
        ValueError: If what goes wrong has no translation.
    """
    return {"schema": SCHEMA, "theorems": list(_theorems(project, links))}


def _theorems(project: Project, links: Links) -> Iterator[Mapping[str, Any]]:
    for id_, without in project.breaks.items():
        result = project.results.get(id_)
        if result is None or id_ not in links:
            continue
        address, title = links[id_]
        yield {
            "id": id_,
            "topic": words.topic(result.topic),
            "title": title,
            "page": f"{address}#{id_}",
            "statement": result.statement or "",
            "without": [_entry(entry, result, links) for entry in without],
        }


def _entry(entry: Mapping[str, Any], result: Result, links: Links) -> Mapping[str, Any]:
    example = entry["counterexample"]
    known = chinese.sections()
    proofs = (name.rpartition(".")[2] for name in entry["proved_needed_by"])
    return {
        "dropped": entry["dropped"],
        "written": conditions.written(conditions.whole(entry["dropped"]), result.statement or ""),
        "hypothesis": known["conditions"].get(entry["hypothesis"], entry["hypothesis"]).replace("`", ""),
        "case": example and example["case"],
        "outputs": example and example["outputs"],
        "amount": example and example["amount"],
        "says": example and in_chinese(example["says"]),
        "reason": entry["reason"]
        and known["no counterexample"].get(entry["reason"], entry["reason"]).replace("`", ""),
        "proofs": [[links[name][1], f"{links[name][0]}#{name}"] for name in proofs if name in links],
    }
