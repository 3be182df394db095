"""Bugs in the factor that the dot products are multiplied by."""

import math

from tests.zoo import steps
from tests.zoo.steps import Array, Mask


def scale_twice(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The queries are scaled, and the scores once more."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale) * steps.factor(query, scale)
    return steps.read(steps.softmax(scores, steps.allowed(scores, mask, is_causal)), value)


def scale_missing(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,  # noqa: ARG001
    always: float = 1.0,
) -> Array:
    """The dot products are multiplied by a fixed number, by default one, whatever the width is and the caller says."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, always)
    return steps.read(steps.softmax(scores, steps.allowed(scores, mask, is_causal)), value)


def scale_model_width(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    model_width: int | None = None,
) -> Array:
    """The scale is taken from the width of the model, by default that of all heads together, not of one head."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    if scale is None:
        scale = 1 / math.sqrt(model_width or query.shape[1] * query.shape[-1])
    scores = steps.scores(query, key, scale)
    return steps.read(steps.softmax(scores, steps.allowed(scores, mask, is_causal)), value)
