"""A calculation for a reader.

* `show`: every matrix with its labels, shape and formula, one entry written out, closed forms and errors.
* `verdict`: the line to read last.
"""

from collections.abc import Sequence
from textwrap import wrap

import numpy as np
from rich.cells import cell_len
from rich.console import Console

from duizhao.trace.calculation import Calculation, Result
from duizhao.trace.closed_forms import readable
from duizhao.trace.entry import Position, comes_about, shown_entry
from duizhao.trace.notation import number, small, true_digits
from duizhao.trace.printed import Printed, count_wrong, printed_numbers
from duizhao.trace.problem import AXES

INDENT = "  "
GAP = "  "
RULE = " │ "
TRUE_DIGITS = 20
"""Significant digits of a true value."""
NOT_SHIFTED = (
    "the program takes each row's largest score off first, which changes no weight (softmax_sub_sup); E and Z are shown "
    "as the lessons have them"
)
SHIFTED = (
    "each row's largest score is taken off, which changes no weight (softmax_sub_sup); without that, numbers would leave "
    "the range of the dtype"
)


def show(calculation: Calculation, console: Console, *, digits: int, entry: Position | None) -> None:
    """Print a calculation, numbers to so many decimals, with one entry of each matrix written out.

    Args:
        calculation: The calculation.
        console: Where to; its width is kept to.
        digits: Decimals of the numbers.
        entry: The row and the column, counted from 0, to write out; chosen for each matrix if None.
    """
    problem = calculation.problem

    def line(text: str, style: str = "") -> None:
        parts = wrap(text, console.width, subsequent_indent=INDENT, break_long_words=False) or [""]
        for part in parts:
            console.print(part, style=style, highlight=False, markup=False, soft_wrap=True)

    line(problem.title, "bold")
    line(problem.place)
    line(_setting(calculation))
    for note in calculation.notes:
        line(f"· {note}")
    for name, result in calculation.results.items():
        console.print()
        line(_title(result), "bold")
        texts = [[number(float(value), digits) for value in row] for row in result.computed]
        for row in table(_aligned(texts), result.labels, console.width, right=True):
            line_of_table(console, row)
        forms = _forms(result, texts)
        if forms is not None:
            line(f"{INDENT}closed form")
            for row in table(forms, result.labels, console.width, right=False):
                line_of_table(console, row)
        for text in _about(calculation, name, digits, shown_entry(calculation, name, entry), entry):
            line(f"{INDENT}{text}")
    console.print()
    line(verdict(calculation), "bold red" if calculation.over_budget else "bold")


def line_of_table(console: Console, text: str) -> None:
    """Print one line of a table as it is."""
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _setting(calculation: Calculation) -> str:
    problem, results = calculation.problem, calculation.results
    parts = [f"Computed in {calculation.dtype}; entries are counted from 1."]
    facts = []
    if problem.starts_from_scores:
        facts.append(f"d = {results['Q'].computed.shape[1]}")
        if problem.temperature != 1:
            facts.append(f"T = {problem.temperature:g}")
    if any(result.forms is not None and _has_name(result) for result in results.values()):
        facts += ["s = 1/√2", "r = exp(1/√2)"]
    return " ".join([*parts, f"{', '.join(facts)}."] if facts else parts)


def _has_name(result: Result) -> bool:
    assert result.forms is not None
    return any(not form.is_rational() for form in result.forms.ravel())


def _title(result: Result) -> str:
    rows, columns = result.computed.shape
    axes = " × ".join(AXES[result.name])
    what = "given" if result.given else f"= {result.formula}"
    return f"{result.name} {what}    {rows} × {columns}, {axes}"


