"""Joins what the sources say of each result: Lean's record and files, claims, measured slack, mutants.

* `Result`, `Slack`, `Project`: what the pages are made from.
* `read_project`: all of it, for the project in a folder.
"""

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.mutants import MUTANTS, Mutant

from duizhao.claims import all_claims
from duizhao.claims.claim import Claim
from duizhao.ledger.lean import LeanSide, lean_side
from duizhao.ledger.sources import Sources, read_sources

SLACK = "ledger/slack.json"


@dataclass(frozen=True)
class Slack:
    """The worst gap over its budget measured in one dtype, `None` where the relation has no budget."""

    cases: int
    worst: float | None


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
class Measured:
    """When and with which versions the slack was measured."""

    date: str
    versions: Mapping[str, str]


@dataclass(frozen=True)
class Project:
    """Every result by its id, what Lean's record says as a whole, and when the numbers were measured."""

    results: Mapping[str, Result]
    lean: LeanSide
    measured: Measured

    def nearest(self, name: str) -> str | None:
        """Return the id most like `name`, if one is alike."""
        return next(iter(difflib.get_close_matches(name, self.results, n=1)), None)


def read_project(root: Path) -> Project:
    """Read what is said of every result of the project in `root`. Lean is not run.

    Raises:
        ValueError: If the measured slack is missing or cannot be read, or a result is not in the Lean files.
    """
    lean = lean_side(root, "record")
    sources = read_sources(root)
    claims = all_claims()
    measured, slack = read_slack(root / SLACK)
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
            slack=slack.get(theorem.id, {}),
            mutants=tuple(mutant for mutant in MUTANTS if theorem.id in mutant.kills),
        )
    return Project(results, lean, measured)


def _cut(sources: Sources, file: str, first: int, last: int) -> str:
    lines = (sources.root / file).read_text(encoding="utf-8").splitlines()
    return "\n".join(lines[first - 1 : last])


def read_slack(file: Path) -> tuple[Measured, dict[str, dict[str, Slack]]]:
    """Read the measured slack of every claim: by id, then by dtype.

    Raises:
        ValueError: If the file is missing, or is not of the form that is written.
    """
    try:
        data = json.loads(file.read_bytes())
        if data["schema"] != 1:
            raise ValueError(f"schema 1 is needed, got {data['schema']}")
        slack = {
            name: {dtype: Slack(int(row["cases"]), row["slack"]) for dtype, row in rows.items()}
            for name, rows in data["claims"].items()
        }
        return Measured(data["date"], data["versions"]), slack
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{SLACK} cannot be read: {type(error).__name__}: {error}") from error
