"""Softmax on balls.

* `softmax`, `softmax_denominator`, `masked_softmax`, `causal_softmax`: as the reference functions.
* `sigmoid`: of one ball; `log_ratio`: of two.
* `exponentials`, `total`, `fill`, `permission`: the steps, which attention shares.

Keys are along the last axis. A score of minus infinity, or a key that is not allowed, gets weight exactly 0;
what stands at a key that is not allowed is not looked at.
"""

import math

import flint
import numpy as np
from numpy.typing import NDArray

from duizhao.exact.conversion import Balls, balls, scalar
from duizhao.mask import EmptyRow, check_empty_row


def softmax(scores: object, *, temperature: object = 1) -> Balls:
    """Return softmax along the last axis of scores (..., keys): weights (..., keys).

    `exp(s_i / T) / Σ_j exp(s_j / T)`: definition 3.8.1 of the course, `softmax` in `Softmax.lean`. A row of
    nothing but minus infinity is a row without keys: zeros, as `maskedSoftmax_empty` has it. A row with NaN
    or plus infinity is NaN.

    Args:
        scores: Numbers as `balls` takes them.
        temperature: The positive number T.

    Raises:
        ValueError: If there is no key axis or no key, or the temperature is not certainly positive.
    """
    numbers, factor = _scaled(balls(scores), temperature)
    return _softmax(numbers, permission(None, numbers.shape), factor, "zero")


def softmax_denominator(scores: object, *, temperature: object = 1) -> Balls:
    """Return `Σ_j exp((s_j - max s) / T)` of scores (..., keys): sums (...).

    The number of `sum_exp_sub_sup_mem_Icc` in `Softmax.lean`, between 1 and the number of keys; 0 for a row
    of nothing but minus infinity.

    Args:
        scores: Numbers as `balls` takes them.
        temperature: The positive number T.

    Raises:
        ValueError: As `softmax`.
    """
    numbers, factor = _scaled(balls(scores), temperature)
    exponential, empty = exponentials(numbers, permission(None, numbers.shape), factor)
    largest = np.where(
        empty, balls(1), np.frompyfunc(flint.arb.max, 2, 1).reduce(exponential, axis=-1, keepdims=True)
    )
    sums: Balls = np.where(empty, balls(0), total(exponential, empty) / largest)
    return sums[..., 0]


def masked_softmax(scores: object, mask: object, *, empty_row: EmptyRow = "zero") -> Balls:
    """Return softmax of scores (..., keys) over the allowed keys, mask (..., keys): weights (..., keys).

    `maskedSoftmax` in `Mask.lean`: the exponentials of the allowed keys over their sum, exactly 0 elsewhere.

    Args:
        scores: Numbers as `balls` takes them.
        mask: Truth values that broadcast to the shape of the scores; True keeps a key.
        empty_row: What a query without any key gets: "zero", "mean" (equal weights), "nan" or "error".

    Raises:
        TypeError: If the mask does not hold truth values.
        ValueError: If shapes do not fit, `empty_row` is unknown, or it is "error" and a query has no key.
    """
    check_empty_row(empty_row)
    numbers, factor = _scaled(balls(scores), 1)
    return _softmax(numbers, permission(mask, numbers.shape), factor, empty_row)


def causal_softmax(scores: object) -> Balls:
    """Return the weights (..., length, length) of scores of that shape where no position reads a later one.

    `causalSoftmax` in `Mask.lean`.

    Raises:
        ValueError: If the last two axes differ.
    """
    numbers, factor = _scaled(balls(scores), 1)
    if numbers.ndim < 2 or numbers.shape[-1] != numbers.shape[-2]:
        raise ValueError(f"scores: (..., length, length) is needed, got shape {numbers.shape}")
    past = np.tri(numbers.shape[-1], dtype=np.bool_)
    return _softmax(numbers, permission(past, numbers.shape), factor, "zero")


