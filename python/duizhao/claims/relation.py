"""How the numbers of a claim may stand to its theorem.

* `Gap`: how far one case is from the theorem, rigorously.
* `Exact`, `Budget`, `Restricted`, `FailsInFloats`, `Witness`, `Statistical`: how far is allowed.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from duizhao.exact import upper
from duizhao.rounding import Real
from duizhao.strategies import Case, Target

Balls = NDArray[np.object_]
Predicate = Callable[[Any], bool]


@dataclass(frozen=True)
class Gap:
    """How far one case is from a theorem.

    `amount` encloses, element by element, how far the statement (or its weak form, `≤` for `<`) is violated: at least
    0, infinite where a number is missing. `strict_fails` says that a strict statement fails, whatever the weak form does.
    """

    amount: Balls
    strict_fails: bool = False

    @cached_property
    def largest(self) -> NDArray[np.float64]:
        """Upper bounds of the amounts, as floats rounded up."""
        return np.asarray([upper(ball) for ball in self.amount.ravel()], dtype=np.float64)


def gap(*amounts: Any, strict_fails: bool = False) -> Gap:
    """Return the gap whose elements are all those of `amounts`: balls or arrays of balls, of any shapes."""
    parts = [np.asarray(amount, dtype=object).ravel() for amount in amounts]
    joined = np.concatenate(parts) if parts else np.empty(0, dtype=object)
    if joined.size == 0:
        raise ValueError("amounts: a gap without elements says nothing")
    for index, amount in enumerate(joined):
        joined[index] = arb(amount)
    return Gap(joined, strict_fails)


def positive_part(balls: Any) -> Balls:
    """Return the largest of 0 and each ball; an undefined ball stays undefined, which counts as infinite."""
    array = np.atleast_1d(np.asarray(balls, dtype=object))
    zero = arb(0)
    parts = [ball if ball.is_nan() else ball.max(zero) for ball in array.ravel()]
    return np.asarray(parts, dtype=object).reshape(array.shape)


@dataclass(frozen=True)
class Exact:
    """The numbers equal the theorem's, as numbers: −0 is 0."""

    @property
    def word(self) -> str:
        """The word for this relation in ledgers and pages."""
        return "exact"

    def ratio(self, _case: Case, gap: Gap) -> float:
        """Return 0 where every amount is exactly 0, else infinity."""
        return math.inf if np.any(gap.largest != 0) else 0.0


@dataclass(frozen=True)
class Budget:
    """The numbers are off by at most a bound from `rounding.py`.

    `bound` is given the attributes of the case that its parameters name, and returns one bound, or one for each amount.
    """

    bound: Callable[..., Real]

    @property
    def word(self) -> str:
        """The word for this relation in ledgers and pages."""
        return "budget"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The attributes of the case that the bound depends on."""
        return tuple(inspect.signature(self.bound).parameters)

    def facts(self, case: Case) -> dict[str, Any]:
        """Return what the bound depends on, for this case."""
        return {name: getattr(case, name) for name in self.names}

    def allowed(self, case: Case) -> NDArray[np.float64]:
        """Return the bound for this case.

        Raises:
            ValueError: If the bound is infinite, zero or not a number: such a bound would pass anything or nothing.
        """
        facts = self.facts(case)
        allowed = np.ravel(np.asarray(self.bound(**facts), dtype=np.float64))
        if not np.all(np.isfinite(allowed) & (allowed > 0)):
            raise ValueError(f"{self.bound.__name__}: {allowed} is not a bound, for {facts}")
        return allowed

    def ratio(self, case: Case, gap: Gap) -> float:
        """Return the largest amount over its bound."""
        with np.errstate(over="ignore"):
            return float(np.max(gap.largest / self.allowed(case)))


@dataclass(frozen=True)
class Restricted(Budget):
    """As `Budget`, on the inputs that `predicate` names; `outside` is a case just outside of it, where the bound fails."""

    predicate: Predicate
    outside: Callable[[Target], Case]

    @property
    def word(self) -> str:
        """The word for this relation in ledgers and pages."""
        return "restricted"


@dataclass(frozen=True)
class FailsInFloats:
    """The strict statement fails in floats: `witness` is the smallest case for a dtype. The weak form keeps `weak`."""

    witness: Callable[[Target], Case]
    weak: Exact | Budget

    @property
    def word(self) -> str:
        """The word for this relation in ledgers and pages."""
        return "fails in floats"

    def ratio(self, case: Case, gap: Gap) -> float:
        """Return how far the weak form is violated, over what is allowed of it."""
        return self.weak.ratio(case, gap)


@dataclass(frozen=True)
class Witness:
    """A counterexample: the case is the witness, and the amounts say by how much the false claim fails of failing.

    An amount of 0 means that the false claim is seen to fail, in floats and over ℝ.
    """

    @property
    def word(self) -> str:
        """The word for this relation in ledgers and pages."""
        return "witness"

    def ratio(self, _case: Case, gap: Gap) -> float:
        """Return 0 where the false claim fails, else infinity."""
        return math.inf if np.any(gap.largest != 0) else 0.0


@dataclass(frozen=True)
class Statistical(Budget):
    """A statement about random variables: exact over finite distributions, and by sampling within a bound."""

    @property
    def word(self) -> str:
        """The word for this relation in ledgers and pages."""
        return "statistical"


Relation = Exact | Budget | Restricted | FailsInFloats | Witness | Statistical


def budget_of(relation: Relation) -> Budget | None:
    """Return the budget that judges the amounts of a relation, or `None` where they must be exactly 0."""
    judge = relation.weak if isinstance(relation, FailsInFloats) else relation
    return judge if isinstance(judge, Budget) else None


Hypotheses = Mapping[str, Predicate]
