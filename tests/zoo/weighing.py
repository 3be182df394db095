"""Bugs in the softmax, and in the weights after it."""

import numpy as np

from tests.zoo import steps
from tests.zoo.steps import Array, Mask


def softmax_axis(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    axis: int = -2,
) -> Array:
    """The softmax runs along another axis than the keys, by default that of the queries."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)
    weights = steps.softmax(np.moveaxis(scores, axis, -1), np.moveaxis(kept, axis, -1))
    return steps.read(np.moveaxis(weights, -1, axis), value)


def no_max_shift(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The exponentials are those of the scores themselves, and overflow."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)
    with np.errstate(all="ignore"):
        powers = np.where(kept, np.exp(scores), scores.dtype.type(0))
        return steps.read(steps.normalised(powers), value)


def overflow_half(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The dot products are computed first and scaled afterwards, all in the dtype of the queries."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.products(query, key) * steps.factor(query, scale)
    with np.errstate(all="ignore"):
        return steps.read(steps.softmax(scores, steps.allowed(scores, mask, is_causal)), value)


def dropout_in_eval(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    rate: float = 0.1,
    seed: int | None = 0,
) -> Array:
    """Weights are dropped and the others raised, as in training; by default the same ones in every call."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    weights = steps.softmax(scores, steps.allowed(scores, mask, is_causal))
    stay = np.random.default_rng(seed).random(weights.shape) >= rate
    return steps.read(weights * stay.astype(weights.dtype) / weights.dtype.type(1 - rate), value)
