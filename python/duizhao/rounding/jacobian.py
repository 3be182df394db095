"""Bounds on the derivative of softmax.

* `jacobian_error`: the entries of the matrix.
* `jacobian_product`: the matrix times a tangent, or a cotangent times the matrix.

The weights are those of softmax, off by `relative_weight` and `underflow`: `roundedSoftmax_le` and `le_roundedSoftmax`.
What comes after them, differences and products, is covered by no theorem and rests on the standard model alone.
"""

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.arithmetic import accumulated, compounded
from duizhao.rounding.weights import relative_weight, underflow

Numbers = NDArray[np.float64]


def jacobian_error(
    u: float,
    weight: Numbers,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of the computed entries from the true ones, `(n, n)`, for the true weights `(n)`.

    Off the diagonal an entry is a product of two weights: two relative errors of weights and one rounding. On it the second
    factor is the sum of the `n - 1` other weights, which goes through `n - 2` additions: no difference cancels, so its
    error is relative too. `underflow` of either weight is multiplied by the other factor, at most; the product itself adds
    `tiny`, and the factor 2 covers that these bounds are rounded themselves. The sum of a row of them is a bound for the
    sum of the entries, and for that of their magnitudes.
    """
    n = int(weight.shape[-1])
    relative = relative_weight(u, n, reach, exp_ulp, accumulator)
    lost = underflow(n, exp_ulp, tiny)
    summed = accumulated(u, max(n - 2, 0), accumulator)
    is_diagonal = np.eye(n, dtype=np.bool)
    column = np.broadcast_to(weight, (n, n))
    others = np.where(is_diagonal, 0.0, column).sum(axis=-1, keepdims=True)
    # The two factors of each entry, how many weights the second is made of, and the error of the product.
    first, second = weight[:, None], np.where(is_diagonal, others, column)
    parts = np.where(is_diagonal, n - 1, 1)
    error = np.where(
        is_diagonal, compounded(relative, relative, summed, u), compounded(relative, relative, u)
    )
    missed = (1 + error) * lost * (second + parts * (first + lost))
    return np.asarray(error * first * second + missed + 2 * tiny)


def jacobian_product(
    u: float,
    weight: Numbers,
    moved: Numbers,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of the computed `w_i (t_i - Σ w_k t_k)` from the true one, for the true weights `(n)`.

    `moved`, `(n)`, is what the formula is applied to: the tangent minus its entry at the best key, one rounding each. Each
    term of the mean is a rounded product of a weight and such a difference, and goes through `n - 1` additions. The
    distance from the mean is rounded, and so is its product with the weight, which may underflow. With the tangent itself
    as `moved` it is a bound on the formula that moves nothing, as automatic differentiation has it.
    """
    n = int(weight.shape[-1])
    relative = relative_weight(u, n, reach, exp_ulp, accumulator)
    lost = underflow(n, exp_ulp, tiny)
    size = np.abs(moved)
    mean = weight @ size
    error = compounded(relative, u, u, accumulated(u, n - 1, accumulator))
    error_of_mean = error * mean + 2 * (lost * np.sum(size) + n * tiny)
    distance = size + mean
    error_of_distance = (1 + u) * (u * size + error_of_mean) + u * distance
    computed = (1 + relative) * weight + lost
    return np.asarray(
        (1 + u) * computed * error_of_distance
        + compounded(relative, u) * weight * distance
        + (1 + u) * lost * distance
        + 2 * tiny
    )
