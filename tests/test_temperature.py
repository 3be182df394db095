"""Softmax at temperatures of all rows, and the limits of temperature."""

from collections.abc import Callable
from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from duizhao import exact, rounding
from duizhao.arrays import Array
from duizhao.exact import enclose, precision, upper
from duizhao.softmax import softmax
from duizhao.temperature import infinite_temperature_limit, tempered_softmax, zero_temperature_limit
from tests.libraries import (
    EVERY_FLOAT,
    FLOATS,
    INF,
    INTERPRETED,
    LIBRARIES,
    NAN,
    array,
    assumed,
    bits,
    numbers,
    says,
    wide,
)

Limit = Callable[[Array], Array]
LIMITS = [zero_temperature_limit, infinite_temperature_limit]

# The limits


@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
def test_best_keys_share_the_weight_as_the_temperature_falls_to_zero(xp: ModuleType, dtype: str) -> None:
    scores = array(xp, [[1, 0, 1, -3], [2, 2, 2, 2], [0.5, 0.25, -1, 0]], dtype)
    weights = zero_temperature_limit(scores)
    assert numbers(weights) == [[0.5, 0.0, 0.5, 0.0], [0.25] * 4, [1.0, 0.0, 0.0, 0.0]]
    assert weights.dtype == scores.dtype
    assert type(weights) is type(scores)


@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
def test_all_keys_share_the_weight_as_the_temperature_grows(xp: ModuleType, dtype: str) -> None:
    scores = array(xp, [[1, 0, 1, -300], [2, 2, 2, 2]], dtype)
    weights = infinite_temperature_limit(scores)
    assert numbers(weights) == [[0.25] * 4] * 2
    assert weights.dtype == scores.dtype
    assert type(weights) is type(scores)


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_softmax_at_extreme_temperatures_is_the_limit_bit_for_bit(xp: ModuleType, dtype: str) -> None:
    scores = array(xp, [[3, 1, 3, -2, 3], [0, 0, 1, -1, -INF]], dtype)
    assert bits(softmax(scores, temperature=2.0**-10)) == bits(zero_temperature_limit(scores))
    # Over a temperature so high, the gaps are so small that their exponentials round to 1.
    close, hot = scores * 2.0**-14, 2.0**50 if dtype == "float64" else 2.0**15
    assert bits(softmax(close, temperature=hot)) == bits(infinite_temperature_limit(scores))


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_neighbouring_scores_are_no_tie(xp: ModuleType, dtype: str) -> None:
    above = np.nextafter(np.asarray(1, dtype), np.asarray(2, dtype))
    assert numbers(zero_temperature_limit(array(xp, [1.0, float(above), 1.0], dtype))) == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_largest_finite_scores_do_not_overflow(xp: ModuleType, dtype: str) -> None:
    largest = float(xp.finfo(getattr(xp, dtype)).max)
    scores = array(xp, [largest, -largest, largest], dtype)
    assert numbers(zero_temperature_limit(scores)) == [0.5, 0.0, 0.5]
    assert numbers(infinite_temperature_limit(scores - scores)) == [float(array(xp, 1 / 3, dtype))] * 3


def test_jax_takes_subnormal_scores_for_zero_and_so_for_a_tie() -> None:
    scores = [0.0, 1e-310]
    assert numbers(zero_temperature_limit(np.asarray(scores))) == [0.0, 1.0]
    assert numbers(zero_temperature_limit(jnp.asarray(scores))) == [0.5, 0.5]


