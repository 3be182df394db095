"""Drop one hypothesis of a theorem, and find the smallest counterexample over ℝ.

* `drop`: search, shrink, and say what Lean has to do with it.
* `judged`: whether a case is a counterexample.
* `hypotheses`: what can be dropped.
* `Dropped`, `Counterexample`: what was found.
"""

import difflib
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from duizhao import exact
from duizhao.breaking.nothing import over_no_keys
from duizhao.breaking.numbers import Recorder, numbers_of, outputs_of
from duizhao.breaking.statement import plain
from duizhao.claims.claim import Claim
from duizhao.claims.hypotheses.parts import Predicate, parts_of
from duizhao.claims.measure import PRECISION
from duizhao.claims.relation import Gap
from duizhao.rounding import sum_of_weights
from duizhao.strategies import Case, Target
from duizhao.strategies.loosened import lets_go_of, loosened
from duizhao.strategies.scores import FEW_KEYS, few_keys
from duizhao.strategies.search import Clock, smallest

CASES = 4_000
"""How many cases are drawn before a hypothesis counts as possibly redundant."""

STAGES = ((1, 1, 100), (2, 1, 200), (1, 2, 100), (2, 2, 400), (FEW_KEYS, FEW_KEYS, CASES))
"""With how many keys and coordinates at most cases are drawn, and how many cases: the smallest come first."""

SECONDS = 8.0
"""How long a search computes at most."""

CASES_WITH_A_REASON = 40
"""How many at each of these stages where there is a written reason why no counterexample exists."""


ROUNDING = "Rounding"
"""The topic whose amounts are errors over budgets."""

EXCESSES = {"excess", "other_excess", "column_excess"}
"""Facts by which a sum of weights is off: no budget covers more of it than rounding can cause."""


@dataclass(frozen=True)
class Counterexample:
    """The smallest case that was found in which the statement fails."""

    built: Case
    """The case."""
    case: Mapping[str, Any]
    """The numbers of the case, by name."""
    outputs: Mapping[str, Any]
    """What the functions give for it, by name: over ℝ, to 6 digits."""
    amount: float | None
    """How far the statement is violated, rounded down; `None` where only its strict form fails, or nothing measures it."""
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


def hypotheses(claim: Claim) -> dict[str, str]:
    """Return what can be dropped of a claim, each with its sentence: its hypotheses, and the parts of conjunctions."""
    named: dict[str, Predicate] = {}
    parts = parts_of(claim.predicates)
    for name, test in claim.predicates.items():
        named[name] = test
        named.update({f"{name}.{place}": part for place, part in enumerate(parts.get(name, ()), 1)})
    return {name: " ".join((inspect.getdoc(test) or "").split()) for name, test in named.items()}


def hypothesis_named(claim: Claim, name: str) -> str:
    """Return the name of a hypothesis of a claim, or of a part of one, as the claim spells it.

    Raises:
        ValueError: If the theorem has no such hypothesis; the message suggests a close one, and lists those that it has.
    """
    known = list(hypotheses(claim))
    if plain(name) in known:
        return plain(name)
    close = difflib.get_close_matches(plain(name), known, n=1, cutoff=0.5)
    hint = f"; did you mean {close[0]}? Its" if close else "; its"
    listed = ", ".join(known) or "none"
    raise ValueError(f"{claim.id} has no hypothesis `{name}`{hint} hypotheses: {listed}")


def predicates_with(claim: Claim, name: str) -> dict[str, Predicate]:
    """Return the predicates of a claim, with both parts of a hypothesis in its place where `name` is one of them."""
    whole, dot, _ = name.partition(".")
    predicates = dict(claim.predicates)
    if dot:
        parts = parts_of(predicates)[whole]
        del predicates[whole]
        predicates.update({f"{whole}.{place}": part for place, part in enumerate(parts, 1)})
    return predicates


def over_reals(claim: Claim) -> Mapping[str, Callable[..., Any]]:
    """Return, for each function that a claim calls, its twin on balls, or the function itself where there is none."""
    return {
        name: over_no_keys(name, getattr(exact, name, function)) for name, function in claim.replaces.items()
    }


