"""Right variants that compute the same thing in another way."""

import math

import numpy as np

from tests.zoo import steps
from tests.zoo.steps import Array, Mask
from tests.zoo.variant import variant


@variant(empty_row="zero", causal="bottom_right", mask="keep", heads="repeat")
def plain(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Every step as it is written in the formula."""
    return steps.attention(query, key, value, mask, is_causal=is_causal, scale=scale)


@variant(empty_row="zero")
def log_space(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The weights are the exponentials of scores less the logarithm of the sum of all exponentials."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)
    with np.errstate(all="ignore"):
        top = np.max(scores, axis=-1, keepdims=True, where=kept, initial=-np.inf)
        logarithm = np.log(steps.shifted(scores, kept).sum(axis=-1, keepdims=True))
        weights = np.where(kept, np.exp(scores - top - logarithm), scores.dtype.type(0))
    return steps.read(weights, value)


@variant(empty_row="zero")
def wider_inside(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Everything is computed in float64, and rounded once at the end."""
    wide_query, wide_key, wide_value = [array.astype(np.float64) for array in (query, key, value)]
    output = steps.attention(wide_query, wide_key, wide_value, mask, is_causal=is_causal, scale=scale)
    with np.errstate(over="ignore"):
        return output.astype(value.dtype)


@variant(empty_row="zero")
def divides_the_queries(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The queries are divided by the square root of the width, not multiplied by its inverse."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    if scale is None:
        scores = steps.products(query / query.dtype.type(math.sqrt(query.shape[-1])), key)
    else:
        scores = steps.scores(query, key, scale)
    return steps.read(steps.softmax(scores, steps.allowed(scores, mask, is_causal)), value)


@variant(empty_row="zero")
def scales_both(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Queries and keys are each multiplied by the square root of the scale, and the queries by its sign."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    root = query.dtype.type(math.sqrt(abs(factor)))
    scores = steps.products(query * query.dtype.type(math.copysign(root, factor)), key * root)
    return steps.read(steps.softmax(scores, steps.allowed(scores, mask, is_causal)), value)


@variant(empty_row="zero")
def einsum_order(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Both products are Einstein sums, added up in another order than that of a matrix product."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    with np.errstate(all="ignore"):
        scores = np.einsum("bhld,bhsd->bhls", query * steps.factor(query, scale), key)
        weights = steps.softmax(scores, steps.allowed(scores, mask, is_causal))
        return np.einsum("bhls,bhse->bhle", weights, value)


@variant(empty_row="zero")
def divides_last(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The values are read with the exponentials, and the output is divided by their sum."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    powers = steps.shifted(scores, steps.allowed(scores, mask, is_causal))
    total = powers.sum(axis=-1, keepdims=True)
    return steps.read(powers, value) / np.where(total == 0, total.dtype.type(1), total)


def online(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None,
    is_causal: bool,
    scale: float | None,
    block: int,
) -> Array:
    """(B, H, L, d), (B, G, S, d), (B, G, S, e) -> (B, H, L, e): the keys are read in blocks, with a running maximum."""
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
        total = total * moved + powers.sum(axis=-1, keepdims=True)
        output = output * moved + steps.read(powers, value[..., part, :])
        top = higher
    return output / np.where(total == 0, total.dtype.type(1), total)


@variant(empty_row="zero")
def key_by_key(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The keys are read one after the other, with a running maximum."""
    return online(query, key, value, mask, is_causal, scale, block=1)


@variant(empty_row="zero")
def block_by_block(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The keys are read three at a time, with a running maximum."""
    return online(query, key, value, mask, is_causal, scale, block=3)


@variant(empty_row="zero")
def last_key_first(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The keys are read from the last to the first, and so every sum is added up the other way round."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)[..., ::-1]
    return steps.read(steps.softmax(scores[..., ::-1], kept), value[..., ::-1, :])


@variant(empty_row="zero")
def one_query_at_a_time(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Each query reads the allowed keys alone, in a loop over samples, heads and queries."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    kept = steps.allowed(np.zeros((*query.shape[:-1], key.shape[-2])), mask, is_causal)
    output = np.zeros((*query.shape[:-1], value.shape[-1]), dtype=value.dtype)
    for sample, head, row in np.ndindex(query.shape[:-1]):
        chosen = kept[sample, head, row]
        if chosen.any():
            scores = steps.scores(query[sample, head, row : row + 1], key[sample, head, chosen], scale)
            output[sample, head, row] = steps.plain_softmax(scores)[0] @ value[sample, head, chosen]
    return output
