"""Softmax weights and their denominator."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flint import arb

from duizhao.arrays import Array
from duizhao.softmax import softmax, softmax_denominator
from tests.libraries import (
    DOUBLES,
    DTYPES,
    INF,
    NAN,
    bits,
    says,
    wide,
)


def numbers(array: Array) -> list[Any]:
    """The entries as Python floats, exactly, in nested lists."""
    entries: list[Any] = wide(array).tolist()
    return entries


# Closed forms


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_equal_scores_share_the_weight(xp: ModuleType, dtype: object) -> None:
    weights = softmax(xp.asarray([[3.0, 3.0, 3.0], [-5.0, -5.0, -INF]], dtype=dtype))
    third = float(xp.asarray(1 / 3, dtype=dtype))
    assert numbers(weights) == [[third, third, third], [0.5, 0.5, 0.0]]


@pytest.mark.parametrize(("xp", "dtype"), DOUBLES)
def test_single_key_has_the_whole_weight(xp: ModuleType, dtype: object) -> None:
    assert numbers(softmax(xp.asarray([[-7.5], [0.0]], dtype=dtype))) == [[1.0], [1.0]]


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_wide_gap_leaves_the_best_keys_alone(xp: ModuleType, dtype: object) -> None:
    weights = softmax(xp.asarray([[1.0, 1000.0, 1000.0], [-1000.0, 0.0, -50.0]], dtype=dtype))
    assert numbers(weights)[0] == [0.0, 0.5, 0.5]
    assert numbers(weights)[1][:2] == [0.0, 1.0]


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_weights_lie_in_the_proven_bounds_around_the_exact_ones(xp: ModuleType, dtype: object) -> None:
    # `roundedSoftmax_le` and `le_roundedSoftmax`. The gaps are exact integers. a: each exponential within
    # 4 ulp, and an ulp is at most 2u; b: one addition of three rounds on the way, twice; u: one division.
    scores = xp.asarray([[0.0, 1.0, -2.0], [0.0, 0.0, 0.0]], dtype=dtype)
    u = arb(float(xp.finfo(scores.dtype).eps)) / 2
    a, b = 8 * u, 2 * u / (1 - 2 * u)
    exact = [arb(score).exp() for score in (0, 1, -2)]
    for weight, power in zip(numbers(softmax(scores))[0], exact, strict=True):
        ratio = arb(weight) * sum(exact, arb(0)) / power
        assert (1 - a) * (1 - u) / ((1 + a) * (1 + b)) <= ratio
        assert ratio <= (1 + a) * (1 + u) / ((1 - a) * (1 - b))


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_constant_added_to_exact_gaps_changes_no_bit(xp: ModuleType, dtype: object) -> None:
    scores = xp.asarray([[0.0, 1.0, 3.0], [0.5, -2.0, 0.25]], dtype=dtype)
    assert bits(softmax(scores + 16)) == bits(softmax(scores))


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_temperature_divides_the_scores(xp: ModuleType, dtype: object) -> None:
    scores = xp.asarray([[0.0, 1.0, 3.0], [0.5, -2.0, 0.25]], dtype=dtype)
    for temperature in (0.25, 0.5, 1, 2, 4, 1024):
        assert bits(softmax(scores, temperature=temperature)) == bits(softmax(scores / temperature))


@pytest.mark.parametrize(("xp", "dtype"), DOUBLES)
def test_low_temperature_shares_the_weight_among_the_best(xp: ModuleType, dtype: object) -> None:
    scores = xp.asarray([0.0, 1.0, 1.0, -3.0], dtype=dtype)
    assert numbers(softmax(scores, temperature=2.0**-10)) == [0.0, 0.5, 0.5, 0.0]


# Minus infinity and empty rows


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_score_of_minus_infinity_gives_weight_zero(xp: ModuleType, dtype: object) -> None:
    weights = softmax(xp.asarray([[0.5, -INF, 0.5], [-7.0, -INF, -INF]], dtype=dtype))
    assert numbers(weights) == [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0]]


@pytest.mark.parametrize(("xp", "dtype"), DOUBLES)
@pytest.mark.parametrize("temperature", [0.5, 1.0, 64.0])
def test_row_of_minus_infinity_is_an_empty_row(xp: ModuleType, dtype: object, temperature: float) -> None:
    scores = xp.asarray([[-INF, -INF, -INF], [0.0, -INF, 0.0]], dtype=dtype)
    assert numbers(softmax(scores, temperature=temperature)) == [[0.0] * 3, [0.5, 0.0, 0.5]]
    assert numbers(softmax_denominator(scores, temperature=temperature)) == [0.0, 2.0]


# No overflow and no warning


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_extreme_scores_neither_overflow_nor_warn(xp: ModuleType, dtype: object) -> None:
    largest = float(xp.finfo(dtype).max)
    scores = xp.asarray([[largest, -largest, largest], [-largest, -largest, 0.0]], dtype=dtype)
    for temperature in (float(xp.finfo(dtype).smallest_normal), 0.5, 1.0, 2.0, 1000.0):
        weights = softmax(scores, temperature=temperature)
        assert numbers(weights) == [[0.5, 0.0, 0.5], [0.0, 0.0, 1.0]]


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_temperature_as_large_as_the_scores_gives_the_right_weights(xp: ModuleType, dtype: object) -> None:
    # The gap, twice the largest number, does not fit in the dtype; divided by the temperature it is 2.
    largest = float(xp.finfo(dtype).max)
    scores = xp.asarray([[largest, -largest, 0.0], [0.0, -largest, 0.0]], dtype=dtype)
    weights = softmax(scores, temperature=largest)
    assert bits(weights) == bits(softmax(xp.asarray([[0.0, -2.0, -1.0], [0.0, -1.0, 0.0]], dtype=dtype)))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_numpy_that_is_told_to_raise_has_nothing_to_raise(dtype: type[np.floating]) -> None:
    largest = float(np.finfo(dtype).max)
    scores = np.asarray([[largest, -largest, 0.0], [-INF, 0.0, -20.0], [-INF, -INF, -INF]], dtype=dtype)
    quietly = softmax(scores, temperature=0.5)
    with np.errstate(all="raise"):
        assert bits(softmax(scores, temperature=0.5)) == bits(quietly)


def test_keys_too_many_for_the_dtype_are_an_overflow_error() -> None:
    message = (
        "scores: the sum of the exponentials at index (1,) overflows float16; "
        "use smaller numbers or a wider dtype"
    )
    scores = np.zeros((2, 70_000), dtype=np.float16)
    scores[0, 1:] = -100
    assert numbers(softmax(scores[0]))[0] == 1.0
    with pytest.raises(OverflowError, match=says(message)):
        softmax(scores)
    with pytest.raises(OverflowError, match=says(message)):
        softmax_denominator(scores)


# The denominator


@pytest.mark.parametrize(("xp", "dtype"), DOUBLES)
def test_denominator_counts_the_best_keys_when_the_others_are_far(xp: ModuleType, dtype: object) -> None:
    scores = xp.asarray([[7.0, 7.0, 7.0], [0.0, 1000.0, -1000.0]], dtype=dtype)
    sums = softmax_denominator(scores)
    assert numbers(sums) == [3.0, 1.0]
    assert sums.dtype == scores.dtype


@pytest.mark.parametrize(("xp", "dtype"), DOUBLES)
def test_denominator_is_what_the_best_weight_is_one_over(xp: ModuleType, dtype: object) -> None:
    scores = xp.asarray([[0.0, 1.0, 3.0], [0.5, -2.0, 0.75]], dtype=dtype)
    best = softmax(scores, temperature=2)[:, 2]
    assert bits(best) == bits(1 / softmax_denominator(scores, temperature=2))


def test_denominator_of_one_row_is_an_array_without_axes() -> None:
    for xp in (np, array_api_strict, jnp):
        sums = softmax_denominator(xp.asarray([0.0, 0.0], dtype=xp.float64))
        assert sums.shape == ()
        assert isinstance(sums, type(xp.asarray([0.0])))


# Axes, dtypes, libraries


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_library_and_dtype_and_shape_stay(xp: ModuleType, dtype: object) -> None:
    scores = xp.zeros((2, 3), dtype=dtype)
    weights = softmax(scores)
    assert type(weights) is type(scores)
    assert weights.dtype == scores.dtype
    assert weights.shape == (2, 3)


@pytest.mark.parametrize(("xp", "dtype"), DOUBLES)
def test_each_row_is_weighed_by_itself(xp: ModuleType, dtype: object) -> None:
    rows = [[[0.0, 1.0], [0.0, 0.0]], [[5.0, -1.0], [2.0, 1.5]], [[-INF, 1.0], [-INF, -INF]]]
    weights = softmax(xp.asarray(rows, dtype=dtype))
    for batch in range(3):
        for head in range(2):
            alone = softmax(xp.asarray(rows[batch][head], dtype=dtype))
            assert bits(weights[batch, head, :]) == bits(alone)


@pytest.mark.parametrize(("xp", "dtype"), DOUBLES)
@pytest.mark.parametrize("shape", [(0, 3), (2, 0, 3), (0, 2, 1)])
def test_no_rows_give_no_weights(xp: ModuleType, dtype: object, shape: tuple[int, ...]) -> None:
    scores = xp.zeros(shape, dtype=dtype)
    assert softmax(scores).shape == shape
    assert softmax_denominator(scores).shape == shape[:-1]


def test_scores_are_left_as_they_were() -> None:
    scores = np.asarray([[0.0, -INF], [3.0, 1.0]])
    before = bits(scores)
    scores.flags.writeable = False
    softmax(scores, temperature=3)
    softmax_denominator(scores, temperature=3)
    assert bits(scores) == before


def test_memory_order_of_the_scores_changes_no_bit() -> None:
    scores = np.asarray([[float(i * j % 7) for j in range(40)] for i in range(5)])
    assert bits(softmax(np.asfortranarray(scores))) == bits(softmax(scores))


# Under JAX's transformations


def test_jitted_softmax_is_softmax() -> None:
    scores = jnp.asarray([[0.0, 0.0], [-1000.0, 0.0]])
    assert numbers(jax.jit(softmax)(scores)) == [[0.5, 0.5], [0.0, 1.0]]
    assert numbers(jax.vmap(softmax)(scores)) == [[0.5, 0.5], [0.0, 1.0]]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_jitted_softmax_bears_a_temperature_as_large_as_the_scores(dtype: str) -> None:
    largest = float(jnp.finfo(dtype).max)  # type: ignore[no-untyped-call]
    jitted = jax.jit(softmax, static_argnames="temperature")
    weights = jitted(jnp.asarray([largest, -largest], dtype=dtype), temperature=largest)
    assert bits(weights) == bits(jitted(jnp.asarray([0.0, -2.0], dtype=dtype)))


def test_jacobian_at_equal_scores_is_a_quarter() -> None:
    jacobian = jax.jacobian(softmax)(jnp.asarray([2.0, 2.0]))
    assert numbers(jacobian) == [[0.25, -0.25], [-0.25, 0.25]]


def test_gradient_passes_by_a_score_of_minus_infinity() -> None:
    jacobian = jax.jacobian(softmax)(jnp.asarray([2.0, -INF, 2.0]))
    assert numbers(jacobian) == [[0.25, 0.0, -0.25], [0.0, 0.0, 0.0], [-0.25, 0.0, 0.25]]
    assert numbers(jax.jacobian(softmax)(jnp.asarray([-INF, -INF]))) == [[0.0, 0.0], [0.0, 0.0]]


def test_dtype_is_checked_while_jax_traces() -> None:
    with pytest.raises(TypeError, match="scores: a floating-point array is needed, got int64"):
        jax.jit(softmax)(jnp.asarray([1, 2]))


# Bad inputs

both = pytest.mark.parametrize("function", [softmax, softmax_denominator])


@both
def test_list_is_refused(function: Callable[..., Array]) -> None:
    with pytest.raises(TypeError, match=r"^scores: an array is needed, got list; "):
        function([0.0, 1.0])


@both
@pytest.mark.parametrize("dtype", ["int64", "bool", "complex128"])
def test_dtype_that_is_not_floating_is_refused(function: Callable[..., Array], dtype: str) -> None:
    with pytest.raises(TypeError, match=rf"^scores: a floating-point array is needed, got {dtype}; convert"):
        function(np.zeros((2,), dtype=dtype))


@both
def test_scores_without_axes_are_refused(function: Callable[..., Array]) -> None:
    with pytest.raises(ValueError, match=says("scores: at least 1 axis (keys) is needed, got shape ()")):
        function(np.asarray(1.0))


@both
@pytest.mark.parametrize("shape", [(0,), (2, 0)])
def test_empty_key_axis_is_refused(function: Callable[..., Array], shape: tuple[int, ...]) -> None:
    message = f"scores: there is no key (shape {shape}); at least 1 is needed"
    with pytest.raises(ValueError, match=says(message)):
        function(np.zeros(shape))


@both
@pytest.mark.parametrize(("xp", "dtype"), DOUBLES)
@pytest.mark.parametrize(("value", "name"), [(NAN, "NaN"), (INF, "inf")])
def test_nan_and_plus_infinity_are_named_with_their_place(
    function: Callable[..., Array], xp: ModuleType, dtype: object, value: float, name: str
) -> None:
    message = f"scores: {name} at index (0, 2); a score that a query may read must be finite or -inf"
    with pytest.raises(ValueError, match=says(message)):
        function(xp.asarray([[0.0, -INF, value], [value, 0.0, 0.0]], dtype=dtype))


@both
@pytest.mark.parametrize("value", [0, 0.0, -0.0, -1.0, -INF])
def test_temperature_that_is_not_positive_is_refused(function: Callable[..., Array], value: float) -> None:
    with pytest.raises(ValueError, match=says(f"temperature: must be positive, got {value}")):
        function(np.zeros((2,)), temperature=value)


@both
@pytest.mark.parametrize("value", [NAN, INF])
def test_temperature_that_is_not_finite_is_refused(function: Callable[..., Array], value: float) -> None:
    with pytest.raises(ValueError, match=says(f"temperature: must be positive and finite, got {value}")):
        function(np.zeros((2,)), temperature=value)


@both
@pytest.mark.parametrize("value", [True, "1", None, 1j, np.ones((1,))])
def test_temperature_that_is_no_real_number_is_refused(function: Callable[..., Array], value: object) -> None:
    with pytest.raises(TypeError, match=says(f"temperature: a real number is needed, got {value!r}")):
        function(np.zeros((2,)), temperature=value)


@both
@pytest.mark.parametrize("value", [1e-6, 1e5])
def test_temperature_that_the_dtype_cannot_hold_is_refused(
    function: Callable[..., Array], value: float
) -> None:
    message = (
        f"temperature: {value} is out of the range of float16, 6.103515625e-05 to 65504.0; "
        "use a number within it, or a wider dtype"
    )
    with pytest.raises(ValueError, match=says(message)):
        function(np.zeros((2,), dtype=np.float16), temperature=value)
