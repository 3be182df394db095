"""Panels of results that were not measured, have no budget, or whose sources changed."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from docs.inserts import panel
from docs.inserts.sources import Project, Result, read_project

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def project() -> Project:
    return read_project(ROOT)


def shown_panel(project: Project, result: Result) -> str:
    return panel.render(result, project, {}, "theorems/read/")


def test_only_a_result_with_a_budget_of_its_own_lacks_a_measurement(project: Project) -> None:
    bare = replace(project, slack=None)
    assert "还没有测量记录" in shown_panel(bare, bare.results["attention_convex"])
    for name in "read_zero", "softmax_pos":
        shown = shown_panel(project, project.results[name])
        assert "还没有测量记录" not in shown
        assert "预算占用只为结论本身带误差预算的结果测量" in shown


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the Lean side and of the ledger, to change."""
    for name in ("lean", "ledger"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("lakefile.lean", "lean-toolchain", "lake-manifest.json"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def test_stale_theorem_is_shown_as_stale(copy: Path) -> None:
    source = copy / "lean/NeuralNetworks/Read.lean"
    source.write_text(
        source.read_text(encoding="utf-8").replace("Between the values", "between"), encoding="utf-8"
    )
    changed = read_project(copy)
    shown = shown_panel(changed, changed.results["attention_convex"])
    assert "过期" in shown
    assert "已记录" not in shown


def test_statement_that_drifted_from_its_pin_stops_the_build_and_shows_both(copy: Path) -> None:
    pins = copy / "ledger/statements.json"
    pins.write_text(
        pins.read_text(encoding="utf-8").replace("(hw₁ : w ≤ 1)", "(hw₁ : w ≤ 2)"), encoding="utf-8"
    )
    with pytest.raises(ValueError, match=r"attention_convex` has drifted") as error:
        read_project(copy)
    assert "(hw₁ : w ≤ 1)" in str(error.value)
    assert "(hw₁ : w ≤ 2)" in str(error.value)
