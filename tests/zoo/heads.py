"""Bugs in which key head a query head reads."""

import numpy as np

from tests.zoo import steps
from tests.zoo.steps import Array, Mask


def tiled(key: Array, query: Array) -> Array:
    """(B, G, S, d), (B, H, L, d) -> (B, H, S, d): all key heads in order, again and again."""
    return np.tile(key, (1, query.shape[1] // key.shape[1], 1, 1))


def gqa_tile(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The key heads are tiled over the query heads, not repeated: neighbours do not share one."""
    key, value = tiled(key, query), tiled(value, query)
    scores = steps.scores(query, key, scale)
    return steps.read(steps.softmax(scores, steps.allowed(scores, mask, is_causal)), value)


def keys_repeated_values_tiled(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The key heads are repeated and the value heads are tiled: a query head weighs one head and reads another."""
    key, value = steps.repeated(key, query), tiled(value, query)
    scores = steps.scores(query, key, scale)
    return steps.read(steps.softmax(scores, steps.allowed(scores, mask, is_causal)), value)
