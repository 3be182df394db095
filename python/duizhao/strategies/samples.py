"""Strategies for random variables on finite spaces, and for seeds of samples of them.

Everything shrinks towards one query coordinate and one key coordinate that are signs.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from math import prod

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from duizhao.strategies.case import Target
from duizhao.strategies.random_variables import RandomVectors, TwoVariables, Vector

Law = tuple[tuple[float, float], ...]
"""Values, each with how often it is counted."""


@cache
def laws(kinds: int = 5) -> SearchStrategy[Law]:
    """Draw a law of mean 0 and variance 1, among the first `kinds`: signs, skewed, with a 0, or rare and far.

    All values are powers of two, so that few digits hold products and sums of them. Shrinks towards signs.
    """
    known: Sequence[Law] = (
        ((-1.0, 1.0), (1.0, 1.0)),
        ((2.0, 1.0), (-0.5, 4.0)),
        ((-4.0, 1.0), (0.25, 16.0)),
        ((-2.0, 1.0), (0.0, 6.0), (2.0, 1.0)),
        ((-1.0, 11.0), (1.0, 11.0), (2.0, 2.0), (-0.5, 8.0)),
    )
    return st.sampled_from(known[:kinds])


def on_product(chosen: Sequence[Law]) -> tuple[Vector, Vector]:
    """Return the outcomes of independent variables, `(N, k)`, and their counts, `(N,)`."""
    outcomes = list(product(*chosen))
    values = [[value for value, _ in outcome] for outcome in outcomes]
    counts = [prod(count for _, count in outcome) for outcome in outcomes]
    return np.asarray(values, dtype=np.float64), np.asarray(counts, dtype=np.float64)


@cache
def seeds() -> SearchStrategy[int]:
    """Draw the seed of a sample. Shrinks towards 0."""
    return st.integers(0, 2**32 - 1)


def two_variables(*, widest: int = 1) -> Callable[[Target], SearchStrategy[TwoVariables]]:
    """Return strategies for two independent variables of mean 0 and variance 1. Shrinks towards two signs."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> TwoVariables:
        values, counts = on_product([draw(laws()), draw(laws())])
        width = draw(st.integers(1, widest))
        return TwoVariables(target, counts, draw(seeds()), values[:, 0], values[:, 1], width)

    return draw_case


def random_vectors(*, scaled: bool) -> Callable[[Target], SearchStrategy[RandomVectors]]:
    """Return strategies for a query and a key of independent coordinates of mean 0 and variance 1, up to three.

    Of signs, there is besides a third coordinate that is the product of the other two: any two pairs are independent, but
    not all three. Shrinks towards one coordinate that is a sign.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> RandomVectors:
        width = draw(st.integers(1, 3))
        pairwise = width == 3 and draw(st.booleans())
        free = 4 if pairwise else 2 * width
        kinds = 1 if pairwise else 5 if width == 1 else 3
        values, counts = on_product([draw(laws(kinds)) for _ in range(free)])
        query, key = values[:, ::2], values[:, 1::2]
        if pairwise:
            query, key = (np.column_stack([part, part.prod(axis=1)]) for part in (query, key))
        return RandomVectors(target, counts, draw(seeds()), query, key, scaled)

    return draw_case
