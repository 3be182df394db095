"""What breaks without each hypothesis of each theorem, kept in `ledger/breaks.json`.

* `breaks_of`: the counterexamples of one theorem, as data.
* `read_breaks`: the file; `python -m duizhao.breaking.all` writes it (`make breaks`).
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from duizhao.breaking.beyond import BEYOND, go_on
from duizhao.breaking.built import described
from duizhao.breaking.drop import Dropped, drop, hypotheses
from duizhao.breaking.render import beyond_data, dropped_data
from duizhao.claims import all_claims
from duizhao.claims.claim import Claim
from duizhao.ledger.lean import LeanSide, lean_side
from duizhao.ledger.project import find_project

FILE = Path("ledger") / "breaks.json"
SCHEMA = 1

PATIENCE = 120.0
"""Seconds that a search may compute: the number of cases ends it, so that the file is the same on every machine."""

ELSEWHERE = ("schema", "id", "name", "page", "seed")
"""What the command says of every hypothesis, and the file once or not at all: pages move."""


def read_breaks(root: Path) -> dict[str, Any]:
    """Return what breaks without each hypothesis, from the project's file.

    Raises:
        ValueError: If there is no such file, or it is not what `make breaks` writes.
    """
    try:
        data = json.loads((root / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{FILE.as_posix()}: not what `make breaks` writes: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise ValueError(f"{FILE.as_posix()}: not what `make breaks` writes: its schema is not {SCHEMA}")
    return data


def entry_of(found: Dropped, claims: Mapping[str, Claim], lean: LeanSide, root: Path) -> dict[str, Any]:
    """Return what came of dropping a hypothesis: what the command says as data, and the case to be judged anew."""
    data = dropped_data(found, claims, lean, root)
    entry = {name: value for name, value in data.items() if name not in ELSEWHERE}
    built = None if found.counterexample is None else described(found.counterexample.built)
    return entry | {"built": built}


def breaks_of(claim: Claim, claims: Mapping[str, Claim], lean: LeanSide, root: Path) -> dict[str, Any] | None:
    """Return the name and sentence of a theorem, and what breaks without each hypothesis; `None` if it has none."""
    names = list(hypotheses(claim))
    if not names:
        return None
    found = [drop(claim, name, seconds=PATIENCE) for name in names]
    return {
        "name": lean.theorems[claim.id].name,
        "sentence": claim.sentence,
        "without": [entry_of(dropped, claims, lean, root) for dropped in found],
    }


def text_of(theorems: Mapping[str, Mapping[str, Any]], beyond: Sequence[Mapping[str, Any]]) -> str:
    """Return the file's text: one hypothesis, or one step after a read, a line."""
    parts = []
    for id_, theorem in theorems.items():
        head = json.dumps({"name": theorem["name"], "sentence": theorem["sentence"]}, ensure_ascii=False)
        parts.append(f'"{id_}": {head[:-1]}, "without": [\n{_lines(theorem["without"])}\n]}}')
    body = ",\n".join(parts)
    return f'{{"schema": {SCHEMA}, "theorems": {{\n{body}\n}}, "beyond": [\n{_lines(beyond)}\n]}}\n'


def _lines(entries: Sequence[Mapping[str, Any]]) -> str:
    return ",\n".join(json.dumps(entry, ensure_ascii=False, allow_nan=False) for entry in entries)


def main(arguments: Sequence[str] | None = None) -> int:
    """Search for counterexamples to every theorem without each hypothesis, and write them; return the exit code.

    The exit code is 1 if a hypothesis may be redundant: it is neither broken nor is it said why not.
    """
    parser = argparse.ArgumentParser(prog="python -m duizhao.breaking.all", description=main.__doc__)
    parser.add_argument("--output", type=Path, default=FILE, help="the file to write")
    options = parser.parse_args(arguments)
    try:
        root = find_project(Path.cwd()).root
    except FileNotFoundError as error:
        parser.error(str(error))
    claims, lean = all_claims(), lean_side(root, "record")
    theorems: dict[str, Mapping[str, Any]] = {}
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True, emoji=False)) as progress:
        for id_, claim in progress.track(claims.items(), description="breaking"):
            found = breaks_of(claim, claims, lean, root)
            if found is not None:
                theorems[id_] = found
    beyond = [beyond_data(go_on(name), lean, root) for name in BEYOND]
    kept = [{name: value for name, value in data.items() if name not in ELSEWHERE} for data in beyond]
    options.output.write_text(text_of(theorems, kept), encoding="utf-8")
    unknown = [
        f"{id_} without {entry['dropped']}"
        for id_, theorem in theorems.items()
        for entry in theorem["without"]
        if entry["possibly_redundant"]
    ]
    for line in unknown:
        print(f"duizhao: {line}: no counterexample was found", file=sys.stderr)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
