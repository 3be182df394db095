"""`duizhao break`: every hypothesis is needed, or it is said why not; and what follows a read leaves the range."""

import dataclasses
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from duizhao import cli
from duizhao.breaking import command
from duizhao.breaking import drop as drop_module
from duizhao.breaking.beyond import BEYOND, go_on
from duizhao.breaking.drop import drop, hypotheses, hypothesis_named
from duizhao.breaking.statement import binders, hypotheses_of
from duizhao.claims import all_claims
from duizhao.claims.claim import Claim
from duizhao.ledger.lean import lean_side
from duizhao.strategies import Target
from duizhao.strategies.loosened import fields_read
from duizhao.strategies.readings import TwoScalars
from duizhao.strategies.search import Clock

CLAIMS = all_claims()

PATIENCE = 10.0
"""Seconds that a search may compute."""

STATEMENTS = {
    theorem.id: theorem.statement or ""
    for theorem in lean_side(Path(__file__).parents[1], "record").theorems.values()
}


def named(id_: str) -> list[str]:
    """Return the hypotheses of a theorem as its recorded statement has them, and the parts of conjunctions."""
    whole = hypotheses_of(STATEMENTS[id_])
    return [part for name, parts in whole.items() for part in [name, *parts_named(name, parts)]]


def parts_named(name: str, parts: int) -> list[str]:
    return [f"{name}.{place}" for place in range(1, parts + 1)] if parts > 1 else []


PAIRS = [(id_, name) for id_ in STATEMENTS for name in named(id_)]

WHOLE = [(id_, name) for id_, name in PAIRS if "." not in name]
"""Those that are searched for here, to be quick; of parts of conjunctions some are, and all are judged as they are kept."""

ROOT = Path(__file__).parents[1]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["break", *arguments])


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize(("id_", "name"), WHOLE)
def test_hypothesis_is_needed_or_it_is_said_why_not(id_: str, name: str) -> None:
    assert name in hypotheses(CLAIMS[id_])
    started = time.process_time()
    found = drop(CLAIMS[id_], name, seconds=PATIENCE)
    assert time.process_time() - started < PATIENCE
    assert (found.counterexample is None) == (found.reason is not None)


def test_there_are_hypotheses_to_drop() -> None:
    assert len(PAIRS) > 150
    assert {"hw1", "hw.1", "Nonempty.2", "hq0", "hγ"} <= {name for _, name in PAIRS}


def test_claims_name_the_hypotheses_of_the_statements() -> None:
    assert {id_: set(named(id_)) for id_ in CLAIMS} == {id_: set(hypotheses(CLAIMS[id_])) for id_ in CLAIMS}


def test_reasons_are_of_hypotheses_that_nothing_breaks() -> None:
    reasons = {(id_, name) for id_, claim in CLAIMS.items() for name in claim.without}
    assert reasons
    assert reasons <= set(PAIRS)


def test_statement_that_gains_a_hypothesis_is_seen() -> None:
    statement = STATEMENTS["read_mem_Icc"].replace("(hw : ", "[Nontrivial ι] (hw₂ : 0 < m) (hw : ")
    assert set(hypotheses_of(statement)) == {"Nontrivial", "hw2", "hw", "hv"}


@pytest.mark.parametrize("id_", STATEMENTS)
def test_nothing_else_in_a_statement_is_assumed(id_: str) -> None:
    for bracket, text in binders(STATEMENTS[id_]):
        name, _, kind = text.partition(" : ")
        if bracket != "[" and not name.startswith("h"):
            assert not set("≤<≥>≠∈∀∃∧⟂") & set(kind)


def test_every_lean_counterexample_to_a_dropped_hypothesis_is_of_one() -> None:
    refuted = {pair for claim in CLAIMS.values() for pair in claim.refutes}
    assert refuted
    assert refuted <= set(PAIRS)


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
    monkeypatch.setattr(drop_module, "STAGES", ((2, 1, 50),))
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


@pytest.mark.parametrize(
    ("asked", "known"),
    [("hw.1", "hw.1"), ("hw", "hw"), ("Nonempty", "Nonempty"), ("Nonempty.2", "Nonempty.2"), ("hX₀", "hX0")],
)
def test_parts_instances_and_subscripts_are_hypotheses(asked: str, known: str) -> None:
    ids = {"hw": "read_mem_Icc", "No": "attention_attention_mem_Icc", "hX": "variance_dot_of_eq"}
    claim = CLAIMS[ids[asked[:2]]]
    assert hypothesis_named(claim, asked) == known
    assert drop(claim, asked).counterexample is not None