def violation(claim: Claim, case: Case, gap: Gap) -> tuple[bool, float | None]:
    """Return whether a gap on balls certainly violates its statement, and by how much at least, if that is known.

    A case keeps hypotheses such as "the weights sum to one" up to a rounding, so that a gap within the claim's budget
    proves nothing. Of a claim on rounding the first amount is the theorem, an error over its bound; what the others say of
    computed numbers is none of it. What is no number proves nothing: over ℝ nothing is missing.
    """
    on_rounding = claim.topic == ROUNDING
    judged = gap.amount.ravel()[:1] if on_rounding else gap.amount.ravel()
    amounts = [exact.lower(ball) for ball in judged if not ball.is_nan()]
    largest = max(amounts, default=0.0)
    if largest > 0:
        allowed = max(1.0, _allowed(claim, case)) if on_rounding else _allowed(claim, case)
        return largest > allowed, largest if math.isfinite(largest) else None
    return gap.strict_fails, None


def _allowed(claim: Claim, case: Case) -> float:
    """Return the largest bound of a claim for a case; 0 where it has none, or none for so few keys; else infinity."""
    if claim.budget is None:
        return 0.0
    try:
        with np.errstate(all="ignore"):
            facts = claim.budget.facts(case)
            terms = max(facts.get("n", 1), facts.get("columns", 1))
            for name in EXCESSES & facts.keys():
                facts[name] = min(facts[name], sum_of_weights(facts["u"], terms, facts["tiny"]))
            largest = float(np.max(claim.budget.bound(**facts)))
    except (ValueError, IndexError, AttributeError, ArithmeticError):
        return 0.0
    return largest if math.isfinite(largest) else math.inf


def judged(claim: Claim, case: Case, hypothesis: str) -> Counterexample | None:
    """Return a case as a counterexample to a claim without a hypothesis; `None` if it is none.

    It is none if it keeps the hypothesis, violates another, or does not certainly violate the statement over ℝ.
    """
    recorder = Recorder()
    functions = {name: recorder.watch(name, function) for name, function in over_reals(claim).items()}
    if not lets_go_of(case, hypothesis, predicates_with(claim, hypothesis)):
        return None
    measured = claim.measure(case, **functions)
    violated, amount = violation(claim, case, measured)
    if not violated:
        return None
    return Counterexample(
        case,
        numbers_of(case),
        {} if claim.topic == ROUNDING else outputs_of(case, recorder.outputs),
        amount,
        says(claim, measured, amount),
    )


def says(claim: Claim, measured: Gap, amount: float | None) -> str:
    """Return what goes wrong, in one sentence."""
    if amount is not None and claim.topic == ROUNDING:
        return f"the error is {amount:.6g} times what the statement allows"
    if amount is not None:
        return f"the statement is off by {amount:.6g}"
    if measured.strict_fails:
        return "the strict statement fails: there is equality, or worse"
    return "the statement fails"


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
        seconds: How long to compute at most.

    Raises:
        ValueError: If the theorem has no such hypothesis.
    """
    name = hypothesis_named(claim, hypothesis)
    target = Target("float64")
    predicates = predicates_with(claim, name)

    def fails(case: Case) -> bool:
        try:
            return judged(claim, case, name) is not None
        except (ValueError, TypeError, IndexError, AttributeError, ArithmeticError):
            return False

    reason = claim.without.get(name, claim.without.get(name.partition(".")[0]))
    most = min(cases, CASES_WITH_A_REASON) if reason else cases
    clock = Clock(seconds)
    for keys, wide, share in STAGES:
        with exact.precision(PRECISION), few_keys(keys, wide):
            strategy = loosened(target, claim.cases(target), name, predicates)
            case = smallest(strategy, fails, cases=min(share, most), seed=seed, clock=clock)
            if case is not None:
                return Dropped(claim, name, judged(claim, case, name), None, seed)
    return Dropped(claim, name, None, reason, seed)
