"""The scripts that get ready what the site needs besides Python: npm packages, and a browser to test it in."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.repo.tree import ROOT

TOOLS = ("cat", "cmp", "cp", "dirname", "mkdir", "sh")


def program(folder: Path, name: str, text: str) -> None:
    """Write a stand-in for a program."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the scripts, and a folder `bin` with the few tools that they may use."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    (tmp_path / "package-lock.json").write_text("{}\n", encoding="utf-8")
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found is not None
        (tmp_path / "bin" / tool).symlink_to(found)
    return tmp_path


def run(project: Path, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the project with nothing but the project's own `bin` to find programs in."""
    inherited = {name: value for name, value in os.environ.items() if name != "BROWSER_PATH"}
    return subprocess.run(
        [project / "bin/sh", project / "scripts" / script],
        capture_output=True,
        text=True,
        cwd=project,
        env=inherited | {"PATH": str(project / "bin")} | environment,
    )


def test_browser_that_is_there_is_taken(project: Path) -> None:
    program(project / "bin", "chromium-browser", "exit 0")
    assert run(project, "find-browser.sh").stdout == f"{project}/bin/chromium-browser\n"


def test_browser_that_is_asked_for_is_taken_first(project: Path) -> None:
    program(project / "bin", "chromium", "exit 0")
    program(project / "other", "browser", "exit 0")
    done = run(project, "find-browser.sh", BROWSER_PATH=f"{project}/other/browser")
    assert done.stdout == f"{project}/other/browser\n"


def test_missing_browser_is_installed_with_apt_where_that_is_allowed(project: Path) -> None:
    program(project / "bin", "id", "echo 0")
    chromium = project / "bin/chromium"
    program(
        project / "bin",
        "apt-get",
        f'echo "apt-get $*"\ncase "$*" in *chromium) cp "{project}/bin/id" "{chromium}" ;; esac',
    )
    done = run(project, "find-browser.sh")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{chromium}\n"
    assert "apt-get update" in done.stderr
    assert "apt-get install --yes --no-install-recommends chromium" in done.stderr


def test_missing_browser_that_cannot_be_installed_is_said(project: Path) -> None:
    program(project / "bin", "id", "echo 1000")
    done = run(project, "find-browser.sh")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no Chromium was found" in done.stderr


def test_npm_packages_are_installed_once_and_again_when_the_lock_changes(project: Path) -> None:
    program(project / "bin", "node", "exit 0")
    program(project / "bin", "npm", 'echo "npm $*"; mkdir -p node_modules')
    first, second = run(project, "set-up-npm.sh"), run(project, "set-up-npm.sh")
    assert (first.returncode, first.stdout) == (0, "")
    assert "npm ci --ignore-scripts" in first.stderr
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    (project / "package-lock.json").write_text('{"packages": {}}\n', encoding="utf-8")
    assert "npm ci" in run(project, "set-up-npm.sh").stderr


def test_missing_node_is_said(project: Path) -> None:
    done = run(project, "set-up-npm.sh")
    assert (done.returncode, done.stdout) == (2, "")
    assert "node was not found" in done.stderr
