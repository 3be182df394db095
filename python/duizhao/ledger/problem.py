"""What the Lean side reports: one problem, with the place that it belongs to.

* `Problem`: a text, its file and line, and the theorem, module, record or build that it is about.
"""

from __future__ import annotations

from dataclasses import dataclass

RECORD = "record"
PINS = "pins"
BUILD = "build"


@dataclass(frozen=True)
class Problem:
    """One thing to tell the reader.

    `where` is the id of a theorem, else the name of a module, else `"record"`, `"pins"` or `"build"`. `file` is
    relative to the project's folder, with forward slashes.
    """

    text: str
    where: str
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        """Give the problem as `file:line:column: text`, with the parts that are known."""
        place = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        return ": ".join([":".join(place), self.text]) if self.file is not None else self.text
