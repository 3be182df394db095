"""The limits of softmax in the temperature, on balls.

* `zero_temperature_limit`, `infinite_temperature_limit`: as the reference functions.
"""

import math

import flint
import numpy as np

from duizhao.exact.conversion import Balls, balls, filled


def zero_temperature_limit(scores: object) -> Balls:
    """Return one over the number of best keys for each of them, 0 for the others: (..., keys), shape kept.

    `tendsto_softmax_div_nhdsGT_zero` in `Temperature.lean`. Numbers that are known exactly are compared
    exactly. A row in which it is not certain who is best, or with NaN or plus infinity, is NaN. A row of
    nothing but minus infinity is a row without keys: zeros.

    Raises:
        ValueError: If there is no key axis or no key.
    """
    numbers = _rows(scores)
    entries = [ball for row in np.ndindex(numbers.shape[:-1]) for ball in _coldest(numbers[row].tolist())]
    return filled(entries, numbers.shape)


def infinite_temperature_limit(scores: object) -> Balls:
    """Return one over the number of keys for each key: (..., keys), shape kept.

    `tendsto_softmax_div_atTop` in `Temperature.lean`. Where a score is minus infinity there is no key. A row
    with NaN or plus infinity is NaN.

    Raises:
        ValueError: If there is no key axis or no key.
    """
    numbers = _rows(scores)
    entries = [ball for row in np.ndindex(numbers.shape[:-1]) for ball in _hottest(numbers[row].tolist())]
    return filled(entries, numbers.shape)


def _rows(scores: object) -> Balls:
    numbers = balls(scores)
    if numbers.ndim == 0 or numbers.shape[-1] == 0:
        raise ValueError(f"scores: an axis with at least one key is needed, got shape {numbers.shape}")
    return numbers


def _hottest(row: list[flint.arb]) -> list[flint.arb]:
    present = [score.is_finite() for score in row]
    if any(not (is_finite or score < 0) for score, is_finite in zip(row, present, strict=True)):
        return [flint.arb(math.nan)] * len(row)
    return _shared(present)


def _coldest(row: list[flint.arb]) -> list[flint.arb]:
    finite = [score for score in row if score.is_finite()]
    largest = max(finite, key=lambda score: score.mid(), default=flint.arb(0))
    best = [score.is_finite() and bool(score >= largest) for score in row]
    if any(not (is_best or score < largest) for score, is_best in zip(row, best, strict=True)):
        return [flint.arb(math.nan)] * len(row)
    return _shared(best)


def _shared(chosen: list[bool]) -> list[flint.arb]:
    share = flint.arb(1) / max(sum(chosen), 1)
    return [share if is_chosen else flint.arb(0) for is_chosen in chosen]
