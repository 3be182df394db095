"""Several heads: split, side by side, projected, grouped."""

from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from duizhao import exact, rounding
from duizhao.attention import attention, masked_attention
from duizhao.exact import enclose, precision, upper
from duizhao.mask import causal_mask
from duizhao.multi_head import (
    HeadMap,
    concat_heads,
    grouped_attention,
    multi_head,
    output_projection,
    split_heads,
)
from tests.libraries import EVERY_FLOAT, INTERPRETED, LIBRARIES, NAN, array, assumed, bits, numbers, says


def whole(shape: tuple[int, ...], start: int) -> NDArray[np.float64]:
    """Small whole numbers."""
    return np.asarray((np.arange(np.prod(shape)).reshape(shape) * 4 + start) % 7 - 3, dtype=np.float64)


# Splitting and joining


@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
def test_head_has_neighbouring_columns(xp: ModuleType, dtype: str) -> None:
    rows = array(xp, [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]], dtype)
    heads = split_heads(rows, 2)
    assert numbers(heads) == [[[1, 2, 3], [7, 8, 9]], [[4, 5, 6], [10, 11, 12]]]
    assert bits(concat_heads(heads)) == bits(rows)
    assert heads.dtype == concat_heads(heads).dtype == rows.dtype
    assert type(heads) is type(concat_heads(heads)) is type(rows)


@pytest.mark.parametrize("xp", INTERPRETED)
@pytest.mark.parametrize(
    ("shape", "heads", "split"),
    [
        ((4, 6), 1, (1, 4, 6)),
        ((4, 6), 6, (6, 4, 1)),
        ((5, 4, 6), 3, (5, 3, 4, 2)),
        ((0, 6), 2, (2, 0, 3)),
        ((4, 0), 3, (3, 4, 0)),
        ((0, 4, 6), 2, (0, 2, 4, 3)),
    ],
)
def test_joining_undoes_splitting(
    xp: ModuleType, shape: tuple[int, ...], heads: int, split: tuple[int, ...]
) -> None:
    rows = array(xp, whole(shape, 0))
    assert split_heads(rows, heads).shape == split
    assert concat_heads(split_heads(rows, heads)).shape == shape
    assert bits(concat_heads(split_heads(rows, heads))) == bits(rows)


@pytest.mark.parametrize("xp", LIBRARIES)
def test_no_head_gives_no_column(xp: ModuleType) -> None:
    assert concat_heads(array(xp, np.zeros((2, 0, 4, 3)))).shape == (2, 4, 0)


# Attention in every head


@pytest.mark.parametrize("xp", LIBRARIES)
def test_columns_of_a_head_are_its_attention_bit_for_bit(xp: ModuleType) -> None:
    generator = np.random.default_rng(0)
    query, key, value = (array(xp, generator.normal(size=(2, 3, n, 4))) for n in (5, 6, 6))
    mask = causal_mask(5, 6, alignment="bottom_right", xp=xp)
    plain, masked = multi_head(query, key, value), multi_head(query, key, value, mask=mask, scale=0.3)
    assert plain.shape == masked.shape == (2, 5, 12)
    heads = attention(query, key, value)
    masked_heads = masked_attention(query, key, value, mask, scale=0.3)
    for head in range(3):
        columns = slice(4 * head, 4 * head + 4)
        assert bits(plain[:, :, columns]) == bits(heads[:, head, :, :])
        assert bits(masked[:, :, columns]) == bits(masked_heads[:, head, :, :])


@pytest.mark.parametrize("xp", LIBRARIES)
def test_another_head_changes_no_bit_of_a_head(xp: ModuleType) -> None:
    generator = np.random.default_rng(0)
    arrays = [generator.normal(size=(2, n, 4)) for n in (5, 6, 6)]
    before = multi_head(*(array(xp, a) for a in arrays))
    for a in arrays:
        a[1] = generator.normal(size=a[1].shape) * 3
    after = multi_head(*(array(xp, a) for a in arrays))
    assert bits(before[:, :4]) == bits(after[:, :4])
    assert bits(before[:, 4:]) != bits(after[:, 4:])


@pytest.mark.parametrize("xp", INTERPRETED)
def test_one_head_of_keys_serves_all_queries(xp: ModuleType) -> None:
    query, key, value = (
        array(xp, whole((3, 5, 2), 1)),
        array(xp, whole((1, 4, 2), 2)),
        array(xp, whole((1, 4, 3), 3)),
    )
    assert multi_head(query, key, value).shape == (5, 9)
    assert bits(multi_head(query, key, value)[:, 3:6]) == bits(attention(query, key, value)[1, :, :])


@pytest.mark.parametrize("xp", INTERPRETED)
def test_no_head_has_no_output_and_projects_to_zero(xp: ModuleType) -> None:
    query, key, value = (array(xp, np.zeros((0, n, 4))) for n in (5, 6, 6))
    output = multi_head(query, key, value)
    assert output.shape == (5, 0)
    assert numbers(output_projection(output, array(xp, np.zeros((0, 2))))) == [[0.0, 0.0]] * 5


