"""An audit: policies, then every check on many cases in every dtype, each failure shrunk.

* `Outcome`, `Failure`, `Report`: what was found.
* `audit`: run it.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from duizhao.audit import checks
from duizhao.audit.abilities import adding, tried
from duizhao.audit.check import CHECKS, Check, Facts
from duizhao.audit.judge import Verdict, judge
from duizhao.audit.outside import TIME_LIMIT, Call, Fault, Outside, rounded
from duizhao.audit.policies import POLICIES, Policy
from duizhao.audit.probes import probed
from duizhao.audit.shrink import shrunk
from duizhao.audit.snippet import program
from duizhao.audit.subject import Subject
from duizhao.rounding.arithmetic import Arithmetic
from duizhao.rounding.stranger import stranger
from duizhao.strategies.audits import Asked, Form, asked, generator

TRIALS = 6
"""Cases for each form of a check in each dtype, unless the user says otherwise."""

WHEN_COMPILED = 2
"""The same for a subject that is compiled anew for each shape; the last of them has many keys."""

VARIED = 3
"""The longest that a form may allow for it not to be asked of many keys: it is about so many."""

ORDER = ("mask", "scale", "causal", "heads", "empty_row", "masked_nan", "overflow")
"""The policies in the order in which they are found: later ones rest on earlier ones."""

assert set(ORDER) == set(POLICIES)
assert checks.__all__


@dataclass(frozen=True)
class Failure:
    """A claim that fails: the smallest case found, in words and as a program."""

    sentence: str
    dtype: str
    snippet: str | None
    case: Asked | None = None
    verdict: Verdict | None = None
    call: Call | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of one check."""

    check: Check
    cases: int = 0
    slack: Mapping[str, float] = field(default_factory=dict)
    """The worst amount over its bound, by dtype."""
    failure: Failure | None = None
    stopped: str | None = None
    """Why the check could not be run to its end: what the subject did in place of answering."""
    asked: bool = True
    """Whether the subject takes what the check needs."""

    @property
    def state(self) -> str:
        """One of "passes", "fails", "stopped" and "not asked"."""
        if not self.asked:
            return "not asked"
        if self.failure is not None:
            return "fails"
        return "passes" if self.stopped is None else "stopped"

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.state in ("passes", "not asked")


@dataclass(frozen=True)
class Report:
    """What an audit found."""

    subject: str
    seed: int
    trials: int
    dtypes: Sequence[str]
    outcomes: Sequence[Outcome]
    policies: Sequence[Policy]
    conduct: Mapping[str, Failure]
    """What the subject does beside answering or in place of it: raises, hangs, shape, dtype, mutates, prints."""
    notes: Sequence[str]
    calls: int
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return (
            not self.conduct
            and all(outcome.ok for outcome in self.outcomes)
            and all(policy.ok for policy in self.policies)
        )

    @property
    def wrong_policies(self) -> list[Policy]:
        """The policies on which it does what no correct program does."""
        return [policy for policy in self.policies if policy.faults]


OnStep = Callable[[str, int, int], None]
"""Told of each step: what is done, how many are done, of how many."""


def quiet(_what: str, _done: int, _of: int) -> None:
    """Say nothing."""


