"""Softmax weights: the twin of `lean/NeuralNetworks/Softmax.lean`.

* `softmax`: the weights of every row of scores.
* `softmax_denominator`: the sum by which the exponentials are divided.
* `exponentials`, `normalised`: the two steps that softmax and masked softmax share.

The results that hold of these numbers are claimed in `duizhao.claims.softmax`.
"""

from duizhao.arrays import (
    Array,
    Namespace,
    at_least,
    divide,
    everything,
    floating,
    not_empty,
    quiet,
    real_number,
    refuse,
    refuse_overflow,
    where,
)


def softmax(scores: Array, *, temperature: float = 1.0) -> Array:
    """(..., n) -> (..., n): the softmax weights of n scores, exp(s_i / T) / sum_j exp(s_j / T).

    The twin of `NeuralNetworks.softmax`, at the scores divided by the temperature. The largest score of the
    row is subtracted first, which changes no weight (`softmax_sub_sup`), and then it is divided by the
    temperature, so that nothing overflows (Bridle 1990 for the formula; Blanchard, Higham and Higham 2021,
    "Accurately computing the log-sum-exp and softmax functions", for the shift).

    A score of -inf gives the weight 0. A row of nothing else is an empty row: its weights are all 0, as in
    `NeuralNetworks.maskedSoftmax_empty`.

    Args:
        scores: float16, bfloat16, float32 or float64; finite or -inf.
        temperature: a positive number within the normal range of the dtype.

    Raises:
        TypeError: `scores` is not a floating-point array, or `temperature` is not a real number.
        ValueError: `scores` has no axis, no key, NaN or +inf; `temperature` is not positive, not finite or
            out of the range of the dtype.
        OverflowError: there are so many keys that their exponentials add up to more than the dtype holds.
    """
    xp = checked_scores(scores)
    allowed = everything(xp, scores, tuple(scores.shape))
    powers, sums = exponentials(xp, scores, allowed, temperature)
    return normalised(powers, sums)


def softmax_denominator(scores: Array, *, temperature: float = 1.0) -> Array:
    """(..., n) -> (...): the sum of the n exponentials exp((s_j - max s) / T).

    The number in `NeuralNetworks.sum_exp_sub_sup_mem_Icc`, which lies between 1 and n; 0 for an empty row.

    Args:
        scores: as for `softmax`.
        temperature: as for `softmax`.

    Raises:
        TypeError: as for `softmax`.
        ValueError: as for `softmax`.
        OverflowError: as for `softmax`.
    """
    xp = checked_scores(scores)
    allowed = everything(xp, scores, tuple(scores.shape))
    _, sums = exponentials(xp, scores, allowed, temperature)
    return xp.squeeze(sums, axis=-1)


def checked_scores(scores: Array) -> Namespace:
    """(..., n) -> the namespace: check the kind and the shape of scores, not yet their values.

    Raises:
        TypeError: they are not a floating-point array.
        ValueError: they have no axis or no key.
    """
    xp = floating(scores=scores)
    at_least(("keys",), scores=scores)
    not_empty("scores", scores, -1, "there is no key")
    return xp


def exponentials(
    xp: Namespace, scores: Array, allowed: Array, temperature: float = 1.0
) -> tuple[Array, Array]:
    """(..., n), (..., n) -> (..., n), (..., 1): exp((s_j - max s) / T) of the allowed keys, and their sum.

    The maximum is taken over the allowed keys. Keys that are not allowed get 0, whatever their score, which
    is not looked at. The sum is at least 1, or 0 for an empty row: one with no allowed score above -inf.

    Raises:
        TypeError: `temperature` is not a real number.
        ValueError: an allowed score is NaN or +inf; `temperature` is not positive, not finite or out of the
            range of the dtype.
        OverflowError: a sum overflows.
    """
    temperature = real_number("temperature", temperature, xp, scores.dtype, positive=True)
    with quiet():
        flags = xp.logical_and(allowed, xp.logical_or(xp.isnan(scores), scores == float("inf")))
        refuse("scores", scores, flags, "a score that a query may read must be finite or -inf")
        scores = where(allowed, scores, -float("inf"))
        largest = xp.max(scores, axis=-1, keepdims=True)
        largest = where(xp.isfinite(largest), largest, 0.0)
        # The difference of two scores can overflow to -inf. Below temperature 4 its exponential is 0 anyway;
        # from there on all three are quartered, which is exact but for subnormal scores, where the difference
        # of less than the smallest subnormal is harmless. It also keeps 1 / temperature a normal number.
        part = 0.25 if temperature >= 4 else 1.0
        difference = scores * part - largest * part
        powers = xp.exp(divide(difference, xp.full_like(difference, temperature * part)))
        sums = xp.sum(powers, axis=-1, keepdims=True)
        flags = xp.squeeze(xp.logical_not(xp.isfinite(sums)), axis=-1)
        refuse_overflow(sums, flags, "scores: the sum of the exponentials")
    return powers, sums


def normalised(powers: Array, sums: Array) -> Array:
    """(..., n), (..., 1) -> (..., n): the exponentials divided by their sum; 0 where the sum is 0."""
    with quiet():
        return divide(powers, where(sums > 0, sums, 1.0))
