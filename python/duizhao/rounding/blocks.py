"""Bounds on blockwise attention: states of blocks, merges, and what comes out.

* `rescaled`: an exponential that was rescaled from shift to shift.
* `sum_of_state`, `acc_of_state`, `underflow_of_state`: a state against the exact one.
* `merge_error`, `regrouped_states`: merges of states as they are.
* `relative_blockwise_weight`, `blockwise_read`: the output.
* `rescaled_output`: the output of a state that was merged with an empty one.

What the bounds know of a pass over the keys: `block`, the keys of the largest block; `depth`, the merges that a key's
block goes through at most; `merges`, how many there are in all. For `b` blocks, one after the other, `depth` and `merges`
are `b - 1`; pairwise, `depth` is the binary logarithm of `b`, rounded up. The `reach` is the largest sum of the magnitudes
of all differences through which a key's exponential goes: its score minus the shift of its block, and that shift minus
the next. Where each block's shift is its largest score, shifts only rise, the differences all point the same way, and
their sum is the distance from the largest score: so the reach is that of dense softmax, whatever the blocks and the
order.

A merge has an exponential of its own, two products and a sum for every entry; no theorem covers it, so these bounds rest on
the standard model alone, but for the last step: `roundedSoftmax_le`, `le_roundedSoftmax` and `abs_roundedRead_sub_read_le`,
to which the exponentials are given with all that merges did to them.
"""

import math

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.arithmetic import Real, accumulated, compounded, divided_by, gamma

Numbers = NDArray[np.float64]


def rescaled(u: float, exponentials: int, reach: float, exp_ulp: float) -> float:
    """Bound on the relative error of `exp(s - M)` that is computed as a product of several `exponentials`.

    Each difference of two shifts is rounded once, so their exponentials are together off by a factor `exp(r u)` with
    `r ≤ reach` the sum of their magnitudes; each `exp` is off by `exp_ulp` units in the last place, at most `2 u` each.
    With one exponential this is `exponential`. The products count as roundings of a sum, elsewhere. Rests on the standard
    model alone; results below the smallest normal number are `underflow_of_state`'s.

    Raises:
        ValueError: If `reach * u ≥ 1/2`: so far apart, rounding a difference leaves little of its exponential.
    """
    if not reach * u < 0.5:
        raise ValueError(f"reach: {reach} is too far from the largest score for unit roundoff {u}")
    return math.expm1(reach * u + exponentials * math.log1p(2 * exp_ulp * u))


def added(u: float, k: int, depth: int, accumulator: float | None = None) -> float:
    """Bound on the relative error of a term that goes through `k` roundings in its block and two in each of `depth` merges.

    The product with a merge's factor is one of the two, the sum the other. Only the block is added up in the accumulator.
    """
    return compounded(accumulated(u, k, accumulator), gamma(u, 2 * depth))


def sum_of_state(
    u: float, block: int, depth: int, reach: float, exp_ulp: float, accumulator: float | None = None
) -> float:
    """Bound on the relative error of the `sum` of a state, underflow apart.

    Its terms are positive: `rescaled` for each, after at most `block - 1` additions and `depth` merges. Rests on the
    standard model alone.
    """
    terms = rescaled(u, depth + 1, reach, exp_ulp)
    return compounded(terms, added(u, max(block - 1, 0), depth, accumulator))


def acc_of_state(
    u: float, block: int, depth: int, reach: float, exp_ulp: float, accumulator: float | None = None
) -> float:
    """Bound on the error of the `acc` of a state, over the sum of the magnitudes of its terms; underflow apart.

    As `sum_of_state`, with one more rounding: the product of an exponential with a value.
    """
    return compounded(rescaled(u, depth + 1, reach, exp_ulp), added(u, block, depth, accumulator))


def underflow_of_state(
    n: int, depth: int, merges: int, magnitudes: Real, exp_ulp: float, tiny: float
) -> Real:
    """Bound on what underflow adds to the error of `acc`, for `magnitudes` the sum of the values' magnitudes.

    For `sum`, the values are all 1 and `magnitudes` is `n`. Relative to the final shift, an exponential below the smallest
    normal number is off by at most `max(exp_ulp, 1) * tiny`: one for a key, and one for each merge that it goes through,
    where the rest of its term is at most the value. The product with the value underflows once a key, the product with a
    factor once a merge. The factor 2 covers the relative errors (below 1) on top. Assumes that each block's shift is its
    largest score, so that no factor exceeds 1. Finite for all finite magnitudes (`_lost`). Rests on the standard model
    alone.
    """
    return _lost((depth + 1) * max(exp_ulp, 1.0), magnitudes, n + merges, tiny)


