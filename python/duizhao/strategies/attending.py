"""Cases about attention, and the facts that bounds are derived from."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao import exact
from duizhao.arrays import Array
from duizhao.mask import causal_mask
from duizhao.rounding.attention import Scored, projection_error
from duizhao.strategies.case import Case
from duizhao.strategies.rows import Balls, floats_of, largest, smallest

Numbers = NDArray[np.float64]


def sizes(array: Any) -> Numbers:
    """Return the magnitudes of numbers as floats."""
    return floats_of(abs(exact.balls(array)))


def scored_by(
    query: Any, key: Any, query_error: Numbers | float = 0.0, key_error: Numbers | float = 0.0
) -> Scored:
    """Return what bounds know of the scores of true queries `(..., L, d)` and keys `(..., S, d)`.

    The queries and keys that are used may be off by `query_error` and `key_error`.
    """
    queries, keys = exact.balls(query), exact.balls(key)
    width = int(queries.shape[-1])
    scale = 1 / math.sqrt(width)
    scores = exact.scores(queries, keys)
    flat = scores.reshape(-1, scores.shape[-1])
    spread = floats_of([largest(row) - smallest(row) for row in flat]).reshape(scores.shape[:-1])
    left, right = scale * sizes(queries), sizes(keys)
    left_error, right_error = scale * (query_error + 0 * left), key_error + 0 * right
    left_used, right_used = left + left_error, right + right_error

    def product(first: Numbers, second: Numbers) -> Numbers:
        return first @ np.swapaxes(second, -1, -2)

    return Scored(
        weight=np.minimum(floats_of(exact.softmax(scores)), 1.0),
        products=product(left_used, right_used),
        sizes=left_used.sum(axis=-1)[..., :, None] + right_used.sum(axis=-1)[..., None, :],
        spread=spread,
        perturbation=product(left_used, right_error) + product(left_error, right),
        width=width,
    )


@dataclass(frozen=True)
class Attending(Case):
    """Queries `(L, d)`, keys `(S, d)` and values `(S, e)`, and a query that the case singles out."""

    query: Array
    key: Array
    value: Array
    row: int = 0

    @property
    def n(self) -> int:
        """The number of keys."""
        return int(self.key.shape[0])

    @property
    def columns(self) -> int:
        """The number of coordinates of a value."""
        return int(self.value.shape[1])

    @cached_property
    def scored(self) -> Scored:
        """What bounds know of the scores."""
        return scored_by(self.query, self.key)

    @cached_property
    def exact_value(self) -> Balls:
        """The values as exact numbers."""
        return exact.balls(self.value)

    @cached_property
    def value_size(self) -> Numbers:
        """The magnitudes of the values, `(S, e)`."""
        return floats_of(abs(self.exact_value))

    @property
    def magnitude(self) -> Numbers:
        """The largest magnitude of a value, for each coordinate."""
        return np.asarray(self.value_size.max(axis=0))


@dataclass(frozen=True)
class Bounded(Attending):
    """Attention to values between the bounds `lower_bound` and `upper_bound`, `(e)`."""

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


@dataclass(frozen=True)
class Twice(Bounded):
    """Attention, and a second layer over its outputs: queries `(p, d')` and keys `(L, d')`."""

    second_query: Array = None
    second_key: Array = None

    @property
    def other_n(self) -> int:
        """The number of keys of the second layer."""
        return int(self.second_key.shape[0])


@dataclass(frozen=True)
class Averaged(Bounded):
    """Attention, and a column `(e, 1)` of an output projection; the bounds `(1)` are those of all values."""

    projection: Array = None

    @cached_property
    def exact_column(self) -> Balls:
        """The column as exact numbers, `(e)`."""
        return exact.balls(self.projection)[:, 0]

    @property
    def column(self) -> Numbers:
        """The magnitudes of the column, `(e)`."""
        return floats_of(abs(self.exact_column))

    @property
    def column_excess(self) -> float:
        """The distance of the column's sum from 1."""
        return exact.upper(abs(self.exact_column.sum() - 1))


@dataclass(frozen=True)
class Directed(Attending):
    """Attention, and directions `(k, e)` in which the convex hull is looked at."""

    directions: Numbers = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Masked(Directed):
    """Attention of which query `i` may read the keys where `allowed`, `(L, S)`, is true."""

    allowed: NDArray[np.bool_] = None  # type: ignore[assignment]

    @property
    def mask(self) -> Array:
        """The mask as an array of the library."""
        xp = self.target.xp
        return xp.asarray(self.allowed.tolist(), dtype=xp.bool)

    @property
    def readable(self) -> Balls:
        """The exact values that the query may read, `(keys, e)`."""
        return np.asarray(self.exact_value[self.allowed[self.row]])

    @property
    def magnitude(self) -> Numbers:
        """The largest magnitude of a value that the query may read, for each coordinate."""
        return np.asarray(self.value_size[self.allowed[self.row]].max(axis=0, initial=0.0))


