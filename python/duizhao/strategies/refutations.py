"""Strategies for counterexamples: the numbers of Lean's proof, and others for which the same claim is false.

Everything shrinks towards the numbers of Lean's proof. Most numbers are short fractions, so that nothing is rounded; where
the values have no unit of their own, they are also drawn near the largest and the smallest floats.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from duizhao.strategies.case import Target
from duizhao.strategies.counterexamples import (
    Filled,
    HighScore,
    MovedQuery,
    NoKey,
    OneKey,
    Swapped,
    Table,
    TwoHeads,
)
from duizhao.strategies.readings import Between, TwoScalars
from duizhao.strategies.rows import Biased
from duizhao.strategies.scores import numbers, remembered

WIDTHS = (1, 2, 3, 4, 7, 31)
"""The widths of queries and keys that are drawn."""


@cache
def one_of(*values: float) -> SearchStrategy[float]:
    """Draw one of some numbers. Shrinks towards the first."""
    return st.sampled_from(values)


@cache
def units(target: Target) -> SearchStrategy[float]:
    """Draw a power of two whose sixteenths, and multiples up to 64, are floats of full precision. Shrinks towards 1."""
    facts = target.arithmetic
    powers = math.frexp(facts.largest)[1], math.frexp(facts.smallest_normal)[1]
    return st.sampled_from([1.0, math.ldexp(1.0, powers[0] - 8), math.ldexp(1.0, powers[1] + 4)])


@cache
def parts(whole: int, low: int, high: int) -> SearchStrategy[float]:
    """Draw a multiple of `1 / whole` between `low / whole` and `high / whole`. Shrinks towards 0."""
    return st.integers(low, high).map(lambda count: count / whole)


def two_scalars(
    weight: float, off: tuple[int, int], *, ordered: bool, whole: int = 16
) -> Callable[[Target], SearchStrategy[TwoScalars]]:
    """Return strategies for a weight and two different whole values, in order or out of order, up to a unit.

    The weight is off by `off[0]` to `off[1]` times `1 / whole` from the one given. Shrinks towards that one, and the values
    0 and 1.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> TwoScalars:
        unit, own = draw(units(target)), weight + draw(parts(whole, *off))
        low = draw(parts(1, -4, 4))
        high = low + 1 + draw(parts(1, 0, 3))
        first, second = (low, high) if ordered else (high, low)
        return TwoScalars(target, first * unit, second * unit, own)

    return draw_case


def _in_unit_interval(target: Target, weights: Sequence[float], values: Sequence[float]) -> Between:
    """Return a read of two scalar values with the bounds 0 and 1."""
    return Between(
        target,
        target.array(weights),
        target.array([[value] for value in values]),
        lower_bound=target.array([0.0]),
        upper_bound=target.array([1.0]),
    )


def heavy_weights() -> Callable[[Target], SearchStrategy[Between]]:
    """Return strategies for two non-negative weights of too large a sum, on values in `[0, 1]`.

    Shrinks towards the weights 1 and 1 on the values 1 and 1.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Between:
        weights = [1 + draw(parts(16, 0, 239)), 1 + draw(parts(16, -8, 239))]
        values = [1.0, 1 - draw(parts(16, 0, 8))]
        order = draw(st.sampled_from([1, -1]))
        return _in_unit_interval(target, weights[::order], values[::order])

    return draw_case


def negative_weights() -> Callable[[Target], SearchStrategy[Between]]:
    """Return strategies for two weights that sum to one, one of them negative, on values in `[0, 1]`.

    Shrinks towards the weights 2 and −1 on the values 1 and 0.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Between:
        weight = 2 + draw(parts(16, -8, 223))
        values = [1.0, draw(parts(16, 0, 8))]
        if draw(st.booleans()):
            values = [1 - value for value in values]
        order = draw(st.sampled_from([1, -1]))
        return _in_unit_interval(target, [weight, 1 - weight][::order], values[::order])

    return draw_case


def score_below(target: Target, fill: float) -> float:
    """Return a finite score below a fill by so much that its key gets less than half of the weight.

    One less, as in Lean, where that is another float. Else, for magnitudes of about `1 / u` and more: 0 below a positive
    fill, and twice a negative one, or the lowest float if that overflows. Below the lowest float there is none.
    """
    one_less = target.rounded(fill - 1)
    if one_less < fill:
        return one_less
    return 0.0 if fill > 0 else max(2 * fill, -target.arithmetic.largest)


@remembered
def fills(target: Target) -> SearchStrategy[float]:
    """Draw a finite fill above the lowest float: usual ones, ones near `1 / u`, or any. Shrinks towards 0."""
    facts = target.arithmetic
    whole = 1 / facts.u
    usual = [0.0, -100.0, -1e4, -1e9, -facts.largest / 2, target.after(-facts.largest, 1), facts.largest]
    near = [sign * target.after(whole, steps) for sign in (-1.0, 1.0) for steps in (-1, 0, 1)]
    pool = [target.rounded(fill) for fill in (*usual, *near)]
    fitting = st.sampled_from([fill for fill in pool if abs(fill) <= facts.largest])
    drawn = st.one_of(fitting, numbers(target, 100.0), numbers(target, facts.largest))
    return drawn.filter(lambda fill: fill > -facts.largest)


