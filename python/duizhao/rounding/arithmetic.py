"""What is assumed of a library's arithmetic in one dtype, and how roundings pile up.

* `Arithmetic`, `arithmetic`: unit roundoff, smallest numbers, error of `exp`.
* `FORMATS`, `EXP_ULP`, `FLUSHES`: what is known of dtypes and libraries.
* `gamma`, `accumulated`: `k` roundings in a row.
* `compounded`, `divided_by`: several errors together.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Real = float | NDArray[np.float64]
"""One bound, or one for each element."""


@dataclass(frozen=True)
class Arithmetic:
    """What is assumed of a library's arithmetic in one dtype."""

    u: float
    """Unit roundoff: half the distance from 1 to the next larger float."""
    tiny: float
    """The most by which an operation that underflows is off: the smallest subnormal, or the smallest normal number if
    the library flushes subnormals to zero."""
    smallest_normal: float
    """The smallest positive number that has full precision."""
    largest: float
    """The largest finite number."""
    exp_ulp: float
    """The error of the library's `exp`, in units in the last place."""
    accumulator: float
    """Unit roundoff of the format in which the library adds up sums and products."""


@dataclass(frozen=True)
class Format:
    """A floating-point format: digits of precision, and the exponents of its normal numbers."""

    precision: int
    least_exponent: int
    greatest_exponent: int


FORMATS = {
    "float64": Format(53, -1022, 1023),
    "float32": Format(24, -126, 127),
    "float16": Format(11, -14, 15),
    "bfloat16": Format(8, -126, 127),
}
"""IEEE 754's binary64, binary32 and binary16, and bfloat16."""

EXP_ULP = {
    "numpy": {"float64": 1.0, "float32": 3.0, "float16": 1.0},
    "array_api_strict": {"float64": 1.0, "float32": 3.0},
    "jax": {"float64": 2.0, "float32": 2.0, "float16": 1.0, "bfloat16": 1.0},
    "torch": {"float64": 1.0, "float32": 1.0, "float16": 1.0, "bfloat16": 1.0},
}
"""The error of each library's `exp` in ulp, rounded up to a whole number: measured against Arb by the tests."""

FLUSHES = {"jax": ("float64", "float32", "bfloat16"), "torch": ("bfloat16",)}
"""The dtypes in which a library flushes subnormal numbers to zero: XLA's code for CPUs always does, PyTorch's in large
matrix products of bfloat16."""


def arithmetic(
    dtype: str,
    *,
    library: str = "numpy",
    exp_ulp: float | None = None,
    flushes: bool | None = None,
    accumulator: float | None = None,
) -> Arithmetic:
    """Return what is assumed of a library in a dtype: the format's numbers, and what was measured of its `exp`.

    All four libraries add float16 and bfloat16 in float32, as the tests see: the accumulator has at least its precision.
    NumPy does so only along rows that lie together in memory, which the reference functions see to.

    Args:
        dtype: "float64", "float32", "float16" or "bfloat16".
        library: "numpy", "array_api_strict", "jax" or "torch".
        exp_ulp: The error of `exp` in units in the last place, if not the library's.
        flushes: Whether subnormal numbers are flushed to zero, if not as the library does.
        accumulator: The unit roundoff of the format in which sums are added, if not the library's.

    Raises:
        ValueError: If the library or its dtype is not known, `exp_ulp` is not positive, or `accumulator` is not
            between 0 and 1.
    """
    if library not in EXP_ULP:
        raise ValueError(f"library: one of {', '.join(EXP_ULP)} is needed, got {library}")
    if dtype not in EXP_ULP[library]:
        raise ValueError(f"dtype: one of {', '.join(EXP_ULP[library])} is needed for {library}, got {dtype}")
    error = EXP_ULP[library][dtype] if exp_ulp is None else exp_ulp
    if not error > 0:
        raise ValueError(f"exp_ulp: must be positive, got {error}")
    if accumulator is not None and not 0 < accumulator < 1:
        raise ValueError(f"accumulator: a unit roundoff between 0 and 1 is needed, got {accumulator}")
    shape = FORMATS[dtype]
    own = math.ldexp(1.0, -max(shape.precision, FORMATS["float32"].precision))
    normal = math.ldexp(1.0, shape.least_exponent)
    subnormal = math.ldexp(1.0, shape.least_exponent - shape.precision + 1)
    flushed = dtype in FLUSHES.get(library, ()) if flushes is None else flushes
    return Arithmetic(
        u=math.ldexp(1.0, -shape.precision),
        tiny=normal if flushed else subnormal,
        smallest_normal=normal,
        largest=math.ldexp(2.0 - math.ldexp(1.0, 1 - shape.precision), shape.greatest_exponent),
        exp_ulp=error,
        accumulator=own if accumulator is None else accumulator,
    )


def gamma(u: float, k: int) -> float:
    """Bound on `|θ|` where `1 + θ` is a product of `k` factors `1 + δ` with `|δ| ≤ u`: `k u / (1 - k u)`.

    `abs_prod_one_add_sub_one_le` gives `(1 + u)^k - 1`, which `one_add_pow_sub_one_le` bounds by this. An operand of a
    sum of `n` terms goes through at most `n - 1` of its additions, whatever their order.

    Raises:
        ValueError: If `k * u ≥ 1/2`: beyond that the bound says next to nothing.
    """
    if k < 0:
        raise ValueError(f"k: a number of roundings is needed, got {k}")
    if not 0 < u < 1:
        raise ValueError(f"u: a unit roundoff between 0 and 1 is needed, got {u}")
    if k * u >= 0.5:
        raise ValueError(
            f"k: {k} roundings of unit roundoff {u} have no useful bound (k * u must be below 1/2)"
        )
    return k * u / (1 - k * u)


def accumulated(u: float, k: int, accumulator: float | None = None) -> float:
    """Bound on the relative error of `k` roundings in a row that end in a number of unit roundoff `u`.

    Without an accumulator of its own, `gamma(u, k)`. Where a library adds in a wider format, of unit roundoff
    `accumulator`, the `k` roundings are in that format and one more, of `u`, ends them:
    `abs_prod_one_add_sub_one_le` for both kinds of factors.

    Raises:
        ValueError: If the roundings have no useful bound (see `gamma`), for the accumulator's unit roundoff.
    """
    if accumulator is None or accumulator == u:
        return gamma(u, k)
    return compounded(gamma(accumulator, k), u)


def compounded(*errors: float) -> float:
    """The relative error of a product whose factors have these relative errors: `(1 + e_1) (1 + e_2) ... - 1`.

    Without the cancellation in which errors of float64's size would be lost.
    """
    return math.expm1(math.fsum(math.log1p(error) for error in errors))


def divided_by(error: float) -> float:
    """The relative error of a quotient whose divisor has this relative error: `1 / (1 - e) - 1`."""
    return error / (1 - error)
