"""Cases of counterexamples: what each of the false claims is tried on.

* `Filled`, `Swapped`, `NoKey`, `OneKey`, `TwoHeads`, `HighScore`, `MovedQuery`, `Table`: the cases.

The strategies stand in `duizhao.strategies.refutations`.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from duizhao import exact
from duizhao.arrays import Array
from duizhao.strategies.case import Case
from duizhao.strategies.rows import Balls, TwoRows, floats_of


@dataclass(frozen=True)
class Filled(Case):
    """A finite `fill` in place of the score of the second of two keys, and the score of the first, which is allowed."""

    score: float
    fill: float

    @property
    def scores(self) -> Array:
        """The scores after filling, `(2,)`."""
        return self.target.array([self.score, self.fill])


@dataclass(frozen=True)
class Swapped(Case):
    """Equal scores `(2, 2)`, and two scalar values `(2,)`."""

    scores: Array
    values: Array

    @property
    def n(self) -> int:
        """The number of keys."""
        return 2

    @property
    def swapped(self) -> Array:
        """The values in the opposite order."""
        return self.target.array([float(self.values[1]), float(self.values[0])])

    @property
    def terms(self) -> float:
        """The sum of the magnitudes of the values."""
        return float(np.sum(floats_of(abs(exact.balls(self.values)))))


@dataclass(frozen=True)
class NoKey(Case):
    """Scores `(2,)` and scalar values `(2,)` of two keys, neither of which is allowed."""

    scores: Array
    values: Array

    @property
    def mask(self) -> Array:
        """The mask that keeps nothing, `(2,)`."""
        return self.target.xp.asarray([False, False])


@dataclass(frozen=True)
class OneKey(Case):
    """One query, key and value, and `other`, which comes after attention: a projection or a residual. All `(1, 1)`."""

    query: Array
    key: Array
    value: Array
    other: Array


@dataclass(frozen=True)
class TwoHeads(Case):
    """One query, key and value in each of two heads, `(2, 1, 1)`, and an output projection, `(2, 1)`."""

    query: Array
    key: Array
    value: Array
    projection: Array


@dataclass(frozen=True)
class HighScore(Case):
    """The coordinates of a query and of a key, `(n,)`, whose score is to pass `bound`."""

    coordinates: Array
    key_coordinates: Array
    bound: float

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return int(self.coordinates.shape[0])

    @property
    def query(self) -> Array:
        """The query, `(1, n)`."""
        return self.target.xp.reshape(self.coordinates, (1, self.n))

    @property
    def key(self) -> Array:
        """The key, `(1, n)`."""
        return self.target.xp.reshape(self.key_coordinates, (1, self.n))


@dataclass(frozen=True)
class MovedQuery(Case):
    """A query `(1, 1)`, two keys `(2, 1)`, and `moved`, the query with a vector added."""

    query: Array
    key: Array
    moved: Array

    @cached_property
    def rows(self) -> TwoRows:
        """The scores of the query and those of the moved one, which are floats."""
        rows = [[float(score) for score in exact.scores(query, self.key)[0]] for query in self._queries]
        return TwoRows(self.target, self.target.array(rows[0]), others=self.target.array(rows[1]))

    @property
    def _queries(self) -> tuple[Array, Array]:
        return self.query, self.moved


@dataclass(frozen=True)
class Table(Case):
    """A square table of numbers, `(2, 2)`: rows of weights, or scores of two queries."""

    entries: Array

    @property
    def n(self) -> int:
        """The number of columns."""
        return 2

    @cached_property
    def exact_entries(self) -> Balls:
        """The entries as exact numbers."""
        return exact.balls(self.entries)

    @property
    def transposed(self) -> Array:
        """The entries with rows and columns exchanged."""
        return self.target.xp.matrix_transpose(self.entries)

    @property
    def terms(self) -> NDArray[np.float64]:
        """The sum of the magnitudes of each row."""
        return floats_of(abs(self.exact_entries).sum(axis=1))
