"""Several heads on balls.

* `multi_head`, `output_projection`, `grouped_attention`: as the reference functions.
"""

from typing import Literal

import numpy as np

from duizhao.exact.conversion import Balls, balls
from duizhao.exact.dot_product import attention, masked_attention, read
from duizhao.mask import EmptyRow


def multi_head(
    query: object,
    key: object,
    value: object,
    *,
    mask: object | None = None,
    scale: object | None = None,
    empty_row: EmptyRow = "zero",
) -> Balls:
    """Return attention in every head, side by side: (..., queries, heads * out).

    `multiHead` in `MultiHead.lean`: of (..., heads, queries, width), (..., heads, keys, width) and
    (..., heads, keys, out). Column (k, c) is column `k * out + c`.

    Raises:
        TypeError: As `masked_attention`.
        ValueError: As `masked_attention`, or if there is no axis of heads.
    """
    outputs = _attend(query, key, value, mask, scale, empty_row)
    if outputs.ndim < 3:
        raise ValueError(
            f"query: (..., heads, queries, width) is needed, got outputs of shape {outputs.shape}"
        )
    heads, queries, width = outputs.shape[-3:]
    rows: Balls = np.moveaxis(outputs, -3, -2).reshape(*outputs.shape[:-3], queries, heads * width)
    return rows


def output_projection(heads: object, weight: object) -> Balls:
    """Return concatenated heads (..., queries, width) times a matrix (width, columns): (..., queries, columns).

    Raises:
        ValueError: If the widths differ, or leading axes do not broadcast.
    """
    return read(heads, weight)


def grouped_attention(
    query: object,
    key: object,
    value: object,
    *,
    mask: object | None = None,
    head_map: Literal["repeat", "tile"] = "repeat",
    scale: object | None = None,
    empty_row: EmptyRow = "zero",
) -> Balls:
    """Return attention of (..., H, queries, width) to G heads of keys and values: (..., H, queries, out).

    Query head i reads key head `i // (H / G)` under "repeat", `i % G` under "tile".

    Raises:
        TypeError: As `masked_attention`.
        ValueError: As `masked_attention`, or if H is not a multiple of G or `head_map` is neither.
    """
    queries, keys, values = balls(query), balls(key), balls(value)
    times, rest = divmod(queries.shape[-3], keys.shape[-3])
    if rest or head_map not in ("repeat", "tile"):
        raise ValueError(f"head_map: {head_map!r} of {keys.shape[-3]} heads to {queries.shape[-3]}")
    heads = np.arange(queries.shape[-3])
    read_by = heads // max(times, 1) if head_map == "repeat" else heads % keys.shape[-3]
    keys, values = np.take(keys, read_by, axis=-3), np.take(values, read_by, axis=-3)
    return _attend(queries, keys, values, mask, scale, empty_row)


def _attend(
    query: object,
    key: object,
    value: object,
    mask: object | None,
    scale: object | None,
    empty_row: EmptyRow,
) -> Balls:
    if mask is None:
        return attention(query, key, value, scale=scale)
    return masked_attention(query, key, value, mask, scale=scale, empty_row=empty_row)
