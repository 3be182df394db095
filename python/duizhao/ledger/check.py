"""The ledger: what Lean says of each result and what its numbers do, joined by name.

* `check`: read the pins and pages, run the claims and the worked examples, join them with the Lean side.
* `Ledger`: the table, and everything that is wrong with it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from duizhao.claims.claim import Claim
from duizhao.claims.measure import Measurement, measure_all
from duizhao.claims.slack import SlackRecord
from duizhao.examples import examples
from duizhao.ledger.lean import LeanSide, headline
from duizhao.ledger.pages import Pages
from duizhao.ledger.pins import drift, read_pins
from duizhao.ledger.problem import Problem
from duizhao.ledger.row import STATES, Finding, Row, State
from duizhao.ledger.worked import Worked, check_example
from duizhao.strategies import targets

LEDGER = "ledger"
"""Where a problem belongs that is not about one result."""

NAMED = 3
"""How many results a sentence about many names."""


@dataclass(frozen=True)
class Ledger:
    """All results of the chosen topics, and what is wrong."""

    lean: LeanSide
    rows: tuple[Row, ...]
    worked: tuple[Worked, ...]
    cases: int
    """The number of cases drawn for each claim and dtype."""
    seed: int
    slack: SlackRecord | None = None
    """The worst slack over many cases, from `ledger/slack.json`."""
    problems: tuple[Problem, ...] = ()
    """What Lean, the record, the pins and the pages say is wrong."""
    topics: tuple[str, ...] | None = None
    """The chosen topics, None where all are."""
    notes: tuple[str, ...] = ()
    """What the reader should know of this run; fails nothing."""

    def worst(self, row: Row, dtype: str) -> float | None:
        """Return the worst slack known of a result in a dtype: of the recorded measurement and of this run."""
        known = [] if self.slack is None else [self.slack.worst(row.id, dtype)]
        known += [measurement.slack for measurement in row.measurements if measurement.target == dtype]
        return max((slack for slack in known if slack is not None), default=None)

    @property
    def counts(self) -> dict[State, int]:
        """How many of the results have each state."""
        found = Counter(row.state for row in self.rows)
        return {state: found[state] for state in STATES}

    def headline(self) -> str:
        """Say in one line how many of the results have each state."""
        return headline(self.counts, self.lean)

    @property
    def findings(self) -> list[Finding]:
        """Everything that fails the ledger."""
        found = [Finding(problem.where, str(problem)) for problem in self.problems]
        if not self.rows:
            found.append(Finding(LEDGER, "no results: the list of theorems and claims is empty"))
        for row in self.rows:
            found += row.findings
        found += [Finding(work.example, failure) for work in self.worked for failure in work.failures]
        told = "\n".join(finding.text for finding in found)
        failing = ("stale", "not run") if self.lean.mode == "require" else ("stale",)
        return found + [each for state in failing for each in self._without_proof(state, told)]

    def _without_proof(self, state: str, told: str) -> Iterable[Finding]:
        """Say once for each reason which results are stale or not run, unless the reason was told."""
        reasons: dict[str, list[str]] = {}
        for row in self.rows:
            if row.lean is not None and row.lean.state == state:
                reasons.setdefault(row.lean.reason, []).append(row.id)
        for reason, ids in reasons.items():
            if reason in told or all(part.replace(" ", ": ", 1) in told for part in reason.split("; ")):
                continue
            who = f"{ids[0]} is" if len(ids) == 1 else f"{len(ids)} results are"
            text = f"{who} {state}: {reason}"
            if len(ids) > 1:
                more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
                text += f" ({', '.join(ids[:NAMED])}{more})"
            yield Finding(ids[0] if len(ids) == 1 else LEDGER, text)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def check(
    root: Path,
    lean: LeanSide,
    claims: Mapping[str, Claim],
    *,
    topics: Sequence[str] | None = None,
    cases: int,
    seed: int = 0,
    workers: int | None = None,
    on_measurement: Callable[[Measurement], None] | None = None,
) -> Ledger:
    """Join the Lean side with the claims, run claims and worked examples, and return the ledger.

    Args:
        root: The project's folder, in which pins and pages are looked up.
        lean: The Lean side.
        claims: The claims by id.
        topics: Only these topics; the worked examples run without them, or with `Examples`. What is wrong with the
            Lean side, the record, the pins and the pages is told whatever the topics are.
        cases: How many cases to draw for each claim and dtype.
        seed: The seed of the cases.
        workers: The number of processes.
        on_measurement: Called with each measurement as it comes.
    """
    of_id = topic_of_id(lean, claims)
    wanted = set(of_id.values()) if topics is None else set(topics)
    pages = Pages.of(root)
    problems = (*lean.problems, *drift(root, lean, read_pins(root)), *pages.problems(of_id))
    chosen = [claim for claim in claims.values() if claim.topic in wanted]
    found: dict[str, list[Measurement]] = {claim.id: [] for claim in chosen}
    with closing(measure_all(chosen, cases, seed_value=seed, workers=workers)) as measurements:
        for measurement in measurements:
            found[measurement.id].append(measurement)
            if on_measurement is not None:
                on_measurement(measurement)
    worked = [
        check_example(example, target)
        for example in (examples().values() if topics is None or "Examples" in wanted else ())
        for target in targets()
    ]
    return Ledger(
        lean,
        tuple(_rows(lean, claims, wanted, pages, problems, found)),
        tuple(worked),
        cases,
        seed,
        problems=problems,
        topics=None if topics is None else tuple(topics),
    )


def topic_of_id(lean: LeanSide, claims: Mapping[str, Claim]) -> dict[str, str]:
    """Return the topic of each id: that of its theorem, else of its claim."""
    of_id = {id_: claim.topic for id_, claim in claims.items()}
    return of_id | {id_: theorem.topic for id_, theorem in lean.theorems.items()}


def join(root: Path, lean: LeanSide, claims: Mapping[str, Claim]) -> list[Row]:
    """Join all sides but the measured one: rows without measurements."""
    of_id, pages = topic_of_id(lean, claims), Pages.of(root)
    problems = (*lean.problems, *drift(root, lean, read_pins(root)), *pages.problems(of_id))
    return list(_rows(lean, claims, set(of_id.values()), pages, problems, {}))


def _rows(
    lean: LeanSide,
    claims: Mapping[str, Claim],
    wanted: set[str],
    pages: Pages,
    problems: Sequence[Problem],
    found: Mapping[str, Sequence[Measurement]],
) -> Iterable[Row]:
    of_id = topic_of_id(lean, claims)
    for id_ in dict.fromkeys([*lean.theorems, *claims]):
        theorem, claim = lean.theorems.get(id_), claims.get(id_)
        if wanted & {of_id[id_], claim.topic if claim is not None else of_id[id_]}:
            others = tuple(Finding(id_, str(problem)) for problem in problems if problem.where == id_)
            page = pages.address(of_id[id_], id_)
            yield Row(id_, of_id[id_], theorem, claim, tuple(found.get(id_, ())), page, others)
