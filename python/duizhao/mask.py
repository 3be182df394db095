"""Masked softmax, and causal masks: the twin of `lean/NeuralNetworks/Mask.lean`.

* `masked_softmax`: softmax over the allowed keys, exactly 0 elsewhere.
* `causal_mask`, `sliding_window_mask`: who may read whom if nobody reads the future, or what is far away.
* `padding_mask`: which keys are there, in sequences of different lengths.
* `combine_masks`: what every mask keeps.
* `causal_softmax`: masked softmax of square scores under the causal mask.

A mask is a boolean array in which True keeps. The results that hold of these numbers are claimed in
`duizhao.claims.mask`.
"""

import numbers
from typing import Any, Literal, get_args

import array_api_compat
import numpy as np

from duizhao.arrays import (
    Array,
    Namespace,
    at_least,
    boolean,
    broadcast_shape,
    first_index,
    floating,
    holds,
    library,
    same_library,
    short,
    where,
)
from duizhao.softmax import checked_scores, exponentials, normalised

EmptyRow = Literal["zero", "mean", "nan", "error"]
Alignment = Literal["top_left", "bottom_right"]


def masked_softmax(scores: Array, mask: Array, *, empty_row: EmptyRow = "zero") -> Array:
    """(..., n), (broadcastable to (..., n)) -> (..., n): softmax over the allowed keys, exactly 0 elsewhere.

    The twin of `NeuralNetworks.maskedSoftmax`: exp(s_i) / sum_{j in A} exp(s_j) for i in A, else 0, where A
    is the set of keys with True in the mask. The score of a key that is not allowed is not looked at,
    whatever it holds. With a mask of True alone the result is that of `softmax`, bit for bit.

    A row with no allowed score above -inf is an empty row. Programs differ on it, and `empty_row` says what
    happens: "zero" gives the weight 0 to every key, as in Lean (`maskedSoftmax_empty`), "mean" 1 / n, "nan"
    NaN, and "error" raises.

    Args:
        scores: float16, bfloat16, float32 or float64; finite or -inf where allowed.
        mask: boolean, of the same library; True keeps.
        empty_row: "zero", "mean", "nan" or "error".

    Raises:
        TypeError: `scores` is not a floating-point array, or `mask` is not a boolean one of the same library.
        ValueError: `scores` has no axis, no key, or NaN or +inf where allowed; `mask` does not broadcast to
            its shape; `empty_row` is none of the four, or "error" and a row is empty.
        OverflowError: there are so many keys that their exponentials add up to more than the dtype holds.
    """
    xp = checked_scores(scores)
    allowed = boolean(xp, mask, tuple(scores.shape), beside="scores")
    check_empty_row(empty_row)
    powers, sums = exponentials(xp, scores, allowed)
    weights, full = normalised(powers, sums), sums > 0
    refuse_empty_rows(empty_row, xp.squeeze(xp.logical_not(full), axis=-1))
    if empty_row == "mean":
        return where(full, weights, 1 / scores.shape[-1])
    if empty_row == "nan":
        return where(full, weights, float("nan"))
    return weights


def check_empty_row(empty_row: str) -> None:
    """Check that the policy is one of the four.

    Raises:
        ValueError: it is not.
    """
    if empty_row not in get_args(EmptyRow):
        raise ValueError(f'empty_row: must be "zero", "mean", "nan" or "error", got {empty_row!r}')


def refuse_empty_rows(empty_row: str, empty: Array) -> None:
    """(...) -> None: check that no row is empty, if that is an error.

    Raises:
        ValueError: a row is empty and the policy is "error".
    """
    if empty_row == "error" and holds(empty):
        row = f"row {first_index(empty)}" if empty.ndim else "the row"
        raise ValueError(
            f"mask: {row} has no allowed key with a score above -inf; "
            'allow one, or choose "zero", "mean" or "nan" as empty_row'
        )


def causal_mask(
    queries: int,
    keys: int | None = None,
    *,
    alignment: Alignment | None = None,
    xp: Namespace = np,
    device: Any = None,
) -> Array:
    """() -> (queries, keys): the boolean mask in which query i may read the keys 0, ..., i.

    The sets `Iic i` of `NeuralNetworks.causalSoftmax`. If the lengths differ, there are two readings of it:
    "top_left" allows the keys j <= i; "bottom_right" allows j <= i + keys - queries, so that the last query
    reads every key, as when the queries continue a sequence of which earlier keys are kept.

    Args:
        queries: the number of queries.
        keys: the number of keys; that of queries if not given.
        alignment: "top_left" or "bottom_right"; not needed if the lengths are equal, when both agree.
        xp: the library of the mask, for example `numpy`, `torch` or `jax.numpy`.
        device: the device of the mask; the library's default if not given.

    Raises:
        TypeError: a length is not an integer, or `xp` is not an array library.
        ValueError: a length is negative, the lengths differ and `alignment` is not given, or it is neither.
    """
    position, key = _positions(queries, keys, alignment, xp, device)
    return key <= position


def sliding_window_mask(
    queries: int,
    keys: int | None = None,
    *,
    window: int,
    causal: bool = True,
    alignment: Alignment | None = None,
    xp: Namespace = np,
    device: Any = None,
) -> Array:
    """() -> (queries, keys): the boolean mask in which a query may read the nearest keys only.

    Query i may read the `window` keys i - window + 1, ..., i, of which the last is the one at its own
    position; if `causal` is False, also as many after it: the keys j with abs(i - j) < window. If the lengths
    differ, the positions of the queries are counted as in `causal_mask`. A window that is as long as the keys
    gives the causal mask, or all True.

    Args:
        queries: the number of queries.
        keys: the number of keys; that of queries if not given.
        window: how many keys there are in the window, that at the query's own position included.
        causal: whether keys after the query's position are out of reach.
        alignment: as for `causal_mask`.
        xp: as for `causal_mask`.
        device: as for `causal_mask`.

    Raises:
        TypeError: as for `causal_mask`, or `window` is not an integer.
        ValueError: as for `causal_mask`, or `window` is not positive.
    """
    _check_integer("window", window)
    if window < 1:
        raise ValueError(f"window: must be positive, got {window}")
    position, key = _positions(queries, keys, alignment, xp, device)
    near = key > position - int(window)
    return xp.logical_and(near, key <= position if causal else key < position + int(window))


