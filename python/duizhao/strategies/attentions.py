"""Strategies for attention, and for what the theorems on attention do to it.

Everything shrinks towards one query, one key, width 1, equal keys, and numbers near 0.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from duizhao import exact
from duizhao.arrays import Array
from duizhao.rounding import Arithmetic
from duizhao.strategies.attending import (
    Attending,
    Averaged,
    Bounded,
    Compared,
    Directed,
    Masked,
    MovedKeys,
    MovedValues,
    Projected,
    Reordered,
    Twice,
)
from duizhao.strategies.case import Target
from duizhao.strategies.reads import bounds_of, entries, simplex, whole_vectors
from duizhao.strategies.rows import safe_reach
from duizhao.strategies.scores import counts, few, numbers, numbers_of_keys, sizes

Matrix = list[list[float]]

KINDS = st.sampled_from(("moderate", "small", "close", "wide", "lifted", "extreme"))
SAFE_KINDS = st.sampled_from(("moderate", "small", "close"))

SHAPES = st.sampled_from(("equal", "ties", "free"))
ZEROS = st.sampled_from((0.0, -0.0))
ZERO_OR_ONE = st.sampled_from((0.0, 1.0))
WHOLE = st.integers(-3, 3).map(float)
"""Small whole numbers. Shrinks towards 0."""

lengths = sizes((1, 2, 1, 2, 3, 4))
"""A number of queries. Shrinks towards 1."""

widths = sizes((1, 2, 1, 2, 3, 4))
"""A width of queries, keys or values. Shrinks towards 1."""

few_keys = numbers_of_keys((1, 2, 3, 2, 3, 4, 5, 7))
"""A number of keys where there is more to draw. Shrinks towards 1."""


@cache
def vectors(element: SearchStrategy[float], width: int) -> SearchStrategy[list[float]]:
    """Draw a vector. Shrinks towards what the element shrinks towards."""
    return st.lists(element, min_size=width, max_size=width)


@st.composite
def matrices(draw: DrawFn, element: SearchStrategy[float], n: int, width: int) -> Matrix:
    """Draw `n` rows: equal, of two kinds, or all different. Shrinks towards equal rows."""
    if n == 0:
        return []
    shape = draw(SHAPES)
    count = {"equal": 1, "ties": 2, "free": n}[shape]
    flat = draw(vectors(element, count * width))
    drawn = [flat[start : start + width] for start in range(0, count * width, width)]
    if shape == "ties":
        return [drawn[int(second)] for second in draw(vectors(ZERO_OR_ONE, n))]
    return drawn * n if shape == "equal" else drawn


def safe_size(facts: Arithmetic, n: int, width: int) -> float:
    """Return a size of entries for which no exponential and no weight of `n` keys underflows."""
    return math.sqrt((safe_reach(facts, n) - 0.5) / 2 / math.sqrt(width))


@cache
def extremes(target: Target) -> SearchStrategy[float]:
    """Draw the largest number whose square is far from overflow, the smallest, 0 or 1. Shrinks towards 0."""
    facts = target.arithmetic
    large = target.rounded(math.sqrt(facts.largest) / 4)
    return st.sampled_from([0.0, -0.0, 1.0, facts.tiny, -facts.tiny, large, -large])


@st.composite
def operands(
    draw: DrawFn, target: Target, lines: int, n: int, width: int, *, safe: bool = False
) -> tuple[Matrix, Matrix]:
    """Draw `lines` queries and `n` keys of one kind. Shrinks towards equal keys near 0.

    The kinds: moderate; small; close (keys a few floats apart); wide (gaps that underflow); lifted (a common shift of the
    scores so large that they are whole numbers); extreme (the largest numbers and the smallest). With `safe`, no weight
    underflows.
    """
    facts = target.arithmetic
    limit = safe_size(facts, n, width) if safe else math.inf
    kind = "moderate" if few() else draw(SAFE_KINDS if safe else KINDS)
    if kind == "lifted":
        query = [[1.0, *draw(vectors(WHOLE, width - 1))] for _ in range(lines)]
        base = draw(st.sampled_from([0.25, -0.25])) / facts.u
        key = [[base + row[0], *row[1:]] for row in draw(matrices(WHOLE, n, width))]
        return query, key
    if kind == "extreme":
        pool = extremes(target)
        return draw(matrices(pool, lines, width)), draw(matrices(pool, n, width))
    if kind == "close":
        size = min(4.0, limit) * 0.9
        query = draw(matrices(numbers(target, size), lines, width))
        base_row = draw(vectors(numbers(target, size), width))
        steps = draw(matrices(WHOLE, n, width))
        key = [
            [target.after(base, int(step)) for base, step in zip(base_row, row, strict=True)] for row in steps
        ]
        return query, key
    most = {"moderate": 4.0, "small": 1.0, "wide": math.sqrt(-math.log(facts.tiny) + 10)}[kind]
    element = numbers(target, min(most, limit))
    return draw(matrices(element, lines, width)), draw(matrices(element, n, width))


@st.composite
def arrays(
    draw: DrawFn, target: Target, n: int, *, lines: int | None = None, safe: bool = False, plain: bool = False
) -> dict[str, Any]:
    """Draw queries, keys, values and the number of a query. Shrinks towards values near 0.

    With `plain`, values are moderate, so that they can be projected.
    """
    lines = draw(lengths) if lines is None else lines
    query, key = draw(operands(target, lines, n, draw(widths), safe=safe))
    entry = numbers(target, 16.0) if plain else draw(entries(target))
    value = draw(matrices(entry, n, draw(widths)))
    return {
        "query": target.array(query),
        "key": target.array(key),
        "value": target.array(value),
        "row": draw(st.integers(0, lines - 1)),
    }


Strategies = Callable[[Target], SearchStrategy[Any]]


def attendings(*, zero_values: bool = False, zero_query: bool = False) -> Strategies:
    """Return strategies for attention. Shrinks towards one query and one key.

    With `zero_values`, all values are zeros of either sign; with `zero_query`, so is the query that is singled out.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Attending:
        n = draw(counts())
        drawn = draw(arrays(target, n))
        if zero_values:
            drawn["value"] = target.array(draw(matrices(ZEROS, n, int(drawn["value"].shape[1]))))
        if zero_query:
            lines = _lists(drawn["query"])
            lines[drawn["row"]] = draw(vectors(ZEROS, len(lines[0])))
            drawn["query"] = target.array(lines)
        return Attending(target, **drawn)

    return draw_case


