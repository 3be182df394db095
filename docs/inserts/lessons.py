"""What the pages show of the worked examples: `duizhao trace` and the numbers that the lessons print, made by the build.

* `matrix`: one matrix of an example as a table: decimals, closed forms, error, theorems.
* `entry`: how one entry of it comes about.
* `whole`: all that `duizhao trace` prints of an example, folded.
* `printed`: the numbers that a lesson prints, each beside the true digits.

The ids are `red-key.A` for a matrix, `red-key.A.1.2` for an entry (counted from 1), `red-key` for an example, and
`attention-by-hand` for a lesson.
"""

# ruff: noqa: RUF001 (Chinese punctuation)

import io
import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape

from docs.inserts import contents
from docs.inserts.contents import Links
from docs.inserts.sources import Project
from rich.console import Console

from duizhao.examples import constants, example, examples
from duizhao.trace import render
from duizhao.trace.calculation import Calculation, Result, calculate
from duizhao.trace.closed_forms import readable
from duizhao.trace.entry import comes_about
from duizhao.trace.notation import DIGITS, number, small
from duizhao.trace.printed import count_wrong, printed_numbers
from duizhao.trace.problem import of_example

WIDTH = 80
"""Columns of the output of the command."""
CHINESE = {"the sum of each row of E": "E 每行的和", "sum": "和", "query": "查询"}
"""The Chinese of the English words in formulas and labels."""
CONSTANTS = {
    "score": "点积 1 的分数",
    "exponential": "点积 1 的指数",
    "first-row-sum": "第一行的指数之和",
    "largest-score": "最大的分数",
    "variance-of-width-2": "宽度 2 的方差",
    "variance-of-width-64": "宽度 64 的方差",
    "deviation-of-width-2": "宽度 2 的波动",
    "deviation-of-width-64": "宽度 64 的波动",
    "divisor-of-width-4": "宽度 4 的分母",
    "one-query-score": "第一个分数",
    "one-query-exponential": "第一个指数",
    "length-times-4": "长度的倍数",
    "elements-times-16": "格子的倍数",
    "width-of-one-head": "一个头的宽度",
}
"""What the numbers are that the lessons print on the way."""


@cache
def calculated(name: str) -> Calculation:
    """Return the calculation of an example in float64.

    Raises:
        ValueError: If there is no such example.
    """
    return calculate(of_example(example(name)), "float64")


def _result(name: str, matrix: str) -> Result:
    results = calculated(name).results
    if matrix not in results:
        raise ValueError(f"{name} has the matrices {', '.join(results)}, got {matrix!r}")
    return results[matrix]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], labelled: bool) -> str:
    """Return a table; with `labelled` the first cell of each row names the row."""
    heads = "".join(f'<th scope="col">{cell}</th>' if cell else "<td></td>" for cell in head)
    body = []
    for row in rows:
        first, *rest = row if labelled else ("", *row)
        name = f'<th scope="row">{first}</th>' if labelled else ""
        body.append(f"<tr>{name}{''.join(f'<td>{cell}</td>' for cell in rest)}</tr>")
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def matrix(marker: str, project: Project, links: Links, here: str) -> str:
    """Return a matrix of an example as a table, with what is known of it below.

    Raises:
        ValueError: If there is no such example or matrix.
    """
    name, _, which = marker.partition(".")
    result = _result(name, which)
    rows, columns = result.labels
    cells = []
    for row, label in enumerate(rows):
        shown = [escape(_chinese(label))]
        for column in range(len(columns)):
            decimals = number(float(result.computed[row, column]), DIGITS)
            form = result.form(row, column)
            exact = "" if form is None else readable(form)
            shown.append(
                decimals
                if exact in ("", decimals)
                else f'{decimals}<br><span class="detail">{escape(exact)}</span>'
            )
        cells.append(shown)
    size = f"{len(rows)} 行 {len(columns)} 列"
    title = (
        f"{result.name}，给定，{size}"
        if result.given
        else f"{result.name} = {_chinese(result.formula)}，{size}"
    )
    head = ["", *(escape(_chinese(label)) for label in columns)]
    facts = "".join(f"<li>{fact}</li>" for fact in _facts(result, project, links, here))
    return (
        f'<section class="matrix" aria-label="{escape(name)} 的 {escape(which)}" data-search-exclude="true">'
        f'<p class="label">{_subscripts(title)}</p>{_table(head, cells, labelled=True)}'
        f"{f'<ul>{facts}</ul>' if facts else ''}</section>"
    )


def _chinese(text: str) -> str:
    return CHINESE.get(text, text)


def _subscripts(text: str) -> str:
    """Return the names of matrices with their subscripts lowered."""
    return re.sub(r"([A-Z])_([A-Z])", r"\1<sub>\2</sub>", escape(text))


