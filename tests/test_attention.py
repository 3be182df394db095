"""Scaled dot-product attention, with and without a mask."""

import math
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from duizhao.arrays import Array
from duizhao.attention import attention, attention_weights, masked_attention, scores
from duizhao.mask import EmptyRow, causal_mask
from duizhao.read import read
from duizhao.softmax import softmax
from tests.libraries import (
    DTYPES,
    INF,
    LIBRARIES,
    NAN,
    bits,
    says,
    wide,
)


def numbers(array: Array) -> list[Any]:
    """The entries as Python floats, exactly, in nested lists."""
    entries: list[Any] = wide(array).tolist()
    return entries


def doubles(xp: ModuleType, entries: object) -> Array:
    """A float64 array."""
    return xp.asarray(entries, dtype=xp.float64)


def whole(shape: tuple[int, ...], start: int) -> np.ndarray:
    """Small whole numbers: at scale 1024 each query has one best key, or two, and no weight elsewhere."""
    return (np.arange(math.prod(shape)).reshape(shape) * 4 + start) % 7 - 3.0


def odd_numbers(xp: ModuleType, dtype: object) -> tuple[Array, Array, Array]:
    """() -> (2, 4), (4, 4), (4, 2): a query, key and value without any pattern."""
    query, key, value = np.sin(np.arange(8)), np.sin(np.arange(8, 24)), np.sin(np.arange(24, 32))
    shapes = ((query, (2, 4)), (key, (4, 4)), (value, (4, 2)))
    rows = tuple(xp.asarray(array.reshape(shape).tolist(), dtype=dtype) for array, shape in shapes)
    return rows[0], rows[1], rows[2]


def in_three_lines(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, allowed: np.ndarray, scale: float
) -> np.ndarray:
    """(L, d), (S, d), (S, e), (L, S) -> (L, e): the mean of the values of the best allowed keys, else 0."""
    output = np.zeros((query.shape[0], value.shape[1]))
    for i, row in enumerate(query):
        dots = {j: float(row @ key[j]) * scale for j in range(len(key)) if allowed[i, j]}
        best = [value[j] for j, dot in dots.items() if dot == max(dots.values())]
        assert len(best) <= 2
        output[i] = sum(value_row / len(best) for value_row in best)
    return output


# Scores


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_scores_are_dot_products_over_the_root_of_the_width(xp: ModuleType, dtype: object) -> None:
    query = xp.asarray([[1.0, 2.0, 0.0, -1.0], [0.5, 0.0, 0.0, 0.0]], dtype=dtype)
    key = xp.asarray([[2.0, 1.0, 5.0, 0.0], [0.0, 0.0, 0.0, 8.0], [1.0] * 4, [0.0] * 4], dtype=dtype)
    result = scores(query, key)
    assert numbers(result) == [[2.0, -4.0, 1.0, 0.0], [0.5, 0.0, 0.25, 0.0]]
    assert result.dtype == query.dtype
    assert type(result) is type(query)


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize("scale", [1, 0.25, 1.0, 2, 64.0, -0.5, -8, 0])
def test_another_scale_takes_the_place_of_one_over_the_root(xp: ModuleType, scale: float) -> None:
    query = doubles(xp, [[1, 2, 0, 0], [3, 0, 0, 0]])
    key = doubles(xp, [[1, 1, 0, 0], [0, -1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]])
    dots = [[3.0, -2.0, 3.0, 0.0], [3.0, 0.0, 3.0, 0.0]]
    assert numbers(scores(query, key, scale=scale)) == [[dot * scale for dot in row] for row in dots]


@pytest.mark.parametrize("xp", [np, jnp], ids=["numpy", "jax"])
def test_half_precision_scores_that_fit_do_not_overflow_on_the_way(xp: ModuleType) -> None:
    rows = xp.full((1, 64), 40, dtype=xp.float16)  # the dot product is 102400, above the largest 65504
    assert numbers(scores(rows, rows)) == [[12800.0]]


