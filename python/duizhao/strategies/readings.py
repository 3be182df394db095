"""Cases about weights with values, and the facts that bounds are derived from."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from duizhao import exact
from duizhao.arrays import Array
from duizhao.strategies.case import Case
from duizhao.strategies.rows import Balls, TwoRows, floats_of, largest

Vector = NDArray[np.float64]


class Weighed(Case):
    """Weights `(n,)` and values `(n, width)`, which are fields or follow from fields."""

    @property
    def weights(self) -> Array:
        """The weights; each kind of case says what they are."""
        raise AttributeError(f"{type(self).__name__} has no weights")

    @property
    def values(self) -> Array:
        """The values; each kind of case says what they are."""
        raise AttributeError(f"{type(self).__name__} has no values")

    @property
    def n(self) -> int:
        """The number of keys."""
        return int(self.weights.shape[0])

    @property
    def width(self) -> int:
        """The number of coordinates of a value."""
        return int(self.values.shape[1])

    @cached_property
    def exact_weights(self) -> Balls:
        """The weights as exact numbers."""
        return exact.balls(self.weights)

    @cached_property
    def exact_values(self) -> Balls:
        """The values as exact numbers."""
        return exact.balls(self.values)

    @property
    def excess(self) -> float:
        """The distance of the weights' sum from 1."""
        return exact.upper(abs(self.exact_weights.sum() - 1))

    @property
    def magnitude(self) -> Vector:
        """The largest magnitude of a value, for each coordinate."""
        return np.asarray(floats_of(abs(self.exact_values)).max(axis=0))

    @property
    def terms(self) -> Vector:
        """The sum of the magnitudes of weight times value, for each coordinate."""
        return floats_of(abs(self.exact_weights) @ abs(self.exact_values))


@dataclass(frozen=True)
class Reading(Weighed):
    """Weights `(n,)`, values `(n, width)`, and a key that the case singles out."""

    weights: Array = None
    values: Array = None
    key: int = 0


@dataclass(frozen=True)
class Between(Reading):
    """A read of values between the bounds `lower_bound` and `upper_bound`, `(width,)`. `second` is another key."""

    lower_bound: Array = None
    upper_bound: Array = None
    second: int = 0

    @cached_property
    def low(self) -> Balls:
        """The lower bounds as exact numbers."""
        return exact.balls(self.lower_bound)

    @cached_property
    def high(self) -> Balls:
        """The upper bounds as exact numbers."""
        return exact.balls(self.upper_bound)


@dataclass(frozen=True)
class TwoScalars(Weighed):
    """Two scalar values `u`, `v` with the weights `w` and `1 - w`, the second one rounded."""

    first: float
    second: float
    weight: float

    @cached_property
    def weights(self) -> Array:
        """The weights `w` and `1 - w`, the second one rounded."""
        return self.target.array([self.weight, self.target.rounded(1 - self.weight)])

    @cached_property
    def values(self) -> Array:
        """The values `u` and `v`, `(2, 1)`."""
        return self.target.array([[self.first], [self.second]])

    @property
    def told(self) -> dict[str, float]:
        """The numbers by the theorem's names."""
        return {"u": self.first, "v": self.second, "w": self.weight}


@dataclass(frozen=True)
class Directed(Reading):
    """A read, and directions `(k, width)` in which the convex hull is looked at."""

    directions: Vector = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Sets(Between):
    """A read of values in a box, in a ball, and in a half-space `direction · x ≤ offset`.

    With `inverted`, everything outside of the open ball takes the place of the ball.
    """

    middle: Vector = None  # type: ignore[assignment]
    radius: float = 0.0
    inverted: bool = False
    direction: Vector = None  # type: ignore[assignment]
    offset: float = 0.0

    @property
    def centre(self) -> Balls:
        """The centre of the ball as exact numbers."""
        return exact.balls(self.middle)

    @property
    def exact_direction(self) -> Balls:
        """The direction as exact numbers."""
        return exact.balls(self.direction)


