"""The array libraries that are tested, their dtypes, and how to look at their arrays.

PyTorch is one of them if it is installed, as it is in .venv-torch: `make test-torch` runs what bears the mark `torch`.
"""

import re
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import array_api_strict
import jax.numpy as jnp
import numpy as np
import pytest
from array_api_compat import is_torch_array
from numpy.typing import NDArray

from duizhao.arrays import Array
from duizhao.rounding import Arithmetic, arithmetic

INF = float("inf")
NAN = float("nan")
NAMES: dict[ModuleType, str] = {np: "numpy", array_api_strict: "array_api_strict", jnp: "jax"}
if find_spec("torch"):
    NAMES[import_module("array_api_compat.torch")] = "torch"


def _marks(library: str) -> list[pytest.MarkDecorator]:
    """The marks of a test with a library."""
    return [pytest.mark.torch] if library == "torch" else []


EVERY_FLOAT = [
    pytest.param(xp, name, id=f"{library}-{name}", marks=_marks(library))
    for xp, library in NAMES.items()
    for name in ("float16", "bfloat16", "float32", "float64")
    if hasattr(xp, name)
]
"""Each library with each of its floating-point dtypes, by name."""

FLOATS = [param for param in EVERY_FLOAT if param.id not in ("jax-float16", "jax-float64")]
"""The same with two dtypes of JAX, which compiles every operation for every dtype and shape, and is slow at that."""

DTYPES = [
    pytest.param(
        param.values[0], getattr(param.values[0], str(param.values[1])), id=param.id, marks=param.marks
    )
    for param in EVERY_FLOAT
    if param.id != "jax-float64"
]
"""The same with the dtypes themselves, for tests that have JAX's float64 elsewhere."""

LIBRARIES = [pytest.param(xp, id=library, marks=_marks(library)) for xp, library in NAMES.items()]

DOUBLES = [pytest.param(xp, xp.float64, id=library, marks=_marks(library)) for xp, library in NAMES.items()]
"""Each library with its float64."""

INTERPRETED = [param for param in LIBRARIES if param.id != "jax"]
"""The libraries that compile nothing, for tests with many shapes."""


def array(xp: ModuleType, entries: object, dtype: str = "float64") -> Array:
    """An array of a library and a dtype."""
    return xp.asarray(entries, dtype=getattr(xp, dtype))


def wide(array: Array) -> NDArray[np.float64]:
    """The same numbers as a NumPy array of float64, which holds those of every dtype."""
    if is_torch_array(array):
        array = array.detach().double()
    return np.asarray(array).astype(np.float64)


def numbers(array: Array) -> object:
    """The entries as Python floats, exactly, in nested lists."""
    return wide(array).tolist()


def bits(array: Array) -> bytes:
    """The bytes of the entries in row order."""
    if is_torch_array(array):
        # No NumPy dtype for bfloat16: float64 tells its numbers apart, and zeros of both signs.
        array = wide(array)
    return np.asarray(array).tobytes()


def assumed(xp: ModuleType, dtype: str) -> Arithmetic:
    """What the budgets assume of a library's arithmetic."""
    return arithmetic(dtype, library=NAMES[xp])


def says(message: str) -> str:
    """The pattern of a whole error message."""
    return f"^{re.escape(message)}$"
