"""Compares what Lean says now with what the record says: the second witness next to `duizhao check`.

    lake exe ledger > now.json
    python3 scripts/same_theorems.py ledger/lean.json now.json

Both lists must hold the same theorems with the same id, module, line, statement, sentence and axioms, and
Lean may name no axiom beyond the three that it and Mathlib stand on. A theorem whose axioms were not
collected for the record (`null`) is compared in everything else. Needs Python alone. Exits 0 (the same),
1 (a difference, printed) or 2 (a file that cannot be read as such a list).
"""

import json
import sys
from pathlib import Path

FIELDS = ("id", "module", "line", "statement", "sentence", "axioms")
ALLOWED = {"Classical.choice", "Quot.sound", "propext"}

Theorem = dict[str, object]


def theorems(path: Path) -> dict[str, Theorem]:
    """The theorems of a record or of Lean's list, by name.

    Raises:
        ValueError: the file is not such a list, the list is empty, or a name is there twice.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: not JSON: {error}") from error
    entries = data.get("theorems") if isinstance(data, dict) else data
    if not isinstance(entries, list) or not entries:
        raise ValueError(f"{path}: a list of theorems is needed, with at least one")
    by_name: dict[str, Theorem] = {}
    for entry in entries:
        if not isinstance(entry, dict) or not {"name", *FIELDS} <= entry.keys():
            raise ValueError(f"{path}: a theorem needs name, {', '.join(FIELDS)}; got {entry!r}")
        if entry["name"] in by_name:
            raise ValueError(f"{path}: {entry['name']} is there twice")
        by_name[entry["name"]] = entry
    return by_name


def differences(recorded: dict[str, Theorem], now: dict[str, Theorem]) -> list[str]:
    """One line for each difference, in the order of the record, then in that of Lean."""
    found = []
    for name, entry in recorded.items():
        if name not in now:
            found.append(f"{name}: in the record, not in Lean")
            continue
        for field in FIELDS:
            said, says = entry[field], now[name][field]
            if said != says and not (field == "axioms" and said is None):
                found.append(f"{name}: {field}:\n  record  {said}\n  Lean    {says}")
    for name, entry in now.items():
        axioms = entry["axioms"]
        if not isinstance(axioms, list) or not set(axioms) <= ALLOWED:
            found.append(f"{name}: rests on {axioms}; allowed are {sorted(ALLOWED)}")
        if name not in recorded:
            found.append(f"{name}: in Lean, not in the record")
    return found


def main(arguments: list[str]) -> int:
    """Compare the two files named on the command line, print the differences, give the exit code."""
    if len(arguments) != 2:
        print("usage: same_theorems.py ledger/lean.json now.json", file=sys.stderr)
        return 2
    try:
        recorded, now = (theorems(Path(argument)) for argument in arguments)
    except (OSError, ValueError) as error:
        print(f"same_theorems: {error}", file=sys.stderr)
        return 2
    found = differences(recorded, now)
    for line in found:
        print(line)
    print(f"{len(recorded)} theorems in the record, {len(now)} in Lean, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
