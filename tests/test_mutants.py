"""Every claim has a mutant that it kills, and every mutant is a slip, not nonsense."""

import functools
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from flint import arb

from duizhao.claims import all_claims
from duizhao.claims.claim import Claim
from duizhao.claims.measure import measure, some_case
from duizhao.claims.relation import Exact, FailsInFloats, Gap, Restricted, Statistical, Witness, gap
from duizhao.strategies import targets
from tests.mutants import MUTANTS
from tests.mutants.matrix import CASES, FILE, kills, meetings, read_matrix, text_of
from tests.mutants.mutant import Mutant

CLAIMS = all_claims()
MATRIX = read_matrix()
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
KILLS = [(name, id_) for name, row in MATRIX.items() for id_, killed in row.items() if killed]


@pytest.mark.parametrize(("name", "id_"), KILLS)
def test_kill_that_the_matrix_lists_is_made(name: str, id_: str) -> None:
    assert kills(CLAIMS[id_], BY_NAME[name]), f"{id_} lets {name} live: run make matrix"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_killed_by_the_claims_that_must(mutant: Mutant) -> None:
    assert {id_ for id_, killed in MATRIX[mutant.name].items() if killed} >= set(mutant.kills)


def test_matrix_has_every_mutant_and_every_claim_that_it_meets() -> None:
    listed = {(name, id_) for name, row in MATRIX.items() for id_ in row}
    assert listed == {(mutant.name, id_) for mutant, id_ in meetings()}


def test_matrix_is_written_as_it_is_read() -> None:
    found = [(mutant, id_, MATRIX[mutant.name][id_]) for mutant, id_ in meetings()]
    assert text_of(found) == FILE.read_text(encoding="utf-8")


def test_sentences_of_the_matrix_are_those_of_the_mutants() -> None:
    rows = json.loads(FILE.read_text(encoding="utf-8"))["mutants"]
    assert {name: row["says"] for name, row in rows.items()} == {name: BY_NAME[name].says for name in BY_NAME}


def without_a_kill(claims: Mapping[str, Claim], mutants: list[Mutant], cases: int = CASES) -> list[str]:
    """Return the claims that kill none of the mutants that say they must be killed by them."""
    return [
        id_
        for id_, claim in claims.items()
        if not any(
            id_ in mutant.kills and mutant.replaces in claim.replaces and kills(claim, mutant, cases)
            for mutant in mutants
        )
    ]


def test_every_claim_kills_a_mutant_of_a_function_that_it_calls() -> None:
    assert MUTANTS
    assert without_a_kill(CLAIMS, MUTANTS) == []


def test_claim_without_a_mutant_is_found() -> None:
    fewer = [mutant for mutant in MUTANTS if "softmax_const" not in mutant.kills]
    assert without_a_kill({"softmax_const": CLAIMS["softmax_const"]}, fewer) == ["softmax_const"]


def constant(claim: Claim) -> Claim:
    """Return the claim with a body that measures nothing: every case is as near as can be."""

    @functools.wraps(claim.function)
    def measured(_case: Any, **_functions: Any) -> Gap:
        return gap(arb(0), strict_fails=True)

    return replace(claim, function=measured)


@pytest.mark.parametrize("kind", [Exact, FailsInFloats, Restricted, Statistical, Witness])
def test_claim_whose_body_is_a_constant_is_found(kind: type) -> None:
    id_, claim = next((id_, claim) for id_, claim in CLAIMS.items() if isinstance(claim.relation, kind))
    assert without_a_kill({id_: claim}, MUTANTS, 300) == []
    assert without_a_kill({id_: constant(claim)}, MUTANTS, 20) == [id_]


def test_every_constant_body_is_found() -> None:
    idle = {id_: constant(claim) for id_, claim in CLAIMS.items()}
    assert without_a_kill(idle, MUTANTS, 1) == list(CLAIMS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_right_on_some_input(mutant: Mutant) -> None:
    """A function that is wrong everywhere, such as all zeros or NaN, proves nothing about a claim."""
    functions = {mutant.replaces: mutant.function}
    assert any(
        some_case(CLAIMS[id_], target, CASES, lambda ratio: ratio <= 1, functions=functions)
        for id_ in mutant.kills
        for target in targets()
    )


def test_mutant_says_what_the_slip_is() -> None:
    assert all(mutant.says.endswith(".") for mutant in MUTANTS)
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("id_", CLAIMS)
def test_reference_functions_are_no_mutants(id_: str) -> None:
    """With the reference functions given explicitly, the claim holds: the kills come from the slips alone."""
    assert measure(CLAIMS[id_], targets()[0], 50, functions=CLAIMS[id_].replaces).failure is None
