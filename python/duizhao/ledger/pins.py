"""The pins, `ledger/statements.json`: the statement of each result that a person last compared with claim and page.

* `read_pins`: the file, as `Pins`.
* `text_of`: the text of the file.
* `drift`: where the pins differ from what Lean or its record says now.

Only `duizhao ledger pin ID` writes the file. A statement that changes under an unchanged name is drift.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from duizhao.ledger.entry import UnreadableError, describe, mapping, member, read_json, string
from duizhao.ledger.lean import LeanSide, LeanTheorem
from duizhao.ledger.problem import PINS, RECORD, Problem
from duizhao.ledger.record import HASH_FILE, RECORD_FILE

PIN_FILE = "ledger/statements.json"
SCHEMA = 1


@dataclass(frozen=True)
class Pins:
    """The pinned statements by id, empty where the file is missing or cannot be read, which `problems` tell."""

    statements: Mapping[str, str]
    problems: tuple[Problem, ...]


def read_pins(root: Path) -> Pins:
    """Read the pins of the project in `root`; whatever is wrong with the file is told in `problems`."""
    try:
        data = (root / PIN_FILE).read_bytes()
    except FileNotFoundError:
        text = "is missing, so no statement is pinned: compare each with its claim and page, then `duizhao ledger pin ID`"
        return Pins({}, (Problem(text, PINS, PIN_FILE),))
    except OSError as error:
        return Pins({}, (Problem(f"cannot be read: {error.strerror}", PINS, PIN_FILE),))
    try:
        return Pins(_read(read_json(data)), ())
    except UnreadableError as error:
        return Pins({}, (Problem(str(error), PINS, PIN_FILE),))


def _read(value: object) -> dict[str, str]:
    item = mapping(value, "pins")
    schema = member(item, "schema", "pins")
    if type(schema) is not int or schema != SCHEMA:
        raise UnreadableError(f"pins.schema: this version reads schema {SCHEMA}, got {describe(schema)}")
    statements = mapping(member(item, "statements", "pins"), "pins.statements")
    return {id_: string(text, f"pins.statements[{id_!a}]") for id_, text in statements.items()}


def text_of(statements: Mapping[str, str]) -> str:
    """Return the file's text: sorted by id, one statement a line."""
    lines = (
        f"{json.dumps(id_)}: {json.dumps(statements[id_], ensure_ascii=False)}" for id_ in sorted(statements)
    )
    return f'{{\n"schema": {SCHEMA},\n"statements": {{\n' + ",\n".join(lines) + "\n}\n}\n"


def drift(root: Path, side: LeanSide, pins: Pins) -> list[Problem]:
    """Compare the pins with what Lean or its record says, and say everything that differs.

    A theorem without a pin, a pin without a theorem and a statement that is not the pinned one are problems; so
    is a record that is gone while pins, which were made with one, are there. Where neither Lean nor the record
    gave a statement, only the ids are compared.
    """
    return [*pins.problems, *_lost_record(root, side, pins), *_differences(side, pins)]


def _lost_record(root: Path, side: LeanSide, pins: Pins) -> Iterator[Problem]:
    gone = not (root / RECORD_FILE).exists() and not (root / HASH_FILE).exists()
    if pins.statements and gone and side.mode != "skip":
        text = (
            f"is missing with its hash, but {PIN_FILE} pins {len(pins.statements)} statements of a record: "
            "bring it back, or write it with `duizhao ledger record`"
        )
        yield Problem(text, RECORD, RECORD_FILE)


def _differences(side: LeanSide, pins: Pins) -> Iterator[Problem]:
    if pins.problems:
        return
    for theorem in side.theorems.values():
        pinned = pins.statements.get(theorem.id)
        if pinned is None:
            text = f"`{theorem.name}` has no pinned statement in {PIN_FILE}: compare it with its claim and page, then "
            yield _about(theorem, f"{text}`duizhao ledger pin {theorem.id}`")
        elif theorem.statement is not None and theorem.statement != pinned:
            source = "Lean" if side.source == "lake" else "the record"
            yield _about(
                theorem,
                f"the statement of `{theorem.name}` has drifted from the pinned one.\n"
                f"  {PIN_FILE} says\n{indented(pinned)}\n  {source} says\n{indented(theorem.statement)}\n"
                f"  Compare it with its claim and page, then `duizhao ledger pin {theorem.id}`",
            )
    for id_ in pins.statements:
        if id_ not in side.theorems:
            text = f"{PIN_FILE} pins a statement of {id_!a}, but there is no theorem of that name"
            yield Problem(text, id_, PIN_FILE)


def _about(theorem: LeanTheorem, text: str) -> Problem:
    return Problem(text, theorem.id, theorem.file, theorem.line)


def indented(text: str) -> str:
    """Return a statement, each line four spaces in."""
    return "\n".join(f"    {line}" for line in text.splitlines())