def _lists(array: Array) -> Matrix:
    """Return an array as nested lists."""
    return [[float(entry) for entry in row] for row in exact.balls(array)]


def bounded() -> Strategies:
    """Return strategies for attention with bounds on the values: the closest, or looser. Shrinks towards the closest."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Bounded:
        drawn = draw(arrays(target, draw(counts())))
        low, high = bounds_of(target, drawn["value"], looser=draw(st.booleans()))
        return Bounded(target, **drawn, lower_bound=low, upper_bound=high)

    return draw_case


def twice() -> Strategies:
    """Return strategies for two layers of attention, with bounds on the values. Shrinks towards one key in each."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Twice:
        drawn = draw(arrays(target, draw(few_keys)))
        low, high = bounds_of(target, drawn["value"])
        lines = int(drawn["query"].shape[0])
        query, key = draw(operands(target, draw(lengths), lines, draw(widths)))
        second = {"second_query": target.array(query), "second_key": target.array(key)}
        return Twice(target, **drawn, lower_bound=low, upper_bound=high, **second)

    return draw_case


def averaged() -> Strategies:
    """Return strategies for attention and a projection to an average of coordinates. Shrinks towards one coordinate."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Averaged:
        drawn = draw(arrays(target, draw(few_keys)))
        low, high = bounds_of(target, target.xp.reshape(drawn["value"], (-1, 1)))
        column = draw(simplex(target, int(drawn["value"].shape[1])))
        projection = target.array([[weight] for weight in column])
        return Averaged(target, **drawn, lower_bound=low, upper_bound=high, projection=projection)

    return draw_case


def _directions(width: int) -> SearchStrategy[list[list[float]]]:
    """Draw one to three directions. Shrinks towards one."""
    return st.lists(whole_vectors(width).filter(any), min_size=1, max_size=3)


directions_of = cache(_directions)


def directed() -> Strategies:
    """Return strategies for attention and directions in which the hull is looked at. Shrinks towards one key."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Directed:
        drawn = draw(arrays(target, draw(counts())))
        directions = np.asarray(draw(directions_of(int(drawn["value"].shape[1]))))
        return Directed(target, **drawn, directions=directions)

    return draw_case


