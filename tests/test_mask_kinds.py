"""Sliding windows, padding, and several masks together."""

from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from duizhao.arrays import Array
from duizhao.attention import masked_attention
from duizhao.mask import Alignment, causal_mask, combine_masks, padding_mask, sliding_window_mask
from tests.libraries import INTERPRETED, LIBRARIES, array, numbers, says


def rows(mask: Array) -> list[str]:
    """The rows of a mask, T where a key is kept."""
    return ["".join("T" if kept else "F" for kept in row) for row in np.asarray(mask)]


# Sliding windows


@pytest.mark.parametrize("xp", LIBRARIES)
def test_window_keeps_the_nearest_keys_that_are_not_in_the_future(xp: ModuleType) -> None:
    mask = sliding_window_mask(4, window=2, xp=xp)
    assert rows(mask) == ["TFFF", "TTFF", "FTTF", "FFTT"]
    assert mask.dtype == xp.bool
    assert isinstance(mask, type(xp.zeros((1,))))


@pytest.mark.parametrize("xp", INTERPRETED)
@pytest.mark.parametrize(
    ("queries", "keys", "window", "causal", "alignment", "expected"),
    [
        (3, 3, 1, True, None, ["TFF", "FTF", "FFT"]),
        (3, 3, 1, False, None, ["TFF", "FTF", "FFT"]),
        (4, 4, 2, False, None, ["TTFF", "TTTF", "FTTT", "FFTT"]),
        (2, 5, 2, True, "bottom_right", ["FFTTF", "FFFTT"]),
        (2, 5, 2, True, "top_left", ["TFFFF", "TTFFF"]),
        (2, 5, 3, False, "top_left", ["TTTFF", "TTTTF"]),
        (5, 2, 2, True, "bottom_right", ["FF", "FF", "FF", "TF", "TT"]),
        (4, 2, 2, True, "top_left", ["TF", "TT", "FT", "FF"]),
        (0, 3, 2, True, "top_left", []),
        (2, 0, 2, True, "top_left", ["", ""]),
    ],
)
def test_window_counts_from_the_position_of_the_query(
    xp: ModuleType,
    queries: int,
    keys: int,
    window: int,
    causal: bool,
    alignment: Alignment | None,
    expected: list[str],
) -> None:
    mask = sliding_window_mask(queries, keys, window=window, causal=causal, alignment=alignment, xp=xp)
    assert rows(mask) == expected
    assert mask.shape == (queries, keys)


@pytest.mark.parametrize("xp", INTERPRETED)
def test_long_window_is_the_causal_mask_or_keeps_all(xp: ModuleType) -> None:
    assert rows(sliding_window_mask(4, window=4, xp=xp)) == rows(causal_mask(4, xp=xp))
    assert rows(sliding_window_mask(4, window=4, causal=False, xp=xp)) == ["TTTT"] * 4