@pytest.mark.parametrize("xp", [np, jnp], ids=["numpy", "jax"])
def test_scale_above_one_does_not_overflow_the_queries(xp: ModuleType) -> None:
    query, key = xp.asarray([[40000]], dtype=xp.float16), xp.asarray([[2.0**-10]], dtype=xp.float16)
    assert numbers(scores(query, key, scale=2)) == [[78.125]]


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
@pytest.mark.parametrize("function", [scores, attention_weights])
def test_score_that_does_not_fit_is_an_overflow_error(
    function: Callable[..., Array], xp: ModuleType, dtype: type
) -> None:
    query = xp.asarray([[1.0] * 4, [float(xp.finfo(dtype).max), 0.0, 0.0, 0.0]], dtype=dtype)
    key = xp.asarray([[1.0, 0.0, 0.0, 0.0], [0.0] * 4, [3.0, 0.0, 0.0, 0.0], [4.0] * 4], dtype=dtype)
    name = re.sub(r"^.*\.", "", str(query.dtype))
    message = (
        f"query and key: the score at index (1, 2) overflows {name}; use smaller numbers or a wider dtype"
    )
    with pytest.raises(OverflowError, match=says(message)):
        function(query, key)


# Weights and outputs


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_zero_query_reads_the_mean_of_the_values(xp: ModuleType, dtype: object) -> None:
    query, key = xp.zeros((2, 4), dtype=dtype), xp.asarray([[1.0, 2.0, 3.0, 4.0]] * 4, dtype=dtype)
    value = xp.asarray([[1.0, 0.0], [2.0, 0.0], [4.0, 0.0], [5.0, 1.0]], dtype=dtype)
    assert numbers(attention_weights(query, key)) == [[0.25] * 4] * 2
    output = attention(query, key, value)
    assert numbers(output) == [[3.0, 0.25]] * 2
    assert output.dtype == query.dtype
    assert type(output) is type(query)


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_attention_reads_the_values_with_the_softmax_of_the_scores(xp: ModuleType, dtype: object) -> None:
    query, key, value = odd_numbers(xp, dtype)
    weights = softmax(scores(query, key, scale=0.3))
    assert bits(attention_weights(query, key, scale=0.3)) == bits(weights)
    assert bits(attention(query, key, value, scale=0.3)) == bits(read(weights, value))


@pytest.mark.parametrize("xp", LIBRARIES)
def test_single_key_is_read_whatever_the_query(xp: ModuleType) -> None:
    query, key, value = doubles(xp, [[1.5], [-7]]), doubles(xp, [[3]]), doubles(xp, [[0.1, -0.3]])
    assert numbers(attention(query, key, value)) == [[0.1, -0.3]] * 2


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_mask_of_true_alone_is_attention_bit_for_bit(xp: ModuleType, dtype: object) -> None:
    query, key, value = odd_numbers(xp, dtype)
    policies: tuple[EmptyRow, ...] = ("zero", "mean", "nan", "error")
    for policy in policies:
        masked = masked_attention(query, key, value, xp.asarray([True]), scale=0.7, empty_row=policy)
        assert bits(masked) == bits(attention(query, key, value, scale=0.7))


def test_mask_of_true_alone_is_attention_in_any_memory_order() -> None:
    heads = [np.sin(np.arange(2 * 9 * 3 * 8) * step).reshape(2, 9, 3, 8) for step in (1, 2, 3)]
    query, key, value = (array.transpose(0, 2, 1, 3) for array in heads)
    mask = np.ones((9, 9, 3, 2), dtype=np.bool).T
    assert bits(masked_attention(query, key, value, mask)) == bits(attention(query, key, value))


# Batch and head axes


