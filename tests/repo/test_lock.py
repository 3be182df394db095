"""The locks: everything that is needed is pinned, hashed, and fits what pyproject.toml asks for."""

import json
import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.repo.tree import ROOT

PIN = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)(?: ; [^-]+)?(?P<hashes>(?: +--hash=sha256:[0-9a-f]{64})+)$"
)


LOCKS = ["requirements.txt", "requirements-torch.txt"]


def locked(root: Path, lock: str = "requirements.txt") -> Iterator[str]:
    """Each requirement of a lock with its hashes, as one line.

    Raises:
        LookupError: there is none.
    """
    text = (root / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    if not lines:
        raise LookupError(f"{root}/{lock} asks for nothing")
    yield from lines


def not_pinned(root: Path, lock: str = "requirements.txt") -> list[str]:
    """Requirements of a lock without one version or without a SHA-256."""
    return [line for line in locked(root, lock) if not PIN.match(line)]


def not_locked(root: Path) -> list[str]:
    """Requirements of pyproject.toml, of the project and of every group, that the lock does not meet."""
    data = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    asked = [*data["project"]["dependencies"], *chain(*data.get("dependency-groups", {}).values())]
    versions: dict[str, set[str]] = {}
    for match in filter(None, map(PIN.match, locked(root))):
        versions.setdefault(canonicalize_name(match["name"]), set()).add(match["version"])
    found = []
    for requirement in map(Requirement, asked):
        pinned = versions.get(canonicalize_name(requirement.name), set())
        if not pinned or not all(requirement.specifier.contains(version) for version in pinned):
            found.append(f"{requirement}: {', '.join(sorted(pinned)) or 'not pinned'}")
    return found


def loose_in_npm(root: Path) -> list[str]:
    """Packages that package.json does not pin, or package-lock.json pins otherwise, without a hash or with an address."""
    asked = json.loads((root / "package.json").read_text(encoding="utf-8"))
    packages = json.loads((root / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    wanted = {**asked.get("dependencies", {}), **asked.get("devDependencies", {})}
    if not wanted:
        raise LookupError(f"{root}/package.json asks for nothing")
    found = [
        f"{name}: {version}"
        for name, version in wanted.items()
        if packages.get(f"node_modules/{name}", {}).get("version") != version
    ]
    for place, package in packages.items():
        if place and ("integrity" not in package or "resolved" in package):
            found.append(place)
    return found


def project(folder: Path, dependencies: list[str], lock: str) -> Path:
    """A folder with a project that asks for dependencies, and a lock."""
    (folder / "pyproject.toml").write_text(f"[project]\ndependencies = {dependencies}\n", encoding="utf-8")
    (folder / "requirements.txt").write_text(lock, encoding="utf-8")
    return folder


HASH = "--hash=sha256:" + "0" * 64


@pytest.mark.parametrize("lock", LOCKS)
def test_everything_in_the_lock_is_pinned_and_hashed(lock: str) -> None:
    assert not_pinned(ROOT, lock) == []


def test_torch_has_one_version_and_is_in_no_lock() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (torch,) = map(Requirement, data["project"]["optional-dependencies"]["torch"])
    assert [specifier.operator for specifier in torch.specifier] == ["=="]
    for lock in LOCKS:
        assert not [line for line in locked(ROOT, lock) if re.match(r"(torch|nvidia|cuda)\b", line)]


def test_both_locks_agree_on_what_is_in_both() -> None:
    both = ({m["name"]: m["version"] for m in map(PIN.match, locked(ROOT, lock)) if m} for lock in LOCKS)
    main, torch = both
    assert {name: main[name] for name in main.keys() & torch.keys()} == {
        name: torch[name] for name in main.keys() & torch.keys()
    }


def test_every_npm_package_is_pinned_and_hashed_and_names_no_address() -> None:
    assert loose_in_npm(ROOT) == []


def test_npm_package_with_a_range_without_hash_or_with_an_address_is_found(tmp_path: Path) -> None:
    asked = {"dependencies": {"a": "1.0.0", "b": "^1.0.0"}}
    packages: dict[str, dict[str, str]] = {
        "": {},
        "node_modules/a": {"version": "1.0.0", "integrity": "x", "resolved": "somewhere"},
        "node_modules/b": {"version": "1.0.0"},
    }
    (tmp_path / "package.json").write_text(json.dumps(asked), encoding="utf-8")
    (tmp_path / "package-lock.json").write_text(json.dumps({"packages": packages}), encoding="utf-8")
    assert loose_in_npm(tmp_path) == ["b: ^1.0.0", "node_modules/a", "node_modules/b"]


def test_lock_meets_everything_that_is_asked_for() -> None:
    assert not_locked(ROOT) == []


@pytest.mark.parametrize(
    "line",
    [
        "numpy==2.0",
        f"numpy>=2.0 {HASH}",
        f"numpy {HASH}",
        "numpy==2.0 --hash=sha256:0",
        "--index-url x",
        "-e .",
    ],
)
def test_requirement_without_version_or_hash_is_found(tmp_path: Path, line: str) -> None:
    project(tmp_path, [], f"rich==1.0 \\\n    {HASH} \\\n    {HASH}\n    # via nobody\n{line}\n")
    assert not_pinned(tmp_path) == [line]


def test_dependency_that_the_lock_lacks_or_pins_too_low_is_found(tmp_path: Path) -> None:
    lock = f"numpy==1.9 ; python_version < '3.12' {HASH}\nnumpy==2.1 ; python_version >= '3.12' {HASH}\n"
    project(tmp_path, ["NumPy>=2.0", "numpy>=1.0", "rich"], lock)
    assert not_locked(tmp_path) == ["NumPy>=2.0: 1.9, 2.1", "rich: not pinned"]


def test_empty_lock_fails(tmp_path: Path) -> None:
    project(tmp_path, [], "# nothing\n")
    with pytest.raises(LookupError, match="asks for nothing"):
        not_pinned(tmp_path)
