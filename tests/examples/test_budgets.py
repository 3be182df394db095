"""Budgets of the worked examples: what is exact, what is not, and for which example they are."""

import dataclasses

import numpy as np
import pytest

from duizhao.examples import example
from duizhao.examples.budgets import budgets, exponential_of_example, numbers_of_example
from duizhao.rounding import arithmetic

FLOAT64, BFLOAT16 = arithmetic("float64"), arithmetic("bfloat16", library="jax")


def test_whole_numbers_have_a_budget_unless_they_count_as_exact() -> None:
    work = example("red-key")
    for name in ("X", "Q", "K", "V", "D"):
        assert np.all(budgets(work, FLOAT64)[name] > 0)
        assert np.all(budgets(work, FLOAT64, whole_are_exact=True)[name] == 0)


@pytest.mark.parametrize("name", ["S", "A", "O"])
def test_what_is_no_whole_number_always_has_a_budget(name: str) -> None:
    tight, loose = (
        budgets(example("red-key"), FLOAT64, whole_are_exact=whole)[name] for whole in (True, False)
    )
    assert np.all((tight > 0) & (tight < loose))


def test_fractions_are_not_exact() -> None:
    found = budgets(example("two-values-exercise"), FLOAT64, whole_are_exact=True)
    assert np.all(found["A"] > 0)
    assert np.all(found["V"] == 0)


def test_whole_numbers_of_too_many_digits_are_not_exact() -> None:
    four_digits = dataclasses.replace(FLOAT64, u=1 / 16, accumulator=1 / 16)
    found = budgets(example("one-query"), four_digits, whole_are_exact=True)
    assert np.all(found["Q"] == 0)
    assert np.all(found["V"] > 0)


def test_bounds_by_name_follow_the_dtype() -> None:
    assert numbers_of_example("one-query", FLOAT64).shape == (4,)
    assert np.all(numbers_of_example("one-query", BFLOAT16) > numbers_of_example("one-query", FLOAT64))
    assert exponential_of_example("red-key", BFLOAT16) > exponential_of_example("red-key", FLOAT64) > 0