def test_window_that_is_none_is_refused() -> None:
    for window in (0, -2):
        with pytest.raises(ValueError, match=says(f"window: must be positive, got {window}")):
            sliding_window_mask(3, window=window)
    with pytest.raises(TypeError, match=says("window: an integer is needed, got 2.0")):
        sliding_window_mask(3, window=2.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^alignment: 2 queries and 3 keys need one"):
        sliding_window_mask(2, 3, window=1)


# Padding


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize("dtype", ["int8", "int32", "uint8"])
def test_padding_is_what_lies_beyond_the_length(xp: ModuleType, dtype: str) -> None:
    mask = padding_mask(array(xp, [2, 0, 3], dtype), 3)
    assert mask.shape == (3, 1, 3)
    assert rows(mask[:, 0, :]) == ["TTF", "FFF", "TTT"]
    assert mask.dtype == xp.bool
    assert isinstance(mask, type(xp.zeros((1,))))


@pytest.mark.parametrize("xp", INTERPRETED)
@pytest.mark.parametrize("shape", [(), (0,), (2, 3), (2, 1)])
def test_padding_mask_has_the_axes_of_the_lengths(xp: ModuleType, shape: tuple[int, ...]) -> None:
    assert padding_mask(array(xp, np.ones(shape), "int64"), 300).shape == (*shape, 1, 300)
    assert padding_mask(array(xp, np.zeros(shape), "int8"), 0).shape == (*shape, 1, 0)


@pytest.mark.parametrize("xp", INTERPRETED)
def test_more_keys_than_a_small_integer_counts_are_kept_apart(xp: ModuleType) -> None:
    assert np.asarray(padding_mask(array(xp, 100, "int8"), 300)).sum() == 100


@pytest.mark.parametrize("xp", LIBRARIES)
def test_padded_sequences_read_only_themselves(xp: ModuleType) -> None:
    query, key = array(xp, np.zeros((2, 1, 2, 1))), array(xp, np.zeros((2, 1, 3, 1)))
    value = array(xp, [[[[1], [2], [90]]], [[[4], [90], [90]]]])
    mask = padding_mask(array(xp, [[2], [1]], "int32"), 3)  # one more axis, for heads
    assert numbers(masked_attention(query, key, value, mask)) == [[[[1.5]] * 2], [[[4.0]] * 2]]


def test_lengths_that_are_none_are_refused() -> None:
    message = "lengths: must lie between 0 and the 3 keys, got 4 at index (1,)"
    with pytest.raises(ValueError, match=says(message)):
        padding_mask(np.asarray([3, 4]), 3)
    with pytest.raises(ValueError, match=says("lengths: must lie between 0 and the 3 keys, got -1")):
        padding_mask(np.asarray(-1), 3)
    with pytest.raises(TypeError, match=says("lengths: an array of integers is needed, got float64")):
        padding_mask(np.asarray([1.0]), 3)
    with pytest.raises(TypeError, match=says("lengths: an array of integers is needed, got bool")):
        padding_mask(np.asarray([True]), 3)
    with pytest.raises(TypeError, match=r"^lengths: an array is needed, got list; "):
        padding_mask([1, 2], 3)
    with pytest.raises(ValueError, match=says("keys: must not be negative, got -3")):
        padding_mask(np.asarray([1]), -3)
    with pytest.raises(TypeError, match=says("keys: an integer is needed, got 3.0")):
        padding_mask(np.asarray([1]), 3.0)  # type: ignore[arg-type]


# Together


@pytest.mark.parametrize("xp", LIBRARIES)
def test_key_is_kept_where_every_mask_keeps_it(xp: ModuleType) -> None:
    causal, lengths = causal_mask(3, xp=xp), array(xp, [2, 3], "int32")
    mask = combine_masks(causal, padding_mask(lengths, 3), xp.asarray([False, True, True]))
    assert [rows(mask[i, ...]) for i in range(2)] == [["FFF", "FTF", "FTF"], ["FFF", "FTF", "FTT"]]
    assert mask.dtype == xp.bool
    assert rows(combine_masks(causal)) == rows(causal)


def test_masks_are_left_as_they_were() -> None:
    first, second = np.asarray([True, True]), np.asarray([False, True])
    first.flags.writeable = second.flags.writeable = False
    combined = combine_masks(first, second)
    combined[:] = True
    assert first.tolist() == [True, True]
    assert second.tolist() == [False, True]
    assert combine_masks(first) is not first


def test_masks_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=says("masks: at least 1 is needed, got none")):
        combine_masks()
    message = "mask 1: shape (4,) does not broadcast with those before it, (2, 3)"
    with pytest.raises(ValueError, match=says(message)):
        combine_masks(np.ones((2, 3), dtype=np.bool), np.ones((4,), dtype=np.bool))
    with pytest.raises(TypeError, match=says("mask 1: a boolean array is needed (True keeps), got float64")):
        combine_masks(np.ones((3,), dtype=np.bool), np.ones((3,)))
    with pytest.raises(TypeError, match=r"^mask 1: an array of jax.numpy, but mask 0 is one of numpy; "):
        combine_masks(np.ones((3,), dtype=np.bool), jnp.ones((3,), dtype=jnp.bool))


def test_masks_can_be_made_while_jax_traces() -> None:
    def mask(lengths: Array) -> Array:
        return combine_masks(sliding_window_mask(3, window=2, xp=jnp), padding_mask(lengths, 3))

    lengths = jnp.asarray([1, 3])
    assert np.asarray(jax.jit(mask)(lengths)).tolist() == np.asarray(mask(lengths)).tolist()
