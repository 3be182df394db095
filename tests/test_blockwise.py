"""Attention block by block: any partition, any order, little memory, and the same result."""

import tracemalloc
from collections.abc import Iterable, Sequence
from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from duizhao.arrays import Array
from duizhao.attention import attention, masked_attention, scores
from duizhao.blockwise import Order, blockwise_attention, of_block, out
from duizhao.mask import EmptyRow
from tests.libraries import (
    EVERY_FLOAT,
    INF,
    INTERPRETED,
    LIBRARIES,
    NAN,
    array,
    bits,
    numbers,
    says,
    wide,
)

Blocks = int | Sequence[Iterable[int]]
PARTITIONS: list[Blocks] = [
    1,
    2,
    3,
    5,
    64,
    [range(5)],
    [[4], [3], [2], [1], [0]],
    [[1, 3], [], [0, 2, 4], []],
    [[], range(2, 5), (1, 0)],
    [np.asarray([3, 0]), np.asarray([1, 2, 4])],
]
ORDERS: list[Order] = ["in turn", "pairwise"]
POLICIES: list[EmptyRow] = ["zero", "mean", "nan"]


def whole(shape: tuple[int, ...], start: int) -> NDArray[np.float64]:
    """Small whole numbers: at scale 1024 each query has one best key, or two, and no weight elsewhere."""
    return np.asarray((np.arange(np.prod(shape)).reshape(shape) * 4 + start) % 7 - 3, dtype=np.float64)


# Exact cases: weights are 0, 1 / 2 or 1, so every way of computing gives the same bits


