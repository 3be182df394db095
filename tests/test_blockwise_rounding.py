"""Attention block by block lies within its budget, whatever the blocks and the order; what is nearly right does not."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from duizhao import exact, rounding
from duizhao.arrays import Array
from duizhao.attention import masked_attention, scores
from duizhao.blockwise import OnlineState, blockwise_attention, merge, of_block, out
from duizhao.exact import Balls, enclose, lower, upper
from duizhao.mask import causal_mask
from tests.libraries import assumed


def random_partition(generator: np.random.Generator, keys: int, count: int) -> list[NDArray[np.int64]]:
    """`count` blocks of the shuffled keys, some of which may be empty."""
    return np.split(generator.permutation(keys), np.sort(generator.integers(0, keys + 1, size=count - 1)))


def merged_at_random(
    generator: np.random.Generator, states: Sequence[OnlineState]
) -> tuple[OnlineState, int]:
    """The merge of all states, two at a time, and through how many merges one of them went at most."""
    waiting = [(state, 0) for state in states]
    while len(waiting) > 1:
        i, j = generator.choice(len(waiting), size=2, replace=False)
        (a, above), (b, below) = waiting[i], waiting[j]
        waiting = [pair for place, pair in enumerate(waiting) if place not in (i, j)]
        waiting.append((merge(a, b), max(above, below) + 1))
    return waiting[0]


def budget_of_row(
    dtype: str,
    query: Array,
    key: Array,
    value: Array,
    allowed: NDArray[np.bool_],
    block: int,
    depth: int,
    merges: int,
) -> NDArray[np.float64]:
    """The bound on the error of one row of blockwise attention, for the allowed keys."""
    facts = assumed(np, dtype)
    key, value = key[allowed], value[allowed]
    rows = exact.scores(query[None, :], key)[0]
    reach = upper(max(rows, key=lambda ball: ball.mid())) - lower(min(rows, key=lambda ball: ball.mid()))
    magnitudes = [np.abs(array.astype(np.float64)) for array in (query[None, :], key)]
    errors = rounding.score_error(
        facts.u, magnitudes[0], 0 * magnitudes[0], magnitudes[1], 0 * magnitudes[1], facts.tiny
    )
    weight = np.asarray([upper(ball) for ball in exact.softmax(rows)])
    return rounding.blockwise_read(
        facts.u,
        block,
        depth,
        merges,
        weight,
        np.abs(value.astype(np.float64)),
        reach,
        facts.exp_ulp,
        facts.tiny,
        perturbation=float(errors.max()),
    )


def judged(output: Array, truth: Balls, budget: NDArray[np.float64]) -> float:
    """The largest part of the budget that the error of an output takes."""
    gaps = [upper(gap) for gap in exact.distance(output, truth).ravel().tolist()]
    return float(np.max(np.asarray(gaps) / budget.ravel()))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("length", "count"), [(7, 3), (64, 9), (500, 40), (4096, 33)])
@pytest.mark.parametrize(
    ("is_causal", "spread"), [(False, 1), (True, 8)], ids=["all keys", "causal, wide apart"]
)
def test_random_partitions_in_random_merge_order_agree_with_dense_attention_within_the_budget(
    dtype: str, length: int, count: int, is_causal: bool, spread: int
) -> None:
    generator = np.random.default_rng(length)
    query, key, value = (generator.normal(size=(length, 4)).astype(dtype) for _ in range(3))
    query *= spread
    rows = np.asarray([0, length // 2, length - 1])
    mask = causal_mask(length)[rows] if is_causal else np.ones((3, length), dtype=np.bool)
    parts = random_partition(generator, length, count)
    states = [
        of_block(scores(query[rows], key[part]), value[part], mask=mask[:, part])
        if part.size
        else of_block(np.zeros((3, 0), dtype), value[part])
        for part in parts
    ]
    state, depth = merged_at_random(generator, states)
    whole_pass = blockwise_attention(query[rows], key, value, mask=mask, blocks=parts)
    neighbours = blockwise_attention(query[rows], key, value, mask=mask, blocks=64, order="pairwise")
    dense = masked_attention(query[rows], key, value, mask)
    block = max(part.size for part in parts)
    for i, row in enumerate(rows):
        allowed = mask[i]
        arguments = dtype, query[row], key, value, allowed
        truth = enclose(exact.attention, query[row][None, :], key[allowed], value[allowed])
        in_turn = budget_of_row(*arguments, block, count - 1, count - 1)
        assert judged(out(state)[i], truth[0], budget_of_row(*arguments, block, depth, count - 1)) <= 1
        assert judged(whole_pass[i], truth[0], in_turn) <= 1
        last = (length - 1) // 64  # the number of merges of blocks of 64 keys
        pairwise = budget_of_row(*arguments, min(64, length), last.bit_length(), last)
        assert judged(neighbours[i], truth[0], pairwise) <= 1
        # Dense attention is one block without a merge.
        apart = in_turn + budget_of_row(*arguments, length, 0, 0)
        assert np.all(np.abs(whole_pass[i].astype(np.float64) - dense[i]) <= apart)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda q, k, v: blockwise_attention(q, k, v, scale=(1 + 1e-6) / 2),
        lambda q, k, v: blockwise_attention(*(a.astype(np.float32) for a in (q, k, v))).astype(np.float64),
        lambda q, k, v: blockwise_attention(q, k, v, mask=np.arange(30) < 29),
        lambda q, k, v: blockwise_attention(q, k, v) * (1 - 1e-13),
    ],
    ids=["a scale that is off", "float32 for float64", "the last key forgotten", "a denominator that is off"],
)
def test_budget_rejects_what_is_nearly_right(wrong: Callable[[Array, Array, Array], Array]) -> None:
    generator = np.random.default_rng(2)
    query, key, value = (generator.normal(size=(30, 4)) for _ in range(3))
    truth = enclose(exact.attention, query[:1], key, value)
    budget = budget_of_row("float64", query[0], key, value, np.ones(30, np.bool), 64, 0, 0)
    assert judged(blockwise_attention(query, key, value)[0], truth[0], budget) <= 1
    assert judged(wrong(query, key, value)[0], truth[0], budget) > 1


def test_pairwise_merging_goes_through_fewer_roundings_than_one_block_after_the_other() -> None:
    # Each block adds 1 to a sum that is large already; in turn, in float16, it stalls at 2048.
    query, key = np.zeros((1, 1), dtype=np.float16), np.zeros((4096, 1), dtype=np.float16)
    value = np.where(np.arange(4096) % 2, np.float16(1), np.float16(-1))[:, None]
    value[0] = 1
    tree = blockwise_attention(query, key, value, blocks=1, order="pairwise")
    turn = blockwise_attention(query, key, value, blocks=1, order="in turn")
    assert tree[0, 0] == np.float16(2 / 4096)
    assert turn[0, 0] == np.float16(2 / 2048)
