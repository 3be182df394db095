"""Enclosures as tight as asked.

* `enclose`: evaluate a function on balls with rising precision.
"""

from collections.abc import Callable

import flint
import numpy as np

from duizhao.exact.conversion import Balls, balls, precision

LIMIT = 16384
"""Bits of precision at which `enclose` gives up: sums of products of float64 numbers are exact well below."""


def enclose(
    function: Callable[..., Balls],
    *arrays: object,
    bits: int = 96,
    radius: float | None = None,
    limit: int = LIMIT,
    **options: object,
) -> Balls:
    """Return `function(*arrays, **options)` as balls, every entry known to `bits` bits.

    The precision rises until every entry is exactly zero or has a radius of about `2^-bits` of its size. The
    default knows the error of a float64 result to 40 bits.

    Args:
        function: One that takes and returns ball arrays, such as `attention`.
        arrays: Numbers as `balls` takes them; arrays of truth values are handed on as they are.
        bits: How many leading bits of each entry are to be known.
        radius: A radius that is small enough for any entry, if given. An entry that is zero only because
            terms cancel may not become exactly zero at any precision; then this is what ends the search.
        limit: The highest precision to try.
        options: Handed on to the function.

    Raises:
        ArithmeticError: If some entry is not known that well at the highest precision, or is no number.
        ValueError: If `bits` is not positive.
    """
    if bits < 1:
        raise ValueError(f"bits: must be positive, got {bits}")
    at = min(bits + 32, limit)
    while True:
        with precision(at):
            result = function(*(_given(array) for array in arrays), **options)
        entries: list[flint.arb] = result.ravel().tolist()
        loose = next((i for i, ball in enumerate(entries) if not _is_tight(ball, bits, radius)), None)
        if loose is None:
            return result
        if at >= limit:
            index = tuple(int(axis) for axis in np.unravel_index(loose, result.shape))
            raise ArithmeticError(_complaint(function.__name__, index, entries[loose], bits, at))
        at = min(2 * at, limit)


def _given(array: object) -> object:
    dtype = getattr(array, "dtype", None) or np.asarray(array).dtype
    return array if str(dtype).rpartition(".")[2] == "bool" else balls(array)


def _is_tight(ball: flint.arb, bits: int, radius: float | None) -> bool:
    if not ball.is_finite():
        return False
    return ball.rel_accuracy_bits() >= bits or (radius is not None and bool(ball.rad() <= radius))


def _complaint(name: str, index: tuple[int, ...], ball: flint.arb, bits: int, at: int) -> str:
    if not ball.is_finite():
        return f"{name}: entry {index} is no finite number at {at} bits of precision; look at the inputs"
    known = max(ball.rel_accuracy_bits(), 0)
    return (
        f"{name}: entry {index} is known to {known} bits at {at} bits of precision, {bits} were asked for; "
        "if its true value is zero, give a radius"
    )