@dataclass(frozen=True)
class Compared(Attending):
    """Attention, and a key with whose weight those of all keys are compared."""

    second: int = 0


@dataclass(frozen=True)
class MovedKeys(Attending):
    """Attention, and `others`, `(S, d)`: the keys with `constant`, `(d)`, added to each, rounded."""

    others: Array = None
    constant: Numbers = None  # type: ignore[assignment]

    @cached_property
    def other_scored(self) -> Scored:
        """What bounds know of the scores of the moved keys."""
        return scored_by(self.query, self.others)

    @property
    def movement(self) -> Numbers:
        """How far the true scores of the moved keys are from moving by a constant, `(L, S)`."""
        meant = exact.balls(self.key) + exact.balls(self.constant)
        off = floats_of(abs(exact.balls(self.others) - meant))
        return np.asarray(sizes(self.query) @ off.T / math.sqrt(off.shape[1]))


@dataclass(frozen=True)
class MovedValues(Attending):
    """Attention, and `others`, `(S, e)`: the values with `constant`, `(e)`, added to each, rounded."""

    others: Array = None
    constant: Numbers = None  # type: ignore[assignment]

    @property
    def other_value_size(self) -> Numbers:
        """The magnitudes of the moved values."""
        return sizes(self.others)

    @property
    def perturbation(self) -> Numbers:
        """How far the rounded sums are from the exact ones, for each coordinate."""
        meant = self.exact_value + exact.balls(self.constant)
        return np.asarray(floats_of(abs(exact.balls(self.others) - meant)).max(axis=0))


@dataclass(frozen=True)
class Projected(Attending):
    """Attention, a projection `(e, f)`, and `others`, `(S, f)`: the values projected, rounded."""

    projection: Numbers = None  # type: ignore[assignment]
    others: Array = None

    @property
    def other_value_size(self) -> Numbers:
        """The magnitudes of the projected values."""
        return sizes(self.others)


@dataclass(frozen=True)
class Reordered(Attending):
    """Attention, and an order in which its keys, or its queries, are taken."""

    order: tuple[int, ...] = ()


@dataclass(frozen=True)
class SelfAttending(Case):
    """Input rows `(S, a)`, projections to queries, keys `(a, d)` and values `(a, e)`, and an order of the rows."""

    inputs: Array
    query_projection: Array
    key_projection: Array
    value_projection: Array
    order: tuple[int, ...] = ()

    @property
    def n(self) -> int:
        """The number of rows."""
        return int(self.inputs.shape[0])

    def projected(self, inputs: Array) -> tuple[Array, Array, Array]:
        """Return the queries, keys and values of input rows, computed."""
        return (
            inputs @ self.query_projection,
            inputs @ self.key_projection,
            inputs @ self.value_projection,
        )

    def _exact(self, projection: Array) -> tuple[Balls, Numbers]:
        """Return exactly projected rows, and how far computed ones are from them."""
        rows, matrix = exact.balls(self.inputs), exact.balls(projection)
        error = projection_error(
            self.u, floats_of(abs(rows)), floats_of(abs(matrix)), self.tiny, self.accumulator
        )
        return rows @ matrix, error

    @cached_property
    def scored(self) -> Scored:
        """What bounds know of the scores of exactly projected rows, and of computed ones."""
        query, query_error = self._exact(self.query_projection)
        key, key_error = self._exact(self.key_projection)
        return scored_by(query, key, query_error, key_error)

    @cached_property
    def _exact_value(self) -> tuple[Balls, Numbers]:
        return self._exact(self.value_projection)

    @property
    def value_size(self) -> Numbers:
        """The magnitudes of exactly projected values."""
        return floats_of(abs(self._exact_value[0]))

    @property
    def value_error(self) -> Numbers:
        """How far computed values are from exactly projected ones."""
        return self._exact_value[1]


@dataclass(frozen=True)
class Later(SelfAttending):
    """Input rows, and `others`: the same up to `row`, and any rows after it."""

    others: Array = None
    row: int = 0

    @property
    def causal(self) -> Array:
        """The mask under which no row reads a later one."""
        return causal_mask(self.n, xp=self.target.xp)
