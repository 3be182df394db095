"""Rows of scores at temperatures: cases, and strategies that draw them.

Everything shrinks towards one key, equal scores near 0, and the temperature 1.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import arb
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from numpy.typing import NDArray

from duizhao import exact
from duizhao.arrays import Array
from duizhao.rounding import Arithmetic, reach_at_temperature
from duizhao.strategies.case import Target
from duizhao.strategies.rows import Balls, ScoreRow, floats_of, largest, reach_of, safe_reach, spread
from duizhao.strategies.scores import counts, numbers, remembered, rows, score_lists

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Tempered(ScoreRow):
    """A row of scores at a temperature."""

    temperature: float = 1.0

    @cached_property
    def true_weights(self) -> Balls:
        """Enclosures of the true weights at the temperature."""
        return exact.softmax(self.row, temperature=self.temperature)

    @property
    def reach(self) -> float:
        """The reach at the temperature."""
        return self.reach_at(self.temperature)

    def reach_at(self, temperature: float) -> float:
        """Return the reach at a temperature: the roundings by which it is more are counted as a larger distance.

        At most `0.4 / u`, beyond which no bound says anything: no strategy draws such a case.
        """
        facts = self.target.arithmetic
        gap = min(exact.upper(largest(spread(self.row))), -math.log(facts.tiny) * temperature)
        return min(reach_at_temperature(facts.u, gap, temperature), 0.4 / facts.u)


@dataclass(frozen=True)
class Heated(Tempered):
    """A row of scores, and `temperatures` that rise from `temperature` on."""

    temperatures: tuple[float, ...] = ()

    @cached_property
    def true_weights(self) -> Balls:
        """Enclosures of the true weights at each temperature, `(temperatures, n)`."""
        hot = [exact.softmax(self.row, temperature=temperature) for temperature in self.temperatures]
        return np.asarray(hot, dtype=object)


@dataclass(frozen=True)
class Cooled(Tempered):
    """A row of scores with the largest score `greatest`."""

    greatest: float = 0.0

    @property
    def best(self) -> NDArray[np.bool_]:
        """Which keys have the largest score."""
        return np.asarray([bool(score == arb(self.greatest)) for score in self.row])

    @property
    def keys(self) -> int:
        """The number of keys with the largest score, at least 1."""
        return max(1, int(self.best.sum()))


@dataclass(frozen=True)
class Warmed(Tempered):
    """A row of scores in which `key` is best, at a temperature and at `hotter`, which is not lower."""

    hotter: float = 1.0

    @property
    def weight(self) -> Vector:
        """The true weight of the key."""
        return floats_of(self.true_weights[self.key])

    @property
    def other_weight(self) -> Vector:
        """The true weight of the key at the higher temperature."""
        return floats_of(exact.softmax(self.row, temperature=self.hotter)[self.key])

    @property
    def other_reach(self) -> float:
        """The reach at the higher temperature."""
        return self.reach_at(self.hotter)


@dataclass(frozen=True)
class Turned(ScoreRow):
    """A row of scores, and a negative temperature by which they are divided."""

    temperature: float = -1.0

    @cached_property
    def others(self) -> Array:
        """The scores divided by the temperature, rounded; zeros if it is 0, as in Lean."""
        if self.temperature == 0:
            return self.scores * 0
        return self.scores / self.target.array(self.temperature)

    @property
    def other_row(self) -> Balls:
        """The quotients as exact numbers."""
        return exact.balls(self.others)

    @cached_property
    def true_weights(self) -> Balls:
        """Enclosures of the true weights of the quotients."""
        return exact.softmax(self.other_row)

    @property
    def reach(self) -> float:
        """The reach of the quotients."""
        return reach_of(self.other_row, self.target.arithmetic)


def useful(facts: Arithmetic) -> float:
    """Return a reach up to which the bounds on softmax say something where the scores are divided by a temperature."""
    return 0.1 / facts.u


def gone(facts: Arithmetic) -> float:
    """Return a distance over temperature from which on the exponential is 0, whatever the roundings on the way."""
    return (1 - math.log(facts.tiny)) * (1 + 8 * facts.u)


@remembered
def temperatures(target: Target) -> SearchStrategy[float]:
    """Draw a temperature between 1/64 and 64. Shrinks towards 1."""
    usual = st.sampled_from([1.0, 0.5, 2.0, target.rounded(0.1), 4.0, 8.0])
    return st.one_of(usual, numbers(target, 6.0).map(lambda power: target.rounded(2.0**power)))


def at_least(target: Target, temperature: float, scores: Sequence[float], reach: float) -> float:
    """Return the temperature, or a higher one at which no score is farther than `reach` from the largest."""
    lowest = (max(scores) - min(scores)) / reach
    return temperature if temperature >= lowest else target.rounded(1.01 * lowest)


def draw_tempered(draw: DrawFn, target: Target, *, safe: bool = False) -> tuple[list[float], float]:
    """Draw scores and a temperature at which the bounds say something; with `safe`, nothing underflows."""
    n = draw(counts())
    row = list(draw(score_lists(target, n, extreme=False)))
    facts = target.arithmetic
    reach = min(useful(facts), safe_reach(facts, n))
    temperature = draw(temperatures(target))
    if safe or useful(facts) < -math.log(facts.tiny):
        temperature = at_least(target, temperature, row, reach)
    return row, temperature


def tempered() -> Callable[[Target], SearchStrategy[Tempered]]:
    """Return strategies for scores at a temperature at which nothing underflows. Shrinks towards the temperature 1."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Tempered:
        row, temperature = draw_tempered(draw, target, safe=True)
        key = draw(st.integers(0, len(row) - 1))
        return Tempered(target, target.array(row), key, temperature=temperature)

    return draw_case


