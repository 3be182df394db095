"""The checks of arguments, and the pieces of formulas about who is looked at."""

import re
from fractions import Fraction
from types import ModuleType

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from duizhao.arrays import (
    Array,
    at_least,
    boolean,
    common_batch,
    divide,
    first_index,
    floating,
    holds,
    not_empty,
    onto,
    quiet,
    real_number,
    refuse,
    refuse_overflow,
    same_rows,
    where,
)
from duizhao.exact import balls
from tests.libraries import LIBRARIES, says


@pytest.fixture(params=LIBRARIES)
def xp(request: pytest.FixtureRequest) -> ModuleType:
    library: ModuleType = request.param
    return library


# What an argument is


@pytest.mark.parametrize("value", [[1.0, 2.0], 1.0, None, "scores"])
def test_argument_that_is_no_array_is_named_with_its_type(value: object) -> None:
    message = (
        f"scores: an array is needed, got {type(value).__name__}; "
        "make one first, for example with numpy.asarray(scores)"
    )
    with pytest.raises(TypeError, match=says(message)):
        floating(scores=value)


def test_masked_array_is_refused_since_its_mask_would_be_lost() -> None:
    masked = np.ma.MaskedArray([1.0, 2.0], mask=[False, True])
    message = (
        "scores: a plain array is needed, got a numpy.ma.MaskedArray, whose mask would be lost; "
        "give scores.data, and a mask by itself"
    )
    with pytest.raises(TypeError, match=says(message)):
        floating(scores=masked)
    with pytest.raises(TypeError, match=r"^mask: a plain array is needed, got a numpy\.ma\.MaskedArray"):
        boolean(np, np.ma.MaskedArray([True]), (1,), beside="scores")
    with pytest.raises(TypeError, match=r"^array: a plain array is needed, got a numpy\.ma\.MaskedArray"):
        balls(masked)


def test_matrix_whose_product_means_something_else_is_refused() -> None:
    matrix = np.ones((2, 2)).view(np.matrix)
    message = "scores: a plain array is needed, got a numpy.matrix; give numpy.asarray(scores)"
    with pytest.raises(TypeError, match=says(message)):
        floating(scores=matrix)


@pytest.mark.parametrize("dtype", ["int64", "bool", "complex128"])
def test_dtype_that_is_not_floating_is_named_with_what_to_do(xp: ModuleType, dtype: str) -> None:
    message = (
        f"scores: a floating-point array is needed, got {dtype}; "
        "convert it first, for example with xp.astype(scores, xp.float64)"
    )
    with pytest.raises(TypeError, match=says(message)):
        floating(scores=xp.zeros((2,), dtype=getattr(xp, dtype)))


@pytest.mark.parametrize("dtype", [np.longdouble, np.dtype(">f8"), jnp.bfloat16])
def test_float_that_numpy_does_not_compute_with_is_told_which_ones_are_known(dtype: object) -> None:
    array = np.zeros((2,), dtype=dtype)  # type: ignore[call-overload]
    message = f"scores: an array of float16, float32, float64 is needed, got {array.dtype}; "
    with pytest.raises(TypeError, match=re.escape(message)):
        floating(scores=array)


def test_float8_of_jax_is_told_which_floats_are_known() -> None:
    message = "scores: an array of float16, bfloat16, float32, float64 is needed, got float8_e5m2; "
    with pytest.raises(TypeError, match=re.escape(message)):
        floating(scores=jnp.zeros((2,), dtype=jnp.float8_e5m2))


def test_arrays_of_two_libraries_are_not_mixed() -> None:
    message = "key: an array of jax.numpy, but query is one of numpy; convert one of them first"
    with pytest.raises(TypeError, match=says(message)):
        floating(query=np.zeros((2, 2)), key=jnp.zeros((2, 2)))


def test_dtypes_are_not_promoted_in_silence(xp: ModuleType) -> None:
    message = (
        "value: its dtype float32 differs from that of query, float64; "
        "convert one of them first, for example with xp.astype(value, query.dtype)"
    )
    with pytest.raises(TypeError, match=says(message)):
        floating(query=xp.zeros((2, 2), dtype=xp.float64), value=xp.zeros((2, 2), dtype=xp.float32))


@pytest.mark.parametrize(
    ("xp", "names"),
    [
        (np, ["float16", "float32", "float64"]),
        (array_api_strict, ["float32", "float64"]),
        (jnp, ["float16", "bfloat16", "float32", "float64"]),
    ],
    ids=["numpy", "array_api_strict", "jax"],
)
def test_every_float_that_a_library_has_is_accepted(xp: ModuleType, names: list[str]) -> None:
    for name in names:
        array = xp.zeros((2,), dtype=getattr(xp, name))
        assert floating(scores=array).asarray(array).dtype == array.dtype


