"""Slips in the derivative of softmax."""

from typing import Any

import numpy as np

from tests.mutants.mutant import mutant
from tests.mutants.softmax import shifted_exponentials

Array = Any


def weights_of(scores: Array) -> Array:
    """Return softmax weights."""
    exponentials = shifted_exponentials(scores)
    with np.errstate(under="ignore"):
        return exponentials / exponentials.sum()


def products(weights: Array) -> Array:
    """Return the product of each weight with each."""
    with np.errstate(under="ignore"):
        return weights[:, None] * weights[None, :]


@mutant("softmax_jacobian", "hasDerivAt_softmax_update", "sum_softmaxJacobian_eq_zero")
def forgets_the_diagonal(scores: Array) -> Array:
    """The case of the weight's own score is forgotten."""
    return -products(weights_of(scores))


@mutant("softmax_jacobian", "sum_softmaxJacobian_eq_zero", "sum_abs_softmaxJacobian")
def keeps_the_diagonal_alone(scores: Array) -> Array:
    """Each weight is taken to depend on its own score alone, as with sigmoids."""
    weights = weights_of(scores)
    return np.diag(weights) - np.diag(np.diag(products(weights)))


@mutant(
    "softmax_jacobian",
    "abs_softmaxJacobian_le",
    "abs_softmaxJacobian_le_one_sub",
    "sum_abs_softmaxJacobian",
    "hasDerivAt_softmax_update",
)
def differentiates_the_logarithm(scores: Array) -> Array:
    """The derivative is that of the logarithms of the weights."""
    weights = weights_of(scores)
    return np.eye(len(weights), dtype=weights.dtype) - weights[None, :]


@mutant("softmax_jacobian", "hasDerivAt_softmax_update", "sum_abs_softmaxJacobian")
def cancels_near_saturation(scores: Array) -> Array:
    """On the diagonal 1 minus the weight is computed as written, and cancels where a key has nearly all the weight."""
    weights = weights_of(scores)
    return np.diag(weights) - products(weights)
