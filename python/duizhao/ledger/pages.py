"""Where the pages speak of a result: `theorems/read/#attention_convex`.

* `page_of`: the page of a topic.
* `Pages`: the anchors that the project's pages have, and the results that they name.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from duizhao.ledger.problem import Problem

ANCHOR = re.compile(r"^#+ .*\{ *#(?P<id>[A-Za-z_]\w*)\b[^}]*\} *$", re.MULTILINE)
NAMED = re.compile(r"<!--\s*(?:panel|result):\s*(?P<id>\w+)\s*-->")
FORMULA = re.compile(r"\$\$(?P<tex>.+?)\$\$", re.DOTALL)
SITE = "mkdocs.yml"
CHECKOUT = "python/duizhao"
"""Where the claims are in a checkout; the copies in the installed package have neither them nor pages."""

_UNSEEN = re.compile(
    r"<!--.*?(?:-->|\Z)|^ *(?P<fence>`{3,}|~{3,})[^\n]*$.*?(?:^ *(?P=fence)[`~]* *$|\Z)",
    re.DOTALL | re.MULTILINE,
)


def page_of(topic: str) -> str:
    """Return the page of a topic, without ending: `theorems/read`, or `boundaries/mask` for `Counterexample.Mask`."""
    folder, name = ("boundaries", topic.split(".")[-1]) if "." in topic else ("theorems", topic)
    return f"{folder}/{re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()}"


def _anchors(text: str) -> Iterator[re.Match[str]]:
    """The headings with an anchor that a reader sees: none in a comment or in a block of code."""
    return ANCHOR.finditer(_UNSEEN.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text))


@dataclass(frozen=True)
class Pages:
    """The anchors of every page under `docs/`, and the ids that its markers name, by page without ending.

    `expected` says that the project has a site or is a checkout, so that pages must be there. `twice` are the
    anchors that a page has more than once.
    """

    anchors: Mapping[str, frozenset[str]]
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    expected: bool = False
    twice: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Path) -> "Pages":
        """Read the pages of a project; without a folder `docs/` there are none."""
        folder = root / "docs"
        texts = {
            file.relative_to(folder).with_suffix("").as_posix(): file.read_text(
                encoding="utf-8", errors="replace"
            )
            for file in sorted(folder.rglob("*.md"))
            if file.is_file()
        }
        anchors = {page: [match["id"] for match in _anchors(text)] for page, text in texts.items()}
        return cls(
            {page: frozenset(ids) for page, ids in anchors.items()},
            {page: tuple(match["id"] for match in NAMED.finditer(text)) for page, text in texts.items()},
            (root / SITE).is_file() or (root / CHECKOUT).is_dir(),
            {page: tuple(id_ for id_, n in Counter(ids).items() if n > 1) for page, ids in anchors.items()},
        )

    def address(self, topic: str, id_: str) -> str | None:
        """Return the address of a result within the site, or `None` if no page speaks of it."""
        page = page_of(topic)
        return f"{page}/#{id_}" if id_ in self.anchors.get(page, ()) else None

    def formula(self, root: Path, topic: str, id_: str) -> str | None:
        """Return the first displayed formula under the heading of a result, in TeX, or `None` if there is none."""
        if self.address(topic, id_) is None:
            return None
        text = (root / "docs" / f"{page_of(topic)}.md").read_text(encoding="utf-8", errors="replace")
        heading = next(match for match in _anchors(text) if match["id"] == id_)
        section = re.split(r"^#+ ", text[heading.end() :], maxsplit=1, flags=re.MULTILINE)[0]
        shown = FORMULA.search(section)
        return " ".join(shown["tex"].split()) if shown else None

    def problems(self, topics: Mapping[str, str]) -> Iterator[Problem]:
        """Yield what is wrong, given the topic of each id: results without an anchor, and names of no result."""
        for id_, topic in topics.items():
            page = page_of(topic)
            if page in self.anchors:
                if id_ not in self.anchors[page]:
                    text = f"unpaired: the page has no heading with {{#{id_}}}"
                    yield Problem(text, id_, f"docs/{page}.md")
            elif self.expected:
                yield Problem("unpaired: there is no such page", id_, f"docs/{page}.md")
        for page, ids in self.twice.items():
            for id_ in ids:
                text = f"the page has more than one heading with {{#{id_}}}"
                yield Problem(text, id_ if id_ in topics else page, f"docs/{page}.md")
        for page, names in self.named.items():
            for name in names:
                if name not in topics:
                    yield Problem(
                        f"names `{name}`, but there is no result of that name", page, f"docs/{page}.md"
                    )
