"""What Lean states: from the record for theorems, from the source for definitions."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def statement(name: str) -> str:
    """Return the statement of a theorem, or with `def` in front the source of a definition.

    Raises:
        LookupError: If there is none.
    """
    if name.startswith("def "):
        source = (ROOT / "lean/NeuralNetworks/Examples.lean").read_text(encoding="utf-8")
        found = re.search(rf"^{name} :.*$", source, re.MULTILINE)
        if found is None:
            raise LookupError(name)
        return found[0]
    record = json.loads((ROOT / "ledger/lean.json").read_text(encoding="utf-8"))
    for theorem in record["theorems"]:
        if theorem["id"] == name:
            return str(theorem["statement"])
    raise LookupError(name)


def literals(lean: str) -> list[list[list[str]]]:
    """Return the entries of every matrix literal `!![a, b; c, d]`, as closed forms."""
    entries = lean.replace("Examples.", "").replace("^", "**")
    return [
        [[" ".join(entry.split()) for entry in row.split(",")] for row in literal.split(";")]
        for literal in re.findall(r"!!\[([^\]]*)\]", entries)
    ]
