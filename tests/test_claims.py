"""Every claim, on the reference functions; and every guard of the machinery that runs them."""

import dataclasses
import math
import os
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from flint import arb
from hypothesis import settings

from duizhao import exact, rounding
from duizhao.claims import all_claims
from duizhao.claims.claim import Claim, claim
from duizhao.claims.measure import judge, measure, measure_all
from duizhao.claims.relation import Budget, Exact, FailsInFloats, Gap, Restricted, gap, positive_part
from duizhao.ledger.project import find_project
from duizhao.ledger.sources import read_sources
from duizhao.strategies import Target, scores, targets
from duizhao.strategies.rows import ScoreRow
from duizhao.strategies.scores import few_keys

CLAIMS = all_claims()
FLOAT64 = Target("float64")

OTHER_SHARE = {"array_api_strict": 10, "jax": 33, "torch": 10}
"""One in how many of the examples is tried in a library other than NumPy."""

OTHER_LIBRARIES = [
    *targets("array_api_strict", ["float64", "float32"]),
    *targets("jax", ["float32"] if os.environ.get("DUIZHAO_PROFILE", "ci") == "ci" else None),
    *(targets("torch") if find_spec("torch") else ()),
]
"""JAX compiles every operation for every shape and dtype, so that only a thorough run tries all of its dtypes."""


def found_theorems() -> dict[str, str]:
    sources = read_sources(find_project(Path(__file__).parent).root)
    return {theorem.id: theorem.topic for theorem in sources.theorems.values()}


@pytest.mark.parametrize("target", targets(), ids=lambda target: target.name)
@pytest.mark.parametrize("id_", CLAIMS)
def test_claim_holds_on_the_reference_functions(id_: str, target: Target) -> None:
    cases = settings().max_examples
    measured = measure(CLAIMS[id_], target, cases)
    assert measured.failure is None
    assert measured.cases >= cases / 2


@pytest.mark.parametrize("target", OTHER_LIBRARIES, ids=lambda target: target.name)
@pytest.mark.parametrize("id_", CLAIMS)
def test_claim_holds_in_other_libraries(id_: str, target: Target) -> None:
    """Few keys, so that JAX meets few shapes and compiles little."""
    cases = settings().max_examples // OTHER_SHARE[target.library]
    with few_keys(whole=False):
        assert measure(CLAIMS[id_], target, cases).failure is None


def test_every_theorem_has_a_claim_in_its_topic() -> None:
    theorems = found_theorems()
    assert theorems
    assert {id_: found.topic for id_, found in CLAIMS.items()} == theorems


def test_every_hypothesis_has_a_sentence() -> None:
    texts = [text for found in CLAIMS.values() for text in found.hypotheses.values()]
    assert texts
    assert all(texts)


def row(*values: float) -> ScoreRow:
    return ScoreRow(FLOAT64, FLOAT64.array(list(values)))


def softmax_claim(relation: object, **options: object) -> Claim:
    def measured(case: ScoreRow, softmax: object = None) -> Gap:
        """A sentence."""
        del softmax
        return gap(abs(exact.balls(case.scores)), strict_fails=False)

    return claim(relation=relation, cases=scores.score_rows(), **options)(measured)  # type: ignore[arg-type]


def half(u: float) -> float:
    """Return a bound that no score above 1/2 keeps."""
    return 0.5 + 0 * u


def test_a_case_that_violates_a_hypothesis_is_an_error() -> None:
    found = CLAIMS["softmax_lt_one"]
    with pytest.raises(ValueError, match=r"violates Nontrivial: scores = \[0.0\]"):
        judge(found, row(0.0))


def test_a_case_outside_of_the_restriction_is_an_error() -> None:
    with pytest.raises(ValueError, match="violates the restriction"):
        judge(CLAIMS["log_softmax_div"], row(0.0, -746.0))


@pytest.mark.parametrize("bound", [math.inf, 0.0, math.nan, -1.0])
def test_a_bound_that_passes_anything_or_nothing_is_an_error(bound: float) -> None:
    def useless(u: float) -> float:
        return bound + 0 * u

    with pytest.raises(ValueError, match="is not a bound"):
        Budget(useless).ratio(row(0.0), gap(arb(0)))


def test_a_missing_number_is_infinitely_far() -> None:
    assert Exact().ratio(row(0.0), gap(arb.nan())) == math.inf
    assert Budget(half).ratio(row(0.0), gap(positive_part(arb.nan()))) == math.inf