@pytest.mark.parametrize("xp", LIBRARIES)
def test_batch_and_head_axes_broadcast_as_in_a_loop(xp: ModuleType) -> None:
    query, key, value = whole((2, 1, 3, 4), 1), whole((3, 5, 4), 2), whole((2, 3, 5, 2), 3)
    mask = np.arange(2 * 3 * 3 * 5).reshape(2, 3, 3, 5) % 4 != 1
    mask[1, 2, 0] = False
    output = attention(doubles(xp, query), doubles(xp, key), doubles(xp, value), scale=1024)
    masked = masked_attention(
        doubles(xp, query), doubles(xp, key), doubles(xp, value), xp.asarray(mask), scale=1024
    )
    everything = np.ones((3, 5), dtype=np.bool)
    for b in range(2):
        for h in range(3):
            alone = query[b, 0], key[h], value[b, h]
            assert numbers(output[b, h, ...]) == in_three_lines(*alone, everything, 1024).tolist()
            assert numbers(masked[b, h, ...]) == in_three_lines(*alone, mask[b, h], 1024).tolist()


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize("shape", [(4,), (1, 4), (3, 1), (3, 4), (2, 1, 4), (2, 3, 1), (1, 1, 1)])
def test_mask_broadcasts_to_the_scores(xp: ModuleType, shape: tuple[int, ...]) -> None:
    query, key, value = whole((2, 3, 2), 1), whole((2, 4, 2), 2), whole((2, 4, 2), 3)
    mask = np.arange(math.prod(shape)).reshape(shape) % 3 != 1
    output = masked_attention(
        doubles(xp, query), doubles(xp, key), doubles(xp, value), xp.asarray(mask), scale=1024
    )
    spread = np.broadcast_to(mask, (2, 3, 4))
    for b in range(2):
        assert numbers(output[b, ...]) == in_three_lines(query[b], key[b], value[b], spread[b], 1024).tolist()


@pytest.mark.parametrize("xp", LIBRARIES)
def test_values_may_have_batch_axes_of_their_own(xp: ModuleType) -> None:
    query, key, value = (
        doubles(xp, [[0, 0]]),
        doubles(xp, [[1, 2], [3, 4]]),
        doubles(xp, [[[1], [3]], [[5], [7]]]),
    )
    mask = xp.asarray([[False, True]])
    assert numbers(attention(query, key, value)) == [[[2.0]], [[6.0]]]
    assert numbers(masked_attention(query, key, value, mask)) == [[[3.0]], [[7.0]]]


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize(
    ("query", "key", "value", "output"),
    [
        ((0, 2, 3), (0, 4, 3), (0, 4, 5), (0, 2, 5)),
        ((2, 0, 2, 3), (2, 0, 4, 3), (2, 0, 4, 5), (2, 0, 2, 5)),
        ((0, 3), (4, 3), (4, 5), (0, 5)),
        ((2, 3), (4, 3), (4, 0), (2, 0)),
        ((1, 1), (1, 1), (1, 1), (1, 1)),
        ((2, 3), (0, 4, 3), (4, 5), (0, 2, 5)),
    ],
)
def test_empty_axes_give_an_empty_output(
    xp: ModuleType,
    query: tuple[int, ...],
    key: tuple[int, ...],
    value: tuple[int, ...],
    output: tuple[int, ...],
) -> None:
    queries, keys, values = (doubles(xp, np.ones(shape)) for shape in (query, key, value))
    assert attention(queries, keys, values).shape == output
    assert masked_attention(queries, keys, values, xp.asarray([[True]])).shape == output
    assert masked_attention(queries, keys, values, xp.asarray([[False]]), empty_row="mean").shape == output
    assert scores(queries, keys).shape == (*output[:-1], key[-2])


