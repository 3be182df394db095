"""How NumPy's exponential in float16 differs from the correctly rounded one.

* `differences`: the numbers for which it does.
* `sentence`: what the page says of them.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

ALL = np.arange(2**16, dtype=np.uint16).view(np.float16)
FINITE = ALL[np.isfinite(ALL)]


@cache
def differences() -> tuple[NDArray[np.float16], NDArray[np.float16], NDArray[np.float16]]:
    """() -> (k,), (k,), (k,), float16: each number for which NumPy's differs, its exponential, the right one.

    The right one is the exponential in float64, rounded once more. That is the correctly rounded one: no number here has
    an exponential so near to a midpoint of two float16 numbers that the error of float64 counts.
    """
    with np.errstate(over="ignore", under="ignore"):
        found = np.exp(FINITE)
        right = np.exp(FINITE.astype(np.float64)).astype(np.float16)
    differ = found != right
    return FINITE[differ], found[differ], right[differ]


def sentence() -> str:
    """Return what the page says: how many numbers there are, for how many NumPy differs, and by how much."""
    _, found, right = differences()
    steps = np.abs(found.view(np.int16).astype(int) - right.view(np.int16).astype(int))
    most = f"，最多差末位的 {steps.max()}" if steps.size else ""
    return (
        f"建站所用的 NumPy {np.__version__} 里，{FINITE.size} 个有限的 float16 中，有 {found.size} 个的指数"
        f"和正确舍入的不同{most}。"
    )
