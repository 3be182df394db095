"""Cases about rows of scores, one query each, and the facts that bounds are derived from."""

import math
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from duizhao import exact
from duizhao.arrays import Array
from duizhao.rounding import Arithmetic
from duizhao.strategies.case import Case

Balls = NDArray[np.object_]


def largest(balls: Any) -> arb:
    """Return the largest of balls."""
    return arb(reduce(arb.max, np.ravel(np.asarray(balls, dtype=object))))


def smallest(balls: Any) -> arb:
    """Return the smallest of balls."""
    return arb(reduce(arb.min, np.ravel(np.asarray(balls, dtype=object))))


def spread(row: Balls) -> Balls:
    """Return, for each score of a row, its exact distance to the largest one."""
    return np.asarray(largest(row) - row, dtype=object)


def reach_of(row: Balls, arithmetic: Arithmetic) -> float:
    """Return the largest distance to the largest score among keys whose exponential can be more than an underflow."""
    return min(exact.upper(largest(spread(row))), -math.log(arithmetic.tiny))


def safe_reach(arithmetic: Arithmetic, n: int) -> float:
    """Return a distance to the largest of `n` scores within which no exponential and no weight underflows."""
    return -math.log(arithmetic.smallest_normal) - math.log(n) - 1


def floats_of(balls: Any) -> NDArray[np.float64]:
    """Return upper bounds of balls as an array of Python floats."""
    array = np.asarray(balls, dtype=object)
    return np.asarray([exact.upper(ball) for ball in array.ravel()], dtype=np.float64).reshape(array.shape)


def distances(first: Balls, second: Balls) -> float:
    """Return the largest exact distance of two rows, rounded up."""
    return float(np.max(floats_of(abs(first - second)), initial=0.0))


@dataclass(frozen=True)
class ScoreRow(Case):
    """The scores of one query, `(n,)`, and a key that the case singles out."""

    scores: Array
    key: int = 0

    @property
    def n(self) -> int:
        """The number of keys."""
        return int(self.scores.shape[0])

    @cached_property
    def row(self) -> Balls:
        """The scores as exact numbers."""
        return exact.balls(self.scores)

    @cached_property
    def true_weights(self) -> Balls:
        """Enclosures of the true softmax weights."""
        return exact.softmax(self.row)

    @property
    def weight(self) -> NDArray[np.float64]:
        """The true weights as floats, rounded up."""
        return floats_of(self.true_weights)

    @property
    def reach(self) -> float:
        """The largest distance to the largest score, among keys that do not underflow."""
        return reach_of(self.row, self.target.arithmetic)


class Compared(ScoreRow):
    """Two rows of scores over the same keys; the second one is a field or follows from fields."""

    @property
    def others(self) -> Array:
        """The second row; each kind of case says what it is."""
        raise AttributeError(f"{type(self).__name__} has no second row")

    @cached_property
    def other_row(self) -> Balls:
        """The second row as exact numbers."""
        return exact.balls(self.others)

    @cached_property
    def other_true_weights(self) -> Balls:
        """Enclosures of the true softmax weights of the second row."""
        return exact.softmax(self.other_row)

    @property
    def other_weight(self) -> NDArray[np.float64]:
        """The true weights of the second row as floats, rounded up."""
        return floats_of(self.other_true_weights)

    @property
    def other_reach(self) -> float:
        """The largest distance to the largest score of the second row, among keys that do not underflow."""
        return reach_of(self.other_row, self.target.arithmetic)


@dataclass(frozen=True)
class TwoRows(Compared):
    """Two rows of scores over the same keys: what was done to `scores` gave `others`."""

    others: Array = None


@dataclass(frozen=True)
class Shifted(TwoRows):
    """A row, and `others`: the same with `constant` added to every score, rounded."""

    constant: float = 0.0

    @property
    def perturbation(self) -> float:
        """How far the rounded sums are from the exact ones."""
        return distances(self.row + arb(self.constant), self.other_row)


@dataclass(frozen=True)
class Biased(TwoRows):
    """A row, and `others`: the same with `bias` added, one number for each key, rounded."""

    bias: Array = None

    @cached_property
    def exact_bias(self) -> Balls:
        """The bias as exact numbers."""
        return exact.balls(self.bias)

    @property
    def perturbation(self) -> float:
        """How far the rounded sums are from the exact ones."""
        return distances(self.row + self.exact_bias, self.other_row)

    @property
    def amplification(self) -> float:
        """The largest exponential of the bias over the sum of the weights times it."""
        grown = np.asarray([ball.exp() for ball in self.exact_bias], dtype=object)
        return exact.upper(largest(grown) / (self.true_weights * grown).sum())


@dataclass(frozen=True)
class Scaled(TwoRows):
    """A row, and `others`: the same times `scale`, rounded. `key` and `second` have different scores."""

    scale: float = 1.0
    second: int = 0

    @property
    def products(self) -> float:
        """The sum of the magnitudes of the two exact products."""
        return exact.upper(arb(abs(self.scale)) * (abs(self.row[self.key]) + abs(self.row[self.second])))

    @property
    def distance(self) -> float:
        """The exact distance of the two scores, rounded down."""
        return exact.lower(abs(self.row[self.key] - self.row[self.second]))


@dataclass(frozen=True)
class Permuted(ScoreRow):
    """A row of scores, and an order in which its keys are taken."""

    order: tuple[int, ...] = ()


@dataclass(frozen=True)
class Raised(Compared):
    """A row, and the same with the score of `key` replaced by `raised_to`. `second` is another key."""

    raised_to: float = 0.0
    second: int = 0

    @cached_property
    def others(self) -> Array:
        """The scores with that of `key` replaced."""
        row = [float(score) for score in self.row]
        return self.target.array([*row[: self.key], self.raised_to, *row[self.key + 1 :]])


@dataclass(frozen=True)
class Near(TwoRows):
    """Two rows that differ by at most `epsilon` at every key."""

    epsilon: float = 0.0


@dataclass(frozen=True)
class Lead(ScoreRow):
    """A row in which `key` scores at least `lead` above every other key."""

    lead: float = 0.0


@dataclass(frozen=True)
class Bounded(ScoreRow):
    """A row in which `key` scores at most `bound` above each of the keys."""

    bound: float = 0.0
