"""Projects to look at and a `lake` to look with, for the tests of the Lean side."""

import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.ledger.project_copy import REPOSITORY, SETTINGS, ProjectCopy

TRANSCRIPTS = Path(__file__).parent / "transcripts"

# The theorem that the transcripts are about: `@[companion]` is line 4, `theorem read_const` line 5.
READ = """\
import NeuralNetworks.Meta.Companion
namespace NeuralNetworks
/-- Two numbers in this order are also in the other. -/
@[companion]
theorem read_const (a b : Nat) (h : a ≤ b) : b ≤ a := by
  omega
end NeuralNetworks
"""


@pytest.fixture
def project(tmp_path: Path) -> ProjectCopy:
    """A copy of this repository's Lean sources and record."""
    root = tmp_path / "project"
    root.mkdir()
    for name in SETTINGS:
        shutil.copy(REPOSITORY / name, root / name)
    for name in ("lean", "ledger"):
        shutil.copytree(REPOSITORY / name, root / name)
    return ProjectCopy(root)


@pytest.fixture
def small_project(tmp_path: Path) -> ProjectCopy:
    """The project of the transcripts: one theorem, the attribute and its tests, no record."""
    copy = ProjectCopy(tmp_path / "small")
    copy.write("lean/NeuralNetworks.lean", "import NeuralNetworks.Read\n")
    copy.write("lean/NeuralNetworks/Read.lean", READ)
    for file in (
        "lean/NeuralNetworks/Meta/Companion.lean",
        "lean/NeuralNetworksTest/Companion.lean",
        *SETTINGS,
    ):
        copy.write(file, (REPOSITORY / file).read_text(encoding="utf-8"))
    return copy


@dataclass
class StandIn:
    """A `lake` on PATH, alone there, that prints what it is told to."""

    program: Path
    folder: Path

    def says(self, command: str, output: str | bytes, *, stderr: str | bytes = b"") -> None:
        """Set what `lake <command>` prints; a last line `exit code: N` is its exit code."""
        name = command.replace(" ", "-")
        (self.folder / name).write_bytes(output.encode() if isinstance(output, str) else output)
        if stderr:
            (self.folder / f"{name}.stderr").write_bytes(
                stderr.encode() if isinstance(stderr, str) else stderr
            )

    def replays(self, command: str, transcript: str) -> None:
        """Let `lake <command>` print a transcript."""
        self.says(command, (TRANSCRIPTS / transcript).read_bytes())

    def is_good(self, theorems: list[dict[str, Any]]) -> None:
        """Let every command end well, with these theorems listed."""
        self.replays("build", "build-success.txt")
        self.replays("test", "test-success.txt")
        self.says("exe ledger", json.dumps(theorems, ensure_ascii=False))

    def runs(self, code: str) -> None:
        """Make `lake` a Python program of its own."""
        body = self.folder / "program.py"
        body.write_text(code, encoding="utf-8")
        self.program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{body}" "$@"\n', encoding="utf-8")

    def calls(self) -> list[str]:
        """The commands that were run."""
        path = self.folder / "calls"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def no_lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH without any program; gives its only folder."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def lake(no_lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """A stand-in `lake` on PATH that has been told nothing yet."""
    folder = tmp_path / "lake-says"
    folder.mkdir()
    stand_in = StandIn(no_lake / "lake", folder)
    stand_in.runs((Path(__file__).parent / "stand_in_lake.py").read_text(encoding="utf-8"))
    stand_in.program.chmod(0o755)
    monkeypatch.setenv("STAND_IN_LAKE", str(folder))
    return stand_in


@pytest.fixture
def read_const() -> dict[str, Any]:
    """What Lean lists of the theorem of the transcripts' project."""
    return {
        "id": "read_const",
        "name": "NeuralNetworks.read_const",
        "module": "NeuralNetworks.Read",
        "line": 3,
        "statement": "NeuralNetworks.read_const (a b : Nat) (h : a ≤ b) : b ≤ a",
        "sentence": "Two numbers in this order are also in the other.",
        "axioms": ["propext"],
    }
