"""Slips in blockwise attention."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from duizhao import blockwise
from duizhao.blockwise import OnlineState
from tests.mutants.mutant import mutant

Array = Any


def factors(a: OnlineState, b: OnlineState) -> tuple[Array, Array, Array]:
    """Return the larger shift, and the factors that rescale both states to it."""
    largest = np.maximum(a.max, b.max)
    finite = largest if np.isfinite(largest) else np.zeros_like(largest)
    with np.errstate(over="ignore", under="ignore"):
        return largest, np.exp(a.max - finite), np.exp(b.max - finite)


@mutant("merge", "merge_ofBlock", "out_merge_ofBlock", "out_foldl_merge")
def forgets_to_rescale(a: OnlineState, b: OnlineState) -> OnlineState:
    """Sums and outputs are added as they are, whatever the shifts."""
    return OnlineState(np.maximum(a.max, b.max), a.sum + b.sum, a.acc + b.acc)


@mutant("merge", "merge_comm", "merge_assoc", "merge_ofBlock", "out_foldl_merge_univ")
def rescales_only_what_was_read_before(a: OnlineState, b: OnlineState) -> OnlineState:
    """The state so far is rescaled to the larger shift, the new block is not."""
    largest, own, _ = factors(a, b)
    return OnlineState(largest, own * a.sum + b.sum, own * a.acc + b.acc)


@mutant("merge", "out_merge_zero", "out_merge_ofBlock", "out_foldl_merge_univ")
def rescales_the_sum_alone(a: OnlineState, b: OnlineState) -> OnlineState:
    """The sum of exponentials is rescaled, the output so far is not."""
    largest, own, other = factors(a, b)
    return OnlineState(largest, own * a.sum + other * b.sum, a.acc + b.acc)


@mutant("of_block", "out_ofBlock", "out_merge_ofBlock", "out_foldl_merge", "merge_ofBlock")
def forgets_the_mask(
    scores: Array, values: Array, *, mask: Array | None = None, shift: Array | None = None
) -> OnlineState:
    """A block reads all keys, not only its own."""
    del mask
    return blockwise.of_block(scores, values, shift=shift)


@mutant("out", "out_ofBlock", "out_merge_ofBlock", "out_foldl_merge", "out_foldl_merge_univ")
def guards_the_sum(state: OnlineState) -> Array:
    """A small number, 1e-6, is added to the sum, to be safe from dividing by zero."""
    return state.acc / (state.sum + np.asarray(1e-6, dtype=state.sum.dtype))


@mutant("blockwise_attention", "out_foldl_merge_univ")
def leaves_out_the_last_block(
    query: Array, key: Array, value: Array, *, blocks: Sequence[Sequence[int]], **options: Any
) -> Array:
    """The loop over the blocks ends one too early, unless there is only one."""
    kept = blocks[:-1] if len(blocks) > 1 else blocks
    mask = np.isin(np.arange(key.shape[0]), [index for block in kept for index in block])[None, :]
    return blockwise.blockwise_attention(query, key, value, blocks=blocks, mask=mask, **options)
