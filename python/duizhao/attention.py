"""Scaled dot-product attention: the twin of `lean/NeuralNetworks/Attention.lean`.

* `scores`: the dot products of queries with keys, scaled.
* `attention_weights`: softmax of every row of the scores.
* `attention`: the weights times the values.
* `masked_attention`: the same where each query may read some of the keys.
* `biased_attention`: the same with a bias added to the scores.
* `scores_shape`, `check_value_shape`, `checked_scale`, `looked_at`, `scaled_products`: the steps that every
  way of computing attention shares.

Queries, keys and values are rows. Batch and head axes stand in front and broadcast. The results that hold of
these numbers are claimed in `duizhao.claims.attention`. The formula is that of Vaswani and others 2017,
"Attention is all you need", section 3.2.1.
"""

import math

from duizhao.arrays import (
    Array,
    Namespace,
    at_least,
    boolean,
    broadcast_shape,
    common_batch,
    everything,
    floating,
    not_empty,
    onto,
    quiet,
    real_number,
    refuse,
    refuse_overflow,
    same_rows,
    where,
)
from duizhao.mask import EmptyRow, check_empty_row, masked_softmax, refuse_empty_rows
from duizhao.read import read
from duizhao.softmax import softmax


def scores(query: Array, key: Array, *, scale: float | None = None) -> Array:
    """(..., L, d), (..., S, d) -> (..., L, S): the dot products of L queries with S keys, times the scale.

    The twin of `NeuralNetworks.scores`, Q Kᵀ / √d; another scale takes the place of 1 / √d. A scale of at
    most 1 is applied to the queries, a larger one to the products: neither overflows unless a score does.

    Args:
        query: float16, bfloat16, float32 or float64; finite.
        key: of the same library and dtype; finite.
        scale: any finite number within the normal range of the dtype, or 0; 1 / √d if not given.

    Raises:
        TypeError: one is not a floating-point array, they differ in library or dtype, or `scale` is not a
            real number.
        ValueError: one has fewer than two axes, the widths differ or are 0, there is no key, the batch axes
            do not broadcast, an entry is not finite; `scale` is not finite or out of the range of the dtype.
        OverflowError: a score does not fit in the dtype.
    """
    xp = floating(query=query, key=key)
    shape = scores_shape(query, key)
    return _scores(xp, query, key, everything(xp, query, shape), scale)


def attention_weights(query: Array, key: Array, *, scale: float | None = None) -> Array:
    """(..., L, d), (..., S, d) -> (..., L, S): softmax of the scores along the keys, one row a query.

    The twin of `NeuralNetworks.attentionWeights`.

    Args:
        query: as for `scores`.
        key: as for `scores`.
        scale: as for `scores`.

    Raises:
        TypeError: as for `scores`.
        ValueError: as for `scores`.
        OverflowError: as for `scores`, or the sum of a row's exponentials does not fit in the dtype.
    """
    return softmax(scores(query, key, scale=scale))


def attention(query: Array, key: Array, value: Array, *, scale: float | None = None) -> Array:
    """(..., L, d), (..., S, d), (..., S, e) -> (..., L, e): every query reads all values with its weights.

    The twin of `NeuralNetworks.attention`, softmax(Q Kᵀ / √d) V.

    Args:
        query: as for `scores`.
        key: as for `scores`.
        value: of the same library and dtype; finite.
        scale: as for `scores`.

    Raises:
        TypeError: as for `scores`.
        ValueError: as for `scores`; `value` has fewer than two axes, not one row a key, batch axes that do
            not broadcast with the others', or an entry that is not finite.
        OverflowError: a score, a sum of exponentials or an output does not fit in the dtype.
    """
    xp = floating(query=query, key=key, value=value)
    shape = scores_shape(query, key)
    check_value_shape(value, key, shape)
    value = looked_at(xp, "value", value, xp.any(everything(xp, query, shape), axis=-2))
    return read(attention_weights(query, key, scale=scale), value)


