"""What is computed, what is true, and the bound between them."""

from fractions import Fraction
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given
from numpy.typing import NDArray
from tests.trace.running import trace

from duizhao.exact import ends, precision
from duizhao.examples import example, examples
from duizhao.examples.budgets import budgets as budgets_of_check
from duizhao.rounding import arithmetic
from duizhao.trace import floats
from duizhao.trace.calculation import Calculation, calculate
from duizhao.trace.files import Numbers, Raw
from duizhao.trace.problem import of_example, of_input

DTYPES = ("float64", "float32", "float16")
MODERATE = st.floats(-8, 8, width=16)
WIDE = st.builds(lambda number, power: number * 2.0**power, MODERATE, st.integers(-30, 30))


def raw(**matrices: Any) -> Raw:
    """Input with matrices."""
    return Raw({name: Numbers(np.array(rows, dtype=np.float64), name) for name, rows in matrices.items()})


def of(dtype: str = "float64", **given_parts: Any) -> Calculation:
    """The calculation of some input; lower-case names are no matrices."""
    parts = raw(**{name: rows for name, rows in given_parts.items() if name.isupper()})
    for name, value in given_parts.items():
        if not name.isupper():
            setattr(parts, name, value)
    return calculate(of_input(parts, "here"), dtype)


def true(calculation: Calculation, matrix: str, row: int, column: int) -> tuple[Fraction, Fraction]:
    """The ends of the enclosure of an entry."""
    with precision(4096):
        return ends(calculation.results[matrix].exact[row, column])


@st.composite
def inputs(draw: st.DrawFn) -> Raw:
    """Queries, keys and values of any small sizes, with or without mask, temperature and scale."""
    queries, keys, width, out = (draw(st.integers(1, 4)) for _ in range(4))
    numbers = draw(st.sampled_from([MODERATE, WIDE]))

    def rows(height: int, across: int) -> st.SearchStrategy[list[list[float]]]:
        return st.lists(st.lists(numbers, min_size=across, max_size=across), min_size=height, max_size=height)

    found = raw(Q=draw(rows(queries, width)), K=draw(rows(keys, width)), V=draw(rows(keys, out)))
    flags = st.lists(st.booleans(), min_size=keys, max_size=keys)
    mask = draw(st.none() | st.lists(flags, min_size=queries, max_size=queries))
    found.mask = None if mask is None else np.array(mask)
    found.temperature = draw(st.none() | st.floats(0.25, 64))
    found.scale = draw(st.none() | st.floats(-4, 4, width=16).filter(lambda scale: abs(scale) > 1e-3))
    return found


def largest(found: Raw) -> float:
    """A bound on every number of the calculation."""
    query, key, value = (np.abs(found.matrices[name].array) for name in "QKV")
    scale = max(abs(found.scale or 0.0), 1.0)
    return float(max(part.max() for part in (query, key, value, query @ key.T * scale)))


@pytest.mark.parametrize("dtype", DTYPES)
@given(found=inputs())
def test_every_error_is_within_its_budget(dtype: str, found: Raw) -> None:
    assume(dtype != "float16" or largest(found) < 60_000)
    calculation = calculate(of_input(found, "here"), dtype)
    assert not calculation.over_budget
    for name, result in calculation.results.items():
        assert (result.budget is None) == (result.no_budget is not None), name
        assert np.isfinite(result.error).all(), name


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", list(examples()))
def test_every_example_is_within_its_budgets_and_no_budget_is_missing(name: str, dtype: str) -> None:
    calculation = calculate(of_example(example(name)), dtype)
    assert not calculation.over_budget
    assert all(result.budget is not None for result in calculation.results.values())


def test_float32_is_not_within_the_budgets_of_float64() -> None:
    wide, narrow = (calculate(of_example(example("red-key")), dtype) for dtype in ("float64", "float32"))
    budget = wide.results["A"].budget
    assert budget is not None
    assert (narrow.results["A"].error > budget).all()


@pytest.mark.parametrize("name", list(examples()))
def test_budgets_are_no_larger_than_those_of_check(name: str) -> None:
    one = example(name)
    calculation = calculate(of_example(one), "float64")
    with precision(192):
        theirs = budgets_of_check(one, arithmetic("float64"))
    for matrix, bound in theirs.items():
        ours = calculation.results[matrix].budget
        assert ours is not None
        assert (ours.reshape(bound.shape) <= bound * (1 + 2.0**-40) + 2.0**-1000).all(), matrix


@given(found=inputs())
def test_dot_products_and_outputs_are_enclosed_where_fractions_have_them(found: Raw) -> None:
    calculation = calculate(of_input(found, "here"), "float64")
    query, key = ([[Fraction(x) for x in row] for row in found.matrices[name].array] for name in "QK")
    for row, one in enumerate(query):
        for column, other in enumerate(key):
            low, high = true(calculation, "D", row, column)
            assert low <= sum(x * y for x, y in zip(one, other, strict=True)) <= high


