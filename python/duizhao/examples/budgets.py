"""Bounds on the error of every computed element of a worked example, from those of `duizhao.rounding`.

* `budgets`: one bound for each element of each matrix.
* `weights_of_example`, `outputs_of_example`, `numbers_of_example`: those of the last matrices, by the example's name.
* `exponential_of_example`: a bound on `exp(1/√2)`, read back from computed weights.
"""

import math
from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from duizhao import exact, rounding
from duizhao.examples.catalogue import Example
from duizhao.examples.recomputation import BITS, STEPS
from duizhao.examples.source import example
from duizhao.rounding import Arithmetic

Matrix = NDArray[np.float64]


def budgets(example: Example, arithmetic: Arithmetic, *, whole_are_exact: bool = False) -> dict[str, Matrix]:
    """Return, for each matrix (...) of an example, bounds (...) on the errors of its computed elements.

    Args:
        example: The example.
        arithmetic: What is assumed of the library's arithmetic in the dtype.
        whole_are_exact: Whether a matrix of whole numbers that was made of such matrices has bounds of 0, if no sum of
            magnitudes passes `1 / u`: all products and sums are floats then. By default they count as any others.
    """
    found: dict[str, Matrix] = {}
    for name, matrix in example.matrices.items():
        if whole_are_exact and _is_whole(example, name, 1 / arithmetic.u):
            found[name] = np.zeros(matrix.shape)
        elif name in example.given:
            found[name] = rounding.given_error(
                arithmetic.u, abs(_floats(example.exact(name))), arithmetic.tiny
            )
        elif name == "S":
            found[name] = _scores(example, arithmetic, found)
        elif name == "A":
            found[name] = _weights(example, arithmetic, found)
        else:
            first, second = STEPS[name].operands
            left, right = (abs(_floats(example.exact(operand))) for operand in (first, second))
            left_error, right_error = found[first], found[second]
            if name == "D":
                right, right_error = right.T, right_error.T
            left, left_error = _table(left), _table(left_error)
            right, right_error = _columns(right), _columns(right_error)
            width = left.shape[-1]
            found[name] = rounding.product_error(
                arithmetic.u,
                width,
                left,
                left_error,
                right,
                right_error,
                arithmetic.tiny,
                arithmetic.accumulator,
            ).reshape(matrix.shape)
    return found


def weights_of_example(name: str, arithmetic: Arithmetic) -> Matrix:
    """Bounds (queries, keys) on the errors of an example's computed weights, `A`.

    `row_of_weights_error` for scores that are off by `score_error`. Given numbers and projections that are whole numbers
    are exact.
    """
    return _budgets_by_name(name, arithmetic)["A"]


def outputs_of_example(name: str, arithmetic: Arithmetic) -> Matrix:
    """Bounds (queries, width) on the errors of an example's computed outputs, `O`.

    `product_error` for weights that are off by `weights_of_example`, and values.
    """
    return _budgets_by_name(name, arithmetic)["O"]


def numbers_of_example(name: str, arithmetic: Arithmetic) -> Matrix:
    """Bounds on the errors of an example's computed weights, row by row, and then of its outputs: one row of all."""
    return np.concatenate(
        [weights_of_example(name, arithmetic).ravel(), outputs_of_example(name, arithmetic).ravel()]
    )


def exponential_of_example(name: str, arithmetic: Arithmetic) -> float:
    """Bound on the relative error of a ratio of two computed weights of a row of an example.

    `odds` for the weights as their computed scores have them. Each score is off by at most the largest `score_error`, so
    that their difference is off by at most twice that, and its exponential by as large a factor. Rests on the standard
    model alone. Assumes that no weight underflows.
    """
    with exact.precision(BITS):
        scores = _floats(example(name).exact("S"))
    off = float(_budgets_by_name(name, arithmetic)["S"].max())
    reach = float((scores.max(axis=-1) - scores.min(axis=-1)).max()) + 2 * off
    ratio = rounding.odds(arithmetic.u, reach, arithmetic.exp_ulp)
    return ratio + (1 + ratio) * math.expm1(2 * off)


@cache
def _budgets_by_name(name: str, arithmetic: Arithmetic) -> dict[str, Matrix]:
    with exact.precision(BITS):
        return budgets(example(name), arithmetic, whole_are_exact=True)


def _floats(balls: exact.Balls) -> Matrix:
    return np.asarray([exact.upper(ball) for ball in balls.ravel()], dtype=np.float64).reshape(balls.shape)


def _is_whole(example: Example, name: str, largest: float) -> bool:
    """Return whether a matrix and its operands hold whole numbers alone, whose sums cannot pass the largest."""
    if name in ("S", "A") or not all(
        form.is_rational() and form.fraction().denominator == 1 for form in example.matrix(name).forms.ravel()
    ):
        return False
    if name in example.given:
        return bool(np.all(abs(_floats(example.exact(name))) <= largest))
    first, second = STEPS[name].operands
    if not (_is_whole(example, first, largest) and _is_whole(example, second, largest)):
        return False
    left, right = (abs(_floats(example.exact(operand))) for operand in (first, second))
    return bool(left.max() * right.max() * left.shape[-1] <= largest)


def _table(matrix: Matrix) -> Matrix:
    return matrix if matrix.ndim == 2 else matrix[None, :]


def _columns(matrix: Matrix) -> Matrix:
    return matrix if matrix.ndim == 2 else matrix[:, None]


def _scores(example: Example, arithmetic: Arithmetic, errors: Mapping[str, Matrix]) -> Matrix:
    query, key = (abs(_floats(example.exact(name))) for name in ("Q", "K"))
    return rounding.score_error(
        arithmetic.u, query, errors["Q"], key, errors["K"], arithmetic.tiny, arithmetic.accumulator
    )


def _weights(example: Example, arithmetic: Arithmetic, errors: Mapping[str, Matrix]) -> Matrix:
    off = _scores(example, arithmetic, errors)
    true_scores = _floats(exact.scores(example.exact("Q"), example.exact("K")))
    reach = float(np.max(true_scores.max(axis=-1) - true_scores.min(axis=-1)))
    weights = _floats(example.exact("A"))
    return rounding.row_of_weights_error(
        arithmetic.u,
        weights,
        reach,
        float(np.max(off)),
        arithmetic.exp_ulp,
        arithmetic.tiny,
        arithmetic.accumulator,
    )
