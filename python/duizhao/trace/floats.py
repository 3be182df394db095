"""The matrices of a calculation in floats, by the reference functions.

* `given`: the given matrices in a dtype.
* `compute`: what follows from them.
* `exponentials_and_sums`: the steps inside of softmax.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from duizhao.attention import scores
from duizhao.read import read
from duizhao.softmax import exponentials, softmax
from duizhao.trace.files import InputError
from duizhao.trace.problem import Problem

Floats = NDArray[np.floating]


def given(problem: Problem, dtype: str) -> tuple[dict[str, Floats], list[str]]:
    """Return the given matrices rounded to the dtype, and a note if that changed a number.

    Raises:
        InputError: If one does not fit.
    """
    rounded: dict[str, Floats] = {}
    changed = total = 0
    for name, array in problem.given.items():
        with np.errstate(over="ignore", under="ignore"):
            rounded[name] = array.astype(dtype)
        for row, column in np.argwhere(~np.isfinite(rounded[name])).tolist():
            number = array[row, column]
            raise InputError(f"{name}[{row + 1}, {column + 1}] = {number:g} is too large for {dtype}")
        changed += int((rounded[name] != array).sum())
        total += array.size
    if not changed or problem.example is not None:
        return rounded, []
    return rounded, [
        f"{changed} of the {total} given numbers are not {dtype} numbers and were rounded to the nearest; the exact "
        "values below are those of the rounded numbers."
    ]


def compute(problem: Problem, dtype: str, given: Mapping[str, Floats]) -> dict[str, Floats]:
    """Return the given matrices and what follows from them, up to the outputs.

    Raises:
        InputError: If a number does not fit in the dtype.
        ValueError: If the temperature or the scale does not.
    """
    computed = dict(given)
    for name in ("Q", "K", "V"):
        if name not in computed and f"W_{name}" in computed:
            with np.errstate(over="ignore", invalid="ignore"):
                computed[name] = _finite(name, dtype, np.matmul(computed["X"], computed[f"W_{name}"]))
    if problem.starts_from_scores:
        computed["D"] = _scores("D", dtype, computed, 1.0)
        computed["S"] = values = _scores("S", dtype, computed, problem.scale)
        if problem.mask is not None:
            computed["M"] = values = np.where(problem.mask, values, values.dtype.type(-np.inf))
        computed["A"] = np.asarray(softmax(values, temperature=problem.temperature))
    try:
        computed["O"] = np.asarray(read(computed["A"], computed["V"]))
    except OverflowError:
        raise _overflow("O", dtype) from None
    return computed


def exponentials_and_sums(
    problem: Problem, computed: Mapping[str, Floats], shifted: bool
) -> dict[str, Floats]:
    """Return the exponentials (queries, keys) and their sums (queries, 1), as floats."""
    values = computed.get("M", computed["S"])
    if shifted:
        powers, total = exponentials(np, values, np.ones(values.shape, dtype=np.bool_), problem.temperature)
        return {"E": np.asarray(powers), "Z": np.asarray(total)}
    with np.errstate(under="ignore"):
        powers = np.exp(
            values if problem.temperature == 1 else values / values.dtype.type(problem.temperature)
        )
    return {"E": powers, "Z": powers.sum(axis=-1, keepdims=True)}


def _overflow(name: str, dtype: str) -> InputError:
    hint = "use smaller numbers" + ("" if dtype == "float64" else " or a wider --dtype")
    return InputError(f"{name}: a number is too large for {dtype}; {hint}")


def _finite(name: str, dtype: str, array: Floats) -> Floats:
    if not np.isfinite(array).all():
        raise _overflow(name, dtype)
    return array


def _scores(name: str, dtype: str, computed: Mapping[str, Floats], scale: float | None) -> Floats:
    try:
        return np.asarray(scores(computed["Q"], computed["K"], scale=scale))
    except OverflowError:
        raise _overflow(name, dtype) from None
