"""The guides: commands print what is shown, adapters are short, and what is said of Lean's symbols is in the statements."""

import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from docs.inserts.sources import read_project

from duizhao.audit.plugin import expected_failures, parts
from duizhao.audit.policies import POLICIES
from duizhao.claims import all_claims
from tests.repo.make import targets
from tests.repo.test_readme import matches
from tests.repo.tree import ROOT

GUIDES = ROOT / "docs/guides"
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[a-z]+)(?: title=\"(?P<title>[\w.]+)\")?\n(?P<text>.*?)^(?P=indent)```$",
    re.M | re.S,
)
COMMAND = re.compile(r"^\$ (?:\.venv/bin/)?duizhao (?P<arguments>.+)\n(?P<printed>(?:(?!\$ ).*\n)*)", re.M)


def blocks(page: str) -> Iterator[tuple[str, str | None, str]]:
    """The language, the name of the file if it has one, and the text of each block of a page."""
    for match in FENCE.finditer(page):
        yield match["language"], match["title"], textwrap.dedent(match["text"])


def files(page: str) -> dict[str, str]:
    """The blocks of a page that have a file's name."""
    return {title: text for _, title, text in blocks(page) if title}


def sessions(page: str) -> Iterator[tuple[str, str]]:
    """The commands of a page, and what it shows of their output."""
    for language, _, text in blocks(page):
        if language == "console":
            assert COMMAND.match(text), text
            yield from ((match["arguments"], match["printed"]) for match in COMMAND.finditer(text))


