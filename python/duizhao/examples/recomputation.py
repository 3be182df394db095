"""The worked examples computed again, in floats.

* `project`: rows of input times parameters.
* `STEPS`: how each matrix follows from others, by the reference functions.
* `recompute`: every matrix of an example.
* `compare`: every element with its exact value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from array_api_compat import array_namespace

from duizhao.arrays import Array, Namespace
from duizhao.attention import attention_weights, scores
from duizhao.exact import balls, distance, precision, upper
from duizhao.examples.catalogue import Example, Index
from duizhao.read import read

BITS = 192
"""Precision of the exact values that floats are compared with."""


def project(rows: Array, parameters: Array) -> Array:
    """(..., L, e), (e, d) -> (..., L, d): rows times a matrix of parameters.

    Args:
        rows: An array of any library and any dtype.
        parameters: Of the same library.
    """
    return array_namespace(rows, parameters).matmul(rows, parameters)


def _dot_products(query: Array, key: Array) -> Array:
    return scores(query, key, scale=1.0)


def _product_shape(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...] | None:
    try:
        shape: tuple[int, ...] = np.matmul(np.zeros(left), np.zeros(right)).shape
    except ValueError:
        return None
    return shape


def _scores_shape(query: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...] | None:
    return _product_shape(query, key[::-1]) if len(query) == len(key) == 2 else None


@dataclass(frozen=True)
class Step:
    """How one matrix follows from two others."""

    formula: str
    """As the lessons write it."""
    operands: tuple[str, str]
    """The names of the two."""
    compute: Callable[[Array, Array], Array]
    """The reference function."""
    shape: Callable[[tuple[int, ...], tuple[int, ...]], tuple[int, ...] | None]
    """The shape of the result, or None if the operands do not fit."""


STEPS: Mapping[str, Step] = {
    "Q": Step("X W_Q", ("X", "W_Q"), project, _product_shape),
    "K": Step("X W_K", ("X", "W_K"), project, _product_shape),
    "V": Step("X W_V", ("X", "W_V"), project, _product_shape),
    "D": Step("Q Kᵀ", ("Q", "K"), _dot_products, _scores_shape),
    "S": Step("Q Kᵀ / √d", ("Q", "K"), scores, _scores_shape),
    "A": Step("softmax(S)", ("Q", "K"), attention_weights, _scores_shape),
    "O": Step("A V", ("A", "V"), read, _product_shape),
}
"""The steps of the lessons in their order."""


@dataclass(frozen=True)
class Comparison:
    """One element, computed and true."""

    matrix: str
    index: Index
    computed: float
    """The element as it was computed."""
    error: float
    """An upper bound on its distance from the true value; infinity if it is not finite."""
    printed: str | None
    """The decimals in the lesson, if there are any."""
    digits: str | None
    """The true value to as many decimals."""

    @property
    def printed_is_right(self) -> bool | None:
        """Whether the printed decimals are those of the true value; None if there are none."""
        return None if self.printed is None else self.printed == self.digits


def recompute(example: Example, xp: Namespace, dtype: object) -> dict[str, Array]:
    """Return every matrix (...) of an example: the given ones, and the others by the reference functions.

    Args:
        example: The example.
        xp: The library of the arrays.
        dtype: Their dtype, or its name.

    Raises:
        ValueError: If the library does not have the dtype.
    """
    arrays = example.inputs(xp, dtype)
    for name in example.matrices:
        if name not in arrays:
            left, right = STEPS[name].operands
            arrays[name] = STEPS[name].compute(arrays[left], arrays[right])
    return {name: arrays[name] for name in example.matrices}


def compare(example: Example, xp: Namespace, dtype: object) -> list[Comparison]:
    """Return every element of every matrix of an example, computed and compared with its exact value.

    Errors include that of rounding given numbers that are no floats, such as 1/5.

    Args:
        example: The example.
        xp: The library to compute with.
        dtype: The dtype to compute in, or its name.

    Raises:
        ValueError: If the library does not have the dtype.
    """
    found = []
    for name, array in recompute(example, xp, dtype).items():
        matrix, computed = example.matrices[name], balls(array)
        with precision(BITS):
            errors = distance(computed, matrix.exact())
        numbers, bounds = computed.ravel().tolist(), [upper(ball) for ball in errors.ravel().tolist()]
        for index, number, bound in zip(np.ndindex(matrix.shape), numbers, bounds, strict=True):
            found.append(Comparison(name, index, float(number), bound, *matrix.decimals(index)))
    return found
