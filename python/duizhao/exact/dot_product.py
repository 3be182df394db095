"""Reads and scaled dot-product attention on balls.

* `read`: weights times values.
* `scores`, `attention_weights`, `attention`, `masked_attention`, `biased_attention`: as the reference functions.

Batch and head axes stand in front and broadcast, as in `matmul`.
"""

import math
from collections.abc import Callable

import flint
import numpy as np
from numpy.typing import NDArray

from duizhao.exact.conversion import Balls, balls, filled, scalar
from duizhao.exact.exponentials import exponentials, fill, permission, total
from duizhao.mask import EmptyRow, check_empty_row


def read(weights: object, values: object) -> Balls:
    """Return weights (..., queries, keys) times values (..., keys, width): outputs (..., queries, width).

    `Σ_i w_i v_i`, `read` in `Read.lean`. Weights (keys,) and values (keys,) are treated as in `matmul`. Where
    a weight is exactly 0, its value is not looked at.

    Raises:
        ValueError: If the numbers of keys differ, or leading axes do not broadcast.
    """
    left, right = balls(weights), balls(values)
    if left.ndim == 0 or right.ndim == 0:
        raise ValueError(f"weights: both sides need an axis of keys (shapes {left.shape} and {right.shape})")
    keys = right.shape[0] if right.ndim == 1 else right.shape[-2]
    if left.shape[-1] != keys:
        raise ValueError(
            f"values: {keys} rows for {left.shape[-1]} weights (shapes {right.shape} and {left.shape})"
        )
    product = _weighted(
        left[None, :] if left.ndim == 1 else left, right[:, None] if right.ndim == 1 else right, "values"
    )
    added = ((-2, left.ndim == 1), (-1, right.ndim == 1))
    return product.squeeze(tuple(axis for axis, is_added in added if is_added))


def scores(query: object, key: object, *, scale: object | None = None) -> Balls:
    """Return `scale Q Kᵀ` of queries (..., queries, width), keys (..., keys, width): (..., queries, keys).

    `scores` in `Attention.lean`. Without a scale it is the exact `1 / √width`.

    Raises:
        ValueError: If there are fewer than two axes, the widths differ or are 0, there is no key, or leading
            axes do not broadcast.
    """
    dots, factor = _dots(query, key, scale)
    scaled: Balls = dots * factor
    return scaled


def attention_weights(query: object, key: object, *, scale: object | None = None) -> Balls:
    """Return the weights of queries (..., queries, width), keys (..., keys, width): (..., queries, keys).

    Softmax of every row of `scores`; `attentionWeights` in `Attention.lean`.

    Raises:
        ValueError: As `scores`.
    """
    dots, factor = _dots(query, key, scale)
    exponential, empty = exponentials(dots, permission(None, dots.shape), factor)
    weights: Balls = exponential / total(exponential, empty)
    return weights


def attention(query: object, key: object, value: object, *, scale: object | None = None) -> Balls:
    """Return attention of (..., queries, width), (..., keys, width), (..., keys, out): (..., queries, out).

    `attention` in `Attention.lean`: the exponentials times the values, over the sum of the exponentials.

    Raises:
        ValueError: As `scores`, and if there are not as many values as keys.
    """
    return _attend(query, key, value, None, scale, "zero")


def masked_attention(
    query: object,
    key: object,
    value: object,
    mask: object,
    *,
    scale: object | None = None,
    empty_row: EmptyRow = "zero",
) -> Balls:
    """Return attention over the allowed keys, mask (..., queries, keys): (..., queries, out).

    `maskedAttention` in `Attention.lean`; other shapes as in `attention`. A key or value that a query may not
    read is not looked at for it.

    Args:
        query: Numbers (..., queries, width) as `balls` takes them.
        key: Numbers (..., keys, width).
        value: Numbers (..., keys, out).
        mask: Truth values that broadcast to the shape of the scores; True keeps a key.
        scale: The factor of the dot products, `1 / √width` if None.
        empty_row: What a query without any key gets: "zero", the "mean" of all values, "nan" or "error".

    Raises:
        TypeError: If the mask does not hold truth values.
        ValueError: As `attention`; and if the mask does not fit, `empty_row` is unknown, or it is "error" and
            a query has no key.
    """
    return _attend(query, key, value, mask, scale, empty_row)


