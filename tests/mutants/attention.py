"""Slips in attention."""

from typing import Any

import numpy as np

from tests.mutants.mutant import mutant
from tests.zoo.steps import plain_softmax as normalised
from tests.zoo.steps import read

Array = Any


def scaled(query: Array, key: Array, power: float = -0.5) -> Array:
    """Return dot products times a power of the width."""
    factor = np.asarray(query.shape[-1] ** power, dtype=query.dtype)
    with np.errstate(all="ignore"):
        return (query * factor) @ key.T


@mutant("attention_weights", "log_attentionWeights_div")
def forgets_the_scale(query: Array, key: Array) -> Array:
    """The dot products are not divided by the square root of the width."""
    return normalised(scaled(query, key, 0.0))


@mutant("attention_weights", "log_attentionWeights_div")
def divides_scores_by_the_width(query: Array, key: Array) -> Array:
    """The dot products are divided by the width instead of its square root."""
    return normalised(scaled(query, key, -1.0))


@mutant("attention_weights", "attentionWeights_mem_stdSimplex", "attentionWeights_of_query_eq_zero")
def guards_every_row(query: Array, key: Array) -> Array:
    """A small number, 1e-9, is added to each row's sum, to be safe from dividing by zero."""
    weights = normalised(scaled(query, key))
    return weights / (1 + np.asarray(1e-9, dtype=weights.dtype))


@mutant("attention_weights", "attentionWeights_mem_stdSimplex", "attentionWeights_of_query_eq_zero")
def normalises_weights_over_the_queries(query: Array, key: Array) -> Array:
    """The softmax runs along the queries instead of the keys."""
    return normalised(scaled(query, key).T).T


@mutant("attention_weights", "attentionWeights_of_query_eq_zero", "log_attentionWeights_div")
def prefers_the_first_keys(query: Array, key: Array) -> Array:
    """A bias for the distance of the key is added to the scores."""
    scores = scaled(query, key)
    return normalised(scores - np.arange(len(key)).astype(scores.dtype) / 8)


@mutant("attention_weights", "attentionWeights_add_key", "log_attentionWeights_div")
def clips_the_keys(query: Array, key: Array) -> Array:
    """Keys are clipped to ±2 before the scores are computed."""
    return normalised(scaled(query, np.clip(key, -2, 2)))


@mutant(
    "attention",
    "attention_mem_Icc",
    "attention_mem_convexHull",
    "attention_attention_mem_Icc",
    "attention_add_row",
    "attention_mul_mem_Icc",
)
def reads_one_key_less(query: Array, key: Array, value: Array) -> Array:
    """The loop over the keys stops one too early, after the weights were normalised over all of them."""
    return read(normalised(scaled(query, key))[:, :-1], value[:-1])


@mutant("attention", "attention_add_row", "attention_mul")
def clips_what_it_reads(query: Array, key: Array, value: Array) -> Array:
    """Values are clipped to ±6 before they are read."""
    return read(normalised(scaled(query, key)), np.clip(value, -6, 6))


@mutant("attention", "attention_zero")
def adds_a_small_share(query: Array, key: Array, value: Array) -> Array:
    """A small number, 1e-8 times the first weight, is added to the output."""
    weights = normalised(scaled(query, key))
    return read(weights, value) + weights[:, :1] * np.asarray(1e-8, dtype=value.dtype)


@mutant("attention", "attention_submatrix_keys", "selfAttention_submatrix", "maskedAttention_univ")
def prefers_near_keys(query: Array, key: Array, value: Array) -> Array:
    """A bias for the distance of the key is added to the scores, as positions would."""
    scores = scaled(query, key)
    return read(normalised(scores - np.arange(len(key)).astype(scores.dtype) / 8), value)


@mutant("attention", "attention_submatrix_queries", "attention_submatrix_keys", "selfAttention_submatrix")
def masks_the_future(query: Array, key: Array, value: Array) -> Array:
    """A causal mask is applied that nobody asked for."""
    scores = np.where(np.tri(len(query), len(key), dtype=np.bool_), scaled(query, key), -np.inf)
    return read(normalised(scores), value)


@mutant("attention", "maskedAttention_univ")
def shares_one_shift(query: Array, key: Array, value: Array) -> Array:
    """The largest score of all queries is subtracted, instead of each row's own, and sums of 0 are taken as 1."""
    scores = scaled(query, key)
    with np.errstate(all="ignore"):
        powers = np.exp(scores - scores.max())
        sums = powers.sum(axis=-1, keepdims=True)
        return read(powers / np.where(sums == 0, 1, sums).astype(sums.dtype), value)


@mutant("masked_attention", "maskedAttention_mem_convexHull")
def masks_with_a_large_number(query: Array, key: Array, value: Array, mask: Array) -> Array:
    """Keys that are not allowed get a score that is lower by 100, which large scores outweigh."""
    with np.errstate(all="ignore"):
        scores = scaled(query, key) - np.where(mask, 0, 100).astype(query.dtype)
    return read(normalised(scores), value)


@mutant("masked_attention", "maskedAttention_mem_convexHull")
def masks_after_softmax(query: Array, key: Array, value: Array, mask: Array) -> Array:
    """Weights of keys that are not allowed are set to 0, and the others are not normalised again."""
    return read(np.where(mask, normalised(scaled(query, key)), 0).astype(value.dtype), value)


@mutant("masked_attention", "maskedAttention_causal_congr", "maskedAttention_mem_convexHull")
def allows_one_key_more(query: Array, key: Array, value: Array, mask: Array) -> Array:
    """The key after an allowed one is allowed too."""
    wider = mask.copy()
    wider[:, 1:] |= mask[:, :-1]
    return masks_in_the_scores(query, key, value, wider)


@mutant("masked_attention", "maskedAttention_univ")
def scales_by_the_width(query: Array, key: Array, value: Array, mask: Array) -> Array:
    """The masked path divides by the width instead of its square root."""
    return masks_in_the_scores(query / np.sqrt(query.shape[-1]).astype(query.dtype), key, value, mask)


def masks_in_the_scores(query: Array, key: Array, value: Array, mask: Array) -> Array:
    """Return masked attention; rows without any key are zeros."""
    weights = normalised(np.where(mask, scaled(query, key), -np.inf))
    return read(np.where(mask.any(axis=-1, keepdims=True), weights, 0).astype(value.dtype), value)
