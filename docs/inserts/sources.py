"""Joins what the sources say of each result: Lean's record and files, claims, measured slack, mutants.

* `Result`, `Project`: what the pages are made from.
* `read_project`: all of it, for the project in a folder.
"""

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutants import MUTANTS
from tests.mutants.mutant import Mutant
from tests.zoo import BUGS
from tests.zoo.bug import Bug

from duizhao.claims import all_claims
from duizhao.claims.claim import Claim
from duizhao.claims.slack import Slack, SlackRecord, read_slack
from duizhao.ledger.lean import LeanSide, lean_side
from duizhao.ledger.pins import drift, read_pins
from duizhao.ledger.sources import Sources, read_sources


@dataclass(frozen=True)
class Result:
    """One result: what Lean says, where it stands, and its numerical counterpart if there is one."""

    id: str
    name: str
    topic: str
    state: str
    statement: str | None
    sentence: str
    axioms: tuple[str, ...] | None
    file: str
    sha256: str
    first: int
    last: int
    source: str
    claim: Claim | None
    slack: Mapping[str, Slack]
    mutants: tuple[Mutant, ...]


@dataclass(frozen=True)
class Project:
    """Every result by its id, what Lean's record says as a whole, the measured slack, if it was, and the bugs by id."""

    results: Mapping[str, Result]
    lean: LeanSide
    slack: SlackRecord | None
    bugs: Mapping[str, Bug]
    breaks: Mapping[str, Sequence[Mapping[str, Any]]]
    """What breaks a result without each of its hypotheses, as `make breaks` has found it, by the result's id."""

    def nearest(self, name: str) -> str | None:
        """Return the id most like `name`, if one is alike."""
        return next(iter(difflib.get_close_matches(name, self.results, n=1)), None)


def read_project(root: Path) -> Project:
    """Read what is said of every result of the project in `root`. Lean is not run.

    Raises:
        ValueError: If the measured slack cannot be read, a result is not in the Lean files, or a statement is not
            the one that is pinned.
    """
    lean = lean_side(root, "record")
    drifted = drift(root, lean, read_pins(root))
    if drifted:
        raise ValueError("\n".join(str(problem) for problem in drifted))
    sources = read_sources(root)
    claims = all_claims()
    slack = read_slack(root)
    results = {}
    for theorem in lean.theorems.values():
        if theorem.id not in sources.theorems:
            raise ValueError(
                f"{theorem.name} is in the record, but not among the marked theorems of {theorem.file}"
            )
        place = sources.theorems[theorem.id]
        results[theorem.id] = Result(
            id=theorem.id,
            name=theorem.name,
            topic=theorem.topic,
            state=theorem.state,
            statement=theorem.statement,
            sentence=" ".join(theorem.sentence.split()),
            axioms=theorem.axioms,
            file=place.file,
            sha256=sources.files[place.file] or "",
            first=place.keyword_line,
            last=place.last_line,
            source=_cut(sources, place.file, place.keyword_line, place.last_line),
            claim=claims.get(theorem.id),
            slack=slack.claims.get(theorem.id, {}) if slack else {},
            mutants=tuple(mutant for mutant in MUTANTS if theorem.id in mutant.kills),
        )
    return Project(results, lean, slack, {bug.id: bug for bug in BUGS}, _breaks(root))


def _breaks(root: Path) -> dict[str, Sequence[Mapping[str, Any]]]:
    file = root / "ledger/breaks.json"
    if not file.is_file():
        return {}
    theorems = json.loads(file.read_text(encoding="utf-8"))["theorems"]
    return {id_: theorem["without"] for id_, theorem in theorems.items()}


def _cut(sources: Sources, file: str, first: int, last: int) -> str:
    lines = (sources.root / file).read_text(encoding="utf-8").splitlines()
    return "\n".join(lines[first - 1 : last])