def biased_attention(
    query: object,
    key: object,
    value: object,
    bias: object,
    *,
    mask: object | None = None,
    scale: object | None = None,
    empty_row: EmptyRow = "zero",
) -> Balls:
    """Return attention with a bias (..., queries, keys) added to the scaled scores: (..., queries, out).

    Other shapes as in `attention`. A bias of minus infinity forbids a key.

    Args:
        query: Numbers (..., queries, width) as `balls` takes them.
        key: Numbers (..., keys, width).
        value: Numbers (..., keys, out).
        bias: Numbers that broadcast to the shape of the scores.
        mask: Truth values that broadcast to the shape of the scores; True keeps a key.
        scale: The factor of the dot products, `1 / √width` if None.
        empty_row: As in `masked_attention`.

    Raises:
        TypeError: As `masked_attention`.
        ValueError: As `masked_attention`.
    """
    return _attend(query, key, value, mask, scale, empty_row, bias=bias)


def _attend(
    query: object,
    key: object,
    value: object,
    mask: object | None,
    scale: object | None,
    empty_row: EmptyRow,
    *,
    bias: object | None = None,
) -> Balls:
    check_empty_row(empty_row)
    dots, factor = _dots(query, key, scale)
    if bias is not None:
        dots, factor = dots * factor + np.broadcast_to(balls(bias), dots.shape), flint.arb(1)
    keys, values = dots.shape[-1], balls(value)
    if values.ndim < 2 or values.shape[-2] != keys:
        raise ValueError(f"value: (..., {keys}, out) is needed for {keys} keys, got shape {values.shape}")
    exponential, empty = exponentials(dots, permission(mask, dots.shape), factor)
    if empty_row == "mean":
        exponential, empty = np.where(empty, balls(1), exponential), np.zeros_like(empty)
    outputs: Balls = _weighted(exponential, values, "value") / total(exponential, empty)
    return fill(outputs, empty, empty_row)


def _dots(query: object, key: object, scale: object | None) -> tuple[Balls, flint.arb]:
    """Return the dot products `Q Kᵀ` and the factor that scales them."""
    queries, keys = balls(query), balls(key)
    for name, numbers in (("query", queries), ("key", keys)):
        if numbers.ndim < 2:
            raise ValueError(f"{name}: (..., length, width) is needed, got shape {numbers.shape}")
    width = queries.shape[-1]
    if width != keys.shape[-1] or width == 0:
        raise ValueError(
            f"key: width {keys.shape[-1]}, queries of width {width}; both must agree and not be 0"
        )
    if keys.shape[-2] == 0:
        raise ValueError(f"key: at least one is needed, got shape {keys.shape}")
    factor = flint.arb(width).rsqrt() if scale is None else scalar(scale, "scale")
    return _product(queries, np.swapaxes(keys, -1, -2), "key"), factor


def _weighted(weights: Balls, values: Balls, name: str) -> Balls:
    """Return the matrix product of weights and values; NaN where a value that is no number has a weight."""
    strange = ~_each(flint.arb.is_finite, values)
    product = _product(weights, np.where(strange, balls(0), values), name)
    result: Balls = np.where(np.matmul(~_each(flint.arb.is_zero, weights), strange), balls(math.nan), product)
    return result


def _each(test: Callable[[flint.arb], bool], numbers: Balls) -> NDArray[np.bool_]:
    return np.array([test(ball) for ball in numbers.ravel().tolist()], dtype=np.bool_).reshape(numbers.shape)


def _product(left: Balls, right: Balls, name: str) -> Balls:
    """Return the matrix product of (..., n, k) and (..., k, m): (..., n, m)."""
    try:
        batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except ValueError:
        message = f"leading axes {right.shape[:-2]} do not broadcast with {left.shape[:-2]}"
        raise ValueError(f"{name}: {message}") from None
    n, k, m = left.shape[-2], left.shape[-1], right.shape[-1]
    lefts = np.broadcast_to(left, (*batch, n, k))
    rights = np.broadcast_to(right, (*batch, k, m))
    entries: list[flint.arb] = []
    for index in np.ndindex(batch):
        matrix = flint.arb_mat(n, k, lefts[index].ravel().tolist())
        entries.extend((matrix * flint.arb_mat(k, m, rights[index].ravel().tolist())).entries())
    return filled(entries, (*batch, n, m))
