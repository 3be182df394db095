"""Strategies for several heads.

Everything shrinks towards one head, one query, one key, width 1, and numbers near 0.
"""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from duizhao.strategies.attentions import Matrix, Strategies, few_keys, lengths, matrices, operands, widths
from duizhao.strategies.case import Target
from duizhao.strategies.heads import BoundedHeads, OtherHeads, ProjectedHeads
from duizhao.strategies.reads import bounds_of, entries
from duizhao.strategies.scores import numbers, sizes

Shape = tuple[int, int, int, int, int]

head_counts = sizes((1, 2, 3))
"""A number of heads. Shrinks towards 1."""


@st.composite
def shapes(draw: DrawFn) -> Shape:
    """Draw the numbers of heads, queries and keys, and the widths of keys and of values. Shrinks towards 1 for each."""
    return draw(head_counts), draw(lengths), draw(few_keys), draw(widths), draw(widths)


@st.composite
def head_lists(draw: DrawFn, target: Target, shape: Shape, *, plain: bool = False) -> dict[str, list[Matrix]]:
    """Draw queries, keys and values of every head, each of a kind of its own. Shrinks towards numbers near 0.

    With `plain`, values are moderate, so that they can be projected.
    """
    heads, lines, n, width, columns = shape
    found: dict[str, list[Matrix]] = {"query": [], "key": [], "value": []}
    for _ in range(heads):
        query, key = draw(operands(target, lines, n, width))
        entry = numbers(target, 16.0) if plain else draw(entries(target))
        for name, matrix in (("query", query), ("key", key), ("value", draw(matrices(entry, n, columns)))):
            found[name].append(matrix)
    return found


def _arrays(target: Target, lists: dict[str, list[Matrix]]) -> dict[str, Any]:
    """Return lists as arrays of the library."""
    return {name: target.array(matrices_of_heads) for name, matrices_of_heads in lists.items()}


def bounded_heads() -> Strategies:
    """Return strategies for heads with bounds on the values of one: the closest ones, or looser. Shrinks towards one head.

    The other heads have values of their own size, often far outside.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> BoundedHeads:
        shape = draw(shapes())
        lists = draw(head_lists(target, shape))
        head = draw(st.integers(0, shape[0] - 1))
        low, high = bounds_of(target, target.array(lists["value"][head]), looser=draw(st.booleans()))
        return BoundedHeads(target, **_arrays(target, lists), head=head, lower_bound=low, upper_bound=high)

    return draw_case


def other_heads() -> Strategies:
    """Return strategies for heads, and others with one head in common. Shrinks towards one head."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> OtherHeads:
        shape = draw(shapes())
        lists, others = draw(head_lists(target, shape)), draw(head_lists(target, shape))
        head = draw(st.integers(0, shape[0] - 1))
        for name, own in lists.items():
            others[name][head] = own[head]
        changed = {f"other_{name}": array for name, array in _arrays(target, others).items()}
        return OtherHeads(target, **_arrays(target, lists), head=head, **changed)

    return draw_case


def projected_heads() -> Strategies:
    """Return strategies for heads and an output projection. Shrinks towards one head and a zero projection."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> ProjectedHeads:
        shape = draw(shapes())
        lists = draw(head_lists(target, shape, plain=True))
        projection = draw(matrices(numbers(target, 4.0), shape[0] * shape[4], draw(widths)))
        return ProjectedHeads(target, **_arrays(target, lists), projection=np.asarray(projection))

    return draw_case
