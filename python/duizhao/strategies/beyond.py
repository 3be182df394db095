"""Small numbers for what comes after one read: exact in every dtype, so that what goes wrong is no rounding.

Everything shrinks towards one key, weights of 1, and values of 0.
"""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

Numbers = Mapping[str, Any]

WEIGHTS = st.sampled_from([[1.0], [0.5, 0.5], [0.25, 0.75], [0.75, 0.25]])
VALUE = st.sampled_from([0.0, 1.0])
ENTRY = st.sampled_from([0.0, 1.0, 2.0, -1.0, -2.0])
SHARE = st.sampled_from([0.0, 1.0, 0.5])


def matrix(entry: SearchStrategy[float], rows: int, columns: int) -> SearchStrategy[list[list[float]]]:
    """Draw a matrix of entries. Shrinks towards the first entry everywhere."""
    row = st.lists(entry, min_size=columns, max_size=columns)
    return st.lists(row, min_size=rows, max_size=rows)


@st.composite
def one_read(draw: DrawFn, *, keys: int | None = None) -> tuple[list[float], list[list[float]]]:
    """Draw weights on the simplex and values in [0, 1] of one or two coordinates. Shrinks towards one key with value 0."""
    weights = draw(WEIGHTS if keys is None else WEIGHTS.filter(lambda drawn: len(drawn) == keys))
    return weights, draw(matrix(VALUE, len(weights), draw(st.integers(1, 2))))


@st.composite
def projection(draw: DrawFn) -> Numbers:
    """Draw a read and a projection. Shrinks towards the projection 0."""
    weights, values = draw(one_read())
    return {"weights": weights, "values": values, "projection": draw(matrix(ENTRY, len(values[0]), 1))}


@st.composite
def residual(draw: DrawFn) -> Numbers:
    """Draw a read and a residual. Shrinks towards the residual 0."""
    weights, values = draw(one_read())
    width = len(values[0])
    return {
        "weights": weights,
        "values": values,
        "residual": draw(st.lists(ENTRY, min_size=width, max_size=width)),
    }


@st.composite
def heads(draw: DrawFn) -> Numbers:
    """Draw two heads of one coordinate, and shares in [0, 1] with which they are added. Shrinks towards shares of 0."""
    first, second = draw(one_read()), draw(one_read())
    return {
        "weights of head 1": first[0],
        "values of head 1": [[row[0]] for row in first[1]],
        "weights of head 2": second[0],
        "values of head 2": [[row[0]] for row in second[1]],
        "projection": draw(matrix(SHARE, 2, 1)),
    }


@st.composite
def float16(draw: DrawFn) -> Numbers:
    """Draw equal scores of some keys, and one value in [0, 1] for all of them. Shrinks towards one key with value 0."""
    keys = draw(st.integers(1, 16))
    value = draw(st.sampled_from([0.0, 1.0, 0.5, 0.75]))
    return {"scores": [0.0] * keys, "values": [[value]] * keys}


@st.composite
def two_layers(draw: DrawFn) -> Numbers:
    """Draw a layer of two queries, a second layer over its outputs, and a projection between them.

    Shrinks towards the projection 0.
    """
    rows = st.sampled_from([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    return {
        "weights of layer 1": [draw(rows), draw(rows)],
        "values": draw(matrix(VALUE, 2, 1)),
        "projection": [[draw(ENTRY)]],
        "weights of layer 2": draw(rows),
    }
