"""For which library and dtype inputs are drawn, and what every case knows of its arithmetic."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from duizhao.arrays import Array
from duizhao.rounding import Arithmetic, arithmetic

DTYPES = ("float64", "float32")
"""The dtypes that the claims run on."""


@dataclass(frozen=True)
class Target:
    """A library and one of its dtypes."""

    dtype: str
    xp: Any = field(default=np, repr=False)

    @property
    def arithmetic(self) -> Arithmetic:
        """What is assumed of the library's arithmetic in this dtype."""
        return arithmetic(self.dtype)

    @property
    def width(self) -> Literal[16, 32, 64]:
        """The number of bits of a float."""
        widths: dict[str, Literal[16, 32, 64]] = {"float16": 16, "float32": 32, "float64": 64}
        return widths[self.dtype]

    def array(self, values: Any) -> Array:
        """Return nested sequences of floats, which the dtype must hold exactly, as an array of the library."""
        return self.xp.asarray(values, dtype=getattr(self.xp, self.dtype))

    def rounded(self, value: float) -> float:
        """Return the float of this dtype that is nearest to a Python float."""
        return float(np.dtype(self.dtype).type(value))

    def after(self, value: float, steps: int) -> float:
        """Return the float of this dtype that is `steps` floats above `value` (below it, if negative)."""
        kind = np.dtype(self.dtype).type
        result = kind(value)
        towards = kind(np.inf if steps > 0 else -np.inf)
        for _ in range(abs(steps)):
            result = np.nextafter(result, towards)
        return float(result)


def targets(dtypes: Iterable[str] = DTYPES) -> Sequence[Target]:
    """Return the targets that the claims run on: NumPy, in each dtype."""
    return [Target(dtype) for dtype in dtypes]


@dataclass(frozen=True)
class Case:
    """One input, and the facts that bounds are derived from."""

    target: Target

    @property
    def u(self) -> float:
        """The unit roundoff."""
        return self.target.arithmetic.u

    @property
    def tiny(self) -> float:
        """The most by which an underflow is off."""
        return self.target.arithmetic.tiny

    @property
    def exp_ulp(self) -> float:
        """The error of the library's `exp` in units in the last place."""
        return self.target.arithmetic.exp_ulp
