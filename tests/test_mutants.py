"""Every claim has a mutant that it kills, and every mutant is a slip, not nonsense."""

from collections.abc import Callable

import pytest

from duizhao.claims import all_claims
from duizhao.claims.measure import measure, some_case
from duizhao.strategies import targets
from tests.mutants import MUTANTS
from tests.mutants.mutant import Mutant

CLAIMS = all_claims()
CASES = 1000
"""Cases in each dtype among which a mutant must show itself. What Hypothesis draws depends on the modules that are
loaded, so a slip that shows itself in 1 case of 100 needs many more than 100."""

PAIRS = [(mutant, id_) for mutant in MUTANTS for id_ in mutant.kills]


def shows(mutant: Mutant, id_: str, wanted: Callable[[float], bool]) -> bool:
    functions = {mutant.replaces: mutant.function}
    return any(some_case(CLAIMS[id_], target, CASES, wanted, functions=functions) for target in targets())


@pytest.mark.parametrize(("mutant", "id_"), PAIRS, ids=lambda value: getattr(value, "name", value))
def test_mutant_is_killed(mutant: Mutant, id_: str) -> None:
    assert shows(mutant, id_, lambda ratio: not ratio <= 1), f"{id_} lets {mutant.name} live"


def test_every_claim_kills_a_mutant_of_a_function_that_it_calls() -> None:
    assert MUTANTS
    for id_, claim in CLAIMS.items():
        assert any(id_ in mutant.kills and mutant.replaces in claim.replaces for mutant in MUTANTS), id_


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_right_on_some_input(mutant: Mutant) -> None:
    """A function that is wrong everywhere, such as all zeros or NaN, proves nothing about a claim."""
    assert any(shows(mutant, id_, lambda ratio: ratio <= 1) for id_ in mutant.kills)


def test_mutant_says_what_the_slip_is() -> None:
    assert all(mutant.says.endswith(".") for mutant in MUTANTS)
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("id_", CLAIMS)
def test_reference_functions_are_no_mutants(id_: str) -> None:
    """With the reference functions given explicitly, the claim holds: the kills come from the slips alone."""
    assert measure(CLAIMS[id_], targets()[0], 50, functions=CLAIMS[id_].replaces).failure is None
