"""Strategies for self-attention: queries, keys and values that are projections of the same rows.

Everything shrinks towards one row, width 1, and numbers near 0.
"""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from duizhao.strategies.attending import Later, SelfAttending
from duizhao.strategies.attentions import Matrix, Strategies, few_keys, matrices, widths
from duizhao.strategies.case import Target
from duizhao.strategies.scores import numbers


@st.composite
def self_arrays(draw: DrawFn, target: Target, n: int) -> tuple[Matrix, dict[str, Any]]:
    """Draw input rows, and them with projections as arrays. Shrinks towards equal rows near 0."""
    width, inner, columns = draw(widths), draw(widths), draw(widths)
    size = draw(st.sampled_from([1.0, 2.0, 4.0]))
    inputs = draw(matrices(numbers(target, size), n, width))
    weight = numbers(target, 1.0)
    return inputs, {
        "inputs": target.array(inputs),
        "query_projection": target.array(draw(matrices(weight, width, inner))),
        "key_projection": target.array(draw(matrices(weight, width, inner))),
        "value_projection": target.array(draw(matrices(weight, width, columns))),
    }


def reordered_inputs() -> Strategies:
    """Return strategies for self-attention and an order of its rows. Shrinks towards the order as it is."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> SelfAttending:
        n = draw(few_keys)
        _, drawn = draw(self_arrays(target, n))
        return SelfAttending(target, **drawn, order=tuple(draw(st.permutations(range(n)))))

    return draw_case


def later_inputs() -> Strategies:
    """Return strategies for self-attention and the same with any other rows after one of them. Shrinks towards one row.

    The other rows are often far larger, so that they would win any read that saw them.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Later:
        n = draw(few_keys)
        inputs, drawn = draw(self_arrays(target, n))
        row = draw(st.integers(0, n - 1))
        size = draw(st.sampled_from([1.0, 64.0]))
        later = draw(matrices(numbers(target, size), n - 1 - row, len(inputs[0]))) if row < n - 1 else []
        others = target.array(inputs[: row + 1] + later)
        return Later(target, **drawn, others=others, row=row)

    return draw_case