def _facts(result: Result, project: Project, links: Links, here: str) -> Iterator[str]:
    if result.given:
        return
    if not result.error.any():
        yield "float64 算出的每个数都完全准确"
    else:
        worst = "" if result.slack is None else f"，最多占误差预算的 {small(float(result.slack.max()))}"
        yield f"float64 的误差不超过 {small(float(result.error.max()))}{worst}"
    numbers = printed_numbers(result)
    if numbers:
        wrong = count_wrong(numbers)
        right = f"末位不对的有 {wrong} 个" if wrong else "末位都对" if len(numbers) > 1 else "末位对"
        yield f"教程印出其中 {len(numbers)} 个数，{right}"
    named = [] if result.lesson is None else [project.results[theorem] for theorem in result.lesson.theorems]
    if named:
        yield f"Lean：{'、'.join(contents.mention(theorem, links, here) for theorem in named)}"


def entry(marker: str, project: Project, links: Links, here: str) -> str:
    """Return how one entry comes about, as `duizhao trace` writes it.

    Raises:
        ValueError: If there is no such entry, or it is given.
    """
    del project, links, here
    name, _, place = marker.partition(".")
    which, *at = place.split(".")
    result = _result(name, which)
    if len(at) != 2 or not all(part.isdecimal() for part in at):
        raise ValueError(f"{marker}: an entry is named like red-key.A.1.2, counted from 1")
    row, column = (int(part) - 1 for part in at)
    if result.given or not (0 <= row < result.computed.shape[0] and 0 <= column < result.computed.shape[1]):
        raise ValueError(f"{marker}: {which} has no entry [{row + 1}, {column + 1}] that is computed")
    return f"<code>{escape(comes_about(calculated(name), which, (row, column), DIGITS))}</code>"


def whole(marker: str, project: Project, links: Links, here: str) -> str:
    """Return all that the command prints of an example, folded.

    Raises:
        ValueError: If there is no such example.
    """
    del project, links, here
    calculation = calculated(marker)
    console = Console(file=io.StringIO(), width=WIDTH, color_system=None)
    render.show(calculation, console, digits=DIGITS, entry=None)
    assert isinstance(console.file, io.StringIO)
    text = escape(console.file.getvalue(), quote=False)
    command = f"duizhao trace {escape(marker)}"
    return (
        f'<details class="fold trace" data-search-exclude="true"><summary><code>{command}</code> 的全部输出</summary>'
        f'<pre tabindex="0"><code class="language-text">{text}</code></pre></details>'
    )


def printed(marker: str, project: Project, links: Links, here: str) -> str:
    """Return every number that a lesson prints, beside the true value to as many decimals.

    Raises:
        ValueError: If nothing is printed in a lesson of that name, or a number has no Chinese name.
    """
    rows = [
        *_constants(marker, project, links, here),
        *(
            row
            for name, one in examples().items()
            if one.lesson == marker
            for row in _of_example(name, project, links, here)
        ),
    ]
    if not rows:
        raise ValueError(f"no lesson `{marker}` prints a number")
    head = ["哪个数", "教程印出", "真值", "闭式", "Lean"]
    return (
        f'<section class="matrix" data-search-exclude="true">{_table(head, rows, labelled=False)}</section>'
    )


def _row(what: str, form: str, was: str, true: str, theorems: str) -> list[str]:
    shown = was if was == true else f"<mark>{was}</mark>"
    right = true if was == true else f"<strong>{true}</strong>（末位不同）"
    return [what, shown, right, f'<span class="detail">{escape(form)}</span>', theorems]


def _names(theorems: Sequence[str], project: Project, links: Links, here: str) -> str:
    found = [project.results[name] for name in theorems]
    codes = [contents.link(one, links, here, f"<code>{escape(one.id)}</code>") for one in found]
    return "<br>".join(codes) or "–"


def _constants(lesson: str, project: Project, links: Links, here: str) -> Iterator[list[str]]:
    for one in constants().values():
        if one.lesson == lesson:
            if one.name not in CONSTANTS:
                raise ValueError(f"no Chinese for the number `{one.name}`: add it to docs/inserts/lessons.py")
            theorems = _names(one.theorems, project, links, here)
            yield _row(CONSTANTS[one.name], readable(one.form), one.printed, one.digits(), theorems)


def _of_example(name: str, project: Project, links: Links, here: str) -> Iterator[list[str]]:
    for result in calculated(name).results.values():
        for one in printed_numbers(result):
            form, lesson = result.form(one.row, one.column), result.lesson
            assert form is not None
            assert lesson is not None
            what = f"<code>{escape(name)}</code> {escape(one.place)}"
            theorems = _names(lesson.theorems, project, links, here)
            yield _row(what, readable(form), one.printed, one.digits, theorems)
