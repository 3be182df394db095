"""The modes of the Lean side, and what its headline says."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.ledger.conftest import StandIn
from tests.ledger.project_copy import REPOSITORY, ProjectCopy

from duizhao.ledger import lean
from duizhao.ledger.lean import lean_side


@pytest.mark.usefixtures("no_lake")
def test_auto_reads_the_record_where_there_is_no_lake() -> None:
    side = lean_side(REPOSITORY)
    assert (side.source, side.date, side.toolchain, side.mathlib) == (
        "record",
        "2026-11-30",
        "leanprover/lean4:v4.27.0",
        "v4.27.0",
    )
    assert (side.how or "").startswith("Lean 4.27.0 built from source")
    assert {theorem.state for theorem in side.theorems.values()} == {"recorded", "not run"}


@pytest.mark.usefixtures("no_lake")
def test_required_lake_that_is_missing_is_a_problem() -> None:
    side = lean_side(REPOSITORY, "require")
    (problem,) = side.problems
    assert problem.text.startswith("`lake` is not on PATH, and Lean is required")
    assert (side.source, side.headline(), side.ok) == ("none", "149 not run", False)


@pytest.mark.parametrize("mode", ["record", "skip"])
def test_lake_is_not_started_where_it_is_not_wanted(project: ProjectCopy, lake: StandIn, mode: Any) -> None:
    lean_side(project.root, mode)
    assert lake.calls() == []


def test_skip_leaves_everything_not_run_and_fails_nothing(project: ProjectCopy) -> None:
    project.edit("lean/NeuralNetworks/Read.lean", "nlinarith", "linarith")
    side = lean_side(project.root, "skip")
    assert (side.source, side.headline(), side.ok) == ("none", "149 not run", True)
    assert side.theorems["attention_convex"].sentence.startswith("If `u ≤ v`")


def test_lake_is_not_started_inside_the_installed_package(
    project: ProjectCopy, lake: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lean, "installed_copies", lambda: project.root)
    assert lean_side(project.root).source == "record"
    assert lake.calls() == []


def test_theorem_is_given_whole(project: ProjectCopy) -> None:
    theorem = lean_side(project.root, "record").theorems["not_scores_le"]
    assert theorem.name == "NeuralNetworks.Counterexample.not_scores_le"
    assert (theorem.topic, theorem.file, theorem.line) == (
        "Counterexample.Scaling",
        "lean/NeuralNetworks/Counterexample/Scaling.lean",
        13,
    )
    assert (theorem.statement or "").startswith("NeuralNetworks.Counterexample.not_scores_le {d : Type u_1}")
    assert theorem.axioms == ("Classical.choice", "Quot.sound", "propext")
    assert theorem.reason == "recorded on 2026-11-30; every file that it rests on is unchanged"


def test_order_is_that_of_modules_and_lines() -> None:
    places = [(theorem.module, theorem.line) for theorem in lean_side(REPOSITORY, "record").theorems.values()]
    assert places == sorted(places)


def test_headline_names_every_state_and_none_that_is_empty() -> None:
    side = lean_side(REPOSITORY, "record")
    ids = list(side.theorems)
    mixed = {
        ids[0]: replace(side.theorems[ids[0]], state="stale"),
        ids[1]: replace(side.theorems[ids[1]], state="recorded"),
    }
    assert replace(side, theorems=mixed).headline() == (
        "1 recorded on 2026-11-30 with Lean v4.27.0 and Mathlib v4.27.0, 1 stale"
    )
    assert replace(side, theorems={}).headline() == "no theorems"


def test_stale_theorem_is_not_ok_by_itself() -> None:
    side = lean_side(REPOSITORY, "record")
    id_ = next(iter(side.theorems))
    stale = {id_: replace(side.theorems[id_], state="stale")}
    assert side.ok
    assert not replace(side, theorems=stale).ok


def test_wrong_use_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^project: a folder is needed, got "):
        lean_side(tmp_path / "absent")
    with pytest.raises(ValueError, match=r"^mode: must be one of auto, require, record, skip, got 'always'$"):
        lean_side(tmp_path, "always")  # type: ignore[arg-type]
    for silence in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match=r"^silence: must be positive, got "):
            lean_side(tmp_path, silence=silence)
