"""Arrays of any library, and the checks that every reference function makes of its arguments.

Any library that follows the array API standard will do: NumPy, PyTorch, JAX, `array_api_strict`. Arrays come
out in the library, the dtype and on the device in which they went in; nothing is converted, promoted or
changed in place.

A check either passes in silence or raises an error that names the argument. Checks of shapes and dtypes are
always made. Checks of values (NaN, infinities, overflow, empty rows under `empty_row="error"`) need numbers
to look at: while JAX traces a function (`jax.jit`, `jax.grad`, `jax.vmap`) an array has none, and these
checks are passed over. PyTorch's gradients go through them; its `torch.vmap` does not, and says so.

What an argument is:

* `library`, `same_library`: an array, of one library.
* `floating`: arrays of one library and one floating-point dtype.
* `check_mask`: a mask that fits the scores; `boolean`: the same mask, broadcast to their shape.
* `short`: what a dtype or a library is called.
* `real_number`: a finite Python number that a dtype can hold.
* `at_least`, `not_empty`, `same_rows`, `broadcast_shape`, `common_batch`: shapes that fit.

What the values are:

* `refuse`, `refuse_overflow`: raise where a flag is set; `holds` says whether one is, `first_index` where.
* `quiet`: no NumPy warnings where a check or the formula deals with the special case.

Pieces of formulas:

* `everything`, `onto`, `where`: who is looked at, and what stands in for the others.
* `divide`: a division that rounds once.
"""

import math
import numbers
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from array_api_compat import array_namespace, device, is_array_api_obj, is_jax_array

# An array of any library: their classes have no common base, and the standard defines no type.
Array: TypeAlias = Any
# The module with the functions of such a library, as `array_api_compat.array_namespace` finds it.
Namespace: TypeAlias = Any

FLOATS = ("float16", "bfloat16", "float32", "float64")


def short(name: object) -> str:
    """The name of a dtype or library: `float64` for `torch.float64`, `numpy` for `array_api_compat.numpy`."""
    return re.sub(r"^(array_api_compat|array_api_strict|torch)\.", "", str(name))


def library(name: str, array: Array) -> Namespace:
    """The namespace of an array.

    Raises:
        TypeError: `array` is not an array, or one of `numpy.ma.MaskedArray` or `numpy.matrix`, which calculate
            in ways of their own.
    """
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(
            f"{name}: a plain array is needed, got a numpy.ma.MaskedArray, whose mask would be lost; "
            f"give {name}.data, and a mask by itself"
        )
    if isinstance(array, np.matrix):
        raise TypeError(f"{name}: a plain array is needed, got a numpy.matrix; give numpy.asarray({name})")
    if not is_array_api_obj(array):
        raise TypeError(
            f"{name}: an array is needed, got {type(array).__name__}; "
            f"make one first, for example with numpy.asarray({name})"
        )
    return array_namespace(array)


def same_library(name: str, array: Array, other: str, xp: Namespace) -> None:
    """Check that `array` belongs to the library `xp`, which is the library of the argument `other`.

    Raises:
        TypeError: it does not, or is not an array.
    """
    own = library(name, array)
    if own is not xp:
        raise TypeError(
            f"{name}: an array of {short(own.__name__)}, but {other} is one of {short(xp.__name__)}; "
            "convert one of them first"
        )


