"""A calculation, and the lists of examples and constants, as JSON values.

* `calculation_data`, `examples_data`, `constants_data`; `SCHEMA` is the version of their form.

Rows, columns and entries are counted from 1 in `entry` only, as on the terminal; nested lists are what they are. A score
that a mask drops is minus infinity, which JSON lacks: it is `null` in `M`.
"""

from typing import Any

import numpy as np

from duizhao.examples import constants, examples
from duizhao.trace.calculation import Calculation, Result
from duizhao.trace.entry import Position, comes_about, shown_entry
from duizhao.trace.notation import true_digits
from duizhao.trace.printed import printed_numbers
from duizhao.trace.problem import AXES
from duizhao.trace.render import verdict

SCHEMA = 1
TRUE_DIGITS = 25
"""Significant digits of a true value."""


def calculation_data(calculation: Calculation, *, digits: int, entry: Position | None) -> dict[str, Any]:
    """Return a calculation as JSON values, in the form of version `SCHEMA`."""
    problem = calculation.problem
    return {
        "schema": SCHEMA,
        "name": None if problem.example is None else problem.example.name,
        "title": problem.title,
        "place": problem.place,
        "dtype": calculation.dtype,
        "temperature": problem.temperature,
        "scale": problem.scale,
        "mask": None if problem.mask is None else problem.mask.tolist(),
        "exponentials_are_shifted": calculation.shifted,
        "notes": list(calculation.notes),
        "steps": [_step(calculation, result, digits, entry) for result in calculation.results.values()],
        "ok": not calculation.over_budget,
        "verdict": verdict(calculation),
    }


def _step(calculation: Calculation, result: Result, digits: int, entry: Position | None) -> dict[str, Any]:
    at = None if result.given else shown_entry(calculation, result.name, entry)
    slack, budget, (rows, columns) = result.slack, result.budget, result.labels
    return {
        "matrix": result.name,
        "given": result.given,
        "formula": result.formula or None,
        "shape": list(result.computed.shape),
        "axes": list(AXES[result.name]),
        "rows": list(rows),
        "columns": list(columns),
        "computed": [[_finite(value) for value in row] for row in result.computed.tolist()],
        "exact": [[_digits(ball) for ball in row] for row in result.exact.tolist()],
        "error": result.error.tolist(),
        "budget": None if budget is None else budget.tolist(),
        "no_budget": result.no_budget,
        "worst_slack": None if slack is None else float(slack.max()),
        "closed_form": None
        if result.forms is None
        else [[form.text for form in row] for row in result.forms],
        "printed": [
            {
                "entry": [one.row + 1, one.column + 1],
                "printed": one.printed,
                "true": one.digits,
                "right": one.is_right,
            }
            for one in printed_numbers(result)
        ],
        "entry": None
        if at is None
        else {
            "at": [at[0] + 1, at[1] + 1],
            "text": comes_about(calculation, result.name, at, digits),
        },
        "theorems": [] if result.lesson is None else list(result.lesson.theorems),
    }


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _digits(ball: Any) -> str | None:
    return true_digits(ball, TRUE_DIGITS) if ball.is_finite() else None


def examples_data() -> dict[str, Any]:
    """Return the names of the worked examples as JSON values."""
    return {
        "schema": SCHEMA,
        "examples": [
            {"name": one.name, "title": one.title, "lesson": one.lesson, "place": one.place}
            for one in examples().values()
        ],
    }


def constants_data(digits: int) -> dict[str, Any]:
    """Return the numbers that the lessons print on the way as JSON values."""
    return {
        "schema": SCHEMA,
        "constants": [
            {
                "name": one.name,
                "closed_form": one.form.text,
                "value": one.form.digits(digits),
                "printed": one.printed,
                "true": one.digits(),
                "right": one.printed == one.digits(),
                "lesson": one.lesson,
                "place": one.place,
                "theorems": list(one.theorems),
            }
            for one in constants().values()
        ],
    }
