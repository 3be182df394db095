"""What is built from a clean clone holds what it needs, installs without the network, does the main job."""

import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from tests.repo.tree import ROOT, git, tracked

pytestmark = pytest.mark.xdist_group("wheel")

PROJECT = ("lakefile.lean", "lean-toolchain", "lake-manifest.json", "lean/**", "ledger/**")


def run(*command: str | Path, folder: Path | None = None) -> str:
    """What a command prints on standard output; one that fails fails the test, with all that it printed."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, f"{command} gave {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean clone of this repository: what is committed, and nothing else."""
    folder = tmp_path_factory.mktemp("clone") / "duizhao"
    git(ROOT, "clone", "--quiet", "--no-hardlinks", str(ROOT), str(folder))
    return folder


@pytest.fixture(scope="module")
def built(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution of the clone and the wheel built from that."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, clone)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """The wheel."""
    (path,) = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a new environment with the wheel; what it depends on comes from this one."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin/python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "--quiet")
    run(*pip, "install", "--no-index", "--no-deps", wheel)
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    here = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "dependencies.pth").write_text("\n".join(sorted(here)), encoding="utf-8")
    return folder / "bin"


def test_wheel_holds_the_lean_side_and_its_record_byte_for_byte(clone: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for path in tracked(clone, *PROJECT):
            assert archive.read(f"duizhao/project/{path}") == (clone / path).read_bytes(), path


def test_wheel_holds_the_package_its_data_the_type_marker_and_the_licence(clone: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {str(path.relative_to("python")) for path in tracked(clone, "python/duizhao/**")} <= names
    assert "duizhao/py.typed" in names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_source_distribution_holds_every_tracked_file(clone: Path, built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert {str(path) for path in tracked(clone)} <= names


def test_installed_package_is_the_one_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    where = run(installed / "python", "-c", "import duizhao; print(duizhao.__file__)", folder=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)


def test_installed_command_checks_a_topic_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    command = ("check", "--topic", "read", "--lean", "record", "--cases", "10")
    ledger = run(installed / "duizhao", *command, folder=tmp_path)
    assert "attention_convex" in ledger
    assert "recorded" in ledger
    assert "the claims are those of" not in ledger