@pytest.mark.parametrize("blocks", PARTITIONS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("xp", INTERPRETED)
def test_any_partition_in_any_order_is_attention(xp: ModuleType, blocks: Blocks, order: Order) -> None:
    query, key, value = (array(xp, whole(s, i)) for i, s in enumerate([(2, 3, 4), (5, 4), (2, 5, 2)]))
    output = blockwise_attention(query, key, value, blocks=blocks, order=order, scale=1024)
    assert numbers(output) == numbers(attention(query, key, value, scale=1024))


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize("order", ORDERS)
def test_partition_may_be_out_of_order_in_every_library(xp: ModuleType, order: Order) -> None:
    query, key, value = (array(xp, whole(s, i)) for i, s in enumerate([(3, 4), (5, 4), (5, 2)]))
    output = blockwise_attention(query, key, value, blocks=[[4, 1], [], [2, 3, 0]], order=order, scale=1024)
    assert numbers(output) == numbers(attention(query, key, value, scale=1024))


@pytest.mark.parametrize("blocks", PARTITIONS)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("xp", INTERPRETED)
def test_any_partition_is_masked_attention_under_every_policy(
    xp: ModuleType, blocks: Blocks, policy: EmptyRow
) -> None:
    query, key, value = (array(xp, whole(s, i)) for i, s in enumerate([(2, 1, 3, 4), (3, 5, 4), (5, 2)]))
    flags = np.arange(2 * 3 * 3 * 5).reshape(2, 3, 3, 5) % 3 != 1
    flags[0, 1, 2] = flags[1, 0] = False
    flags[..., 3:] = False  # two keys that nobody reads
    mask = xp.asarray(flags)
    output = blockwise_attention(query, key, value, mask=mask, blocks=blocks, scale=1024, empty_row=policy)
    dense = masked_attention(query, key, value, mask, scale=1024, empty_row=policy)
    if policy != "mean":
        assert str(numbers(output)) == str(numbers(dense))
    else:  # a mean of 5 values is rounded
        empty = ~flags.any(axis=-1)
        assert wide(output)[~empty].tolist() == wide(dense)[~empty].tolist()
        assert wide(output)[empty].tolist() == [(whole((5, 2), 2).sum(axis=0) / 5).tolist()] * empty.sum()


@pytest.mark.parametrize("xp", INTERPRETED)
@pytest.mark.parametrize("shape", [(), (5,), (1, 5), (3, 1), (3, 5), (2, 1, 5), (2, 3, 1), (1, 1, 1)])
def test_mask_broadcasts_to_the_scores(xp: ModuleType, shape: tuple[int, ...]) -> None:
    query, key, value = (array(xp, whole(s, i)) for i, s in enumerate([(2, 3, 4), (2, 5, 4), (2, 5, 2)]))
    mask = xp.asarray(np.arange(np.prod(shape, dtype=int)).reshape(shape) % 3 != 1)
    dense = masked_attention(query, key, value, mask, scale=1024)
    for blocks in (2, [[4, 0], [1, 2, 3]]):
        output = blockwise_attention(query, key, value, mask=mask, blocks=blocks, scale=1024)
        assert numbers(output) == numbers(dense)


@pytest.mark.parametrize("xp", INTERPRETED)
@pytest.mark.parametrize(
    ("query", "key", "value", "output"),
    [
        ((0, 2, 3), (0, 4, 3), (0, 4, 5), (0, 2, 5)),
        ((0, 3), (4, 3), (4, 5), (0, 5)),
        ((2, 3), (4, 3), (4, 0), (2, 0)),
        ((1, 1), (1, 1), (1, 1), (1, 1)),
        ((2, 3), (6, 4, 3), (4, 5), (6, 2, 5)),
        ((2, 3), (4, 3), (6, 4, 5), (6, 2, 5)),
    ],
)
def test_leading_axes_broadcast_and_axes_may_be_empty(
    xp: ModuleType,
    query: tuple[int, ...],
    key: tuple[int, ...],
    value: tuple[int, ...],
    output: tuple[int, ...],
) -> None:
    arrays = [array(xp, np.zeros(shape)) for shape in (query, key, value)]
    assert blockwise_attention(*arrays, blocks=3).shape == output


@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
def test_one_block_is_the_output_of_its_state_bit_for_bit(xp: ModuleType, dtype: str) -> None:
    query = array(xp, [[1.0, 0.3], [-0.7, 1.0]], dtype)
    key = array(xp, [[1.0, 1.1], [0.2, 1.0], [1.0, -2.0]], dtype)
    value = array(xp, [[1.0], [-0.1], [2.0]], dtype)
    output = blockwise_attention(query, key, value, scale=0.7)
    assert bits(output) == bits(out(of_block(scores(query, key, scale=0.7), value)))
    assert output.dtype == query.dtype
    assert type(output) is type(query)


# What nobody reads


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize("blocks", [1, [[2, 0], [1]]])
def test_masked_nan_reaches_no_output(xp: ModuleType, blocks: Blocks) -> None:
    query = array(xp, [[0.0], [NAN], [0.0]])
    key, value = array(xp, [[1.0], [NAN], [2.0]]), array(xp, [[2.0], [INF], [4.0]])
    mask = xp.asarray([[True, False, True], [False] * 3, [True, False, False]])
    output = blockwise_attention(query, key, value, mask=mask, blocks=blocks)
    assert numbers(output) == [[3.0], [0.0], [2.0]]


@pytest.mark.parametrize("xp", INTERPRETED)
def test_what_some_query_reads_must_be_finite(xp: ModuleType) -> None:
    good, bad = array(xp, [[1.0], [2.0], [3.0]]), array(xp, [[1.0], [2.0], [NAN]])
    mask = xp.asarray([[True, False, False], [True, True, False], [False, False, True]])
    for name, arrays in (
        ("query", (bad, good, good)),
        ("key", (good, bad, good)),
        ("value", (good, good, bad)),
    ):
        message = f"{name}: NaN at index (2, 0); a {name} that is read must be finite"
        with pytest.raises(ValueError, match=says(message)):
            blockwise_attention(*arrays, mask=mask, blocks=2)
    first_two = xp.asarray([[True, True, False]])
    output = blockwise_attention(good, bad, bad, mask=first_two, blocks=2)
    assert bits(output) == bits(blockwise_attention(good, bad[:2, :], bad[:2, :]))
    rule = "value: NaN at index (2, 0); a value that is read must be finite"
    with pytest.raises(ValueError, match=says(rule)):
        blockwise_attention(good, bad, bad, mask=xp.asarray(False), blocks=2, empty_row="mean")


def test_empty_row_is_an_error_if_asked() -> None:
    arrays, mask = [np.ones((2, 1))] * 3, np.asarray([[True, True], [False, False]])
    with pytest.raises(ValueError, match=r"^mask: row \(1,\) has no allowed key"):
        blockwise_attention(*arrays, mask=mask, empty_row="error")


@pytest.mark.parametrize("blocks", [2, [[3, 1], [0, 2]]])
def test_overflow_names_the_key_not_its_place_in_the_block(blocks: Blocks) -> None:
    query, key = np.asarray([[1.0], [1e308]]), np.asarray([[0.0], [1.0], [0.0], [100.0]])
    message = (
        "query and key: the score at index (1, 3) overflows float64; use smaller numbers or a wider dtype"
    )
    with pytest.raises(OverflowError, match=says(message)):
        blockwise_attention(query, key, key, blocks=blocks)
    mask = np.asarray([[True] * 4, [True] * 3 + [False]])
    assert blockwise_attention(query, key, key, mask=mask, blocks=blocks)[1, 0] == 1.0


# Memory


def peak(length: int, block: int, dtype: str) -> int:
    """How many bytes a pass over as many keys as queries takes at most."""
    query, key, value = (np.ones((length, 4), dtype=dtype) for _ in range(3))
    blockwise_attention(query[:2], key[:2], value[:2])
    tracemalloc.start()
    try:
        blockwise_attention(query, key, value, blocks=block)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("dtype", "size"), [("float32", 4), ("float64", 8)])