def _scaled(scores: Balls, temperature: object) -> tuple[Balls, flint.arb]:
    """Return the scores and the factor `1 / T`, after a look at both."""
    divisor = scalar(temperature, "temperature")
    if not divisor > 0:
        raise ValueError(f"temperature: must be positive, got {temperature}")
    if scores.ndim == 0 or scores.shape[-1] == 0:
        raise ValueError(f"scores: an axis with at least one key is needed, got shape {scores.shape}")
    return scores, 1 / divisor


def _softmax(scores: Balls, allowed: NDArray[np.bool_], factor: flint.arb, empty_row: EmptyRow) -> Balls:
    exponential, empty = exponentials(scores, allowed, factor)
    weights = np.where(allowed, exponential / total(exponential, empty), balls(0))
    return fill(weights, empty, empty_row)


def exponentials(
    scores: Balls, allowed: NDArray[np.bool_], factor: flint.arb
) -> tuple[Balls, NDArray[np.bool_]]:
    """Return `exp(factor (s - shift))` for scores (..., keys), and which rows (..., 1) have no key.

    Each row has a shift of its own, on which softmax does not depend (`softmax_add_const`): the midpoint of
    the score whose product with the factor is the largest, so that no exponential is huge. It is taken off
    before the product, so that an exact largest score gives exactly 1, and equal exact scores equal balls.
    """
    result = np.full(scores.shape, flint.arb(0), dtype=np.object_)
    empty = np.ones((*scores.shape[:-1], 1), dtype=np.bool_)
    for row in np.ndindex(scores.shape[:-1]):
        line: list[flint.arb] = scores[row].tolist()
        scaled = {key: line[key] * factor for key in np.flatnonzero(allowed[row]).tolist()}
        scaled = {key: score for key, score in scaled.items() if not _is_minus_infinity(score)}
        if not scaled:
            continue
        empty[row] = False
        shift = line[max(scaled, key=lambda key: scaled[key].mid())].mid()
        for key in scaled:
            result[(*row, key)] = ((line[key] - shift) * factor).exp()
    return result, empty


def total(exponential: Balls, empty: NDArray[np.bool_]) -> Balls:
    """Return the sums (..., 1) of exponentials (..., keys); 1 for a row without keys."""
    sums: Balls = np.where(empty, balls(1), exponential.sum(axis=-1, keepdims=True))
    return sums


def fill(weights: Balls, empty: NDArray[np.bool_], empty_row: EmptyRow) -> Balls:
    """Return weights (..., keys) in which the rows without keys follow the policy.

    Raises:
        ValueError: If the policy is "error" and there is such a row.
    """
    if empty_row == "zero" or not empty.any():
        return weights
    if empty_row == "error":
        row = tuple(np.argwhere(empty)[0].tolist())[:-1]
        raise ValueError(f"mask: no key is allowed for query {row}; allow one, or choose another empty_row")
    value = flint.arb(1) / weights.shape[-1] if empty_row == "mean" else math.nan
    result: Balls = np.where(empty, balls(value), weights)
    return result


def permission(mask: object | None, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which keys each query may read, in the shape of the scores.

    Raises:
        TypeError: If the mask does not hold truth values.
        ValueError: If the mask does not broadcast to that shape.
    """
    if mask is None:
        return np.ones(shape, dtype=np.bool_)
    allowed = np.asarray(mask)
    if allowed.dtype != np.bool_:
        raise TypeError(f"mask: truth values are needed, got {allowed.dtype.name}")
    try:
        together = np.broadcast_shapes(allowed.shape, shape)
    except ValueError:
        together = None
    if together != shape:
        raise ValueError(f"mask: shape {allowed.shape} does not broadcast to the shape {shape} of the scores")
    return np.broadcast_to(allowed, shape)


def _is_minus_infinity(score: flint.arb) -> bool:
    return bool(score < 0) and not score.is_finite()


def sigmoid(x: flint.arb) -> flint.arb:
    """Return `1 / (1 + exp (-x))`, without overflow on either side."""
    return 1 / (1 + (-x).exp()) if x > 0 else x.exp() / (1 + x.exp())


def log_ratio(first: flint.arb, second: flint.arb) -> flint.arb:
    """Return the logarithm of a ratio; undefined where a number is not certainly positive."""
    return (first / second).log() if first > 0 and second > 0 else flint.arb.nan()