def floating(**arrays: Array) -> Namespace:
    """The namespace of the named arrays, which have one library and one floating-point dtype.

    Raises:
        TypeError: one is not an array, they come from different libraries, a dtype is none of float16,
            bfloat16, float32 and float64 (those that the library has), or the dtypes differ.
    """
    (first, array), *_ = arrays.items()
    xp = library(first, array)
    known = [name for name in FLOATS if hasattr(xp, name)]
    for name, other in arrays.items():
        same_library(name, other, first, xp)
        dtype = short(other.dtype)
        if not any(other.dtype == getattr(xp, float_name) for float_name in known):
            another_float = re.match("[<>]?b?f", dtype)  # float128, float8_e5m2, the byte-swapped >f8
            needed = f"an array of {', '.join(known)}" if another_float else "a floating-point array"
            raise TypeError(
                f"{name}: {needed} is needed, got {dtype}; "
                f"convert it first, for example with xp.astype({name}, xp.float64)"
            )
        if other.dtype != array.dtype:
            raise TypeError(
                f"{name}: its dtype {dtype} differs from that of {first}, {short(array.dtype)}; "
                f"convert one of them first, for example with xp.astype({name}, {first}.dtype)"
            )
    return xp


def check_mask(xp: Namespace, mask: Array, shape: tuple[int, ...], *, beside: str) -> None:
    """(broadcastable to shape) -> None: check the kind and the shape of a mask for scores of that shape.

    Raises:
        TypeError: the mask is not a boolean array, or not of the library of the argument `beside`.
        ValueError: it does not broadcast to `shape`.
    """
    same_library("mask", mask, beside, xp)
    if mask.dtype != xp.bool:
        raise TypeError(f"mask: a boolean array is needed (True keeps), got {short(mask.dtype)}")
    if broadcast_shape(tuple(mask.shape), shape) != shape:
        raise ValueError(
            f"mask: shape {tuple(mask.shape)} does not broadcast to the shape of the scores, {shape}"
        )


def boolean(xp: Namespace, mask: Array, shape: tuple[int, ...], *, beside: str) -> Array:
    """(broadcastable to shape) -> shape: the mask at the shape of the scores, True keeps.

    Raises:
        TypeError: as for `check_mask`.
        ValueError: as for `check_mask`.
    """
    check_mask(xp, mask, shape, beside=beside)
    return xp.logical_and(xp.ones(shape, dtype=xp.bool, device=device(mask)), mask)


