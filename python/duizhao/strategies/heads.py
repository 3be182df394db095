"""Cases about several heads, and the facts that bounds are derived from."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from duizhao import exact
from duizhao.arrays import Array
from duizhao.rounding.attention import Scored
from duizhao.strategies.attending import scored_by, sizes
from duizhao.strategies.case import Case
from duizhao.strategies.rows import Balls

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Heads(Case):
    """Queries `(h, L, d)`, keys `(h, S, d)` and values `(h, S, e)`, and a head that the case singles out."""

    query: Array
    key: Array
    value: Array
    head: int = 0

    @property
    def n(self) -> int:
        """The number of keys."""
        return int(self.key.shape[1])

    @property
    def count(self) -> int:
        """The number of heads."""
        return int(self.query.shape[0])

    @property
    def own(self) -> slice:
        """The columns of the head among those of all heads, side by side."""
        width = int(self.value.shape[2])
        return slice(self.head * width, (self.head + 1) * width)

    @cached_property
    def scored(self) -> Scored:
        """What bounds know of the scores of every head."""
        return scored_by(self.query, self.key)

    @cached_property
    def value_size(self) -> Numbers:
        """The magnitudes of the values, `(h, S, e)`."""
        return sizes(self.value)


@dataclass(frozen=True)
class BoundedHeads(Heads):
    """Heads, and bounds `lower_bound` and `upper_bound`, `(e)`, on the values of one of them."""

    lower_bound: Array = None
    upper_bound: Array = None

    @cached_property
    def low(self) -> Balls:
        """The lower bounds as exact numbers."""
        return exact.balls(self.lower_bound)

    @cached_property
    def high(self) -> Balls:
        """The upper bounds as exact numbers."""
        return exact.balls(self.upper_bound)

    @cached_property
    def own_value(self) -> Balls:
        """The values of the head as exact numbers, `(S, e)`."""
        return np.asarray(exact.balls(self.value)[self.head])

    @property
    def magnitude(self) -> Numbers:
        """The largest magnitude of a value of the head, for each coordinate."""
        return np.asarray(self.value_size[self.head].max(axis=0))


@dataclass(frozen=True)
class OtherHeads(Heads):
    """Heads, and others that have one head in common with them."""

    other_query: Array = None
    other_key: Array = None
    other_value: Array = None

    def agrees(self, mine: Array, other: Array) -> bool:
        """Return whether two arrays of all heads agree in the head."""
        return bool(np.all(exact.balls(mine)[self.head] == exact.balls(other)[self.head]))


@dataclass(frozen=True)
class ProjectedHeads(Heads):
    """Heads, and an output projection `(h e, f)`."""

    projection: Numbers = None  # type: ignore[assignment]

    @property
    def matrix(self) -> Array:
        """The output projection as an array of the library."""
        return self.target.array(self.projection.tolist())

    @property
    def blocks(self) -> Balls:
        """The rows of the output projection for each head, as exact numbers, `(h, e, f)`."""
        return exact.balls(self.projection).reshape(self.count, -1, self.projection.shape[1])
