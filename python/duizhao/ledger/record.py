"""Reads the record of a Lean run, `ledger/lean.json`, and compares it with the sources on disk.

* `load_record`: the record and whether it is the one that was written.
* `compare`: which of its theorems are recorded, stale or not run, and what differs.

A record's own hash stands beside it in `ledger/lean.json.sha256`. It lists the hash of every file that it
was made from.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from duizhao.ledger.differences import list_differences
from duizhao.ledger.entry import (
    Entry,
    UnreadableError,
    axiom_problems,
    describe,
    mapping,
    member,
    read_entries,
    read_json,
    string,
    text,
)
from duizhao.ledger.problem import RECORD, Problem
from duizhao.ledger.sources import SOURCE_DIR, Sources, file_of, module_name

RECORD_FILE = "ledger/lean.json"
HASH_FILE = "ledger/lean.json.sha256"
SCHEMA = 1
SETTINGS = ("lean-toolchain", "lake-manifest.json", "lakefile.lean")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_HASH_LINE = re.compile(rb"([0-9a-f]{64}) [ *]lean\.json\r?\n?")


@dataclass(frozen=True)
class Versions:
    """The toolchain (`leanprover/lean4:v4.27.0`) and Mathlib's version and commit; None where unknown."""

    toolchain: str | None
    mathlib: str | None
    mathlib_rev: str | None


@dataclass(frozen=True)
class Record:
    """The content of a record."""

    date: str
    how: str
    versions: Versions
    files: dict[str, str]
    theorems: tuple[Entry, ...]


@dataclass(frozen=True)
class Loaded:
    """A record as found on disk.

    `record` is None where there is none or it cannot be read; `intact` says that its own hash is right.
    """

    record: Record | None
    intact: bool
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class Verdict:
    """The state that the record gives a theorem, and why."""

    state: Literal["recorded", "stale", "not run"]
    reason: str


def load_record(root: Path) -> Loaded:
    """Load the record of the project in `root`; whatever is wrong with it is told in `problems`.

    A record that is missing together with its hash is no problem; any axiom but Lean's own three is one.
    """
    path, hash_path = root / RECORD_FILE, root / HASH_FILE
    if not path.exists() and not hash_path.exists():
        return Loaded(None, intact=False, problems=())
    try:
        data = path.read_bytes()
    except OSError as error:
        return Loaded(None, intact=False, problems=(_about(f"cannot be read: {error.strerror}"),))
    problems = _own_hash(data, hash_path)
    intact = not problems
    try:
        record = _read(read_json(data))
    except UnreadableError as error:
        return Loaded(None, intact, (*problems, _about(str(error))))
    return Loaded(record, intact, (*problems, *axiom_problems(record.theorems, RECORD_FILE)))


def _about(text: str, file: str = RECORD_FILE) -> Problem:
    return Problem(text, RECORD, file)


def _own_hash(data: bytes, hash_path: Path) -> list[Problem]:
    found = hashlib.sha256(data).hexdigest()
    try:
        match = _HASH_LINE.fullmatch(hash_path.read_bytes())
    except OSError as error:
        return [
            _about(
                f"the record's own hash cannot be read ({error.strerror}): nothing counts as recorded",
                HASH_FILE,
            )
        ]
    if match is None:
        return [_about("must hold one line, `<sha256>  lean.json`: nothing counts as recorded", HASH_FILE)]
    if match[1].decode() != found:
        said = match[1].decode()
        return [_about(f"its hash is {found}, but {HASH_FILE} says {said}: nothing counts as recorded")]
    return []


def _read(value: object) -> Record:
    item = mapping(value, "record")
    schema = member(item, "schema", "record")
    if type(schema) is not int or schema != SCHEMA:
        raise UnreadableError(f"record.schema: this version reads schema {SCHEMA}, got {describe(schema)}")
    mathlib = mapping(member(item, "mathlib", "record"), "record.mathlib")
    return Record(
        date=_date(text(item, "date", "record")),
        how=text(item, "how", "record"),
        versions=Versions(
            text(item, "toolchain", "record"),
            text(mathlib, "version", "record.mathlib"),
            text(mathlib, "rev", "record.mathlib"),
        ),
        files=_files(mapping(member(item, "files", "record"), "record.files")),
        theorems=read_entries(member(item, "theorems", "record"), "record.theorems"),
    )


def _date(value: str) -> str:
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise UnreadableError(f"record.date: a date such as 2026-11-30 is needed, got {value!a}") from None


def _files(files: dict[str, object]) -> dict[str, str]:
    hashes = {}
    for name, value in files.items():
        digest = string(value, f"record.files[{name!a}]")
        if not _SHA256.fullmatch(digest):
            raise UnreadableError(
                f"record.files[{name!a}]: a SHA-256 in lower case is needed, got {digest!a}"
            )
        if not name.isprintable() or any(part in ("", ".", "..") for part in re.split(r"[/\\]", name)):
            raise UnreadableError(f"record.files: {name!a} is no path inside the project")
        hashes[name] = digest
    return hashes


