"""No console of the package turns `:100:` in a place or a name into a picture."""

import re
from pathlib import Path

from tests.repo.tree import ROOT

CONSOLE = re.compile(r"\bConsole\([^()]*\)")


def drawing(package: Path) -> list[str]:
    """Where a console is made that draws pictures for names between colons."""
    return [
        f"{path.relative_to(package)}: {match[0]}"
        for path in sorted(package.rglob("*.py"))
        for match in CONSOLE.finditer(path.read_text(encoding="utf-8"))
        if "emoji=False" not in match[0]
    ]


def test_no_console_draws_pictures_for_names() -> None:
    assert drawing(ROOT / "python/duizhao") == []


def test_console_that_draws_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("Console()\nConsole(emoji=False)\n", encoding="utf-8")
    assert drawing(tmp_path) == ["a.py: Console()"]