@given(found=inputs())
def test_rows_of_true_weights_sum_to_one_or_read_nothing(found: Raw) -> None:
    calculation = calculate(of_input(found, "here"), "float64")
    for row, weights in enumerate(calculation.results["A"].exact):
        empty = found.mask is not None and not isinstance(found.mask, str) and not found.mask[row].any()
        with precision(300):
            gap = abs(weights.sum() - (0 if empty else 1))
        assert gap <= 2.0**-150


def test_weights_given_as_floats_are_read_exactly() -> None:
    calculation = of(A=[[0.1, 0.2]], V=[[0.3], [0.7]])
    low, high = true(calculation, "O", 0, 0)
    truth = Fraction(0.1) * Fraction(0.3) + Fraction(0.2) * Fraction(0.7)
    assert low <= truth <= high
    error = abs(Fraction(float(calculation.results["O"].computed[0, 0])) - truth)
    assert error <= Fraction(float(calculation.results["O"].error[0, 0])) <= error * Fraction(1 + 2.0**-40)


def test_numbers_of_a_lesson_that_are_no_floats_have_the_error_of_their_rounding() -> None:
    result = calculate(of_example(example("two-values-exercise")), "float16").results["A"]
    error = abs(Fraction(float(np.float16(0.2))) - Fraction(1, 5))
    assert error <= Fraction(float(result.error[0, 0])) <= error * Fraction(1 + 2.0**-40)


def test_given_floats_have_no_error_after_they_were_rounded_to_the_dtype() -> None:
    calculation = of("float16", A=[[0.1, 0.9]], V=[[1.0], [2.0]])
    assert calculation.results["A"].computed.tolist() == [[float(np.float16(0.1)), float(np.float16(0.9))]]
    assert not calculation.results["A"].error.any()


def test_equal_scores_have_weights_whose_truth_is_exact() -> None:
    calculation = of(Q=[[1.0, 2.0, 3.0]], K=[[1.0, 1.0, 1.0]] * 4, V=[[1.0]] * 4)
    assert true(calculation, "A", 0, 0) == (Fraction(1, 4), Fraction(1, 4))
    assert not calculation.results["A"].error.any()


def test_exponentials_are_shifted_only_where_they_would_leave_the_range() -> None:
    def scores(largest: float) -> Calculation:
        return of("float32", Q=[[1.0]], K=[[largest], [0.0]], V=[[1.0], [2.0]])

    assert not scores(80.0).shifted
    assert scores(80.0).results["E"].formula == "exp(S)"
    assert scores(90.0).shifted
    assert scores(90.0).results["E"].formula == "exp(S − largest of the row)"
    assert scores(90.0).results["E"].computed[0, 0] == 1
    assert scores(90.0).results["A"].computed[0, 0] == 1


def test_scores_of_any_size_have_enclosed_weights_or_a_clear_error() -> None:
    calculation = of(Q=[[1e150]], K=[[1e150], [1e150], [-1e150]], V=[[1.0], [3.0], [5.0]])
    assert calculation.results["A"].computed.tolist() == [[0.5, 0.5, 0.0]]
    low, high = true(calculation, "A", 0, 0)
    assert Fraction(1, 2) - Fraction(2.0**-150) <= low <= high <= Fraction(1, 2) + Fraction(2.0**-150)
    assert calculation.results["A"].budget is None
    assert calculation.results["A"].no_budget is not None
    assert calculation.results["O"].no_budget == "there is none for A"


@pytest.mark.parametrize("matrix", ["D", "A", "O"])
def test_a_wrong_entry_is_over_its_budget_and_exits_1(matrix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compute = floats.compute

    def wrong(*arguments: Any) -> dict[str, NDArray[Any]]:
        computed = compute(*arguments)
        computed[matrix] = computed[matrix] * np.float64(1 + 2.0**-40)
        return computed

    monkeypatch.setattr(floats, "compute", wrong)
    outcome = trace("red-key")
    assert outcome.code == 1
    assert f"Over the budget: {matrix}." in outcome.out.splitlines()[-1]
    assert "of its budget at worst: over its budget" in outcome.out
    assert outcome.err == ""


def test_score_that_is_masked_takes_no_budget_away() -> None:
    masked = of(
        Q=[[1.0]], K=[[1e30], [1.0]], V=[[1.0], [2.0]], mask=np.array([[False, True]]), temperature=0.01
    )
    assert all(result.no_budget is None for result in masked.results.values())
    assert not masked.over_budget
