"""The worked examples of the lessons, recomputed in floats and compared, element by element, with their exact values.

* `check_example`: one example in one dtype.
"""

import math
from dataclasses import dataclass

from duizhao import exact
from duizhao.examples import Comparison, Example, compare
from duizhao.examples.budgets import budgets
from duizhao.strategies import Target

BITS = 192
"""Precision of the exact values."""


@dataclass(frozen=True)
class Worked:
    """What a recomputation of an example in one dtype found."""

    example: str
    dtype: str
    elements: int
    slack: float
    """The worst error over its budget."""
    failures: tuple[str, ...]


def _failure(element: Comparison, budget: float, example: Example) -> str | None:
    place = f"{example.name}: {element.matrix}{list(element.index)} = {element.computed!r}"
    if not element.error <= budget:
        return f"{place} is off by {element.error:.3g}, the budget is {budget:.3g}"
    if element.printed_is_right is False and element.index not in example.matrix(element.matrix).misprints:
        return f"{place}: the lesson prints {element.printed}, the true value is {element.digits}"
    return None


def check_example(example: Example, target: Target) -> Worked:
    """Recompute an example and compare every element with its exact value, within the budgets of `rounding`."""
    with exact.precision(BITS):
        allowed = budgets(example, target.arithmetic)
        elements = compare(example, target.xp, target.dtype)
        worst, failures = 0.0, []
        for element in elements:
            budget = float(allowed[element.matrix][element.index])
            worst = max(worst, element.error / budget if math.isfinite(element.error) else math.inf)
            failure = _failure(element, budget, example)
            if failure is not None:
                failures.append(failure)
    return Worked(example.name, target.name, len(elements), worst, tuple(failures))
