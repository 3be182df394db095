"""Cases about keys in blocks and about states of blocks, and the facts that bounds are derived from."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import arb
from numpy.typing import NDArray

from duizhao import exact
from duizhao.arrays import Array
from duizhao.blockwise import OnlineState
from duizhao.strategies.case import Case
from duizhao.strategies.rows import Balls, ScoreRow, floats_of

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Blocks(ScoreRow):
    """Scores `(n,)`, values `(n, width)`, and blocks of keys that are read in turn, each with a shift, `(blocks,)`.

    `members`, `(blocks, n)`, is not 0 where a block holds a key. An empty block may have the shift minus infinity.
    """

    values: Array = None
    members: Vector = None  # type: ignore[assignment]
    shifts: Vector = None  # type: ignore[assignment]

    @cached_property
    def exact_values(self) -> Balls:
        """The values as exact numbers."""
        return exact.balls(self.values)

    @property
    def union(self) -> NDArray[np.bool_]:
        """Which keys are in some block, `(n,)`."""
        return np.asarray(np.any(self.members != 0, axis=0))

    def mask(self, index: int) -> Array:
        """Return which keys a block holds, `(n,)`, as an array of the library."""
        xp = self.target.xp
        return xp.asarray((self.members[index] != 0).tolist(), dtype=xp.bool)

    @cached_property
    def largest_scores(self) -> Vector:
        """The largest score of each block; minus infinity for an empty one."""
        row = floats_of(self.row)
        return np.asarray(np.max(np.where(self.members != 0, row, -np.inf), axis=1))

    @property
    def own(self) -> bool:
        """Whether the shift of every block is its largest score."""
        return bool(np.all(self.shifts == self.largest_scores))

    def shift(self, index: int) -> Array | None:
        """Return the shift of a block as it is asked for: none where it is the largest score anyway."""
        own = self.shifts[index] == self.largest_scores[index]
        return None if own else self.target.array(float(self.shifts[index]))

    @property
    def block(self) -> int:
        """The number of keys in the largest block."""
        return int(np.max((self.members != 0).sum(axis=1)))

    @property
    def merges(self) -> int:
        """The number of merges."""
        return len(self.members) - 1

    @property
    def depth(self) -> int:
        """How many merges a key's block goes through at most, if the blocks are read in turn."""
        return self.merges

    @property
    def distance(self) -> float:
        """The largest sum of the magnitudes of the differences through which an exponential goes, in some block."""
        top = float(np.max(self.shifts))
        found = [0.0]
        for held, shift in zip(self.members != 0, self.shifts, strict=True):
            rows = floats_of(abs(self.row[held] - shift)) if held.any() else np.zeros(0)
            found += [float(number) + (top - float(shift)) for number in rows]
        return max(found)

    @property
    def reach(self) -> float:
        """The same, among keys whose exponential can be more than an underflow."""
        return min(self.distance, -math.log(self.tiny))

    @property
    def exponents(self) -> float:
        """A third of the exponents of normal numbers, as a natural logarithm."""
        return -math.log(self.target.arithmetic.smallest_normal) / 3

    @property
    def perturbation(self) -> float:
        """How far the scores are from those of the theorem."""
        return 0.0

    @cached_property
    def true_weights(self) -> Balls:
        """Enclosures of the true weights: softmax among the keys of the union."""
        return exact.masked_softmax(self.row, self.union)

    @cached_property
    def value_magnitudes(self) -> Vector:
        """The magnitudes of the values of the union, 0 elsewhere, `(n, width)`."""
        return np.where(self.union[:, None], floats_of(abs(self.exact_values)), 0.0)

    @cached_property
    def true_output(self) -> Balls:
        """The enclosed masked attention over the union, `(width,)`."""
        return exact.read(self.true_weights, self.exact_values)

    @cached_property
    def true_state(self) -> exact.OnlineState:
        """The enclosed state of the union, with the largest shift."""
        return self.state_of(self.exact_values)

    def state_of(self, values: Balls) -> exact.OnlineState:
        """Return the enclosed state of the union, with the largest shift, for other values."""
        return exact.of_block(self.row, values, mask=self.union, shift=np.max(self.shifts))

    @property
    def state_terms(self) -> Vector:
        """The exact sum of the exponentials, and of their products with the values' magnitudes; no more than is finite."""
        state = self.state_of(abs(self.exact_values))
        terms = np.concatenate([floats_of(state.sum).ravel(), floats_of(state.acc).ravel()])
        return np.asarray(np.minimum(terms, self.target.arithmetic.largest))

    @property
    def state_magnitudes(self) -> Vector:
        """The number of keys of the union, and the sum of the magnitudes of their values."""
        return np.concatenate([[float(self.union.sum())], self.value_magnitudes.sum(axis=0)])