@pytest.mark.parametrize("xp", LIBRARIES)
def test_score_of_minus_infinity_is_a_key_that_is_not_there(xp: ModuleType) -> None:
    scores = array(xp, [[-INF, 1, 0], [-INF, -INF, -INF]])
    assert numbers(zero_temperature_limit(scores)) == [[0.0, 1.0, 0.0], [0.0] * 3]
    assert numbers(infinite_temperature_limit(scores)) == [[0.0, 0.5, 0.5], [0.0] * 3]


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
@pytest.mark.parametrize("limit", LIMITS)
def test_shares_lie_within_the_budget_of_the_exact_ones(limit: Limit, xp: ModuleType, dtype: str) -> None:
    facts = assumed(xp, dtype)
    lengths = [1, 2, 3, 7, 49, 255, 257, 2047, 2049, 4099]
    rows = np.where(np.arange(4099) < np.asarray(lengths)[:, None], 0, -INF)
    weights = wide(limit(array(xp, rows, dtype)))
    for keys, row in zip(lengths, weights, strict=True):
        assert row.tolist() == [row[0]] * keys + [0.0] * (4099 - keys)
        with precision(200):
            gap = upper(exact.distance(row[0], exact.balls(1) / exact.balls(keys)).item())
        assert gap <= rounding.shared_weight(facts.u, keys, facts.tiny)


def test_exact_limits_are_the_reference_ones_of_exact_scores() -> None:
    scores = [[1.0, 1.0, -INF, 0.3, 1.0], [-INF] * 5, [0.1, 0.2, 0.3, 0.3, 0.0]]
    for limit, enclosed in zip(
        LIMITS, (exact.zero_temperature_limit, exact.infinite_temperature_limit), strict=True
    ):
        with precision(200):
            gaps = exact.distance(limit(np.asarray(scores)), enclosed(scores))
        bound = rounding.shared_weight(2.0**-53, 2, 5e-324)
        assert max(upper(gap) for gap in gaps.ravel().tolist()) <= bound


def test_more_ties_than_float16_counts_in_ones_are_counted() -> None:
    weights = zero_temperature_limit(np.zeros((3, 3000), dtype=np.float16, order="F"))
    assert numbers(weights[0, :2]) == [float(np.float16(1 / 3000))] * 2


@pytest.mark.parametrize("limit", LIMITS)
def test_more_ties_than_the_dtype_holds_are_an_overflow_error(limit: Limit) -> None:
    message = (
        "scores: the number of keys that share the weight at index (1,) overflows float16; "
        "use smaller numbers or a wider dtype"
    )
    scores = np.zeros((2, 70_000), dtype=np.float16)
    scores[0, 5:] = -INF
    with pytest.raises(OverflowError, match=says(message)):
        limit(scores)


# Temperatures of rows


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_each_row_is_softmax_at_its_temperature_bit_for_bit(xp: ModuleType, dtype: str) -> None:
    largest = float(xp.finfo(getattr(xp, dtype)).max)
    rows = [[0, 1, 3], [-2, 0.3, -INF], [largest, -largest, 0], [-INF] * 3]
    for row in rows:
        temperatures = array(xp, [2.0**-14, 0.3, 1, 3.9, 4, 1000, largest], dtype)
        weights = tempered_softmax(array(xp, row, dtype), temperatures)
        assert weights.dtype == temperatures.dtype
        for i in range(7):
            alone = softmax(array(xp, row, dtype), temperature=float(temperatures[i]))
            assert bits(weights[i, ...]) == bits(alone)


