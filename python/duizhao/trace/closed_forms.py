"""The closed forms of a traced lesson: those that it states, and those of the exponentials, which follow from them.

* `of`: the forms of one matrix.
* `readable`: a form as one writes it by hand.
"""

import re
from collections import Counter
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from duizhao.examples import Form, parse
from duizhao.examples.closed_form import LARGEST_POWER
from duizhao.trace.problem import Problem

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def of(problem: Problem, name: str, shifted: bool) -> NDArray[np.object_] | None:
    """Return the closed forms (rows, columns) of a matrix, or None if there are none.

    Those of the exponentials `E` and of their sums `Z` follow from the scores, which are whole multiples of
    `s = 1/√2`: `exp(k s) = r^k`.
    """
    example = problem.example
    if example is None:
        return None
    if name in ("E", "Z"):
        if shifted or not {"S", "A"} <= problem.as_in_lesson:
            return None
        powers = _powers(example.matrix("S").forms)
        if powers is None:
            return None
        return _exponentials(powers) if name == "E" else _sums(powers)
    if name not in problem.as_in_lesson:
        return None
    forms = example.matrix(name).forms
    if forms.ndim == 2:
        return forms
    return forms.reshape(-1, 1) if name == "V" else forms.reshape(1, -1)


def _powers(scores: NDArray[np.object_]) -> NDArray[np.int64] | None:
    """Return the `k` of scores `k s`, or None if some score is none, or `k` is negative or large."""
    found = np.zeros(scores.shape, dtype=np.int64)
    for index in np.ndindex(scores.shape):
        form: object = scores[index]
        assert isinstance(form, Form)
        one, two = (form.over(Fraction, r=Fraction(1), s=Fraction(s)) for s in (1, 2))
        if "r" in form.text or two != 2 * one or one.denominator != 1 or not 0 <= one <= LARGEST_POWER:
            return None
        found[index] = int(one)
    return found


def _power(exponent: int) -> str:
    return "1" if exponent == 0 else "r" if exponent == 1 else f"r**{exponent}"


def _exponentials(powers: NDArray[np.int64]) -> NDArray[np.object_]:
    forms = np.empty(powers.shape, dtype=np.object_)
    for index in np.ndindex(powers.shape):
        forms[index] = parse(_power(int(powers[index])))
    return forms


def _sums(powers: NDArray[np.int64]) -> NDArray[np.object_]:
    forms = np.empty((len(powers), 1), dtype=np.object_)
    for row, exponents in enumerate(powers.tolist()):
        terms = sorted(Counter(exponents).items(), reverse=True)
        forms[row, 0] = parse(" + ".join(_term(count, exponent) for exponent, count in terms))
    return forms


def _term(count: int, exponent: int) -> str:
    if exponent == 0:
        return str(count)
    return _power(exponent) if count == 1 else f"{count}*{_power(exponent)}"


def readable(form: Form) -> str:
    """Return a form as one writes it by hand: `2*r**2` as `2r²`."""
    text = re.sub(r"\*\*(\d+)", lambda found: found[1].translate(SUPERSCRIPTS), form.text)
    return re.sub(r"(\d)\*([rs])", r"\1\2", text).replace("*", "·").replace(" - ", " − ")
