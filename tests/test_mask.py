"""Masked softmax and causal masks."""

from types import ModuleType

import array_api_compat.numpy
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from duizhao.arrays import Array
from duizhao.mask import Alignment, EmptyRow, causal_mask, causal_softmax, masked_softmax
from duizhao.softmax import softmax
from tests.libraries import (
    DTYPES,
    INF,
    LIBRARIES,
    NAN,
    bits,
    numbers,
    says,
)


def doubles(xp: ModuleType, entries: object) -> Array:
    """A float64 array."""
    return xp.asarray(entries, dtype=xp.float64)


# Masked softmax


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_mask_of_true_alone_is_softmax_bit_for_bit(xp: ModuleType, dtype: object) -> None:
    everything = xp.ones((2, 3), dtype=xp.bool)
    for rows in ([[0.0, 1.0, -0.3], [2.0, -INF, 5.0]], [[-INF, -INF, -INF], [0.1, 0.2, 0.7]]):
        scores = xp.asarray(rows, dtype=dtype)
        assert bits(masked_softmax(scores, everything)) == bits(softmax(scores))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("mask_order", ["C", "F"])
def test_memory_order_changes_no_bit(order: str, mask_order: str) -> None:
    entries = np.asarray([[float(i * j % 7) for j in range(40)] for i in range(5)])
    scores = np.array(entries, order=order)  # type: ignore[call-overload]
    mask = np.ones((5, 40), dtype=np.bool, order=mask_order)  # type: ignore[call-overload]
    assert bits(masked_softmax(scores, mask)) == bits(softmax(entries))
    assert bits(softmax(scores)) == bits(softmax(entries))


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
@pytest.mark.parametrize("value", [NAN, INF, -INF, 3e4, -3e4, 0.0])
def test_masked_score_is_not_looked_at(xp: ModuleType, dtype: object, value: float) -> None:
    scores = xp.asarray([[0.5, value, 0.5], [value, value, 2.0]], dtype=dtype)
    weights = masked_softmax(scores, xp.asarray([[True, False, True], [False, False, True]]))
    assert numbers(weights) == [[0.5, 0.0, 0.5], [0.0, 0.0, 1.0]]


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_single_allowed_key_has_the_whole_weight(xp: ModuleType, dtype: object) -> None:
    scores = xp.asarray([[5.0, -3.0, 0.25]] * 2, dtype=dtype)
    mask = xp.asarray([[False, True, False], [False, False, True]])
    assert numbers(masked_softmax(scores, mask)) == [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize("shape", [(2,), (1, 2), (3, 1), (3, 2), (4, 1, 2), (4, 3, 1), (1, 3, 2)])
def test_mask_broadcasts_to_the_scores(xp: ModuleType, shape: tuple[int, ...]) -> None:
    scores = doubles(xp, np.zeros((4, 3, 2)))
    mask = np.arange(np.prod(shape)).reshape(shape) % 3 != 1
    spread = np.broadcast_to(mask, (4, 3, 2))
    counts = np.maximum(spread.sum(axis=-1, keepdims=True), 1)
    assert numbers(masked_softmax(scores, xp.asarray(mask))) == (spread / counts).tolist()


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize("shape", [(0, 2, 3), (2, 0, 1)])
def test_no_rows_give_no_weights(xp: ModuleType, shape: tuple[int, ...]) -> None:
    scores, mask = doubles(xp, np.zeros(shape)), xp.zeros(shape, dtype=xp.bool)
    assert masked_softmax(scores, mask).shape == shape
    assert masked_softmax(scores, mask, empty_row="error").shape == shape


def test_scores_and_mask_are_left_as_they_were() -> None:
    scores, mask = np.asarray([[0.0, NAN], [1.0, 2.0]]), np.asarray([[True, False], [False, False]])
    before = bits(scores), bits(mask)
    scores.flags.writeable = mask.flags.writeable = False
    masked_softmax(scores, mask, empty_row="mean")
    assert (bits(scores), bits(mask)) == before


# Empty rows

NOTHING_ALLOWED = ([[7.0, NAN, 1.0], [0.0, 0.0, 0.0]], [[False, False, False], [True, True, False]])
ONLY_MINUS_INFINITY = ([[-INF, 5.0, -INF], [0.0, 0.0, 0.0]], [[True, False, True], [True, True, False]])


@pytest.mark.parametrize(("entries", "mask"), [NOTHING_ALLOWED, ONLY_MINUS_INFINITY])
@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_empty_row_follows_the_policy(
    xp: ModuleType, dtype: object, entries: list[list[float]], mask: list[list[bool]]
) -> None:
    scores = xp.asarray(entries, dtype=dtype)
    third = float(xp.asarray(1 / 3, dtype=dtype))
    policies: dict[EmptyRow, list[float]] = {"zero": [0.0] * 3, "mean": [third] * 3, "nan": [NAN] * 3}
    for policy, row in policies.items():
        weights = masked_softmax(scores, xp.asarray(mask), empty_row=policy)
        assert weights.dtype == scores.dtype
        assert str(numbers(weights)) == str([row, [0.5, 0.5, 0.0]])


@pytest.mark.parametrize(("entries", "mask"), [NOTHING_ALLOWED, ONLY_MINUS_INFINITY])
@pytest.mark.parametrize("xp", LIBRARIES)
def test_empty_row_is_named_if_it_is_an_error(
    xp: ModuleType, entries: list[list[float]], mask: list[list[bool]]
) -> None:
    rest = (
        "has no allowed key with a score above -inf; "
        'allow one, or choose "zero", "mean" or "nan" as empty_row'
    )
    with pytest.raises(ValueError, match=says(f"mask: row (1,) {rest}")):
        masked_softmax(doubles(xp, entries[::-1]), xp.asarray(mask[::-1]), empty_row="error")
    with pytest.raises(ValueError, match=says(f"mask: the row {rest}")):
        masked_softmax(doubles(xp, entries[0]), xp.asarray(mask[0]), empty_row="error")


@pytest.mark.parametrize("xp", LIBRARIES)
def test_policy_is_of_no_concern_to_a_full_row(xp: ModuleType) -> None:
    scores, mask = doubles(xp, [[0, 1, 0], [0, 0, 1]]), xp.asarray([[True, False, True], [True, True, False]])
    policies: tuple[EmptyRow, ...] = ("zero", "mean", "nan", "error")
    for policy in policies:
        weights = masked_softmax(scores, mask, empty_row=policy)
        assert numbers(weights) == [[0.5, 0.0, 0.5], [0.5, 0.5, 0.0]]


# Causal masks


@pytest.mark.parametrize("xp", [*LIBRARIES, pytest.param(array_api_compat.numpy, id="compat")])
def test_causal_mask_keeps_the_lower_triangle(xp: ModuleType) -> None:
    mask = causal_mask(3, xp=xp)
    assert mask.dtype == xp.bool
    assert isinstance(mask, type(xp.zeros((1,))))
    assert np.asarray(mask).tolist() == [[True, False, False], [True, True, False], [True, True, True]]


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize(
    ("queries", "keys", "alignment", "rows"),
    [
        (2, 3, "top_left", ["TFF", "TTF"]),
        (2, 3, "bottom_right", ["TTF", "TTT"]),
        (3, 2, "top_left", ["TF", "TT", "TT"]),
        (3, 2, "bottom_right", ["FF", "TF", "TT"]),
        (1, 4, "bottom_right", ["TTTT"]),
        (1, 4, "top_left", ["TFFF"]),
        (2, 2, "bottom_right", ["TF", "TT"]),
        (2, 2, "top_left", ["TF", "TT"]),
        (1, 1, None, ["T"]),
        (2, 0, "bottom_right", ["", ""]),
    ],
)
def test_alignment_says_which_corner_is_full(
    xp: ModuleType, queries: int, keys: int, alignment: Alignment | None, rows: list[str]
) -> None:
    mask = causal_mask(queries, keys, alignment=alignment, xp=xp)
    assert np.asarray(mask).tolist() == [[entry == "T" for entry in row] for row in rows]


def test_no_queries_give_an_empty_mask() -> None:
    assert causal_mask(0).shape == (0, 0)
    assert causal_mask(0, 3, alignment="top_left").shape == (0, 3)
    assert causal_mask(np.int64(2)).shape == (2, 2)  # type: ignore[arg-type]


def test_causal_mask_lands_on_the_device_that_is_asked_for() -> None:
    device = jax.devices()[0]
    assert causal_mask(2, xp=jnp, device=device).device == device


@pytest.mark.parametrize("xp", LIBRARIES)
def test_causal_softmax_of_equal_scores_shares_what_is_not_in_the_future(xp: ModuleType) -> None:
    weights = causal_softmax(doubles(xp, np.zeros((2, 3, 3))))
    assert numbers(weights) == [[[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]] * 2


@pytest.mark.parametrize("xp", LIBRARIES)
def test_causal_softmax_does_not_look_at_the_future(xp: ModuleType) -> None:
    scores = doubles(xp, [[[-4, NAN, INF], [1, 1, NAN], [0, -2000, 0]]] * 2)
    expected = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5]]
    assert numbers(causal_softmax(scores)) == [expected, expected]