def test_half_of_a_hypothesis_keeps_the_other_half() -> None:
    negative = drop(CLAIMS["read_mem_Icc"], "hw.1").counterexample
    unsummed = drop(CLAIMS["read_mem_Icc"], "hw.2").counterexample
    assert negative is not None
    assert unsummed is not None
    assert min(negative.case["weights"]) < 0
    assert sum(negative.case["weights"]) == 1
    assert min(unsummed.case["weights"]) >= 0
    assert sum(unsummed.case["weights"]) != 1


@pytest.mark.parametrize(
    ("id_", "name", "theorem"),
    [
        ("attention_convex", "hw1", "Counterexample.not_attention_convex_without_le_one"),
        ("read_mem_Icc", "hw.1", "Counterexample.not_read_mem_Icc_of_neg"),
        ("variance_dot", "hpairs", "variance_dot_of_eq"),
        ("sum_maskedSoftmax_eq_one", "hA", "maskedSoftmax_empty"),
    ],
)
def test_proof_that_a_hypothesis_is_needed_is_named(id_: str, name: str, theorem: str) -> None:
    told = run(id_, "--drop", name).stdout
    assert f"Lean proves that {name} is needed: NeuralNetworks.{theorem}" in told.splitlines()
    data = json.loads(run(id_, "--drop", name, "--json").stdout)
    assert data["proved_needed_by"] == [f"NeuralNetworks.{theorem}"]


def test_json_is_the_same_each_time_and_says_all_that_the_lines_say() -> None:
    arguments = ("read_mem_Icc", "--drop", "hw")
    first, second = (run(*arguments, "--json").stdout for _ in range(2))
    assert first == second
    data, lines = json.loads(first), run(*arguments).stdout
    assert data["page"] in lines
    assert all(name in lines for name in [*data["proved_needed_by"], data["counterexample"]["says"]])
    assert all(f"{name} = " in lines for name in data["counterexample"]["case"])


def test_time_that_other_programs_take_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(1.0)
    monkeypatch.setattr(time, "monotonic", lambda: float(10**9))
    assert Clock(1.0).over is False
    assert clock.over is True
    monkeypatch.undo()
    monkeypatch.setattr(time, "process_time", lambda: float(10**9))
    assert clock.over is True


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


@pytest.mark.parametrize(
    ("name", "numbers", "low", "high", "result"),
    [
        ("projection", {"weights": [1], "values": [[1]], "projection": [[2]]}, 1, 1, [2]),
        ("residual", {"weights": [1], "values": [[0]], "residual": [1]}, 0, 0, [1]),
        ("float16", {"scores": [0, 1.25], "values": [[1], [1]]}, 1, 1, [0.99951171875]),
        (
            "two-layers",
            {
                "weights of layer 1": [[1]],
                "values": [[1]],
                "projection": [[2]],
                "weights of layer 2": [1],
            },
            1,
            1,
            [2],
        ),
    ],
)
def test_numbers_that_leave_the_range_are_the_smallest(
    name: str, numbers: dict[str, Any], low: float, high: float, result: list[float]
) -> None:
    found = go_on(name)
    assert found.numbers == numbers
    assert (found.outcome.low, found.outcome.high) == (low, high)
    assert found.outcome.output.tolist() == result


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
            "attention_convex has no hypothesis `hz`; did you mean hw? Its hypotheses: hw, hw1, huv",
        ),
        (
            ("attention_convex",),
            "attention_convex: say what to let go of: --drop HYPOTHESIS (hw, hw1, huv) or, after read_mem_Icc, --then STEP",
        ),
        (
            ("read_mem_Icc", "--drop", "hw", "--then", "heads"),
            "read_mem_Icc: say what to let go of: --drop HYPOTHESIS (hw, hw.1, hw.2, hv, hv.1, hv.2) or, after "
            "read_mem_Icc, --then STEP",
        ),
        (
            ("read_zero", "--drop", "nonsense"),
            "read_zero has no hypothesis `nonsense`; its hypotheses: none",
        ),
        (
            ("read_mem_Icc", "--then", "two_layers"),
            "nothing named `two_layers` follows a read; did you mean two-layers? There are projection, residual, heads, "
            "float16, two-layers",
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
