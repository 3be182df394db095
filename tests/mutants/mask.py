"""Slips in masked softmax, in causal softmax, and in softmax of filled scores."""

from typing import Any

import numpy as np

from tests.mutants.mutant import mutant

Array = Any


def quotient(exponentials: Array, total: Array) -> Array:
    """Return exponentials over their sum; 0 where the sum is 0."""
    return exponentials / np.where(total == 0, np.ones_like(total), total)


def over(scores: Array, mask: Array) -> Array:
    """Return softmax over the allowed keys, along the last axis."""
    with np.errstate(all="ignore"):
        kept = np.where(mask, scores, np.full_like(scores, -np.inf))
        largest = kept.max(axis=-1, keepdims=True)
        exponentials = np.exp(kept - np.where(np.isfinite(largest), largest, np.zeros_like(largest)))
        return quotient(exponentials, exponentials.sum(axis=-1, keepdims=True))


@mutant(
    "masked_softmax",
    "maskedSoftmax_of_notMem",
    "maskedSoftmax_pos_iff",
    "maskedSoftmax_singleton",
    "maskedSoftmax_univ",
    "sum_maskedSoftmax_eq_one",
    "maskedSoftmax_congr",
    "read_maskedSoftmax_mem_convexHull",
)
def drops_instead_of_keeps(scores: Array, mask: Array) -> Array:
    """The mask is taken the other way round: True drops."""
    return over(scores, ~mask)


@mutant(
    "masked_softmax",
    "maskedSoftmax_empty",
    "maskedSoftmax_of_notMem",
    "maskedSoftmax_pos_iff",
    "maskedSoftmax_singleton",
)
def fills_with_a_finite_score(scores: Array, mask: Array) -> Array:
    """Scores that are not allowed are replaced by −10000, not by −∞."""
    return over(np.where(mask, scores, np.asarray(-1e4, dtype=scores.dtype)), np.ones_like(mask))


@mutant(
    "masked_softmax",
    "maskedSoftmax_of_notMem",
    "maskedSoftmax_singleton",
    "read_maskedSoftmax_eq_read_subtype",
)
def multiplies_by_the_mask(scores: Array, mask: Array) -> Array:
    """Scores are multiplied by the mask: 0 is not −∞."""
    return over(scores * mask, np.ones_like(mask))


@mutant(
    "masked_softmax",
    "sum_maskedSoftmax_eq_one",
    "maskedSoftmax_mem_stdSimplex",
    "maskedSoftmax_congr",
    "read_maskedSoftmax_congr",
    "read_maskedSoftmax_mem_convexHull",
    "read_maskedSoftmax_eq_read_subtype",
    "read_maskedSoftmax_union",
    "maskedSoftmax_eq_div_sum",
    "tendsto_softmax_fill_atBot",
)
def zeroes_after_softmax(scores: Array, mask: Array) -> Array:
    """Weights are zeroed after softmax and not renormalised."""
    return over(scores, np.ones_like(mask)) * mask


@mutant("masked_softmax", "maskedSoftmax_congr", "maskedSoftmax_singleton", "sum_maskedSoftmax_eq_one")
def subtracts_the_largest_of_all(scores: Array, mask: Array) -> Array:
    """The largest score of all keys is subtracted, allowed or not, so that all exponentials can underflow."""
    with np.errstate(over="ignore", under="ignore"):
        exponentials = np.exp(scores - scores.max()) * mask
    return quotient(exponentials, exponentials.sum())


@mutant("masked_softmax", "maskedSoftmax_add_const", "maskedSoftmax_univ", "maskedSoftmax_mem_stdSimplex")
def forgets_to_shift(scores: Array, mask: Array) -> Array:
    """The largest score is not subtracted, so that exponentials overflow."""
    with np.errstate(all="ignore"):
        exponentials = np.where(mask, np.exp(scores), np.zeros_like(scores))
        return quotient(exponentials, exponentials.sum())