# Under JAX's transformations


def test_jitted_masked_softmax_is_masked_softmax() -> None:
    scores, mask = doubles(jnp, [[0, NAN, 0], [0, 0, NAN]]), jnp.asarray([[True, False, True], [False] * 3])
    jitted = jax.jit(masked_softmax, static_argnames="empty_row")
    assert numbers(jitted(scores, mask)) == [[0.5, 0.0, 0.5], [0.0, 0.0, 0.0]]
    assert str(numbers(jitted(scores, mask, empty_row="nan"))) == "[[0.5, 0.0, 0.5], [nan, nan, nan]]"
    assert numbers(jax.jit(causal_softmax)(doubles(jnp, [[0, NAN], [0, 0]]))) == [[1.0, 0.0], [0.5, 0.5]]


def test_gradient_does_not_flow_to_a_masked_nan() -> None:
    mask = jnp.asarray([True, False, True])
    jacobian = jax.jacobian(lambda scores: masked_softmax(scores, mask))(doubles(jnp, [0, NAN, 0]))
    assert numbers(jacobian) == [[0.25, 0.0, -0.25], [0.0, 0.0, 0.0], [-0.25, 0.0, 0.25]]


# Bad inputs


def test_list_is_refused() -> None:
    mask = np.asarray([True, True])
    with pytest.raises(TypeError, match=r"^scores: an array is needed, got list; "):
        masked_softmax([0.0, 1.0], mask)
    with pytest.raises(TypeError, match=r"^mask: an array is needed, got list; "):
        masked_softmax(np.zeros((2,)), [True, False])
    with pytest.raises(TypeError, match=r"^scores: an array is needed, got list; "):
        causal_softmax([[0.0]])


