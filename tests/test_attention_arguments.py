"""What the functions of attention say to arguments that do not fit."""

import re
from collections.abc import Callable

import jax.numpy as jnp
import numpy as np
import pytest

from duizhao.arrays import Array
from duizhao.attention import attention, attention_weights, masked_attention, scores

INF = float("inf")
NAN = float("nan")

FUNCTIONS: list[tuple[Callable[..., Array], int]] = [
    (scores, 2),
    (attention_weights, 2),
    (attention, 3),
    (
        lambda query, key, value, **options: masked_attention(
            query, key, value, np.ones((1, 1), dtype=np.bool), **options
        ),
        3,
    ),
]
every = pytest.mark.parametrize(
    ("function", "count"), FUNCTIONS, ids=["scores", "attention_weights", "attention", "masked_attention"]
)
NAMES = ("query", "key", "value")


def says(message: str) -> str:
    """The pattern of a whole error message."""
    return f"^{re.escape(message)}$"


def arguments(count: int, **changed: object) -> list[object]:
    """The first arguments of a good call, some of them changed."""
    good: dict[str, object] = {"query": np.ones((2, 4)), "key": np.ones((3, 4)), "value": np.ones((3, 1))}
    return list((good | changed).values())[:count]


@every
def test_good_arguments_raise_nothing(function: Callable[..., Array], count: int) -> None:
    assert function(*arguments(count)).shape[0] == 2


@every
def test_list_is_refused(function: Callable[..., Array], count: int) -> None:
    for name in NAMES[:count]:
        with pytest.raises(TypeError, match=rf"^{name}: an array is needed, got list; "):
            function(*arguments(count, **{name: [[1.0]]}))


@every
@pytest.mark.parametrize("dtype", ["int64", "bool", "complex128"])
def test_dtype_that_is_not_floating_is_refused(
    function: Callable[..., Array], count: int, dtype: str
) -> None:
    for name in NAMES[:count]:
        message = rf"^{name}: a floating-point array is needed, got {dtype}; convert it first"
        with pytest.raises(TypeError, match=message):
            function(*arguments(count, **{name: np.ones((3, 4), dtype=dtype)}))


@every
def test_libraries_and_dtypes_are_not_mixed(function: Callable[..., Array], count: int) -> None:
    for name in NAMES[1:count]:
        with pytest.raises(TypeError, match=rf"^{name}: an array of jax.numpy, but query is one of numpy; "):
            function(*arguments(count, **{name: jnp.ones((3, 4))}))
        with pytest.raises(
            TypeError, match=rf"^{name}: its dtype float32 differs from that of query, float64; "
        ):
            function(*arguments(count, **{name: np.ones((3, 4), dtype=np.float32)}))


@every
def test_too_few_axes_are_refused(function: Callable[..., Array], count: int) -> None:
    for name, rows in (("query", "queries"), ("key", "keys"), ("value", "keys"))[:count]:
        message = f"{name}: at least 2 axes ({rows}, width) are needed, got shape (4,)"
        with pytest.raises(ValueError, match=says(message)):
            function(*arguments(count, **{name: np.ones((4,))}))


@every
def test_widths_that_differ_are_refused(function: Callable[..., Array], count: int) -> None:
    message = "key: width 5 for queries of width 4 (shapes (3, 5) and (2, 4))"
    with pytest.raises(ValueError, match=says(message)):
        function(*arguments(count, key=np.ones((3, 5))))


@every
def test_width_zero_is_refused(function: Callable[..., Array], count: int) -> None:
    message = "query: the width is 0 (shape (2, 0)); at least 1 is needed"
    with pytest.raises(ValueError, match=says(message)):
        function(*arguments(count, query=np.ones((2, 0)), key=np.ones((3, 0))))


@every
def test_empty_key_axis_is_refused(function: Callable[..., Array], count: int) -> None:
    message = "key: there is no key (shape (0, 4)); at least 1 is needed"
    with pytest.raises(ValueError, match=says(message)):
        function(*arguments(count, key=np.ones((0, 4)), value=np.ones((0, 1))))


@every
def test_batch_axes_that_do_not_broadcast_are_refused(function: Callable[..., Array], count: int) -> None:
    message = "key: batch axes (3,) do not broadcast with those of query, (2,)"
    with pytest.raises(ValueError, match=says(message)):
        function(*arguments(count, query=np.ones((2, 2, 4)), key=np.ones((3, 3, 4))))


