"""Cases about masked scores and the values behind them, and the facts that bounds are derived from."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import arb
from numpy.typing import NDArray

from duizhao import exact
from duizhao.arrays import Array
from duizhao.strategies.case import Case, Target
from duizhao.strategies.rows import Balls, ScoreRow, distances, floats_of, largest, reach_of

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]


def boolean(target: Target, flags: Mask) -> Array:
    """Return truth values as a boolean array of the target's library."""
    return target.xp.asarray(flags.tolist(), dtype=target.xp.bool)


@dataclass(frozen=True)
class MaskedRow(ScoreRow):
    """The scores of one query, `(keys,)`, and a mask, `(keys,)`, that is not 0 where a key is allowed.

    The case singles out a `key`, and a `second` one.
    """

    mask: Mask = None  # type: ignore[assignment]
    second: int = 0

    @property
    def keys(self) -> int:
        """The number of keys, allowed or not."""
        return int(self.scores.shape[0])

    @cached_property
    def allowed(self) -> Mask:
        """The mask as truth values of NumPy."""
        return np.asarray(np.asarray(self.mask) != 0)

    @property
    def keep(self) -> Array:
        """The mask as a boolean array of the library."""
        return boolean(self.target, self.allowed)

    @property
    def n(self) -> int:
        """The number of allowed keys, at least 1: all others have the weight 0, and adding 0 rounds nothing."""
        return max(1, int(self.allowed.sum()))

    @cached_property
    def true_weights(self) -> Balls:
        """Enclosures of the true masked weights."""
        return exact.masked_softmax(self.row, self.allowed)

    @property
    def reach(self) -> float:
        """The largest distance to the largest allowed score, among keys that do not underflow."""
        return reach_among(self.row, self.allowed, self.target)

    @property
    def full_reach(self) -> float:
        """The same, with all keys allowed."""
        return reach_of(self.row, self.target.arithmetic)


def reach_among(row: Balls, allowed: Mask, target: Target) -> float:
    """Return the reach of the allowed scores; 0 if there is none."""
    return reach_of(row[allowed], target.arithmetic) if allowed.any() else 0.0


@dataclass(frozen=True)
class MaskedRows(MaskedRow):
    """A masked row, and `others`: other scores under the same mask."""

    others: Array = None

    @cached_property
    def other_row(self) -> Balls:
        """The second row as exact numbers."""
        return exact.balls(self.others)


@dataclass(frozen=True)
class MaskedShift(MaskedRows):
    """A masked row, and `others`: the same with `constant` added to every score, rounded."""

    constant: float = 0.0

    @property
    def perturbation(self) -> float:
        """How far the rounded sums of allowed scores are from the exact ones."""
        return distances((self.row + arb(self.constant))[self.allowed], self.other_row[self.allowed])

    @property
    def reach(self) -> float:
        """The larger reach of the two rows."""
        rows = (self.row, self.other_row)
        return max(reach_among(row, self.allowed, self.target) for row in rows)


@dataclass(frozen=True)
class Widened(MaskedRow):
    """A masked row that is read again with `second` allowed too."""

    @property
    def n(self) -> int:
        """The number of allowed keys, with the one more."""
        return int(self.wider.sum())

    @property
    def wider(self) -> Mask:
        """The mask with `second` allowed too."""
        return np.asarray(self.allowed | (np.arange(self.keys) == self.second))

    @property
    def keep_wider(self) -> Array:
        """The wider mask as a boolean array of the library."""
        return boolean(self.target, self.wider)

    @property
    def weight(self) -> Vector:
        """The true weight of the key under the narrower mask."""
        return floats_of(self.true_weights[self.key])

    @property
    def other_weight(self) -> Vector:
        """The true weight of the key under the wider mask."""
        return floats_of(exact.masked_softmax(self.row, self.wider)[self.key])

    @property
    def other_reach(self) -> float:
        """The reach under the wider mask."""
        return reach_among(self.row, self.wider, self.target)


@dataclass(frozen=True)
class Filled(ScoreRow):
    """Scores that are all replaced by `fill`, since no key is allowed."""

    fill: float = 0.0

    @property
    def filled(self) -> Array:
        """The fill, once for each key."""
        return self.target.array([self.fill] * self.n)