class Run:
    """One audit of one subject."""

    def __init__(
        self,
        subject: Subject,
        *,
        seed: int = 0,
        trials: int | None = None,
        needed: Mapping[str, str] | None = None,
        time_limit: float = TIME_LIMIT,
        dtypes: Sequence[str] | None = None,
    ) -> None:
        """Take the options of `audit`."""
        self.subject, self.seed, self.dtypes = subject, seed, dtypes
        self.trials = trials or (WHEN_COMPILED if subject.adapter.compiles else TRIALS)
        self.needed = dict(needed or {})
        self.outside = Outside(subject, time_limit)
        self.faults: dict[str, Failure] = {}
        self.notes: list[str] = []
        self.facts = Facts()
        self.policies: list[Policy] = []
        self.assumed: dict[str, Arithmetic] = {}

    def prepare(self) -> None:
        """Start the subject's process, and find out what it takes and its policies."""
        if self.needed.get("mask") == "additive" and self.subject.adapter.mask == "detect":
            self._adapt(replace(self.subject, adapter=adding(self.subject.adapter)))
        if self.subject.adapter_name is None:
            try:
                adapter, self.notes = tried(self.outside)
                self._adapt(replace(self.subject, adapter=adapter))
            except Fault as fault:
                self._note(fault)
        if self.dtypes is not None:
            kept = tuple(dtype for dtype in self.subject.adapter.dtypes if dtype in self.dtypes)
            self._adapt(replace(self.subject, adapter=replace(self.subject.adapter, dtypes=kept)))
        adapter = self.subject.adapter
        self.outside.drops = adapter.mask == "drop"
        self.assumed = {
            dtype: stranger(
                dtype, exp_ulp=adapter.exp_ulp, flushes=adapter.flushes, accumulator=adapter.accumulator
            )
            for dtype in adapter.dtypes
        }
        scale = self.needed.get("scale", "1/sqrt(d)")
        self.facts = Facts(scale=None if scale == "1/sqrt(d)" else float(scale), both=adapter.both)
        for name in ORDER:
            policy = probed(name, self.outside, self.assumed, self.facts, self.needed.get(name))
            self.policies.append(policy)
            found = set(policy.values.values())
            if name == "mask":
                self.outside.drops = found == {"drop"}
            elif name == "causal" and found in ({"top_left"}, {"bottom_right"}) and not policy.faults:
                self.facts = replace(self.facts, causal=policy.value)
            elif name == "heads" and not policy.faults:
                self.facts = replace(self.facts, heads=policy.value)
            elif name == "empty_row":
                self.facts = replace(self.facts, empty="error" not in found and not policy.faults)

    def _adapt(self, subject: Subject) -> None:
        self.subject = self.outside.subject = subject

    def _note(self, fault: Fault) -> None:
        """Keep the first fault of each kind."""
        if fault.kind not in self.faults:
            self.faults[fault.kind] = Failure(fault.text, fault.call.dtype, None, call=fault.call)

    def one(self, check: Check) -> Outcome:
        """Run one check on many cases in every dtype, up to its first failure."""
        adapter = self.subject.adapter
        slack: dict[str, float] = {}
        count = 0
        stopped: str | None = None
        for dtype in adapter.dtypes:
            base = Form(
                dtype,
                has_batch=adapter.layout in ("bhld", "blhd"),
                has_heads=adapter.layout != "ld",
                other_length=adapter.other_length,
                any_value_width=adapter.any_value_width,
                zero_scale=adapter.zero_scale,
            )
            forms = check.forms(adapter, self.facts, base)
            if not forms:
                return Outcome(check, asked=False)
            for index, form in enumerate(forms):
                for trial, shaped in enumerate(self._varied(form)):
                    draw = generator(self.seed, f"{check.name} {dtype} {index}", trial)
                    shapes = generator(self.seed, "shapes", trial) if adapter.compiles else None
                    case = self._held(asked(draw, shaped, shapes))
                    try:
                        verdict = judge(self.outside, self.assumed[dtype], self.facts, check, case)
                    except Fault as fault:
                        self._note(fault)
                        stopped = stopped or f"{dtype}: {fault.text}"
                        break
                    count += 1
                    slack[dtype] = max(slack.get(dtype, 0.0), verdict.ratio)
                    if verdict.fails:
                        return Outcome(check, count, slack, self._smallest(check, case), stopped)
                if self.outside.hung and stopped:
                    return Outcome(check, count, slack, None, stopped)
        return Outcome(check, count, slack, None, stopped)

    def _varied(self, form: Form) -> list[Form]:
        """Return the form of each case: as many as asked for, and one of many keys more (if compiled, among them)."""
        short = [form] * self.trials
        if form.longest <= VARIED:
            return short
        among = self.subject.adapter.compiles and self.trials > 1
        return [*(short[1:] if among else short), replace(form, long=True)]

    def _held(self, case: Asked) -> Asked:
        """Return the case with numbers that its dtype holds."""
        held = {
            name: array
            if array.dtype == bool or name == "order"
            else rounded(array, case.dtype).astype(float)
            for name, array in case.arrays.items()
        }
        return replace(case, arrays=held)

    def _smallest(self, check: Check, case: Asked) -> Failure:
        """Shrink a failing case, and tell it."""
        assumed = self.assumed[case.dtype]

        def fails(other: Asked) -> bool:
            try:
                return judge(self.outside, assumed, self.facts, check, self._held(other)).fails
            except (Fault, ValueError, IndexError, AssertionError):
                return False

        small = self._held(shrunk(case, fails))
        verdict = judge(self.outside, assumed, self.facts, check, small)
        if not verdict.fails:
            small = case
            verdict = judge(self.outside, assumed, self.facts, check, small)
        return Failure(
            verdict.sentence,
            case.dtype,
            program(self.subject, verdict, verdict.sentence),
            small,
            verdict,
        )

    def conducted(self) -> dict[str, Failure]:
        """Return what the subject did beside answering or in place of it."""
        seen = {
            kind: Failure(text, call.dtype, None, call=call)
            for kind, (text, call) in self.outside.conduct.items()
        }
        return {**self.faults, **seen}


def chosen(only: Sequence[str] | None) -> list[Check]:
    """Return the checks of some names, or all of them."""
    return [check for name, check in CHECKS.items() if only is None or name in only]


def audit(
    subject: Subject,
    *,
    seed: int = 0,
    trials: int | None = None,
    needed: Mapping[str, str] | None = None,
    time_limit: float = TIME_LIMIT,
    dtypes: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    on_step: OnStep = quiet,
) -> Report:
    """Run an audit.

    Args:
        subject: What is audited.
        seed: The seed of the cases: the same one draws the same.
        trials: Cases for each form of a check in each dtype; `TRIALS` or `WHEN_COMPILED` if not given.
        needed: Policies that are required, by name.
        time_limit: Seconds that one call may take.
        dtypes: Dtypes to keep to, of those that the subject takes.
        only: Names of checks to keep to.
        on_step: Told of each step.

    Raises:
        RuntimeError: If the subject cannot be imported in a process of its own.
    """
    begun = time.monotonic()
    run = Run(subject, seed=seed, trials=trials, needed=needed, time_limit=time_limit, dtypes=dtypes)
    asked_for = chosen(only)
    outcomes = []
    try:
        on_step("policies", 0, len(asked_for))
        run.prepare()
        for done, check in enumerate(asked_for):
            on_step(check.name, done, len(asked_for))
            outcomes.append(run.one(check))
    finally:
        run.outside.stop()
    return Report(
        subject.name,
        seed,
        run.trials,
        run.subject.adapter.dtypes,
        outcomes,
        run.policies,
        run.conducted(),
        run.notes,
        run.outside.count,
        time.monotonic() - begun,
    )
