"""Numbers as text.

* `number`: a computed number to some decimals.
* `true_digits`: a true value to many digits.
* `small`: an error or a slack.
"""

import flint

DIGITS = 6
"""Decimals, as the lessons print them."""
MOST_DIGITS = 40
LARGE = 1e9
"""From here on numbers are written with a power of ten."""


def number(value: float, digits: int) -> str:
    """Return a float to so many decimals; whole numbers as such, very small and very large ones with a power of ten."""
    if value == 0:
        return "0"
    if abs(value) == float("inf"):
        return "∞" if value > 0 else "-∞"
    if value == int(value) and abs(value) < LARGE:
        return str(int(value))
    fixed = f"{value:.{digits}f}"
    if abs(value) < LARGE and float(fixed) != 0:
        return fixed
    return f"{value:.{digits}e}"


def factor(value: float, digits: int) -> str:
    """Return a number as it stands in a product: a negative one in parentheses."""
    text = number(value, digits)
    return f"({text})" if text.startswith("-") else text


def true_digits(ball: flint.arb, digits: int) -> str:
    """Return a true value to so many significant digits, of which the last may be off by one."""
    if ball.is_integer() and ball.is_exact() and abs(ball) < LARGE:
        return str(int(float(ball)))
    return str(ball.str(digits, radius=False))


def small(value: float) -> str:
    """Return an error or a slack to two digits."""
    return f"{value:.2g}"
