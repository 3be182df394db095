"""Cases about rounding: relative errors as they are assumed, and numbers on which real ones are made."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duizhao.arrays import Array
from duizhao.rounding import accumulated
from duizhao.strategies.case import Case
from duizhao.strategies.readings import Reading
from duizhao.strategies.rows import ScoreRow

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Factors(Case):
    """Relative errors `deltas`, `(k,)`, each at most `bound`; and numbers `(k + 1,)` to be multiplied."""

    deltas: Vector
    bound: float
    numbers: Array

    @property
    def k(self) -> int:
        """The number of roundings."""
        return int(self.deltas.shape[0])


@dataclass(frozen=True)
class Power(Case):
    """A number `k` of roundings of at most `bound` each."""

    k: int
    bound: float


@dataclass(frozen=True)
class RoundedReading(Reading):
    """A read of scalar values `(n, 1)`, and a relative error `thetas`, `(n,)`, of each term, at most `bound`."""

    thetas: Vector = None  # type: ignore[assignment]
    bound: float = 0.0

    @property
    def as_computed(self) -> bool:
        """Whether the terms err by no more than those of a computed read."""
        return self.bound <= accumulated(self.u, self.n, self.accumulator)


@dataclass(frozen=True)
class RoundedAverage(RoundedReading):
    """The same, with bounds: `low` and `high` on values, `size` on both of them, `epsilon` on the weights' excess."""

    low: float = 0.0
    high: float = 0.0
    size: float = 0.0
    epsilon: float = 0.0


@dataclass(frozen=True)
class RoundedWeights(ScoreRow):
    """Scores, and relative errors: `alphas` and `zetas`, `(n,)`, of exponentials and divisions, and `eta` of the sum.

    They are at most `a`, `division` and `b`.
    """

    alphas: Vector = None  # type: ignore[assignment]
    zetas: Vector = None  # type: ignore[assignment]
    eta: float = 0.0
    a: float = 0.0
    b: float = 0.0
    division: float = 0.0

    @property
    def as_computed(self) -> bool:
        """Whether the sum and the divisions err by no more than those of computed weights."""
        return self.b <= accumulated(self.u, self.n - 1, self.accumulator) and self.division <= self.u
