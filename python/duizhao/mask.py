"""Masked softmax, and causal masks: the twin of `lean/NeuralNetworks/Mask.lean`.

* `masked_softmax`: softmax over the allowed keys, exactly 0 elsewhere.
* `causal_mask`: who may read whom if nobody reads the future.
* `causal_softmax`: masked softmax of square scores under the causal mask.

A mask is a boolean array in which True keeps. The results that hold of these numbers are claimed in
`duizhao.claims.mask`.
"""

import numbers
from typing import Any, Literal, get_args

import array_api_compat
import numpy as np

from duizhao.arrays import Array, Namespace, at_least, boolean, first_index, floating, holds, where
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
    keys = queries if keys is None else keys
    for name, length in (("queries", queries), ("keys", keys)):
        if not isinstance(length, numbers.Integral) or isinstance(length, bool):
            raise TypeError(f"{name}: an integer is needed, got {length!r}")
        if length < 0:
            raise ValueError(f"{name}: must not be negative, got {length}")
    if alignment is None and queries != keys:
        raise ValueError(
            f'alignment: {queries} queries and {keys} keys need one, "top_left" or "bottom_right"'
        )
    if alignment is not None and alignment not in get_args(Alignment):
        raise ValueError(f'alignment: must be "top_left" or "bottom_right", got {alignment!r}')
    if not hasattr(xp, "arange"):
        raise TypeError(f"xp: an array library is needed, such as numpy or jax.numpy, got {xp!r}")
    ahead = int(keys) - int(queries) if alignment == "bottom_right" else 0
    row = xp.reshape(xp.arange(int(queries), device=device), (int(queries), 1))
    column = xp.reshape(xp.arange(int(keys), device=device), (1, int(keys)))
    return column <= row + ahead


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
