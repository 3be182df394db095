"""Slips that change the numbers of a worked example, alone or in a batch."""

import math
from typing import Any

import numpy as np

from tests.mutants.mutant import mutant

Array = Any


def first_sequence(rows: Array) -> Array:
    """Return rows in which every sequence of a batch is the first one."""
    first = rows[(0,) * (rows.ndim - 2)]
    return np.broadcast_to(first, rows.shape)


def weights_of(query: Array, key: Array, scale: float) -> Array:
    """Return softmax of the scores along the keys."""
    scores = query @ np.swapaxes(key, -1, -2) * np.asarray(scale, dtype=query.dtype)
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@mutant("project", "redKey_queries", "redKey_keys", "redKey_values")
def projects_the_first_sequence(rows: Array, parameters: Array) -> Array:
    """Every sequence of a batch gets the projection of the first one."""
    return first_sequence(rows) @ parameters


@mutant("scores", "redKey_dots")
def compares_with_the_first_sequence(query: Array, key: Array, *, scale: float | None = None) -> Array:
    """The queries of every sequence of a batch are compared with the keys of the first one."""
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    return query @ np.swapaxes(first_sequence(key), -1, -2) * np.asarray(factor, dtype=query.dtype)


@mutant(
    "attention_weights",
    "redKey_weights",
    "r_mem_Ioo",
    "abs_redKey_weights_sub_le",
    "oneQuery_weights",
    "abs_oneQuery_sub_le",
)
def takes_the_second_axis_for_the_width(query: Array, key: Array) -> Array:
    """The width is read from the second axis of the shape, which is the length once there is a batch."""
    return weights_of(query, key, 1 / math.sqrt(query.shape[1]))


@mutant("attention_weights", "redKey_weights", "r_mem_Ioo", "oneQuery_weights")
def keeps_the_scale_in_half_precision(query: Array, key: Array) -> Array:
    """The scale is stored in float16."""
    return weights_of(query, key, float(np.float16(1 / math.sqrt(query.shape[-1]))))


@mutant(
    "attention",
    "redKey_output",
    "abs_redKey_output_sub_le",
    "oneQuery_output",
    "abs_oneQuery_sub_le",
)
def reads_the_values_of_the_first_sequence(query: Array, key: Array, value: Array) -> Array:
    """Every sequence of a batch reads the values of the first one."""
    return weights_of(query, key, 1 / math.sqrt(query.shape[-1])) @ first_sequence(value)


@mutant("read", "twoValues", "twoValues_exercise")
def reads_with_the_first_weights(weights: Array, values: Array) -> Array:
    """Every row reads with the weights of the first one."""
    return np.broadcast_to(weights.reshape(-1, weights.shape[-1])[0], weights.shape) @ values