def test_mask_of_numbers_is_refused(xp: ModuleType) -> None:
    scores = xp.zeros((2,), dtype=xp.float64)
    message = "mask: a boolean array is needed (True keeps), got float64"
    with pytest.raises(TypeError, match=says(message)):
        boolean(floating(scores=scores), scores, (2,), beside="scores")


def test_mask_of_another_library_is_refused() -> None:
    message = "mask: an array of numpy, but scores is one of jax.numpy; convert one of them first"
    with pytest.raises(TypeError, match=says(message)):
        boolean(jnp, np.ones((2,), dtype=bool), (2,), beside="scores")


@pytest.mark.parametrize("shape", [(3,), (3, 2), (1, 2, 2), (2, 2, 2)])
def test_mask_that_does_not_broadcast_to_the_scores_is_refused(shape: tuple[int, ...]) -> None:
    message = f"mask: shape {shape} does not broadcast to the shape of the scores, (2, 2)"
    with pytest.raises(ValueError, match=says(message)):
        boolean(jnp, jnp.ones(shape, dtype=jnp.bool), (2, 2), beside="scores")


def test_mask_comes_out_at_the_shape_of_the_scores(xp: ModuleType) -> None:
    namespace = floating(scores=xp.zeros((2, 3), dtype=xp.float64))
    mask = boolean(namespace, xp.asarray([[True], [False]]), (2, 3), beside="scores")
    assert np.array_equal(np.asarray(mask), [[True] * 3, [False] * 3])


@pytest.mark.parametrize("value", [True, "1.0", None, 1j, np.ones(()), np.True_])
def test_number_that_is_not_real_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match=says(f"scale: a real number is needed, got {value!r}")):
        real_number("scale", value, np, np.dtype("float64"))


@pytest.mark.parametrize("value", [0.0, 0, -1.0, -float("inf"), Fraction(-1, 3)])
def test_number_that_has_to_be_positive_is_named_when_it_is_not(value: float) -> None:
    with pytest.raises(ValueError, match=says(f"temperature: must be positive, got {value}")):
        real_number("temperature", value, np, np.dtype("float64"), positive=True)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400])
def test_number_that_is_not_finite_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"^temperature: must be positive and finite, got (nan|inf)$"):
        real_number("temperature", value, np, np.dtype("float64"), positive=True)
    with pytest.raises(ValueError, match=r"^scale: must be finite, got (nan|inf)$"):
        real_number("scale", value, np, np.dtype("float64"))


@pytest.mark.parametrize("value", [1e300, 1e-300, -1e300])
def test_number_that_the_dtype_cannot_hold_is_refused(value: float) -> None:
    message = (
        f"scale: {value} is out of the range of float32, 1.1754943508222875e-38 to 3.4028234663852886e+38; "
        "use a number within it, or a wider dtype"
    )
    with pytest.raises(ValueError, match=says(message)):
        real_number("scale", value, np, np.dtype("float32"))


@pytest.mark.parametrize("value", [0, 2, -0.5, Fraction(1, 4), np.float32(0.25), np.int64(3)])
def test_real_number_of_any_kind_becomes_a_float(value: float) -> None:
    number = real_number("scale", value, np, np.dtype("float32"))
    assert type(number) is float
    assert number == value


# Shapes


def test_too_few_axes_are_counted_and_named() -> None:
    with pytest.raises(ValueError, match=says("scores: at least 1 axis (keys) is needed, got shape ()")):
        at_least(("keys",), scores=np.zeros(()))
    message = "query: at least 2 axes (queries, width) are needed, got shape (4,)"
    with pytest.raises(ValueError, match=says(message)):
        at_least(("queries", "width"), query=np.zeros((4,)))


def test_empty_axis_is_refused_with_the_shape() -> None:
    message = "scores: there is no key (shape (2, 0)); at least 1 is needed"
    with pytest.raises(ValueError, match=says(message)):
        not_empty("scores", np.zeros((2, 0)), -1, "there is no key")


def test_rows_that_are_too_many_are_counted() -> None:
    message = "values: 4 rows for 3 weights (shapes (4, 2) and (3,))"
    with pytest.raises(ValueError, match=says(message)):
        same_rows("values", np.zeros((4, 2)), -2, 3, "weights", (3,))


def test_batch_axes_that_do_not_broadcast_are_refused() -> None:
    message = "key: batch axes (3,) do not broadcast with those of query, (2,)"
    with pytest.raises(ValueError, match=says(message)):
        common_batch("key", (3,), "query", (2,))


