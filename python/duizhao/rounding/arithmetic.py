"""What is assumed of a library's arithmetic in one dtype, and how roundings pile up.

* `Arithmetic`, `arithmetic`: unit roundoff, smallest numbers, error of `exp`.
* `gamma`: `k` roundings in a row.
"""

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


EXP_ULP = {"float64": 1.0, "float32": 3.0, "float16": 1.0}
"""The error of NumPy's `exp` in ulp, rounded up to a whole number: measured against Arb by `tests/test_rounding.py`."""


def arithmetic(dtype: str, *, exp_ulp: float | None = None, flushes: bool = False) -> Arithmetic:
    """Return what is assumed of `dtype`: IEEE 754's numbers, and NumPy's `exp` unless `exp_ulp` says otherwise.

    Args:
        dtype: "float64", "float32" or "float16".
        exp_ulp: The error of the library's `exp` in units in the last place.
        flushes: Whether the library flushes subnormal numbers to zero.

    Raises:
        ValueError: If the dtype is not one of the three, or `exp_ulp` is not positive.
    """
    if dtype not in EXP_ULP:
        raise ValueError(f"dtype: one of {', '.join(EXP_ULP)} is needed, got {dtype}")
    error = EXP_ULP[dtype] if exp_ulp is None else exp_ulp
    if not error > 0:
        raise ValueError(f"exp_ulp: must be positive, got {error}")
    facts = np.finfo(np.dtype(dtype))
    normal = float(facts.smallest_normal)
    return Arithmetic(
        u=float(facts.eps) / 2,
        tiny=normal if flushes else float(facts.smallest_subnormal),
        smallest_normal=normal,
        largest=float(facts.max),
        exp_ulp=error,
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
