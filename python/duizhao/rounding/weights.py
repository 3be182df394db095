"""Bounds on computed softmax weights.

* `exponential`, `relative_weight`, `underflow`: the steps.
* `weight_error`, `sum_of_weights`, `equal_weights`, `relabelled_weights`: one row.
* `weights_of_two_rows`, `weights_of_near_rows`, `weights_of_other_scores`, `biased_weights`: two rows.
* `neighbouring_weights`: two keys of one row.
* `odds`, `log_odds`, `log_odds_of_two_rows`, `scale_from_odds`: ratios of weights.
"""

import math

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.arithmetic import Real, accumulated, compounded, divided_by

Vector = NDArray[np.float64]


def exponential(u: float, reach: float, exp_ulp: float) -> float:
    """Bound on the relative error of one computed `exp(score - largest score)`: the `a` of `roundedSoftmax_le`.

    The difference is rounded once, so its exponential is off by a factor `exp(g δ)` with `g ≤ reach` the distance to
    the largest score; `exp` itself is off by `exp_ulp` units in the last place, each at most `2 u` of a normal result.
    Both steps rest on the standard model alone. Results below the smallest normal number are `underflow`'s.

    Raises:
        ValueError: If `reach * u ≥ 1/2`: the rounded difference then says next to nothing of the exponential.
    """
    if not reach * u < 0.5:
        raise ValueError(f"reach: {reach} is too far from the largest score for unit roundoff {u}")
    return math.expm1(reach * u) * (1 + 2 * exp_ulp * u) + 2 * exp_ulp * u


def relative_weight(
    u: float, n: int, reach: float, exp_ulp: float, accumulator: float | None = None
) -> float:
    """Bound on the relative error of a computed softmax weight, underflow apart.

    `roundedSoftmax_le` and `le_roundedSoftmax` with a = `exponential`, b = `gamma(u, n - 1)` for the sum of `n` positive
    terms in any order, and `u` for the division. The upper factor's distance from 1 is the larger one.

    Raises:
        ValueError: If the errors of the exponentials or of the sum are too large for a useful bound.
    """
    a = exponential(u, reach, exp_ulp)
    b = accumulated(u, n - 1, accumulator)
    if a >= 0.5:
        raise ValueError(
            f"exp_ulp: exponentials that are off by {a:.2g} of themselves give no useful weights"
        )
    return compounded(a, u, divided_by(a), divided_by(b))


def underflow(n: int, exp_ulp: float, tiny: float) -> float:
    """Bound on what underflow adds to the error of one softmax weight.

    After the shift the sum is at least 1. An exponential below the smallest normal number is off by at most
    `max(exp_ulp, 1) * tiny`; `n` of them move the sum, and one moves the numerator; the division underflows by at most
    `tiny`. The factor 2 covers the relative errors (below 1) on top. Rests on the standard model alone.
    """
    return 2 * ((n + 1) * max(exp_ulp, 1.0) + 1) * tiny


