"""Closed forms: exact expressions in whole numbers, `r = exp(1/√2)` and `s = 1/√2`.

* `parse`: a form from its text, for example `r/(2*r + 1)`.
* `Form`: evaluated in balls, in fractions, or over any numbers.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, Self, TypeVar

import flint

from duizhao.exact import precision

LONGEST = 200
"""Characters that a form may have."""
LARGEST_POWER = 64
"""The largest exponent that a form may have."""
FINEST = 4096
"""Bits of precision at which rounding to decimals gives up."""


class Field(Protocol):
    """Numbers that can be added, subtracted, multiplied and divided."""

    def __add__(self, other: Self, /) -> Self: ...  # noqa: D105
    def __sub__(self, other: Self, /) -> Self: ...  # noqa: D105
    def __mul__(self, other: Self, /) -> Self: ...  # noqa: D105
    def __truediv__(self, other: Self, /) -> Self: ...  # noqa: D105
    def __neg__(self) -> Self: ...  # noqa: D105


T = TypeVar("T", bound=Field)


@dataclass(frozen=True)
class Form:
    """A closed form."""

    text: str
    """As it is written."""
    tree: ast.expr
    """As it was read: nothing but `+ - * / **`, whole numbers, `r` and `s`."""

    def over(self, number: Callable[[int], T], *, r: T, s: T) -> T:
        """Return the value with `r` and `s` replaced by the given numbers.

        Args:
            number: Makes such a number of a whole one, for example `Fraction`.
            r: What to put for `r`.
            s: What to put for `s`.

        Raises:
            ZeroDivisionError: If the numbers say so.
        """
        return _evaluate(self.tree, number, {"r": r, "s": s})

    def ball(self) -> flint.arb:
        """Return the value, enclosed at the current precision."""
        s = flint.arb(2).rsqrt()
        return self.over(flint.arb, r=s.exp(), s=s)

    def is_rational(self) -> bool:
        """Say whether neither `r` nor `s` occurs."""
        return not any(isinstance(node, ast.Name) for node in ast.walk(self.tree))

    def fraction(self) -> Fraction:
        """Return the value of a rational form.

        Raises:
            ValueError: If `r` or `s` occurs.
        """
        if not self.is_rational():
            raise ValueError(f"form: {self.text!r} is not rational")
        return self.over(Fraction, r=Fraction(0), s=Fraction(0))

    def digits(self, decimals: int) -> str:
        """Return the value rounded to so many decimals, a half upwards: the right digits, proved.

        Raises:
            ArithmeticError: If the value is too close to the middle of two decimals to tell.
        """
        bits = 64
        while bits <= FINEST:
            with precision(bits):
                whole = (self.ball() * 10**decimals + flint.arb(0.5)).floor().unique_fmpz()
            if whole is not None:
                return _decimal(int(whole), decimals)
            bits *= 2
        raise ArithmeticError(f"form: {self.text!r} is too close to the middle of two decimals to be rounded")


def parse(text: str) -> Form:
    """Return the closed form of a text.

    Raises:
        ValueError: If it is no expression of whole numbers, `r`, `s`, `+ - * /` and `**` a whole number.
    """
    if len(text) > LONGEST:
        raise ValueError(f"form: at most {LONGEST} characters, got {len(text)}")
    text = text.strip()
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        raise ValueError(f"form: {text!r} is no arithmetic expression") from None
    _check(tree, text)
    return Form(text, tree)


def _check(node: ast.expr, text: str) -> None:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return
        case ast.Name(id="r" | "s"):
            return
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _check(operand, text)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            _check(left, text)
            _check(right, text)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)):
            if isinstance(power, bool) or power > LARGEST_POWER or any(map(_is_power, ast.walk(left))):
                raise ValueError(
                    f"form: {text!r} has a power of a power, or one other than 0, …, {LARGEST_POWER}"
                )
            _check(left, text)
        case _:
            part = ast.get_source_segment(text, node)
            raise ValueError(
                f"form: {text!r} contains {part!r}; only whole numbers, r, s, + - * / ** are read"
            )


def _is_power(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)


def _evaluate(node: ast.expr, number: Callable[[int], T], names: dict[str, T]) -> T:
    match node:
        case ast.Constant(value=int() as value):
            return number(value)
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(operand=operand):
            return -_evaluate(operand, number, names)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)):
            result, base = number(1), _evaluate(left, number, names)
            for _ in range(power):
                result = result * base
            return result
        case ast.BinOp(left=left, op=operator, right=right):
            x, y = _evaluate(left, number, names), _evaluate(right, number, names)
            match operator:
                case ast.Add():
                    return x + y
                case ast.Sub():
                    return x - y
                case ast.Mult():
                    return x * y
                case ast.Div():
                    return x / y
    raise AssertionError(ast.dump(node))  # `parse` lets nothing else through


def _decimal(whole: int, decimals: int) -> str:
    digits = str(abs(whole)).rjust(decimals + 1, "0")
    sign = "-" if whole < 0 else ""
    return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}" if decimals else f"{sign}{digits}"
