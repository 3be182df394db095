"""Strategies for relative errors, random and at their bounds, and for numbers on which real ones are made.

Everything shrinks towards few roundings that err by nothing.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from duizhao import exact
from duizhao.arrays import Array
from duizhao.rounding import accumulated, exponential
from duizhao.strategies.case import Target
from duizhao.strategies.reads import bounds_of, simplex, value_lists
from duizhao.strategies.rounded import Factors, Power, RoundedAverage, RoundedReading, RoundedWeights, Vector
from duizhao.strategies.rows import reach_of
from duizhao.strategies.scores import counts, few, remembered, score_lists

SHARES = 8
"""Random errors are whole multiples of an eighth of their bound."""


@cache
def shares() -> SearchStrategy[float]:
    """Draw what part of its bound an error is. Shrinks towards 0."""
    return st.integers(-SHARES, SHARES).map(lambda whole: whole / SHARES)


@cache
def lists_of_shares(n: int) -> SearchStrategy[list[float]]:
    """Draw `n` parts of a bound: all at the bound, all but one at the other end, or free. Shrinks towards 0."""
    apart = st.tuples(st.integers(0, max(n - 1, 0)), st.sampled_from([1.0, -1.0]))
    return st.one_of(
        st.lists(shares(), min_size=n, max_size=n),
        st.sampled_from([[1.0] * n, [-1.0] * n]),
        apart.map(lambda pair: [pair[1] if key == pair[0] else -pair[1] for key in range(n)]),
    )


@st.composite
def errors(draw: DrawFn, n: int, bound: float) -> Vector:
    """Draw `n` relative errors of at most `bound`, often at the bound. Shrinks towards 0."""
    return np.asarray(draw(lists_of_shares(n)), dtype=np.float64) * bound


@remembered
def near_one(target: Target) -> SearchStrategy[float]:
    """Draw a number between 1/2 and 2: one to three floats from 1, or with any digits. Shrinks towards 1."""
    if few():
        return st.sampled_from([1.0, 2.0, 0.5])
    close = st.integers(-3, 3).map(lambda steps: target.after(1.0, steps))
    return close | st.floats(0.5, 2.0, width=target.width).map(target.rounded)


@remembered
def units(target: Target) -> SearchStrategy[float]:
    """Draw a bound on one rounding: the dtype's, the accumulator's, or one that is seen. Shrinks towards the dtype's."""
    if few():
        return st.sampled_from([0.25, 0.125])
    facts = target.arithmetic
    return st.sampled_from([facts.u, facts.accumulator, 2.0**-8, 0.125, 0.25])


def factors() -> Callable[[Target], SearchStrategy[Factors]]:
    """Return strategies for up to 12 roundings, and as many products of numbers near 1. Shrinks towards none.

    Twelve numbers below 2 overflow in no dtype, and twelve above 1/2 do not underflow.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Factors:
        k = draw(st.integers(0, 12))
        bound = draw(units(target) | st.sampled_from([1.0, 2.0]))
        numbers = draw(st.lists(near_one(target), min_size=k + 1, max_size=k + 1))
        return Factors(target, draw(errors(k, bound)), bound, target.array(numbers))

    return draw_case


def powers() -> Callable[[Target], SearchStrategy[Power]]:
    """Return strategies for a bound and a number of roundings whose product is below 1. Shrinks towards no rounding."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Power:
        bound = draw(units(target) | st.sampled_from([0.0, 3 / 64, 0.75]))
        most = 1000 if bound < 1 / 1000 else int((1 - 2.0**-53) / bound)
        return Power(target, draw(st.integers(0, min(most, 3)) | st.integers(0, most)), bound)

    return draw_case


@st.composite
def read_of_scalars(draw: DrawFn, target: Target) -> tuple[Array, Array, Vector, float]:
    """Draw weights, scalar values, and errors of their products with their bound.

    The weights sum to about 1, to 3/4 or to 3/2. The bound is that of a computed read, or larger.
    """
    n = draw(counts())
    factor = draw(st.sampled_from([1.0, 1.0, 0.75, 1.5]))
    weights = target.array([target.rounded(weight * factor) for weight in draw(simplex(target, n))])
    facts = target.arithmetic
    computed = accumulated(facts.u, n, facts.accumulator)
    bound = draw(st.sampled_from([0.25, 1.0] if few() else [computed, computed, 0.25, 2.0]))
    return weights, target.array(draw(value_lists(target, n, 1))), draw(errors(n, bound)), bound


def rounded_readings() -> Callable[[Target], SearchStrategy[RoundedReading]]:
    """Return strategies for a read of scalars with an error of each term. Shrinks towards one key with value 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> RoundedReading:
        weights, values, thetas, bound = draw(read_of_scalars(target))
        return RoundedReading(target, weights, values, thetas=thetas, bound=bound)

    return draw_case


def rounded_averages() -> Callable[[Target], SearchStrategy[RoundedAverage]]:
    """Return strategies for the same, with bounds: the closest, or looser. Shrinks towards one key with value 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> RoundedAverage:
        weights, values, thetas, bound = draw(read_of_scalars(target))
        looser = draw(st.booleans())
        low, high = (float(exact.balls(end).item()) for end in bounds_of(target, values, looser=looser))
        excess = exact.upper(abs(exact.balls(weights).sum() - 1))
        return RoundedAverage(
            target,
            weights,
            values,
            thetas=thetas,
            bound=bound,
            low=low,
            high=high,
            size=max(abs(low), abs(high)),
            epsilon=excess + draw(st.sampled_from([0.0, 0.0, 0.5])),
        )

    return draw_case


def rounded_weights(*, wild: bool = False) -> Callable[[Target], SearchStrategy[RoundedWeights]]:
    """Return strategies for scores with errors of exponentials, of their sum and of the divisions. Shrinks towards one key.

    The bounds are those of computed weights, or larger. With `wild`, exponentials may be off by nearly all of themselves or
    by many times as much.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> RoundedWeights:
        n = draw(counts())
        scores = target.array(draw(score_lists(target, n)))
        facts = target.arithmetic
        computed = (
            exponential(facts.u, reach_of(exact.balls(scores), facts), facts.exp_ulp),
            accumulated(facts.u, n - 1, facts.accumulator),
            facts.u,
        )
        seen = [(0.5, 0.25, 0.125), (0.125, 0.875, 1.0)]
        usual = [(0.5, 0.5, 0.5)] if few() else [computed, computed]
        a, b, division = draw(st.sampled_from([*usual, *seen]))
        alphas = draw(errors(n, a))
        if wild:
            alphas = np.asarray(draw(st.lists(wild_errors(), min_size=n, max_size=n)), dtype=np.float64)
        zetas, eta = draw(errors(n, division)), b * draw(shares() | st.sampled_from([1.0, -1.0]))
        key = draw(st.integers(0, n - 1))
        return RoundedWeights(
            target, scores, key, alphas=alphas, zetas=zetas, eta=eta, a=a, b=b, division=division
        )

    return draw_case


@cache
def wild_errors() -> SearchStrategy[float]:
    """Draw an error that leaves an exponential positive. Shrinks towards 0."""
    return st.sampled_from([0.0, 0.5, -0.5, -1 + 2.0**-30, 100.0])
