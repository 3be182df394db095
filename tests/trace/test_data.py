"""The trace as data: one form, the numbers of the terminal, nothing that JSON lacks."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.trace.running import trace

from duizhao.examples import examples
from duizhao.trace.calculation import ORDER
from duizhao.trace.notation import number

Kinds = type | tuple[type, ...]
TOP: dict[str, Kinds] = {
    "schema": int,
    "name": (str, type(None)),
    "title": str,
    "place": str,
    "dtype": str,
    "temperature": float,
    "scale": (float, type(None)),
    "mask": (list, type(None)),
    "exponentials_are_shifted": bool,
    "notes": list,
    "steps": list,
    "ok": bool,
    "verdict": str,
}
STEP: dict[str, Kinds] = {
    "matrix": str,
    "given": bool,
    "formula": (str, type(None)),
    "shape": list,
    "axes": list,
    "rows": list,
    "columns": list,
    "computed": list,
    "exact": list,
    "error": list,
    "budget": (list, type(None)),
    "no_budget": (str, type(None)),
    "worst_slack": (float, type(None)),
    "closed_form": (list, type(None)),
    "printed": list,
    "entry": (dict, type(None)),
    "theorems": list,
}


def strict(text: str) -> dict[str, Any]:
    """JSON without the words that Python adds to it."""

    def refuse(word: str) -> None:
        raise AssertionError(word)

    return dict(json.loads(text, parse_constant=refuse))


@pytest.mark.parametrize("arguments", [*((name,) for name in examples()), ("red-key", "--causal")])
def test_data_has_the_form_of_its_schema(arguments: tuple[str, ...]) -> None:
    data = strict(trace(*arguments, "--json").out)
    assert data["schema"] == 1
    assert set(data) == set(TOP)
    assert all(isinstance(data[key], kinds) for key, kinds in TOP.items())
    for step in data["steps"]:
        assert set(step) == set(STEP)
        assert all(isinstance(step[key], kinds) for key, kinds in STEP.items()), step["matrix"]
        rows, columns = step["shape"]
        assert (len(step["rows"]), len(step["columns"])) == (rows, columns)
        for key in ("computed", "exact", "error", "budget", "closed_form"):
            assert step[key] is None or [len(row) for row in step[key]] == [columns] * rows


@pytest.mark.parametrize("name", list(examples()))
def test_data_and_terminal_have_the_same_numbers(name: str) -> None:
    data, text = strict(trace(name, "--json").out), trace(name)
    for step in data["steps"]:
        shown = [[number(value, 6) for value in row] for row in step["computed"]]
        assert text.table(step["matrix"]) == shown
    assert text.out.endswith(f"{data['verdict']}\n")


def test_steps_come_in_the_order_of_the_calculation() -> None:
    steps = strict(trace("red-key", "--causal", "--json").out)["steps"]
    assert [step["matrix"] for step in steps] == list(ORDER)
    steps = strict(trace("column-sums", "--json").out)["steps"]
    assert [step["matrix"] for step in steps] == ["A", "V", "O"]


def test_masked_score_is_null() -> None:
    step = trace("red-key", "--causal", "--json").step("M")
    assert step["computed"][0][1:] == [None, None]
    assert step["exact"][0][1:] == [None, None]
    assert step["error"][0][1:] == [0.0, 0.0]


def test_entry_is_counted_from_one_in_data_too() -> None:
    step = trace("red-key", "--json", "--entry", "3,2").step("D")
    assert step["entry"] == {"at": [3, 2], "text": "D[3, 2] = 1×0 + 1×1 = 1"}


def test_misprint_is_marked_in_data() -> None:
    step = trace("shifted-values", "--json").step("O")
    assert step["printed"] == [
        {"entry": [1, 1], "printed": "3.401112092679786", "true": "3.401112092679786", "right": True},
        {"entry": [1, 2], "printed": "0.1977758146404283", "true": "0.1977758146404282", "right": False},
    ]


def test_error_is_the_distance_of_computed_from_exact() -> None:
    step = trace("red-key", "--dtype", "float32", "--json").step("A")
    for computed, exact, error in zip(
        *(np.array(step[key]).ravel() for key in ("computed", "exact", "error")), strict=True
    ):
        distance = abs(float(computed) - float(exact))
        assert abs(distance - error) <= 2.0**-52
        assert error > 2.0**-40
    assert step["worst_slack"] == max(
        error / budget
        for row in zip(step["error"], step["budget"], strict=True)
        for error, budget in zip(*row, strict=True)
    )


def test_numbers_beyond_the_terminal_are_data_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"Q": [[1e150]], "K": [[1e150], [-1e150]], "V": [[1e300], [-1e300]]}))
    data = strict(trace("-i", file, "--json").out)
    (weights,) = (step for step in data["steps"] if step["matrix"] == "A")
    assert weights["budget"] is None
    assert weights["worst_slack"] is None
    assert data["ok"] is True
