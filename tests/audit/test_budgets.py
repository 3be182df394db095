"""Budgets for strangers hold for very different code, and say nothing where the assumptions say nothing."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from duizhao import exact
from duizhao.audit.outside import rounded
from duizhao.rounding.stranger import (
    flushed,
    hull_off,
    output_off,
    score_off,
    seen,
    stranger,
    sum_off,
    weight_off,
    weights_off,
)
from duizhao.strategies.audits import Asked, Form, asked, generator

Numbers = NDArray[Any]
Weigh = Callable[[Numbers], Numbers]


def shifted(scores: Numbers) -> Numbers:
    """Exponentials after the largest score is subtracted, over their sum."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def logarithmic(scores: Numbers) -> Numbers:
    """The logarithm of the sum is subtracted, and nothing is divided."""
    top = scores.max(axis=-1, keepdims=True)
    total = np.log(np.exp(scores - top).sum(axis=-1, keepdims=True)) + top
    return np.asarray(np.exp(scores - total))


def key_by_key(scores: Numbers) -> Numbers:
    """Blocks of one key, rescaled each time that a larger score comes."""
    kind = scores.dtype.type
    top, total = scores[..., :1], np.ones_like(scores[..., :1])
    powers = np.zeros_like(scores)
    powers[..., :1] = 1
    for key in range(1, scores.shape[-1]):
        new = np.maximum(top, scores[..., key : key + 1])
        rescale = np.exp(top - new)
        powers, total = powers * rescale, total * rescale
        powers[..., key : key + 1] = np.exp(scores[..., key : key + 1] - new)
        total, top = total + powers[..., key : key + 1], new
    return np.asarray(powers / total).astype(kind)


def powers_of_two(scores: Numbers) -> Numbers:
    """Powers of 2, of scores times log2 e."""
    turned = scores * scores.dtype.type(math.log2(math.e))
    powers = np.exp2(turned - turned.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def twenty_ulp_off(scores: Numbers) -> Numbers:
    """An `exp` that is 20 units in the last place too large for one key, too small for the next."""
    kind = scores.dtype.type
    off = 20 * np.finfo(scores.dtype).eps / 2
    sign = np.where(np.arange(scores.shape[-1]) % 2 == 0, kind(1 + off), kind(1 - off)).astype(scores.dtype)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True)) * sign
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


WAYS: list[Weigh] = [shifted, logarithmic, key_by_key, powers_of_two, twenty_ulp_off]


def drawn(dtype: str, trial: int) -> Asked:
    """A case without a mask, with numbers of the dtype."""
    form = Form(dtype, longest=8, has_batch=False, has_heads=False)
    case = asked(generator(3, "budgets", trial), form)
    held = {name: rounded(array, dtype).astype(np.float64) for name, array in case.arrays.items()}
    return case.having(**held)


def small(array: NDArray[np.float64], dtype: str) -> Numbers:
    """The numbers of the first sample and head, in a dtype."""
    return np.asarray(array[0, 0].astype(dtype))


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_outputs_and_weights_of_every_way_are_within_their_budgets(way: Weigh, dtype: str) -> None:
    assumed = stranger(dtype)
    for trial in range(6):
        case = drawn(dtype, trial)
        query, key, value = (small(case.arrays[name], dtype) for name in ("query", "key", "value"))
        scale = query.dtype.type(query.shape[-1] ** -0.5)
        weights = way((query * scale) @ key.T)
        wide = query.astype(np.float64), key.astype(np.float64)
        scored = seen(assumed, wide[0], wide[1], query.shape[-1] ** -0.5)
        truth = exact.attention_weights(query, key)
        off = np.vectorize(exact.upper)(exact.distance(weights, truth))
        assert np.all(off <= weights_off(scored)), (trial, off)
        output = exact.distance(weights @ value, exact.attention(query, key, value))
        bound = output_off(scored, np.abs(value.astype(np.float64)))
        assert np.all(np.vectorize(exact.upper)(output) <= bound), trial
        sums = exact.distance(exact.balls(weights).sum(axis=-1), np.ones(len(query)))
        assert np.all(np.vectorize(exact.upper)(sums) <= sum_off(assumed, scored.n, scored.size))


def test_fault_of_a_billionth_in_the_sum_is_over_the_budget_of_float64() -> None:
    assumed = stranger("float64")
    weights = shifted(np.array([0.5, -0.25, 1.0]))
    fault = abs((weights / (1 + 1e-9)).sum() - 1)
    assert sum_off(assumed, 3, 1.0) < fault < 1.1e-9


def test_what_an_adapter_knows_makes_budgets_smaller() -> None:
    loose, tight = stranger("float16"), stranger("float16", exp_ulp=1, flushes=False, accumulator="float32")
    assert tight.accumulator == 2.0**-24
    assert weight_off(tight, 8, 2.0) < weight_off(loose, 8, 2.0) / 4
    assert flushed(tight, 8) < flushed(loose, 8) / 1000
    assert stranger("float64", accumulator="float32").accumulator == 2.0**-53


@pytest.mark.parametrize(("n", "size"), [(8, 1e9), (2**22, 1.0)])
def test_scores_or_sums_of_which_nothing_is_known_have_no_budget(n: int, size: float) -> None:
    assert weight_off(stranger("float32"), n, size) == math.inf
    assert np.all(hull_off(stranger("float32"), n, size, np.ones(1)) == math.inf)


def test_weight_of_which_nothing_is_known_may_be_anything_up_to_one() -> None:
    scored = seen(stranger("float32"), np.full((1, 1), 1e5), np.full((2, 1), 1e5), 1.0)
    assert weights_off(scored).tolist() == [[1.0, 1.0]]


def test_score_errors_count_a_bias_and_what_is_flushed() -> None:
    assumed = stranger("float32")
    query, key = np.ones((1, 1)), np.zeros((2, 1))
    bare, biased = (seen(assumed, query, key, 1.0, None, bias) for bias in (None, np.full((1, 2), 8.0)))
    assert np.all(score_off(bare) > 0)
    assert np.all(score_off(biased) > 8 * 2.0**-24)


def test_unknown_dtype_is_refused() -> None:
    with pytest.raises(
        ValueError, match="dtype: one of float64, float32, float16, bfloat16 is needed, got int8"
    ):
        stranger("float32", accumulator="int8")
