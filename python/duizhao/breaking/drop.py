"""Drop one hypothesis of a theorem, and find the smallest counterexample over ℝ.

* `drop`: search, shrink, and say what Lean has to do with it.
* `Dropped`, `Counterexample`: what was found.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from duizhao import exact
from duizhao.breaking.nothing import over_no_keys
from duizhao.claims.claim import Claim
from duizhao.claims.measure import PRECISION
from duizhao.claims.relation import Gap
from duizhao.rounding import sum_of_weights
from duizhao.strategies import Case, Target
from duizhao.strategies.loosened import lets_go_of, loosened
from duizhao.strategies.scores import few_keys
from duizhao.strategies.search import smallest

CASES = 4_000
"""How many cases are drawn before a hypothesis counts as possibly redundant."""

SECONDS = 8.0
"""How long a search takes at most."""

CASES_WITH_A_REASON = 200
"""The same where there is a written reason why no counterexample exists."""


EXCESSES = {"excess", "other_excess"}
"""Facts by which a sum of weights is off: no budget covers more of it than rounding can cause."""


@dataclass(frozen=True)
class Counterexample:
    """The smallest case that was found in which the statement fails."""

    case: Mapping[str, Any]
    """The numbers of the case, by name."""
    outputs: Mapping[str, Any]
    """What the functions give for it, by name: over ℝ, to 6 digits."""
    amount: float | None
    """How far the statement is violated, rounded down; `None` where only its strict form fails, or a number is missing."""
    says: str
    """What goes wrong, in one sentence."""


@dataclass(frozen=True)
class Dropped:
    """What came of dropping a hypothesis."""

    claim: Claim
    hypothesis: str
    counterexample: Counterexample | None
    reason: str | None
    """Where there is no counterexample: why, if that is known."""
    seed: int


def hypothesis_named(claim: Claim, name: str) -> str:
    """Return the name of a hypothesis of a claim as the claim spells it.

    Raises:
        ValueError: If the theorem has no such hypothesis; the message lists those that it has.
    """
    plain = name.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
    if plain in claim.predicates:
        return plain
    known = ", ".join(claim.predicates) or "none"
    raise ValueError(f"{claim.id} has no hypothesis `{name}`; its hypotheses: {known}")


class _Recorder:
    """Calls exact functions, and remembers what they gave."""

    def __init__(self) -> None:
        self.outputs: dict[str, Any] = {}

    def watch(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any, **options: Any) -> Any:
            result = function(*arguments, **options)
            key = name if name not in self.outputs else f"{name}, again"
            self.outputs[key] = result
            return result

        return called


def over_reals(claim: Claim) -> Mapping[str, Callable[..., Any]]:
    """Return, for each function that a claim calls, its twin on balls, or the function itself where there is none."""
    return {
        name: over_no_keys(name, getattr(exact, name, function)) for name, function in claim.replaces.items()
    }


def violation(claim: Claim, case: Case, gap: Gap) -> tuple[bool, float | None]:
    """Return whether a gap on balls certainly violates its statement, and by how much at least, if that is known.

    A case keeps hypotheses such as "the weights sum to one" up to a rounding, so that a gap within the claim's budget
    proves nothing.
    """
    amounts = [exact.lower(ball) for ball in gap.amount.ravel() if not ball.is_nan()]
    missing = len(amounts) < gap.amount.size
    largest = max(amounts, default=0.0)
    if largest > 0:
        return largest > _allowed(claim, case), largest if math.isfinite(largest) else None
    return missing or gap.strict_fails, None


def _allowed(claim: Claim, case: Case) -> float:
    """Return the largest bound of a claim for a case; 0 where it has none, or none for so few keys; else infinity."""
    if claim.budget is None:
        return 0.0
    try:
        with np.errstate(all="ignore"):
            facts = claim.budget.facts(case)
            for name in EXCESSES & facts.keys():
                facts[name] = min(facts[name], sum_of_weights(facts["u"], facts["n"], facts["tiny"]))
            largest = float(np.max(claim.budget.bound(**facts)))
    except (ValueError, IndexError, AttributeError):
        return 0.0
    return largest if math.isfinite(largest) else math.inf


def _shown(value: Any) -> Any:
    if hasattr(value, "dtype") and value.dtype == object:
        return [_shown(item) for item in value] if value.ndim else _shown(value.item())
    if type(value).__name__ == "arb":
        return float(f"{float(value):.6g}")
    if hasattr(value, "tolist"):
        return value.tolist()
    return value


def _told(claim: Claim, case: Case) -> Counterexample:
    recorder = _Recorder()
    functions = {name: recorder.watch(name, function) for name, function in over_reals(claim).items()}
    measured = claim.measure(case, **functions)
    _, amount = violation(claim, case, measured)
    if amount is not None:
        says = f"the statement is off by {amount:.6g}"
    elif measured.strict_fails:
        says = "the strict statement fails: there is equality, or worse"
    elif all(ball.is_nan() for ball in measured.amount.ravel()):
        says = "the statement speaks of a number that does not exist"
    else:
        says = "the statement fails"
    told = getattr(case, "told", None)
    shown = (
        told
        if told is not None
        else {
            field.name: _shown(getattr(case, field.name)) for field in fields(case) if field.name != "target"
        }
    )
    outputs = {name: _shown(value) for name, value in recorder.outputs.items()}
    return Counterexample(shown, outputs, amount, says)


def drop(
    claim: Claim, hypothesis: str, *, seed: int = 0, cases: int = CASES, seconds: float = SECONDS
) -> Dropped:
    """Search for the smallest case in which every hypothesis but one holds and the statement fails over ℝ.

    The functions are evaluated on balls, so that what is found is no rounding error.

    Args:
        claim: The claim.
        hypothesis: The name of the hypothesis to drop.
        seed: The seed of the search.
        cases: How many cases to draw at most.
        seconds: How long to search at most.

    Raises:
        ValueError: If the theorem has no such hypothesis.
    """
    name = hypothesis_named(claim, hypothesis)
    target = Target("float64")
    functions = over_reals(claim)

    def fails(case: Case) -> bool:
        try:
            loose = lets_go_of(case, name, claim.predicates)
            return loose and violation(claim, case, claim.measure(case, **functions))[0]
        except (ValueError, TypeError, IndexError, AttributeError, ArithmeticError):
            return False

    most = min(cases, CASES_WITH_A_REASON) if name in claim.without else cases
    strategy = loosened(target, claim.cases(target), name, claim.predicates[name])
    with exact.precision(PRECISION), few_keys():
        case = smallest(strategy, fails, cases=most, seed=seed, seconds=seconds)
        if case is None:
            return Dropped(claim, name, None, claim.without.get(name), seed)
        return Dropped(claim, name, _told(claim, case), None, seed)
