"""Keys in blocks.

* `partition`: the blocks that are asked for, in which each key occurs once.
* `taken`: the rows or columns of one block.
"""

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, TypeGuard

from array_api_compat import device

from duizhao.arrays import Array, Namespace


def partition(blocks: int | Sequence[Iterable[int]], keys: int) -> list[Sequence[int]]:
    """The blocks as sequences of key indices, in which each of the keys occurs once.

    Raises:
        TypeError: an index or the size of a block is not an integer, or a block is no list of indices.
        ValueError: the size is not positive, a key is missing or occurs twice, or an index is not a key's.
    """
    if not _has_items(blocks):
        size = _integer("blocks", blocks)
        if size < 1:
            raise ValueError(f"blocks: the size of a block must be positive, got {size}")
        return [range(start, min(start + size, keys)) for start in range(0, keys, size)]
    parts = [_indices(i, block) for i, block in enumerate(blocks)]
    home: dict[int, int] = {}
    for i, block in enumerate(parts):
        for key in block:
            if not 0 <= key < keys:
                raise ValueError(f"blocks: block {i} has {key}, which is none of the {keys} keys")
            if key in home:
                raise ValueError(f"blocks: key {key} is in block {home[key]} and again in block {i}")
            home[key] = i
    missing = next((key for key in range(keys) if key not in home), None)
    if missing is not None:
        raise ValueError(f"blocks: key {missing} is in no block")
    return list(parts)


def taken(xp: Namespace, array: Array, block: Sequence[int], axis: int) -> Array:
    """The rows or columns of a block: neighbours as a view."""
    start, stop = (block[0], block[-1] + 1) if block else (0, 0)
    if list(block) == list(range(start, stop)):
        return array[..., start:stop] if axis == -1 else array[..., start:stop, :]
    return xp.take(array, xp.asarray(block, device=device(array)), axis=axis)


def _has_items(found: object) -> TypeGuard[Iterable[Any]]:
    """Whether there is something to go through: an array without an axis has nothing."""
    return isinstance(found, Iterable) and getattr(found, "ndim", 1) != 0


def _indices(i: int, block: object) -> list[int]:
    """The key indices of block i.

    Raises:
        TypeError: it is no list of integers.
    """
    if not _has_items(block):
        raise TypeError(f"blocks: block {i}: a list of key indices is needed, got {block!r}")
    return [_integer(f"blocks: block {i}", key) for key in block]


def _integer(name: str, number: object) -> int:
    """The integer that `number` is.

    Raises:
        TypeError: it is none.
    """
    try:
        if isinstance(number, bool):
            raise TypeError
        return index(number)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name}: an integer is needed, got {number!r}") from None
