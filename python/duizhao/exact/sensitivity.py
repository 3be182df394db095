"""The derivative of softmax on balls.

* `softmax_jacobian`, `softmax_jvp`, `softmax_vjp`: as the reference functions.
"""

import numpy as np

from duizhao.exact.conversion import Balls, balls
from duizhao.exact.exponentials import softmax


def softmax_jacobian(scores: object) -> Balls:
    """Return the derivatives of the weights in scores (..., keys): (..., weight, score).

    `softmaxJacobian` in `Sensitivity.lean`, `w_i ((1 if i = k else 0) - w_k)`. The `1 - w_i` of the diagonal
    is the sum of the other weights (`sum_softmax_eq_one`), which is tight also where one key has nearly all
    the weight.

    Args:
        scores: Numbers as `balls` takes them.

    Raises:
        ValueError: If there is no key axis or no key.
    """
    weights = softmax(scores)
    row, column = weights[..., :, None], weights[..., None, :]
    is_diagonal = np.eye(weights.shape[-1], dtype=np.bool_)
    others = np.where(is_diagonal, balls(0), column).sum(axis=-1, keepdims=True)
    jacobian: Balls = np.where(is_diagonal, row * others, -(row * column))
    return jacobian


def softmax_jvp(scores: object, tangent: object) -> Balls:
    """Return the derivative of the weights of scores (..., keys) along tangents (..., keys): (..., keys).

    `Σ_k J_ik t_k = Σ_k w_i w_k (t_i - t_k)`, with J of `softmax_jacobian`. Where a weight is exactly 0, the
    tangent is not looked at.

    Args:
        scores: Numbers as `balls` takes them.
        tangent: Numbers, whose leading axes broadcast with those of the scores.

    Raises:
        ValueError: If there is no key axis or no key, or the shapes do not fit.
    """
    return _product("tangent", scores, tangent)


def softmax_vjp(scores: object, cotangent: object) -> Balls:
    """Return cotangents (..., keys) times the derivative of the weights of scores (..., keys): (..., keys).

    J is symmetric: this is `softmax_jvp`.

    Args:
        scores: Numbers as `balls` takes them.
        cotangent: Numbers, whose leading axes broadcast with those of the scores.

    Raises:
        ValueError: As `softmax_jvp`.
    """
    return _product("cotangent", scores, cotangent)


def _product(name: str, scores: object, vector: object) -> Balls:
    weights, entries = softmax(scores), balls(vector)
    if entries.ndim == 0 or entries.shape[-1] != weights.shape[-1]:
        raise ValueError(f"{name}: (..., {weights.shape[-1]}) is needed, got shape {entries.shape}")
    there = np.array([not ball.is_zero() for ball in weights.ravel()], dtype=np.bool_).reshape(weights.shape)
    entries = np.where(there, entries, balls(0))
    differences = entries[..., :, None] - entries[..., None, :]
    product: Balls = weights * (weights[..., None, :] * differences).sum(axis=-1)
    return product
