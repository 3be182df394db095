"""Random variables that may lack what theorems on variances ask of them.

Every variable is a function of one of a few independent factors, so that variables are independent exactly where their
factors differ. Everything shrinks towards signs, each a factor of its own.

* `other_variables`: draw them in place of those of a case.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from duizhao.strategies.random_variables import RandomVectors, Space, TwoVariables, Vector

LAWS = ((-1.0, 1.0), (0.0, 2.0), (-2.0, 2.0), (0.0, 0.0))
"""Two equally likely values each: signs; a mean that is not 0; a variance that is not 1; neither spread nor mean."""


@st.composite
def columns(draw: DrawFn, count: int) -> tuple[Vector, Vector]:
    """Draw `count` variables on a space of equally likely outcomes: `(N, count)` and the counts `(N,)`."""
    factors = [draw(st.sampled_from([own, *range(own)])) for own in range(count)]
    laws = [draw(st.sampled_from(LAWS)) for _ in range(count)]
    used = sorted(set(factors))
    bits = np.asarray(
        [[outcome >> place & 1 for place in range(len(used))] for outcome in range(2 ** len(used))]
    )
    return _of_factors(bits, [used.index(factor) for factor in factors], laws), np.ones(2 ** len(used))


def _of_factors(bits: Vector, places: Sequence[int], laws: Sequence[tuple[float, float]]) -> Vector:
    """Return the variables whose values are chosen by the bits at their places."""
    found = [np.asarray(law)[bits[:, place].astype(int)] for place, law in zip(places, laws, strict=True)]
    return np.column_stack(found)


@st.composite
def other_variables(draw: DrawFn, case: Space) -> Space:
    """Draw other variables for a case, on another space. Shrinks towards signs that are independent."""
    if isinstance(case, TwoVariables):
        values, counts = draw(columns(2))
        return replace(case, counts=counts, seed=0, x=values[:, 0], y=values[:, 1])
    if isinstance(case, RandomVectors):
        width = draw(st.integers(1, 2))
        values, counts = draw(columns(2 * width))
        return replace(case, counts=counts, seed=0, query=values[:, ::2], key=values[:, 1::2])
    return case