@dataclass(frozen=True)
class Decided(Reading):
    """A read of values within `diameter` of that of `key`: in the largest-coordinate and in the Euclidean norm."""

    diameter: Vector = None  # type: ignore[assignment]

    @property
    def own(self) -> Vector:
        """The norms of the value of the key."""
        return floats_of(largest_norms(self.exact_values[self.key][None, :]))


@dataclass(frozen=True)
class Reweighted(Reading):
    """A read of one value, repeated, with a second set of weights."""

    other_weights: Array = None

    @property
    def other_excess(self) -> float:
        """The distance of the second weights' sum from 1."""
        return exact.upper(abs(exact.balls(self.other_weights).sum() - 1))


@dataclass(frozen=True)
class Moved(Reading):
    """A read, and `others`: the values moved. `constant` was added, rounded, to all of them or to that of `key`."""

    others: Array = None
    constant: Vector = None  # type: ignore[assignment]

    @cached_property
    def exact_others(self) -> Balls:
        """The moved values as exact numbers."""
        return exact.balls(self.others)

    @property
    def other_terms(self) -> Vector:
        """The sum of the magnitudes of weight times moved value, for each coordinate."""
        return floats_of(abs(self.exact_weights) @ abs(self.exact_others))

    @property
    def weight_of_key(self) -> float:
        """The weight of the key that the case singles out."""
        return float(self.weights[self.key])

    @property
    def exact_constant(self) -> Balls:
        """The constant as exact numbers."""
        return exact.balls(self.constant)

    @property
    def perturbation(self) -> Vector:
        """How far the rounded sums are from the exact ones, for each coordinate."""
        moved = self.exact_values + self.exact_constant
        off = floats_of(abs(self.exact_others - moved))
        return np.asarray(off[self.key] if isinstance(self, Updated) else off.max(axis=0))


@dataclass(frozen=True)
class Stepped(Moved):
    """A read, and values moved by at most `epsilon`: in the largest-coordinate and in the Euclidean norm."""

    epsilon: Vector = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Updated(Moved):
    """A read, and the same with `constant` added, rounded, to the value of `key` alone."""


@dataclass(frozen=True)
class Projected(Directed):
    """A read, a linear projection `(width, columns)`, and `others`: the values projected, rounded.

    The directions are those of the projected space.
    """

    projection: Vector = None  # type: ignore[assignment]
    others: Array = None

    @property
    def exact_projection(self) -> Balls:
        """The projection as exact numbers."""
        return exact.balls(self.projection)

    @property
    def other_terms(self) -> Vector:
        """The sum of the magnitudes of weight times projected value, for each column."""
        return floats_of(abs(self.exact_weights) @ abs(exact.balls(self.others)))

    @property
    def products(self) -> Vector:
        """The largest sum of magnitudes of products in a projected value, for each column."""
        return np.asarray(floats_of(abs(self.exact_values) @ abs(self.exact_projection)).max(axis=0))


@dataclass(frozen=True)
class Residual(Directed):
    """A read, and `residual`, a vector to which the output is added."""

    residual: Vector = None  # type: ignore[assignment]


@dataclass(frozen=True)
class TwoValueReads(TwoRows):
    """Two rows of two scores, and two scalar values `(2,)`."""

    values: Array = None

    @cached_property
    def exact_values(self) -> Balls:
        """The values as exact numbers."""
        return exact.balls(self.values)

    @property
    def value_magnitudes(self) -> Vector:
        """The magnitudes of the two values."""
        return floats_of(abs(self.exact_values))


def largest_norms(vectors: Balls) -> Balls:
    """Return the largest norm of a row: in the largest-coordinate norm, then in the Euclidean norm."""
    euclidean = [(row @ row).sqrt() for row in vectors]
    return np.asarray([largest(abs(vectors)), largest(euclidean)], dtype=object)
