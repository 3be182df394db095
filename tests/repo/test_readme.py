"""The prose at the root of the repository: its code runs, its commands and links lead somewhere."""

import doctest
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.repo.make import targets
from tests.repo.tree import ROOT, plant, tracked

BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?P<target>[^)#\s]+)(?:#[^)]*)?\)")
MADE = re.compile(r"^make (?P<target>[a-z-]+)", re.MULTILINE)


def blocks(path: Path, language: str) -> Iterator[str]:
    """The fenced blocks of a page in one language."""
    for match in BLOCK.finditer(path.read_text(encoding="utf-8")):
        if match["language"] == language:
            yield match["text"]


def wrong_examples(path: Path) -> list[str]:
    """What the Python examples of a page print that the page does not say, in one session from top to bottom.

    Raises:
        LookupError: the page has no example.
    """
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(path, "python")), {}, path.name, str(path), 0)
    if not test.examples:
        raise LookupError(f"{path}: no example in Python")
    reports: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=reports.append)
    return reports


def matches(sample: str, printed: str) -> bool:
    """Whether a sample shows what was printed, where `…` stands for anything and white space is one space."""
    parts = (r"\s+".join(map(re.escape, part.split())) for part in sample.split("…"))
    return re.fullmatch(r"\s*" + r".*".join(rf"{part}\s*" for part in parts), printed, re.DOTALL) is not None


def dead_links(root: Path) -> list[str]:
    """Links from pages at the root of the repository to files that it does not have."""
    found = []
    for path in tracked(root, ":(glob)*.md"):
        for match in LINK.finditer((root / path).read_text(encoding="utf-8")):
            target = match["target"]
            if "://" not in target and not (root / path.parent / target).exists():
                found.append(f"{path}: {target}")
    return found


def unknown_targets(root: Path) -> list[str]:
    """Commands in the shell blocks of pages at the root that ask make for a target it does not have."""
    known = targets(root / "Makefile")
    return [
        f"{path}: make {target}"
        for path in tracked(root, ":(glob)*.md")
        for block in blocks(root / path, "sh")
        for target in MADE.findall(block)
        if target not in known
    ]


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_every_example_of_the_readme_prints_what_it_says(name: str) -> None:
    assert wrong_examples(ROOT / name) == []


def test_both_readmes_show_the_same_examples() -> None:
    english, chinese = ("".join(blocks(ROOT / name, "python")) for name in ("README.md", "README.zh.md"))
    assert english == chinese


def test_sample_of_the_ledger_is_what_the_command_prints() -> None:
    duizhao = Path(sys.executable).with_name("duizhao")
    command = [str(duizhao), "check", "--topic", "read", "--lean", "record", "--cases", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    for name in ("README.md", "README.zh.md"):
        (sample,) = blocks(ROOT / name, "text")
        assert matches(sample, done.stdout), f"{name} shows\n{sample}\nbut the command prints\n{done.stdout}"


@pytest.mark.parametrize(
    ("sample", "shown"),
    [
        ("one two\n…\nfour\n", True),
        ("one  two … four", True),
        ("one two\n…\nfive\n", False),
        ("two\n…\nfour\n", False),
        ("one … three", False),
    ],
)
def test_sample_with_another_line_is_found(sample: str, shown: bool) -> None:
    assert matches(sample, "one two\nthree\nfour  \n\n") is shown


def test_example_that_prints_something_else_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\n>>> one = 1\n```\n\n```python\n>>> one + 1\n3\n```\n", encoding="utf-8")
    (report,) = wrong_examples(page)
    assert "Expected:\n    3\nGot:\n    2" in report


def test_page_without_examples_fails(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```sh\nmake check\n```\n", encoding="utf-8")
    with pytest.raises(LookupError, match="no example"):
        wrong_examples(page)


def test_every_link_of_the_pages_at_the_root_leads_somewhere() -> None:
    assert dead_links(ROOT) == []


def test_every_make_command_of_the_pages_at_the_root_exists() -> None:
    assert unknown_targets(ROOT) == []


def test_dead_link_and_unknown_target_are_found(tmp_path: Path) -> None:
    text = (
        "[a](b.md#c) [d](README.md) [e](https://example.org/f)\n\n```sh\nmake build\nmake all   # too\n```\n"
    )
    plant(tmp_path, {"README.md": text, "Makefile": "all: ## Everything\n"})
    assert dead_links(tmp_path) == ["README.md: b.md"]
    assert unknown_targets(tmp_path) == ["README.md: make build"]


def test_both_readmes_name_every_state_and_every_exit_code() -> None:
    for name in ("README.md", "README.zh.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for state in ("proved", "recorded", "stale", "not run"):
            assert f"| `{state}` |" in text, (name, state)
