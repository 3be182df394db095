"""Bugs in rows with no allowed key."""

import numpy as np

from tests.zoo import steps
from tests.zoo.steps import Array, Mask


def empty_row_nan(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Scores that are not allowed become -inf, and an empty row is -inf less -inf."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)
    filled = np.where(kept, scores, scores.dtype.type(-np.inf))
    return steps.read(steps.plain_softmax(filled), value)


def empty_row_uniform(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    fill: float | None = None,
) -> Array:
    """Scores that are not allowed become a finite number, by default the lowest: alone in a row, it is the largest."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)
    low = np.finfo(scores.dtype).min if fill is None else fill
    filled = np.where(kept, scores, scores.dtype.type(low))
    return steps.read(steps.plain_softmax(filled), value)
