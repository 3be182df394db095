"""The array libraries that are tested, their dtypes, and how to look at their arrays."""

import re
from types import ModuleType

import array_api_strict
import jax.numpy as jnp
import numpy as np
import pytest

from duizhao.arrays import Array
from duizhao.rounding import Arithmetic, arithmetic

INF = float("inf")
NAN = float("nan")
NAMES = {np: "numpy", array_api_strict: "array_api_strict", jnp: "jax"}

EVERY_FLOAT = [
    pytest.param(xp, name, id=f"{library}-{name}")
    for xp, library in NAMES.items()
    for name in ("float16", "bfloat16", "float32", "float64")
    if hasattr(xp, name)
]
"""Each library with each of its floating-point dtypes, by name."""

FLOATS = [param for param in EVERY_FLOAT if param.id not in ("jax-float16", "jax-float64")]
"""The same with two dtypes of JAX, which compiles every operation for every dtype and shape, and is slow at that."""

LIBRARIES = [pytest.param(xp, id=library) for xp, library in NAMES.items()]

INTERPRETED = [param for param in LIBRARIES if param.id != "jax"]
"""The libraries that compile nothing, for tests with many shapes."""


def array(xp: ModuleType, entries: object, dtype: str = "float64") -> Array:
    """An array of a library and a dtype."""
    return xp.asarray(entries, dtype=getattr(xp, dtype))


def numbers(array: Array) -> object:
    """The entries as Python floats, exactly, in nested lists."""
    return np.asarray(array).astype(np.float64).tolist()


def bits(array: Array) -> bytes:
    """The bytes of the entries in row order."""
    return np.asarray(array).tobytes()


def assumed(xp: ModuleType, dtype: str) -> Arithmetic:
    """What the budgets assume of a library's arithmetic."""
    return arithmetic(dtype, library=NAMES[xp])


def says(message: str) -> str:
    """The pattern of a whole error message."""
    return f"^{re.escape(message)}$"
