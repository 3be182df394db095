"""A scan sees the files that are tracked, and says so when it sees none."""

from pathlib import Path

import pytest
from tests.repo.tree import ROOT, lines, plant, tracked


def test_scan_of_this_repository_sees_python_lean_and_prose() -> None:
    seen = set(tracked(ROOT))
    assert {Path("pyproject.toml"), Path("lean/NeuralNetworks/Read.lean"), Path("README.md")} <= seen
    assert Path("tests/repo/test_tree.py") in seen


def test_scan_that_sees_no_file_fails(tmp_path: Path) -> None:
    plant(tmp_path, {"README.md": "text"})
    with pytest.raises(LookupError, match="no tracked file"):
        tracked(tmp_path, "*.py")


def test_scan_of_lines_that_sees_no_file_fails(tmp_path: Path) -> None:
    plant(tmp_path, {"README.md": "text"})
    with pytest.raises(LookupError, match="no tracked file"):
        list(lines(tmp_path, "*.py"))


def test_file_that_is_not_tracked_is_not_seen(tmp_path: Path) -> None:
    plant(tmp_path, {"kept.py": ""})
    (tmp_path / "loose.py").write_text("")
    assert tracked(tmp_path, "*.py") == [Path("kept.py")]


def test_tracked_file_that_was_deleted_is_not_seen(tmp_path: Path) -> None:
    plant(tmp_path, {"kept.py": "", "gone.py": ""})
    (tmp_path / "gone.py").unlink()
    assert tracked(tmp_path, "*.py") == [Path("kept.py")]


def test_pattern_reaches_every_folder_and_line_carries_its_place(tmp_path: Path) -> None:
    plant(tmp_path, {"a/b/deep.py": "first\nsecond\n"})
    assert list(lines(tmp_path, "*.py")) == [("a/b/deep.py:1", "first"), ("a/b/deep.py:2", "second")]
