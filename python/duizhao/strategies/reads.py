"""Strategies for weights with values, and for what the theorems on reads do to them.

Everything shrinks towards one key, one coordinate, equal weights, and values near 0.
"""

from collections.abc import Callable, Sequence

import numpy as np
from flint import arb
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from duizhao import exact
from duizhao.arrays import Array
from duizhao.strategies.case import Target
from duizhao.strategies.readings import (
    Between,
    Decided,
    Directed,
    Moved,
    Projected,
    Reading,
    Residual,
    Reweighted,
    Sets,
    Stepped,
    TwoScalars,
    TwoValueReads,
    Updated,
    Weighed,
    largest_norms,
)
from duizhao.strategies.rows import floats_of, largest
from duizhao.strategies.scores import counts, few, larger, numbers, remembered, rows, score_lists, sizes


@st.composite
def simplex(draw: DrawFn, target: Target, n: int) -> Sequence[float]:
    """Draw `n` weights: one key has it all, equal ones, exact dyadic ones, or normalised ones. Shrinks towards one key."""
    kind = draw(st.sampled_from(["one", "dyadic"] if few() else ["one", "equal", "dyadic", "normalised"]))
    if kind == "one":
        key = draw(st.integers(0, n - 1))
        return [1.0 if index == key else 0.0 for index in range(n)]
    if kind == "equal":
        return [target.rounded(1 / n)] * n
    if kind == "dyadic":
        whole = 2 ** draw(st.sampled_from([1, 2] if few() else [1, 3, 10]))
        cuts = sorted(draw(st.lists(st.integers(0, whole), min_size=n - 1, max_size=n - 1)))
        return [(b - a) / whole for a, b in zip([0, *cuts], [*cuts, whole], strict=True)]
    positive = st.floats(2.0**-20, 1.0, width=target.width)
    raw = draw(st.lists(positive, min_size=n, max_size=n))
    return [target.rounded(weight / sum(raw)) for weight in raw]


@remembered
def entries(target: Target) -> SearchStrategy[SearchStrategy[float]]:
    """Draw a strategy for values of one kind: whole, ordinary, near the largest, subnormal, or mixed. Shrinks towards 0."""
    if few():
        return st.just(numbers(target, 3.0))
    facts = target.arithmetic
    extremes = [0.0, -0.0, facts.tiny, -facts.tiny, 1.0, facts.largest / 16, -facts.largest / 16]
    return st.sampled_from(
        [
            st.integers(-3, 3).map(float),
            numbers(target, 16.0),
            numbers(target, facts.largest / 16),
            numbers(target, facts.smallest_normal),
            st.sampled_from(extremes),
        ]
    )


@st.composite
def value_lists(draw: DrawFn, target: Target, n: int, width: int) -> list[list[float]]:
    """Draw `n` values of `width` coordinates. Shrinks towards equal values near 0."""
    entry = draw(entries(target))
    vector = st.lists(entry, min_size=width, max_size=width)
    return list(draw(rows(vector, n)))  # type: ignore[arg-type]


@st.composite
def reading(draw: DrawFn, target: Target) -> tuple[Array, Array, int]:
    """Draw weights, values and a key."""
    n = draw(counts())
    width = draw(sizes((1, 2, 3)))
    weights, values = draw(simplex(target, n)), draw(value_lists(target, n, width))
    return target.array(weights), target.array(values), draw(st.integers(0, n - 1))


def whole_vectors(width: int) -> SearchStrategy[list[float]]:
    """Draw a vector of small whole numbers. Shrinks towards 0."""
    return st.lists(st.integers(-3, 3).map(float), min_size=width, max_size=width)


Strategies = Callable[[Target], SearchStrategy[Weighed]]


def reads() -> Strategies:
    """Return strategies for a read. Shrinks towards one key with value 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Reading:
        return Reading(target, *draw(reading(target)))

    return draw_case


def bounds_of(target: Target, values: Array, *, looser: bool = False) -> tuple[Array, Array]:
    """Return the smallest and the largest value of each coordinate, or with `looser` an eighth beyond them."""
    columns = [[float(entry) for entry in column] for column in exact.balls(values).T]
    by = 1 / 8 if looser else 0.0
    low = [target.rounded(min(column) - by * abs(min(column))) for column in columns]
    high = [target.rounded(max(column) + by * abs(max(column))) for column in columns]
    return target.array(low), target.array(high)


def between() -> Strategies:
    """Return strategies for a read with bounds on its values: the closest ones, or looser. Shrinks towards the closest."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Between:
        weights, values, key = draw(reading(target))
        low, high = bounds_of(target, values, looser=draw(st.booleans()))
        return Between(target, weights, values, key, lower_bound=low, upper_bound=high)

    return draw_case