def real_number(name: str, value: object, xp: Namespace, dtype: Any, *, positive: bool = False) -> float:
    """The finite number `value`, which arrays of this dtype can hold to full precision.

    Raises:
        TypeError: it is not a real number.
        ValueError: it is not finite, not positive where it has to be, or out of the dtype's normal range.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}: a real number is needed, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if positive and number <= 0:
        raise ValueError(f"{name}: must be positive, got {value}")
    if not math.isfinite(number):
        raise ValueError(f"{name}: must be {'positive and ' if positive else ''}finite, got {number}")
    limits = xp.finfo(dtype)
    smallest, largest = float(limits.smallest_normal), float(limits.max)
    if number != 0 and not smallest <= abs(number) <= largest:
        raise ValueError(
            f"{name}: {number} is out of the range of {short(dtype)}, {smallest} to {largest}; "
            "use a number within it, or a wider dtype"
        )
    return number


def at_least(axes: tuple[str, ...], **arrays: Array) -> None:
    """Check that each array has at least the named axes, the last ones.

    Raises:
        ValueError: one has fewer.
    """
    for name, array in arrays.items():
        if array.ndim < len(axes):
            count = "1 axis" if len(axes) == 1 else f"{len(axes)} axes"
            verb = "is" if len(axes) == 1 else "are"
            raise ValueError(
                f"{name}: at least {count} ({', '.join(axes)}) {verb} needed, got shape {tuple(array.shape)}"
            )


def not_empty(name: str, array: Array, axis: int, what: str) -> None:
    """Check that an axis has at least one entry.

    Raises:
        ValueError: it is empty.
    """
    if array.shape[axis] == 0:
        raise ValueError(f"{name}: {what} (shape {tuple(array.shape)}); at least 1 is needed")


def same_rows(name: str, rows: Array, axis: int, number: int, of: str, shape: tuple[int, ...]) -> None:
    """Check that `rows` has as many rows along `axis` as there are weights or keys.

    Raises:
        ValueError: it has more or fewer.
    """
    if rows.shape[axis] != number:
        raise ValueError(
            f"{name}: {rows.shape[axis]} rows for {number} {of} (shapes {tuple(rows.shape)} and {shape})"
        )


def broadcast_shape(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...] | None:
    """The common shape of two shapes, or None if there is none."""
    try:
        return np.broadcast_shapes(first, second)
    except ValueError:
        return None


def common_batch(
    name: str, batch: tuple[int, ...], other: str, other_batch: tuple[int, ...]
) -> tuple[int, ...]:
    """The shape to which the batch axes of two arguments broadcast.

    Raises:
        ValueError: they do not broadcast.
    """
    common = broadcast_shape(batch, other_batch)
    if common is None:
        raise ValueError(f"{name}: batch axes {batch} do not broadcast with those of {other}, {other_batch}")
    return common


def holds(flags: Array) -> bool:
    """Whether some flag is set; False while JAX traces, when nobody can tell."""
    if is_jax_array(flags):
        import jax

        if isinstance(flags, jax.core.Tracer):
            return False
    return bool(array_namespace(flags).any(flags))


def first_index(flags: Array) -> tuple[int, ...]:
    """The index of the first flag that is set, of which there is one."""
    if flags.ndim == 0:
        return ()
    return tuple(int(indices[0]) for indices in array_namespace(flags).nonzero(flags))


def refuse(name: str, array: Array, flags: Array, rule: str) -> None:
    """Check that no flag is set: each marks an entry of `array` that breaks the rule.

    Raises:
        ValueError: one is set.
    """
    if holds(flags):
        xp, index = array_namespace(array), first_index(flags)
        found = "NaN" if bool(xp.isnan(array)[index]) else "inf" if bool((array > 0)[index]) else "-inf"
        raise ValueError(f"{name}: {found} at index {index}; {rule}")


def refuse_overflow(result: Array, flags: Array, what: str, *, columns: Sequence[int] | None = None) -> None:
    """Check that no flag is set: each marks an entry of `result` that overflowed.

    If `result` has only some of the columns of what the caller knows, `columns` says which ones.

    Raises:
        OverflowError: one is set.
    """
    if holds(flags):
        index = first_index(flags)
        if columns is not None:
            index = (*index[:-1], columns[index[-1]])
        raise OverflowError(
            f"{what}{f' at index {index}' if index else ''} overflows {short(result.dtype)}; "
            "use smaller numbers or a wider dtype"
        )


def quiet() -> np.errstate:
    """No NumPy warnings inside: what would cause one is checked, or is what the formula means."""
    return np.errstate(over="ignore", under="ignore", invalid="ignore")


def everything(xp: Namespace, array: Array, shape: tuple[int, ...]) -> Array:
    """() -> shape: a mask that keeps everything, on the device of `array`."""
    return xp.ones(shape, dtype=xp.bool, device=device(array))


def onto(flags: Array, shape: tuple[int, ...]) -> Array:
    """(broadcastable with shape) -> shape: whether an entry of that shape is flagged in some copy of it."""
    xp = array_namespace(flags)
    while flags.ndim > len(shape):
        flags = xp.any(flags, axis=0)
    for axis in range(-flags.ndim, 0):
        if shape[axis] == 1:
            flags = xp.any(flags, axis=axis, keepdims=True)
    return xp.broadcast_to(flags, shape)


def where(keep: Array, array: Array, fill: float) -> Array:
    """(...), (...) -> (...): the array where `keep` is True, the number `fill` elsewhere."""
    xp = array_namespace(array)
    return xp.where(keep, array, xp.full_like(array, fill))


def divide(array: Array, by: Array) -> Array:
    """(...), (broadcastable to (...)) -> (...): the quotient, rounded once.

    Where JAX sees that a divisor is broadcast, it multiplies by the reciprocal on the CPU, which rounds twice
    and can vanish: the divisor is spread out first. In a jitted function that is of no help.
    """
    return array / array_namespace(array).broadcast_to(by, tuple(array.shape))
