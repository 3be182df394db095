"""Slips in softmax."""

from typing import Any

import numpy as np

from tests.mutants.mutant import mutant

Array = Any


def shifted_exponentials(scores: Array) -> Array:
    """Return the exponentials of scores after subtracting the largest."""
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(scores - np.max(scores))


@mutant("softmax", "softmax_lt_one", "sum_softmax_eq_one", "softmax_le_exp_div_card")
def divides_by_the_mean(scores: Array) -> Array:
    """The exponentials are divided by their mean instead of their sum."""
    exponentials = shifted_exponentials(scores)
    return exponentials / np.mean(exponentials)


@mutant("softmax", "sum_softmax_eq_one", "softmax_mem_stdSimplex", "softmax_const", "softmax_sub_sup")
def guards_against_zero(scores: Array) -> Array:
    """A small number, 1e-9, is added to the sum, to be safe from dividing by zero."""
    exponentials = shifted_exponentials(scores)
    return exponentials / (exponentials.sum() + np.asarray(1e-9, dtype=scores.dtype))


@mutant("softmax", "softmax_pos", "softmax_mem_stdSimplex", "softmax_div_softmax")
def linear_exponential(scores: Array) -> Array:
    """The exponential is replaced by the first two terms of its series."""
    with np.errstate(over="ignore"):
        terms = 1 + np.maximum(scores - np.max(scores), -16)
    total = terms.sum()
    return terms / total if total != 0 else np.full_like(terms, 1 / len(terms))


@mutant("softmax", "softmax_sub_sup", "softmax_add_const", "one_div_le_softmax", "softmax_fin_two_one")
def forgets_the_shift(scores: Array) -> Array:
    """The largest score is not subtracted, so that exponentials overflow."""
    with np.errstate(all="ignore"):
        exponentials = np.exp(scores)
        return exponentials / exponentials.sum()


@mutant("softmax", "log_softmax_div", "softmax_div_softmax", "softmax_add", "softmax_eq_softmax_iff")
def powers_of_two(scores: Array) -> Array:
    """The exponential has base 2, and the factor log2(e) is forgotten."""
    with np.errstate(over="ignore", under="ignore"):
        powers = np.exp2(scores - np.max(scores))
    return powers / powers.sum()


@mutant("softmax", "scale_eq_of_softmax_eq", "log_softmax_div", "softmax_le_exp_mul_softmax")
def scales_once_more(scores: Array) -> Array:
    """The scores are doubled, as if a scale were applied a second time."""
    with np.errstate(over="ignore"):
        exponentials = shifted_exponentials(np.nan_to_num(2 * scores))
    return exponentials / exponentials.sum()


@mutant("softmax", "softmax_comp_equiv", "sum_softmax_eq_one", "softmax_const")
def divides_by_the_running_sum(scores: Array) -> Array:
    """Each exponential is divided by the sum so far, as if the last key had been reached."""
    exponentials = shifted_exponentials(scores)
    running = np.cumsum(exponentials)
    return np.divide(exponentials, running, out=np.zeros_like(exponentials), where=running != 0)


@mutant(
    "softmax",
    "softmax_lt_softmax_iff",
    "softmax_lt_softmax_update",
    "softmax_update_lt_softmax",
    "one_div_le_softmax",
    "softmax_fin_two_one",
    "read_softmax_fin_two_lt",
)
def sign_turned(scores: Array) -> Array:
    """The scores are taken as distances: the largest one gets the least weight."""
    exponentials = shifted_exponentials(-scores)
    return exponentials / exponentials.sum()


@mutant("softmax", "softmax_const", "sum_softmax_eq_one", "read_softmax_fin_two_of_eq")
def one_more_in_the_sum(scores: Array) -> Array:
    """The sum has an extra exponential of 0, as for a key that takes no value."""
    exponentials = shifted_exponentials(scores)
    with np.errstate(over="ignore"):
        extra = np.exp(np.minimum(-np.max(scores), np.asarray(80, dtype=scores.dtype)))
    return exponentials / (exponentials.sum() + extra)


@mutant("softmax", "softmax_add_const", "softmax_add", "softmax_eq_softmax_iff", "scale_eq_of_softmax_eq")
def clips_the_scores(scores: Array) -> Array:
    """Scores are clipped to ±20 before anything else."""
    exponentials = shifted_exponentials(np.clip(scores, -20, 20))
    return exponentials / exponentials.sum()


@mutant("softmax_denominator", "sum_exp_sub_sup_mem_Icc")
def subtracts_the_mean(scores: Array) -> Array:
    """The mean of the scores is subtracted instead of the largest."""
    with np.errstate(all="ignore"):
        return np.exp(scores - np.mean(scores)).sum()
