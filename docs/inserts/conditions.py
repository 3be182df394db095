"""The conditions of one result, and what breaks without each.

* `rows`: a list of them as HTML: Lean's words, Chinese words, the numbers that fail without it, Lean's counterexample.
* `written`: a condition as Lean's statement writes it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from docs.inserts import chinese, contents
from docs.inserts.contents import Links
from docs.inserts.sources import Project, Result

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
"""Python has no `hw₁`, so the claims write `hw1`."""


def written(name: str, statement: str) -> str:
    """Return a condition as Lean's statement writes it, `hw₁ : w ≤ 1` for `hw1`, else the name alone."""
    for spelled in (name, name.translate(SUBSCRIPTS)):
        for opening, closing in ("()", "{}"):
            start = statement.find(f"{opening}{spelled} : ") + 1
            if start:
                depth = 1
                for end in range(start, len(statement)):
                    depth += {opening: 1, closing: -1}.get(statement[end], 0)
                    if not depth:
                        return " ".join(statement[start:end].split())
    instance = re.search(rf"\[{name} [^\]]*\]", statement)
    return instance[0] if instance else name


def rows(result: Result, project: Project, links: Links, here: str) -> str:
    """Return the list of the conditions of a result; an empty string if there are none."""
    if result.claim is None:
        return ""
    return "".join(
        f"<li><code>{escape(written(name, result.statement or ''))}</code>："
        f"{chinese.sentence('conditions', text)}{''.join(_without(result, name, project, links, here))}</li>"
        for name, text in result.claim.hypotheses.items()
    )


def whole(name: str) -> str:
    """Return the condition that a name is of, or of a part of: `hw` for `hw.1`."""
    return name.partition(".")[0]


def _without(result: Result, name: str, project: Project, links: Links, here: str) -> Iterator[str]:
    """Yield what is known of the statement without a condition."""
    if result.claim is not None and name in result.claim.without:
        reason = chinese.sentence("no counterexample", result.claim.without[name])
        yield f'<span class="detail">去掉它也没有反例：{reason}。</span>'
    for entry in _entries(project.breaks.get(result.id, ()), name):
        yield f'<span class="detail">{_numbers(entry, name)}</span>'
    proofs = [
        contents.mention(other, links, here)
        for other in project.results.values()
        if other.claim is not None
        and any(id_ == result.id and whole(broken) == name for id_, broken in other.claim.refutes)
    ]
    if proofs:
        yield f'<span class="detail">去掉它，Lean 里有反例：{"、".join(proofs)}</span>'


def _entries(without: Sequence[Mapping[str, Any]], name: str) -> Iterator[Mapping[str, Any]]:
    """Yield the counterexamples without a condition; where it has two parts, without each of them."""
    found = [entry for entry in without if whole(entry["dropped"]) == name and entry["counterexample"]]
    parts = [entry for entry in found if "." in entry["dropped"]]
    yield from parts or found


def _numbers(entry: Mapping[str, Any], name: str) -> str:
    """Return the smallest numbers that fail, and what comes of them."""
    example = entry["counterexample"]
    case, outputs = (
        "，".join(f"<code>{escape(key)} = {escape(_number(value))}</code>" for key, value in numbers.items())
        for numbers in (example["case"], example["outputs"])
    )
    part = ""
    if entry["dropped"] != name:
        part = f"其中“{chinese.sentence('conditions', entry['hypothesis']).rstrip('。')}”，"
    comes = f"算出 {outputs}" if outputs else ""
    off = "" if example["amount"] is None else f"，差 {_number(example['amount'])}"
    told = f"{comes}{off}".lstrip("，")
    return f"{part}去掉以后，最小的反例：{case}。{told}{'。' if told else ''}"


def _number(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_number(entry) for entry in value)}]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