def _lost(times: float, magnitudes: Real, products: int, tiny: float) -> Real:
    """Return `2 (times * magnitudes + products) tiny` where that may overflow before it is multiplied with `tiny`.

    Both terms are first scaled by `2^-64`, and `tiny` by its reciprocal: powers of two, which round nothing. What
    magnitudes below `2^-958` lose by that is less than the rounding of the other term.
    """
    part = 2.0**-64
    return (2 * part * times * magnitudes + 2 * part * products) * (tiny / part)


def merge_error(
    u: float,
    depth: int,
    merges: int,
    terms: Real,
    magnitudes: Real,
    spread: float,
    exp_ulp: float,
    tiny: float,
) -> Real:
    """Bound on the error of the `sum` or the `acc` of merged states, the states as they are.

    `terms` is the sum of the magnitudes of the exactly rescaled entries, `magnitudes` that of the entries as they are, and
    `spread` the largest shift minus the smallest. Each entry goes through at most `depth` factors (`rescaled`) and two
    roundings with each (`gamma`). A factor that underflows is off by at most `max(exp_ulp, 1) * tiny`, a product by `tiny`;
    the factor 2 covers their further roundings. Rests on the standard model alone.
    """
    relative = compounded(rescaled(u, depth, spread, exp_ulp), gamma(u, 2 * depth))
    return relative * terms + _lost(depth * max(exp_ulp, 1.0), magnitudes, merges, tiny)


def regrouped_states(
    u: float, terms: Real, magnitudes: Real, spread: float, exp_ulp: float, tiny: float
) -> Real:
    """Bound on the distance of two computed merges of the same three states in different groupings: `merge_error` twice."""
    return 2 * merge_error(u, 2, 2, terms, magnitudes, spread, exp_ulp, tiny)


def relative_blockwise_weight(
    u: float, block: int, depth: int, reach: float, exp_ulp: float, accumulator: float | None = None
) -> float:
    """Bound on the relative error of the weights with which a blockwise pass reads the values, underflow apart.

    `roundedSoftmax_le` and `le_roundedSoftmax` with a = `rescaled` for the exponentials, which sum and output share with
    all that merges did to them, b = `added` for the roundings of the sum, and `u` for the division.

    Raises:
        ValueError: If the errors of the exponentials or of the sum are too large for a useful bound.
    """
    a = rescaled(u, depth + 1, reach, exp_ulp)
    b = added(u, max(block - 1, 0), depth, accumulator)
    if a >= 0.5 or b >= 0.5:
        raise ValueError(f"depth: {depth} merges of blocks of {block} keys give no useful weights")
    return compounded(a, u, divided_by(a), divided_by(b))


def blockwise_read(
    u: float,
    block: int,
    depth: int,
    merges: int,
    weight: Numbers,
    value_magnitudes: Numbers,
    reach: float,
    exp_ulp: float,
    tiny: float,
    *,
    perturbation: float = 0.0,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of a blockwise output from the true one, for true weights `(n)` and values `(n, width)`.

    The output is the read of the values with the weights of `relative_blockwise_weight`, where every term of `acc` goes
    through roundings of its own (`abs_roundedRead_sub_read_le` with γ = `added`, one more than the sum's for the product
    with the value). Scores that are off by at most `perturbation` move the weights by at most `exp(2 ε)`
    (`softmax_le_exp_mul_softmax`) and the reach by `2 ε`.

    Underflow: the sum is at least 1, so a weight is off by what its own exponential and those in the sum lost
    (`underflow_of_state`), and the output besides by what products and the division lost. Assumes that each block's shift
    is its largest score. Where it is another, the sum need not be at least 1: then nothing may underflow.
    """
    n = int(weight.shape[-1])
    relative = relative_blockwise_weight(u, block, depth, reach + 2 * perturbation, exp_ulp, accumulator)
    relative = compounded(relative, math.expm1(2 * perturbation))
    lost = underflow_of_state(n + 1, depth, merges, n + 1, exp_ulp, tiny)
    passed = (relative * weight + lost) @ value_magnitudes
    own = (added(u, block, depth, accumulator) * ((1 + relative) * weight + lost)) @ value_magnitudes
    return np.asarray(passed + own + 2 * (n + merges + 1) * tiny)


def rescaled_output(u: float, output: Real, tiny: float) -> Real:
    """Bound on the distance of the output of a state that was merged with an empty one from its output before.

    If the empty state has the larger shift, `sum` and `acc` are multiplied by one and the same computed factor, which
    cancels; the products and the divisions are rounded once each. `output` is the magnitude of the computed output.
    Assumes that neither product underflows. Rests on the standard model alone.
    """
    return compounded(u, u, divided_by(u), divided_by(u)) * output + 2 * tiny
