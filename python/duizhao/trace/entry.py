"""How one entry of a matrix comes about.

* `position`: which entry a reader asked for.
* `shown_entry`: which entry of a matrix to show.
* `comes_about`: the entry, written out with numbers.
"""

import math
import re
from collections.abc import Iterable, Mapping

from duizhao.trace.calculation import Calculation
from duizhao.trace.files import InputError, shown
from duizhao.trace.notation import factor, number

ENTRY = re.compile(r"\s*\[?\s*([0-9]{1,6})\s*,\s*([0-9]{1,6})\s*\]?\s*", re.ASCII)
MOST_TERMS = 8
"""Terms of a sum that are written out; of longer ones the middle is left out."""

Position = tuple[int, int]
IN_THE_LESSONS: Mapping[str, Mapping[str, Position]] = {
    "red-key": {"Q": (2, 0), "K": (2, 1), "V": (1, 1), "D": (2, 1), "S": (2, 2)},
    "shifted-values": {"O": (0, 1)},
    "zero-query": dict.fromkeys(("D", "S", "E", "Z", "A", "O"), (2, 0)),
}
"""The entries that the lessons work out, counted from 0; elsewhere it is the first."""


def position(text: str) -> Position:
    """Return the row and the column of an entry, counted from 0, from a text that counts from 1.

    Raises:
        InputError: If it is not two whole numbers from 1.
    """
    found = ENTRY.fullmatch(text)
    if found is None or int(found[1]) < 1 or int(found[2]) < 1:
        raise InputError(f"--entry: ROW,COLUMN counted from 1 is needed, such as 3,2, got {shown(text)}")
    return int(found[1]) - 1, int(found[2]) - 1


def check_entry(calculation: Calculation, asked: Position) -> None:
    """Check that some computed matrix has the entry.

    Raises:
        InputError: If none has.
    """
    computed = [result for result in calculation.results.values() if not result.given]
    if all(shown_entry(calculation, result.name, asked) is None for result in computed):
        sizes = ", ".join(
            f"{result.name} {' × '.join(map(str, result.computed.shape))}" for result in computed
        )
        raise InputError(f"--entry: no computed matrix has {asked[0] + 1},{asked[1] + 1} ({sizes})")


def shown_entry(calculation: Calculation, name: str, asked: Position | None) -> Position | None:
    """Return which entry of a matrix to show, or None if it does not have the one that was asked for.

    Of sums, which have one column, it is that of the row.
    """
    rows, columns = calculation.results[name].computed.shape
    if asked is None:
        example = calculation.problem.example
        return IN_THE_LESSONS.get("" if example is None else example.name, {}).get(name, (0, 0))
    row, column = (asked[0], 0) if name == "Z" else asked
    return (row, column) if row < rows and column < columns else None


def comes_about(calculation: Calculation, name: str, at: Position, digits: int) -> str:
    """Return an entry with how it follows from others: `D[3, 2] = 1×0 + 1×1 = 1`.

    Numbers are the computed ones, to so many decimals.
    """
    row, column = at
    result = calculation.results[name]
    head = f"{name}[{row + 1}, {column + 1}]" if name != "Z" else f"Z[{row + 1}]"
    value = number(float(result.computed[at]), digits)
    middle = _middle(calculation, name, at, digits)
    return " = ".join([head, value] if middle in ("", value) else [head, middle, value])


def _middle(calculation: Calculation, name: str, at: Position, digits: int) -> str:
    problem, (row, column) = calculation.problem, at

    def entry(matrix: str, row: int, column: int) -> float:
        return float(calculation.results[matrix].computed[row, column])

    if name in problem.given:
        return ""
    dropped = problem.mask is not None and name != "Z" and name != "O" and not problem.mask[at]
    match name:
        case "S" if problem.scale is None:
            return f"{number(entry('D', *at), digits)}/√{calculation.results['Q'].computed.shape[1]}"
        case "S":
            return f"{factor(entry('D', *at), digits)} × {factor(problem.scale or 0.0, digits)}"
        case "M":
            return "masked" if dropped else f"S[{row + 1}, {column + 1}]"
        case "E":
            return "exp(−∞)" if dropped else f"exp({_exponent(calculation, at, digits)})"
        case "Z":
            return _sum(number(float(power), digits) for power in calculation.results["E"].computed[row])
        case "A":
            over = entry("Z", row, 0)
            return (
                "no key to read" if over == 0 else f"{number(entry('E', *at), digits)}/{number(over, digits)}"
            )
    left, right = {"Q": ("X", "W_Q"), "K": ("X", "W_K"), "V": ("X", "W_V"), "D": ("Q", "K")}.get(
        name, ("A", "V")
    )
    first = calculation.results[left].computed[row]
    second = calculation.results[right].computed
    factors = zip(first, second[column] if name == "D" else second[:, column], strict=True)
    return _sum(f"{factor(float(one), digits)}×{factor(float(other), digits)}" for one, other in factors)


def _exponent(calculation: Calculation, at: Position, digits: int) -> str:
    problem = calculation.problem
    scores = calculation.results["S"].computed
    text = number(float(scores[at]), digits)
    if calculation.shifted:
        row = scores[at[0]]
        largest = float(row.max() if problem.mask is None else row[problem.mask[at[0]]].max())
        text = f"{text} − {factor(largest, digits)}"
    if problem.temperature == 1:
        return text
    return f"({text})/{problem.temperature:g}" if calculation.shifted else f"{text}/{problem.temperature:g}"


def _sum(terms: Iterable[str]) -> str:
    every = list(terms)
    if len(every) > MOST_TERMS:
        half = math.ceil(MOST_TERMS / 2)
        left_out = f"… ({len(every) - MOST_TERMS} terms) …"
        every = [*every[:half], left_out, *every[-(MOST_TERMS - half) :]]
    return " + ".join(every)
