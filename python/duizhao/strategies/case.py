"""For which library and dtype inputs are drawn, and what every case knows of its arithmetic."""

import importlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from duizhao.arrays import Array
from duizhao.rounding import EXP_ULP, Arithmetic, arithmetic

DTYPES = ("float64", "float32", "float16")
"""The dtypes of NumPy that the claims run on."""

NAMESPACES = {
    "numpy": "array_api_compat.numpy",
    "array_api_strict": "array_api_strict",
    "jax": "jax.numpy",
    "torch": "array_api_compat.torch",
}


@cache
def namespace(library: str) -> Any:
    """Return the array API namespace of a library; JAX is told to keep 64 bits.

    Raises:
        ValueError: If the library is not known.
        ImportError: If it is not installed.
    """
    if library not in NAMESPACES:
        raise ValueError(f"library: one of {', '.join(NAMESPACES)} is needed, got {library}")
    if library == "jax":
        importlib.import_module("jax").config.update("jax_enable_x64", True)
    return importlib.import_module(NAMESPACES[library])


@dataclass(frozen=True)
class Target:
    """A library and one of its dtypes."""

    dtype: str
    library: str = "numpy"

    @property
    def name(self) -> str:
        """The dtype, after the library's name if that is not NumPy."""
        return self.dtype if self.library == "numpy" else f"{self.library} {self.dtype}"

    @property
    def xp(self) -> Any:
        """The library's array API namespace."""
        return namespace(self.library)

    @property
    def arithmetic(self) -> Arithmetic:
        """What is assumed of the library's arithmetic in this dtype."""
        return arithmetic(self.dtype, library=self.library)

    @property
    def width(self) -> Literal[16, 32, 64]:
        """The number of bits of the smallest IEEE format that holds every number of the dtype."""
        widths: dict[str, Literal[16, 32, 64]] = {"float16": 16, "bfloat16": 32, "float32": 32, "float64": 64}
        return widths[self.dtype]

    def array(self, values: Any) -> Array:
        """Return nested sequences of floats, which the dtype must hold exactly, as an array of the library."""
        return self.xp.asarray(values, dtype=getattr(self.xp, self.dtype))

    def rounded(self, value: float) -> float:
        """Return a float of this dtype that is next to a Python float: the nearest, or infinity beyond the largest."""
        if self.dtype != "bfloat16":
            with np.errstate(over="ignore", under="ignore"):
                return float(np.dtype(self.dtype).type(value))
        with np.errstate(over="ignore", under="ignore"):
            single = np.dtype("float32").type(value)
        if not np.isfinite(single):
            return float(single)
        bits = int(single.view(np.uint32))
        return _from_top_bits((bits + 0x7FFF + (bits >> 16 & 1)) >> 16)

    def after(self, value: float, steps: int) -> float:
        """Return the float of this dtype that is `steps` floats above `value` (below it, if negative)."""
        if self.dtype == "bfloat16":
            top = int(np.dtype("float32").type(value).view(np.uint32)) >> 16
            place = (top if top < 0x8000 else 0x8000 - top) + steps
            return _from_top_bits(place if place >= 0 else 0x8000 - place)
        kind = np.dtype(self.dtype).type
        result, towards = kind(value), kind(math.inf if steps > 0 else -math.inf)
        for _ in range(abs(steps)):
            result = np.nextafter(result, towards)
        return float(result)


def _from_top_bits(bits: int) -> float:
    """Return the float32 whose upper 16 bits are given and whose lower ones are 0."""
    return float(np.uint32(bits << 16).view(np.float32))


def targets(library: str = "numpy", dtypes: Iterable[str] | None = None) -> Sequence[Target]:
    """Return the targets that the claims run on: a library, in each of its dtypes that is measured."""
    names = dtypes if dtypes is not None else DTYPES if library == "numpy" else EXP_ULP[library]
    return [Target(dtype, library) for dtype in names]


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

    @property
    def accumulator(self) -> float:
        """The unit roundoff of the format in which the library adds."""
        return self.target.arithmetic.accumulator
