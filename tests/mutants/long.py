"""Slips that live where there are many keys: behind the width of a block, a tile or a cache."""

from typing import Any

import numpy as np

from tests.mutants.mask import over
from tests.mutants.mutant import mutant
from tests.mutants.softmax import shifted_exponentials

Array = Any


@mutant("softmax", "sum_softmax_eq_one", "softmax_mem_stdSimplex", "softmax_const")
def sums_whole_blocks(scores: Array) -> Array:
    """The sum goes over whole blocks of 32 keys; what is left after the last one is forgotten."""
    exponentials = shifted_exponentials(scores)
    counted = len(scores) // 32 * 32 or len(scores)
    return exponentials / exponentials[:counted].sum()


@mutant("read", "read_const", "read_mem_Icc", "read_add_const")
def reads_the_first_sixty_four(weights: Array, values: Array) -> Array:
    """The cache holds 64 keys; later ones are not read."""
    return weights[:64] @ values[:64]


@mutant("masked_softmax", "sum_maskedSoftmax_eq_one", "maskedSoftmax_mem_stdSimplex", "maskedSoftmax_univ")
def forgets_keys_from_128_on(scores: Array, mask: Array) -> Array:
    """Only the first 128 keys count."""
    weights = over(scores, mask)
    weights[128:] = 0
    return weights


@mutant("causal_softmax", "causalSoftmax_of_lt", "causalSoftmax_pos_iff", "read_causalSoftmax_congr")
def masks_whole_tiles(scores: Array) -> Array:
    """From the second tile of 8 positions on, the mask is applied to tiles, not to keys."""
    position = np.arange(len(scores))
    seen = position <= np.where(position < 8, position, position | 7)[:, None]
    return over(scores, seen)
