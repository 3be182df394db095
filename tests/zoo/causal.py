"""Bugs in the causal mask."""

import numpy as np

from tests.zoo import steps
from tests.zoo.steps import Array, Mask


def causal_top_left(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The first query reads the first key alone, even where the queries are the last ones of the sequence."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal=False)
    if is_causal:
        length, keys = scores.shape[-2:]
        kept = kept & np.tri(length, keys, dtype=bool)
    return steps.read(steps.softmax(scores, kept), value)


def causal_dropped(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    shortest: int = 0,
) -> Array:
    """The flag is not looked at, by default with any number of keys, else with at least as many as given."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal=is_causal and key.shape[-2] < shortest)
    return steps.read(steps.softmax(scores, kept), value)


def causal_sees_next(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    ahead: int = 1,
) -> Array:
    """The diagonal of the causal mask is off, by default by one position."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal=False)
    if is_causal:
        length, keys = scores.shape[-2:]
        kept = kept & np.tri(length, keys, keys - length + ahead, dtype=bool)
    return steps.read(steps.softmax(scores, kept), value)
