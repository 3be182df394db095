"""The Makefile: what it lists, what each target would run, and what comes out of it.

The set-up is tried with a stand-in for Python, which writes down what it is asked to do, so that nothing is
downloaded.
"""

import os
import shutil
from pathlib import Path

import pytest
from tests.repo.make import make, targets
from tests.repo.tree import ROOT

STAND_IN = """#!/bin/sh
echo "$@" >> "$LOG"
case "$1 $2" in
    --version*) echo Python 3.99.0 ;;
    '-m venv') mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; cp duizhao-stand-in "$3/bin/duizhao" ;;
    '-m pip') [ ! -e pip-fails ] ;;
    '-c import tomllib'*) echo torch==0 ;;
    -\\ *) cat > /dev/null; [ ! -e .venv/broken ] ;;
esac
"""


class Project:
    """A copy of what `make` needs, in a folder whose path has a space, with a stand-in for Python."""

    def __init__(self, folder: Path) -> None:
        """Copy what is needed below `folder`."""
        self.folder = folder / "a project"
        self.log = folder / "log"
        shutil.copytree(ROOT / "scripts", self.folder / "scripts")
        shutil.copy(ROOT / "Makefile", self.folder)
        self.write("requirements.txt", "numpy==0\n")
        self.write("requirements-torch.txt", "sympy==0\n")
        self.write("pyproject.toml", "[project]\n")
        self.write("duizhao-stand-in", '#!/bin/sh\necho "{$@}"\nexit 1\n', executable=True)
        self.python = self.write("python", STAND_IN, executable=True)

    def write(self, name: str, text: str, *, executable: bool = False) -> Path:
        """Write a file of the project."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        if executable:
            path.chmod(0o755)
        return path

    def make(self, *arguments: str) -> tuple[int, str, str, list[str]]:
        """The exit code of make, its output, its errors, and what Python was asked to do by this call."""
        self.log.write_text("", encoding="utf-8")
        environment = {"LOG": str(self.log), "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        done = make(self.folder, *arguments, environment=environment)
        asked = [line for line in self.log.read_text(encoding="utf-8").splitlines() if line.startswith("-m")]
        return done.returncode, done.stdout, done.stderr, asked

    def set_up(self) -> list[str]:
        """Run `make setup`, which must go well; what Python was asked to do."""
        code, out, err, asked = self.make("setup", f"PYTHON={self.python}")
        assert (code, out) == (0, ""), err
        return asked


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project that nothing was set up in."""
    return Project(tmp_path)


EVERYTHING = [
    "-m venv .venv",
    "-m pip install --require-hashes --only-binary :all: --requirement requirements.txt",
    "-m pip install --no-deps --no-build-isolation --editable .",
]

WITH_TORCH = [
    "-m venv .venv-torch",
    "-m pip install --require-hashes --only-binary :all: --requirement requirements-torch.txt",
    "-m pip install --only-binary :all: torch==0",
    "-m pytest -n auto --dist loadgroup -m torch",
]


def test_make_alone_lists_every_target() -> None:
    done = make(ROOT)
    assert done.returncode == 0
    listed = dict(line.removeprefix("make ").split(maxsplit=1) for line in done.stdout.splitlines())
    assert listed == targets(ROOT / "Makefile")


def test_every_target_is_documented() -> None:
    documented = targets(ROOT / "Makefile")
    assert {name for name, text in documented.items() if not text} == set()
    wanted = {
        "check",
        "test",
        "test-torch",
        "thorough",
        "types",
        "lint",
        "format",
        "docs",
        "test-site",
        "npm",
        "serve",
        "slack",
        "breaks",
        "zoo",
        "wheel",
        "lock",
        "clean",
    }
    assert wanted <= set(documented)


def test_target_without_text_is_found(tmp_path: Path) -> None:
    makefile = tmp_path / "Makefile"
    makefile.write_text("name := value\nbuild: other ## Build it\nother:\n\techo other\n")
    assert targets(makefile) == {"build": "Build it", "other": None}


