"""One result, from all sides, and what is wrong with it.

* `Row`: a result; its state is that of its weakest side.
* `Finding`: one thing that fails the ledger.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from duizhao.claims.claim import Claim
from duizhao.claims.measure import Measurement
from duizhao.ledger.lean import LeanTheorem

State = Literal["proved", "recorded", "stale", "not run", "failing", "unpaired"]
STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True)
class Finding:
    """One thing that fails the ledger: where it belongs, and a sentence."""

    where: str
    """The id of a result, the name of a module, page or example, `record`, `pins`, `build` or `ledger`."""
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
    others: tuple[Finding, ...] = ()
    """What Lean, the record, the pins and the pages say is wrong with this result."""

    @property
    def relation(self) -> str:
        """The relation of numbers to theorem, or that there is none."""
        if self.claim is not None:
            return self.claim.relation.word
        return "no claim"

    @property
    def sentence(self) -> str | None:
        """The theorem's sentence, or the claim's where there is no theorem."""
        if self.lean is not None:
            return " ".join(self.lean.sentence.split())
        return self.claim.sentence if self.claim is not None else None

    @property
    def unpaired(self) -> list[Finding]:
        """The sides that this result lacks."""
        found = []
        if self.lean is None:
            text = f"unpaired: the claim {self.id} ({self.topic}) has no theorem of that name"
            found.append(Finding(self.id, text))
        elif self.claim is None:
            found.append(Finding(self.id, f"unpaired: the theorem {self.lean.name} has no claim"))
        return found

    @property
    def findings(self) -> list[Finding]:
        """What is wrong with this result, `others` and a stale or missing proof apart."""
        found = self.unpaired
        if self.lean is not None and self.claim is not None:
            if self.lean.topic != self.claim.topic:
                text = f"the theorem is in {self.lean.topic}, its claim in {self.claim.topic}"
                found.append(Finding(self.id, text))
            if self.sentence != self.claim.sentence:
                text = f"the claim says “{self.claim.sentence}”, the theorem says “{self.sentence}”"
                found.append(Finding(self.id, text))
        found += [
            Finding(self.id, f"{measurement.target}: {measurement.failure}")
            for measurement in self.measurements
            if measurement.failure is not None
        ]
        return found

    @property
    def state(self) -> State:
        """The state of the weakest side: unpaired, failing, not run, stale, recorded or proved.

        What is wrong with a stale theorem's files makes it stale, not failing.
        """
        if self.unpaired or any("unpaired:" in finding.text for finding in self.others):
            return "unpaired"
        if self.lean is None or self.findings:
            return "failing"
        if self.lean.state == "stale":
            return "stale"
        return "failing" if self.others else self.lean.state
