"""Numbers to balls and back: exactly one way, rounded outwards the other.

* `precision`: the number of bits that operations on balls keep.
* `balls`, `scalar`, `filled`: the balls of any numbers, of one number, of a list of balls.
* `upper`, `lower`, `ends`: the ends of a ball, as floats and as fractions.
* `distance`: how far computed numbers are from the truth.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias

import array_api_compat
import flint
import numpy as np
from numpy.typing import NDArray

Balls: TypeAlias = NDArray[np.object_]
"""A NumPy object array whose elements are `flint.arb`."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Let operations on balls keep `bits` bits, until the block ends.

    Raises:
        ValueError: If `bits` is below 2.
    """
    if bits < 2:
        raise ValueError(f"bits: at least 2 are needed, got {bits}")
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def balls(array: object) -> Balls:
    """Return numbers of shape (...) as a ball array of shape (...), converted exactly.

    Args:
        array: An array of any library and any real dtype, or of balls already; a Python number, a `Fraction`,
            or nested lists of these. A fraction whose denominator is no power of two is enclosed at the
            current precision; all else is exact. NaN gives NaN, and infinity gives infinity.

    Raises:
        TypeError: If something else than a real number is in it; truth values are not numbers. Or if it is a
            `numpy.ma.MaskedArray`, whose mask would be lost.
        ValueError: If lists are ragged.
    """
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(
            "array: a plain array is needed, got a numpy.ma.MaskedArray, whose mask would be lost"
        )
    if isinstance(array, np.ndarray):
        return _of_numpy(array)
    if array_api_compat.is_array_api_obj(array):
        return _of_numpy(_to_numpy(array))
    try:
        nested = np.array(array, dtype=np.object_)
    except ValueError as error:
        raise ValueError("array: ragged, its parts have different shapes") from error
    return _of_numpy(nested)


def scalar(number: object, name: str) -> flint.arb:
    """Return one number as a ball.

    Raises:
        TypeError: If it is not a real number.
        ValueError: If it has axes; the message starts with `name`.
    """
    ball = balls(number)
    if ball.ndim:
        raise ValueError(f"{name}: one number is needed, got shape {ball.shape}")
    return flint.arb(ball.item())


def filled(entries: Sequence[flint.arb], shape: tuple[int, ...]) -> Balls:
    """Return balls as a ball array of the given shape, row by row."""
    array = np.empty(len(entries), dtype=np.object_)
    array[:] = entries
    return array.reshape(shape)


def upper(ball: flint.arb) -> float:
    """Return a float that no number in the ball exceeds; infinity if the ball is NaN or has no upper end."""
    end = ball.upper()
    nearest = float(end)
    if math.isnan(nearest):
        return math.inf
    return nearest if flint.arb(nearest) >= end else math.nextafter(nearest, math.inf)


def lower(ball: flint.arb) -> float:
    """Return a float that exceeds no number in the ball; minus infinity if it is NaN or has no lower end."""
    return -upper(-ball)


def ends(ball: flint.arb) -> tuple[Fraction, Fraction]:
    """Return the lower and the upper end of a ball, exactly.

    Raises:
        ValueError: If the ball is NaN or not bounded.
    """
    if not ball.is_finite():
        raise ValueError(f"ball: a bounded one is needed, got {ball}")
    middle, radius = (Fraction(int(part.p), int(part.q)) for part in (ball.mid().fmpq(), ball.rad().fmpq()))
    return middle - radius, middle + radius


def distance(computed: object, truth: object) -> Balls:
    """Return `|computed - truth|`, both of shape (...), as a ball array of shape (...).

    Where a computed number is not finite or the truth is not known, the distance is plus infinity, never NaN.

    Args:
        computed: Numbers as `balls` takes them, usually the floats that a program gave.
        truth: Numbers as `balls` takes them, usually balls.

    Raises:
        ValueError: If the shapes differ.
    """
    left, right = balls(computed), balls(truth)
    if left.shape != right.shape:
        raise ValueError(f"computed: shape {left.shape} where the truth has {right.shape}")
    gaps = [abs(x - y) for x, y in zip(left.ravel().tolist(), right.ravel().tolist(), strict=True)]
    return filled([gap if gap.is_finite() else flint.arb.pos_inf() for gap in gaps], left.shape)


def _to_numpy(array: object) -> NDArray[Any]:
    """Return an array of another library as a NumPy array of the same numbers."""
    if array_api_compat.is_torch_array(array):
        there = array.detach().cpu()
        # NumPy lacks some of PyTorch's floating-point dtypes; float64 holds the numbers of each.
        return np.asarray(there.double() if there.is_floating_point() else there)
    return np.asarray(array)


def _of_numpy(array: NDArray[Any]) -> Balls:
    kind = array.dtype.kind
    if kind == "O":
        return filled([_ball(number) for number in array.ravel().tolist()], array.shape)
    if kind in "iu":
        return filled([flint.arb(number) for number in array.ravel().tolist()], array.shape)
    if kind == "f" and array.dtype.itemsize > 8:
        return filled([_ball_of_long(number) for number in array.flat], array.shape)
    if kind == "f" or (array.dtype.type.__module__ == "ml_dtypes" and "complex" not in array.dtype.name):
        with np.errstate(invalid="ignore"):  # a signalling NaN is a NaN
            wide = array.astype(np.float64)
        return filled([flint.arb(number) for number in wide.ravel().tolist()], array.shape)
    raise TypeError(f"array: real numbers are needed, got {array.dtype.name}")


def _ball(number: object) -> flint.arb:
    match number:
        case flint.arb():
            return number
        case bool():
            raise TypeError("array: real numbers are needed, got bool")
        case np.generic():
            return flint.arb(_of_numpy(np.asarray(number)).item())
        case int() | float() | flint.fmpz() | flint.arf():
            return flint.arb(number)
        case Fraction():
            return _ball_of_ratio(number.numerator, number.denominator)
        case flint.fmpq():
            return _ball_of_ratio(int(number.p), int(number.q))
        case list() | tuple():
            raise ValueError(f"array: ragged, a {type(number).__name__} stands where others have a number")
    raise TypeError(f"array: real numbers are needed, got {type(number).__name__}")


def _ball_of_ratio(numerator: int, denominator: int) -> flint.arb:
    if denominator & (denominator - 1) == 0:
        return flint.arb((numerator, 1 - denominator.bit_length()))
    return flint.arb(flint.fmpq(numerator, denominator))


def _ball_of_long(number: np.longdouble) -> flint.arb:
    if np.isfinite(number):
        return _ball_of_ratio(*number.as_integer_ratio())
    return flint.arb(float(number))
