"""Bugs in reading the keys block by block."""

import numpy as np

from tests.zoo import steps
from tests.zoo.steps import Array, Mask


def blockwise_no_rescale(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    block: int = 1,
    total_too: bool = False,
) -> Array:
    """When the largest score so far moves, the sum of the values read so far is not rescaled with it."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)
    top = np.full((*scores.shape[:-1], 1), -np.inf, dtype=scores.dtype)
    total = np.zeros_like(top)
    output = np.zeros((*scores.shape[:-1], value.shape[-1]), dtype=value.dtype)
    for start in range(0, scores.shape[-1], block):
        part = slice(start, start + block)
        with np.errstate(all="ignore"):
            higher = np.max(scores[..., part], axis=-1, keepdims=True, where=kept[..., part], initial=-np.inf)
            higher = np.maximum(top, higher)
            powers = np.where(kept[..., part], np.exp(scores[..., part] - higher), scores.dtype.type(0))
            moved = np.where(top == -np.inf, top.dtype.type(0), np.exp(top - higher))
        total = (total if total_too else total * moved) + powers.sum(axis=-1, keepdims=True)
        output = output + steps.read(powers, value[..., part, :])
        top = higher
    return output / np.where(total == 0, total.dtype.type(1), total)
