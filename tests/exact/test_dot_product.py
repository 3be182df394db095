"""Enclosures of reads and attention hold the truth."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import flint
import numpy as np
import pytest

from duizhao import exact
from duizhao.exact import Balls, enclose, ends, lower, precision, upper
from duizhao.mask import EmptyRow

ROOT_HALF = Fraction("0.70710678118654752440084436210484903928483593768847")
"""The digits of 1 / √2, cut after the fiftieth decimal."""
LAST = Fraction(1, 10**50)


def pairs(left: Balls, right: Balls) -> Iterator[tuple[flint.arb, flint.arb]]:
    """Return the balls of two arrays of one shape, side by side."""
    assert left.shape == right.shape
    return zip(left.ravel().tolist(), right.ravel().tolist(), strict=True)


@pytest.mark.parametrize(
    ("weights", "values"),
    [
        ((3,), (3,)),
        ((3,), (3, 2)),
        ((4, 3), (3,)),
        ((5, 1, 4, 3), (2, 3, 2)),
        ((2, 4, 3), (3,)),
        ((3,), (2, 3, 4)),
    ],
)
def test_reads_of_whole_numbers_are_the_matrix_product(
    weights: tuple[int, ...], values: tuple[int, ...]
) -> None:
    generator = np.random.default_rng(0)
    left, right = generator.integers(-9, 9, size=weights), generator.integers(-9, 9, size=values)
    output = exact.read(left, right)
    expected = np.asarray(np.matmul(left, right))
    assert output.shape == expected.shape
    assert output.tolist() == expected.tolist()


def test_a_value_without_weight_is_not_looked_at() -> None:
    weights, values = [[0.5, 0.0, 0.5], [0.5, 0.25, 0.25]], [[2.0], [math.nan], [4.0]]
    known, unknown = exact.read(weights, values)[:, 0]
    assert known == 3
    assert unknown.is_nan()
    assert exact.read([1.0, 0.0], [2.0, math.inf]).item() == 2


@pytest.mark.parametrize(
    ("weights", "values", "message"),
    [
        (np.ones(3), np.ones((4, 2)), r"values: 4 rows for 3 weights \(shapes \(4, 2\) and \(3,\)\)"),
        (np.ones(()), np.ones(1), "weights: both sides need an axis of keys"),
        (np.ones((2, 1, 3)), np.ones((3, 3, 1)), r"values: leading axes \(3,\) do not broadcast with \(2,\)"),
    ],
)
def test_reads_that_do_not_fit_are_refused(weights: object, values: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        exact.read(weights, values)


def test_scores_are_divided_by_the_exact_root_of_the_width() -> None:
    score = enclose(exact.scores, [[1, 0]], [[1, 5]], bits=160)[0, 0]
    assert ROOT_HALF < ends(score)[0] < ends(score)[1] < ROOT_HALF + LAST
    assert exact.scores(np.full((1, 4), 3.0), np.full((2, 4), 0.5)).tolist() == [[3, 3]]


def test_a_scale_takes_the_place_of_the_root() -> None:
    assert exact.scores([[1.0, 2.0]], [[3.0, 4.0]], scale=0.25).tolist() == [[2.75]]


def test_a_negative_scale_prefers_the_smallest_product() -> None:
    light, heavy = exact.attention_weights([[1.0]], [[1e200], [-1e200]], scale=-1)[0]
    assert upper(light) < 1e-300
    assert lower(heavy) > 1 - 1e-15


def test_equal_keys_share_exactly_though_the_scale_is_a_root() -> None:
    key = np.asarray([[0.1, 0.7]] * 4)
    assert enclose(exact.attention_weights, [[0.3, 0.9]], key).tolist() == [[0.25] * 4]
    assert enclose(exact.attention, [[0.3, 0.9]], key[:3], [[1.0], [1.0], [-2.0]]).tolist() == [[0]]


def test_attention_of_the_lesson_lies_between_known_digits() -> None:
    # Section 15.4: r = exp(1/√2), and (3r + 1) / (2r + 1) rises with r; r_mem_Ioo bounds r.
    output = enclose(exact.attention, [[1, 0]], [[1, 1], [0, 1], [1, 2]], [[1, 0], [1, 2], [2, 2]])[0, 0]
    low, high = Fraction("2.0281149"), Fraction("2.0281150")
    assert (3 * low + 1) / (2 * low + 1) < ends(output)[0]
    assert ends(output)[1] < (3 * high + 1) / (2 * high + 1)


@pytest.mark.parametrize(
    "function", [exact.attention, lambda q, k, v: exact.read(exact.attention_weights(q, k), v)]
)
@pytest.mark.parametrize("seed", range(5))
def test_a_coarse_enclosure_meets_a_fine_one(function: Callable[..., Balls], seed: int) -> None:
    generator = np.random.default_rng(seed)
    arrays = [4 * generator.normal(size=(2, 5, 3)) for _ in range(3)]
    fine = enclose(exact.attention, *arrays, bits=200)
    for bits in (10, 24, 53):
        with precision(bits):
            coarse = function(*arrays)
        assert all(x.contains(y) for x, y in pairs(coarse, fine))


def test_leading_axes_broadcast() -> None:
    generator = np.random.default_rng(1)
    query, key = generator.normal(size=(2, 1, 3, 4)), generator.normal(size=(5, 2, 4))
    value = generator.normal(size=(2, 3))
    whole = exact.attention(query, key, value)
    assert whole.shape == (2, 5, 3, 3)
    part = exact.attention(query[1, 0], key[3], value)
    assert all(x.overlaps(y) for x, y in pairs(whole[1, 3], part))


def test_masked_keys_and_values_are_not_looked_at() -> None:
    key = [[1.0, 2.0], [math.nan, math.inf], [1.0, 2.0]]
    value = [[2.0], [math.nan], [4.0]]
    assert exact.masked_attention([[1.0, 1.0]], key, value, [[True, False, True]]).tolist() == [[3]]


def test_a_value_that_one_query_may_not_read_is_unknown_to_the_others() -> None:
    mask = [[True, False], [True, True]]
    output = exact.masked_attention(np.zeros((2, 1)), np.zeros((2, 1)), [[2.0], [math.nan]], mask)
    assert output[0, 0] == 2
    assert output[1, 0].is_nan()


@pytest.mark.parametrize(("empty_row", "expected"), [("zero", 0), ("mean", 2), ("nan", flint.arb.nan())])
def test_masked_attention_follows_the_policy(empty_row: EmptyRow, expected: flint.arb | int) -> None:
    mask = [[False, False], [False, True]]
    output = exact.masked_attention(
        np.zeros((2, 1)), np.zeros((2, 1)), [[1.0], [3.0]], mask, empty_row=empty_row
    )
    assert repr(output[0, 0]) == repr(flint.arb(expected))
    assert output[1, 0] == 3


def test_an_empty_row_reads_nothing_unless_it_takes_the_mean() -> None:
    query, key, value, mask = [[math.nan]], [[0.0], [0.0]], [[1.0], [math.nan]], [[False, False]]
    assert exact.masked_attention(query, key, value, mask).tolist() == [[0]]
    assert exact.masked_attention(query, key, value, mask, empty_row="mean")[0, 0].is_nan()
    with pytest.raises(ValueError, match=r"mask: no key is allowed for query \(0,\)"):
        exact.masked_attention(query, key, value, mask, empty_row="error")


@pytest.mark.parametrize(
    ("query", "key", "value", "message"),
    [
        ((2,), (3, 2), (3, 1), r"query: \(..., length, width\) is needed, got shape \(2,\)"),
        ((1, 2), (3, 3), (3, 1), "key: width 3, queries of width 2"),
        ((1, 0), (3, 0), (3, 1), "key: width 0, queries of width 0"),
        ((1, 2), (0, 2), (0, 1), r"key: at least one is needed, got shape \(0, 2\)"),
        ((1, 2), (3, 2), (2, 1), r"value: \(..., 3, out\) is needed for 3 keys, got shape \(2, 1\)"),
        ((2, 1, 2), (3, 3, 2), (3, 1), r"key: leading axes \(3,\) do not broadcast with \(2,\)"),
    ],
)
def test_attention_that_does_not_fit_is_refused(
    query: tuple[int, ...], key: tuple[int, ...], value: tuple[int, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        exact.attention(np.ones(query), np.ones(key), np.ones(value))
