"""Everything that is known of one result, for `duizhao explain`.

* `explain`: a result as JSON values.
* `lines`: the same for a reader.
"""

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from duizhao.claims.claim import Claim, proofs
from duizhao.claims.slack import SlackRecord
from duizhao.ledger.data import lean_data
from duizhao.ledger.pages import Pages
from duizhao.ledger.pins import indented
from duizhao.ledger.project import package_folder
from duizhao.ledger.row import Row


def explain(root: Path, row: Row, claims: Mapping[str, Claim], slack: SlackRecord | None) -> dict[str, Any]:
    """Return what the sources, the record, the claim, the measured slack and the page say of one result."""
    return {
        "id": row.id,
        "topic": row.topic,
        "state": row.state,
        "sentence": row.sentence,
        "formula": Pages.of(root).formula(root, row.topic, row.id),
        "lean": None if row.lean is None else lean_data(row.lean),
        "claim": None if row.claim is None else _claim(row.claim, slack),
        "hypotheses": [] if row.claim is None else _hypotheses(row.claim, claims),
        "refutes": []
        if row.claim is None
        else [{"id": id_, "hypothesis": name} for id_, name in row.claim.refutes],
        "page": row.page,
        "problems": [finding.text for finding in (*row.findings, *row.others)],
    }


def _claim(claim: Claim, slack: SlackRecord | None) -> dict[str, Any]:
    code = inspect.unwrap(claim.function).__code__
    bound = None if claim.budget is None else claim.budget.bound
    measured = {} if slack is None else slack.claims.get(claim.id, {})
    return {
        "file": f"duizhao/{Path(code.co_filename).relative_to(package_folder()).as_posix()}",
        "line": code.co_firstlineno,
        "notes": claim.notes,
        "relation": claim.relation.word,
        "budget": None
        if bound is None
        else {"name": f"{bound.__module__}.{bound.__qualname__}", "says": _first(bound)},
        "slack": {dtype: {"cases": found.cases, "worst": found.worst} for dtype, found in measured.items()},
        "outside": claim.outside,
    }


def _first(function: Any) -> str:
    return " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())


def _hypotheses(claim: Claim, claims: Mapping[str, Claim]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "says": says,
            "counterexamples": proofs(claims, claim.id, name),
            "none_because": claim.without.get(name),
            "command": f"duizhao break {claim.id} --drop {name}",
        }
        for name, says in claim.hypotheses.items()
    ]


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield what `explain` gives, line by line."""
    yield f"{found['id']} ({found['topic']}, {found['state']})"
    yield f"  {found['sentence']}"
    if found["formula"]:
        yield f"Formula, in TeX: {found['formula']}"
    yield from _lean_lines(found["lean"])
    yield from _hypothesis_lines(found["hypotheses"])
    for refuted in found["refutes"]:
        yield f"Proves that {refuted['hypothesis']} is needed in {refuted['id']}"
    yield from _claim_lines(found["claim"])
    yield f"Page: {found['page'] or 'none here'}"
    for problem in found["problems"]:
        yield f"✗ {problem}"


def _lean_lines(lean: Mapping[str, Any] | None) -> Iterator[str]:
    if lean is None:
        yield "Lean: no theorem of that name"
        return
    yield f"Lean: {lean['file']}:{lean['line']}, {lean['state']}: {lean['reason']}"
    if lean["statement"] is not None:
        yield indented(lean["statement"])
    axioms = lean["axioms"]
    if axioms is None:
        yield "Axioms: not collected"
    else:
        yield f"Axioms: {', '.join(axioms) or 'none'}"


def _hypothesis_lines(hypotheses: list[dict[str, Any]]) -> Iterator[str]:
    if not hypotheses:
        yield "Hypotheses: none by name"
        return
    yield "Hypotheses"
    for one in hypotheses:
        yield f"  {one['name']}: {one['says']}"
        if one["counterexamples"]:
            yield f"    needed, as Lean proves: {', '.join(one['counterexamples'])}"
        if one["none_because"]:
            yield f"    no counterexample without it: {one['none_because']}"
        yield f"    the smallest numbers without it: {one['command']}"


def _claim_lines(claim: Mapping[str, Any] | None) -> Iterator[str]:
    if claim is None:
        yield "Claim: none"
        return
    yield f"Claim: {claim['file']}:{claim['line']}, relation: {claim['relation']}"
    yield from (f"    {line}".rstrip() for line in claim["notes"].splitlines())
    if claim["budget"] is not None:
        yield f"Budget: {claim['budget']['name']}: {claim['budget']['says']}"
    for dtype, slack in claim["slack"].items():
        yield f"Slack {dtype}: worst {slack['worst']:.2f}, {slack['cases']:,} cases"
    if claim["budget"] is None:
        yield "Slack: none, since there is no budget to compare with"
    elif not claim["slack"]:
        yield "Slack: not measured"
