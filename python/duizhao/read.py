"""One attention read, a weighted sum: the twin of `lean/NeuralNetworks/Read.lean`.

* `read`: the values averaged with the weights.

The results that hold of these numbers are claimed in `duizhao.claims.read`.
"""

from duizhao.arrays import (
    Array,
    at_least,
    common_batch,
    floating,
    not_empty,
    onto,
    quiet,
    refuse,
    refuse_overflow,
    same_rows,
    where,
)


def read(weights: Array, values: Array) -> Array:
    """(..., queries, n), (..., n, width) -> (..., queries, width): the sum of n values times their weights.

    The twin of `NeuralNetworks.read`, sum_i w_i v_i. As in a matrix product, `weights` may also have the
    shape (n,), and the result then has no query axis; `values` may have the shape (n,), and the result
    then has no width axis. The weights need not be a point of the simplex: the theorems say what follows if
    they are, and `duizhao break` shows what happens if they are not.

    A value whose weight is 0 for every query is not looked at, whatever it holds: there, 0 times NaN is 0.

    Args:
        weights: float16, bfloat16, float32 or float64; finite.
        values: of the same library and dtype; finite where some weight is not 0.

    Raises:
        TypeError: one is not a floating-point array, or they differ in library or dtype.
        ValueError: one has no axis, there is no key, the numbers of weights and of values differ, the batch
            axes do not broadcast, a weight is not finite, or a value with a weight other than 0 is not.
        OverflowError: the sum does not fit in the dtype.
    """
    xp = floating(weights=weights, values=values)
    at_least(("keys",), weights=weights, values=values)
    not_empty("weights", weights, -1, "there is no key")
    rows = -1 if values.ndim == 1 else -2
    same_rows("values", values, rows, weights.shape[-1], "weights", tuple(weights.shape))
    matrix = weights if weights.ndim > 1 else xp.expand_dims(weights, axis=0)
    columns = values if values.ndim > 1 else xp.expand_dims(values, axis=-1)
    common_batch("values", tuple(columns.shape[:-2]), "weights", tuple(matrix.shape[:-2]))

    refuse("weights", weights, xp.logical_not(xp.isfinite(weights)), "a weight must be finite")
    used = xp.expand_dims(onto(xp.any(matrix != 0, axis=-2), tuple(columns.shape[:-1])), axis=-1)
    finite = xp.isfinite(columns)
    flags = xp.reshape(xp.logical_and(used, xp.logical_not(finite)), tuple(values.shape))
    refuse("values", values, flags, "a value whose weight is not 0 must be finite")
    # Finite values stay, used or not: the derivative in a weight that is 0 is the value.
    columns = where(xp.logical_or(used, finite), columns, 0.0)
    with quiet():
        output = xp.matmul(matrix, columns)
    if values.ndim == 1:
        output = xp.squeeze(output, axis=-1)
    if weights.ndim == 1:
        output = xp.squeeze(output, axis=-1 if values.ndim == 1 else -2)
    refuse_overflow(output, xp.logical_not(xp.isfinite(output)), "the weighted sum of the values")
    return output
