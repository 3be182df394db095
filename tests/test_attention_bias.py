"""Attention with a bias added to the scores."""

from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from duizhao import exact
from duizhao.arrays import Array
from duizhao.attention import attention, biased_attention, masked_attention
from duizhao.exact import precision, upper
from duizhao.mask import EmptyRow, causal_mask
from tests.libraries import (
    EVERY_FLOAT,
    INF,
    INTERPRETED,
    LIBRARIES,
    NAN,
    array,
    bits,
    numbers,
    says,
    wide,
)

POLICIES: list[EmptyRow] = ["zero", "mean", "nan"]


def arrays(xp: ModuleType, dtype: str) -> tuple[Array, Array, Array]:
    """Queries (2, 2), keys (3, 2) and values (3, 1)."""
    query = array(xp, [[1.0, 0.3], [-0.7, 1.0]], dtype)
    key = array(xp, [[1.0, 1.1], [0.2, 1.0], [1.0, -2.0]], dtype)
    return query, key, array(xp, [[1.0], [-0.1], [2.0]], dtype)


@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
def test_bias_of_zero_and_minus_infinity_is_a_mask_bit_for_bit(xp: ModuleType, dtype: str) -> None:
    rows, mask = arrays(xp, dtype), xp.asarray([[True, False, True], [False, False, False]])
    bias = array(xp, [[0.0, -INF, 0.0], [-INF] * 3], dtype)
    for policy in POLICIES:
        output = biased_attention(*rows, bias, empty_row=policy, scale=0.7)
        assert bits(output) == bits(masked_attention(*rows, mask, empty_row=policy, scale=0.7))
        assert output.dtype == rows[0].dtype
        assert type(output) is type(rows[0])
    assert bits(biased_attention(*rows, xp.zeros_like(bias))) == bits(attention(*rows))


@pytest.mark.parametrize("xp", LIBRARIES)
def test_bias_decides_between_keys_of_one_score(xp: ModuleType) -> None:
    query, key, value = array(xp, [[0.0]]), array(xp, np.zeros((3, 1))), array(xp, [[1], [2], [4]])
    assert numbers(biased_attention(query, key, value, array(xp, [0, 2000, 2000]))) == [[3.0]]
    assert numbers(biased_attention(query, key, value, array(xp, [0, 2000, 4000]))) == [[4.0]]


@pytest.mark.parametrize("xp", LIBRARIES)
def test_bias_is_not_scaled(xp: ModuleType) -> None:
    query, key, value = array(xp, [[1.0]]), array(xp, [[1.0], [0.0]]), array(xp, [[1.0], [3.0]])
    assert numbers(biased_attention(query, key, value, array(xp, [-0.25, 0.0]), scale=0.25)) == [[2.0]]


@pytest.mark.parametrize("xp", LIBRARIES)
def test_where_the_mask_does_not_keep_the_bias_is_not_looked_at(xp: ModuleType) -> None:
    rows, mask = arrays(xp, "float64"), causal_mask(2, 3, alignment="bottom_right", xp=xp)
    bias = array(xp, [[0.5, 0.0, NAN], [0.1, -0.2, 0.3]])
    other = array(xp, [[0.5, 0.0, INF], [0.1, -0.2, 0.3]])
    output = biased_attention(*rows, bias, mask=mask)
    assert bits(output) == bits(biased_attention(*rows, other, mask=mask))


@pytest.mark.parametrize("xp", LIBRARIES)
def test_what_the_bias_forbids_is_not_looked_at(xp: ModuleType) -> None:
    query, key = array(xp, [[1.0], [NAN]]), array(xp, [[1.0], [NAN], [0.0]])
    value = array(xp, [[1.0], [INF], [3.0]])
    bias = array(xp, [[-1.0, -INF, 0.0], [-INF] * 3])
    assert numbers(biased_attention(query, key, value, bias)) == [[2.0], [0.0]]