def masked_attention(
    query: Array,
    key: Array,
    value: Array,
    mask: Array,
    *,
    scale: float | None = None,
    empty_row: EmptyRow = "zero",
) -> Array:
    """(..., L, d), (..., S, d), (..., S, e), (..., L, S) -> (..., L, e): attention to the allowed keys.

    The twin of `NeuralNetworks.maskedAttention`: the weights are `masked_softmax` of the scores. A key or
    value that no query may read, and a query that may read no key, are not looked at, whatever they hold: the
    result is bit for bit that of any other filling. With a mask of True alone it is that of `attention`.

    A query that may read no key has an empty row, and `empty_row` says what its output is: "zero" gives 0, as
    in Lean, "mean" the mean of all values, "nan" NaN, and "error" raises.

    Args:
        query: as for `scores`, but finite only where the query may read some key.
        key: as for `scores`, but finite only where some query may read it.
        value: of the same library and dtype; finite where some query may read it, which under "mean" a query
            with an empty row does.
        mask: boolean, of the same library, broadcastable to the shape of the scores; True keeps.
        scale: as for `scores`.
        empty_row: "zero", "mean", "nan" or "error".

    Raises:
        TypeError: as for `attention`; `mask` is not a boolean array of the same library.
        ValueError: as for `attention`; `mask` does not broadcast to the shape of the scores; `empty_row` is
            none of the four, or "error" and a query may read no key.
        OverflowError: an allowed score, a sum of exponentials or an output does not fit in the dtype.
    """
    xp = floating(query=query, key=key, value=value)
    shape = scores_shape(query, key)
    check_value_shape(value, key, shape)
    allowed = boolean(xp, mask, shape, beside="query")
    return _read_allowed(xp, query, key, value, allowed, None, scale, empty_row)


def biased_attention(
    query: Array,
    key: Array,
    value: Array,
    bias: Array,
    *,
    mask: Array | None = None,
    scale: float | None = None,
    empty_row: EmptyRow = "zero",
) -> Array:
    """(..., L, d), (..., S, d), (..., S, e), (..., L, S) -> (..., L, e): attention with a bias on the scores.

    Softmax of the scores plus the bias reads the values: the bias multiplies the weights by its exponential
    before they are normalised (`softmax_add`). A bias of -inf forbids a key, exactly as False in a mask does:
    a bias of 0 and -inf alone gives, bit for bit, the `masked_attention` of the mask that is False at -inf.

    Args:
        query: as for `masked_attention`.
        key: as for `masked_attention`.
        value: as for `masked_attention`.
        bias: of the same library and dtype, broadcastable to the shape of the scores; finite or -inf where
            the mask keeps.
        mask: boolean, of the same library, broadcastable to the shape of the scores; True keeps. No mask
            keeps all. Where it does not keep, the bias is not looked at.
        scale: as for `scores`; the bias is not scaled.
        empty_row: as for `masked_attention`.

    Raises:
        TypeError: as for `masked_attention`, or `bias` differs in library or dtype.
        ValueError: as for `masked_attention`; `bias` does not broadcast to the shape of the scores, or is NaN
            or +inf where the mask keeps.
        OverflowError: as for `masked_attention`, or a score plus its bias does not fit in the dtype.
    """
    xp = floating(query=query, key=key, value=value, bias=bias)
    shape = scores_shape(query, key)
    check_value_shape(value, key, shape)
    if broadcast_shape(tuple(bias.shape), shape) != shape:
        raise ValueError(
            f"bias: shape {tuple(bias.shape)} does not broadcast to the shape of the scores, {shape}"
        )
    kept = everything(xp, query, shape) if mask is None else boolean(xp, mask, shape, beside="query")
    strange = xp.logical_or(xp.isnan(bias), bias == float("inf"))
    flags = xp.logical_and(onto(kept, tuple(bias.shape)), strange)
    refuse("bias", bias, flags, "a bias where the mask keeps must be finite or -inf")
    allowed = xp.logical_and(kept, bias != -float("inf"))
    return _read_allowed(xp, query, key, value, allowed, bias, scale, empty_row)