@pytest.mark.parametrize("xp", INTERPRETED)
@pytest.mark.parametrize(
    ("scores", "temperature", "weights"),
    [
        ((3,), (), (3,)),
        ((3,), (2,), (2, 3)),
        ((2, 3), (2,), (2, 3)),
        ((4, 2, 3), (2,), (4, 2, 3)),
        ((4, 2, 3), (4, 1), (4, 2, 3)),
        ((2, 3), (5, 1), (5, 2, 3)),
        ((0, 3), (0,), (0, 3)),
    ],
)
def test_rows_and_temperatures_broadcast(
    xp: ModuleType, scores: tuple[int, ...], temperature: tuple[int, ...], weights: tuple[int, ...]
) -> None:
    result = tempered_softmax(array(xp, np.zeros(scores)), array(xp, np.full(temperature, 0.5)))
    assert numbers(result) == np.full(weights, 1 / 3).tolist()


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_tempered_weights_lie_within_the_budget_of_the_exact_ones(xp: ModuleType, dtype: str) -> None:
    facts = assumed(xp, dtype)
    scores = array(xp, [0.1, -0.7, 1.3, 0.9, -0.2], dtype)
    gap = float(xp.max(scores)) - float(xp.min(scores))
    for temperature in (0.5, 0.7, 3.0, 5.1):
        held = array(xp, temperature, dtype)
        truth = enclose(exact.softmax, scores, temperature=float(held))
        reach = rounding.reach_at_temperature(facts.u, gap, float(held))
        for computed, ball in zip(tempered_softmax(scores, held), truth.tolist(), strict=True):
            budget = rounding.weight_error(
                facts.u, 5, upper(ball), reach, facts.exp_ulp, facts.tiny, facts.accumulator
            )
            assert upper(exact.distance(float(computed), ball).item()) <= budget


def test_jitted_functions_are_the_functions() -> None:
    scores = array(jnp, [[0, 1, 1], [2, 2, 2]])
    temperatures = array(jnp, [0.5, 2])
    assert bits(jax.jit(zero_temperature_limit)(scores)) == bits(zero_temperature_limit(scores))
    assert numbers(jax.jit(tempered_softmax)(scores, temperatures)[1]) == [1 / 3] * 3


# Bad inputs


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        (0.0, "must be positive, got 0.0"),
        (-0.0, "must be positive, got -0.0"),
        (-2.0, "must be positive, got -2.0"),
        (NAN, "must be positive, got nan"),
        (INF, "must be positive and finite, got inf"),
        (1e-310, "must be no subnormal number, got 1e-310"),
    ],
)
def test_temperature_out_of_range_is_named_with_its_place(value: float, rule: str) -> None:
    with pytest.raises(ValueError, match=says(f"temperature: {rule} at index (1,)")):
        tempered_softmax(np.zeros((2, 3)), np.asarray([1.0, value]))
    with pytest.raises(ValueError, match=says(f"temperature: {rule}")):
        tempered_softmax(np.zeros((3,)), np.asarray(value))


def test_temperatures_that_do_not_fit_are_refused() -> None:
    message = "temperature: batch axes (3,) do not broadcast with those of scores, (2,)"
    with pytest.raises(ValueError, match=says(message)):
        tempered_softmax(np.zeros((2, 4)), np.ones((3,)))
    with pytest.raises(
        TypeError, match=r"^temperature: its dtype float32 differs from that of scores, float64"
    ):
        tempered_softmax(np.zeros((2, 4)), np.ones((2,), dtype=np.float32))
    with pytest.raises(TypeError, match=r"^temperature: an array is needed, got float; "):
        tempered_softmax(np.zeros((2, 4)), 1.0)


@pytest.mark.parametrize("function", [*LIMITS, lambda scores: tempered_softmax(scores, scores[1, :1] + 1)])
def test_scores_that_are_none_are_refused(function: Limit) -> None:
    with pytest.raises(TypeError, match=r"^scores: a floating-point array is needed, got int64; "):
        function(np.ones((2, 2), dtype=np.int64))
    rule = "a score that a query may read must be finite or -inf"
    for value, name in ((NAN, "NaN"), (INF, "inf")):
        with pytest.raises(ValueError, match=says(f"scores: {name} at index (0, 1); {rule}")):
            function(np.asarray([[1.0, value], [1.0, value]]))


@pytest.mark.parametrize("limit", LIMITS)
def test_scores_without_keys_are_refused(limit: Limit) -> None:
    message = "scores: there is no key (shape (2, 0)); at least 1 is needed"
    with pytest.raises(ValueError, match=says(message)):
        limit(np.zeros((2, 0)))
    with pytest.raises(ValueError, match=says("scores: at least 1 axis (keys) is needed, got shape ()")):
        limit(np.asarray(1.0))
