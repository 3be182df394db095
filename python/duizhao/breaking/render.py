"""What `duizhao break` found, for a reader and as data.

* `dropped_lines`, `beyond_lines`: sentences for the terminal.
* `dropped_data`, `beyond_data`: the same as JSON values; `SCHEMA` is the version of their form.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from duizhao.breaking.beyond import BEYOND, Beyond
from duizhao.breaking.drop import Dropped, hypotheses
from duizhao.claims.claim import Claim, proofs
from duizhao.ledger.lean import LeanSide
from duizhao.ledger.pages import Pages

SCHEMA = 1


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}" if value.is_integer() and abs(value) < 1e15 else f"{value!r}"
    if isinstance(value, dict):
        return "{" + _told(value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_number(item) for item in value) + "]"
    return str(value)


def _told(numbers: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_number(value)}" for name, value in numbers.items())


def _address(root: Path, lean: LeanSide, id_: str) -> str | None:
    theorem = lean.theorems.get(id_)
    return None if theorem is None else Pages.of(root).address(theorem.topic, id_)


def _first_address(root: Path, lean: LeanSide, ids: Iterable[str]) -> str | None:
    """Return the address of the first of some theorems that has a page."""
    return next((page for id_ in ids if (page := _address(root, lean, id_)) is not None), None)


def _full_name(lean: LeanSide, id_: str) -> str:
    theorem = lean.theorems.get(id_)
    return id_ if theorem is None else theorem.name


def dropped_lines(found: Dropped, claims: Mapping[str, Claim], lean: LeanSide, root: Path) -> Iterator[str]:
    """Yield what came of dropping a hypothesis, line by line."""
    claim, name = found.claim, found.hypothesis
    says = hypotheses(claim)[name].rstrip(".")
    yield f"{claim.id} without {name} ({says})"
    if found.counterexample is not None:
        example = found.counterexample
        yield f"  {_told(example.case)}:"
        yield f"  {_told(example.outputs)}; {example.says}" if example.outputs else f"  {example.says}"
    elif found.reason is not None:
        yield f"  no counterexample exists: {found.reason}"
    else:
        yield "  no counterexample was found: the hypothesis may be redundant"
    for id_ in proofs(claims, claim.id, name):
        yield f"Lean proves that {name} is needed: {_full_name(lean, id_)}"
    page = _first_address(root, lean, (*proofs(claims, claim.id, name), claim.id))
    if page is not None:
        yield f"Page: {page}"


def dropped_data(found: Dropped, claims: Mapping[str, Claim], lean: LeanSide, root: Path) -> dict[str, Any]:
    """Return what came of dropping a hypothesis as JSON values."""
    example = found.counterexample
    needed = proofs(claims, found.claim.id, found.hypothesis)
    return {
        "schema": SCHEMA,
        "id": found.claim.id,
        "name": _full_name(lean, found.claim.id),
        "dropped": found.hypothesis,
        "hypothesis": hypotheses(found.claim)[found.hypothesis],
        "seed": found.seed,
        "counterexample": None
        if example is None
        else {
            "case": dict(example.case),
            "outputs": dict(example.outputs),
            "amount": example.amount,
            "says": example.says,
        },
        "possibly_redundant": example is None and found.reason is None,
        "reason": found.reason,
        "proved_needed_by": [_full_name(lean, id_) for id_ in needed],
        "page": _first_address(root, lean, (*needed, found.claim.id)),
    }


def beyond_lines(found: Beyond, lean: LeanSide, root: Path) -> Iterator[str]:
    """Yield what leaves the range after one read, line by line."""
    following, outcome = BEYOND[found.name], found.outcome
    yield f"read_mem_Icc, then {following.title}"
    yield f"  {_told(found.numbers)}:"
    yield (
        f"  the values lie in [{_number(outcome.low)}, {_number(outcome.high)}], "
        f"the result is {_number(outcome.output.tolist())}: outside by {_number(outcome.leaves_by)}"
    )
    yield f"What survives: {following.survives}"
    yield f"  {_told(found.survivor)}"
    yield f"Lean proves it: {', '.join(_full_name(lean, id_) for id_ in following.kept_by)}"
    if following.refuted_by:
        yield f"Lean proves that the range is not kept: {', '.join(_full_name(lean, i) for i in following.refuted_by)}"
    page = _first_address(root, lean, (*following.refuted_by, *following.kept_by))
    if page is not None:
        yield f"Page: {page}"


def beyond_data(found: Beyond, lean: LeanSide, root: Path) -> dict[str, Any]:
    """Return what leaves the range after one read as JSON values."""
    following, outcome = BEYOND[found.name], found.outcome
    return {
        "schema": SCHEMA,
        "id": "read_mem_Icc",
        "then": found.name,
        "title": following.title,
        "numbers": dict(found.numbers),
        "range": [outcome.low, outcome.high],
        "steps": dict(outcome.steps),
        "result": outcome.output.tolist(),
        "outside_by": outcome.leaves_by,
        "survives": following.survives,
        "survivor": dict(found.survivor),
        "kept_by": [_full_name(lean, id_) for id_ in following.kept_by],
        "refuted_by": [_full_name(lean, id_) for id_ in following.refuted_by],
        "page": _first_address(root, lean, (*following.refuted_by, *following.kept_by)),
    }
