"""Hypotheses of theorems on blocks of keys."""

import math

import numpy as np

from duizhao.strategies.blocks import Blocks, Started


def blocks_are_disjoint(case: Blocks) -> bool:
    """No key is in two blocks."""
    return bool(np.all((case.members != 0).sum(axis=0) <= 1))


def blocks_hold_all_keys(case: Blocks) -> bool:
    """Every key is in a block."""
    return bool(np.all(np.any(case.members != 0, axis=0)))


def shifts_are_safe(case: Blocks) -> bool:
    """Each block's shift is its largest score; or shifts, scores and values are so that nothing over- or underflows."""
    if case.own:
        return True
    used = case.value_magnitudes[case.value_magnitudes > 0]
    limit = case.exponents
    return case.distance <= limit and all(abs(math.log(value)) <= limit for value in used.tolist())


def start_is_safe(case: Started) -> bool:
    """The empty state's shift is not above that of the state; or no product with the factor between them underflows."""
    return case.below or case.smallest_product >= case.target.arithmetic.smallest_normal
