"""Softmax at any temperature, and at both ends: the twin of `lean/NeuralNetworks/Temperature.lean`.

* `tempered_softmax`: softmax in which every row has a temperature of its own.
* `zero_temperature_limit`: what the weights tend to as the temperature falls to 0.
* `infinite_temperature_limit`: what they tend to as it grows.

One temperature for all rows is `duizhao.softmax.softmax(scores, temperature=T)`. Lean divides by zero to zero
(`softmax_div_zero`); here a temperature that is not positive is refused, and the limit is a function of its
own. The results that hold of these numbers are claimed in `duizhao.claims.temperature`.
"""

from duizhao.arrays import (
    Array,
    Namespace,
    common_batch,
    divide,
    first_index,
    floating,
    holds,
    quiet,
    refuse,
    refuse_overflow,
    where,
)
from duizhao.softmax import checked_scores, normalised, softmax


def tempered_softmax(scores: Array, temperature: Array) -> Array:
    """(..., n), (...) -> (..., n): softmax of every row of n scores at the temperature of that row.

    exp(s_i / T) / sum_j exp(s_j / T). The rows and the temperatures broadcast: one row and k temperatures
    give k rows. Each is bit for bit that of `softmax` with its temperature, so nothing overflows on the way.

    Args:
        scores: as for `softmax`.
        temperature: of the same library and dtype; positive and finite, and no subnormal number.

    Raises:
        TypeError: one is not a floating-point array, or they differ in library or dtype.
        ValueError: `scores` has no axis, no key, NaN or +inf; the temperatures do not broadcast with the
            rows, or one is not positive, not finite or subnormal.
        OverflowError: as for `softmax`.
    """
    checked_scores(scores)
    xp = floating(scores=scores, temperature=temperature)
    common_batch("temperature", tuple(temperature.shape), "scores", tuple(scores.shape[:-1]))
    _refuse_temperature(xp, temperature)
    _refuse_scores(xp, scores)
    largest = xp.max(scores, axis=-1, keepdims=True)
    largest = where(xp.isfinite(largest), largest, 0.0)
    with quiet():
        # As in `softmax`: above temperature 4 the difference of two scores must not overflow.
        part = where(temperature < 4, xp.ones_like(temperature), 0.25)
        divisor = xp.expand_dims(temperature * part, axis=-1)
        part = xp.expand_dims(part, axis=-1)
        gaps = divide(scores * part - largest * part, divisor)
    return softmax(gaps)


def zero_temperature_limit(scores: Array) -> Array:
    """(..., n) -> (..., n): 1 / k for each of the k keys with the largest score, exactly 0 for the others.

    The limit of softmax(s / T) as T falls to 0, `tendsto_softmax_div_nhdsGT_zero`: the best keys share the
    weight equally. Scores are equal or not as the numbers that they are: no two are taken for a tie.

    A score of -inf gives the weight 0. A row of nothing else is an empty row: its weights are all 0.

    Args:
        scores: as for `softmax`.

    Raises:
        TypeError: `scores` is not a floating-point array.
        ValueError: `scores` has no axis, no key, NaN or +inf.
        OverflowError: more keys share the weight than the dtype can count.
    """
    xp = checked_scores(scores)
    _refuse_scores(xp, scores)
    largest = xp.max(scores, axis=-1, keepdims=True)
    return _shared(xp, scores, xp.logical_and(scores == largest, xp.isfinite(largest)))


def infinite_temperature_limit(scores: Array) -> Array:
    """(..., n) -> (..., n): 1 / n for each of the n keys, whatever their scores.

    The limit of softmax(s / T) as T grows, `tendsto_softmax_div_atTop`: very hot queries average. A score
    of -inf stays a key that is not there: its weight is 0 at every temperature, and it is not counted.

    Args:
        scores: as for `softmax`.

    Raises:
        TypeError: as for `zero_temperature_limit`.
        ValueError: as for `zero_temperature_limit`.
        OverflowError: as for `zero_temperature_limit`.
    """
    xp = checked_scores(scores)
    _refuse_scores(xp, scores)
    return _shared(xp, scores, xp.isfinite(scores))


def _refuse_scores(xp: Namespace, scores: Array) -> None:
    """(...) -> None: check that no score is NaN or +inf.

    Raises:
        ValueError: one is.
    """
    flags = xp.logical_or(xp.isnan(scores), scores == float("inf"))
    refuse("scores", scores, flags, "a score that a query may read must be finite or -inf")


def _shared(xp: Namespace, scores: Array, chosen: Array) -> Array:
    """(..., n), (..., n) -> (..., n): one over the number of chosen keys for each of them, 0 for the others."""
    # Counted in integers: a sum of ones would stall at 2048 in float16.
    number = xp.sum(xp.astype(chosen, xp.int32), axis=-1, keepdims=True)
    with quiet():
        sums = xp.astype(number, scores.dtype)
    flags = xp.squeeze(xp.logical_not(xp.isfinite(sums)), axis=-1)
    refuse_overflow(sums, flags, "scores: the number of keys that share the weight")
    return normalised(xp.astype(chosen, scores.dtype), sums)


def _refuse_temperature(xp: Namespace, temperature: Array) -> None:
    """(...) -> None: check that every temperature is a positive and normal number.

    Raises:
        ValueError: one is not.
    """
    limits = xp.finfo(temperature.dtype)
    rules = (
        ("must be positive", xp.logical_not(temperature > 0)),
        ("must be positive and finite", temperature == float("inf")),
        ("must be no subnormal number", temperature < float(limits.smallest_normal)),
    )
    for rule, flags in rules:
        if holds(flags):
            index = first_index(flags)
            place = f" at index {index}" if flags.ndim else ""
            raise ValueError(f"temperature: {rule}, got {float(temperature[index])}{place}")