# What nobody may read is not looked at


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
@pytest.mark.parametrize("filling", [NAN, INF, -INF, None, 0.0], ids=["nan", "inf", "-inf", "largest", "0"])
def test_masked_key_and_value_leave_no_bit_behind(
    xp: ModuleType, dtype: object, filling: float | None
) -> None:
    filling = float(xp.finfo(dtype).max) if filling is None else filling
    query, key, value = odd_numbers(xp, dtype)
    mask = xp.asarray([[True, False, True, True], [True, False, False, True]])

    def filled_with(number: float) -> Array:
        keys, values = numbers(key), numbers(value)
        keys[1], values[1] = [number] * 4, [number] * 2
        return masked_attention(query, xp.asarray(keys, dtype=dtype), xp.asarray(values, dtype=dtype), mask)

    assert bits(filled_with(filling)) == bits(filled_with(1.0))


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize("filling", [NAN, INF, -INF, 1e308])
def test_query_that_may_read_no_key_is_not_looked_at(xp: ModuleType, filling: float) -> None:
    query, key, value = odd_numbers(xp, xp.float64)
    query = doubles(xp, [[filling] * 4, [0] * 4])
    mask = xp.asarray([[False] * 4, [True, False, False, False]])
    assert numbers(masked_attention(query, key, value, mask)) == [[0.0, 0.0], numbers(value)[0]]


@pytest.mark.parametrize("xp", LIBRARIES)
def test_score_that_overflows_where_it_is_masked_is_not_looked_at(xp: ModuleType) -> None:
    query, key = doubles(xp, np.eye(2, 4) * 1e300), doubles(xp, np.eye(4, 4) * 1e300)
    value = doubles(xp, [[1, 2], [3, 4], [5, 6], [7, 8]])
    mask = np.asarray([[False, True, False, False], [True, False, False, False]])
    assert numbers(masked_attention(query, key, value, xp.asarray(mask))) == [[3.0, 4.0], [1.0, 2.0]]
    mask[1, 1] = True
    with pytest.raises(
        OverflowError, match=r"^query and key: the score at index \(1, 1\) overflows float64; "
    ):
        masked_attention(query, key, value, xp.asarray(mask))


@pytest.mark.parametrize("xp", LIBRARIES)
def test_key_and_value_that_no_batch_reads_are_not_looked_at(xp: ModuleType) -> None:
    query, rows = doubles(xp, np.zeros((2, 1, 1))), doubles(xp, [[2], [NAN], [4]])
    unread = xp.asarray([[[True, False, False]], [[True, False, True]]])
    assert numbers(masked_attention(query, rows, rows, unread)) == [[[2.0]], [[3.0]]]
    some = xp.asarray([[[True, False, False]], [[True, True, True]]])
    with pytest.raises(
        ValueError, match=r"^value: NaN at index \(1, 0\); a value that is read must be finite$"
    ):
        masked_attention(query, rows, rows, some)


@pytest.mark.parametrize("xp", LIBRARIES)
def test_without_queries_no_key_and_no_value_is_looked_at(xp: ModuleType) -> None:
    nothing, rows = doubles(xp, np.zeros((0, 1))), doubles(xp, [[NAN], [INF]])
    assert attention(nothing, rows, rows).shape == (0, 1)
    assert scores(nothing, rows).shape == (0, 2)


@pytest.mark.parametrize("xp", LIBRARIES)
def test_later_rows_change_no_bit_of_a_causal_output(xp: ModuleType) -> None:
    rows = np.sin(np.arange(12.0)).reshape(4, 3)
    for i in range(4):
        changed = rows.copy()
        changed[i + 1 :] = 100.0
        before, after = (
            masked_attention(array, array, array, causal_mask(4, xp=xp))
            for array in (doubles(xp, rows), doubles(xp, changed))
        )
        assert bits(before[: i + 1, ...]) == bits(after[: i + 1, ...])


# Empty rows


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_query_with_an_empty_row_follows_the_policy(xp: ModuleType, dtype: object) -> None:
    query, key, value = odd_numbers(xp, dtype)
    value = xp.asarray([[1.0, -2.0], [3.0, 8.0], [0.0, 2.0], [4.0, 4.0]], dtype=dtype)
    mask = xp.asarray([[False] * 4, [True, False, False, False]])
    policies: dict[EmptyRow, list[float]] = {"zero": [0.0, 0.0], "mean": [2.0, 3.0], "nan": [NAN, NAN]}
    for policy, row in policies.items():
        output = masked_attention(query, key, value, mask, empty_row=policy)
        assert str(numbers(output)) == str([row, [1.0, -2.0]])
        assert output.dtype == query.dtype