def _read_allowed(
    xp: Namespace,
    query: Array,
    key: Array,
    value: Array,
    allowed: Array,
    bias: Array | None,
    scale: float | None,
    empty_row: EmptyRow,
) -> Array:
    """(..., L, d), (..., S, d), (..., S, e), (..., L, S) -> (..., L, e): attention to the allowed keys."""
    check_empty_row(empty_row)
    reads_nothing = xp.logical_not(xp.any(allowed, axis=-1))
    refuse_empty_rows(empty_row, reads_nothing)
    empty = xp.expand_dims(reads_nothing, axis=-1)

    read_by_some = xp.any(xp.logical_or(allowed, empty) if empty_row == "mean" else allowed, axis=-2)
    value = looked_at(xp, "value", value, read_by_some)
    all_scores = _scores(xp, query, key, allowed, scale)
    if bias is not None:
        with quiet():
            all_scores = all_scores + bias
        flags = xp.logical_and(allowed, xp.logical_not(xp.isfinite(all_scores)))
        refuse_overflow(all_scores, flags, "bias: the score plus its bias")
    weights = masked_softmax(all_scores, allowed, empty_row="mean" if empty_row == "mean" else "zero")
    output = read(weights, value)
    return where(xp.logical_not(empty), output, float("nan")) if empty_row == "nan" else output


def scores_shape(query: Array, key: Array) -> tuple[int, ...]:
    """(..., L, d), (..., S, d) -> the shape (..., L, S) of the scores.

    Raises:
        ValueError: there are fewer than two axes, the widths differ or are 0, there is no key, or the batch
            axes do not broadcast.
    """
    at_least(("queries", "width"), query=query)
    at_least(("keys", "width"), key=key)
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"key: width {key.shape[-1]} for queries of width {query.shape[-1]} "
            f"(shapes {tuple(key.shape)} and {tuple(query.shape)})"
        )
    not_empty("query", query, -1, "the width is 0")
    not_empty("key", key, -2, "there is no key")
    batch = common_batch("key", tuple(key.shape[:-2]), "query", tuple(query.shape[:-2]))
    return (*batch, query.shape[-2], key.shape[-2])


def check_value_shape(value: Array, key: Array, shape: tuple[int, ...]) -> None:
    """(..., S, e), (..., S, d) -> None: check that the values fit the keys, and scores of this shape.

    Raises:
        ValueError: there are fewer than two axes, not one row a key, or the batch axes do not broadcast.
    """
    at_least(("keys", "width"), value=value)
    same_rows("value", value, -2, shape[-1], "keys", tuple(key.shape))
    common_batch("value", tuple(value.shape[:-2]), "query and key", shape[:-2])


def looked_at(xp: Namespace, name: str, rows: Array, flags: Array) -> Array:
    """(..., S, e), (..., S) -> (..., S, e): the flagged rows, which must be finite, and 0 for the others.

    Raises:
        ValueError: an entry of a flagged row is not finite.
    """
    keep = xp.expand_dims(onto(flags, tuple(rows.shape[:-1])), axis=-1)
    wrong = xp.logical_and(keep, xp.logical_not(xp.isfinite(rows)))
    refuse(name, rows, wrong, f"a {name} that is read must be finite")
    return where(keep, rows, 0.0)


def _scores(xp: Namespace, query: Array, key: Array, allowed: Array, scale: float | None) -> Array:
    """(..., L, d), (..., S, d), (..., L, S) -> (..., L, S): the scores, of use only where allowed."""
    scale = checked_scale(xp, query, scale)
    query = looked_at(xp, "query", query, xp.any(allowed, axis=-1))
    key = looked_at(xp, "key", key, xp.any(allowed, axis=-2))
    result = scaled_products(xp, query, key, scale)
    flags = xp.logical_and(allowed, xp.logical_not(xp.isfinite(result)))
    refuse_overflow(result, flags, "query and key: the score")
    return result


def checked_scale(xp: Namespace, query: Array, scale: float | None) -> float:
    """(..., L, d) -> the scale, 1 / √d if none is given.

    Raises:
        TypeError: it is not a real number.
        ValueError: it is not finite or out of the range of the dtype.
    """
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    return real_number("scale", scale, xp, query.dtype)


def scaled_products(xp: Namespace, query: Array, key: Array, scale: float) -> Array:
    """(..., L, d), (..., S, d) -> (..., L, S): the scores, infinite or NaN where one overflows."""
    key = xp.matrix_transpose(key)
    with quiet():
        return xp.matmul(query * scale, key) if abs(scale) <= 1 else xp.matmul(query, key) * scale
