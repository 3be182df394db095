"""Attention by a blockwise pass over the keys.

* `blockwise_attention`: the scores of one block at a time.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Literal, get_args

from array_api_compat import device

from duizhao.arrays import Array, check_mask, floating, refuse_overflow, where
from duizhao.attention import check_value_shape, checked_scale, looked_at, scaled_products, scores_shape
from duizhao.blockwise.partition import partition, taken
from duizhao.blockwise.state import OnlineState, merge, of_block, out
from duizhao.mask import EmptyRow, check_empty_row, refuse_empty_rows

Order = Literal["in turn", "pairwise"]


def blockwise_attention(
    query: Array,
    key: Array,
    value: Array,
    *,
    mask: Array | None = None,
    blocks: int | Sequence[Iterable[int]] = 64,
    order: Order = "in turn",
    scale: float | None = None,
    empty_row: EmptyRow = "zero",
) -> Array:
    """(..., L, d), (..., S, d), (..., S, e) -> (..., L, e): attention to the allowed keys, block by block.

    Over the real numbers this is `masked_attention`, and `attention` without a mask (`out_foldl_merge`,
    `out_foldl_merge_univ`). Only the scores of one block are there at a time: besides its arguments and its
    result, this function needs memory for L times the largest block, not for L times S.

    A key or value that no query may read, and a query that may read no key, are not looked at, whatever they
    hold.

    Args:
        query: as for `masked_attention`.
        key: as for `masked_attention`.
        value: as for `masked_attention`.
        mask: boolean, of the same library, broadcastable to (..., L, S); True keeps. No mask keeps all.
        blocks: the number of keys in a block of neighbours, of which the last may have fewer; or the blocks
            themselves, as lists of key indices, in any order, in which each key occurs once. A block may be
            empty.
        order: in which order blocks are merged: "in turn", each with all before it, or "pairwise", neighbours
            first, then neighbouring pairs, which goes through fewer roundings.
        scale: as for `attention`.
        empty_row: as for `masked_attention`.

    Raises:
        TypeError: as for `masked_attention`, or an index or the size of a block is not an integer.
        ValueError: as for `masked_attention`; a block size is not positive, a key is in no block or twice in
            them, an index is not that of a key, or `order` is neither.
        OverflowError: as for `masked_attention`, or a sum of exponentials times values does not fit in the
            dtype, although the output would.
    """
    xp = floating(query=query, key=key, value=value)
    shape = scores_shape(query, key)
    check_value_shape(value, key, shape)
    if order not in get_args(Order):
        raise ValueError(f'order: must be "in turn" or "pairwise", got {order!r}')
    check_empty_row(empty_row)
    parts = partition(blocks, shape[-1])
    scale = checked_scale(xp, query, scale)
    if mask is None:
        mask = xp.ones((1, 1), dtype=xp.bool, device=device(query))
    check_mask(xp, mask, shape, beside="query")
    mask = mask if mask.ndim > 1 else xp.expand_dims(mask, axis=tuple(range(2 - mask.ndim)))

    read_by_some = xp.any(mask, axis=-2)
    reads_some = xp.any(mask, axis=-1)
    refuse_empty_rows(empty_row, xp.broadcast_to(xp.logical_not(reads_some), shape[:-1]))
    query = looked_at(xp, "query", query, xp.broadcast_to(reads_some, shape[:-1]))
    key = looked_at(xp, "key", key, xp.broadcast_to(read_by_some, (*shape[:-2], shape[-1])))
    full = xp.expand_dims(reads_some, axis=-1)
    if empty_row == "mean":
        read_by_some = xp.logical_or(read_by_some, xp.logical_not(xp.all(full, axis=-2)))
    value = looked_at(xp, "value", value, xp.broadcast_to(read_by_some, (*shape[:-2], shape[-1])))

    def states() -> Iterator[OnlineState]:
        for block in parts:
            allowed = mask if mask.shape[-1] == 1 else taken(xp, mask, block, -1)
            scores = scaled_products(xp, query, taken(xp, key, block, -2), scale)
            if empty_row == "mean":  # that of all values: every key may be read, with the same score
                allowed = xp.logical_or(allowed, xp.logical_not(full))
                scores = where(xp.broadcast_to(full, tuple(scores.shape)), scores, 0.0)
            flags = xp.logical_and(allowed, xp.logical_not(xp.isfinite(scores)))
            refuse_overflow(scores, flags, "query and key: the score", columns=block)
            yield of_block(scores, taken(xp, value, block, -2), mask=allowed)

    state = reduce(merge, states()) if order == "in turn" else _pairwise(states())
    return out(state, empty_row="nan" if empty_row == "nan" else "zero")


def _pairwise(states: Iterable[OnlineState]) -> OnlineState:
    """The merge of all states: neighbours first, then neighbouring pairs, and what is left over at the end."""
    waiting: list[tuple[int, OnlineState]] = []
    for state in states:
        height = 0
        while waiting and waiting[-1][0] == height:
            state = merge(waiting.pop()[1], state)
            height += 1
        waiting.append((height, state))
    return reduce(lambda later, earlier: merge(earlier, later), (state for _, state in reversed(waiting)))