# The output projection


@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
def test_projection_is_the_sum_of_the_heads_with_their_own_rows(xp: ModuleType, dtype: str) -> None:
    heads, weight = array(xp, whole((2, 4, 3), 1), dtype), array(xp, whole((6, 5), 2), dtype)
    whole_product = output_projection(concat_heads(heads), weight)
    parts = [output_projection(heads[k, :, :], weight[3 * k : 3 * k + 3, :]) for k in range(2)]
    assert numbers(whole_product) == numbers(parts[0] + parts[1])  # whole numbers: no rounding
    assert whole_product.dtype == heads.dtype
    assert type(whole_product) is type(heads)


@pytest.mark.parametrize("xp", LIBRARIES)
def test_projection_lies_within_its_budget_of_the_exact_one(xp: ModuleType) -> None:
    generator = np.random.default_rng(0)
    rows, weight = generator.normal(size=(4, 6)), generator.normal(size=(6, 5))
    facts = assumed(xp, "float64")
    budget = rounding.product_error(
        facts.u, 6, np.abs(rows), 0 * rows, np.abs(weight), 0 * weight, facts.tiny, facts.accumulator
    )
    gaps = exact.distance(
        output_projection(array(xp, rows), array(xp, weight)), enclose(exact.output_projection, rows, weight)
    )
    for gap, bound in zip(gaps.ravel().tolist(), budget.ravel(), strict=True):
        assert upper(gap) <= bound


def test_exact_heads_are_exact_attention_of_the_heads_that_they_read() -> None:
    generator = np.random.default_rng(1)
    query, key, value = (generator.normal(size=shape) for shape in ((4, 3, 2), (2, 5, 2), (2, 5, 3)))
    mask = generator.random(size=(4, 3, 5)) < 0.7
    maps: dict[HeadMap, list[int]] = {"repeat": [0, 0, 1, 1], "tile": [0, 1, 0, 1]}
    with precision(200):
        for head_map, read_by in maps.items():
            grouped = exact.grouped_attention(query, key, value, mask=mask, head_map=head_map)
            alone = exact.masked_attention(query, key[read_by], value[read_by], mask)
            assert max(upper(gap) for gap in exact.distance(grouped, alone).ravel().tolist()) < 2.0**-150
        joined = exact.multi_head(query[:2], key, value)
        heads = exact.attention(query[:2], key, value)
        assert joined.shape == (3, 6)
        for head in range(2):
            gaps = exact.distance(joined[:, 3 * head : 3 * head + 3], heads[head])
            assert max(upper(gap) for gap in gaps.ravel().tolist()) < 2.0**-150


# Grouped queries


@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
def test_head_map_says_which_values_a_query_head_reads(xp: ModuleType, dtype: str) -> None:
    query, key = array(xp, np.zeros((4, 1, 1)), dtype), array(xp, np.zeros((2, 1, 1)), dtype)
    value = array(xp, [[[10]], [[20]]], dtype)
    repeated, tiled = (
        grouped_attention(query, key, value),
        grouped_attention(query, key, value, head_map="tile"),
    )
    assert numbers(repeated[:, 0, 0]) == [10.0, 10.0, 20.0, 20.0]
    assert numbers(tiled[:, 0, 0]) == [10.0, 20.0, 10.0, 20.0]
    assert repeated.dtype == query.dtype
    assert type(repeated) is type(query)


@pytest.mark.parametrize("xp", INTERPRETED)
@pytest.mark.parametrize("head_map", ["repeat", "tile"])
def test_groups_of_one_are_plain_heads_and_one_group_is_shared_by_all(
    xp: ModuleType, head_map: HeadMap
) -> None:
    query, key, value = (array(xp, whole((2, 3, n, 2), n)) for n in (5, 4, 4))
    assert bits(grouped_attention(query, key, value, head_map=head_map)) == bits(attention(query, key, value))
    key, value = key[:, :1, :, :], value[:, :1, :, :]
    assert bits(grouped_attention(query, key, value, head_map=head_map)) == bits(attention(query, key, value))


@pytest.mark.parametrize("xp", INTERPRETED)
def test_mask_of_grouped_attention_is_one_of_query_heads(xp: ModuleType) -> None:
    query, key = array(xp, np.zeros((4, 1, 1))), array(xp, np.zeros((2, 2, 1)))
    value = array(xp, [[[1], [2]], [[3], [4]]])
    mask = xp.asarray([[[True, False]], [[False, True]], [[True, True]], [[False, False]]])
    output = grouped_attention(query, key, value, mask=mask, empty_row="mean")
    assert numbers(output[:, 0, 0]) == [1.0, 2.0, 3.5, 3.5]
    assert numbers(grouped_attention(query, key, value, mask=mask)[:, 0, 0]) == [1.0, 2.0, 3.5, 0.0]


