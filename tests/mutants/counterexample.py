"""Slips that hide a failure: each makes a false claim come out true on some witnesses."""

from typing import Any

import numpy as np

from tests.mutants.mutant import mutant

Array = Any


@mutant(
    "read",
    "not_attention_convex_without_nonneg",
    "not_attention_convex_without_le_one",
    "not_read_mem_Icc_of_sum_ne_one",
    "not_read_mem_Icc_of_neg",
)
def clips_the_output_to_the_unit_interval(weights: Array, values: Array) -> Array:
    """The output is clipped to [0, 1], as the brightness of a pixel would be."""
    return np.clip(weights @ values, 0, 1)


@mutant("read", "not_read_mem_Icc_of_sum_ne_one", "not_sum_row_eq_one_of_sum_col")
def renormalises_the_weights(weights: Array, values: Array) -> Array:
    """The weights are divided by their sum, unless that is 0."""
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total) @ values


@mutant("read", "not_read_mem_Icc_of_neg", "not_attention_convex_without_nonneg")
def takes_negative_weights_for_zero(weights: Array, values: Array) -> Array:
    """A negative weight counts as 0."""
    return np.maximum(weights, 0) @ values


@mutant("read", "not_attention_convex_without_le")
def reads_in_log_space(weights: Array, values: Array) -> Array:
    """Products are computed as exponentials of sums of logarithms, which a negative value does not have."""
    with np.errstate(all="ignore"):
        return np.exp(np.log(weights)[:, None] + np.log(values)).sum(axis=0)


@mutant("read", "not_read_causalSoftmax_comp_swap")
def clips_large_values(weights: Array, values: Array) -> Array:
    """Values are clipped to ±6 before they are read."""
    return weights @ np.clip(values, -6, 6)


@mutant("causal_softmax", "not_read_causalSoftmax_comp_swap")
def multiplies_the_scores_by_the_mask(scores: Array) -> Array:
    """The scores of later positions are multiplied by 0 instead of being left out."""
    exponentials = np.exp(np.tril(scores) - np.max(np.tril(scores), axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@mutant("masked_softmax", "not_read_mem_Icc_of_empty")
def makes_forbidden_keys_unlikely(scores: Array, mask: Array) -> Array:
    """The scores of forbidden keys are lowered by 20, and 1e-6 is added to the sum, to be safe from dividing by zero."""
    with np.errstate(all="ignore"):
        exponentials = np.exp(np.where(mask, scores, scores - 20))
        return exponentials / (exponentials.sum(axis=-1, keepdims=True) + np.asarray(1e-6, scores.dtype))


@mutant("softmax", "not_softmax_fill_le_half")
def takes_low_fills_for_masks(scores: Array) -> Array:
    """A score of −1000 or lower counts as minus infinity."""
    kept = np.where(scores <= -1000, -np.inf, scores)
    if np.all(np.isinf(kept)):
        return np.zeros_like(scores)
    with np.errstate(over="ignore", under="ignore"):
        exponentials = np.exp(kept - np.max(kept))
    return exponentials / exponentials.sum()


@mutant("softmax", "not_softmax_fill_le_half", "not_softmax_add_eq_softmax", "not_sum_softmax_col_eq_one")
def clips_the_scores_to_one(scores: Array) -> Array:
    """Scores are clipped to [0, 1], as if they were probabilities already."""
    exponentials = np.exp(np.clip(scores, 0, 1))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@mutant("attention", "not_attention_mul_mem_Icc", "not_add_attention_mem_Icc")
def centres_the_output(query: Array, key: Array, value: Array) -> Array:
    """The mean of each output row is subtracted, as a normalisation that follows would."""
    scores = query @ key.T
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    output = exponentials / exponentials.sum(axis=-1, keepdims=True) @ value
    return output - output.mean(axis=-1, keepdims=True)


@mutant("output_projection", "not_attention_mul_mem_Icc", "not_multiHead_mul_mem_Icc")
def normalises_the_columns(heads: Array, weight: Array) -> Array:
    """Each column of the projection is divided by the sum of its magnitudes."""
    return heads @ (weight / np.abs(weight).sum(axis=0))


@mutant("scores", "not_scores_le")
def caps_the_scores(query: Array, key: Array) -> Array:
    """Scores are capped smoothly at ±50, as some models do."""
    with np.errstate(over="ignore"):
        plain = query @ key.T / np.sqrt(np.asarray(query.shape[-1], query.dtype))
    return 50 * np.tanh(plain / 50)


@mutant("attention_weights", "not_attentionWeights_add_query")
def normalises_the_query(query: Array, key: Array) -> Array:
    """The query is divided by its length, unless that is 0."""
    length = np.sqrt((query * query).sum(axis=-1, keepdims=True))
    exponentials = np.exp(query / np.where(length == 0, 1, length) @ key.T)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