def filled() -> Callable[[Target], SearchStrategy[Filled]]:
    """Return strategies for a fill, and a score below it. Shrinks towards the fill 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Filled:
        fill = draw(fills(target))
        return Filled(target, score_below(target, fill), fill)

    return draw_case


def swapped() -> Callable[[Target], SearchStrategy[Swapped]]:
    """Return strategies for equal scores, and two different values. Shrinks towards scores of 0 and the values 1 and 3."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Swapped:
        score, unit = draw(numbers(target, 64.0)), draw(units(target))
        first = 1 + draw(parts(1, -4, 2))
        second = first + draw(one_of(2.0, 1.0, 3.0, -1.0, -2.0, -3.0))
        values = target.array([first * unit, second * unit])
        return Swapped(target, target.array([[score, score], [score, score]]), values)

    return draw_case


def no_keys() -> Callable[[Target], SearchStrategy[NoKey]]:
    """Return strategies for two scores, and two values in `[1, 3]`. Shrinks towards scores of 0 and values of 1."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> NoKey:
        score = numbers(target, 40.0)
        values = [draw(one_of(1.0, 3.0, 2.0, 1.5)) for _ in range(2)]
        return NoKey(target, target.array([draw(score), draw(score)]), target.array(values))

    return draw_case


def one_key(*, projected: bool) -> Callable[[Target], SearchStrategy[OneKey]]:
    """Return strategies for one value in `[0, 1]` that a projection, or else a residual, takes out of it.

    Shrinks towards the value 1, and the projection 2 or the residual 1.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> OneKey:
        value = draw(one_of(1.0, 0.5, 0.25))
        goal = draw(one_of(2.0, 1.25, 3.0, -1.0, -0.25))
        other = goal / value if projected else goal - value
        query, key = (draw(numbers(target, 8.0)) for _ in range(2))
        return OneKey(target, *(target.array([[number]]) for number in (query, key, value, other)))

    return draw_case


def two_heads() -> Callable[[Target], SearchStrategy[TwoHeads]]:
    """Return strategies for two heads of one value each and a projection, all between 3/4 and 1.

    Shrinks towards values and a projection of 1.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> TwoHeads:
        large, small = one_of(1.0, 0.875, 0.75), numbers(target, 8.0)
        query, key = ([[[draw(small)]], [[draw(small)]]] for _ in range(2))
        value = [[[draw(large)]], [[draw(large)]]]
        projection = [[draw(large)], [draw(large)]]
        return TwoHeads(target, *map(target.array, (query, key, value, projection)))

    return draw_case


def high_scores() -> Callable[[Target], SearchStrategy[HighScore]]:
    """Return strategies for a width, a bound up to a quarter of the largest float, and a query and key that pass it.

    Lean's key gives the score that is one more. Where rounding could swallow that one, it is more by the bound's
    magnitude. Queries are of ones, with signs that the key shares. Shrinks towards width 1 and the bound 0.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> HighScore:
        facts = target.arithmetic
        width = draw(st.sampled_from(WIDTHS))
        bound = draw(st.one_of(numbers(target, 64.0), numbers(target, facts.largest / 4)))
        swallowed = (width + 4) * facts.u * (abs(bound) + 1) >= 1 / 4
        goal = bound + (abs(bound) if swallowed else 1.0)
        entry = target.rounded(goal / math.sqrt(width))
        signs = draw(st.lists(one_of(1.0, -1.0), min_size=width, max_size=width))
        key = target.array([sign * entry for sign in signs])
        return HighScore(target, target.array(signs), key, bound)

    return draw_case


def moved_queries() -> Callable[[Target], SearchStrategy[MovedQuery]]:
    """Return strategies for a query, a step of it, and two different keys: short fractions.

    Shrinks towards the query 0, the step 1 and the keys 0 and 1.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> MovedQuery:
        query, step = draw(parts(4, -4, 4)), draw(steps())
        first = draw(parts(4, -4, 4))
        keys = [[first], [first + draw(steps())]]
        moved = target.array([[query]]) + target.array([step])
        return MovedQuery(target, target.array([[query]]), target.array(keys), moved)

    return draw_case


@cache
def steps() -> SearchStrategy[float]:
    """Draw a multiple of 1/4 of magnitude 1 to 2. Shrinks towards 1."""
    return st.builds(lambda size, sign: sign * (1 + size), parts(4, 0, 4), st.sampled_from([1, -1]))


def column_tables() -> Callable[[Target], SearchStrategy[Table]]:
    """Return strategies for a table whose columns sum to one and whose rows do not, by 1/16 at least.

    Shrinks towards ones in the first row.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Table:
        first, second = (1 - draw(parts(128, 0, 128)) for _ in range(2))
        assume(abs(first + second - 1) >= 1 / 16)
        return Table(target, target.array([[first, second], [1 - first, 1 - second]]))

    return draw_case


def score_tables() -> Callable[[Target], SearchStrategy[Table]]:
    """Return strategies for the scores of two queries with two keys: quarters between −1 and 1.

    The first query's weights along the wrong axis sum to one exactly where its lead in one column is its lag in the
    other; such tables, and those that are closer to it than by 1/2, are left out. Shrinks towards 0, with 1 in the last
    place.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Table:
        a, b, c = (draw(parts(4, -4, 4)) for _ in range(3))
        d = 1 + draw(parts(4, -8, 0))
        assume(abs((a - c) + (b - d)) >= 1 / 2)
        return Table(target, target.array([[a, b], [c, d]]))

    return draw_case


def uneven_biases() -> Callable[[Target], SearchStrategy[Biased]]:
    """Return strategies for two scores and two constants that differ by 1 at least: quarters.

    Shrinks towards scores of 0 and the constants 0 and 1.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Biased:
        scores = target.array([draw(parts(4, -8, 8)), draw(parts(4, -8, 8))])
        first = draw(parts(4, -4, 4))
        bias = target.array([first, first + draw(steps())])
        return Biased(target, scores, others=scores + bias, bias=bias)

    return draw_case
