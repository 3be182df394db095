"""The terms of the glossary, which search keeps whole.

* `terms`: the Chinese terms of the glossary's tables.
* `teach`: makes jieba, which cuts the text that is searched, know them.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import jieba

ROW = re.compile(r"^\| *(?P<term>[^|]+?) *\|", re.MULTILINE)
HAN = re.compile(r"[\u3400-\u9fff]+")
COMPOUNDS = {"因果遮罩": ("因果", "遮罩"), "残差相加": ("残差", "相加")}
"""Terms of two words that are searched for by one of them too: the words are kept whole, the term is not."""


def terms(glossary: str) -> Iterator[str]:
    """Yield the Chinese terms in the first column of the tables of a glossary; one of them may list several."""
    for row in ROW.finditer(glossary):
        for term in re.split(r"[、，/ ]+", row["term"]):
            if HAN.fullmatch(term) and term != "中文":
                yield term


def teach(words: Iterable[str]) -> None:
    """Make jieba keep words whole wherever they occur."""
    jieba.setLogLevel("ERROR")
    for word in words:
        for part in COMPOUNDS.get(word, (word,)):
            jieba.suggest_freq(part, tune=True)
    for pair in COMPOUNDS.values():
        jieba.suggest_freq(pair, tune=True)


def read(docs: Path) -> list[str]:
    """Return the terms of the glossary in a folder of pages; none if it has no glossary."""
    glossary = docs / "glossary.md"
    return list(terms(glossary.read_text(encoding="utf-8"))) if glossary.is_file() else []
