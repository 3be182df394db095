"""Every matrix of a calculation: computed in floats, enclosed, and the error bounded.

* `calculate`: all of it.
* `Calculation`, `Result`: what comes out.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duizhao import exact, rounding
from duizhao.exact import Balls, precision
from duizhao.examples import Form, Matrix
from duizhao.examples.recomputation import STEPS
from duizhao.rounding import Arithmetic, arithmetic
from duizhao.trace import budgets, closed_forms, floats, truth
from duizhao.trace.budgets import Bounded
from duizhao.trace.floats import Floats
from duizhao.trace.problem import Problem
from duizhao.trace.truth import Truth

ORDER = ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "D", "S", "M", "E", "Z", "A", "O")
"""The matrices in the order of the calculation; given weights come before the values."""
FIRST = {"M": ("S",), "E": ("S",), "Z": ("E",), "A": ("S",)}
"""What must be bounded before a matrix is, where it is not `STEPS` that says so."""

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Result:
    """One matrix (rows, columns) of a calculation."""

    name: str
    given: bool
    formula: str
    """How it follows, as text; empty for a given matrix."""
    labels: tuple[tuple[str, ...], tuple[str, ...]]
    computed: Reals
    """The floats that were computed, each exactly, in float64."""
    exact: Balls
    """The true values, enclosed."""
    error: Reals
    """Upper bounds on `|computed - exact|`."""
    budget: Reals | None
    """Derived bounds on the same, or None if there are none."""
    no_budget: str | None
    """Why there is no budget."""
    forms: NDArray[np.object_] | None
    """The closed form of each entry, a `Form`, if this is a lesson's calculation."""
    lesson: Matrix | None
    """What the lesson says of this matrix."""

    @property
    def slack(self) -> Reals | None:
        """The error of each entry over its budget; 0 where the error is 0."""
        if self.budget is None:
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(self.error == 0, 0.0, self.error / self.budget))

    def form(self, row: int, column: int) -> Form | None:
        """Return the closed form of one entry, if there is one."""
        form: object = None if self.forms is None else self.forms[row, column]
        return form if isinstance(form, Form) else None

    def lesson_index(self, row: int, column: int) -> tuple[int, ...]:
        """Return where an entry stands in the lesson's matrix, which may have fewer axes."""
        assert self.lesson is not None
        axes = len(self.lesson.shape)
        return (row, column) if axes == 2 else () if axes == 0 else (max(row, column),)


@dataclass(frozen=True)
class Calculation:
    """A whole calculation."""

    problem: Problem
    dtype: str
    results: Mapping[str, Result]
    """The matrices by name, in the order of the calculation."""
    shifted: bool
    """Whether the exponentials are those of the scores less the largest of the row."""
    notes: tuple[str, ...]
    """What a reader should know besides the numbers."""

    @property
    def over_budget(self) -> bool:
        """Whether some error is larger than its budget."""
        slacks = [result.slack for result in self.results.values()]
        return any(slack is not None and bool((slack > 1).any()) for slack in slacks)


def calculate(problem: Problem, dtype: str) -> Calculation:
    """Compute a problem in a dtype of NumPy, enclose every entry, and bound every error.

    Args:
        problem: What is given.
        dtype: "float64", "float32" or "float16".

    Raises:
        InputError: If a number does not fit in the dtype, or the weights cannot be enclosed.
        ValueError: If the temperature or the scale does not fit in the dtype.
    """
    given, notes = floats.given(problem, dtype)
    computed = floats.compute(problem, dtype, given)
    true, shifted = truth.enclosed(problem, given, arithmetic(dtype))
    if problem.starts_from_scores:
        computed |= floats.exponentials_and_sums(problem, computed, shifted)
    with precision(truth.BITS[0]):
        results = _results(problem, dtype, computed, true, shifted)
        remarks = _remarks(problem, true, dtype)
    return Calculation(problem, dtype, results, shifted, (*problem.notes, *notes, *remarks))


def _results(
    problem: Problem, dtype: str, computed: Mapping[str, Floats], true: Truth, shifted: bool
) -> dict[str, Result]:
    known: dict[str, Bounded] = {}
    results: dict[str, Result] = {}
    for name in (
        (name for name in ORDER if name in computed) if problem.starts_from_scores else ("A", "V", "O")
    ):
        budget, reason = None, None
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                budget = _finite(_budget(name, problem, arithmetic(dtype), true, known, shifted))
            known[name] = Bounded(truth.magnitudes(true[name]), budget)
        except ValueError as error:
            reason = str(error)
        as_in_lesson = problem.example is not None and name in problem.as_in_lesson
        results[name] = Result(
            name=name,
            given=name in problem.given,
            formula=_formula(name, problem, shifted),
            labels=problem.labels(name, computed[name].shape[-1]),
            computed=computed[name].astype(np.float64),
            exact=true[name],
            error=_errors(computed[name], true[name]),
            budget=budget,
            no_budget=reason,
            forms=closed_forms.of(problem, name, shifted),
            lesson=problem.example.matrix(name) if problem.example is not None and as_in_lesson else None,
        )
    return results


