"""`duizhao break`: every hypothesis is needed, or it is said why not; and what follows a read leaves the range."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from duizhao import cli
from duizhao.breaking import command
from duizhao.breaking.beyond import BEYOND, go_on
from duizhao.breaking.drop import drop, hypothesis_named
from duizhao.claims import all_claims
from duizhao.claims.claim import Claim
from duizhao.strategies import Target
from duizhao.strategies.loosened import fields_read
from duizhao.strategies.readings import TwoScalars

CLAIMS = all_claims()

PATIENCE = 600.0
"""Seconds for a search: on a busy machine the number of cases ends it, not the clock."""

UNDECIDED = {
    ("attention_mem_convexHull", "Nonempty"),
    ("maskedAttention_mem_convexHull", "hA"),
    ("multiHead_mem_Icc", "Nonempty"),
    ("roundedRead_mem_Icc", "hm"),
    ("roundedRead_mem_Icc", "hM"),
    ("roundedRead_mem_Icc", "hγ"),
    ("abs_sum_roundedSoftmax_sub_one_le", "Nonempty"),
    ("le_roundedSoftmax", "ha"),
    ("le_roundedSoftmax", "hb"),
    ("le_roundedSoftmax", "hu"),
}
"""No counterexample is found for these, and no reason is written: the command says that they may be redundant."""

PAIRS = [
    (id_, name)
    for id_, claim in CLAIMS.items()
    for name in claim.predicates
    if (id_, name) not in UNDECIDED and claim.topic not in ("Scaling", "Blockwise")
]
"""The hypotheses that are known to be needed; those on random variables and on blocks have not been sought yet."""
ROOT = Path(__file__).parents[1]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["break", *arguments])


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize(("id_", "name"), PAIRS)
def test_hypothesis_is_needed_or_it_is_said_why_not(id_: str, name: str) -> None:
    found = drop(CLAIMS[id_], name, seconds=PATIENCE)
    assert (found.counterexample is None) == (found.reason is not None)


def test_there_are_hypotheses_to_drop() -> None:
    assert len(PAIRS) > 100
    assert {(id_, name) for id_, claim in CLAIMS.items() for name in claim.predicates} >= UNDECIDED


@pytest.mark.parametrize(
    ("name", "numbers", "output"),
    [
        ("hw", {"u": 0.0, "v": 1.0, "w": -1.0}, [2.0]),
        ("hw1", {"u": 0.0, "v": 1.0, "w": 2.0}, [-1.0]),
    ],
)
def test_search_finds_the_numbers_that_lean_uses(
    name: str, numbers: dict[str, float], output: list[float]
) -> None:
    found = drop(CLAIMS["attention_convex"], name).counterexample
    assert found is not None
    assert dict(found.case) == numbers
    assert found.outputs["read"] == output
    assert found.amount == 1


def test_without_order_the_output_is_below_the_first_value() -> None:
    found = drop(CLAIMS["attention_convex"], "huv").counterexample
    assert found is not None
    assert found.case["u"] > found.case["v"]
    assert found.outputs["read"] == [found.case["v"]]


def test_answer_is_told_in_sentences() -> None:
    result = run("attention_convex", "--drop", "hw")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:3] == [
        "attention_convex without hw (The weight is at least 0)",
        "  u = 0, v = 1, w = -1:",
        "  read = [2]; the statement is off by 1",
    ]


def test_json_says_the_same() -> None:
    data = json.loads(run("attention_convex", "--drop", "hw", "--json").stdout)
    assert data["schema"] == 1
    assert data["name"] == "NeuralNetworks.attention_convex"
    assert data["counterexample"]["case"] == {"u": 0.0, "v": 1.0, "w": -1.0}
    assert data["counterexample"]["amount"] == 1
    assert data["possibly_redundant"] is False


def test_subscripts_are_digits() -> None:
    assert hypothesis_named(CLAIMS["attention_convex"], "hw₁") == "hw1"


def with_hypothesis(predicate: Any, monkeypatch: pytest.MonkeyPatch) -> Claim:
    claim = dataclasses.replace(CLAIMS["read_zero"], predicates={"h": predicate})
    monkeypatch.setattr(command, "all_claims", lambda: {"read_zero": claim})
    return claim


def test_hypothesis_that_nothing_breaks_may_be_redundant(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_weight_is_positive(case: Any) -> bool:
        """The first weight is positive."""
        return bool(case.weights[0] > 0)

    with_hypothesis(first_weight_is_positive, monkeypatch)
    result = run("read_zero", "--drop", "h")
    assert result.exit_code == 1
    assert "no counterexample was found: the hypothesis may be redundant" in result.stdout
    assert json.loads(run("read_zero", "--drop", "h", "--json").stdout)["possibly_redundant"] is True


def test_written_reason_is_told() -> None:
    result = run("softmax_sub_sup", "--drop", "Nonempty")
    assert result.exit_code == 0
    assert "no counterexample exists: no scores have a largest one" in result.stdout


def test_the_other_hypotheses_keep_holding() -> None:
    found = drop(CLAIMS["read_mem_Ioo"], "hk").counterexample
    assert found is not None
    weights, values = np.asarray(found.case["weights"]), np.asarray(found.case["values"])
    assert weights.min() >= 0
    assert weights.sum() == 1
    assert (values >= found.case["lower_bound"]).all()
    assert not values[found.case["key"]] > found.case["lower_bound"]


def test_fields_that_a_hypothesis_looks_at_are_seen_through_properties() -> None:
    target = Target("float64")
    case = TwoScalars(target, 1.0, 2.0, 0.5)
    assert fields_read(case, lambda pair: bool(pair.weights[0] > 0)) == {"weight"}
    assert fields_read(case, lambda pair: pair.first < pair.second) == {"first", "second"}


@pytest.mark.parametrize("name", BEYOND)
def test_what_follows_a_read_leaves_the_range(name: str) -> None:
    found = go_on(name)
    assert found.outcome.leaves_by > 0
    result = run("read_mem_Icc", "--then", name)
    assert result.exit_code == 0
    assert "What survives: " in result.stdout
    data = json.loads(run("read_mem_Icc", "--then", name, "--json").stdout)
    assert data["outside_by"] == found.outcome.leaves_by
    assert data["survivor"]


def hull_holds(output: Any, points: Any) -> bool:
    points, output = np.asarray(points), np.asarray(output)
    return bool((points.min(axis=0) <= output).all() and (output <= points.max(axis=0)).all())


def test_projected_output_stays_among_the_projected_values() -> None:
    found = go_on("projection")
    assert hull_holds(found.outcome.output, found.survivor["projected values"])


def test_sum_stays_among_the_moved_values() -> None:
    found = go_on("residual")
    assert hull_holds(found.outcome.output, found.survivor["values moved by the residual"])


def test_heads_side_by_side_keep_their_bounds() -> None:
    assert all(0 <= head <= 1 for head in go_on("heads").survivor["heads"])


def test_two_layers_stay_in_until_the_second_projects() -> None:
    found = go_on("two-layers")
    assert all(0 <= entry <= 1 for entry in found.survivor["output of layer 2 without projection"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("attention_convexx", "--drop", "hw"),
            "no theorem `attention_convexx`; did you mean attention_convex?",
        ),
        (
            ("attention_convex", "--drop", "hz"),
            "attention_convex has no hypothesis `hz`; its hypotheses: hw, hw1, huv",
        ),
        (
            ("attention_convex",),
            "attention_convex: say what to let go of: --drop HYPOTHESIS (hw, hw1, huv) or, after read_mem_Icc, --then STEP",
        ),
        (
            ("read_mem_Icc", "--drop", "hw", "--then", "heads"),
            "read_mem_Icc: say what to let go of: --drop HYPOTHESIS (hw, hv) or, after read_mem_Icc, --then STEP",
        ),
        (("read_zero", "--then", "heads"), "--then goes on after read_mem_Icc, not after read_zero"),
        (
            ("read_mem_Icc", "--then", "lunch"),
            "nothing named `lunch` follows a read; there are projection, residual, heads, float16, two-layers",
        ),
    ],
)
def test_wrong_use_is_one_line_and_exits_2(arguments: tuple[str, ...], message: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from duizhao.cli import main; main()", "break", *arguments],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"duizhao: {message}\n")