def heated() -> Callable[[Target], SearchStrategy[Heated]]:
    """Return strategies for scores and three rising temperatures. Shrinks towards a first temperature of 1.

    The last one is so high that all weights are equal but for roundings, or as high as the dtype goes.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Heated:
        row, first = draw_tempered(draw, target)
        gap, facts = max(row) - min(row), target.arithmetic
        last = target.rounded(min(max(first, 4 * gap / facts.u, 32.0), facts.largest / 4))
        rising = (first, target.rounded(min(16 * first, last)), last)
        return Heated(target, target.array(row), temperature=first, temperatures=rising)

    return draw_case


def cooled() -> Callable[[Target], SearchStrategy[Cooled]]:
    """Return strategies for scores and a temperature at which only the best keys have weight.

    Ties among the best are frequent. Shrinks towards one key.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Cooled:
        n = draw(counts())
        row = list(draw(rows(numbers(target, 8.0, subnormal=False), n)))
        top = max(row)
        losers = [score for score in row if score < top]
        # No loser is closer than 2^-4: the temperature stays a normal number.
        row = [
            score if score in (top, *[low for low in losers if low <= top - 0.0625]) else top for score in row
        ]
        losers = [score for score in row if score < top]
        gap = top - max(losers) if losers else 1.0
        part = draw(st.sampled_from([1.0, 0.5, 0.0625]))
        temperature = target.rounded(part * 0.99 * gap / gone(target.arithmetic))
        return Cooled(target, target.array(row), temperature=temperature, greatest=top)

    return draw_case


def warmed() -> Callable[[Target], SearchStrategy[Warmed]]:
    """Return strategies for scores, a best key and two temperatures: often next to each other. Shrinks towards equal."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Warmed:
        row, temperature = draw_tempered(draw, target)
        hotter = draw(
            st.one_of(
                st.integers(0, 3).map(lambda step: target.after(temperature, step)), temperatures(target)
            )
        )
        best = [key for key, score in enumerate(row) if score == max(row)]
        return Warmed(
            target,
            target.array(row),
            draw(st.sampled_from(best)),
            temperature=temperature,
            hotter=max(temperature, hotter),
        )

    return draw_case


def halves() -> Callable[[Target], SearchStrategy[ScoreRow]]:
    """Return strategies for rows of 1, 2, 4 or 8 scores, whose equal weights are floats. Shrinks towards one key."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> ScoreRow:
        n = draw(st.sampled_from([1, 2, 4, 8]))
        return ScoreRow(target, target.array(draw(score_lists(target, n))))

    return draw_case


def turned() -> Callable[[Target], SearchStrategy[Turned]]:
    """Return strategies for scores and a negative temperature. Shrinks towards the temperature −1."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Turned:
        n = draw(counts(2))
        row = draw(score_lists(target, n, extreme=False))
        # No quotient overflows.
        lowest = 2 * max(abs(score) for score in row) / target.arithmetic.largest
        temperature = max(draw(temperatures(target)), target.rounded(lowest))
        return Turned(target, target.array(row), temperature=-temperature)

    return draw_case
