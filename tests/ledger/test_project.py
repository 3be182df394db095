"""Which project is worked on."""

from pathlib import Path

import pytest
from tests.ledger.project_copy import REPOSITORY

from duizhao.ledger import project
from duizhao.ledger.project import find_project


def lean_project(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "lakefile.lean").touch()
    return folder


def test_folder_itself_comes_before_its_parents(tmp_path: Path) -> None:
    outer, inner = lean_project(tmp_path / "outer"), lean_project(tmp_path / "outer" / "inner")
    assert find_project(inner).root == inner.resolve()
    assert find_project(outer).root == outer.resolve()


def test_nearest_parent_is_taken(tmp_path: Path) -> None:
    outer = lean_project(tmp_path / "outer")
    (outer / "a" / "b").mkdir(parents=True)
    found = find_project(outer / "a" / "b")
    assert (found.root, found.origin) == (outer.resolve(), "folder")
    assert str(found) == f"the project in {outer.resolve()}"


def test_installed_copies_come_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copies = lean_project(tmp_path / "site" / "duizhao" / "project")
    monkeypatch.setattr(project, "package_folder", lambda: copies.parent)
    found = find_project(tmp_path)
    assert (found.root, found.origin) == (copies, "installed")
    assert str(found).startswith("the copies inside the installed package")


def test_checkout_of_the_package_comes_last(tmp_path: Path) -> None:
    found = find_project(tmp_path)
    assert (found.root, found.origin) == (REPOSITORY, "checkout")
    assert str(found).startswith("the checkout that the package runs from")


def test_no_project_at_all_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "package_folder", lambda: tmp_path / "python" / "duizhao")
    with pytest.raises(FileNotFoundError, match=r"^start: no lakefile.lean in .* or any folder above it"):
        find_project(tmp_path)
