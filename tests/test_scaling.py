"""Variances of dot products, exactly."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from duizhao.scaling import (
    Distribution,
    Number,
    distribution,
    dot_product,
    dot_variance,
    independent,
    mean,
    scaled_dot_variance,
    two_values,
    variance,
)
from tests.libraries import INF, NAN, says

SIGNS = two_values(1)
SKEWED = two_values(2)
THREE_VALUES = distribution({-2: Fraction(1, 8), 0: Fraction(3, 4), 2: Fraction(1, 8)})
STANDARD = [SIGNS, SKEWED, two_values(Fraction(-1, 3)), THREE_VALUES]


# Distributions


def test_signs_are_fair() -> None:
    assert {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)} == SIGNS


@pytest.mark.parametrize("a", [1, 2, -3, 0.5, Fraction(2, 7), 1e-3])
def test_two_values_are_centred_and_of_variance_one(a: Number) -> None:
    variable = two_values(a)
    assert mean(variable) == 0
    assert variance(variable) == 1
    assert set(variable) == {Fraction(a), -1 / Fraction(a)}


def test_mean_and_variance_of_a_die() -> None:
    die = distribution({face: Fraction(1, 6) for face in range(1, 7)})
    assert mean(die) == Fraction(7, 2)
    assert variance(die) == Fraction(35, 12)


def test_what_never_occurs_is_left_out() -> None:
    assert distribution({0: 1, 5: 0}) == {Fraction(0): Fraction(1)}


def test_sum_of_two_dice_is_counted() -> None:
    die = distribution({face: Fraction(1, 6) for face in range(1, 7)})
    total = independent(lambda x, y: x + y, die, die)
    assert total[Fraction(7)] == Fraction(6, 36)
    assert total[Fraction(12)] == Fraction(1, 36)
    assert sum(total.values()) == 1
    assert independent(lambda: Fraction(3)) == {Fraction(3): Fraction(1)}


# Dot products


@pytest.mark.parametrize("x", STANDARD)
@pytest.mark.parametrize("y", STANDARD)
def test_product_of_independent_standard_coordinates_has_variance_one(
    x: Distribution, y: Distribution
) -> None:
    assert variance(independent(lambda a, b: a * b, x, y)) == 1


@pytest.mark.parametrize("width", [1, 2, 64])
def test_dot_product_of_signs_has_the_width_as_variance(width: int) -> None:
    assert dot_variance([SIGNS] * width, [SIGNS] * width) == width
    assert scaled_dot_variance([SIGNS] * width, [SIGNS] * width) == 1


def test_dot_product_of_signs_is_a_binomial() -> None:
    dots = dot_product([SIGNS] * 8, [SIGNS] * 8)
    assert dots == {Fraction(2 * k - 8): Fraction(math.comb(8, k), 2**8) for k in range(9)}


def test_coordinates_may_differ() -> None:
    assert dot_variance(STANDARD, STANDARD[::-1]) == 4
    assert scaled_dot_variance(STANDARD, STANDARD[::-1]) == 1


@pytest.mark.parametrize("width", [1, 2, 8, 64])
@pytest.mark.parametrize("x", STANDARD)
def test_equal_coordinates_have_the_square_of_the_width_as_variance(x: Distribution, width: int) -> None:
    assert variance(independent(lambda a, b: width * a * b, x, SKEWED)) == width**2


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (distribution({1: 1}), 3),  # not random: the key's variance is left
        (distribution({0: 1}), 0),
        (distribution({2: Fraction(1, 2), 0: Fraction(1, 2)}), 6),  # not centred: 1 + 1² a coordinate
        (distribution({3: Fraction(1, 2), -3: Fraction(1, 2)}), 27),  # of variance 9
    ],
)
def test_variance_is_another_one_without_the_hypotheses(query: Distribution, expected: int) -> None:
    assert dot_variance([query] * 3, [SIGNS] * 3) == expected


def test_no_coordinate_gives_zero() -> None:
    assert dot_product([], []) == {Fraction(0): Fraction(1)}
    assert dot_variance([], []) == 0


# Bad inputs


@pytest.mark.parametrize(
    ("probabilities", "error", "message"),
    [
        ({0: Fraction(1, 2)}, ValueError, "probabilities: must add up to 1, got 1/2"),
        ({}, ValueError, "probabilities: must add up to 1, got 0"),
        ({0: 2, 1: -1}, ValueError, "probabilities: must not be negative, got -1 for the value 1"),
        (
            {0: 0.1, 1: 0.9},
            ValueError,
            "probabilities: must add up to 1, got 36028797018963969/36028797018963968",
        ),
        ({NAN: 1}, ValueError, "value: must be finite, got nan"),
        ({0: INF}, ValueError, "probability: must be finite, got inf"),
        ({"a": 1}, TypeError, "value: a number is needed, got 'a'"),
        ({0: True}, TypeError, "probability: a number is needed, got True"),
    ],
)
def test_what_is_no_distribution_is_refused(
    probabilities: dict[Number, Number], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=says(message)):
        distribution(probabilities)


def test_two_values_need_a_number_that_is_not_zero() -> None:
    with pytest.raises(ValueError, match=says("a: must not be 0")):
        two_values(0)
    with pytest.raises(ValueError, match=says("a: must be finite, got inf")):
        two_values(INF)
    with pytest.raises(TypeError, match=says("a: a number is needed, got '1'")):
        two_values("1")  # type: ignore[arg-type]


@pytest.mark.parametrize("function", [dot_product, dot_variance, scaled_dot_variance])
def test_widths_that_differ_are_refused(function: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match=says("key: width 1 for a query of width 2")):
        function([SIGNS] * 2, [SIGNS])


def test_scaled_variance_of_no_coordinate_is_refused() -> None:
    with pytest.raises(ValueError, match=says("query: the width is 0; at least 1 is needed")):
        scaled_dot_variance([], [])
