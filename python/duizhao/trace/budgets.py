"""Bounds on the error of every computed matrix of a trace, from those of `duizhao.rounding`.

* `Bounded`: a matrix of true magnitudes with the bound on the error of each computed entry.
* `product`, `scores`, `shifted`, `exponentials`, `sums`, `weights`: one step each.

Magnitudes are upper bounds on the absolute values of the true entries. No bound is `ValueError`: the numbers are too
far apart, or too many, for the dtype.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duizhao import rounding
from duizhao.rounding import Arithmetic

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Bounded:
    """True magnitudes and bounds on the errors of the computed entries, both (rows, columns)."""

    magnitude: Matrix
    error: Matrix


def product(arithmetic: Arithmetic, left: Bounded, right: Bounded, roundings: int = 0) -> Matrix:
    """Bound on a computed matrix product (rows, columns): `rounding.product_error`.

    `roundings` are what each term goes through besides its own product and the additions.
    """
    width = left.magnitude.shape[-1]
    return rounding.product_error(
        arithmetic.u,
        width + roundings,
        left.magnitude,
        left.error,
        right.magnitude,
        right.error,
        arithmetic.tiny,
    )


def transposed(matrix: Bounded) -> Bounded:
    """Return the transpose (columns, rows)."""
    return Bounded(matrix.magnitude.T, matrix.error.T)


def scores(arithmetic: Arithmetic, query: Bounded, key: Bounded, scale: float) -> Matrix:
    """Bound on computed scores (queries, keys), dot products times a scale.

    As `rounding.score_error`, for any scale: `product` with three more roundings, those of the scale (a square root and
    its reciprocal) and that of the product with it. A query that underflows when it is scaled is off by `tiny`, which
    the key multiplies. Those steps rest on the standard model alone.
    """
    through = abs(scale) * product(arithmetic, query, transposed(key), 3)
    scaled = (key.magnitude + key.error).sum(axis=-1)
    return np.asarray(through + arithmetic.tiny * (1 + 2 * scaled))


def _divided(arithmetic: Arithmetic, size: Matrix, error: Matrix, temperature: float) -> Matrix:
    """Bound on numbers of some `size`, off by `error`, after a division by the temperature.

    At temperature 1 the division is exact. Else the temperature is rounded to the dtype, and the quotient too, and it
    may underflow.
    """
    if temperature == 1:
        return error
    through = rounding.gamma(arithmetic.u, 2)
    return np.asarray((error + through * (size + error)) / temperature + arithmetic.tiny)


def shifted(arithmetic: Arithmetic, size: Matrix, error: Matrix) -> Matrix:
    """Bound on scores (queries, keys) less the largest of the row, `size` being the true differences.

    The largest is off by at most the largest error of the row, and the difference is rounded once; where the scores are
    quartered first, they may underflow.
    """
    both = error + error.max(axis=-1, keepdims=True)
    return np.asarray(both + arithmetic.u * (size + both) + 8 * arithmetic.tiny)


def exponentials(
    arithmetic: Arithmetic, exponential: Matrix, size: Matrix, error: Matrix, temperature: float
) -> Matrix:
    """Bound on computed exponentials (queries, keys) of `x / temperature`, for `|x| ≤ size` off by `error`.

    An exponent that is off by at most `ε` is one that is off by `ε / u` roundings of unit size, so that
    `rounding.exponential` with that reach bounds the relative error. An underflow adds at most the error of `exp` in
    units of `tiny`.
    """
    off = _divided(arithmetic, size, error, temperature)
    try:
        relative = np.array(
            [
                rounding.exponential(arithmetic.u, one / arithmetic.u, arithmetic.exp_ulp)
                for one in off.ravel().tolist()
            ]
        ).reshape(off.shape)
    except (ValueError, OverflowError):
        raise ValueError("an exponent may be off by too much to say anything of its exponential") from None
    return np.asarray(relative * exponential + max(arithmetic.exp_ulp, 1) * arithmetic.tiny)


def sums(arithmetic: Arithmetic, exponential: Bounded) -> Matrix:
    """Bound on the computed sum of each row of exponentials: (queries, 1)."""
    keys = exponential.magnitude.shape[-1]
    ones = Bounded(np.ones((keys, 1)), np.zeros((keys, 1)))
    return product(arithmetic, exponential, ones)


def weights(
    arithmetic: Arithmetic, weight: Matrix, reach: Matrix, error: Matrix, temperature: float
) -> Matrix:
    """Bound on computed weights (queries, keys): `rounding.row_of_weights_error`, row by row.

    `reach` (queries,) is the distance of the largest from the smallest true score of the row that is read, and `error`
    (queries,) the largest error of a score; the division by the temperature is one more error of the scores.
    """
    rows = []
    for row, far, off in zip(weight, reach.tolist(), error.tolist(), strict=True):
        perturbation = float(_divided(arithmetic, np.array(far), np.array(off), temperature))
        try:
            rows.append(
                rounding.row_of_weights_error(
                    arithmetic.u, row, far / temperature, perturbation, arithmetic.exp_ulp, arithmetic.tiny
                )
            )
        except (ValueError, OverflowError):
            raise ValueError("the scores may be off by too much to say anything of the weights") from None
    return np.array(rows)