def test_makefile_without_targets_fails(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("name := value\n")
    with pytest.raises(LookupError, match="no target"):
        targets(tmp_path / "Makefile")


@pytest.mark.parametrize(
    "target",
    ["check", "test", "test-torch", "thorough", "types", "lint", "docs", "slack", "breaks", "zoo", "wheel"],
)
def test_target_sets_up_first_and_then_uses_the_environment(target: str) -> None:
    done = make(ROOT, "-n", target, "ARGS=--some-option")
    assert done.returncode == 0
    first, *rest = done.stdout.splitlines()
    assert first == "sh scripts/set-up.sh"
    if target == "test-torch":
        assert rest.pop(0) == "sh scripts/set-up-torch.sh"
    if target == "docs":
        assert rest.pop(0) == "sh scripts/set-up-npm.sh"
    assert rest
    folder = ".venv-torch" if target == "test-torch" else ".venv"
    assert all(f"{folder}/bin/" in line and line.endswith("--some-option") for line in rest)


def test_neither_check_nor_test_nor_the_other_checks_need_node() -> None:
    for target in ("check", "test", "thorough", "types", "lint"):
        assert "npm" not in make(ROOT, "-n", target).stdout


def test_site_is_built_before_it_is_tested_in_the_browser() -> None:
    lines = make(ROOT, "-n", "test-site").stdout.splitlines()
    assert lines[:2] == ["sh scripts/set-up.sh", "sh scripts/set-up-npm.sh"]
    assert " mkdocs build " in lines[2]
    assert "sh scripts/find-browser.sh" in lines[3]
    assert "node --test" in lines[-1]


def test_tests_run_with_their_profile() -> None:
    assert "DUIZHAO_PROFILE=ci " in make(ROOT, "-n", "test").stdout
    assert "DUIZHAO_PROFILE=thorough " in make(ROOT, "-n", "thorough").stdout


def test_first_set_up_does_everything_and_the_second_nothing(project: Project) -> None:
    assert project.set_up() == EVERYTHING
    assert project.set_up() == []


def test_torch_is_set_up_beside_the_environment_once(project: Project) -> None:
    project.set_up()
    assert project.make("test-torch", f"PYTHON={project.python}")[3] == WITH_TORCH
    assert project.make("test-torch", f"PYTHON={project.python}")[3] == WITH_TORCH[-1:]
    assert (project.folder / ".venv/packages.stamp").exists()


def test_torch_is_set_up_anew_if_what_it_was_made_from_changed(project: Project) -> None:
    project.make("test-torch", f"PYTHON={project.python}")
    project.write("requirements-torch.txt", "sympy==1\n")
    assert project.make("test-torch", f"PYTHON={project.python}")[3] == WITH_TORCH


def test_failed_set_up_of_torch_is_begun_anew_the_next_time(project: Project) -> None:
    project.set_up()
    fails = project.write("pip-fails", "")
    code, _, _, asked = project.make("test-torch", f"PYTHON={project.python}")
    assert (code != 0, asked) == (True, WITH_TORCH[:2])
    fails.unlink()
    assert project.make("test-torch", f"PYTHON={project.python}")[3] == WITH_TORCH


@pytest.mark.parametrize("target", ["check", "test", "thorough", "types", "docs"])
def test_torch_is_in_no_other_target(target: str) -> None:
    assert "torch" not in make(ROOT, "-n", target).stdout


def test_changed_requirements_are_installed_in_a_new_environment(project: Project) -> None:
    project.set_up()
    project.write("requirements.txt", "numpy==1\n")
    left_over = project.write(".venv/left-over", "")
    assert project.set_up() == EVERYTHING
    assert not left_over.exists()


def test_changed_project_file_installs_the_project_alone(project: Project) -> None:
    project.set_up()
    project.write("pyproject.toml", "[project]\nname = 'a'\n")
    assert project.set_up() == EVERYTHING[2:]
    assert project.set_up() == []


def test_moved_folder_is_set_up_anew(project: Project) -> None:
    project.set_up()
    project.folder = project.folder.rename(project.folder.with_name("moved"))
    project.python = project.folder / "python"
    assert project.set_up() == EVERYTHING


def test_environment_that_no_longer_works_is_made_anew(project: Project) -> None:
    project.set_up()
    project.write(".venv/broken", "")
    assert project.set_up() == EVERYTHING


def test_failed_set_up_is_begun_anew_the_next_time(project: Project) -> None:
    fails = project.write("pip-fails", "")
    code, out, _, asked = project.make("check", f"PYTHON={project.python}")
    assert code != 0
    assert out == ""
    assert asked == EVERYTHING[:2]
    fails.unlink()
    assert project.set_up() == EVERYTHING


def test_failed_installation_of_the_project_is_tried_again(project: Project) -> None:
    project.set_up()
    project.write("pyproject.toml", "[project]\nname = 'a'\n")
    fails = project.write("pip-fails", "")
    assert project.make("setup", f"PYTHON={project.python}")[0] != 0
    fails.unlink()
    assert project.set_up() == EVERYTHING[2:]


def test_set_up_says_what_it_does_on_standard_error_alone(project: Project) -> None:
    _, out, err, _ = project.make("setup", f"PYTHON={project.python}")
    assert out == ""
    assert "duizhao: 1 of 3" in err
    assert "duizhao: 3 of 3" in err


def test_output_of_the_command_is_alone_on_standard_output(project: Project) -> None:
    _, out, _, _ = project.make("check", f"PYTHON={project.python}", "ARGS=--topic read --json")
    assert out == "{check --topic read --json}\n"


def test_exit_code_of_the_command_comes_through_as_not_zero(project: Project) -> None:
    code, _, err, _ = project.make("check", f"PYTHON={project.python}")
    assert code == 2
    assert "Error 1" in err


def test_python3_is_taken_if_it_is_new_enough(project: Project) -> None:
    (project.folder / "bin").mkdir()
    project.write("bin/python3", STAND_IN, executable=True)
    project.write("bin/python3.13", STAND_IN.replace("3.99.0", "3.13.0"), executable=True)
    code, _, err, asked = project.make("setup")
    assert code == 0, err
    assert asked == EVERYTHING
    assert "Python 3.99.0" in err


def test_newer_python_is_taken_if_python3_is_too_old(project: Project) -> None:
    (project.folder / "bin").mkdir()
    for name in ("python3", "python3.13", "python3.11"):
        project.write(f"bin/{name}", "#!/bin/sh\nexit 1\n", executable=True)
    project.write("bin/python3.12", STAND_IN, executable=True)
    code, _, err, asked = project.make("setup")
    assert code == 0, err
    assert asked == EVERYTHING
    assert "Python 3.99.0" in err


def test_no_python_is_said_with_what_was_tried(project: Project) -> None:
    (project.folder / "bin").mkdir()
    for name in ("python3", "python3.13", "python3.12", "python3.11"):
        project.write(f"bin/{name}", "#!/bin/sh\necho Python 3.9.1\n[ $1 = --version ]\n", executable=True)
    code, out, err, _ = project.make("check")
    assert (code, out) == (2, "")
    assert "Python 3.11 or newer" in err
    assert "python3.12: Python 3.9.1" in err
    assert not (project.folder / ".venv").exists()
