"""Bounds on a whole calculation, step by step: what errors of the operands and of the step itself add up to.

* `given_error`: a number that is given, rounded.
* `product_error`, `score_error`: matrix products, and products times a scale.
* `row_of_weights_error`: softmax weights of scores that are off themselves.
"""

import math

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.arithmetic import accumulated, compounded, gamma
from duizhao.rounding.weights import relative_weight, underflow

Matrix = NDArray[np.float64]


def given_error(u: float, magnitude: Matrix, tiny: float) -> Matrix:
    """Bound on the error of given numbers of some `magnitude`: one rounding, or an underflow."""
    return u * magnitude + tiny


def product_error(
    u: float,
    roundings: int,
    left: Matrix,
    left_error: Matrix,
    right: Matrix,
    right_error: Matrix,
    tiny: float,
    accumulator: float | None = None,
    before: int = 0,
) -> Matrix:
    """Bound on the error of a computed matrix product whose operands have errors.

    `left`, `(rows, width)`, and `right`, `(width, columns)`, are magnitudes of the true operands. The operands' errors
    pass through the product; the product itself is `abs_roundedRead_sub_read_le` with γ = `gamma(u, roundings)`, where
    each term goes through at most `roundings` roundings: `width` of them if nothing else is multiplied in. Roundings
    `before` the product are in the operands' own format, whatever the accumulator (`gamma(u, before)`). What underflows
    adds at most `tiny` a term, and the factor 2 covers its further roundings.
    """
    width = int(left.shape[-1])
    passed = left @ right_error + left_error @ right + left_error @ right_error
    return (
        passed
        + compounded(accumulated(u, roundings, accumulator), gamma(u, before))
        * ((left + left_error) @ (right + right_error))
        + 2 * width * tiny
    )


def score_error(
    u: float,
    query: Matrix,
    query_error: Matrix,
    key: Matrix,
    key_error: Matrix,
    tiny: float,
    accumulator: float | None = None,
) -> Matrix:
    """Bound on the error of computed scores `Q Kᵀ / √d`, for magnitudes of queries `(L, d)` and keys `(S, d)`.

    `product_error` after three roundings: the square root, its reciprocal, and the product with the query. Those
    three rest on the standard model alone. A scaled query that underflows is off by at most `tiny` a coordinate, which
    the keys multiply; the factor 2 covers the further roundings.
    """
    width = int(query.shape[-1])
    scale = 1 / math.sqrt(width)
    rounded = scale * product_error(
        u, width, query, query_error, key.T, key_error.T, tiny, accumulator, before=3
    )
    return np.asarray(rounded + 2 * tiny * (key + key_error).sum(axis=-1) + tiny)


def row_of_weights_error(
    u: float,
    weights: Matrix,
    reach: float,
    perturbation: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Matrix:
    """Bound on the error of computed softmax weights whose scores are off by at most `perturbation`.

    Over ℝ such weights lie between `exp(-2 ε)` and `exp(2 ε)` times the true ones (`softmax_le_exp_mul_softmax`); they
    are computed with the relative error of `roundedSoftmax_le`, and what underflows comes on top.
    """
    n = int(weights.shape[-1])
    relative = relative_weight(u, n, reach + 2 * perturbation, exp_ulp, accumulator)
    grown = math.expm1(2 * perturbation)
    return (relative + (1 + relative) * grown) * weights + underflow(n, exp_ulp, tiny)