def test_batch_axes_of_length_zero_and_one_broadcast() -> None:
    assert common_batch("key", (3, 1), "query", (0,)) == (3, 0)


# What the values are


@pytest.mark.parametrize(("value", "name"), [("nan", "NaN"), ("inf", "inf"), ("-inf", "-inf")])
def test_flagged_value_is_named_with_its_place(xp: ModuleType, value: str, name: str) -> None:
    array = xp.asarray([[0.0, 1.0], [2.0, float(value)]], dtype=xp.float64)
    with pytest.raises(ValueError, match=says(f"key: {name} at index (1, 1); it must be finite")):
        refuse("key", array, ~xp.isfinite(array), "it must be finite")


def test_flagged_overflow_is_named_with_its_place_and_dtype(xp: ModuleType) -> None:
    result = xp.asarray([1.0, float("inf")], dtype=xp.float32)
    message = "the score at index (1,) overflows float32; use smaller numbers or a wider dtype"
    with pytest.raises(OverflowError, match=says(message)):
        refuse_overflow(result, ~xp.isfinite(result), "the score")
    message = "the sum overflows float32; use smaller numbers or a wider dtype"
    with pytest.raises(OverflowError, match=says(message)):
        refuse_overflow(result[1], ~xp.isfinite(result[1]), "the sum")


def test_no_flag_is_no_error(xp: ModuleType) -> None:
    array = xp.asarray([1.0], dtype=xp.float64)
    refuse("key", array, xp.asarray([False]), "it must be finite")
    refuse_overflow(array, xp.asarray([False]), "the score")


def test_first_flag_is_found_in_row_order(xp: ModuleType) -> None:
    flags = xp.asarray([[[False, False], [False, True]], [[True, True], [True, True]]])
    assert first_index(flags) == (0, 1, 1)


def test_flags_of_no_entries_do_not_hold(xp: ModuleType) -> None:
    assert not holds(xp.zeros((0, 3), dtype=xp.bool))
    assert holds(xp.asarray([False, True]))


def test_flags_are_passed_over_while_jax_traces() -> None:
    def looked_at(array: Array) -> Array:
        refuse("scores", array, jnp.isnan(array), "it must be a number")
        return array

    nan = jnp.asarray([float("nan")])
    with pytest.raises(ValueError, match=r"scores: NaN at index \(0,\)"):
        looked_at(nan)
    assert bool(jnp.isnan(jax.jit(looked_at)(nan))[0])


def test_quiet_silences_numpy_even_where_it_is_told_to_raise() -> None:
    with np.errstate(all="raise"):
        with pytest.raises(FloatingPointError):
            np.exp(np.asarray([1000.0]))
        with quiet():
            assert np.exp(np.asarray([1000.0, -1000.0])).tolist() == [float("inf"), 0.0]


# Who is looked at


def test_copies_of_an_entry_are_gathered_on_it(xp: ModuleType) -> None:
    flags = xp.asarray([[[False, True, False]], [[False, False, True]]])  # (2, 1, 3)
    assert np.asarray(onto(flags, (3,))).tolist() == [False, True, True]
    assert np.asarray(onto(flags, (2, 1, 1))).tolist() == [[[True]], [[True]]]
    assert np.asarray(onto(flags, (1, 1, 3))).tolist() == [[[False, True, True]]]


def test_flags_spread_over_axes_that_they_lack(xp: ModuleType) -> None:
    flags = xp.asarray([True, False])
    assert np.asarray(onto(flags, (3, 2))).tolist() == [[True, False]] * 3


def test_no_copy_is_no_flag(xp: ModuleType) -> None:
    assert np.asarray(onto(xp.ones((0, 2), dtype=xp.bool), (2,))).tolist() == [False, False]


def test_fill_takes_the_dtype_of_the_array(xp: ModuleType) -> None:
    array = xp.asarray([1.0, 2.0], dtype=xp.float32)
    filled = where(xp.asarray([True, False]), array, 0.5)
    assert filled.dtype == xp.float32
    assert np.asarray(filled).tolist() == [1.0, 0.5]


def test_division_rounds_once(xp: ModuleType) -> None:
    quotients = [number / 7 for number in range(1, 200)]
    array = xp.asarray([float(number) for number in range(1, 200)], dtype=xp.float64)
    assert np.asarray(divide(array, xp.asarray([7.0], dtype=xp.float64))).tolist() == quotients


def test_plain_division_of_jax_rounds_twice() -> None:
    array = jnp.asarray([float(number) for number in range(1, 200)])
    assert (array / jnp.asarray([7.0])).tolist() != [number / 7 for number in range(1, 200)]
