"""The budgets: their assumptions measured, their algebra against the worst case in exact fractions, their refusals."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from duizhao import exact, rounding
from duizhao.softmax import softmax
from duizhao.strategies.case import Target

SIGNS = (-1, 1)


ROUNDED = 1 + Fraction(1, 2**50)
"""A bound is itself computed in float64, with a few roundings."""


@pytest.mark.parametrize("dtype", rounding.EXP_ULP["numpy"])
def test_facts_of_a_dtype_are_those_of_ieee_754(dtype: str) -> None:
    facts = rounding.arithmetic(dtype)
    one = np.dtype(dtype).type(1)
    half = np.dtype(dtype).type(facts.u)
    assert one + half == one
    assert one + 2 * half > one
    assert np.dtype(dtype).type(facts.tiny) > 0
    assert np.dtype(dtype).type(facts.tiny) / np.dtype(dtype).type(2) == 0
    assert rounding.arithmetic(dtype, flushes=True).tiny == facts.smallest_normal


def test_unknown_dtype_is_an_error() -> None:
    with pytest.raises(
        ValueError, match="dtype: one of float64, float32, float16 is needed for numpy, got int8"
    ):
        rounding.arithmetic("int8")


def test_accumulator_that_is_given_takes_the_place_of_the_librarys() -> None:
    facts = rounding.arithmetic("float16", accumulator=2.0**-11)
    assert (rounding.arithmetic("float16").accumulator, facts.accumulator) == (2.0**-24, facts.u)
    with pytest.raises(
        ValueError, match=r"^accumulator: a unit roundoff between 0 and 1 is needed, got 2\.0$"
    ):
        rounding.arithmetic("float16", accumulator=2.0)
    with pytest.raises(ValueError, match="have no useful bound"):
        rounding.sum_of_weights(facts.u, 2000, facts.tiny, facts.accumulator)


def test_exp_error_must_be_positive() -> None:
    with pytest.raises(ValueError, match=r"exp_ulp: must be positive, got 0\.0"):
        rounding.arithmetic("float64", exp_ulp=0.0)


@pytest.mark.parametrize("k", [0, 1, 2, 7, 100])
@pytest.mark.parametrize("u", [2.0**-53, 2.0**-11])
def test_gamma_bounds_the_worst_product_of_roundings(u: float, k: int) -> None:
    exact_worst = (1 + Fraction(u)) ** k - 1
    assert exact_worst <= Fraction(rounding.gamma(u, k)) * ROUNDED


@pytest.mark.parametrize(("u", "k"), [(2.0**-11, 1024), (2.0**-24, 2**23), (0.25, 2)])
def test_gamma_refuses_what_has_no_useful_bound(u: float, k: int) -> None:
    with pytest.raises(ValueError, match="have no useful bound"):
        rounding.gamma(u, k)
    assert rounding.gamma(u, k // 2) > 0


@pytest.mark.parametrize(("u", "k"), [(0.0, 3), (1.0, 3), (math.nan, 3), (2.0**-53, -1)])
def test_gamma_refuses_what_is_no_rounding(u: float, k: int) -> None:
    with pytest.raises(ValueError, match="is needed"):
        rounding.gamma(u, k)


def test_every_budget_of_many_keys_is_refused_in_half_precision() -> None:
    u, tiny, n = 2.0**-11, 2.0**-24, 2000
    budgets: list[Callable[[], object]] = [
        lambda: rounding.sum_of_weights(u, n, tiny),
        lambda: rounding.equal_weights(u, n, tiny),
        lambda: rounding.weight_error(u, n, 0.5, 1.0, 1.0, tiny),
        lambda: rounding.read_error(u, n, 1.0, tiny),
        lambda: rounding.read_bounds(u, n, 0.0, 1.0, tiny),
    ]
    for budget in budgets:
        with pytest.raises(ValueError, match="have no useful bound"):
            budget()


def test_reach_beyond_what_rounding_allows_is_refused() -> None:
    with pytest.raises(ValueError, match=r"reach: 1e\+300 is too far"):
        rounding.relative_weight(2.0**-53, 2, 1e300, 1.0)


def test_exponentials_that_are_far_off_are_refused() -> None:
    with pytest.raises(ValueError, match="give no useful weights"):
        rounding.relative_weight(2.0**-11, 2, 0.0, 600.0)


def test_relative_weight_bounds_the_worst_combination_of_errors() -> None:
    u, n, ulp = 2.0**-11, 3, 1.0
    a, b = Fraction(rounding.exponential(u, 0.0, ulp)), Fraction(rounding.gamma(u, n - 1))
    bound = Fraction(rounding.relative_weight(u, n, 0.0, ulp))
    exponentials = [Fraction(1), Fraction(1, 3), Fraction(1, 50)]
    worst = Fraction(0)
    for signs in itertools.product(SIGNS, repeat=n + 2):
        computed = [e * (1 + sign * a) for e, sign in zip(exponentials, signs, strict=False)]
        total = sum(computed) * (1 + signs[n] * b)
        for e, c in zip(exponentials, computed, strict=True):
            weight = c / total * (1 + signs[n + 1] * Fraction(u))
            worst = max(worst, abs(weight / (e / sum(exponentials)) - 1))
    assert worst <= bound * ROUNDED
    assert worst >= bound * Fraction(9, 10)


def test_sum_of_weights_bounds_the_worst_combination_of_errors() -> None:
    u, n = 2.0**-11, 5
    b = Fraction(rounding.gamma(u, n - 1))
    worst = max(abs((1 + s * Fraction(u)) / (1 + t * b) - 1) for s in SIGNS for t in SIGNS)
    assert worst <= Fraction(rounding.sum_of_weights(u, n, 2.0**-24)) * ROUNDED


def test_read_bounds_bound_the_worst_combination_of_errors() -> None:
    u, n, excess = 2.0**-11, 3, Fraction(1, 1000)
    g = Fraction(rounding.gamma(u, n))
    bound = Fraction(float(rounding.read_bounds(u, n, float(excess), 2.0, 0.0)))
    worst = Fraction(0)
    for total, signs in itertools.product((1 - excess, 1 + excess), itertools.product(SIGNS, repeat=n)):
        for values in itertools.product((Fraction(-1), Fraction(2)), repeat=n):
            weights = [total * Fraction(part, 6) for part in (1, 2, 3)]
            out = sum(w * v * (1 + s * g) for w, v, s in zip(weights, values, signs, strict=True))
            worst = max(worst, out - max(values), min(values) - out)
    assert worst <= bound * ROUNDED
    assert worst >= bound * Fraction(9, 10)


def test_small_error_in_the_denominator_is_beyond_the_budget() -> None:
    """The default tolerances of comparisons let `w / (w.sum() + 1e-9)` live; the derived bound does not."""
    target = Target("float64")
    weights = softmax(target.array([0.5, -1.0, 2.0]))
    off = weights / (weights.sum() + 1e-9)
    facts = target.arithmetic
    with exact.precision(200):
        true = [exact.upper(abs(exact.balls(row).sum() - 1)) for row in (weights, off)]
    budget = rounding.sum_of_weights(facts.u, 3, facts.tiny)
    assert true[0] <= budget < true[1]


def test_flushed_subnormals_are_outside_of_the_budget_that_keeps_them() -> None:
    """A library that flushes loses a weight of 1e-310; only the budget with `flushes` allows for that."""
    kept, flushed = rounding.arithmetic("float64"), rounding.arithmetic("float64", flushes=True)
    with exact.precision(200):
        weight = exact.upper(exact.softmax(exact.balls([0.0, -713.0]))[1])
    assert kept.tiny < weight < flushed.smallest_normal
    for facts, allowed in ((kept, False), (flushed, True)):
        budget = rounding.weight_error(facts.u, 2, weight, 713.0, facts.exp_ulp, facts.tiny)
        assert (weight <= budget) is allowed


def test_euclidean_norm_of_the_smallest_numbers_is_not_zero() -> None:
    tiny = rounding.arithmetic("float64").tiny
    vector = np.full(2, tiny)
    bounds = rounding.convex_sets(2.0**-53, 1, 0.0, np.zeros(2), np.zeros(2) + 1, tiny)
    assert (bounds > 0).all()
    assert (rounding.moved_read(2.0**-53, 1, vector, vector, 0.0, np.zeros(2), tiny) > 0).all()
