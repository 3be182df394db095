"""Small numbers for what comes after one read: exact in every dtype, so that what goes wrong is no rounding.

Each strategy is for a number of keys. Everything shrinks towards what changes nothing, and values of 0.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

Numbers = Mapping[str, Any]

PARTS = 4
"""Weights are whole multiples of a quarter."""

VALUE = st.sampled_from([0.0, 1.0])
FACTOR = st.sampled_from([1.0, 2.0, -1.0, 0.0, -2.0])
ENTRY = st.sampled_from([0.0, 1.0, 2.0, -1.0, -2.0])
SHARE = st.sampled_from([1.0, 0.5, 0.0])
QUARTERS = st.integers(0, 32).map(lambda whole: whole / 4)


def matrix(entry: SearchStrategy[float], rows: int, columns: int) -> SearchStrategy[list[list[float]]]:
    """Draw a matrix of entries. Shrinks towards the first entry everywhere."""
    row = st.lists(entry, min_size=columns, max_size=columns)
    return st.lists(row, min_size=rows, max_size=rows)


@st.composite
def weights(draw: DrawFn, keys: int) -> Sequence[float]:
    """Draw weights that are not negative and sum to one. Shrinks towards the last key alone."""
    cuts = sorted(draw(st.lists(st.integers(0, PARTS), min_size=keys - 1, max_size=keys - 1)))
    return [(b - a) / PARTS for a, b in zip([0, *cuts], [*cuts, PARTS], strict=True)]


@st.composite
def projection(draw: DrawFn, keys: int) -> Numbers:
    """Draw a read and a projection. Shrinks towards a projection that leaves everything as it is."""
    width = draw(st.integers(1, 2))
    return {
        "weights": draw(weights(keys)),
        "values": draw(matrix(VALUE, keys, width)),
        "projection": draw(matrix(FACTOR, width, 1)),
    }


@st.composite
def residual(draw: DrawFn, keys: int) -> Numbers:
    """Draw a read and a residual. Shrinks towards the residual 0."""
    width = draw(st.integers(1, 2))
    return {
        "weights": draw(weights(keys)),
        "values": draw(matrix(VALUE, keys, width)),
        "residual": draw(st.lists(ENTRY, min_size=width, max_size=width)),
    }


@st.composite
def heads(draw: DrawFn, keys: int) -> Numbers:
    """Draw two heads of one coordinate, and shares in [0, 1] with which they are added. Shrinks towards shares of 1."""
    return {
        "weights of head 1": draw(weights(keys)),
        "values of head 1": draw(matrix(VALUE, keys, 1)),
        "weights of head 2": draw(weights(keys)),
        "values of head 2": draw(matrix(VALUE, keys, 1)),
        "projection": draw(matrix(SHARE, 2, 1)),
    }


@st.composite
def float16(draw: DrawFn, keys: int) -> Numbers:
    """Draw scores of some keys, the first one 0, and one value in [0, 1] for all of them. Shrinks towards scores of 0."""
    others = draw(st.lists(QUARTERS, min_size=keys - 1, max_size=keys - 1))
    value = draw(st.sampled_from([0.0, 1.0, 0.5, 0.75]))
    return {"scores": [0.0, *others], "values": [[value]] * keys}


@st.composite
def two_layers(draw: DrawFn, keys: int) -> Numbers:
    """Draw a layer, a second one over its outputs, and a projection between them. Shrinks towards one that does nothing.

    There are as many queries in the first layer as keys.
    """
    return {
        "weights of layer 1": [draw(weights(keys)) for _ in range(keys)],
        "values": draw(matrix(VALUE, keys, 1)),
        "projection": [[draw(FACTOR)]],
        "weights of layer 2": draw(weights(keys)),
    }
