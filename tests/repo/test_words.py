"""Words that no tracked file may hold: loose ends, tolerances picked by hand, and places on one machine.

Each pattern is written so that it does not match itself.
"""

import re
from pathlib import Path

import pytest
from tests.repo.tree import ROOT, lines, plant

LOOSE_END = re.compile(
    r"\b(?:TO[D]O|FIX[M]E|X[X]X|NotImplemented[E]rror|continue-on-[e]rror|pytest\.[s]kip)\b"
)
TOLERANCE = re.compile(r"(?:all[c]lose|is[c]lose|app[r]ox)\(")
MACHINE_PATH = re.compile(
    r"(?<![\w.~})/-])(?:/(?:[w]ork|[t]mp|[r]oot|[h]ome|[U]sers|[m]nt|[p]rivate)/|[A-Z]:\\[U]sers\\)|\.\./[s]hared"
    r"|[f]ile:///"
)
REGISTRY = re.compile(
    r"py[p]i\.org|python[h]osted\.org|npm[j]s\.(?:org|com)|deb\.[d]ebian\.org|crates\.[i]o|ruby[g]ems\.org"
    r"|ana[c]onda\.org|proxy\.[g]olang\.org"
)


def lines_with(pattern: re.Pattern[str], root: Path, *patterns: str) -> list[str]:
    """Lines of the tracked files that the pattern matches, with their places."""
    return [f"{place}: {line.strip()}" for place, line in lines(root, *patterns) if pattern.search(line)]


def test_no_loose_end_is_left() -> None:
    assert lines_with(LOOSE_END, ROOT) == []


def test_no_tolerance_is_picked_by_hand() -> None:
    assert lines_with(TOLERANCE, ROOT, "*.py") == []


def test_no_file_names_a_place_on_one_machine() -> None:
    assert lines_with(MACHINE_PATH, ROOT) == []


def test_no_file_names_a_package_registry() -> None:
    assert lines_with(REGISTRY, ROOT) == []


# The two halves of each offender are joined here only, so that the scans above do not find this file.
@pytest.mark.parametrize(
    ("pattern", "halves"),
    [
        (LOOSE_END, ("# TO", "DO: later")),
        (LOOSE_END, ("# FIX", "ME")),
        (LOOSE_END, ("# X", "XX")),
        (LOOSE_END, ("raise NotImplemented", "Error")),
        (LOOSE_END, ("    continue-on", "-error: true")),
        (LOOSE_END, ("@pytest.", "skip")),
        (TOLERANCE, ("assert np.all", "close(a, b)")),
        (TOLERANCE, ("assert math.is", "close(a, b)")),
        (TOLERANCE, ("assert a == pytest.app", "rox(b)")),
        (MACHINE_PATH, ("open('/", "work/file')")),
        (MACHINE_PATH, ("see /", "tmp/x")),
        (MACHINE_PATH, ('"/', 'home/me/x"')),
        (MACHINE_PATH, ("/", "Users/me/x")),
        (MACHINE_PATH, ("see file:/", "//x/y")),
        (MACHINE_PATH, ("C:\\", "Users\\me")),
        (MACHINE_PATH, ("read ../", "shared/x")),
        (REGISTRY, ("--index-url https://pypi", ".org/simple")),
        (REGISTRY, ("https://npm", "js.org/left")),
    ],
)
def test_each_offender_is_found(tmp_path: Path, pattern: re.Pattern[str], halves: tuple[str, str]) -> None:
    plant(tmp_path, {"clean.py": "x = 1\n", "offender.py": "\n" + "".join(halves) + "\n"})
    assert lines_with(pattern, tmp_path, "*.py") == [f"offender.py:2: {''.join(halves).strip()}"]


@pytest.mark.parametrize(
    "innocent",
    [
        "the method of todos",
        "the close of all (see below)",
        "docs/home/index.md",
        "a/tmp/b",
        "#!/usr/bin/env bash",
    ],
)
def test_innocent_line_is_let_through(tmp_path: Path, innocent: str) -> None:
    plant(tmp_path, {"innocent.py": innocent})
    for pattern in (LOOSE_END, TOLERANCE, MACHINE_PATH, REGISTRY):
        assert lines_with(pattern, tmp_path) == []
