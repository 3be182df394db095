"""The ledger: what Lean says of each result and what its numbers do, joined by name.

* `check`: read the Lean side, run the claims and the worked examples, join them.
* `Ledger`, `Row`: the table, and everything that is wrong with it.
"""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from duizhao.claims import TOPICS_WITHOUT_CLAIMS
from duizhao.claims.claim import Claim
from duizhao.claims.measure import Measurement, measure_all
from duizhao.claims.slack import SlackRecord
from duizhao.examples import examples
from duizhao.ledger.lean import LeanSide, LeanTheorem
from duizhao.ledger.pages import Pages
from duizhao.ledger.worked import Worked, check_example
from duizhao.strategies import targets

LEDGER = "ledger"
"""Where a problem belongs that is not about one result."""


@dataclass(frozen=True)
class Finding:
    """One thing that fails the ledger: where it belongs, and a sentence."""

    where: str
    """The id of a result, the name of a module or example, `record`, `build` or `ledger`."""
    text: str


@dataclass(frozen=True)
class Row:
    """One result, from all sides."""

    id: str
    topic: str
    lean: LeanTheorem | None
    claim: Claim | None
    measurements: tuple[Measurement, ...]
    page: str | None

    @property
    def awaits_claim(self) -> bool:
        """Whether the result has no claim yet, because its whole topic has none."""
        return self.claim is None and self.topic in TOPICS_WITHOUT_CLAIMS

    @property
    def relation(self) -> str:
        """The relation of numbers to theorem, or that there is none."""
        if self.claim is not None:
            return self.claim.relation.word
        return "no claim yet" if self.awaits_claim else "no claim"

    @property
    def findings(self) -> list[Finding]:
        """What is wrong with this result."""
        found = []
        if self.lean is None:
            found.append(
                Finding(self.id, f"unpaired: the claim {self.id} ({self.topic}) has no theorem of that name")
            )
        elif self.claim is None and not self.awaits_claim:
            found.append(Finding(self.id, f"unpaired: the theorem {self.lean.name} has no claim"))
        if self.lean is not None and self.claim is not None:
            if self.lean.topic != self.claim.topic:
                found.append(
                    Finding(self.id, f"the theorem is in {self.lean.topic}, its claim in {self.claim.topic}")
                )
            if " ".join(self.lean.sentence.split()) != self.claim.sentence:
                found.append(
                    Finding(
                        self.id,
                        f"the claim says “{self.claim.sentence}”, "
                        f"the theorem says “{' '.join(self.lean.sentence.split())}”",
                    )
                )
        if self.lean is not None and self.lean.state == "stale":
            found.append(Finding(self.id, f"stale: {self.lean.reason}"))
        found += [
            Finding(self.id, f"{measurement.target}: {measurement.failure}")
            for measurement in self.measurements
            if measurement.failure is not None
        ]
        return found


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

    def worst(self, row: Row, dtype: str) -> float | None:
        """Return the worst slack known of a result in a dtype: of the recorded measurement and of this run."""
        known = [] if self.slack is None else [self.slack.worst(row.id, dtype)]
        known += [measurement.slack for measurement in row.measurements if measurement.target == dtype]
        return max((slack for slack in known if slack is not None), default=None)

    @property
    def findings(self) -> list[Finding]:
        """Everything that fails the ledger."""
        found = [Finding(problem.where, str(problem)) for problem in self.lean.problems]
        if not self.rows:
            found.append(Finding(LEDGER, "no results: the list of theorems and claims is empty"))
        for row in self.rows:
            found += row.findings
        found += [Finding(work.example, failure) for work in self.worked for failure in work.failures]
        if self.lean.mode == "require":
            found += [
                Finding(row.id, f"not run: {row.lean.reason}")
                for row in self.rows
                if row.lean is not None and row.lean.state == "not run"
            ]
        return found

    @property
    def waiting(self) -> int:
        """How many results have no claim yet."""
        return sum(row.awaits_claim for row in self.rows)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def topic_named(name: str, topics: Sequence[str]) -> str:
    """Return the topic of a name as it is written in Lean (`Counterexample.Mask`) or in Python (`counterexample.mask`).

    Raises:
        ValueError: If there is no such topic; the message suggests close ones.
    """
    folded = {topic.replace("_", "").lower(): topic for topic in topics}
    key = name.replace("_", "").lower()
    if key in folded:
        return folded[key]
    close = difflib.get_close_matches(key, folded, n=1)
    hint = f"; did you mean {folded[close[0]]}?" if close else f"; there are {', '.join(sorted(topics))}"
    raise ValueError(f"no topic `{name}`{hint}")


def topics_of(lean: LeanSide, claims: Mapping[str, Claim]) -> list[str]:
    """Return all topics, of theorems and of claims, in order."""
    return sorted(
        {theorem.topic for theorem in lean.theorems.values()} | {claim.topic for claim in claims.values()}
    )


def check(
    root: Path,
    lean: LeanSide,
    claims: Mapping[str, Claim],
    *,
    topic: str | None = None,
    cases: int,
    seed: int = 0,
    workers: int | None = None,
    on_measurement: Callable[[Measurement], None] | None = None,
) -> Ledger:
    """Join the Lean side with the claims, run claims and worked examples, and return the ledger.

    Args:
        root: The project's folder, in which pages are looked up.
        lean: The Lean side.
        claims: The claims by id.
        topic: Only this topic; the worked examples run without it, or for `Examples`.
        cases: How many cases to draw for each claim and dtype.
        seed: The seed of the cases.
        workers: The number of processes.
        on_measurement: Called with each measurement as it comes.
    """
    chosen = [claim for claim in claims.values() if topic is None or claim.topic == topic]
    found: dict[str, list[Measurement]] = {claim.id: [] for claim in chosen}
    for measurement in measure_all(chosen, cases, seed_value=seed, workers=workers):
        found[measurement.id].append(measurement)
        if on_measurement is not None:
            on_measurement(measurement)
    pages = Pages.of(root)
    rows = []
    for id_ in dict.fromkeys([*lean.theorems, *claims]):
        theorem, claim = lean.theorems.get(id_), claims.get(id_)
        own = theorem.topic if theorem is not None else claims[id_].topic
        if topic is None or topic in (own, claim.topic if claim is not None else own):
            rows.append(Row(id_, own, theorem, claim, tuple(found.get(id_, ())), pages.address(own, id_)))
    worked = [
        check_example(example, target)
        for example in (examples().values() if topic in (None, "Examples") else ())
        for target in targets()
    ]
    return Ledger(lean, tuple(rows), tuple(worked), cases, seed)