def masked(*, everything: bool = False) -> Strategies:
    """Return strategies for masked attention: the query that is singled out may read some key.

    Other queries may read none. With `everything`, all may read all. Values that the query may not read are often far
    away. Shrinks towards one key.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Masked:
        n = draw(counts())
        drawn = draw(arrays(target, n))
        lines, width = int(drawn["query"].shape[0]), int(drawn["value"].shape[1])
        flags = np.asarray(draw(st.lists(st.booleans(), min_size=lines * n, max_size=lines * n)), np.bool_)
        allowed = flags.reshape(lines, n) | everything
        allowed[drawn["row"], draw(st.integers(0, n - 1))] = True
        if draw(st.booleans()):
            far = target.array([[0.0 if seen else 1024.0] for seen in allowed[drawn["row"]]])
            drawn["value"] = target.xp.where(far == 0, drawn["value"], far)
        directions = np.asarray(draw(directions_of(width)))
        return Masked(target, **drawn, directions=directions, allowed=allowed)

    return draw_case


def compared() -> Strategies:
    """Return strategies for attention in which no weight underflows, and a key. Shrinks towards one key."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Compared:
        n = draw(counts())
        return Compared(target, **draw(arrays(target, n, safe=True)), second=draw(st.integers(0, n - 1)))

    return draw_case


@cache
def whole_constants(target: Target) -> SearchStrategy[float]:
    """Draw a whole number, small or so large that fractions of it are rounded. Shrinks towards 0."""
    large = float(int(target.rounded(0.01 / target.arithmetic.u)))
    return st.sampled_from([0.0, 1.0, -1.0, 8.0, large])


def moved_keys() -> Strategies:
    """Return strategies for attention and a vector that is added to every key. Shrinks towards the vector 0.

    The vector is moderate, or so large that only keys that are whole numbers survive it unrounded.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> MovedKeys:
        n = draw(counts())
        drawn = draw(arrays(target, n, lines=draw(lengths)))
        width = int(drawn["key"].shape[1])
        if draw(st.booleans()):
            query = draw(matrices(WHOLE, int(drawn["query"].shape[0]), width))
            drawn |= {"query": target.array(query), "key": target.array(draw(matrices(WHOLE, n, width)))}
            constant = draw(vectors(whole_constants(target), width))
        else:
            query, key = draw(operands(target, int(drawn["query"].shape[0]), n, width, safe=True))
            drawn |= {"query": target.array(query), "key": target.array(key)}
            constant = draw(vectors(numbers(target, 4.0), width))
        others = drawn["key"] + target.array(constant)
        return MovedKeys(target, **drawn, others=others, constant=np.asarray(constant))

    return draw_case


def moved_values() -> Strategies:
    """Return strategies for attention and a row that is added to every value. Shrinks towards the row 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> MovedValues:
        drawn = draw(arrays(target, draw(counts())))
        constant = draw(vectors(draw(entries(target)), int(drawn["value"].shape[1])))
        others = drawn["value"] + target.array(constant)
        return MovedValues(target, **drawn, others=others, constant=np.asarray(constant))

    return draw_case


def projected() -> Strategies:
    """Return strategies for attention and a projection of the values. Shrinks towards a zero projection."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Projected:
        drawn = draw(arrays(target, draw(counts()), plain=True))
        matrix = draw(matrices(numbers(target, 4.0), int(drawn["value"].shape[1]), draw(widths)))
        others = drawn["value"] @ target.array(matrix)
        return Projected(target, **drawn, projection=np.asarray(matrix), others=others)

    return draw_case


def reordered_keys() -> Strategies:
    """Return strategies for attention and an order of its keys. Shrinks towards the order as it is."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Reordered:
        n = draw(counts())
        order = tuple(draw(st.permutations(range(n))))
        return Reordered(target, **draw(arrays(target, n)), order=order)

    return draw_case


def chosen_queries() -> Strategies:
    """Return strategies for attention and a choice of its queries, in any order, repeated or left out.

    Shrinks towards one query.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Reordered:
        drawn = draw(arrays(target, draw(counts())))
        lines = int(drawn["query"].shape[0])
        order: Sequence[int] = draw(st.lists(st.integers(0, lines - 1), min_size=1, max_size=5))
        return Reordered(target, **drawn, order=tuple(order))

    return draw_case