def versions_of(root: Path) -> Versions:
    """The versions that `lean-toolchain` and `lake-manifest.json` name."""
    toolchain = mathlib = rev = None
    with contextlib.suppress(OSError, UnicodeDecodeError):
        toolchain = (root / "lean-toolchain").read_bytes().decode().strip() or None
    with contextlib.suppress(OSError, UnreadableError):
        manifest = mapping(read_json((root / "lake-manifest.json").read_bytes()), "manifest")
        packages = member(manifest, "packages", "manifest")
        for index, package in enumerate(packages if isinstance(packages, list) else []):
            item = mapping(package, f"manifest.packages[{index}]")
            if item.get("name") == "mathlib":
                mathlib, rev = text(item, "inputRev", "mathlib"), text(item, "rev", "mathlib")
    return Versions(toolchain, mathlib, rev)


def hash_of(path: Path) -> str | None:
    """The SHA-256 of a file, None where it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def compare(loaded: Loaded, sources: Sources) -> tuple[dict[str, Verdict], list[Problem]]:
    """Give each theorem of the record and of the sources its state, and say everything that differs."""
    record = loaded.record
    if record is None:
        reason = "the record cannot be read" if loaded.problems else "there is no record"
        return {id_: Verdict("not run", reason) for id_ in sources.theorems}, []
    changed = _changed(record, sources)
    needed = {entry.id: _needed(entry, sources) for entry in record.theorems}
    verdicts = {
        entry.id: _verdict(
            entry, loaded, [f"{file} {how}" for file, how in changed.items() if file in needed[entry.id]]
        )
        for entry in record.theorems
    }
    problems = [_changed_file(file, how, loaded.intact, record, needed) for file, how in changed.items()]
    problems += _version_problems(record, versions_of(sources.root))
    for id_, problem in _differences(record, sources, changed):
        problems.append(problem)
        if id_ not in verdicts:
            verdicts[id_] = Verdict("not run", f"not in {RECORD_FILE}")
        elif verdicts[id_].state == "recorded":
            verdicts[id_] = Verdict("stale", problem.text)
    return verdicts, problems


def _changed(record: Record, sources: Sources) -> dict[str, str]:
    """Files that are not as recorded, with what is the matter."""
    disk = {name: hash_of(sources.root / name) for name in [*SETTINGS, *record.files]}
    disk |= sources.files
    changed = {}
    for file, digest in disk.items():
        if file not in record.files:
            changed[file] = "is not listed in the record"
        elif digest is None:
            changed[file] = "is missing or cannot be read"
        elif digest != record.files[file]:
            changed[file] = "differs from the record"
    return changed


def _needed(entry: Entry, sources: Sources) -> frozenset[str]:
    """The files that the record of a theorem stands on."""
    return frozenset(SETTINGS) | {file_of(module) for module in sources.closure(entry.module)}


def _verdict(entry: Entry, loaded: Loaded, changed: list[str]) -> Verdict:
    record = loaded.record
    if not loaded.intact or record is None:
        return Verdict("not run", "the record is not the one that was written: its own hash is wrong")
    if changed:
        return Verdict("stale", "; ".join(changed))
    if entry.axioms is None:
        return Verdict("not run", f"its axioms were not collected in the record of {record.date}")
    if entry.forbidden():
        return Verdict("not run", f"the record says that it rests on {', '.join(entry.forbidden())}")
    return Verdict("recorded", f"recorded on {record.date}; every file that it rests on is unchanged")


def _changed_file(
    file: str, how: str, intact: bool, record: Record, needed: dict[str, frozenset[str]]
) -> Problem:
    resting = [entry for entry in record.theorems if file in needed[entry.id]]
    ids = [entry.id for entry in sorted(resting, key=lambda entry: file_of(entry.module) != file)]
    if not ids:
        effect = "no theorem rests on it, but the record no longer describes this project"
    else:
        who = (
            f"all {len(ids)} theorems" if len(ids) == len(needed) else f"{len(ids)} of {len(needed)} theorems"
        )
        named = ", ".join(ids[:3]) + (f" and {len(ids) - 3} more" if len(ids) > 3 else "")
        effect = f"{who} of the record rest on it" + (f" and are stale: {named}" if intact else f": {named}")
    return Problem(f"{how}; {effect}", _place_of(file), file)


def _place_of(file: str) -> str:
    if file.startswith(SOURCE_DIR + "/") and file.endswith(".lean"):
        return module_name(file)
    return RECORD


def _version_problems(record: Record, disk: Versions) -> list[Problem]:
    pairs = [
        ("toolchain", record.versions.toolchain, disk.toolchain, "lean-toolchain"),
        ("Mathlib version", record.versions.mathlib, disk.mathlib, "lake-manifest.json"),
        ("Mathlib commit", record.versions.mathlib_rev, disk.mathlib_rev, "lake-manifest.json"),
    ]
    return [
        _about(f"the record's {what} is {said}, but {file} says {found or 'nothing that can be read'}")
        for what, said, found, file in pairs
        if said != found
    ]


def _differences(record: Record, sources: Sources, changed: dict[str, str]) -> list[tuple[str, Problem]]:
    """Where the record's list and the marked theorems differ; changed files may have other lines and words."""
    return [
        (difference.id, difference.problem)
        for difference in list_differences(record.theorems, sources, RECORD_FILE)
        if difference.what not in ("line", "sentence") or difference.problem.file not in changed
    ]