def test_memory_grows_with_length_times_block_and_not_with_the_square_of_the_length(
    dtype: str, size: int
) -> None:
    peaks = {length: peak(length, 32, dtype) for length in (1024, 2048, 4096)}
    for length, most in peaks.items():
        assert most < 8 * length * 32 * size  # a few arrays of length times block
    assert peaks[2048] < 2.1 * peaks[1024]
    assert peaks[4096] < 2.1 * peaks[2048]
    assert peak(2048, 64, dtype) < 2.1 * peaks[2048]
    assert peaks[4096] < 4096 * 4096 * size / 10


# Under JAX's transformations


def test_jitted_pass_is_the_pass() -> None:
    query, key, value = (jnp.asarray(whole(s, i)) for i, s in enumerate([(3, 4), (5, 4), (5, 2)]))

    def one(query: Array) -> Array:
        return blockwise_attention(query, key, value, blocks=2, scale=1024)

    assert numbers(jax.jit(one)(query)) == numbers(one(query))


def test_gradient_does_not_flow_to_a_masked_nan() -> None:
    query, value = jnp.zeros((1, 1)), jnp.asarray([[1.0], [NAN], [3.0]])
    mask = jnp.asarray([[True, False, True]])

    def total(key: Array) -> Array:
        return blockwise_attention(query + 1, key, value, mask=mask, blocks=1)[0, 0]

    assert numbers(jax.grad(total)(jnp.asarray([[0.0], [NAN], [0.0]]))) == [[-0.5], [0.0], [0.5]]


# Bad inputs


@pytest.mark.parametrize(
    ("blocks", "error", "message"),
    [
        (0, ValueError, "blocks: the size of a block must be positive, got 0"),
        (-3, ValueError, "blocks: the size of a block must be positive, got -3"),
        (1.5, TypeError, "blocks: an integer is needed, got 1.5"),
        (True, TypeError, "blocks: an integer is needed, got True"),
        ([], ValueError, "blocks: key 0 is in no block"),
        ([[0, 1], [3, 4]], ValueError, "blocks: key 2 is in no block"),
        ([[0, 1, 2], [2, 3, 4]], ValueError, "blocks: key 2 is in block 0 and again in block 1"),
        ([[0, 1, 2, 3, 4, 4]], ValueError, "blocks: key 4 is in block 0 and again in block 0"),
        ([range(6)], ValueError, "blocks: block 0 has 5, which is none of the 5 keys"),
        ([[], [-1, 0, 1, 2, 3]], ValueError, "blocks: block 1 has -1, which is none of the 5 keys"),
        ([[0, 1.0]], TypeError, "blocks: block 0: an integer is needed, got 1.0"),
        ([[True, 0]], TypeError, "blocks: block 0: an integer is needed, got True"),
        ([[0, 1], 2], TypeError, "blocks: block 1: a list of key indices is needed, got 2"),
        ([[0, 1], None], TypeError, "blocks: block 1: a list of key indices is needed, got None"),
        (np.asarray([0, 1]), TypeError, "blocks: block 0: a list of key indices is needed, got np.int64(0)"),
        (np.asarray(1.5), TypeError, "blocks: an integer is needed, got array(1.5)"),
        (None, TypeError, "blocks: an integer is needed, got None"),
    ],
)
def test_blocks_that_are_no_partition_are_refused(
    blocks: Blocks, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=says(message)):
        blockwise_attention(np.ones((2, 1)), np.ones((5, 1)), np.ones((5, 1)), blocks=blocks)


def test_other_bad_arguments_are_named() -> None:
    rows, more = np.ones((3, 2)), np.ones((4, 2))
    with pytest.raises(ValueError, match=says('order: must be "in turn" or "pairwise", got \'tree\'')):
        blockwise_attention(rows, rows, rows, order="tree")  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match=says('empty_row: must be "zero", "mean", "nan" or "error", got \'\'')
    ):
        blockwise_attention(rows, rows, rows, empty_row="")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=says("value: 4 rows for 3 keys (shapes (4, 2) and (3, 2))")):
        blockwise_attention(rows, rows, more)
    message = "mask: shape (3, 4) does not broadcast to the shape of the scores, (3, 3)"
    with pytest.raises(ValueError, match=says(message)):
        blockwise_attention(rows, rows, rows, mask=np.ones((3, 4), dtype=np.bool))
    with pytest.raises(TypeError, match=says("mask: a boolean array is needed (True keeps), got float64")):
        blockwise_attention(rows, rows, rows, mask=np.ones((3, 3)))
    with pytest.raises(ValueError, match=says("scale: must be finite, got nan")):
        blockwise_attention(rows, rows, rows, scale=NAN)
