"""The float16 reference of the figures, and how NumPy's exponential differs from it."""

from fractions import Fraction

import numpy as np
import pytest
from docs.inserts import half

from tests.figures.half import exponential, nearest, two_values


def test_fractions_round_to_float16_as_numpy_rounds_float64() -> None:
    for number in (0.1, -0.1, 2049.0, 2051.0, 65519.0, 1e-7, 2.0**-25, 3 * 2.0**-25, 6e-5):
        assert float(nearest(Fraction(number))) == float(np.float16(number)), number


def test_number_that_rounds_to_infinity_is_refused() -> None:
    with pytest.raises(OverflowError, match="65520 is too large"):
        nearest(Fraction(65520))


def test_exponentials_that_the_site_takes_for_right_are_the_correctly_rounded_ones() -> None:
    inside = half.FINITE[(half.FINITE > -18) & (half.FINITE <= 11)]
    right = np.exp(inside.astype(np.float64)).astype(np.float16)
    assert inside.size > 30_000
    wrong = [
        x for x, y in zip(inside, right, strict=True) if exponential(Fraction(float(x))) != Fraction(float(y))
    ]
    assert wrong == []


def test_page_counts_the_numbers_for_which_numpy_differs() -> None:
    numbers, found, right = half.differences()
    for x, ours, theirs in zip(numbers, right, found, strict=True):
        if np.isfinite(theirs):
            assert exponential(Fraction(float(x))) == Fraction(float(ours)) != Fraction(float(theirs))
    assert f"63488 个有限的 float16 中，有 {numbers.size} 个" in half.sentence()


def test_equal_scores_share_the_weight() -> None:
    assert two_values(0.0, 1.0, -1.0, 1.0) == (Fraction(1, 2), Fraction(1, 2), Fraction(0))


def test_output_reaches_the_bound_in_float16_though_no_weight_is_0() -> None:
    first, second, output = two_values(9.0, 1.0, -1.0, 1.0)
    assert first > 0
    assert second == output == Fraction(1)