@pytest.mark.parametrize("dtype", ["int64", "bool", "complex128"])
def test_scores_that_are_not_floating_are_refused(dtype: str) -> None:
    scores = np.zeros((2, 2), dtype=dtype)
    message = rf"^scores: a floating-point array is needed, got {dtype}; convert it first"
    with pytest.raises(TypeError, match=message):
        masked_softmax(scores, np.ones((2, 2), dtype=np.bool))
    with pytest.raises(TypeError, match=message):
        causal_softmax(scores)


@pytest.mark.parametrize("dtype", ["float64", "int64", "uint8"])
def test_mask_that_is_not_boolean_is_refused(dtype: str) -> None:
    message = f"mask: a boolean array is needed (True keeps), got {dtype}"
    with pytest.raises(TypeError, match=says(message)):
        masked_softmax(np.zeros((2,)), np.ones((2,), dtype=dtype))


def test_mask_of_another_library_is_refused() -> None:
    message = "mask: an array of numpy, but scores is one of jax.numpy; convert one of them first"
    with pytest.raises(TypeError, match=says(message)):
        masked_softmax(jnp.zeros((2,)), np.ones((2,), dtype=np.bool))


@pytest.mark.parametrize("shape", [(3,), (2, 3), (5, 2, 2), (1, 2, 2)])
def test_mask_that_would_enlarge_the_scores_is_refused(shape: tuple[int, ...]) -> None:
    message = f"mask: shape {shape} does not broadcast to the shape of the scores, (2, 2)"
    with pytest.raises(ValueError, match=says(message)):
        masked_softmax(np.zeros((2, 2)), np.ones(shape, dtype=np.bool))


