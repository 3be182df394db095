"""Run a claim on many cases, and say how close to its budget the worst one comes.

* `measure`: one claim in one dtype.
* `some_case`: whether one of many cases is as near, or as far, as asked.
* `measure_all`: many claims, in parallel, with progress.
"""

import math
import os
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy

from duizhao import exact
from duizhao.claims.claim import Claim
from duizhao.claims.parallel import in_parallel
from duizhao.claims.relation import FailsInFloats, Restricted
from duizhao.strategies import Case, Target, targets

PRECISION = 320
"""Bits in which gaps are evaluated: enough that a gap's own enclosure is far below every budget."""


WORTH_A_WORKER = 1000
"""Cases below which starting other processes takes longer than it saves."""

Functions = Mapping[str, Callable[..., Any]]
"""Functions in place of reference functions, by the names of a claim's parameters."""


class FarFromTheoremError(AssertionError):
    """A case is farther from its theorem than the relation allows."""


@dataclass(frozen=True)
class Measurement:
    """What a run found of one claim in one library and dtype."""

    id: str
    target: str
    """The dtype, after the library's name if that is not NumPy."""
    cases: int
    """The number of cases that were drawn and measured."""
    slack: float | None
    """The worst gap over its budget, where the relation has one."""
    failure: str | None = None
    """What failed, in one sentence, shrunk; `None` if nothing did."""

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return self.failure is None


@dataclass
class _Worst:
    """The state of one run."""

    cases: int = 0
    ratio: float = 0.0
    failed: bool = field(default=False)


def describe(case: Case) -> str:
    """Return the fields of a case, as a reader would write them."""
    shown = {
        name: value.tolist() if hasattr(value, "tolist") else value
        for name, value in vars(case).items()
        if name in type(case).__dataclass_fields__ and name != "target"
    }
    return ", ".join(f"{name} = {value}" for name, value in shown.items())


def keep_nothing_here() -> None:
    """Let Hypothesis keep its notes in the system's folder for temporary files, not where the command is run."""
    set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "duizhao-hypothesis")


def judge(claim: Claim, case: Case, **functions: Callable[..., Any]) -> float:
    """Return the gap of one case over what is allowed of it.

    Raises:
        ValueError: If the case violates a hypothesis or the restriction of the claim, or its budget is no bound.
    """
    violated = claim.admits(case)
    if violated is not None:
        raise ValueError(f"{claim.id}: the case violates {violated}: {describe(case)}")
    return claim.ratio(case, **functions)


def _each(
    strategy: SearchStrategy[Any],
    check: Callable[[Any], None],
    cases: int,
    seed_value: int,
    phases: Sequence[Phase] = (Phase.generate, Phase.shrink),
) -> None:
    """Call `check` on each of `cases` drawn cases; where it raises, find the smallest case and raise its error."""
    limits = settings(
        max_examples=cases,
        database=None,
        deadline=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
    )
    seed(seed_value)(limits(given(strategy)(check)))()


class _FoundError(Exception):
    """A case is as asked."""


def some_case(
    claim: Claim,
    target: Target,
    cases: int,
    wanted: Callable[[float], bool],
    *,
    seed_value: int = 0,
    functions: Functions | None = None,
) -> bool:
    """Return whether the gap over what is allowed is as `wanted` for one of up to `cases` drawn cases: the first ends it.

    A case on which `functions` raise is infinitely far.
    """

    def look(case: Case) -> None:
        try:
            ratio = judge(claim, case, **(functions or {}))
        except Exception:
            ratio = math.inf
        if wanted(ratio):
            raise _FoundError

    with exact.precision(PRECISION):
        try:
            _each(claim.cases(target), look, cases, seed_value, phases=(Phase.generate,))
        except _FoundError:
            return True
    return False


def _witness_failure(claim: Claim, target: Target) -> str | None:
    """Return what is wrong with the claim's own witness, if it has one."""
    if isinstance(claim.relation, FailsInFloats):
        case = claim.relation.witness(target)
        violated = claim.admits(case)
        if violated is not None:
            return f"the witness violates {violated}: {describe(case)}"
        if not claim.measure(case).strict_fails:
            return f"the witness no longer fails: {describe(case)}"
    if isinstance(claim.relation, Restricted):
        case = claim.relation.outside(target)
        if claim.relation.predicate(case):
            return f"the case outside of the restriction is inside: {describe(case)}"
        if claim.ratio(case) <= 1:
            return f"the case outside of the restriction no longer fails: {describe(case)}"
    return None


def measure(
    claim: Claim, target: Target, cases: int, *, seed_value: int = 0, functions: Functions | None = None
) -> Measurement:
    """Measure a claim on `cases` drawn cases, and on its witness.

    Args:
        claim: The claim.
        target: The library and dtype.
        cases: How many cases to draw. Fewer are measured where a strategy has fewer, or where one fails.
        seed_value: The seed: the same one draws the same cases.
        functions: Functions in place of the reference functions, by the names of the claim's parameters.

    Raises:
        ValueError: If `cases` is not positive.
    """
    if cases < 1:
        raise ValueError(f"cases: must be at least 1, got {cases}")
    worst = _Worst()

    def check(case: Case) -> None:
        try:
            ratio = judge(claim, case, **(functions or {}))
        except Exception as error:
            worst.failed = True
            raise FarFromTheoremError(f"{type(error).__name__}: {error}; on {describe(case)}") from error
        worst.cases += not worst.failed
        if not ratio <= 1:
            worst.failed = True
            kind = "infinitely far" if math.isinf(ratio) else f"{ratio:.3g} times its budget"
            raise FarFromTheoremError(f"{kind} from the theorem: {describe(case)}")
        worst.ratio = max(worst.ratio, ratio)

    failure = None
    with exact.precision(PRECISION):
        try:
            _each(claim.cases(target), check, cases, seed_value)
            failure = None if functions else _witness_failure(claim, target)
        except FarFromTheoremError as error:
            failure = str(error)
        except Unsatisfiable:
            failure = "no case was drawn"
        except Exception as error:
            failure = f"cases cannot be drawn: {type(error).__name__}: {error}"
    if failure is None and worst.cases == 0:
        failure = "no case was drawn"
    return Measurement(claim.id, target.name, worst.cases, worst.ratio if claim.has_slack else None, failure)


def _measure_by_id(job: tuple[str, Target, int, int]) -> Measurement:
    """Measure a claim in a worker: claims are looked up by name there."""
    from duizhao.claims import all_claims

    claim_id, target, cases, seed_value = job
    return measure(all_claims()[claim_id], target, cases, seed_value=seed_value)


def measure_all(
    claims: Sequence[Claim],
    cases: int,
    *,
    seed_value: int = 0,
    workers: int | None = None,
    over: Sequence[Target] | None = None,
) -> Generator[Measurement, None, None]:
    """Measure claims in every dtype, in parallel, and yield each measurement as it is there, in order.

    Args:
        claims: The claims.
        cases: How many cases to draw for each claim and dtype.
        seed_value: The seed.
        workers: The number of processes; by default one for each core, or this one alone if there is little to do.
        over: The libraries and dtypes; by default those of NumPy.
    """
    pairs = [(claim, target) for claim in claims for target in over or targets()]
    count = min(workers or os.cpu_count() or 1, len(pairs))
    if count <= 1 or (workers is None and len(pairs) * cases < WORTH_A_WORKER):
        for claim, target in pairs:
            yield measure(claim, target, cases, seed_value=seed_value)
        return
    jobs = [(claim.id, target, cases, seed_value) for claim, target in pairs]
    yield from in_parallel(_measure_by_id, jobs, count, keep_nothing_here)
