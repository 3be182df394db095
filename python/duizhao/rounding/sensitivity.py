"""Bounds on what the theorems say of the derivative of softmax.

* `jacobian_column`: the derivatives in one score.
* `jacobian_row_sums`, `jacobian_row_sizes`: sums of rows, and of their magnitudes.
* `jacobian_quarter`: the largest entry.
"""

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.arithmetic import accumulated, compounded
from duizhao.rounding.jacobian import jacobian_error
from duizhao.rounding.weights import relative_weight, sum_of_weights, underflow

Numbers = NDArray[np.float64]


def jacobian_column(
    u: float,
    weight: Numbers,
    key: int,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of the computed derivatives in the score of `key` from the true ones: `jacobian_error`."""
    return np.asarray(jacobian_error(u, weight, reach, exp_ulp, tiny, accumulator)[:, key])


def jacobian_row_sums(
    u: float,
    weight: Numbers,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the exact sum of each row of computed entries, `(n)`.

    With the computed weights `x`, the diagonal is `x_i` times the sum of the `n - 1` others, which goes through `n - 2`
    additions and one product; the other entries are `-x_i x_k`, one rounding each. Over ℝ both are the same, so that what
    is left is their roundings, times `x_i Σ x_k`: errors of the weights themselves cancel. `x` is at most the true weight
    and `relative_weight` and `underflow`. A product that underflows adds `tiny`; the factor 2 covers that the bound is
    rounded itself. Rests on the standard model alone.
    """
    n = int(weight.shape[-1])
    relative = relative_weight(u, n, reach, exp_ulp, accumulator)
    most = (1 + relative) * weight + underflow(n, exp_ulp, tiny)
    others = (np.ones((n, n)) - np.eye(n)) @ most
    rounded = compounded(accumulated(u, max(n - 2, 0), accumulator), u) + u
    return np.asarray(rounded * most * others + 2 * n * tiny)


def jacobian_row_sizes(
    u: float,
    weight: Numbers,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of the sum of magnitudes of each computed row from the true one: `jacobian_error`, added up."""
    return np.asarray(jacobian_error(u, weight, reach, exp_ulp, tiny, accumulator).sum(axis=-1))


def jacobian_quarter(u: float, n: int, tiny: float, accumulator: float | None = None) -> float:
    """Bound on how far a computed entry can exceed one quarter in magnitude.

    An entry is a product of a computed weight and the computed sum of some others; the sum of all is at most `1 + ε` with
    ε = `sum_of_weights` (`abs_sum_roundedSoftmax_sub_one_le`), so that over ℝ the product is at most `(1 + ε)² / 4`. To it
    come the `n - 2` additions and the rounding of the product; errors of exponentials cancel.
    """
    excess = sum_of_weights(u, n, tiny, accumulator)
    return compounded(excess, excess, accumulated(u, max(n - 2, 0), accumulator), u) / 4 + 2 * tiny
