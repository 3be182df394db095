"""Every claim has a mutant that it kills, and every mutant is a slip, not nonsense."""

import pytest

from duizhao.claims import all_claims
from duizhao.claims.measure import measure, ratios
from duizhao.strategies import Target, targets
from tests.mutants import MUTANTS
from tests.mutants.mutant import Mutant

CLAIMS = all_claims()
CASES = 100
PAIRS = [(mutant, id_) for mutant in MUTANTS for id_ in mutant.kills]


def ratios_of(mutant: Mutant, id_: str, target: Target) -> list[float]:
    return ratios(CLAIMS[id_], target, CASES, functions={mutant.replaces: mutant.function})


@pytest.mark.parametrize(("mutant", "id_"), PAIRS, ids=lambda value: getattr(value, "name", value))
def test_mutant_is_killed(mutant: Mutant, id_: str) -> None:
    worst = [max(ratios_of(mutant, id_, target)) for target in targets()]
    assert max(worst) > 1, f"{id_} lets {mutant.name} live: {worst}"


def test_every_claim_kills_a_mutant_of_a_function_that_it_calls() -> None:
    assert MUTANTS
    for id_, claim in CLAIMS.items():
        assert any(id_ in mutant.kills and mutant.replaces in claim.replaces for mutant in MUTANTS), id_


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_right_on_some_input(mutant: Mutant) -> None:
    """A function that is wrong everywhere, such as all zeros or NaN, proves nothing about a claim."""
    least = min(min(ratios_of(mutant, id_, target)) for id_ in mutant.kills for target in targets())
    assert least <= 1


def test_mutant_says_what_the_slip_is() -> None:
    assert all(mutant.says.endswith(".") for mutant in MUTANTS)
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("id_", CLAIMS)
def test_reference_functions_are_no_mutants(id_: str) -> None:
    """With the reference functions given explicitly, the claim holds: the kills come from the slips alone."""
    assert measure(CLAIMS[id_], targets()[0], 50, functions=CLAIMS[id_].replaces).failure is None
