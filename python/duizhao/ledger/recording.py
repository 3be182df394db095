"""Writes the record of a Lean run, `ledger/lean.json`, and its own hash beside it.

* `make_record`: run Lake, and give the record of a project in which nothing is wrong.
* `record_text`: the text of a record: sorted, one file and one theorem a line, the same for the same content.
* `write_record`: the two files, written so that they are never half there.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

from duizhao.ledger.entry import Entry
from duizhao.ledger.lake import run_lake
from duizhao.ledger.problem import BUILD, Problem
from duizhao.ledger.record import (
    HASH_FILE,
    RECORD_FILE,
    SCHEMA,
    SETTINGS,
    Record,
    hash_of,
    load_record,
    versions_of,
)
from duizhao.ledger.sources import Sources, read_sources

HOW = "`lake build`, `lake test` and `lake exe ledger`, run by `duizhao ledger record`"


def make_record(
    root: Path, program: str, *, date: str, silence: float, on_line: Callable[[str], None]
) -> tuple[Record | None, list[Problem]]:
    """Run the `lake` at `program` on the project in `root`; give its record, or None and everything that is wrong.

    There is a record only if every marked theorem is proved in this run. Where nothing but the date is new, the
    date of the record that is there is kept, so that the same run gives the same bytes.
    """
    sources = read_sources(root)
    ran = run_lake(sources, program, silence=silence, on_line=on_line)
    problems = [*sources.problems, *ran.problems]
    problems += [
        Problem(f"`{id_}` is not proved: {verdict.reason}", id_)
        for id_, verdict in ran.verdicts.items()
        if verdict.state != "proved"
    ]
    versions = versions_of(root)
    if None in (versions.toolchain, versions.mathlib, versions.mathlib_rev):
        problems.append(Problem("the versions of Lean and Mathlib cannot be read from the project", BUILD))
    if problems:
        return None, problems
    files = {name: digest for name in _files(sources) if (digest := hash_of(root / name)) is not None}
    theorems = tuple(sorted(ran.entries.values(), key=lambda entry: (entry.module, entry.line)))
    record = Record(date, HOW, versions, files, theorems)
    before = load_record(root).record
    if before is not None:
        kept = Record(before.date, before.how, record.versions, record.files, record.theorems)
        record = kept if before == kept else record
    return record, []


def _files(sources: Sources) -> list[str]:
    return [*SETTINGS, *sorted(sources.files)]


def record_text(record: Record) -> str:
    """Return the text of a record."""
    files = ",\n".join(f"{_json(name)}: {_json(digest)}" for name, digest in record.files.items())
    theorems = ",\n".join(_json(_entry(entry)) for entry in record.theorems)
    mathlib = {"version": record.versions.mathlib, "rev": record.versions.mathlib_rev}
    parts = [
        f'"schema": {SCHEMA}',
        f'"date": {_json(record.date)}',
        f'"how": {_json(record.how)}',
        f'"toolchain": {_json(record.versions.toolchain)}',
        f'"mathlib": {_json(mathlib)}',
        f'"files": {{\n{files}\n}}',
        f'"theorems": [\n{theorems}\n]',
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _entry(entry: Entry) -> dict[str, object]:
    axioms = None if entry.axioms is None else sorted(entry.axioms)
    return {
        "id": entry.id,
        "name": entry.name,
        "module": entry.module,
        "line": entry.line,
        "statement": entry.statement,
        "sentence": entry.sentence,
        "axioms": axioms,
    }


def write_record(root: Path, record: Record) -> bool:
    """Write a record and its own hash below `root`; say whether anything changed."""
    data = record_text(record).encode()
    line = f"{hashlib.sha256(data).hexdigest()}  {Path(RECORD_FILE).name}\n".encode()
    changed = False
    for file, content in ((RECORD_FILE, data), (HASH_FILE, line)):
        changed |= write_whole(root / file, content)
    return changed


def write_whole(path: Path, content: bytes) -> bool:
    """Write a file so that it is never half there; say whether its content is new."""
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(content)
    os.replace(beside, path)
    return True
