"""Every number of the lessons comes out of `duizhao trace`, to the digits that are printed there."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.trace.running import trace

from duizhao.exact import precision
from duizhao.examples import constants, example, examples

NAMES = [
    "red-key",
    "one-query",
    "one-query-larger-value",
    "two-values",
    "two-values-exercise",
    "zero-query",
    "zero-values",
    "shifted-values",
    "shifted-first-value",
    "column-sums",
]


def printed() -> Iterator[tuple[str, str, int, int, str, bool]]:
    """Each printed number: example, matrix, row, column, decimals, and whether it is a misprint."""
    for name, one in examples().items():
        for matrix in one.matrices.values():
            for index in np.ndindex(matrix.shape):
                if matrix.printed[index] is not None:
                    row, column = index if len(index) == 2 else (0, *index, 0)[:2]
                    yield (
                        name,
                        matrix.name,
                        row,
                        column,
                        str(matrix.printed[index]),
                        index in matrix.misprints,
                    )


def test_every_example_of_the_data_has_a_trace() -> None:
    assert list(examples()) == NAMES
    for name in NAMES:
        assert trace(name).code == 0


def test_there_are_printed_numbers_to_compare() -> None:
    assert len(list(printed())) == 31


@pytest.mark.parametrize(("name", "matrix", "row", "column", "decimals", "misprint"), list(printed()))
def test_printed_number_is_an_entry_of_the_table_at_as_many_digits(
    name: str, matrix: str, row: int, column: int, decimals: str, misprint: bool
) -> None:
    table = trace(name, "--digits", str(len(decimals.partition(".")[2]))).table(matrix)
    assert (table[row][column] == decimals) is not misprint


def test_misprint_is_shown_next_to_the_true_value() -> None:
    text = trace("shifted-values").out
    assert "O[1, 2]: the lesson prints 0.1977758146404283, the true value is 0.1977758146404282\n" in text
    assert "O[1, 1]: the lesson prints 3.401112092679786, as is true\n" in text
    assert text.endswith("The lesson prints 2 of the numbers; 1 is wrong in the last digit.\n")


def test_all_else_that_the_lessons_print_is_called_right() -> None:
    for name, count in (("red-key", 16), ("one-query", 6), ("two-values", 3), ("two-values-exercise", 3)):
        assert trace(name).out.endswith(f"The lesson prints {count} of the numbers; all are right.\n")


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("red-key", ["0.707107", "2.028115", "5.056230", "2.121320"]),
        ("one-query", ["0.707107", "2.028115"]),
        ("two-values-exercise", ["8.400000"]),
        ("zero-query", ["0.333333", "1.333333"]),
    ],
)
def test_numbers_on_the_way_come_out_of_their_example(name: str, texts: list[str]) -> None:
    cells = " ".join(line for line in trace(name).out.splitlines() if "│" in line).split()
    assert [text for text in texts if text not in cells] == []


@pytest.mark.parametrize("constant", constants().values(), ids=list(constants()))
def test_constant_is_printed_to_its_digits(constant: object) -> None:
    (one,) = (one for one in constants().values() if one is constant)
    text = trace("--constants", "--digits", str(len(one.printed.partition(".")[2]))).out
    (line,) = (line for line in text.splitlines() if line.split()[:1] == [one.name])
    assert line.split()[-1] == one.printed


def test_constants_say_what_is_printed_and_what_is_true() -> None:
    text = trace("--constants").out
    assert "deviation-of-width-2   2s = 1.414214 (printed 1.414)" in text
    assert "elements-times-16      (4096/1024)² = 16" in text
    assert "width-of-one-head      512/8 = 64" in text
    assert text.endswith("The lessons print 14 numbers on the way: all are right to the last digit.\n")


def test_constants_as_data_hold_the_same() -> None:
    data = json.loads(trace("--constants", "--json").out)
    assert data["schema"] == 1
    assert {one["name"]: one["printed"] for one in data["constants"]} == {
        name: one.printed for name, one in constants().items()
    }
    assert all(one["right"] and one["true"] == one["printed"] for one in data["constants"])


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("red-key", "Q[3, 1] = 1×1 + 1×0 = 1"),
        ("red-key", "K[3, 2] = 1×1 + 1×1 = 2"),
        ("red-key", "V[2, 2] = 0×0 + 1×2 = 2"),
        ("red-key", "D[3, 2] = 1×0 + 1×1 = 1"),
        ("red-key", "S[3, 3] = 3/√2 = 2.121320"),
        ("red-key", "E[1, 1] = exp(0.707107) = 2.028115"),
        ("red-key", "Z[1] = 2.028115 + 1 + 2.028115 = 5.056230"),
        ("red-key", "A[1, 1] = 2.028115/5.056230 = 0.401112"),
        ("red-key", "O[1, 1] = 0.401112×1 + 0.197776×1 + 0.401112×2 = 1.401112"),
        ("zero-query", "D[3, 1] = 0×1 + 0×1 = 0"),
        ("two-values-exercise", "O[1, 1] = 0.200000×2 + 0.800000×10 = 8.400000"),
        ("shifted-values", "O[1, 2] = 0.401112×(-1) + 0.197776×1 + 0.401112×1 = 0.197776"),
    ],
)
def test_entry_of_the_lesson_is_written_out(name: str, line: str) -> None:
    assert f"  {line}\n" in trace(name).out


def test_closed_forms_are_written_as_by_hand() -> None:
    text = trace("red-key").out
    for form in ("2r + 1", "r² + 2r", "r³ + r² + r", "r²/(r + 1 + r²)", "(r + 1 + 2r²)/(r + 1 + r²)", "3s"):
        assert form in text
    assert "0 − 1" in trace("shifted-values").out


@pytest.mark.parametrize("name", [name for name in NAMES if "S" in example(name).matrices])
def test_closed_forms_of_the_exponentials_are_those_of_the_scores(name: str) -> None:
    data = trace(name, "--json")
    scores, powers, sums = (data.step(matrix)["closed_form"] for matrix in "SEZ")
    in_powers = {"0": "1", "s": "r", "2*s": "r**2", "3*s": "r**3"}
    assert powers == [[in_powers[form] for form in row] for row in scores]
    terms = [[re.sub(r"\*\*", "^", form) for form in row] for row in powers]
    for row, (form,) in zip(terms, sums, strict=True):
        counted = {term: row.count(term) for term in row}
        parts = [re.sub(r"\*\*", "^", part) for part in form.split(" + ")]
        found = {}
        for part in parts:
            count, _, term = part.partition("*") if part[0].isdigit() and "*" in part else ("1", "", part)
            found["1" if term.isdigit() else term] = int(term) if term.isdigit() else int(count)
        assert found == counted


@pytest.mark.parametrize("name", NAMES)
def test_exact_value_of_the_data_is_in_the_trace_to_20_digits(name: str) -> None:
    outcome, one = trace(name, "--json"), example(name)
    for matrix in one.matrices.values():
        exact = np.array(outcome.step(matrix.name)["exact"]).reshape(matrix.shape)
        for index in np.ndindex(matrix.shape):
            with precision(200):
                gap = matrix.form(index).ball() - type(matrix.form(index).ball())(str(exact[index]))
                assert abs(gap) <= abs(matrix.form(index).ball()) * 10**-20


def test_theorems_of_the_lesson_are_named() -> None:
    assert "Lean: redKey_weights, abs_redKey_weights_sub_le" in trace("red-key").out
    assert "Lean: attention_add_row" in trace("shifted-values").out


def test_examples_are_listed_by_name() -> None:
    text = trace("--list").out
    assert [name for name in NAMES if not re.search(rf"^  {name} ", text, re.MULTILINE)] == []
    data = json.loads(trace("--list", "--json").out)
    assert [one["name"] for one in data["examples"]] == NAMES


def test_installed_command_prints_the_trace_and_exits_0() -> None:
    command = Path(sys.executable).parent / "duizhao"
    done = subprocess.run([command, "trace", "red-key"], capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert "A[1, 1] = 2.028115/5.056230 = 0.401112" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_installed_command_says_one_line_of_a_wrong_name_and_exits_2() -> None:
    command = Path(sys.executable).parent / "duizhao"
    done = subprocess.run([command, "trace", "red-kay"], capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "duizhao: no example `red-kay`; did you mean red-key?\n"


def test_terminal_without_the_letters_gets_them_spelt_out() -> None:
    command = Path(sys.executable).parent / "duizhao"
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([command, "trace", "one-query"], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "S[1, 1] = 1/\\u221a2 = 0.707107" in done.stdout
