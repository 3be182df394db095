"""Markers: HTML comments in the Markdown that say what to insert, such as `<!-- panel: attention_convex -->`.

* `Marker`, `find`: the markers of a page.
* `anchors`: the ids of a page, in order.
* `replace`: a page with its markers filled in.

A comment that is no marker is an error: a marker with a slip in it must not vanish from the page.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser

COMMENT = re.compile(r"<!--(?P<text>.*?)-->", re.DOTALL)
MARKER = re.compile(r"\s*(?P<kind>[a-z]+)(?::\s*(?P<id>\w[\w.-]*))?\s*")
WITH_ID = {
    "panel": True,
    "result": True,
    "statement": True,
    "source": True,
    "claim": True,
    "topics": False,
    "record": False,
    "half": False,
    "bug": True,
    "bugs": False,
    "mutants": False,
    "picture": True,
    "matrix": True,
    "entry": True,
    "trace": True,
    "printed": True,
}
"""The kinds of markers, and whether each names something: a result, a bug, a picture, or a part of an example."""


@dataclass(frozen=True)
class Marker:
    """What a page asks for: `kind`, and the id of a result, a picture or an example ("" for kinds without one)."""

    kind: str
    id: str


def read(text: str) -> Marker:
    """Return the marker that the text of a comment is.

    Raises:
        ValueError: If it is none.
    """
    match = MARKER.fullmatch(text)
    if match is None or match["kind"] not in WITH_ID or WITH_ID[match["kind"]] != bool(match["id"]):
        known = ", ".join(f"<!-- {kind}{': ID' if needs else ''} -->" for kind, needs in WITH_ID.items())
        raise ValueError(f"<!--{text}--> is no marker; there are {known}")
    return Marker(match["kind"], match["id"] or "")


def find(page: str) -> list[Marker]:
    """Return the markers in the HTML of a page, in order.

    Raises:
        ValueError: If a comment is no marker.
    """
    return [read(comment["text"]) for comment in COMMENT.finditer(page)]


def replace(page: str, insert: Callable[[Marker], str]) -> str:
    """Return the HTML of a page with each marker replaced by what `insert` gives for it."""
    return COMMENT.sub(lambda comment: insert(read(comment["text"])), page)


class _Ids(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        self.found += [value for name, value in attrs if name == "id" and value]


def anchors(page: str) -> list[str]:
    """Return the ids of the elements of a page, in order, repeated ones too."""
    parser = _Ids()
    parser.feed(page)
    return parser.found