def padding_mask(lengths: Array, keys: int) -> Array:
    """(...) -> (..., 1, keys): the boolean mask in which only the first keys of every sequence may be read.

    Key j is kept if j is below the length. All queries share the mask, so it broadcasts over them; for an
    axis of heads between, give lengths of shape (..., 1). A length of 0 makes every row empty.

    Args:
        lengths: integers, at least 0 and at most `keys`.
        keys: the number of keys, padding included.

    Raises:
        TypeError: `lengths` is not an array of integers, or `keys` is not an integer.
        ValueError: `keys` is negative, or a length is negative or exceeds it.
    """
    xp = library("lengths", lengths)
    if not xp.isdtype(lengths.dtype, "integral"):
        raise TypeError(f"lengths: an array of integers is needed, got {short(lengths.dtype)}")
    _check_length("keys", keys)
    key = xp.arange(int(keys), device=array_api_compat.device(lengths))
    lengths = xp.astype(lengths, key.dtype)
    wrong = xp.logical_or(lengths < 0, lengths > int(keys))
    if holds(wrong):
        index = first_index(wrong)
        place = f" at index {index}" if index else ""
        raise ValueError(f"lengths: must lie between 0 and the {keys} keys, got {int(lengths[index])}{place}")
    return key < xp.expand_dims(xp.expand_dims(lengths, axis=-1), axis=-1)


def combine_masks(*masks: Array) -> Array:
    """(...), (...), ... -> (...): the mask that keeps what every mask keeps; their shapes broadcast.

    Args:
        masks: boolean, of one library; True keeps. At least one.

    Raises:
        TypeError: one is not a boolean array, or they differ in library.
        ValueError: there is none, or their shapes do not broadcast.
    """
    if not masks:
        raise ValueError("masks: at least 1 is needed, got none")
    xp = library("mask 0", masks[0])
    result = masks[0]
    for number, mask in enumerate(masks):
        name = f"mask {number}"
        same_library(name, mask, "mask 0", xp)
        if mask.dtype != xp.bool:
            raise TypeError(f"{name}: a boolean array is needed (True keeps), got {short(mask.dtype)}")
        if broadcast_shape(tuple(result.shape), tuple(mask.shape)) is None:
            shapes = f"{tuple(mask.shape)} does not broadcast with those before it, {tuple(result.shape)}"
            raise ValueError(f"{name}: shape {shapes}")
        result = xp.logical_and(result, mask)
    return result


def _check_integer(name: str, number: object) -> None:
    """Check that it is an integer.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(number, numbers.Integral) or isinstance(number, bool):
        raise TypeError(f"{name}: an integer is needed, got {number!r}")


def _check_length(name: str, length: int) -> None:
    """Check that it is a length.

    Raises:
        TypeError: it is not an integer.
        ValueError: it is negative.
    """
    _check_integer(name, length)
    if length < 0:
        raise ValueError(f"{name}: must not be negative, got {length}")


def _positions(
    queries: int, keys: int | None, alignment: Alignment | None, xp: Namespace, device: Any
) -> tuple[Array, Array]:
    """() -> (queries, 1), (1, keys): among the keys, the positions of the queries, and those of the keys.

    Raises:
        TypeError: a length is not an integer, or `xp` is not an array library.
        ValueError: a length is negative, the lengths differ and `alignment` is not given, or it is neither.
    """
    keys = queries if keys is None else keys
    _check_length("queries", queries)
    _check_length("keys", keys)
    if alignment is None and queries != keys:
        raise ValueError(
            f'alignment: {queries} queries and {keys} keys need one, "top_left" or "bottom_right"'
        )
    if alignment is not None and alignment not in get_args(Alignment):
        raise ValueError(f'alignment: must be "top_left" or "bottom_right", got {alignment!r}')
    if not hasattr(xp, "arange"):
        raise TypeError(f"xp: an array library is needed, such as numpy or jax.numpy, got {xp!r}")
    ahead = int(keys) - int(queries) if alignment == "bottom_right" else 0
    position = xp.reshape(xp.arange(int(queries), device=device), (int(queries), 1)) + ahead
    key = xp.reshape(xp.arange(int(keys), device=device), (1, int(keys)))
    return position, key


def causal_softmax(scores: Array) -> Array:
    """(..., n, n) -> (..., n, n): masked softmax in which position i may read the positions 0, ..., i.

    The twin of `NeuralNetworks.causalSoftmax`.

    Args:
        scores: float16, bfloat16, float32 or float64; finite or -inf up to the diagonal.

    Raises:
        TypeError: `scores` is not a floating-point array.
        ValueError: `scores` has fewer than two axes, is not square in the last two, is empty there, or has
            NaN or +inf up to the diagonal.
        OverflowError: as for `masked_softmax`.
    """
    xp = floating(scores=scores)
    at_least(("queries", "keys"), scores=scores)
    queries, keys = scores.shape[-2:]
    if queries != keys:
        raise ValueError(
            f"scores: as many queries as keys are needed, got shape {tuple(scores.shape)}; "
            "use masked_softmax with causal_mask and an alignment"
        )
    return masked_softmax(scores, causal_mask(queries, xp=xp, device=array_api_compat.device(scores)))
