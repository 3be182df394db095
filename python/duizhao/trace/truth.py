"""The true values of a calculation, enclosed.

* `enclosed`: every matrix.
* `leaves_the_range`: whether softmax has to be shown with its shift.
* `permitted`, `exponents`, `magnitudes`, `reach`: what bounds need to know.
"""

import math
from collections.abc import Mapping

import flint
import numpy as np
from numpy.typing import NDArray

from duizhao import exact
from duizhao.exact import Balls, balls, precision
from duizhao.rounding import Arithmetic
from duizhao.trace.files import InputError
from duizhao.trace.floats import Floats
from duizhao.trace.problem import Problem

BITS = (192, 1024, 4096)
"""Precisions that are tried in turn until the exponentials are known to twice the bits of a float64."""
KNOWN = 106
NOTHING = 2.0**-1000
"""A radius that is small enough for any weight."""

Truth = Mapping[str, Balls]
Reals = NDArray[np.float64]


def enclosed(
    problem: Problem, given: Mapping[str, Floats], limits: Arithmetic
) -> tuple[dict[str, Balls], bool]:
    """Return the true values of every matrix, and whether the exponentials are those of shifted scores.

    Those of a lesson are its closed forms. Those of other input are what follows from the given floats, exactly. A sum
    of products is known to `2^-BITS` of its terms, so that only exponentials can ask for a higher precision.

    Raises:
        InputError: If no precision is enough.
    """
    for bits in BITS:
        with precision(bits):
            truth = _at_this_precision(problem, given)
            shifted = problem.starts_from_scores and leaves_the_range(problem, truth, limits)
            if problem.starts_from_scores:
                truth |= exponentials_and_sums(problem, truth, shifted)
        entries = [ball for name, array in truth.items() if name != "M" for ball in array.ravel().tolist()]
        powers = [ball for name in ("E", "A") if name in truth for ball in truth[name].ravel().tolist()]
        if all(ball.is_finite() for ball in entries) and all(map(_is_tight, powers)):
            return truth, shifted
    raise InputError("the scores are too large for the weights to be enclosed; use smaller numbers")


def _is_tight(weight: flint.arb) -> bool:
    return weight.rel_accuracy_bits() >= KNOWN or bool(weight.rad() < NOTHING)


def _at_this_precision(problem: Problem, given: Mapping[str, Floats]) -> dict[str, Balls]:
    example = problem.example
    truth: dict[str, Balls] = {}
    for name, array in given.items():
        truth[name] = balls(array) if example is None else example.exact(name).reshape(array.shape)
    for name in ("Q", "K", "V"):
        if name not in truth and f"W_{name}" in truth:
            truth[name] = truth["X"] @ truth[f"W_{name}"]
    if problem.starts_from_scores:
        truth["D"] = exact.scores(truth["Q"], truth["K"], scale=1)
        truth["S"] = exact.scores(truth["Q"], truth["K"], scale=problem.scale)
        kept = permitted(problem, truth)
        if problem.mask is not None:
            truth["M"] = np.where(kept, truth["S"], balls(-math.inf))
        signed, factor = _signed(problem, truth)
        truth["A"] = exact.softmax(np.where(kept, signed, balls(-math.inf)), temperature=1 / factor)
    truth["O"] = exact.read(truth["A"], truth["V"])
    if example is not None:
        truth |= {name: example.exact(name).reshape(truth[name].shape) for name in problem.as_in_lesson}
    return truth


def _signed(problem: Problem, truth: Truth) -> tuple[Balls, flint.arb]:
    """Return numbers (queries, keys), and a positive factor that makes `S / T` of them.

    Those numbers are the dot products with the sign of the scale, and 0 if that is 0: they are exact where the scores are
    not, so that what is equal is seen to be.
    """
    dots, scale = truth["D"], problem.scale
    if scale is None:
        factor = flint.arb(truth["Q"].shape[-1]).rsqrt()
    else:
        dots, factor = dots * (int(scale > 0) - int(scale < 0)), flint.arb(abs(scale) or 1)
    return dots, factor / flint.arb(problem.temperature)


def exponentials_and_sums(problem: Problem, truth: Truth, shifted: bool) -> dict[str, Balls]:
    """Return the exponentials `E` (queries, keys), exactly 0 where a mask drops a key, and their sums `Z`."""
    may_read = permitted(problem, truth)
    powers = np.full(may_read.shape, flint.arb(0), dtype=np.object_)
    inside = exponents(problem, truth, shifted)
    for row, column in np.argwhere(may_read).tolist():
        powers[row, column] = inside[row, column].exp()
    return {"E": powers, "Z": powers.sum(axis=-1, keepdims=True)}


def exponents(problem: Problem, truth: Truth, shifted: bool) -> Balls:
    """Return what the exponential is taken of (queries, keys), of use only where a key may be read."""
    signed, factor = _signed(problem, truth)
    numbers = signed.copy()
    if shifted:
        for row, keys in zip(numbers, permitted(problem, truth), strict=True):
            if keys.any():
                row -= _largest(row[keys])
    multiplied: Balls = numbers * factor
    return multiplied


def leaves_the_range(problem: Problem, truth: Truth, limits: Arithmetic) -> bool:
    """Say whether exponentials of the scores as they are, or their sums, could leave the range of normal numbers."""
    may_read = permitted(problem, truth)
    largest = float(magnitudes(exponents(problem, truth, shifted=False))[may_read].max(initial=0.0))
    return largest > min(math.log(limits.largest / may_read.shape[1]), -math.log(limits.smallest_normal)) - 1


def permitted(problem: Problem, truth: Truth) -> NDArray[np.bool_]:
    """Return which keys each query may read: (queries, keys)."""
    return np.ones(truth["S"].shape, dtype=np.bool_) if problem.mask is None else problem.mask


def reach(problem: Problem, truth: Truth) -> Reals:
    """Return the distance of the largest score of each query from its smallest (queries,), among what it may read."""
    found = np.zeros(len(truth["S"]))
    for query, (row, keys) in enumerate(zip(truth["S"], permitted(problem, truth), strict=True)):
        if keys.any():
            found[query] = exact.upper(_largest(row[keys]) + _largest(-row[keys]))
    return found


def magnitudes(truth: Balls) -> Reals:
    """Return upper bounds on absolute values (...)."""
    return np.array([exact.upper(abs(ball)) for ball in truth.ravel().tolist()]).reshape(truth.shape)


def _largest(row: Balls) -> flint.arb:
    largest = flint.arb.neg_inf()
    for ball in row.tolist():
        largest = flint.arb(ball).max(largest)
    return largest
