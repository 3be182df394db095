"""The derivative of softmax, and products with it: the twin of `lean/NeuralNetworks/Sensitivity.lean`.

* `softmax_jacobian`: the matrix of derivatives of every weight in every score.
* `softmax_jvp`: how the weights move with the scores; the matrix times a tangent, without the matrix.
* `softmax_vjp`: how the scores matter to a function of the weights; a cotangent times the matrix.

The formula is w_i (1 - w_i) on the diagonal and -w_i w_k off it. Where one key has nearly all the weight,
1 - w_i and differences of tangents cancel in floating point, and what is left is rounding. So 1 - w_i is taken
as the sum of the other weights, and tangents are taken from that of the best key, which moves nothing, since
rows of the matrix sum to zero (`sum_softmaxJacobian_eq_zero`). The results that hold of these numbers are
claimed in `duizhao.claims.sensitivity`.
"""

from array_api_compat import device

from duizhao.arrays import (
    Array,
    Namespace,
    at_least,
    common_batch,
    floating,
    onto,
    quiet,
    refuse,
    refuse_overflow,
    same_rows,
    where,
)
from duizhao.softmax import checked_scores, softmax


def softmax_jacobian(scores: Array) -> Array:
    """(..., n) -> (..., n, n): the derivative of weight i in score k at row i and column k.

    The twin of `NeuralNetworks.softmaxJacobian`, w_i ((1 if i = k else 0) - w_k), the derivative by
    `hasDerivAt_softmax_update`. The matrix is symmetric, and every entry that does not underflow has a small
    relative error, also where one key has nearly all the weight.

    A score of -inf gives zeros in its row and its column.

    Args:
        scores: as for `softmax`.

    Raises:
        TypeError: `scores` is not a floating-point array.
        ValueError: as for `softmax`.
        OverflowError: as for `softmax`.
    """
    xp = checked_scores(scores)
    weights = softmax(scores)
    row, column = xp.expand_dims(weights, axis=-1), xp.expand_dims(weights, axis=-2)
    n = scores.shape[-1]
    diagonal = xp.eye(n, dtype=xp.bool, device=device(scores))
    with quiet():
        others = xp.sum(where(xp.logical_not(diagonal), column, 0.0), axis=-1, keepdims=True)
        return xp.where(diagonal, row * others, -(row * column))


def softmax_jvp(scores: Array, tangent: Array) -> Array:
    """(..., n), (..., n) -> (..., n): the derivative of the weights along a tangent of the scores.

    sum_k J_ik t_k = w_i (t_i - sum_k w_k t_k), with the matrix J of `softmax_jacobian`, which is not formed.
    A tangent that is the same for all keys gives exactly 0. Rows and tangents broadcast: one row of scores and
    k tangents give k derivatives.

    Where a score is -inf, the tangent is not looked at, whatever it holds: the weight stays 0.

    Args:
        scores: as for `softmax`.
        tangent: of the same library and dtype; finite where the score is not -inf.

    Raises:
        TypeError: one is not a floating-point array, or they differ in library or dtype.
        ValueError: as for `softmax`; `tangent` has no axis, not one entry a key, batch axes that do not
            broadcast with those of `scores`, or an entry that is not finite.
        OverflowError: as for `softmax`, or a difference of entries of `tangent`, or the product, does not fit in
            the dtype.
    """
    return _product("tangent", scores, tangent)


def softmax_vjp(scores: Array, cotangent: Array) -> Array:
    """(..., n), (..., n) -> (..., n): the derivative in the scores of a function of the weights.

    sum_i c_i J_ik = w_k (c_k - sum_i w_i c_i), where c_i is the function's derivative in weight i and J the
    matrix of `softmax_jacobian`, which is not formed. J is symmetric, so this is `softmax_jvp`, bit for bit.

    Args:
        scores: as for `softmax`.
        cotangent: as the tangent of `softmax_jvp`.

    Raises:
        TypeError: as for `softmax_jvp`.
        ValueError: as for `softmax_jvp`.
        OverflowError: as for `softmax_jvp`.
    """
    return _product("cotangent", scores, cotangent)


def _product(name: str, scores: Array, vector: Array) -> Array:
    """(..., n), (..., n) -> (..., n): the Jacobian of softmax times a vector."""
    checked_scores(scores)
    xp = floating(**{"scores": scores, name: vector})
    at_least(("keys",), **{name: vector})
    same_rows(name, vector, -1, scores.shape[-1], "scores", tuple(scores.shape))
    batch = common_batch(name, tuple(vector.shape[:-1]), "scores", tuple(scores.shape[:-1]))
    shape = (*batch, scores.shape[-1])

    weights = softmax(scores)
    present = xp.broadcast_to(scores != -float("inf"), shape)
    wrong = xp.logical_and(onto(present, tuple(vector.shape)), xp.logical_not(xp.isfinite(vector)))
    refuse(name, vector, wrong, f"a {name} must be finite where the score is not -inf")
    vector = where(present, xp.broadcast_to(vector, shape), 0.0)
    with quiet():
        moved = where(present, vector - _at_best_key(xp, scores, vector), 0.0)
        mean = xp.sum(weights * moved, axis=-1, keepdims=True)
        product = weights * (moved - mean)
    flags = xp.logical_not(xp.isfinite(moved))
    refuse_overflow(moved, flags, f"{name}: its difference from that of the best key")
    refuse_overflow(product, xp.logical_not(xp.isfinite(product)), f"{name}: the product")
    return product


def _at_best_key(xp: Namespace, scores: Array, vector: Array) -> Array:
    """(..., n), (..., n) -> (..., 1): the entry of the vector at the first of the keys with the largest score."""
    key = xp.arange(scores.shape[-1], device=device(scores))
    best = key == xp.argmax(scores, axis=-1, keepdims=True)
    return xp.sum(where(best, vector, 0.0), axis=-1, keepdims=True)