@pytest.mark.parametrize("xp", LIBRARIES)
def test_query_with_an_empty_row_is_named_if_it_is_an_error(xp: ModuleType) -> None:
    rows = doubles(xp, np.zeros((1, 2, 2)))
    message = (
        "mask: row (0, 1) has no allowed key with a score above -inf; "
        'allow one, or choose "zero", "mean" or "nan" as empty_row'
    )
    with pytest.raises(ValueError, match=says(message)):
        masked_attention(rows, rows, rows, xp.asarray([[True, True], [False, False]]), empty_row="error")


@pytest.mark.parametrize("xp", LIBRARIES)
def test_masked_value_is_read_by_an_empty_row_only_under_mean(xp: ModuleType) -> None:
    zeros, value = doubles(xp, np.zeros((2, 1))), doubles(xp, [[4], [NAN]])
    mask = xp.asarray([[False, False], [True, False]])
    assert numbers(masked_attention(zeros, zeros, value, mask)) == [[0.0], [4.0]]
    assert str(numbers(masked_attention(zeros, zeros, value, mask, empty_row="nan"))) == "[[nan], [4.0]]"
    with pytest.raises(
        ValueError, match=r"^value: NaN at index \(1, 0\); a value that is read must be finite$"
    ):
        masked_attention(zeros, zeros, value, mask, empty_row="mean")


# No side effects


def test_arguments_are_left_as_they_were() -> None:
    rows, value = np.asarray([[1.0, 2.0], [NAN, NAN]]), np.asarray([[1.0], [NAN]])
    mask = np.asarray([[True, False], [False, False]])
    before = bits(rows), bits(value), bits(mask)
    rows.flags.writeable = value.flags.writeable = mask.flags.writeable = False
    masked_attention(rows, rows, value, mask)
    assert (bits(rows), bits(value), bits(mask)) == before


def test_numpy_that_is_told_to_raise_has_nothing_to_raise() -> None:
    query, key = np.asarray([[1e300, 0.0], [1e-300, 1e-300]]), np.asarray([[1e-300, 0.0], [1e300, 1e-300]])
    mask = np.asarray([[True, False], [True, True]])
    with np.errstate(all="raise"):
        output = masked_attention(query, key, np.asarray([[1e-300], [1e-300]]), mask)
    assert numbers(output[:1]) == [[1e-300]]


# Under JAX's transformations


def test_jitted_attention_is_attention() -> None:
    query, key, value = doubles(jnp, [[0, 0]]), doubles(jnp, [[1, 2], [3, 4]]), doubles(jnp, [[1], [3]])
    assert numbers(jax.jit(attention)(query, key, value)) == [[2.0]]
    masked = jax.jit(masked_attention)(query, key, value, jnp.asarray([[False, True]]))
    assert numbers(masked) == [[3.0]]


def test_gradient_does_not_flow_to_a_masked_nan() -> None:
    def total(query: Array, key: Array, value: Array) -> Array:
        return jnp.sum(masked_attention(query, key, value, jnp.asarray([[True, True, False]])))

    rows = doubles(jnp, [[0], [2], [NAN]])
    gradients = jax.grad(total, argnums=(0, 1, 2))(doubles(jnp, [[0]]), rows, rows)
    # d/dq of (0·e^0 + 2·e^(2q)) / (e^0 + e^(2q)) at q = 0 is 1; the keys have no part in it at q = 0.
    assert [numbers(gradient) for gradient in gradients] == [[[1.0]], [[0.0]] * 3, [[0.5], [0.5], [0.0]]]