def test_scores_of_wrong_rank_or_without_keys_are_refused() -> None:
    with pytest.raises(ValueError, match=says("scores: at least 1 axis (keys) is needed, got shape ()")):
        masked_softmax(np.asarray(1.0), np.asarray(True))
    message = "scores: there is no key (shape (2, 0)); at least 1 is needed"
    with pytest.raises(ValueError, match=says(message)):
        masked_softmax(np.zeros((2, 0)), np.ones((2, 0), dtype=np.bool))
    message = "scores: there is no key (shape (0, 0)); at least 1 is needed"
    with pytest.raises(ValueError, match=says(message)):
        causal_softmax(np.zeros((0, 0)))
    message = "scores: at least 2 axes (queries, keys) are needed, got shape (3,)"
    with pytest.raises(ValueError, match=says(message)):
        causal_softmax(np.zeros((3,)))


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize(("value", "name"), [(NAN, "NaN"), (INF, "inf")])
def test_allowed_nan_and_plus_infinity_are_named_with_their_place(
    xp: ModuleType, value: float, name: str
) -> None:
    rule = "a score that a query may read must be finite or -inf"
    with pytest.raises(ValueError, match=says(f"scores: {name} at index (1, 1); {rule}")):
        masked_softmax(doubles(xp, [[value, 0], [0, value]]), xp.asarray([[False, True], [True, True]]))
    with pytest.raises(ValueError, match=says(f"scores: {name} at index (1, 0); {rule}")):
        causal_softmax(doubles(xp, [[0, value], [value, 0]]))


@pytest.mark.parametrize("policy", ["zeros", "", "Zero", None])
def test_unknown_policy_is_told_which_ones_there_are(policy: EmptyRow) -> None:
    message = f'empty_row: must be "zero", "mean", "nan" or "error", got {policy!r}'
    with pytest.raises(ValueError, match=says(message)):
        masked_softmax(np.zeros((2,)), np.ones((2,), dtype=np.bool), empty_row=policy)


def test_keys_too_many_for_the_dtype_are_an_overflow_error() -> None:
    scores, mask = np.zeros((70_000,), dtype=np.float16), np.ones((70_000,), dtype=np.bool)
    with pytest.raises(OverflowError, match=r"^scores: the sum of the exponentials overflows float16"):
        masked_softmax(scores, mask)
    mask[4:] = False
    assert numbers(masked_softmax(scores, mask)[:4]) == [0.25] * 4


def test_scores_that_are_not_square_are_sent_to_masked_softmax() -> None:
    message = (
        "scores: as many queries as keys are needed, got shape (1, 2, 3); "
        "use masked_softmax with causal_mask and an alignment"
    )
    with pytest.raises(ValueError, match=says(message)):
        causal_softmax(np.zeros((1, 2, 3)))


@pytest.mark.parametrize("length", [1.0, "3", True, np.ones((1,)), 2.5])
def test_length_that_is_no_integer_is_refused(length: int) -> None:
    with pytest.raises(TypeError, match=says(f"queries: an integer is needed, got {length!r}")):
        causal_mask(length)
    with pytest.raises(TypeError, match=says(f"keys: an integer is needed, got {length!r}")):
        causal_mask(2, length)


def test_negative_length_is_refused() -> None:
    with pytest.raises(ValueError, match=says("queries: must not be negative, got -1")):
        causal_mask(-1)
    with pytest.raises(ValueError, match=says("keys: must not be negative, got -2")):
        causal_mask(1, -2, alignment="top_left")


def test_lengths_that_differ_need_an_alignment() -> None:
    message = 'alignment: 2 queries and 3 keys need one, "top_left" or "bottom_right"'
    with pytest.raises(ValueError, match=says(message)):
        causal_mask(2, 3)


@pytest.mark.parametrize("keys", [2, 3])
def test_unknown_alignment_is_told_which_ones_there_are(keys: int) -> None:
    message = 'alignment: must be "top_left" or "bottom_right", got \'left\''
    with pytest.raises(ValueError, match=says(message)):
        causal_mask(2, keys, alignment="left")  # type: ignore[arg-type]


def test_library_that_is_none_is_refused() -> None:
    message = "xp: an array library is needed, such as numpy or jax.numpy, got 'numpy'"
    with pytest.raises(TypeError, match=says(message)):
        causal_mask(2, xp="numpy")