@dataclass(frozen=True)
class States(Case):
    """States with the shifts `shifts`, `(k,)`, the sums `sums`, `(k,)`, and the outputs `accs`, `(k, width)`."""

    shifts: Array
    sums: Array
    accs: Array

    def state(self, index: int) -> OnlineState:
        """Return one of the states."""
        return OnlineState(self.shifts[index], self.sums[index], self.accs[index, :])

    @cached_property
    def entries(self) -> Balls:
        """The sum and the coordinates of `acc` of each state, `(k, 1 + width)`."""
        return np.concatenate([exact.balls(self.sums)[:, None], exact.balls(self.accs)], axis=1)

    @cached_property
    def known_shifts(self) -> Vector:
        """The shifts as Python floats; minus infinity where no key was read."""
        return floats_of(exact.balls(self.shifts))

    @property
    def spread(self) -> float:
        """The largest shift minus the smallest, among states that keep more than an underflow."""
        finite = self.known_shifts[np.isfinite(self.known_shifts)]
        spread = float(np.ptp(finite)) if finite.size else 0.0
        return min(spread, -math.log(self.tiny))

    @property
    def state_terms(self) -> Vector:
        """The magnitudes of sum and `acc`, exactly rescaled to the largest shift and added up."""
        top = exact.balls(float(np.max(self.known_shifts))).item()
        rows = [
            [abs(entry) * (shift - top).exp() for entry in row]
            for row, shift, known in zip(
                self.entries, exact.balls(self.shifts), self.known_shifts, strict=True
            )
            if np.isfinite(known)
        ]
        width = self.entries.shape[1]
        return floats_of(np.asarray(rows, dtype=object).sum(axis=0)) if rows else np.zeros(width)

    @property
    def state_magnitudes(self) -> Vector:
        """The magnitudes of sum and `acc`, added up as they are."""
        return floats_of(abs(self.entries).sum(axis=0))


@dataclass(frozen=True)
class Started(States):
    """One state, and the shift `start` of an empty one with which it is merged."""

    start: float = 0.0

    @property
    def empty(self) -> OnlineState:
        """The empty state."""
        return OnlineState(
            self.target.array(self.start), self.target.array(0.0), self.target.xp.zeros_like(self.accs[0, :])
        )

    @property
    def below(self) -> bool:
        """Whether the start is at or below the shift of the state."""
        return bool(self.start <= self.known_shifts[0])

    @property
    def output(self) -> Vector:
        """A bound on the magnitude of the computed output of the state."""
        sums, acc = self.entries[0, 0], self.entries[0, 1:]
        if sums.is_zero():
            return np.zeros(len(acc))
        return floats_of(abs(acc) / sums * (1 + exact.balls(self.u).item())) + self.tiny

    @property
    def smallest_product(self) -> float:
        """The smallest of the factor that rescales to the start, and of the numbers other than 0 that it makes.

        Infinite if all entries of the state are 0, whatever the factor.
        """
        entries = [abs(entry) for entry in self.entries[0] if not entry.is_zero()]
        if not entries:
            return math.inf
        factor = (exact.balls(self.known_shifts[0]).item() - exact.balls(self.start).item()).exp()
        return min(exact.lower(number * factor) for number in (arb(1), *entries))
