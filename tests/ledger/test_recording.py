"""`duizhao ledger record`: it writes what a good run of Lean showed, the same bytes each time, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.ledger.conftest import StandIn
from tests.ledger.project_copy import REPOSITORY, ProjectCopy
from typer.testing import CliRunner, Result

from duizhao import cli
from duizhao.ledger.lean import lean_side
from duizhao.ledger.record import HASH_FILE, RECORD_FILE, load_record
from duizhao.ledger.recording import record_text, write_whole
from duizhao.wrong_use import WrongUseError


def record(project: ProjectCopy, monkeypatch: pytest.MonkeyPatch) -> Result:
    """Run `duizhao ledger record` in a copy of a project."""
    assert REPOSITORY not in (project.root, *project.root.parents)
    monkeypatch.chdir(project.root)
    return CliRunner().invoke(cli.app, ["ledger", "record"])


@pytest.fixture
def theorems(project: ProjectCopy) -> list[dict[str, Any]]:
    """What a run of Lean lists in which all axioms are collected."""
    listed: list[dict[str, Any]] = project.record()["theorems"]
    for entry in listed:
        entry["axioms"] = entry["axioms"] or ["propext", "Classical.choice"]
    return listed


def test_text_of_the_record_that_is_there_is_that_record_byte_for_byte() -> None:
    found = load_record(REPOSITORY).record
    assert found is not None
    assert record_text(found) == (REPOSITORY / RECORD_FILE).read_text(encoding="utf-8")


def test_record_of_a_good_run_is_believed_and_the_same_each_time(
    project: ProjectCopy, lake: StandIn, theorems: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    lake.is_good(theorems[::-1])
    result = record(project, monkeypatch)
    assert result.exit_code == 0, result.stdout
    assert result.stdout.endswith("149 theorems: ledger/lean.json and ledger/lean.json.sha256 are written.\n")
    side = lean_side(project.root, "record")
    assert (side.ok, side.counts["recorded"]) == (True, 149)
    assert side.theorems["variance_dot"].axioms == ("Classical.choice", "propext")
    before = [(project.root / file).read_bytes() for file in (RECORD_FILE, HASH_FILE)]
    result = record(project, monkeypatch)
    assert result.stdout.endswith("are as they were.\n")
    assert [(project.root / file).read_bytes() for file in (RECORD_FILE, HASH_FILE)] == before
    lines = before[0].decode().splitlines()
    assert sum(line.startswith('{"id": ') for line in lines) == 149


def test_record_is_made_where_there_was_none(
    small_project: ProjectCopy, lake: StandIn, read_const: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    lake.is_good([read_const])
    assert record(small_project, monkeypatch).exit_code == 0
    assert lean_side(small_project.root, "record").counts["recorded"] == 1
    assert set(small_project.record()["files"]) == {
        "lean-toolchain",
        "lake-manifest.json",
        "lakefile.lean",
        "lean/NeuralNetworks.lean",
        "lean/NeuralNetworks/Read.lean",
        "lean/NeuralNetworks/Meta/Companion.lean",
        "lean/NeuralNetworksTest/Companion.lean",
    }


@pytest.mark.parametrize(
    "transcript",
    [
        "build-proof-error.txt",
        "build-companion-sorry.txt",
        "build-warning-sorry.txt",
        "build-again-sorry.txt",
        "build-syntax-error.txt",
        "build-missing-module.txt",
        "test-failure.txt",
    ],
)
def test_nothing_is_recorded_of_a_run_that_is_not_good(
    small_project: ProjectCopy,
    lake: StandIn,
    read_const: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    transcript: str,
) -> None:
    lake.is_good([read_const])
    lake.replays(transcript.partition("-")[0], transcript)
    result = record(small_project, monkeypatch)
    assert result.exit_code == 1
    assert result.stdout.endswith("Not every theorem is proved; nothing was written.\n")
    assert "✗ read_const: `read_const` is not proved: " in result.stdout
    assert not (small_project.root / "ledger").exists()


@pytest.mark.parametrize("axioms", [None, ["sorryAx"], ["Lean.ofReduceBool"]])
def test_axioms_that_are_missing_or_not_allowed_are_not_recorded(
    small_project: ProjectCopy,
    lake: StandIn,
    read_const: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    axioms: list[str] | None,
) -> None:
    lake.is_good([read_const | {"axioms": axioms}])
    assert record(small_project, monkeypatch).exit_code == 1
    assert not (small_project.root / "ledger").exists()


def test_theorem_that_lean_does_not_list_leaves_the_record_as_it_was(
    project: ProjectCopy, lake: StandIn, theorems: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (project.root / RECORD_FILE).read_bytes()
    lake.is_good(theorems[1:])
    assert record(project, monkeypatch).exit_code == 1
    assert (project.root / RECORD_FILE).read_bytes() == before


def test_project_without_versions_is_not_recorded(
    small_project: ProjectCopy, lake: StandIn, read_const: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_project.write("lake-manifest.json", json.dumps({"packages": []}))
    lake.is_good([read_const])
    result = record(small_project, monkeypatch)
    assert result.exit_code == 1
    assert "the versions of Lean and Mathlib cannot be read" in result.stdout


@pytest.mark.usefixtures("no_lake")
def test_without_lean_there_is_no_record(project: ProjectCopy, monkeypatch: pytest.MonkeyPatch) -> None:
    result = record(project, monkeypatch)
    assert isinstance(result.exception, WrongUseError)
    assert str(result.exception).startswith("`lake` is not on PATH: a record is made by Lean alone")


def test_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    assert write_whole(tmp_path / "a/b", b"1")
    assert not write_whole(tmp_path / "a/b", b"1")
    assert write_whole(tmp_path / "a/b", b"2")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]
    assert (tmp_path / "a/b").read_bytes() == b"2"