@every
@pytest.mark.parametrize(("number", "found"), [(NAN, "NaN"), (INF, "inf"), (-INF, "-inf")])
def test_entry_that_is_not_finite_is_named_with_its_place(
    function: Callable[..., Array], count: int, number: float, found: str
) -> None:
    for name, shape in (("query", (2, 4)), ("key", (3, 4)), ("value", (3, 1)))[:count]:
        array = np.ones(shape)
        array[1, 0] = number
        message = f"{name}: {found} at index (1, 0); a {name} that is read must be finite"
        with pytest.raises(ValueError, match=says(message)):
            function(*arguments(count, **{name: array}))


@every
def test_scale_that_is_no_finite_real_number_is_refused(function: Callable[..., Array], count: int) -> None:
    for value in (NAN, INF, -INF):
        with pytest.raises(ValueError, match=says(f"scale: must be finite, got {value}")):
            function(*arguments(count), scale=value)
    for wrong in (True, "1", 1j, np.ones((1,))):
        with pytest.raises(TypeError, match=says(f"scale: a real number is needed, got {wrong!r}")):
            function(*arguments(count), scale=wrong)
    with pytest.raises(ValueError, match=r"^scale: 1e-310 is out of the range of float64, "):
        function(*arguments(count), scale=1e-310)


two = pytest.mark.parametrize(
    "function", [FUNCTIONS[2][0], FUNCTIONS[3][0]], ids=["attention", "masked_attention"]
)


@two
def test_values_that_do_not_match_the_keys_are_counted(function: Callable[..., Array]) -> None:
    message = "value: 4 rows for 3 keys (shapes (4, 1) and (3, 4))"
    with pytest.raises(ValueError, match=says(message)):
        function(*arguments(3, value=np.ones((4, 1))))


@two
def test_batch_axes_of_the_values_that_do_not_broadcast_are_refused(function: Callable[..., Array]) -> None:
    message = "value: batch axes (3,) do not broadcast with those of query and key, (2,)"
    with pytest.raises(ValueError, match=says(message)):
        function(*arguments(3, key=np.ones((2, 3, 4)), value=np.ones((3, 3, 1))))


@two
def test_output_that_does_not_fit_is_an_overflow_error(function: Callable[..., Array]) -> None:
    # In float16 the 27 equal weights are rounded up: they sum to more than 1 + 2**-12.
    query, key = np.zeros((2, 1), dtype=np.float16), np.zeros((27, 1), dtype=np.float16)
    value = np.full((27, 2), 65504, dtype=np.float16)
    message = "the weighted sum of the values at index (0, 0) overflows float16; "
    with pytest.raises(OverflowError, match=re.escape(message)):
        function(query, key, value)


@pytest.mark.parametrize("dtype", ["float64", "int64"])
def test_mask_that_is_not_boolean_is_refused(dtype: str) -> None:
    query, key, value = arguments(3)
    message = f"mask: a boolean array is needed (True keeps), got {dtype}"
    with pytest.raises(TypeError, match=says(message)):
        masked_attention(query, key, value, np.ones((2, 3), dtype=dtype))
    with pytest.raises(TypeError, match=r"^mask: an array is needed, got list; "):
        masked_attention(query, key, value, [[True]])
    with pytest.raises(TypeError, match=r"^mask: an array of jax.numpy, but query is one of numpy; "):
        masked_attention(query, key, value, jnp.asarray([[True]]))


@pytest.mark.parametrize("shape", [(2,), (3, 3), (1, 2, 3), (5, 2, 3)])
def test_mask_that_would_enlarge_the_scores_is_refused(shape: tuple[int, ...]) -> None:
    query, key, value = arguments(3)
    message = f"mask: shape {shape} does not broadcast to the shape of the scores, (2, 3)"
    with pytest.raises(ValueError, match=says(message)):
        masked_attention(query, key, value, np.ones(shape, dtype=np.bool))


def test_unknown_policy_is_told_which_ones_there_are() -> None:
    message = 'empty_row: must be "zero", "mean", "nan" or "error", got \'none\''
    query, key, value = arguments(3)
    with pytest.raises(ValueError, match=says(message)):
        masked_attention(query, key, value, np.ones((2, 3), dtype=np.bool), empty_row="none")  # type: ignore[arg-type]