def test_a_gap_without_elements_is_an_error() -> None:
    with pytest.raises(ValueError, match="without elements"):
        gap(np.empty(0, dtype=object))


def test_a_claim_that_fails_is_reported_with_the_smallest_case() -> None:
    measured = measure(softmax_claim(Budget(half)), FLOAT64, 100)
    assert measured.failure is not None
    assert re.search(r"times its budget from the theorem: scores = \[[^,]+\], key = 0$", measured.failure)
    assert not measured.ok


def test_a_claim_that_raises_is_reported_with_its_error() -> None:
    def broken(scores: object) -> object:
        raise RuntimeError(f"out of order at {scores}")

    measured = measure(CLAIMS["softmax_pos"], FLOAT64, 10, functions={"softmax": broken})
    assert measured.failure is not None
    assert "RuntimeError: out of order at [0.]; on scores = [0.0], key = 0" in measured.failure


def test_a_strategy_without_cases_is_a_failure() -> None:
    found = dataclasses.replace(
        CLAIMS["softmax_pos"],
        cases=lambda target: scores.score_rows()(target).filter(lambda case: case.n < 1),
    )
    assert measure(found, FLOAT64, 10).failure == "no case was drawn"


def test_a_witness_that_no_longer_fails_is_a_failure() -> None:
    found = softmax_claim(FailsInFloats(lambda _: row(0.0, 0.0), Budget(lambda tiny: 1e308 + tiny)))
    measured = measure(dataclasses.replace(found, cases=scores.score_rows(safe=True)), FLOAT64, 5)
    assert measured.failure == "the witness no longer fails: scores = [0.0, 0.0], key = 0"


def test_a_witness_that_violates_a_hypothesis_is_a_failure() -> None:
    found = CLAIMS["softmax_lt_one"]
    relation = FailsInFloats(lambda _: row(0.0), Exact())
    measured = measure(dataclasses.replace(found, relation=relation), FLOAT64, 5)
    assert measured.failure == "the witness violates Nontrivial: scores = [0.0], key = 0"


def test_a_case_outside_of_a_restriction_that_passes_is_a_failure() -> None:
    found = CLAIMS["log_softmax_div"]
    inside = Restricted(rounding.log_odds, lambda _: True, lambda _: row(0.0, -1.0))
    assert "is inside" in str(measure(dataclasses.replace(found, relation=inside), FLOAT64, 5).failure)
    passing = Restricted(rounding.log_odds, lambda case: case.n != 7, lambda _: row(*[0.0] * 7))
    kept = dataclasses.replace(
        found,
        relation=passing,
        cases=lambda target: scores.score_rows(safe=True)(target).filter(lambda case: case.n != 7),
    )
    assert "no longer fails" in str(measure(kept, FLOAT64, 5).failure)


def test_no_cases_is_wrong_use() -> None:
    with pytest.raises(ValueError, match="cases: must be at least 1, got 0"):
        measure(CLAIMS["softmax_pos"], FLOAT64, 0)


def test_the_same_seed_measures_the_same() -> None:
    first, second = (measure(CLAIMS["read_mem_Icc"], FLOAT64, 30, seed_value=3) for _ in range(2))
    assert first == second
    assert first.slack != measure(CLAIMS["read_mem_Icc"], FLOAT64, 30, seed_value=4).slack


def test_workers_measure_as_one_process_does() -> None:
    chosen = [CLAIMS["softmax_const"], CLAIMS["read_zero"]]
    assert list(measure_all(chosen, 20, workers=2)) == list(measure_all(chosen, 20, workers=1))


def test_equal_values_leave_the_interval_in_floats() -> None:
    """`u = v` is off by a rounding in a few percent of draws: the claim is a budget, not exact.

    The weights use all their digits; on multiples of 2⁻⁵³, as uniform generators give them, it does not show.
    """
    generator = np.random.default_rng(0)
    first, weight = generator.uniform(-1, 1, 20_000), np.exp(-generator.exponential(1, 20_000))
    off = (weight * first + (1 - weight) * first != first).mean()
    assert 0.03 <= off <= 0.06


def test_a_strategy_that_raises_is_a_failure() -> None:
    def raising(target: Target) -> object:
        def draw(case: object) -> object:
            raise KeyError(f"no such thing for {target.name}: {case is not None}")

        return scores.score_rows()(target).map(draw)

    found = dataclasses.replace(CLAIMS["softmax_pos"], cases=raising)  # type: ignore[arg-type]
    assert (
        measure(found, FLOAT64, 10).failure
        == "cases cannot be drawn: KeyError: 'no such thing for float64: True'"
    )
