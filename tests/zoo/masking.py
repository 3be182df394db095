"""Bugs in how a mask is applied."""

import numpy as np

from tests.zoo import steps
from tests.zoo.steps import Array, Mask


def mask_polarity(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """What is kept and what is dropped are exchanged."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)
    if mask is not None or is_causal:
        kept = ~kept
    return steps.read(steps.softmax(scores, kept), value)


def mask_added_as_01(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    strength: float = 1.0,
) -> Array:
    """The boolean mask is added to the scores, as ones and zeros."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)
    added = kept.astype(scores.dtype) * scores.dtype.type(strength)
    return steps.read(steps.plain_softmax(scores + added), value)


def mask_after_softmax(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Weights that are not allowed are put to zero after the softmax, and the others are left as they are."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)
    return steps.read(steps.plain_softmax(scores) * kept.astype(scores.dtype), value)


def mask_times_score(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The scores are multiplied by the mask: a key that is not allowed has the score 0."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)
    return steps.read(steps.plain_softmax(scores * kept.astype(scores.dtype)), value)


def infinity_times_zero(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """One less the mask is multiplied by -inf and added: zero times infinity is not a number."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    if mask is not None or is_causal:
        kept = steps.allowed(scores, mask, is_causal).astype(scores.dtype)
        with np.errstate(all="ignore"):
            scores = scores + (1 - kept) * scores.dtype.type(-np.inf)
    return steps.read(steps.plain_softmax(scores), value)


def batch_mask_first(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    sample: int = 0,
) -> Array:
    """The mask of one sample, by default the first, is used for the whole batch."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    if mask is not None:
        mask = np.broadcast_to(mask, scores.shape)[sample]
    return steps.read(steps.softmax(scores, steps.allowed(scores, mask, is_causal)), value)
