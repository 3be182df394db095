"""What Lean says of one theorem, as `lake exe ledger` prints it and the record keeps it.

* `Entry`: one theorem.
* `read_json`: JSON that is read strictly.
* `read_entries`: a JSON list of theorems, checked.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import NoReturn

from duizhao.ledger.problem import Problem
from duizhao.ledger.sources import file_of

ALLOWED_AXIOMS = frozenset({"propext", "Classical.choice", "Quot.sound"})
_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class UnreadableError(ValueError):
    """Data of Lean or of a record in the wrong form; the message says where and how."""


@dataclass(frozen=True)
class Entry:
    """One theorem; `line` is where it begins, docstring included.

    `axioms` is None where they were not collected.
    """

    id: str
    name: str
    module: str
    line: int
    statement: str
    sentence: str
    axioms: tuple[str, ...] | None

    def forbidden(self) -> tuple[str, ...]:
        """The axioms other than those of Lean's own library."""
        return tuple(axiom for axiom in self.axioms or () if axiom not in ALLOWED_AXIOMS)


def axiom_problems(entries: tuple[Entry, ...], source: str) -> list[Problem]:
    """One problem for each theorem that rests on any axiom but Lean's own three, as `source` lists it."""
    allowed = ", ".join(sorted(ALLOWED_AXIOMS))
    problems = []
    for entry in entries:
        if forbidden := ", ".join(f"`{axiom}`" for axiom in entry.forbidden()):
            text = (
                f"`{entry.name}` rests on {forbidden} ({source}), so it is neither proved nor recorded; "
                f"only {allowed} are allowed"
            )
            problems.append(Problem(text, entry.id, file_of(entry.module), entry.line))
    return problems


def read_json(data: bytes) -> object:
    """Read JSON: UTF-8 without a byte order mark, no key twice in an object, no NaN or infinity.

    Raises:
        UnreadableError: anything else, with the line and column where they are known.
    """
    try:
        return json.loads(data.decode(), object_pairs_hook=_object, parse_constant=_constant)
    except UnreadableError:
        raise
    except UnicodeDecodeError as error:
        raise UnreadableError(f"not UTF-8: byte {error.start} is 0x{data[error.start]:02x}") from None
    except RecursionError:
        raise UnreadableError("not readable: nested too deeply") from None
    except ValueError as error:
        raise UnreadableError(f"not JSON: {error}") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise UnreadableError(f"the key {key!r} stands twice in one object")
        found[key] = value
    return found


def _constant(name: str) -> NoReturn:
    raise UnreadableError(f"not JSON: {name} is no JSON number")


def read_entries(value: object, at: str = "theorems") -> tuple[Entry, ...]:
    """Check a list of theorems; `at` names it in messages.

    Raises:
        UnreadableError: no list, an empty one, an entry with a missing key or a value of the wrong type, an
            id
            that is not the last component of its name, or an id twice.
    """
    if not isinstance(value, list):
        raise UnreadableError(f"{at}: a list is needed, got {describe(value)}")
    if not value:
        raise UnreadableError(f"{at}: the list is empty")
    entries = tuple(_entry(item, f"{at}[{index}]") for index, item in enumerate(value))
    names: dict[str, str] = {}
    for entry in entries:
        if entry.id in names:
            raise UnreadableError(f"{at}: `{entry.name}` and `{names[entry.id]}` share the id {entry.id!r}")
        names[entry.id] = entry.name
    return entries


def _entry(value: object, at: str) -> Entry:
    item = mapping(value, at)
    entry = Entry(
        id=text(item, "id", at),
        name=text(item, "name", at),
        module=text(item, "module", at),
        line=_line(item, at),
        statement=text(item, "statement", at),
        sentence=text(item, "sentence", at),
        axioms=_axioms(item, at),
    )
    if not _ID.fullmatch(entry.id):
        raise UnreadableError(f"{at}.id: a plain identifier is needed, got {entry.id!r}")
    if entry.name.rpartition(".")[2] != entry.id:
        raise UnreadableError(f"{at}.id: {entry.id!r} is not the last component of the name {entry.name!r}")
    if not entry.statement.startswith(entry.name):
        raise UnreadableError(f"{at}.statement: does not begin with the name {entry.name!r}")
    return entry


def _line(item: dict[str, object], at: str) -> int:
    line = member(item, "line", at)
    if type(line) is not int or line < 1:
        raise UnreadableError(f"{at}.line: a whole number from 1 is needed, got {describe(line)}")
    return line


def _axioms(item: dict[str, object], at: str) -> tuple[str, ...] | None:
    axioms = member(item, "axioms", at)
    if axioms is None:
        return None
    if not isinstance(axioms, list):
        raise UnreadableError(f"{at}.axioms: a list of names or null is needed, got {describe(axioms)}")
    return tuple(string(axiom, f"{at}.axioms[{index}]") for index, axiom in enumerate(axioms))


def mapping(value: object, at: str) -> dict[str, object]:
    """Give back an object; raise UnreadableError for anything else."""
    if not isinstance(value, dict):
        raise UnreadableError(f"{at}: an object is needed, got {describe(value)}")
    return value


def member(item: dict[str, object], key: str, at: str) -> object:
    """Give a member of an object; raise UnreadableError where it is missing."""
    if key not in item:
        raise UnreadableError(f"{at}: the key {key!r} is missing")
    return item[key]


def text(item: dict[str, object], key: str, at: str) -> str:
    """Give a member that must be a string with something in it; raise UnreadableError for anything else."""
    return string(member(item, key, at), f"{at}.{key}")


def string(value: object, at: str) -> str:
    """Give back a string with something in it; raise UnreadableError for anything else."""
    if not isinstance(value, str) or not value.strip():
        raise UnreadableError(f"{at}: a text is needed, got {describe(value)}")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise UnreadableError(f"{at}: holds half of a character: {value!a}")
    return value


def describe(value: object) -> str:
    """Say what a JSON value is, shortly."""
    names = {dict: "an object", list: "a list", type(None): "null", str: "the text", bool: "the value"}
    name = names.get(type(value), "the number")
    if isinstance(value, dict | list) or value is None:
        return name
    shown = ascii(value)
    return f"{name} {shown if len(shown) <= 60 else shown[:57] + '...'}"