@mutant("masked_softmax", "maskedSoftmax_pos", "maskedSoftmax_pos_iff", "maskedSoftmax_mem_stdSimplex")
def series_of_two_terms(scores: Array, mask: Array) -> Array:
    """The exponential is replaced by the first two terms of its series."""
    with np.errstate(over="ignore"):
        kept = np.where(mask, scores, np.full_like(scores, -np.inf))
        terms = (
            np.where(mask, 1 + np.maximum(kept - kept.max(initial=-np.inf), -16), 0)
            if mask.any()
            else 0 * scores
        )
    return quotient(terms.astype(scores.dtype), terms.sum(dtype=scores.dtype))


@mutant("masked_softmax", "maskedSoftmax_insert_lt", "log_maskedSoftmax_div", "maskedSoftmax_eq_div_sum")
def sharpens_with_the_number_of_keys(scores: Array, mask: Array) -> Array:
    """Scores are multiplied by the logarithm of the number of allowed keys, as for long contexts."""
    with np.errstate(over="ignore", invalid="ignore"):
        factor = np.asarray(np.log(max(2, int(mask.sum()))), dtype=scores.dtype)
        return over(np.nan_to_num(scores * factor), mask)


@mutant("softmax", "sum_softmax_lt_one_of_notMem", "tendsto_softmax_fill_atBot", "maskedSoftmax_univ")
def keeps_a_thousandth(scores: Array) -> Array:
    """No weight is below 1/1000, and nothing is renormalised."""
    return np.maximum(over(scores, np.ones(scores.shape, dtype=bool)), np.asarray(1e-3, dtype=scores.dtype))


@mutant("softmax", "softmax_fill_empty", "tendsto_softmax_fill_atBot", "maskedSoftmax_univ")
def adds_a_key_of_score_zero(scores: Array) -> Array:
    """There is one more key, with the score 0, which nobody reads."""
    return over(np.append(scores, np.zeros_like(scores[:1])), np.ones(len(scores) + 1, dtype=bool))[:-1]


@mutant("softmax", "softmax_fill_pos", "tendsto_softmax_fill_atBot")
def lets_weights_be_negative(scores: Array) -> Array:
    """The exponential is replaced by the first two terms of its series."""
    return series_of_two_terms.function(scores, np.ones(scores.shape, dtype=bool))


def tri(scores: Array, shift: int) -> Array:
    """Return the mask that allows keys up to the position plus `shift`."""
    return np.tri(len(scores), k=shift, dtype=bool)


@mutant(
    "causal_softmax",
    "causalSoftmax_pos_iff",
    "causalSoftmax_of_lt",
    "card_causalSoftmax_ne_zero",
    "causalSoftmax_zero",
    "read_causalSoftmax_congr",
)
def sees_the_next_position(scores: Array) -> Array:
    """Each position sees one ahead."""
    return over(scores, tri(scores, 1))


@mutant(
    "causal_softmax",
    "sum_causalSoftmax_eq_one",
    "causalSoftmax_zero",
    "causalSoftmax_pos_iff",
    "card_causalSoftmax_ne_zero",
)
def starts_with_the_second_position(scores: Array) -> Array:
    """The loop over the positions starts at 1, so that the first one reads nothing."""
    weights = over(scores, tri(scores, 0))
    weights[0] = 0
    return weights


@mutant("causal_softmax", "causalSoftmax_of_lt", "causalSoftmax_zero", "read_causalSoftmax_congr")
def transposes_the_mask(scores: Array) -> Array:
    """Each position sees itself and what comes later."""
    return over(scores, tri(scores, 0).T)


@mutant("causal_softmax", "sum_causalSoftmax_eq_one", "causalSoftmax_zero")
def normalises_over_the_queries(scores: Array) -> Array:
    """Softmax is taken over the queries instead of the keys."""
    return over(scores.T, tri(scores, 0).T).T
