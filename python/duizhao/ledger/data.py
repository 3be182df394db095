"""The ledger as JSON values, in the form that `check.schema.json` beside this module describes.

* `data`: a ledger as values; `SCHEMA` is the version of their form.
* `schema`: the JSON Schema.
"""

import json
from importlib import resources
from typing import Any

from duizhao.ledger.check import Ledger
from duizhao.ledger.lean import LeanTheorem
from duizhao.ledger.render import verdict
from duizhao.ledger.row import Finding, Row
from duizhao.strategies import targets

SCHEMA = 1


def schema() -> dict[str, Any]:
    """Return the JSON Schema of what `data` gives."""
    text = resources.files("duizhao.ledger").joinpath("check.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def lean_data(lean: LeanTheorem) -> dict[str, Any]:
    """Return what Lean says of a theorem as JSON values."""
    return {
        "name": lean.name,
        "file": lean.file,
        "line": lean.line,
        "state": lean.state,
        "reason": lean.reason,
        "statement": lean.statement,
        "axioms": None if lean.axioms is None else list(lean.axioms),
    }


def _row(ledger: Ledger, row: Row) -> dict[str, Any]:
    lean, claim = row.lean, row.claim
    return {
        "id": row.id,
        "topic": row.topic,
        "state": row.state,
        "lean": None if lean is None else lean_data(lean),
        "sentence": row.sentence,
        "relation": row.relation,
        "budget": claim.budget.bound.__name__ if claim is not None and claim.budget is not None else None,
        "hypotheses": claim.hypotheses if claim is not None else None,
        "measurements": [
            {
                "dtype": measurement.target,
                "cases": measurement.cases,
                "slack": measurement.slack,
                "failure": measurement.failure,
            }
            for measurement in row.measurements
        ],
        "worst_slack": {target.name: ledger.worst(row, target.name) for target in targets()}
        if claim is not None
        else {},
        "page": row.page,
    }


def data(ledger: Ledger) -> dict[str, Any]:
    """Return the ledger as JSON values, in the form of version `SCHEMA`."""
    lean = ledger.lean
    return {
        "schema": SCHEMA,
        "ok": ledger.ok,
        "headline": ledger.headline(),
        "verdict": verdict(ledger),
        "states": ledger.counts,
        "topics": None if ledger.topics is None else list(ledger.topics),
        "notes": list(ledger.notes),
        "lean": {
            "source": lean.source,
            "mode": lean.mode,
            "date": lean.date,
            "toolchain": lean.toolchain,
            "mathlib": lean.mathlib,
            "how": lean.how,
            "notes": [{"where": note.where, "text": str(note)} for note in lean.notes],
        },
        "cases": ledger.cases,
        "seed": ledger.seed,
        "slack": None
        if ledger.slack is None
        else {
            "date": ledger.slack.date,
            "versions": dict(ledger.slack.versions),
            "least_cases": ledger.slack.least,
        },
        "results": [_row(ledger, row) for row in ledger.rows],
        "examples": [
            {"name": work.example, "dtype": work.dtype, "elements": work.elements, "slack": work.slack}
            for work in ledger.worked
        ],
        "problems": [_finding(finding) for finding in ledger.findings],
    }


def _finding(finding: Finding) -> dict[str, str]:
    return {"where": finding.where, "text": finding.text}
