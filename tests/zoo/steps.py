"""The steps of a right attention function, on NumPy arrays of (batch, heads, length, width).

A bug of the zoo writes the one step in which it is wrong itself, and takes the others from here.
"""

import math
from typing import Any

import numpy as np

Array = Any
Mask = Any


def factor(query: Array, scale: float | None) -> Any:
    """(B, H, L, d) -> the number that a dot product is multiplied by, in the dtype of the queries."""
    return query.dtype.type(1 / math.sqrt(query.shape[-1]) if scale is None else scale)


def products(query: Array, key: Array) -> Array:
    """(B, H, L, d), (B, H, S, d) -> (B, H, L, S): the dot products."""
    with np.errstate(all="ignore"):
        return query @ key.swapaxes(-1, -2)


def scores(query: Array, key: Array, scale: float | None) -> Array:
    """(B, H, L, d), (B, H, S, d) -> (B, H, L, S): the scaled dot products."""
    return products(query * factor(query, scale), key)


def repeated(key: Array, query: Array) -> Array:
    """(B, G, S, d), (B, H, L, d) -> (B, H, S, d): each key head for as many query heads in a row as it serves."""
    return np.repeat(key, query.shape[1] // key.shape[1], axis=1)


def bottom_right(length: int, keys: int) -> Mask:
    """-> (L, S): the causal mask under which the last query reads every key."""
    return np.tri(length, keys, keys - length, dtype=bool)


def allowed(scores: Array, mask: Mask | None, is_causal: bool) -> Mask:
    """(B, H, L, S) -> (B, H, L, S): which query may read which key; True keeps."""
    kept = np.ones(scores.shape, dtype=bool)
    if mask is not None:
        kept &= mask
    return kept & bottom_right(*scores.shape[-2:]) if is_causal else kept


def shifted(scores: Array, kept: Mask) -> Array:
    """(B, H, L, S), (B, H, L, S) -> (B, H, L, S): exp of the scores less the row's largest; 0 where not kept."""
    with np.errstate(all="ignore"):
        top = np.max(scores, axis=-1, keepdims=True, where=kept, initial=-np.inf)
        return np.where(kept, np.exp(scores - top), scores.dtype.type(0))


def normalised(powers: Array) -> Array:
    """(..., S) -> (..., S): the entries over their sum; 0 where the sum is 0."""
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, total.dtype.type(1), total)


def softmax(scores: Array, kept: Mask) -> Array:
    """(B, H, L, S), (B, H, L, S) -> (B, H, L, S): weights that sum to one over the kept keys; 0 in an empty row."""
    return normalised(shifted(scores, kept))


def plain_softmax(scores: Array) -> Array:
    """(..., S) -> (..., S): softmax as a library has it, with no mask."""
    with np.errstate(all="ignore"):
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)


def read(weights: Array, value: Array) -> Array:
    """(B, H, L, S), (B, H, S, e) -> (B, H, L, e): the weighted sums of the values."""
    with np.errstate(all="ignore"):
        return weights @ value


def attention(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """(B, H, L, d), (B, G, S, d), (B, G, S, e) -> (B, H, L, e): attention without a fault.

    An empty row gives 0, True keeps, the causal mask is aligned at the bottom right, and key heads are repeated.
    """
    key, value = repeated(key, query), repeated(value, query)
    all_scores = scores(query, key, scale)
    return read(softmax(all_scores, allowed(all_scores, mask, is_causal)), value)