def _errors(computed: Floats, true: Balls) -> Reals:
    """Return upper bounds on the distances; 0 where both are minus infinity, which a mask puts there."""
    bounds = [exact.upper(ball) for ball in exact.distance(computed, true).ravel().tolist()]
    return np.where(np.isneginf(computed), 0.0, np.array(bounds).reshape(computed.shape))


def _finite(budget: Reals) -> Reals:
    """Return bounds that are bounds.

    Raises:
        ValueError: If one is not finite.
    """
    if not np.isfinite(budget).all():
        raise ValueError("the bound is larger than any float64")
    return budget


def _budget(
    name: str,
    problem: Problem,
    limits: Arithmetic,
    true: Truth,
    known: Mapping[str, Bounded],
    shifted: bool,
) -> Reals:
    """Return the bound on the error of each entry of a matrix.

    Raises:
        ValueError: If there is none.
    """
    if name in problem.given:
        magnitude = truth.magnitudes(true[name])
        is_exact = problem.example is None
        return (
            np.zeros_like(magnitude) if is_exact else rounding.given_error(limits.u, magnitude, limits.tiny)
        )
    operands = FIRST.get(name) or STEPS[name].operands
    missing = [operand for operand in operands if operand not in known]
    if missing:
        raise ValueError(f"there is none for {missing[0]}")
    match name:
        case "D":
            return budgets.product(limits, known["Q"], budgets.transposed(known["K"]))
        case "S":
            scale = problem.scale if problem.scale is not None else 1 / math.sqrt(true["Q"].shape[-1])
            return budgets.scores(limits, known["Q"], known["K"], scale)
        case "M":
            return np.where(truth.permitted(problem, true), known["S"].error, 0.0)
        case "E":
            kept = truth.permitted(problem, true)
            size = truth.magnitudes(truth.exponents(problem, true, shifted)) * problem.temperature
            size, error = np.where(kept, size, 0.0), np.where(kept, known["S"].error, 0.0)
            if shifted:
                error = budgets.shifted(limits, size, error)
            power = truth.magnitudes(true["E"])
            return np.where(kept, budgets.exponentials(limits, power, size, error, problem.temperature), 0.0)
        case "Z":
            return budgets.sums(limits, known["E"])
        case "A":
            error = np.where(truth.permitted(problem, true), known["S"].error, 0.0).max(axis=-1)
            weight = truth.magnitudes(true["A"])
            return budgets.weights(limits, weight, truth.reach(problem, true), error, problem.temperature)
    left, right = (known[operand] for operand in operands)
    return budgets.product(limits, left, right)


def _formula(name: str, problem: Problem, shifted: bool) -> str:
    scale = "/√d" if problem.scale is None else f" × {problem.scale:g}"
    source = "S" if problem.mask is None else "M"
    exponent = f"{source} − largest of the row" if shifted else source
    over = "" if problem.temperature == 1 else "/T"
    formulas = {
        "Q": "X W_Q",
        "K": "X W_K",
        "V": "X W_V",
        "D": "Q Kᵀ",
        "S": f"D{scale}",
        "M": "S where the mask keeps a key, −∞ elsewhere",
        "E": f"exp(({exponent}){over})" if shifted and over else f"exp({exponent}{over})",
        "Z": "the sum of each row of E",
        "A": f"E/Z = softmax({source}{over})",
        "O": "A V",
    }
    return "" if name in problem.given else formulas[name]


def _remarks(problem: Problem, true: Truth, dtype: str) -> list[str]:
    notes = []
    if problem.mask is not None and not problem.mask.any(axis=-1).all():
        labels = _listed(problem, [not keys.any() for keys in problem.mask])
        notes.append(f"Nothing may be read by {labels}: no weight but 0, and the output is 0.")
    if not problem.starts_from_scores:
        unit = arithmetic(dtype).u
        odd = []
        for weights in true["A"]:
            off = unit * float(truth.magnitudes(weights).sum())
            odd.append(any(ball < 0 for ball in weights) or exact.upper(abs(weights.sum() - 1)) > off)
        if any(odd):
            notes.append(
                f"Weights below 0, or that do not sum to 1: those of {_listed(problem, odd)}. Such an output may leave "
                "the hull of the values."
            )
    return notes


def _listed(problem: Problem, flags: list[bool]) -> str:
    labels = [label for label, flag in zip(problem.queries, flags, strict=True) if flag]
    some = ", ".join(labels[:6]) + (", …" if len(labels) > 6 else "")
    return f"quer{'y' if len(labels) == 1 else 'ies'} {some}"