@pytest.mark.parametrize("xp", INTERPRETED)
@pytest.mark.parametrize("groups", [0, 2])
def test_no_query_head_reads_nothing(xp: ModuleType, groups: int) -> None:
    query, key = array(xp, np.zeros((3, 0, 5, 2))), array(xp, np.zeros((3, groups, 4, 2)))
    assert grouped_attention(query, key, key).shape == (3, 0, 5, 2)


def test_jitted_heads_are_the_heads() -> None:
    arrays = [jnp.asarray(whole((2, 3, 2), i)) for i in range(3)]
    jitted = jax.jit(multi_head)(*arrays)
    assert jitted.shape == multi_head(*arrays).shape == (3, 4)
    grouped = jax.jit(grouped_attention)(
        jnp.zeros((4, 1, 1)), jnp.zeros((2, 1, 1)), jnp.asarray([[[1.0]], [[2.0]]])
    )
    assert numbers(grouped[:, 0, 0]) == [1.0, 1.0, 2.0, 2.0]


# Bad inputs


@pytest.mark.parametrize(
    ("heads", "error", "message"),
    [
        (4, ValueError, "rows: 4 heads do not divide the width 6 (shape (2, 6))"),
        (0, ValueError, "heads: must be positive, got 0"),
        (-1, ValueError, "heads: must be positive, got -1"),
        (2.0, TypeError, "heads: an integer is needed, got 2.0"),
        (True, TypeError, "heads: an integer is needed, got True"),
    ],
)
def test_number_of_heads_that_does_not_fit_is_refused(
    heads: int, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=says(message)):
        split_heads(np.zeros((2, 6)), heads)


def test_missing_axes_are_named() -> None:
    two, three = np.zeros((2, 2)), np.zeros((1, 2, 2))
    for function in (multi_head, grouped_attention):
        with pytest.raises(
            ValueError,
            match=says("query: at least 3 axes (heads, queries, width) are needed, got shape (2, 2)"),
        ):
            function(two, three, three)
        with pytest.raises(
            ValueError, match=says("value: at least 3 axes (heads, keys, width) are needed, got shape (2, 2)")
        ):
            function(three, three, two)
    with pytest.raises(
        ValueError, match=says("outputs: at least 3 axes (heads, rows, width) are needed, got shape (2, 2)")
    ):
        concat_heads(two)
    with pytest.raises(
        ValueError, match=says("rows: at least 2 axes (rows, width) are needed, got shape (6,)")
    ):
        split_heads(np.zeros((6,)), 2)


def test_projection_that_does_not_fit_is_refused() -> None:
    rows = np.zeros((3, 4))
    message = "weight: 5 rows for 4 columns of heads (shapes (5, 2) and (3, 4))"
    with pytest.raises(ValueError, match=says(message)):
        output_projection(rows, np.zeros((5, 2)))
    with pytest.raises(
        ValueError, match=says("weight: at least 2 axes (width, columns) are needed, got shape (4,)")
    ):
        output_projection(rows, np.zeros((4,)))
    with pytest.raises(
        ValueError, match=says("weight: batch axes (2,) do not broadcast with those of heads, (5,)")
    ):
        output_projection(np.zeros((5, 3, 4)), np.zeros((2, 4, 2)))
    with pytest.raises(ValueError, match=says("weight: NaN at index (3, 1); every entry must be finite")):
        output_projection(rows, np.where(np.arange(8).reshape(4, 2) == 7, NAN, 1.0))
    message = "heads and weight: the product at index (0, 0) overflows float16; use smaller numbers or a wider dtype"
    with pytest.raises(OverflowError, match=says(message)):
        output_projection(np.full((1, 2), 300, dtype=np.float16), np.full((2, 1), 300, dtype=np.float16))


def test_groups_that_do_not_fit_are_refused() -> None:
    query, key, other = np.zeros((4, 1, 1)), np.zeros((3, 1, 1)), np.zeros((2, 1, 1))
    message = "query: 4 heads are no multiple of 3 key heads (shapes (4, 1, 1) and (3, 1, 1))"
    with pytest.raises(ValueError, match=says(message)):
        grouped_attention(query, key, key)
    message = "query: 4 heads are no multiple of 0 key heads (shapes (4, 1, 1) and (0, 1, 1))"
    with pytest.raises(ValueError, match=says(message)):
        grouped_attention(query, key[:0], key[:0])
    message = "value: 2 heads for 3 key heads (shapes (2, 1, 1) and (3, 1, 1))"
    with pytest.raises(ValueError, match=says(message)):
        grouped_attention(query, key, other)
    with pytest.raises(ValueError, match=says('head_map: must be "repeat" or "tile", got \'interleave\'')):
        grouped_attention(query, other, other, head_map="interleave")  # type: ignore[arg-type]