def printed(arguments: str, folder: Path) -> str:
    """What the command prints where it is run as a user runs it, with room for its tables."""
    done = subprocess.run(
        [sys.executable, "-c", "from duizhao.cli import main; main()", *shlex.split(arguments)],
        cwd=folder,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr + done.stdout


def wrong_sessions(page: Path, folder: Path) -> list[str]:
    """The commands of a page that print something else, run in the repository or, if the page has files, beside these."""
    text = page.read_text(encoding="utf-8")
    for name, content in files(text).items():
        (folder / name).write_text(content, encoding="utf-8")
    found = []
    for arguments, sample in sessions(text):
        output = printed(arguments, folder if files(text) else ROOT)
        if not matches(sample, output):
            found.append(f"{arguments} prints\n{output}")
    return found


@pytest.mark.parametrize("name", ["start.md", "audit.md", "teaching.md"])
def test_every_command_of_a_guide_prints_what_it_shows(name: str, tmp_path: Path) -> None:
    assert list(sessions((GUIDES / name).read_text(encoding="utf-8")))
    assert wrong_sessions(GUIDES / name, tmp_path) == []


def test_command_that_prints_something_else_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ duizhao explain no_such\nduizhao: a theorem\n```\n", encoding="utf-8")
    (wrong,) = wrong_sessions(page, tmp_path)
    assert "no theorem `no_such`" in wrong


def test_no_guide_but_those_shows_a_session() -> None:
    others = [
        page for page in GUIDES.glob("*.md") if page.name not in {"start.md", "audit.md", "teaching.md"}
    ]
    assert others
    assert [page.name for page in others if list(sessions(page.read_text(encoding="utf-8")))] == []


def test_adapters_of_the_guide_have_under_15_lines() -> None:
    adapters = [
        text for text in files((GUIDES / "audit.md").read_text("utf-8")).values() if "ADAPTER = " in text
    ]
    assert len(adapters) == 2
    assert all(len(text.splitlines()) < 15 for text in adapters)


def test_names_that_the_guide_expects_to_fail_are_known(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_text(files((GUIDES / "audit.md").read_text("utf-8"))["known.txt"], encoding="utf-8")
    assert list(expected_failures(file, parts())) == ["sum_maskedSoftmax_eq_one"]


def test_guide_lists_every_policy_with_its_values() -> None:
    rows = [
        re.findall(r"`([^`]+)`", line)
        for line in (GUIDES / "audit.md").read_text("utf-8").splitlines()
        if line.startswith("| `")
    ]
    listed = {name: set(values) for name, *values in rows}
    assert set(listed) == set(POLICIES)
    for name, values in listed.items():
        assert values <= set(POLICIES[name])


def test_every_make_command_of_the_guides_exists() -> None:
    known = targets(ROOT / "Makefile")
    asked = {
        target
        for page in GUIDES.glob("*.md")
        for target in re.findall(r"\bmake ([a-z-]+)", page.read_text("utf-8"))
    }
    assert asked
    assert asked <= set(known)


def symbols(section: str) -> list[str]:
    """The Lean code in the first column of the tables of a section, but for the tables' heads."""
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    return [code for row in rows for code in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


def test_what_is_said_of_lean_symbols_is_in_the_statements() -> None:
    page = (GUIDES / "lean.md").read_text("utf-8")
    results = read_project(ROOT).results
    for first, last, id_ in (
        ("## 名称", "## 它没有", "attention_convex"),
        ("## 再多认", "三种括号", "read_mem_Icc"),
    ):
        section = page[page.index(first) : page.index(last)]
        statement = " ".join((results[id_].statement or "").split())
        assert len(symbols(section)) >= 9
        assert [code for code in symbols(section) if code not in statement] == []
    rest = page[page.index("其余常见的") : page.index("## 三个")]
    everything = " ".join(" ".join((result.statement or "").split()) for result in results.values())
    assert [code for code in symbols(rest) if code not in everything] == []


def test_symbol_that_is_not_in_the_statement_is_found() -> None:
    assert symbols("| `(hw : 0 < w)` | 读作 |\n| 写法 | `b` |\n| `a`、`b` | `c` |") == [
        "(hw : 0 < w)",
        "a",
        "b",
    ]


def test_words_of_the_guide_leave_no_symbol_of_the_statement_out() -> None:
    page = (GUIDES / "lean.md").read_text("utf-8")
    section = page[page.index("## 名称") : page.index("## 它没有")]
    left = " ".join((read_project(ROOT).results["attention_convex"].statement or "").split())
    for code in sorted(symbols(section), key=len, reverse=True):
        left = left.replace(code, " ")
    assert left.split() == [":"]


def test_section_that_the_checklist_shows_is_the_one_of_the_page() -> None:
    page = (GUIDES / "theorem.md").read_text("utf-8")
    (section,) = [text for language, _, text in blocks(page) if language == "markdown"]
    assert section in (ROOT / "docs/theorems/read.md").read_text("utf-8")


def test_files_of_the_checklist_exist() -> None:
    named = re.findall(r"^\*\*文件：\*\*(.*)", (GUIDES / "theorem.md").read_text("utf-8"), re.M)
    paths = [path for line in named for path in re.findall(r"`([^`]+)`", line)]
    assert len(named) == 12
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_checklist_names_every_relation() -> None:
    page = (GUIDES / "theorem.md").read_text("utf-8")
    table = page[page.index("{#relations}") : page.index("## 检查")]
    relations = {type(claim.relation).__name__ for claim in all_claims().values()}
    assert set(symbols(table)) == relations


def commands(page: Path) -> list[str]:
    """The lines of the blocks of a page that are for a shell."""
    return [
        line
        for language, _, text in blocks(page.read_text("utf-8"))
        if language == "sh"
        for line in text.splitlines()
    ]


def test_both_pages_on_trust_give_the_same_commands() -> None:
    english = [line.partition(" #")[0].strip() for line in commands(ROOT / "TRUST.md")]
    chinese = commands(ROOT / "docs/trust.md")
    assert chinese
    assert set(chinese) == set(english) - {".venv/bin/duizhao ledger pin read_mem_Icc"}


def test_both_pages_on_trust_have_the_same_layers() -> None:
    def layers(page: Path, head: str) -> int:
        lines = page.read_text("utf-8").splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith(head))
        return next(i for i, line in enumerate(lines[start:]) if not line.startswith("|"))

    assert layers(ROOT / "TRUST.md", "| layer |") == layers(ROOT / "docs/trust.md", "| 层 |") > 10