def strictly_between(*, above: bool, below: bool) -> Strategies:
    """Return strategies for a read of scalar values of which one with weight is `above` the least, or `below` the most.

    Shrinks towards two keys with one weight and the values 0 and 1.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Between:
        n = draw(counts(2))
        weights = target.array(draw(simplex(target, n)))
        row = draw(st.lists(draw(entries(target)), min_size=n, max_size=n))
        values = target.array([[value] for value in row])
        low, high = bounds_of(target, values)
        keys = [index for index in range(n) if weights[index] > 0]
        over = [index for index in keys if values[index, 0] > low[0]]
        under = [index for index in keys if values[index, 0] < high[0]]
        assume((over or not above) and (under or not below))
        first = draw(st.sampled_from(over if above else under))
        second = draw(st.sampled_from(under)) if above and below else first
        return Between(target, weights, values, first, lower_bound=low, upper_bound=high, second=second)

    return draw_case


def sets() -> Strategies:
    """Return strategies for a read of values in a box, a ball and a half-space, the closest ones around the values.

    Shrinks towards one key with value 0.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Sets:
        weights, values, key = draw(reading(target))
        low, high = bounds_of(target, values)
        direction = np.asarray(draw(whole_vectors(int(values.shape[1])).filter(any)))
        rows_of_values = exact.balls(values)
        middle = np.asarray([float(bound) / 2 for bound in exact.balls(low) + exact.balls(high)])
        radius = exact.upper(largest_norms(rows_of_values - exact.balls(middle))[1])
        offset = exact.upper(largest(rows_of_values @ exact.balls(direction)))
        return Sets(
            target,
            weights,
            values,
            key,
            lower_bound=low,
            upper_bound=high,
            middle=middle,
            radius=radius,
            direction=direction,
            offset=offset,
        )

    return draw_case


def decided() -> Strategies:
    """Return strategies for a read and the largest distances of its values from that of `key`. Shrinks towards 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Decided:
        weights, values, key = draw(reading(target))
        numbers_of_values = exact.balls(values)
        diameter = floats_of(largest_norms(numbers_of_values - numbers_of_values[key]))
        return Decided(target, weights, values, key, diameter=diameter)

    return draw_case


def two_scalars(*, ordered: bool) -> Strategies:
    """Return strategies for two scalar values and a weight; with `ordered`, the first value is not the larger.

    Equal values and the weights 0 and 1 are drawn often. Shrinks towards two zeros.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> TwoScalars:
        entry = draw(entries(target))
        pair = draw(
            st.one_of(entry.map(lambda value: [value, value]), st.lists(entry, min_size=2, max_size=2))
        )
        if ordered:
            pair = sorted(pair)
        weight = draw(st.floats(0.0, 1.0, width=target.width, allow_subnormal=True))
        return TwoScalars(target, pair[0], pair[1], target.rounded(weight))

    return draw_case


def directed() -> Strategies:
    """Return strategies for a read and four directions. Shrinks towards one key with value 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Directed:
        weights, values, key = draw(reading(target))
        width = int(values.shape[1])
        directions = draw(st.lists(whole_vectors(width).filter(any), min_size=1, max_size=4))
        return Directed(target, weights, values, key, directions=np.asarray(directions))

    return draw_case


def constants() -> Strategies:
    """Return strategies for one value, repeated, and two sets of weights. Shrinks towards the value 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Reweighted:
        n = draw(counts())
        entry = draw(entries(target))
        value = draw(st.lists(entry, min_size=1, max_size=3))
        weights, others = target.array(draw(simplex(target, n))), target.array(draw(simplex(target, n)))
        return Reweighted(target, weights, target.array([value] * n), other_weights=others)

    return draw_case