@pytest.mark.parametrize("xp", INTERPRETED)
@pytest.mark.parametrize("shape", [(), (3,), (1, 3), (2, 1), (2, 3), (4, 1, 3), (4, 2, 3)])
def test_bias_broadcasts_to_the_scores(xp: ModuleType, shape: tuple[int, ...]) -> None:
    query, key, value = (array(xp, np.zeros(s)) for s in ((4, 2, 1), (4, 3, 1), (4, 3, 2)))
    bias = np.arange(np.prod(shape, dtype=int)).reshape(shape) % 2 * 2000.0
    output = biased_attention(query, key, value + array(xp, [[1], [2], [4]]), array(xp, bias))
    best = np.broadcast_to(bias, (4, 2, 3))
    chosen = best == best.max(axis=-1, keepdims=True)
    expected = (chosen * np.asarray([1, 2, 4])).sum(axis=-1) / chosen.sum(axis=-1)
    # Thirds are rounded: only sums over one or two keys are compared.
    simple = chosen.sum(axis=-1) < 3
    assert wide(output)[..., 0][simple].tolist() == expected[simple].tolist()


def test_exact_bias_multiplies_the_weights_by_its_exponential() -> None:
    generator = np.random.default_rng(0)
    query, key, value = (generator.normal(size=s) for s in ((2, 3), (4, 3), (4, 2)))
    bias = generator.normal(size=(2, 4))
    bias[0, 1] = -INF
    with precision(200):
        weights = exact.attention_weights(query, key) * exact.masked_softmax(bias, bias > -INF)
        expected = exact.read(weights / weights.sum(axis=-1, keepdims=True), value)
        gaps = exact.distance(exact.biased_attention(query, key, value, bias), expected)
    assert max(upper(gap) for gap in gaps.ravel().tolist()) < 2.0**-150


def test_jitted_biased_attention_is_biased_attention() -> None:
    query, key, value = jnp.zeros((1, 1)), jnp.zeros((3, 1)), jnp.asarray([[1.0], [2.0], [4.0]])
    bias = jnp.asarray([0.0, 2000.0, 2000.0])
    assert numbers(jax.jit(biased_attention)(query, key, value, bias)) == [[3.0]]


# Bad inputs


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize(("value", "name"), [(NAN, "NaN"), (INF, "inf")])
def test_bias_that_is_no_bias_is_named_with_its_place(xp: ModuleType, value: float, name: str) -> None:
    rows = arrays(xp, "float64")
    rule = "a bias where the mask keeps must be finite or -inf"
    with pytest.raises(ValueError, match=says(f"bias: {name} at index (1, 2); {rule}")):
        biased_attention(*rows, array(xp, [[0, 0, 0], [0, 0, value]]))
    with pytest.raises(ValueError, match=says(f"bias: {name} at index (2,); {rule}")):
        biased_attention(
            *rows, array(xp, [0, 0, value]), mask=causal_mask(2, 3, alignment="bottom_right", xp=xp)
        )


def test_bias_that_does_not_fit_is_refused() -> None:
    rows = arrays(np, "float64")
    message = "bias: shape (3, 3) does not broadcast to the shape of the scores, (2, 3)"
    with pytest.raises(ValueError, match=says(message)):
        biased_attention(*rows, np.zeros((3, 3)))
    with pytest.raises(TypeError, match=r"^bias: its dtype float32 differs from that of query, float64; "):
        biased_attention(*rows, np.zeros((3,), dtype=np.float32))
    with pytest.raises(TypeError, match=r"^bias: a floating-point array is needed, got bool; "):
        biased_attention(*rows, np.ones((3,), dtype=np.bool))


def test_score_plus_bias_that_does_not_fit_is_an_overflow_error() -> None:
    query, key = np.asarray([[-300.0]], dtype=np.float16), np.asarray([[1.0], [100.0]], dtype=np.float16)
    message = "bias: the score plus its bias at index (0, 1) overflows float16; use smaller numbers or a wider dtype"
    lowest = np.asarray([0.0, float(np.finfo(np.float16).min)], dtype=np.float16)
    with pytest.raises(OverflowError, match=says(message)):
        biased_attention(query, key, key, lowest)
    forbidden = np.asarray([0.0, -INF], dtype=np.float16)
    assert numbers(biased_attention(query, key, key, forbidden)) == [[1.0]]


def test_row_that_the_bias_empties_is_an_error_if_asked() -> None:
    bias = np.asarray([[0.0] * 3, [-INF] * 3])
    with pytest.raises(ValueError, match=r"^mask: row \(1,\) has no allowed key"):
        biased_attention(*arrays(np, "float64"), bias, empty_row="error")
