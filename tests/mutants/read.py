"""Slips in the weighted sum of values."""

from typing import Any

import numpy as np

from tests.mutants.mutant import mutant

Array = Any


@mutant(
    "read",
    "attention_convex",
    "attention_convex_uIcc",
    "read_mem_of_convex",
    "read_mem_Icc",
    "read_mem_convexHull",
    "lt_read_of_pos",
    "read_const",
    "read_const_eq_read_const",
    "read_add_const",
    "map_read_mem_convexHull",
    "add_read_mem_convexHull",
)
def forgets_the_last_key(weights: Array, values: Array) -> Array:
    """The loop over the keys stops one too early."""
    return weights[:-1] @ values[:-1]


@mutant("read", "read_mem_Icc", "read_const", "map_read", "attention_convex", "norm_read_sub_le")
def sums_in_half_precision(weights: Array, values: Array) -> Array:
    """Weights and values are rounded to float16 before the sum."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return (weights.astype(np.float16) @ values.astype(np.float16)).astype(values.dtype)


@mutant("read", "read_softmax_fin_two", "read_softmax_fin_two_lt", "read_update_add")
def turns_the_keys_around(weights: Array, values: Array) -> Array:
    """The weights are taken in the opposite order of the values."""
    return weights[::-1] @ values


@mutant("read", "norm_read_sub_read_le", "read_mem_Icc", "read_lt_of_pos", "lt_read_of_pos", "read_mem_Ioo")
def adds_the_first_value(weights: Array, values: Array) -> Array:
    """The first value is added, as a residual path would."""
    return weights @ values + values[0]


@mutant("read", "map_read", "read_add_const", "read_update_add", "read_const", "read_softmax_fin_two_of_eq")
def clips_the_values(weights: Array, values: Array) -> Array:
    """Values are clipped to ±6 before they are read."""
    return weights @ np.clip(values, -6, 6)


@mutant("read", "read_zero")
def adds_a_small_number(weights: Array, values: Array) -> Array:
    """A small number, 1e-8 times the first weight, is added to the output."""
    return weights @ values + weights[0] * np.asarray(1e-8, dtype=values.dtype)
