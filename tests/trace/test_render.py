"""How a trace looks: it keeps to the width, points stand below points, one entry is written out."""

import json
import os
import subprocess
import sys
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len
from tests.trace.running import trace

from duizhao.examples import examples
from duizhao.trace.notation import factor, number


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", list(examples()))
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    lines = trace(name, width=width).out.splitlines()
    assert [line for line in lines if cell_len(line) > width] == []


def test_terminal_that_says_it_has_no_columns_is_one_of_unknown_width() -> None:
    run = [sys.executable, "-c", "from duizhao.cli import main; main()", "trace", "two-values"]
    texts = [
        subprocess.run(run, env={**os.environ, "COLUMNS": columns}, capture_output=True, text=True)
        for columns in ("0", "", "80")
    ]
    assert {done.returncode for done in texts} == {0}, texts[0].stderr
    assert texts[0].stdout == texts[1].stdout == texts[2].stdout


def test_columns_that_do_not_fit_come_below_and_none_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "in.npz"
    keys = np.arange(40.0).reshape(40, 1) / 8
    np.savez(file, Q=np.ones((2, 1)), K=keys, V=keys, labels=np.array([f"key{i}" for i in range(40)]))
    for width in (80, 120):
        lines = trace("-i", file, width=width).out.splitlines()
        assert [line for line in lines if cell_len(line) > width] == []
        start = next(number for number, line in enumerate(lines) if line.startswith("D = "))
        block = []
        for line in lines[start + 1 :]:
            if "│" not in line:
                break
            block.append(line.partition("│"))
        heads = [rest.split() for label, _, rest in block if not label.strip()]
        firsts = [rest.split() for label, _, rest in block if label.strip() == "1"]
        assert len(heads) > 1
        assert list(chain(*heads)) == [f"key{i}" for i in range(40)]
        assert [float(text) for text in chain(*firsts)] == (keys[:, 0]).tolist()


def test_decimal_points_stand_below_each_other(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"A": [[1], [0.5], [-12.25], [1e-9], [3e12]], "V": [[1]]}))
    lines = trace("-i", file).out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("A given"))
    rows = lines[start + 2 : start + 7]
    assert [row.partition("│")[2].strip() for row in rows] == [
        "1",
        "0.500000",
        "-12.250000",
        "1.000000e-09",
        "3.000000e+12",
    ]
    assert len({row.index(".") for row in rows[1:]}) == 1
    assert len(rows[0]) == rows[1].index(".")


def test_wide_characters_in_labels_keep_the_columns_straight(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"A": [[0.5, 0.5], [1, 0]], "V": [[1], [2]], "labels": ["红钥匙", "a"]}))
    lines = trace("-i", file).out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("A given"))
    assert len({cell_len(line.partition("│")[0]) for line in lines[start + 1 : start + 4]}) == 1


def test_brackets_in_labels_are_no_markup(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"A": [[1.0]], "V": [[1]], "labels": ["[bold]"]}))
    assert "[bold]" in trace("-i", file).out


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.0, 6, "0"),
        (-0.0, 6, "0"),
        (3.0, 6, "3"),
        (0.5, 0, "0"),
        (2.5, 3, "2.500"),
        (-0.0625, 6, "-0.062500"),
        (1e-9, 6, "1.000000e-09"),
        (0.0000004, 6, "4.000000e-07"),
        (0.0000006, 6, "0.000001"),
        (123456789.5, 1, "123456789.5"),
        (1e9, 2, "1.00e+09"),
        (float("-inf"), 6, "-∞"),
    ],
)
def test_number_is_written_to_its_decimals(value: float, digits: int, text: str) -> None:
    if text != "0" or value == 0:
        assert number(value, digits) == text
    else:
        assert number(value, digits) == "5e-01"


def test_negative_factor_is_in_parentheses() -> None:
    assert (factor(-1.0, 6), factor(2.0, 6)) == ("(-1)", "2")


def test_entry_is_counted_from_one_and_written_out_where_a_matrix_has_it() -> None:
    text = trace("red-key", "--entry", "2,3").out
    assert "  D[2, 3] = 0×1 + 1×2 = 2\n" in text
    assert "  S[2, 3] = 2/√2 = 1.414214\n" in text
    assert "  Z[2] = 2.028115 + 2.028115 + 4.113250 = 8.169480\n" in text
    assert "  A[2, 3] = 4.113250/8.169480 = 0.503490\n" in text
    assert "  there is no entry [2, 3]\n" in text.partition("\nO = A V")[2]


def test_entry_may_stand_in_brackets() -> None:
    assert trace("red-key", "--entry", "[3, 2]").out == trace("red-key", "--entry", "3,2").out


def test_long_sum_leaves_its_middle_out(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"A": [[1 / 16] * 16], "V": [[float(i)] for i in range(16)]}))
    text = trace("-i", file, "--digits", "4").out
    assert "O[1, 1] = 0.0625×0 + 0.0625×1 + 0.0625×2 + 0.0625×3 + … (8 terms) … + 0.0625×12 + " in text
    assert text.partition("O[1, 1]")[2].partition("\n")[0].endswith(" = 7.5000")


def test_shifted_exponential_and_masked_entries_are_written_out(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    given = {"Q": [[1]], "K": [[2000], [-1], [0]], "V": [[1], [2], [3]], "mask": [[True, True, False]]}
    file.write_text(json.dumps({**given, "temperature": 2}))
    shifted = trace("-i", file, "--entry", "1,2").out
    assert "E = exp((M − largest of the row)/T)    1 × 3, queries × keys\n" in shifted
    assert "E[1, 2] = exp((-1 − 2000)/2) = 0\n" in shifted
    assert "softmax_sub_sup" in shifted
    dropped = trace("-i", file, "--entry", "1,3").out
    assert "M[1, 3] = masked = -∞\n" in dropped
    assert "E[1, 3] = exp(−∞) = 0\n" in dropped


def test_scale_and_temperature_stand_in_the_formulas() -> None:
    text = trace("red-key", "--scale", "-0.25", "--temperature", "2").out
    assert "S = D × -0.25    3 × 3" in text
    assert "S[3, 3] = 3 × (-0.250000) = -0.750000\n" in text
    assert "E = exp(S/T)" in text
    assert "A = E/Z = softmax(S/T)" in text
    assert "d = 2, T = 2" in text


def test_true_value_error_and_budget_of_the_entry_are_shown() -> None:
    text = trace("red-key").out
    assert "  true value 0.40111209267978591031; off by ≤ " in text
    assert "  every entry is exact: error 0\n" in text
    assert " of its budget at worst\n" in text


def test_a_missing_budget_says_why(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"Q": [[1e150]], "K": [[1e150], [-1e150]], "V": [[1], [2]]}))
    outcome = trace("-i", file)
    assert outcome.code == 0
    assert "no budget: the scores may be off by too much to say anything of the weights" in outcome.out
    assert "All else is within its budget, E, Z, A, O have none." in outcome.out.splitlines()[-1]
