"""Several heads, side by side: the twin of `lean/NeuralNetworks/MultiHead.lean`.

* `split_heads`, `concat_heads`: from rows that hold all heads to one array a head, and back.
* `multi_head`: attention in every head, the outputs side by side.
* `output_projection`: the concatenated heads times a matrix.
* `grouped_attention`: attention in which several query heads share a key head.

Heads have an axis of their own, before those of length and width. The results that hold of these numbers are
claimed in `duizhao.claims.multi_head`. The formulas are those of Vaswani and others 2017, "Attention is all
you need", section 3.2.2, and for grouped queries of Ainslie and others 2023, "GQA: Training generalized
multi-query transformer models from multi-head checkpoints".
"""

from numbers import Integral
from typing import Literal, get_args

from array_api_compat import device

from duizhao.arrays import (
    Array,
    at_least,
    common_batch,
    floating,
    quiet,
    refuse,
    refuse_overflow,
    same_rows,
)
from duizhao.attention import attention, masked_attention
from duizhao.mask import EmptyRow

HeadMap = Literal["repeat", "tile"]


def split_heads(rows: Array, heads: int) -> Array:
    """(..., L, h * e) -> (..., h, L, e): head k has the columns k e, ..., k e + e - 1 of every row.

    Args:
        rows: float16, bfloat16, float32 or float64; any values.
        heads: the number h of heads.

    Raises:
        TypeError: `rows` is not a floating-point array, or `heads` is not an integer.
        ValueError: `rows` has fewer than two axes, `heads` is not positive or does not divide the width.
    """
    xp = floating(rows=rows)
    at_least(("rows", "width"), rows=rows)
    if not isinstance(heads, Integral) or isinstance(heads, bool):
        raise TypeError(f"heads: an integer is needed, got {heads!r}")
    if heads < 1:
        raise ValueError(f"heads: must be positive, got {heads}")
    *batch, length, width = rows.shape
    if width % heads:
        raise ValueError(f"rows: {heads} heads do not divide the width {width} (shape {tuple(rows.shape)})")
    split = xp.reshape(rows, (*batch, length, int(heads), width // int(heads)))
    return xp.moveaxis(split, -2, -3)


def concat_heads(outputs: Array) -> Array:
    """(..., h, L, e) -> (..., L, h * e): the rows of all heads side by side, head 0 first.

    Column (k, c) of `NeuralNetworks.multiHead` is column k e + c. Undoes `split_heads`.

    Args:
        outputs: float16, bfloat16, float32 or float64; any values. There may be no head.

    Raises:
        TypeError: `outputs` is not a floating-point array.
        ValueError: `outputs` has fewer than three axes.
    """
    xp = floating(outputs=outputs)
    at_least(("heads", "rows", "width"), outputs=outputs)
    *batch, heads, length, width = outputs.shape
    return xp.reshape(xp.moveaxis(outputs, -3, -2), (*batch, length, heads * width))


def multi_head(
    query: Array,
    key: Array,
    value: Array,
    *,
    mask: Array | None = None,
    scale: float | None = None,
    empty_row: EmptyRow = "zero",
) -> Array:
    """(..., h, L, d), (..., h, S, d), (..., h, S, e) -> (..., L, h * e): every head's attention, side by side.

    The twin of `NeuralNetworks.multiHead`, which has no mask. A head's columns depend on that head alone
    (`multiHead_congr`). The axes of heads broadcast: keys and values with one head serve all query heads.

    Args:
        query: as for `attention`.
        key: as for `attention`.
        value: as for `attention`.
        mask: boolean, of the same library, broadcastable to (..., h, L, S); True keeps. No mask keeps all.
        scale: as for `attention`.
        empty_row: as for `masked_attention`.

    Raises:
        TypeError: as for `attention`, or `masked_attention` if there is a mask.
        ValueError: as for those, or one has fewer than three axes.
        OverflowError: as for those.
    """
    floating(query=query, key=key, value=value)
    at_least(("heads", "queries", "width"), query=query)
    at_least(("heads", "keys", "width"), key=key, value=value)
    return concat_heads(_attend(query, key, value, mask, scale, empty_row))


def output_projection(heads: Array, weight: Array) -> Array:
    """(..., L, h * e), (h * e, f) -> (..., L, f): the concatenated heads times the output projection.

    The product `multiHead Q K V * WO` of `NeuralNetworks.multiHead_mul`, which is the sum of what each head
    gives with its own e rows of the matrix. Without heads it is 0. No bound of the heads need survive it
    (`not_multiHead_mul_mem_Icc`).

    Args:
        heads: float16, bfloat16, float32 or float64; finite.
        weight: of the same library and dtype; finite.

    Raises:
        TypeError: one is not a floating-point array, or they differ in library or dtype.
        ValueError: one has fewer than two axes, the number of rows of `weight` is not the width of `heads`,
            the batch axes do not broadcast, or an entry is not finite.
        OverflowError: the product does not fit in the dtype.
    """
    xp = floating(heads=heads, weight=weight)
    at_least(("rows", "width"), heads=heads)
    at_least(("width", "columns"), weight=weight)
    same_rows("weight", weight, -2, heads.shape[-1], "columns of heads", tuple(heads.shape))
    common_batch("weight", tuple(weight.shape[:-2]), "heads", tuple(heads.shape[:-2]))
    for name, array in (("heads", heads), ("weight", weight)):
        refuse(name, array, xp.logical_not(xp.isfinite(array)), "every entry must be finite")
    with quiet():
        output = xp.matmul(heads, weight)
    refuse_overflow(output, xp.logical_not(xp.isfinite(output)), "heads and weight: the product")
    return output


def grouped_attention(
    query: Array,
    key: Array,
    value: Array,
    *,
    mask: Array | None = None,
    head_map: HeadMap = "repeat",
    scale: float | None = None,
    empty_row: EmptyRow = "zero",
) -> Array:
    """(..., H, L, d), (..., G, S, d), (..., G, S, e) -> (..., H, L, e): H query heads share G key heads.

    With r = H / G, query head i reads key and value head i // r under "repeat" (0, 0, 1, 1 for H = 4 and
    G = 2) and i % G under "tile" (0, 1, 0, 1). Programs differ on it; the two agree if G is 1 or H.

    Args:
        query: as for `attention`.
        key: as for `attention`.
        value: as for `attention`; with as many heads as `key`.
        mask: boolean, of the same library, broadcastable to (..., H, L, S); True keeps. No mask keeps all.
        head_map: "repeat" or "tile".
        scale: as for `attention`.
        empty_row: as for `masked_attention`.

    Raises:
        TypeError: as for `attention`, or `masked_attention` if there is a mask.
        ValueError: as for those; one has fewer than three axes; `key` and `value` differ in heads, or the
            query heads are not a multiple of theirs; `head_map` is neither.
        OverflowError: as for those.
    """
    xp = floating(query=query, key=key, value=value)
    at_least(("heads", "queries", "width"), query=query)
    at_least(("heads", "keys", "width"), key=key, value=value)
    if head_map not in get_args(HeadMap):
        raise ValueError(f'head_map: must be "repeat" or "tile", got {head_map!r}')
    heads, groups = query.shape[-3], key.shape[-3]
    if value.shape[-3] != groups:
        raise ValueError(
            f"value: {value.shape[-3]} heads for {groups} key heads "
            f"(shapes {tuple(value.shape)} and {tuple(key.shape)})"
        )
    if (heads % groups if groups else heads) != 0:
        raise ValueError(
            f"query: {heads} heads are no multiple of {groups} key heads "
            f"(shapes {tuple(query.shape)} and {tuple(key.shape)})"
        )
    head = xp.arange(heads, device=device(query))
    if heads:
        read = head // (heads // groups) if head_map == "repeat" else head % groups
        key, value = xp.take(key, read, axis=-3), xp.take(value, read, axis=-3)
    else:
        key, value = key[..., :0, :, :], value[..., :0, :, :]
    return _attend(query, key, value, mask, scale, empty_row)


def _attend(
    query: Array, key: Array, value: Array, mask: Array | None, scale: float | None, empty_row: EmptyRow
) -> Array:
    """Attention, or masked attention if there is a mask."""
    if mask is None:
        return attention(query, key, value, scale=scale)
    return masked_attention(query, key, value, mask, scale=scale, empty_row=empty_row)
