"""A failing case made smaller: fewer samples, heads, queries, keys and columns, then simpler numbers.

* `smaller`: the cases that are tried, in order; `shrunk`: the smallest that still fails.
"""

import time
from collections.abc import Callable, Iterator

import numpy as np

from duizhao.strategies.audits import AXES, Asked

SECONDS = 60.0
"""How long one failure is shrunk: long enough that only a slow subject meets it."""

TRIES = 400
"""How many cases are tried for one failure."""

SIMPLER = 64
"""The number of entries of an array up to which each is simplified alone."""


def size_of(case: Asked, axis: str) -> int:
    """Return how many entries an axis has; 0 if no array has it."""
    for name, array in case.arrays.items():
        if axis in AXES[name]:
            return int(array.shape[AXES[name].index(axis)])
    return 0


def with_only(case: Asked, axis: str, kept: list[int]) -> Asked:
    """Return the case with some entries of an axis alone."""
    letters = "hg" if axis == "h" else axis
    arrays = {}
    for name, array in case.arrays.items():
        for place, letter in enumerate(AXES[name]):
            if letter in letters:
                array = np.take(array, kept, axis=place)
        arrays[name] = array
    return Asked(case.dtype, arrays, case.is_causal, case.scale)


def _fewer(case: Asked) -> Iterator[Asked]:
    """Yield cases with half the entries of an axis, and with one less."""
    for axis in "bhlsdefx":
        size = size_of(case, axis)
        if size < 2 or (axis == "h" and size != size_of(case, "g")):
            continue
        half = size // 2
        tried = [list(range(half)), list(range(half, size))] if size > 2 else []
        tried += [[i for i in range(size) if i != gone] for gone in range(min(size, 16) - 1, -1, -1)]
        for kept in tried:
            if case.is_causal and axis in "ls" and size_of(case, "l") == size_of(case, "s"):
                yield with_only(with_only(case, "l", kept), "s", kept)
            else:
                yield with_only(case, axis, kept)


def _simpler(case: Asked) -> Iterator[Asked]:
    """Yield cases with simpler numbers: zeros, ones, whole numbers, one digit; a whole array, then one entry."""
    for name, array in case.arrays.items():
        if array.dtype == np.bool_ or name == "order":
            continue
        ways = [np.zeros_like(array), np.ones_like(array), np.round(array), np.round(array, 1)]
        for simple in ways:
            if not np.array_equal(simple, array, equal_nan=True):
                yield case.having(**{name: simple})
    for name, array in case.arrays.items():
        if array.size > SIMPLER or name == "order":
            continue
        for place in np.ndindex(array.shape):
            old = array[place]
            simple_entries = (
                [True] if array.dtype == np.bool_ and name == "mask" else [0.0, float(np.round(old))]
            )
            if array.dtype == np.bool_ and name != "mask":
                simple_entries = [False]
            for entry in simple_entries:
                if entry != old:
                    other = array.copy()
                    other[place] = entry
                    yield case.having(**{name: other})
                    break


def smaller(case: Asked) -> Iterator[Asked]:
    """Yield the cases that are tried in place of one, the smallest first."""
    if case.scale is not None:
        yield Asked(case.dtype, case.arrays, case.is_causal, None)
    yield from _fewer(case)
    yield from _simpler(case)


def complexity(case: Asked) -> tuple[int, float]:
    """Return a measure that falls as a case gets smaller, or its numbers simpler."""
    digits = 0.0
    for name, array in case.arrays.items():
        if name == "order":
            continue
        if array.dtype == np.bool_:
            digits += float(np.sum(~array if name == "mask" else array))
            continue
        finite = np.where(np.isfinite(array), array, 0.0)
        digits += float(np.sum(finite != 0)) + float(np.sum(finite != np.round(finite)))
        digits += float(np.sum(finite != np.round(finite, 1))) + float(np.sum(finite != 1)) / 4
    return sum(array.size for array in case.arrays.values()), digits + (case.scale is not None)


def shrunk(case: Asked, fails: Callable[[Asked], bool]) -> Asked:
    """Return the smallest case found that still fails, within `TRIES` tries and `SECONDS`."""
    end = time.monotonic() + SECONDS
    tries = 0
    best = case
    moved = True
    while moved:
        moved = False
        for other in smaller(best):
            if complexity(other) >= complexity(best):
                continue
            tries += 1
            if tries > TRIES or time.monotonic() > end:
                return best
            if fails(other):
                best, moved = other, True
                break
    return best
