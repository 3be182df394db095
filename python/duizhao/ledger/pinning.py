"""Pins statements, after a person has compared each with its claim and page.

* `Pinning`: what is to become of the pin of one result.
* `plan`: that, for each id that is given.
* `write_pins`: the file.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from duizhao.ledger.pins import PIN_FILE, indented, text_of
from duizhao.ledger.recording import write_whole
from duizhao.ledger.row import Row
from duizhao.ledger.topics import result_named


@dataclass(frozen=True)
class Pinning:
    """The old and the new pin of one result; None is none."""

    id: str
    row: Row | None
    old: str | None
    new: str | None

    def lines(self) -> Iterator[str]:
        """Yield what a reader has to compare."""
        yield self.id
        if self.row is not None:
            yield f"  the theorem says  {self.row.sentence}"
            yield f"  the claim says    {self.row.claim.sentence if self.row.claim else 'nothing: there is none'}"
            yield f"  the page          {self.row.page or 'none'}"
        if self.old == self.new:
            yield "  the statement is pinned as it stands"
            return
        for what, text in (("pinned", self.old), ("now", self.new)):
            yield f"  {what}{'' if text is not None else ': no statement'}"
            if text is not None:
                yield indented(text)


def plan(names: Sequence[str], rows: Mapping[str, Row], pinned: Mapping[str, str]) -> list[Pinning]:
    """Return what is to become of each pin; that of a theorem which is gone is taken out.

    Raises:
        ValueError: If an id names neither a theorem nor a pin, or a theorem whose statement is not known or is
            that of other sources.
    """
    found = []
    for name in names:
        id_ = name if name in pinned else result_named(name, rows)
        row = rows.get(id_)
        if row is None or row.lean is None:
            if id_ not in pinned:
                raise ValueError(f"no theorem `{id_}`: there is nothing to pin")
            found.append(Pinning(id_, row, pinned[id_], None))
        elif row.lean.statement is None or row.lean.state == "stale":
            raise ValueError(f"{id_}: its statement is not known: {row.lean.reason}")
        else:
            found.append(Pinning(id_, row, pinned.get(id_), row.lean.statement))
    return found


def write_pins(root: Path, pinned: Mapping[str, str], pinnings: Sequence[Pinning]) -> bool:
    """Write the pins of the project in `root`, with the changes made; say whether anything changed."""
    statements = dict(pinned)
    for pinning in pinnings:
        if pinning.new is None:
            statements.pop(pinning.id, None)
        else:
            statements[pinning.id] = pinning.new
    return write_whole(root / PIN_FILE, text_of(statements).encode())
