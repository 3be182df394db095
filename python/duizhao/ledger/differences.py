"""Compares a list of theorems, Lean's or a record's, with those that the sources mark.

* `list_differences`: where the two differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from duizhao.ledger.entry import Entry
from duizhao.ledger.problem import Problem
from duizhao.ledger.sources import Sources, SourceTheorem, file_of

What = Literal["presence", "name", "module", "line", "sentence"]


@dataclass(frozen=True)
class Difference:
    """A theorem that only one side has, or of which the two sides say different things.

    `what` is the thing that differs; `presence` where one side lacks the theorem.
    """

    id: str
    what: What
    problem: Problem


def list_differences(entries: Iterable[Entry], sources: Sources, source: str) -> list[Difference]:
    """Compare ids, names, modules, lines and sentences, white space apart; `source` says whose list it is."""
    listed = {entry.id: entry for entry in entries}
    found = []
    for theorem in sources.theorems.values():
        entry = listed.get(theorem.id)
        if entry is None:
            text = f"`{theorem.name}` is marked `@[companion]`, but {source} does not list it"
            problem = Problem(text, theorem.id, theorem.file, theorem.line)
            found.append(Difference(theorem.id, "presence", problem))
            continue
        for what, said, there in _pairs(entry, theorem):
            if said != there:
                text = (
                    f"the {what} of `{theorem.name}` is `{there}` in the sources, but {source} says `{said}`"
                )
                problem = Problem(text, theorem.id, theorem.file, theorem.line)
                found.append(Difference(theorem.id, what, problem))
    for entry in listed.values():
        if entry.id not in sources.theorems:
            text = f"{source} lists `{entry.name}`, but no theorem marked `@[companion]` has that id"
            problem = Problem(text, entry.id, file_of(entry.module), entry.line)
            found.append(Difference(entry.id, "presence", problem))
    return found


def _pairs(entry: Entry, theorem: SourceTheorem) -> list[tuple[What, str, str]]:
    return [
        ("name", entry.name, theorem.name),
        ("module", entry.module, theorem.module),
        ("line", str(entry.line), str(theorem.line)),
        ("sentence", " ".join(entry.sentence.split()), " ".join((theorem.sentence or "").split())),
    ]