def weight_error(
    u: float,
    n: int,
    weight: Real,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Real:
    """Bound on the distance of computed softmax weights from the true ones, `weight`.

    `roundedSoftmax_le` and `le_roundedSoftmax` (see `relative_weight`), and `underflow`.
    """
    return relative_weight(u, n, reach, exp_ulp, accumulator) * weight + underflow(n, exp_ulp, tiny)


def sum_of_weights(u: float, n: int, tiny: float, accumulator: float | None = None) -> float:
    """Bound on the distance from 1 of the exact sum of `n` computed softmax weights.

    `abs_sum_roundedSoftmax_sub_one_le` with `u` the unit roundoff (one division a weight) and b = `gamma(u, n - 1)`:
    `n` positive exponentials are added in any order (`one_add_pow_sub_one_le`). The error of `exp` itself cancels. Keys
    whose exponential underflows to 0 are left out (`hα`). Assumes that the sum does not overflow; a weight that
    underflows in the division adds at most `tiny`, the smallest subnormal (or what is flushed).
    """
    b = accumulated(u, n - 1, accumulator)
    return (u + b) / (1 - b) + n * tiny


def equal_weights(u: float, n: int, tiny: float, accumulator: float | None = None) -> float:
    """Bound on the distance from `1 / n` of `n` computed weights of equal scores.

    `roundedSoftmax_le` with a = 0: equal scores have one and the same exponential, whose error cancels. The sum is off
    by `gamma(u, n - 1)` and the division by `u`.
    """
    b = accumulated(u, n - 1, accumulator)
    return compounded(u, divided_by(b)) / n + tiny


def weights_of_two_rows(
    u: float,
    n: int,
    weight: Real,
    other_weight: Real,
    reach: float,
    other_reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Real:
    """Bound on the sum of the errors of a weight in two computed rows, `weight` and `other_weight` being the true ones.

    `weight_error` twice. It bounds the distance of two computed weights that are equal over ℝ, and how far two computed
    weights can stand in the wrong order.
    """
    return weight_error(u, n, weight, reach, exp_ulp, tiny, accumulator) + weight_error(
        u, n, other_weight, other_reach, exp_ulp, tiny, accumulator
    )


def relabelled_weights(
    u: float,
    n: int,
    weight: Real,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Real:
    """Bound on the distance of a computed weight from the computed weight of the same key in another order of keys.

    `weight_error` twice: the true weight is the same, the sums are added in another order.
    """
    return 2 * weight_error(u, n, weight, reach, exp_ulp, tiny, accumulator)


def weights_of_near_rows(
    u: float,
    n: int,
    weight: Real,
    other_weight: Real,
    reach: float,
    other_reach: float,
    epsilon: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Real:
    """Bound on how far a computed weight can exceed `exp(2 ε)` times that of a row that differs by at most ε.

    `weight_error` for the one, and `exp(2 ε)` times `weight_error` for the other.
    """
    own = weight_error(u, n, weight, reach, exp_ulp, tiny, accumulator)
    return own + math.exp(2 * epsilon) * weight_error(
        u, n, other_weight, other_reach, exp_ulp, tiny, accumulator
    )


def neighbouring_weights(
    u: float, n: int, weight: Vector, reach: float, exp_ulp: float, tiny: float
) -> Vector:
    """Bound on how far two computed weights of one row can stand in the wrong order, for keys next to each other.

    `odds` times the larger of the two true weights, and `underflow` for both. Keys are ordered by score, and so are the
    bounds: one for each step from a key to the next.
    """
    return odds(u, reach, exp_ulp) * np.sort(weight)[1:] + 2 * underflow(n, exp_ulp, tiny)


def weights_of_other_scores(
    u: float,
    n: int,
    weight: Real,
    reach: float,
    perturbation: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Real:
    """Bound on the distance of two computed rows of weights whose scores differ by at most `perturbation` at every key.

    Over ℝ the second row lies between `exp(-2 ε)` and `exp(2 ε)` times the first (`softmax_le_exp_mul_softmax`); both
    are computed (`weight_error`). `weight` is the first true row, `reach` the larger reach of the two.
    """
    relative = relative_weight(u, n, reach, exp_ulp, accumulator)
    grown = math.expm1(2 * perturbation)
    return (relative + (1 + relative) * grown + relative) * weight + 2 * underflow(n, exp_ulp, tiny)


def biased_weights(
    u: float,
    n: int,
    other_weight: Real,
    reach: float,
    other_reach: float,
    perturbation: float,
    amplification: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Real:
    """Bound on the distance of computed weights of `s + b` from computed weights of `s` times `exp b`, renormalised.

    `other_weight` is the true row of the rounded `s + b`. The left side: `weight_error`, and
    `softmax_le_exp_mul_softmax` for the rounding of the sums `s + b` (`perturbation`). The right side, evaluated exactly
    from computed weights: each is off by `relative_weight`, so the quotient is off by `(1 + ρ) / (1 - ρ)`; what
    underflowed in them grows by `amplification`, the largest `exp b` over the sum of the products. Rests on the standard
    model alone.
    """
    right = relative_weight(u, n, reach, exp_ulp, accumulator)
    quotient = compounded(right, divided_by(right))
    left = weights_of_other_scores(u, n, other_weight, other_reach, perturbation, exp_ulp, tiny, accumulator)
    return (
        left
        + math.exp(2 * perturbation) * quotient * other_weight
        + 2 * n * amplification * underflow(n, exp_ulp, tiny)
    )


def odds(u: float, reach: float, exp_ulp: float) -> float:
    """Bound on the relative error of the exact ratio of two computed weights of one row.

    Both are divided by the same computed sum, which cancels: `roundedSoftmax_le` and `le_roundedSoftmax` with b = 0,
    which leaves two exponentials and two divisions. Assumes that neither weight underflows.
    """
    a = exponential(u, reach, exp_ulp)
    return compounded(a, u, divided_by(a), divided_by(u))


def log_odds(u: float, reach: float, exp_ulp: float) -> float:
    """Bound on the error of the exact logarithm of the ratio of two computed weights of one row.

    The logarithm of the factors that `odds` bounds. That the logarithm turns a relative error into an absolute one is
    no theorem of `Rounding.lean`; it rests on the standard model alone. Assumes that neither weight underflows.
    """
    a = exponential(u, reach, exp_ulp)
    return math.log1p(a) - math.log1p(-a) + math.log1p(u) - math.log1p(-u)


def log_odds_of_two_rows(u: float, reach: float, other_reach: float, exp_ulp: float) -> float:
    """Bound on the difference of the exact log-ratios of computed weights of two rows: `log_odds` twice."""
    return log_odds(u, reach, exp_ulp) + log_odds(u, other_reach, exp_ulp)


def scale_from_odds(
    u: float, other_reach: float, exp_ulp: float, tiny: float, products: float, distance: float
) -> float:
    """Bound on the error of a scale that is read back as a log-ratio of weights over a distance of scores.

    `log_odds` for the weights; the two scaled scores are rounded products, off by `u * products` with `products` the
    sum of their magnitudes (and `tiny` each where they underflow); all of it divided by `distance`, the exact distance
    of the two scores. Rests on the standard model alone.
    """
    return (log_odds(u, other_reach, exp_ulp) + u * products + 2 * tiny) / distance
