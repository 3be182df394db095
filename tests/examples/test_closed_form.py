"""Closed forms are read safely and evaluated exactly."""

from fractions import Fraction

import flint
import pytest

from duizhao.exact import ends, precision
from duizhao.examples import parse

R = Fraction("2.02811498164747245110812")
"""exp(1/√2) to 23 decimals; `r_mem_Ioo` in Lean has the first seven."""
S = Fraction("0.70710678118654752440084")
"""1/√2 to 23 decimals."""
LAST = Fraction(1, 10**23)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        (" 3/4 ", Fraction(3, 4)),
        ("-2**2", -4),
        ("(4096/1024)**2", 16),
        ("1 - 2 - 3", -4),
        ("12/2/3", 2),
        ("0**0", 1),
        ("2*-3 + 1/5", Fraction(-29, 5)),
    ],
)
def test_rational_forms_have_the_value_of_schoolbook_arithmetic(text: str, value: Fraction) -> None:
    assert parse(text).fraction() == value


def test_names_stand_for_the_numbers_that_are_put_in() -> None:
    assert parse("r**2/(r + s)").over(Fraction, r=Fraction(2), s=Fraction(3)) == Fraction(4, 5)


@pytest.mark.parametrize("bits", [30, 53, 300])
def test_names_are_the_numbers_of_the_lessons(bits: int) -> None:
    with precision(bits):
        (r_low, r_high), (s_low, s_high) = ends(parse("r").ball()), ends(parse("s").ball())
    assert r_low < R + LAST
    assert r_high > R
    assert s_low < S + LAST
    assert s_high > S
    assert max(r_high - r_low, s_high - s_low) < Fraction(32, 2**bits)


def test_a_form_that_is_not_rational_has_no_fraction() -> None:
    with pytest.raises(ValueError, match="form: '2\\*s' is not rational"):
        parse("2*s").fraction()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("r//2", "r//2"),
        ("exp(s)", "exp(s)"),
        ("q + 1", "q"),
        ("0.5", "0.5"),
        ("True", "True"),
        ("r**s", "r**s"),
        ("r**-1", "r**-1"),
        ("r**0.5", "r**0.5"),
        ("+r", "+r"),
        ("__import__('os').getcwd()", "__import__('os').getcwd()"),
        ("[r for r in s]", "[r for r in s]"),
        ("1 if r else 2", "1 if r else 2"),
    ],
)
def test_anything_else_than_arithmetic_is_refused(text: str, part: str) -> None:
    with pytest.raises(ValueError, match="only whole numbers, r, s") as caught:
        parse(text)
    assert f"contains {part!r}" in str(caught.value)


@pytest.mark.parametrize("text", ["", "r +", "(r", "1 2", "r = 1", "2r", "r\0"])
def test_a_text_that_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no arithmetic expression"):
        parse(text)


@pytest.mark.parametrize("text", ["r**65", "2**1000000000", "r**True", "((9**64)**64)**64"])
def test_a_power_that_is_too_large_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"has a power of a power, or one other than 0, …, 64"):
        parse(text)


def test_a_form_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="form: at most 200 characters, got 201"):
        parse("1" * 201)


def test_a_deep_form_is_read() -> None:
    assert parse("-" * 199 + "1").fraction() == -1
    assert parse("(" * 99 + "1" + ")" * 99).fraction() == 1


@pytest.mark.parametrize(
    ("text", "decimals", "digits"),
    [
        ("2/3", 3, "0.667"),
        ("-2/3", 3, "-0.667"),
        ("1/1000", 2, "0.00"),
        ("1/2", 0, "1"),
        ("-1/2", 0, "0"),
        ("1/8", 2, "0.13"),
        ("1999/1000", 2, "2.00"),
        ("r", 7, "2.0281150"),
        ("s", 22, "0.7071067811865475244008"),
        ("1/(2*r + 1)", 16, "0.1977758146404282"),
    ],
)
def test_digits_are_those_of_the_value(text: str, decimals: int, digits: str) -> None:
    assert parse(text).digits(decimals) == digits


def test_digits_of_a_value_that_cannot_be_told_from_a_middle_are_refused() -> None:
    with pytest.raises(ArithmeticError, match="is too close to the middle of two decimals"):
        parse("s*s").digits(0)


def test_digits_do_not_depend_on_the_precision_around() -> None:
    with precision(5):
        assert parse("r").digits(20) == "2.02811498164747245111"


def test_a_division_by_zero_is_no_number() -> None:
    assert parse("1/(2*s*s - 1)").ball().is_nan()
    with pytest.raises(ZeroDivisionError):
        parse("1/(1 - 1)").fraction()
    assert isinstance(parse("1").ball(), flint.arb)
