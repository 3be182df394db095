"""No guard that no test has seen fire.

Two kinds of guards are looked at. What the package raises, or tells as a problem, must be quoted by a test. What a
test about the repository finds nothing of, `scan(ROOT) == []`, must be tried on a planted offender in the same file.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.repo.tree import ROOT, plant, tracked

PACKAGE = "python/duizhao"
LEDGER = f"{PACKAGE}/ledger/"
TOLD = {"Problem", "Finding", "_about"}
"""What tells a problem in the ledger, next to `raise` everywhere."""

RUN = 4
"""So many words in a row are a quotation, or the whole of a shorter text."""

SHORT = 6
"""Texts of fewer characters are no message."""


def texts(node: ast.AST) -> list[list[str]]:
    """The pieces of text in a node that are long enough, as words."""
    found = [
        part.value.split()
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and len(part.value.strip()) >= SHORT
    ]
    return [words for words in found if words]


def guards(path: Path, tree: ast.Module) -> Iterator[tuple[int, list[list[str]]]]:
    """The line and the words of everything that a module raises or tells."""
    told = TOLD if path.as_posix().startswith(LEDGER) else set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield node.lineno, texts(node.exc)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in told:
            yield node.lineno, texts(node)


def quoted(root: Path) -> str:
    """All that the tests say, without the escapes of patterns and the seams of texts that go over lines."""
    said = "\n".join(
        (root / path).read_text(encoding="utf-8") for path in tracked(root, "tests/**/*.py", "tests/*.py")
    )
    return re.sub(r'"\s*\n\s*[rf]*"', "", re.sub(r"\\(.)", r"\1", said))


def is_quoted(words: list[str], tests: str) -> bool:
    """Whether a test says so many of these words in a row."""
    length = min(RUN, len(words))
    return any(" ".join(words[at : at + length]) in tests for at in range(len(words) - length + 1))


def never_fired(root: Path) -> list[str]:
    """Guards of the package whose message no test quotes.

    Raises:
        LookupError: the package has no guard.
    """
    tests, found, seen = quoted(root), [], 0
    for path in tracked(root, f"{PACKAGE}/*.py"):
        for line, pieces in guards(path, ast.parse((root / path).read_text(encoding="utf-8"))):
            seen += bool(pieces)
            if pieces and not any(is_quoted(words, tests) for words in pieces):
                found.append(f"{path}:{line}: {' … '.join(' '.join(words) for words in pieces)}")
    if not seen:
        raise LookupError(f"{root}: the package raises nothing")
    return found


def on_the_repository(call: ast.Call) -> bool:
    """Whether this repository is named anywhere in the arguments of a call."""
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(
        isinstance(part, ast.Name) and part.id == "ROOT"
        for argument in arguments
        for part in ast.walk(argument)
    )


def scans(test: ast.AST) -> Iterator[tuple[str, bool]]:
    """The functions that a test calls, each with whether it is called on this repository."""
    for node in ast.walk(test):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, on_the_repository(node)


def never_planted(root: Path) -> list[str]:
    """Scans of this repository that must find nothing, and that no other test of their file tries on an offender.

    Raises:
        LookupError: no test scans the repository.
    """
    found, seen = [], 0
    for path in tracked(root, "tests/test_*.py", "tests/**/test_*.py"):
        tree = ast.parse((root / path).read_text(encoding="utf-8"))
        tests = [
            node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        ]
        offered = {name for test in tests for name, whole in scans(test) if not whole}
        for test in tests:
            for name in finds_nothing(test):
                seen += 1
                if name not in offered:
                    found.append(f"{path}:{test.lineno}: {name}")
    if not seen:
        raise LookupError(f"{root}: no test scans the repository")
    return found


def finds_nothing(test: ast.AST) -> Iterator[str]:
    """The scans of the repository that a test says find nothing: `assert scan(ROOT, …) == []`."""
    for node in ast.walk(test):
        if (
            isinstance(node, ast.Assert)
            and isinstance(node.test, ast.Compare)
            and isinstance(node.test.comparators[0], ast.List)
            and not node.test.comparators[0].elts
            and isinstance(node.test.left, ast.Call)
            and isinstance(node.test.left.func, ast.Name)
            and on_the_repository(node.test.left)
        ):
            yield node.test.left.func.id


def test_every_guard_of_the_package_was_seen_to_fire() -> None:
    assert never_fired(ROOT) == []


def test_guard_whose_message_no_test_quotes_is_found(tmp_path: Path) -> None:
    module = (
        "def f(x):\n"
        "    if x < 0:\n"
        "        raise ValueError(f'x: must not be negative, got {x}')\n"
        "    if x > 9:\n"
        "        raise ValueError(f'x: must be below ten, got {x}')\n"
        "    raise KeyError(x)\n"
        "def g(x):\n"
        "    yield Problem('the record is gone', x)\n"
    )
    test = "with pytest.raises(ValueError, match=r'x: must be below'):\n    f(10)\n"
    plant(tmp_path, {f"{LEDGER}a.py": module, "tests/test_a.py": test})
    assert never_fired(tmp_path) == [
        f"{LEDGER}a.py:3: x: must not be negative, got",
        f"{LEDGER}a.py:8: the record is gone",
    ]


@pytest.mark.parametrize(
    "test",
    [
        "match='must not be negative, got'",
        r"match=r'x: must\ not\ be\ '",
        "assert str(error) == 'x: must not be '\n",
        'text = (\n    "x: must "\n    "not be negative"\n)',
    ],
)
def test_message_may_be_quoted_in_part_and_across_lines(tmp_path: Path, test: str) -> None:
    module = "raise ValueError(f'x: must not be negative, got {x}')\n"
    plant(tmp_path, {f"{PACKAGE}/a.py": module, "tests/test_a.py": test})
    assert never_fired(tmp_path) == []


def test_every_scan_of_the_repository_was_seen_to_find_an_offender() -> None:
    assert never_planted(ROOT) == []


def test_scan_that_no_test_tries_on_an_offender_is_found(tmp_path: Path) -> None:
    tests = (
        "def test_a():\n    assert tried(ROOT) == []\n"
        "def test_b(tmp_path):\n    assert tried(tmp_path) == ['x']\n"
        "def test_c():\n    assert untried(ROOT / 'docs') == []\n"
        "def test_d():\n    assert untried(ROOT, 'y') == []\n"
    )
    plant(tmp_path, {"tests/repo/test_x.py": tests})
    assert never_planted(tmp_path) == ["tests/repo/test_x.py:5: untried", "tests/repo/test_x.py:7: untried"]


def test_scans_that_see_nothing_fail(tmp_path: Path) -> None:
    plant(tmp_path, {f"{PACKAGE}/a.py": "x = 1\n", "tests/repo/test_x.py": "x = 1\n"})
    with pytest.raises(LookupError, match="the package raises nothing"):
        never_fired(tmp_path)
    with pytest.raises(LookupError, match="no test scans the repository"):
        never_planted(tmp_path)
