"""The worked examples of the lessons, recomputed in floats and compared, element by element, with their exact values.

* `check_example`: one example in one dtype.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duizhao import exact, rounding
from duizhao.examples import STEPS, Comparison, Example, compare
from duizhao.rounding import Arithmetic
from duizhao.strategies import Target

BITS = 192
"""Precision of the exact values."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Worked:
    """What a recomputation of an example in one dtype found."""

    example: str
    dtype: str
    elements: int
    slack: float
    """The worst error over its budget."""
    failures: tuple[str, ...]


def _floats(balls: NDArray[np.object_]) -> Matrix:
    return np.asarray([exact.upper(ball) for ball in balls.ravel()], dtype=np.float64).reshape(balls.shape)


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


def budgets(example: Example, arithmetic: Arithmetic) -> dict[str, Matrix]:
    """Return, for each matrix of an example, a bound on the error of each of its computed elements."""
    found: dict[str, Matrix] = {}
    for name, matrix in example.matrices.items():
        if name in example.given:
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


def _failure(element: Comparison, budget: float, example: Example) -> str | None:
    place = f"{example.name}: {element.matrix}{list(element.index)} = {element.computed!r}"
    if not element.error <= budget:
        return f"{place} is off by {element.error:.3g}, the budget is {budget:.3g}"
    if element.printed_is_right is False and element.index not in example.matrix(element.matrix).misprints:
        return f"{place}: the lesson prints {element.printed}, the true value is {element.digits}"
    return None


def check_example(example: Example, target: Target) -> Worked:
    """Recompute an example and compare every element with its exact value, within the budgets of `rounding`."""
    with exact.precision(BITS):
        allowed = budgets(example, target.arithmetic)
        elements = compare(example, target.xp, target.dtype)
        worst, failures = 0.0, []
        for element in elements:
            budget = float(allowed[element.matrix][element.index])
            worst = max(worst, element.error / budget if math.isfinite(element.error) else math.inf)
            failure = _failure(element, budget, example)
            if failure is not None:
                failures.append(failure)
    return Worked(example.name, target.name, len(elements), worst, tuple(failures))