def _aligned(texts: list[list[str]]) -> list[list[str]]:
    """Return the numbers of each column with their decimal points below each other."""
    columns = []
    for column in zip(*texts, strict=True):
        after = [len(text) - _point(text) for text in column]
        columns.append([text + " " * (max(after) - own) for text, own in zip(column, after, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def _point(text: str) -> int:
    return text.index(".") if "." in text else text.index("e") if "e" in text else len(text)


def table(
    texts: Sequence[Sequence[str]],
    labels: tuple[tuple[str, ...], tuple[str, ...]],
    width: int,
    *,
    right: bool,
) -> list[str]:
    """Return the lines of a table with labels; columns that do not fit in the width come below."""
    rows, columns = labels
    stub = max(cell_len(label) for label in rows)
    sizes = [
        max(cell_len(label), *(cell_len(row[column]) for row in texts))
        for column, label in enumerate(columns)
    ]
    lines: list[str] = []
    start = 0
    while start < len(columns):
        end, used = start, len(INDENT) + stub + len(RULE)
        while end < len(columns) and (end == start or used + sizes[end] <= width):
            used += sizes[end] + len(GAP)
            end += 1
        block = range(start, end)
        head = [_padded(columns[column], sizes[column], right) for column in block]
        lines.append(f"{INDENT}{' ' * stub}{RULE}{GAP.join(head)}".rstrip())
        for label, row in zip(rows, texts, strict=True):
            cells = [_padded(row[column], sizes[column], right) for column in block]
            lines.append(f"{INDENT}{_padded(label, stub, False)}{RULE}{GAP.join(cells)}".rstrip())
        start = end
    return lines


def _padded(text: str, size: int, right: bool) -> str:
    space = " " * (size - cell_len(text))
    return space + text if right else text + space


def _forms(result: Result, texts: list[list[str]]) -> list[list[str]] | None:
    """Return the closed forms as text, or None if there are none or they are the numbers as shown."""
    if result.forms is None:
        return None
    forms = [[readable(form) for form in row] for row in result.forms]
    return None if forms == texts else forms


def _about(
    calculation: Calculation, name: str, digits: int, at: Position | None, asked: Position | None
) -> list[str]:
    result = calculation.results[name]
    lines = []
    if not result.given and at is not None:
        lines.append(comes_about(calculation, name, at, digits))
        if np.isfinite(result.computed[at]) and result.error.any():
            lines.append(_true_value(result, at))
    elif not result.given and asked is not None:
        lines.append(f"there is no entry [{asked[0] + 1}, {asked[1] + 1}]")
    if not result.given or result.error.any():
        lines.append(_errors(result))
    if name == "E":
        lines.append(SHIFTED if calculation.shifted else NOT_SHIFTED)
    numbers = printed_numbers(result)
    if numbers:
        lines += _lesson(numbers, digits)
    if result.lesson is not None and result.lesson.theorems:
        lines.append(f"Lean: {', '.join(result.lesson.theorems)}")
    return lines


def _true_value(result: Result, at: Position) -> str:
    if result.error[at] == 0:
        return "exact: error 0"
    text = f"true value {true_digits(result.exact[at], TRUE_DIGITS)}; off by ≤ {small(result.error[at])}"
    if result.slack is None or result.budget is None:
        return text
    return f"{text} ({small(result.slack[at])} of budget {small(result.budget[at])})"


def _errors(result: Result) -> str:
    if not result.error.any():
        return "every entry is exact: error 0"
    text = f"no entry is off by more than {small(result.error.max())}"
    if result.slack is None:
        return f"{text}; no budget: {result.no_budget}"
    worst = float(result.slack.max())
    return f"{text}, {small(worst)} of its budget at worst{'' if worst <= 1 else ': over its budget'}"


def _lesson(numbers: Sequence[Printed], digits: int) -> list[str]:
    wrong = sum(not one.is_right for one in numbers)
    if wrong:
        verb = "is" if wrong == 1 else "are"
        summary = f"of the {len(numbers)} numbers that the lesson prints here, {wrong} {verb} wrong"
    else:
        every = "all " if len(numbers) > 1 else ""
        summary = f"the lesson prints {len(numbers)} of these numbers, {every}right to the last digit"
    lines = [summary]
    for one in numbers:
        if not one.is_right:
            lines.append(f"{one.place}: the lesson prints {one.printed}, the true value is {one.digits}")
        elif one.decimals > digits:
            lines.append(f"{one.place}: the lesson prints {one.printed}, as is true")
    return lines


def verdict(calculation: Calculation) -> str:
    """Return the line to read last: how far the numbers are from the truth, and the lesson's from it."""
    results = [result for result in calculation.results.values() if not result.given]
    entries = sum(result.computed.size for result in results)
    worst = max(results, key=lambda result: float(result.error.max()))
    error = float(worst.error.max())
    counted = f"{entries} entr{'y' if entries == 1 else 'ies'} computed in {calculation.dtype}"
    if error == 0:
        text = f"{counted}, exactly."
    else:
        row, column = (int(axis) for axis in np.unravel_index(int(worst.error.argmax()), worst.error.shape))
        place = f"{worst.name}[{row + 1}, {column + 1}]"
        text = f"{counted}; none is off by more than {small(error)} ({place}). {_budgets(results)}"
    return f"{text} {_printed(calculation)}".rstrip()


def _printed(calculation: Calculation) -> str:
    numbers = [one for result in calculation.results.values() for one in printed_numbers(result)]
    wrong = count_wrong(numbers)
    if not numbers:
        return ""
    outcome = f"{wrong} {'is' if wrong == 1 else 'are'} wrong in the last digit" if wrong else "all are right"
    return f"The lesson prints {len(numbers)} of the numbers; {outcome}."


def _budgets(results: Sequence[Result]) -> str:
    slacks = {result.name: float(result.slack.max()) for result in results if result.slack is not None}
    without = [result.name for result in results if result.slack is None]
    over = [name for name, slack in slacks.items() if slack > 1]
    if over:
        return f"Over the budget: {', '.join(over)}."
    if without:
        return f"All else is within its budget, {', '.join(without)} {'has' if len(without) == 1 else 'have'} none."
    return f"All are within their budgets, at worst at {small(max(slacks.values()))} of it."