@dataclass(frozen=True)
class Falling(MaskedRow):
    """A masked row, and `fills`: ever lower scores in place of those that are not allowed."""

    fills: tuple[float, ...] = ()

    @cached_property
    def filled(self) -> list[Array]:
        """For each fill, the scores with it in place of those that are not allowed."""
        row = [float(score) for score in self.row]
        kept = self.allowed.tolist()
        return [
            self.target.array([score if keep else fill for score, keep in zip(row, kept, strict=True)])
            for fill in self.fills
        ]

    @cached_property
    def true_filled(self) -> Balls:
        """Enclosures of the true weights of the filled rows, `(fills, keys)`."""
        return exact.softmax(np.asarray([exact.balls(row) for row in self.filled], dtype=object))

    @property
    def true_distances(self) -> Balls:
        """How far the true weights of the filled rows are from the true masked weights, `(fills, keys)`."""
        return np.asarray(abs(self.true_filled - self.true_weights), dtype=object)

    @property
    def filled_weight(self) -> Vector:
        """The true weights of the filled rows as floats, rounded up."""
        return floats_of(self.true_filled)

    @property
    def filled_reach(self) -> float:
        """The largest reach of a filled row."""
        return max(reach_of(exact.balls(row), self.target.arithmetic) for row in self.filled)


@dataclass(frozen=True)
class MaskedRead(MaskedRow):
    """A masked row, and values `(keys, width)`; directions `(k, width)` in which a hull is looked at."""

    values: Array = None
    directions: Vector = None  # type: ignore[assignment]

    @cached_property
    def exact_values(self) -> Balls:
        """The values as exact numbers."""
        return exact.balls(self.values)

    @property
    def true_output(self) -> Balls:
        """An enclosure of the true output."""
        return exact.read(self.true_weights, self.exact_values)

    @property
    def own_scores(self) -> Array:
        """The scores of the allowed keys alone."""
        return self.target.array([float(score) for score in self.row[self.allowed]])

    @property
    def own_values(self) -> Array:
        """The values of the allowed keys alone."""
        own = self.exact_values[self.allowed]
        return self.target.array([[float(entry) for entry in value] for value in own])

    @property
    def magnitude(self) -> Vector:
        """The largest magnitude of an allowed value, for each coordinate."""
        return np.asarray(floats_of(abs(self.exact_values[self.allowed])).max(axis=0, initial=0.0))

    @property
    def terms(self) -> Vector:
        """The sum of the magnitudes of true weight times value, for each coordinate."""
        return floats_of(self.true_weights @ abs(self.exact_values))


@dataclass(frozen=True)
class MaskedReads(MaskedRead):
    """Two masked reads under one mask: `others` are the second scores, `other_values` the second values."""

    others: Array = None
    other_values: Array = None


@dataclass(frozen=True)
class SplitRead(MaskedRead):
    """A read over two blocks of keys: those that `mask` allows and those that `other_mask` allows."""

    other_mask: Mask = None  # type: ignore[assignment]

    @cached_property
    def blocks(self) -> tuple[Mask, Mask]:
        """The two blocks as truth values."""
        return np.asarray(self.mask) != 0, np.asarray(self.other_mask) != 0

    @property
    def keeps(self) -> tuple[Array, Array]:
        """The two blocks as boolean arrays of the library."""
        return boolean(self.target, self.blocks[0]), boolean(self.target, self.blocks[1])

    @cached_property
    def allowed(self) -> Mask:
        """Both blocks together as truth values."""
        return self.blocks[0] | self.blocks[1]

    @property
    def log_sums(self) -> Balls:
        """The logarithm of each block's sum of exponentials; 0 for a block without keys, as in Lean."""
        return np.asarray([log_sum(self.row[block]) for block in self.blocks], dtype=object)


def log_sum(row: Balls) -> arb:
    """Return the logarithm of the sum of the exponentials of scores; 0 if there are none, as in Lean."""
    if not row.size:
        return arb(0)
    shift = largest(row)
    return shift + sum(((score - shift).exp() for score in row), arb(0)).log()


@dataclass(frozen=True)
class CausalScores(Case):
    """Scores of a sequence with itself, `(length, length)`, a `position` that reads, and a `key`."""

    scores: Array
    position: int = 0
    key: int = 0

    @property
    def length(self) -> int:
        """The number of positions."""
        return int(self.scores.shape[0])

    @property
    def n(self) -> int:
        """The number of keys that the position may read."""
        return self.position + 1

    @cached_property
    def row(self) -> Balls:
        """The scores that the position may read, as exact numbers."""
        return np.asarray(exact.balls(self.scores)[self.position, : self.n])

    @cached_property
    def true_weights(self) -> Balls:
        """Enclosures of the true weights of the keys that the position may read."""
        return exact.softmax(self.row)

    @property
    def reach(self) -> float:
        """The largest distance to the largest score, among keys that the position may read and do not underflow."""
        return reach_of(self.row, self.target.arithmetic)


@dataclass(frozen=True)
class CausalReads(CausalScores):
    """Two causal reads: scores and values `(length, width)`, and `others` and `other_values`."""

    values: Array = None
    others: Array = None
    other_values: Array = None