def zeros() -> Strategies:
    """Return strategies for zero values under weights of any sign and size. Shrinks towards the weight 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Reading:
        n = draw(counts())
        weights = draw(rows(numbers(target, 16.0), n))
        values = draw(st.lists(st.sampled_from([0.0, -0.0]), min_size=n, max_size=n))
        return Reading(target, target.array(weights), target.array([[value] for value in values]))

    return draw_case


@st.composite
def move(draw: DrawFn, target: Target) -> tuple[Array, Array, int, list[float]]:
    """Draw weights, values, a key and a constant of the values' size."""
    weights, values, key = draw(reading(target))
    width = int(values.shape[1])
    entry = draw(entries(target))
    return weights, values, key, draw(st.lists(entry, min_size=width, max_size=width))


def moved() -> Strategies:
    """Return strategies for a read and the same with a constant added to every value. Shrinks towards the constant 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Moved:
        weights, values, key, constant = draw(move(target))
        others = values + target.array(constant)
        return Moved(target, weights, values, key, others=others, constant=np.asarray(constant))

    return draw_case


def updated() -> Strategies:
    """Return strategies for a read and the same with a constant added to one value. Shrinks towards the constant 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Updated:
        weights, values, key, constant = draw(move(target))
        at_key = target.array([[float(index == key)] for index in range(int(values.shape[0]))])
        others = values + at_key * target.array(constant)
        return Updated(target, weights, values, key, others=others, constant=np.asarray(constant))

    return draw_case


def stepped() -> Strategies:
    """Return strategies for a read and moved values: all by one constant, or each freely. Shrinks towards no move."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Stepped:
        weights, values, key, constant = draw(move(target))
        if draw(st.booleans()):
            others = target.array(draw(value_lists(target, *(int(size) for size in values.shape))))
        else:
            others = values + target.array(constant)
        epsilon = floats_of(largest_norms(exact.balls(values) - exact.balls(others)))
        return Stepped(
            target, weights, values, key, others=others, constant=np.asarray(constant), epsilon=epsilon
        )

    return draw_case


def projected() -> Strategies:
    """Return strategies for a read, a projection and directions. Shrinks towards a zero projection."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Projected:
        n, width, columns = draw(counts()), draw(sizes((1, 2, 3))), draw(sizes((1, 2, 3)))
        values = target.array(draw(rows(st.lists(numbers(target, 16.0), min_size=width, max_size=width), n)))  # type: ignore[arg-type]
        weights = target.array(draw(simplex(target, n)))
        entry = numbers(target, 4.0)
        row = st.lists(entry, min_size=columns, max_size=columns)
        projection = np.asarray(draw(st.lists(row, min_size=width, max_size=width)))
        directions = np.asarray(draw(st.lists(whole_vectors(columns).filter(any), min_size=1, max_size=4)))
        others = values @ target.array(projection)
        return Projected(target, weights, values, directions=directions, projection=projection, others=others)

    return draw_case


def residuals() -> Strategies:
    """Return strategies for a read, a residual and directions. Shrinks towards the residual 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Residual:
        weights, values, key = draw(reading(target))
        width = int(values.shape[1])
        entry = draw(entries(target))
        residual = np.asarray(draw(st.lists(entry, min_size=width, max_size=width)))
        directions = np.asarray(draw(st.lists(whole_vectors(width).filter(any), min_size=1, max_size=4)))
        return Residual(target, weights, values, key, directions=directions, residual=residual)

    return draw_case


def two_value_reads(
    *, equal: bool = False, ordered: bool = False
) -> Callable[[Target], SearchStrategy[TwoValueReads]]:
    """Return strategies for two scores and two values. Shrinks towards equal scores and values near 0.

    With `equal`, the scores are equal. With `ordered`, the second value is the larger, and the second row has the
    larger score gap.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> TwoValueReads:
        scores = list(draw(score_lists(target, 2)))
        others = list(draw(score_lists(target, 2)))
        if equal:
            scores[1] = scores[0]
        entry = draw(entries(target))
        values = draw(st.lists(entry, min_size=2, max_size=2))
        if ordered:
            gaps = [arb(row[1]) - arb(row[0]) for row in (scores, others)]
            if gaps[0] > gaps[1]:
                scores, others = others, scores
            elif not gaps[0] < gaps[1]:
                scores, others = [0.0, 0.0], [0.0, larger(target, 0.0)]
            values = sorted(values)
            if values[0] == values[1]:
                values[1] = larger(target, values[0])
        return TwoValueReads(
            target, target.array(scores), others=target.array(others), values=target.array(values)
        )

    return draw_case
