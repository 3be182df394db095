"""The comparison of Lean's list with the record, as the Lean workflow runs it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.repo.tree import ROOT

RECORD = ROOT / "ledger/lean.json"


def compare(record: Path, now: Path) -> tuple[int, str]:
    """The exit code of the comparison, and all that it prints."""
    script = ROOT / "scripts/same_theorems.py"
    done = subprocess.run([sys.executable, script, record, now], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def now() -> list[dict[str, Any]]:
    """What Lean would print for these sources: the record's theorems, with all axioms collected."""
    listed: list[dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))["theorems"]
    for entry in listed:
        entry["axioms"] = entry["axioms"] or ["propext"]
    return listed


def write(path: Path, data: object) -> Path:
    """The file, written as JSON."""
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_list_of_the_recorded_theorems_is_the_same(now: list[dict[str, Any]], tmp_path: Path) -> None:
    code, text = compare(RECORD, write(tmp_path / "now.json", now[::-1]))
    assert code == 0
    assert f"{len(now)} theorems in the record, {len(now)} in Lean, 0 differences" in text


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "another"),
        ("module", "NeuralNetworks.Elsewhere"),
        ("line", -1),
        ("statement", "True"),
        ("sentence", "All is well."),
        ("axioms", ["propext", "sorryAx"]),
    ],
)
def test_one_changed_field_is_a_difference(
    now: list[dict[str, Any]], tmp_path: Path, field: str, value: object
) -> None:
    now[3][field] = value
    code, text = compare(RECORD, write(tmp_path / "now.json", now))
    assert code == 1
    assert f"{now[3]['name']}: {field}:" in text
    assert str(value) in text


def test_theorem_that_lean_lost_or_gained_is_a_difference(now: list[dict[str, Any]], tmp_path: Path) -> None:
    lost = now[0]["name"]
    now[0] = now[0] | {"name": "NeuralNetworks.gained"}
    code, text = compare(RECORD, write(tmp_path / "now.json", now))
    assert code == 1
    assert f"{lost}: in the record, not in Lean" in text
    assert "NeuralNetworks.gained: in Lean, not in the record" in text


@pytest.mark.parametrize("recorded", [None, ["sorryAx"]])
def test_sorry_in_lean_is_a_difference_whatever_the_record_says(
    now: list[dict[str, Any]], tmp_path: Path, recorded: list[str] | None
) -> None:
    now[0]["axioms"] = ["sorryAx"]
    record = {"theorems": [now[0] | {"axioms": recorded}, *now[1:]]}
    code, text = compare(write(tmp_path / "record.json", record), write(tmp_path / "now.json", now))
    assert code == 1
    assert f"{now[0]['name']}: rests on ['sorryAx']" in text


@pytest.mark.parametrize(
    "text", ["", "Build failed", "[]", "{}", '{"theorems": []}', "[1]", '[{"name": "a"}]', "null"]
)
def test_what_is_not_a_list_of_theorems_is_unreadable(tmp_path: Path, text: str) -> None:
    now = tmp_path / "now.json"
    now.write_text(text, encoding="utf-8")
    code, said = compare(RECORD, now)
    assert code == 2
    assert said.startswith(f"same_theorems: {now}: ")


def test_theorem_listed_twice_is_unreadable(now: list[dict[str, Any]], tmp_path: Path) -> None:
    code, said = compare(RECORD, write(tmp_path / "now.json", [*now, now[0]]))
    assert code == 2
    assert f"{now[0]['name']} is there twice" in said


def test_missing_file_is_unreadable(tmp_path: Path) -> None:
    code, said = compare(RECORD, tmp_path / "none.json")
    assert code == 2
    assert "none.json" in said
