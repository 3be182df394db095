"""float16 arithmetic, correctly rounded, by exact fractions and Arb: what the figure's switch is compared with.

`python -m tests.figures.half` reads settings (gap, temperature, u, v) from standard input as JSON, and prints
the two weights and the output of each.

* `nearest`: the float16 number nearest to a fraction.
* `exponential`: the correctly rounded exponential of a float16 number.
* `two_values`: the two weights and the output of one setting.
"""

import json
import sys
from fractions import Fraction

from flint import arb, ctx

SMALLEST = Fraction(1, 2**24)
LARGEST = Fraction(65504)


def nearest(x: Fraction) -> Fraction:
    """Return the float16 number nearest to `x`, the even one of two.

    Raises:
        OverflowError: If that is infinite.
    """
    size = abs(x)
    unit = SMALLEST
    while size >= unit * 2048:
        unit *= 2
    rounded = round(size / unit) * unit  # `round` takes the even one of two
    if rounded > LARGEST:
        raise OverflowError(f"{x} is too large for float16")
    return rounded if x >= 0 else -rounded


def exponential(x: Fraction) -> Fraction:
    """Return the float16 number nearest to exp(x), by enclosures that are narrowed until both ends round alike."""
    before = ctx.prec
    try:
        for ctx.prec in (64, 128, 256, 512):
            ball = (arb(x.numerator) / x.denominator).exp()
            low, high = (nearest(_fraction(end)) for end in (ball.lower(), ball.upper()))
            if low == high:
                return low
    finally:
        ctx.prec = before
    raise ArithmeticError(f"exp({x}) cannot be told from a midpoint")


def _fraction(end: arb) -> Fraction:
    """Return the number that a ball without a radius is."""
    mantissa, exponent = end.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def two_values(gap: float, temperature: float, u: float, v: float) -> tuple[Fraction, Fraction, Fraction]:
    """Return the weights and the output of two values, with the steps of `duizhao.softmax`, each rounded once.

    All that is given is rounded to float16 first. From temperature 4 on, all is quartered, as `duizhao.softmax` does.
    """
    scores = [Fraction(0), nearest(Fraction(gap))]
    values = [nearest(Fraction(u)), nearest(Fraction(v))]
    part = Fraction(1, 4) if temperature >= 4 else Fraction(1)
    divisor = nearest(Fraction(temperature) * part)
    largest = nearest(max(scores) * part)
    powers = [exponential(nearest(nearest(nearest(score * part) - largest) / divisor)) for score in scores]
    total = nearest(powers[0] + powers[1])
    first, second = (nearest(power / total) for power in powers)
    return first, second, nearest(nearest(first * values[0]) + nearest(second * values[1]))


if __name__ == "__main__":
    settings = json.load(sys.stdin)
    json.dump([[float(number) for number in two_values(*setting)] for setting in settings], sys.stdout)
