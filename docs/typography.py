"""Checks the typography of the Chinese pages: `python docs/typography.py` names what is wrong, and exits 1.

* `problems`: what is wrong in one page.
* `told`, `main`: the same of many pages, and the command; `docs/prose.py` uses them for its own problems.

What counts: a space between Chinese and Latin letters, digits, code or formulas; full-width punctuation next
to Chinese, and no space around it; no exclamation mark; 你, not 您. Code blocks, comments, addresses and
attributes are not looked at.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

Problems = Callable[[str], Iterable[tuple[int, str]]]
"""What finds the problems of one page: line numbers and sentences."""

HAN = r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
WIDE = r"[，。：；？！、（）《》〈〉「」『』【】“”‘’…—]"
LATIN = r"[A-Za-z0-9`$%\u0370-\u03ff]"
"""What needs a space on the side of a Chinese character. Code and formulas are kept as their delimiters."""

RULES = (
    (re.compile(rf"{HAN}{LATIN}|{LATIN}{HAN}"), "a space is missing between Chinese and Latin text"),
    (re.compile(rf"{HAN}[,.;:?()]|[,;:?()]{HAN}"), "half-width punctuation next to Chinese"),
    (re.compile(rf'{HAN}["\']|["\']{HAN}'), "straight quotation mark next to Chinese"),
    (re.compile(rf"{WIDE} +\S|\S +{WIDE}"), "a space next to full-width punctuation"),
    (re.compile(rf"{HAN} +{HAN}"), "a space between Chinese characters"),
    (re.compile(r"[！!]"), "an exclamation mark"),
    (re.compile("您"), "您 instead of 你"),
)

FENCE = re.compile(r"^\s*(`{3,}|~{3,}|\${2}$)")
LEFT_OUT = (
    (re.compile(r"<!--.*?-->"), "`"),
    (re.compile(r"</?[A-Za-z][^>]*>"), ""),
    (re.compile(r"(`+)(?:.+?)\1"), "`"),
    (re.compile(r"\$\$.+?\$\$|\$[^$]+\$"), "$"),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\{[#.:][^}]*\}"), ""),
    (re.compile(r"\*+|(?<!\w)_+|_+(?!\w)"), ""),
    (re.compile(r'^\s*(?:!!!|\?\?\?\+?)\s+[\w ]+"(.*)"\s*$'), r"\1"),
    (re.compile(r"^\s*(?:[-+]|\d+\.|#+|>)\s+"), ""),
)
"""Markdown that is not text, and what stands for it."""


def text_lines(markdown: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line that is prose, a heading or a row of a table."""
    fence = ""
    for number, line in enumerate(markdown.splitlines(), start=1):
        mark = FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif fence:
            if line.strip().startswith(fence):
                fence = ""
        else:
            for pattern, replacement in LEFT_OUT:
                line = pattern.sub(replacement, line)
            if "|" in line:
                yield from ((number, cell.strip()) for cell in line.split("|"))
            else:
                yield number, line.strip()


def problems(markdown: str) -> list[tuple[int, str]]:
    """Return what is wrong in a page: line number and sentence, in order."""
    found = []
    for number, line in text_lines(markdown):
        for rule, what in RULES:
            for match in rule.finditer(line):
                around = line[max(0, match.start() - 8) : match.end() + 8]
                found.append((number, f"{what}: {around}"))
    return found


def told(pages: Iterable[Path], problems: Problems) -> Iterator[str]:
    """Yield what is wrong in pages: file, line number and sentence."""
    for page in pages:
        for number, what in problems(page.read_text(encoding="utf-8")):
            yield f"{page}:{number}: {what}"


def main(pages: list[Path], problems: Problems = problems) -> int:
    """Check pages, all of `docs/` where none is given; print each problem; return the exit code."""
    found = list(told(pages or sorted(Path(__file__).parent.rglob("*.md")), problems))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main([Path(argument) for argument in sys.argv[1:]]))
