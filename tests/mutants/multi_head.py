"""Slips in attention with several heads."""

from typing import Any

import numpy as np

from tests.mutants.mutant import mutant
from tests.zoo.steps import plain_softmax as normalised
from tests.zoo.steps import read

Array = Any


def outputs_of_heads(query: Array, key: Array, value: Array) -> Array:
    """Return attention of every head, `(h, L, e)`."""
    scale = np.asarray(query.shape[-1] ** -0.5, dtype=query.dtype)
    with np.errstate(all="ignore"):
        scores = (query * scale) @ np.swapaxes(key, -1, -2)
    return read(normalised(scores), value)


def side_by_side(heads: Array) -> Array:
    """Return the rows of all heads side by side."""
    return np.concatenate(list(heads), axis=-1)


@mutant("multi_head", "multiHead_mem_Icc", "multiHead_congr", "multiHead_mul")
def mixes_the_columns(query: Array, key: Array, value: Array) -> Array:
    """The columns of the heads are taken in turn, instead of head by head."""
    outputs = outputs_of_heads(query, key, value)
    return np.moveaxis(outputs, 0, -1).reshape(outputs.shape[1], -1)


@mutant("multi_head", "multiHead_mem_Icc", "multiHead_congr")
def forgets_to_move_the_heads(query: Array, key: Array, value: Array) -> Array:
    """The axis of heads is folded into the columns without being moved past that of the rows."""
    outputs = outputs_of_heads(query, key, value)
    return outputs.reshape(outputs.shape[1], -1)


@mutant("multi_head", "multiHead_congr", "multiHead_mul")
def shares_the_first_keys(query: Array, key: Array, value: Array) -> Array:
    """All heads read the keys of the first one."""
    return side_by_side(outputs_of_heads(query, np.broadcast_to(key[:1], key.shape), value))


@mutant("output_projection", "multiHead_mul")
def turns_the_rows_around(heads: Array, weight: Array) -> Array:
    """The rows of the output projection are taken in the opposite order."""
    return read(heads, weight[::-1])
