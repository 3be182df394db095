"""Where the pages speak of a result: `theorems/read/#attention_convex`.

* `Pages`: the anchors that the project's pages have.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ANCHOR = re.compile(r"^#+ .*\{ *#(?P<id>[A-Za-z_]\w*) *[^}]*\} *$", re.MULTILINE)


def page_of(topic: str) -> str:
    """Return the page of a topic, without ending: `theorems/read`, or `boundaries/mask` for `Counterexample.Mask`."""
    folder, name = ("boundaries", topic.split(".")[-1]) if "." in topic else ("theorems", topic)
    return f"{folder}/{re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()}"


@dataclass(frozen=True)
class Pages:
    """The anchors of every page under `docs/`, by page without ending."""

    anchors: dict[str, frozenset[str]]

    @classmethod
    def of(cls, root: Path) -> "Pages":
        """Read the pages of a project; without a folder `docs/` there are none."""
        folder = root / "docs"
        return cls(
            {
                file.relative_to(folder).with_suffix("").as_posix(): frozenset(
                    match["id"]
                    for match in ANCHOR.finditer(file.read_text(encoding="utf-8", errors="replace"))
                )
                for file in sorted(folder.rglob("*.md"))
                if file.is_file()
            }
        )

    def address(self, topic: str, id_: str) -> str | None:
        """Return the address of a result within the site, or `None` if no page speaks of it."""
        page = page_of(topic)
        return f"{page}/#{id_}" if id_ in self.anchors.get(page, ()) else None
