"""Numbers become balls exactly, and floats again rounded outwards."""

import math
from fractions import Fraction

import array_api_strict
import flint
import jax.numpy
import numpy as np
import pytest

from duizhao import exact
from duizhao.exact import balls, ends, lower, precision, upper

LARGEST = float(np.finfo(np.float64).max)


def test_precision_ends_with_its_block_also_after_an_error() -> None:
    before = flint.ctx.prec
    with pytest.raises(ZeroDivisionError), precision(999):
        1 // (flint.ctx.prec - 999)
    assert flint.ctx.prec == before


def test_precision_below_two_bits_is_refused() -> None:
    with pytest.raises(ValueError, match="bits: at least 2 are needed, got 1"), precision(1):
        pass


@pytest.mark.parametrize("number", [0.1, -0.0, 5e-324, 2.2250738585072014e-308, LARGEST, -1 / 3, 1 + 2**-52])
def test_balls_of_float64_are_exact_at_any_precision(number: float) -> None:
    with precision(2):
        assert balls(np.asarray([number])).tolist() == [number]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_each_number_of_a_sixteen_bit_dtype_comes_back_from_its_ball(dtype: str) -> None:
    patterns = np.arange(2**16, dtype=np.uint16)
    if dtype == "bfloat16":
        every, wide = patterns.view(jax.numpy.bfloat16), (patterns.astype(np.uint32) << 16).view(np.float32)
    else:
        every, wide = patterns.view(np.float16), patterns.view(np.float16)
    back = np.asarray([float(ball) for ball in balls(every)])
    assert np.array_equal(back, wide, equal_nan=True)


@pytest.mark.parametrize(
    "array",
    [
        np.asarray([[0.1, -3.0]], dtype=np.float32),
        array_api_strict.asarray([[0.1, -3.0]], dtype=array_api_strict.float32),
        jax.numpy.asarray([[0.1, -3.0]], dtype=jax.numpy.float32),
        [[np.float32(0.1), -3]],
        [(float(np.float32(0.1)), Fraction(-3))],
    ],
    ids=["numpy", "array_api_strict", "jax", "scalars", "list"],
)
def test_balls_take_every_library(array: object) -> None:
    assert balls(array).tolist() == [[13421773 / 2**27, -3]]


def test_bfloat16_of_jax_is_converted_exactly() -> None:
    array = jax.numpy.asarray([0.1, -3.0], dtype=jax.numpy.bfloat16)
    assert balls(array).tolist() == [205 / 2048, -3]


def test_long_doubles_keep_their_last_bits() -> None:
    number = np.longdouble(1) + np.finfo(np.longdouble).eps
    assert ends(balls(number).item()) == (Fraction(*number.as_integer_ratio()),) * 2
    assert balls(np.asarray([np.longdouble("inf")]))[0] == flint.arb.pos_inf()


def test_whole_numbers_and_binary_fractions_are_exact_at_any_precision() -> None:
    with precision(2):
        whole, part = balls([3**100, Fraction(3**100, 2**90)])
    assert whole == 3**100
    assert ends(part) == (Fraction(3**100, 2**90),) * 2


def test_other_fractions_are_enclosed() -> None:
    for third in balls([Fraction(1, 3), flint.fmpq(1, 3)]):
        low, high = ends(third)
        assert low < Fraction(1, 3) < high


def test_nan_and_infinities_stay_what_they_are() -> None:
    nan, above, below = balls(np.asarray([np.nan, np.inf, -np.inf], dtype=np.float32))
    assert nan.is_nan()
    assert above == flint.arb.pos_inf()
    assert below == flint.arb.neg_inf()


@pytest.mark.parametrize(
    "array", [True, np.asarray([True]), [1.0, False], [1j], np.asarray([1j]), ["1"], None]
)
def test_what_is_no_real_number_is_refused(array: object) -> None:
    with pytest.raises(TypeError, match="array: real numbers are needed, got "):
        balls(array)


@pytest.mark.parametrize("array", [[[1, 2], [3]], [1, [2]], [np.zeros((2, 2)), np.zeros((2, 3))]])
def test_ragged_lists_are_refused(array: object) -> None:
    with pytest.raises(ValueError, match="array: ragged"):
        balls(array)


@pytest.mark.parametrize(
    "number", [Fraction(1, 3), Fraction(-2, 7), 10**20 + Fraction(1, 10**40), Fraction(1, 3**650)]
)
def test_floats_around_a_known_number_are_neighbours(number: Fraction) -> None:
    with precision(300):
        ball = balls(number).item()
        assert Fraction(lower(ball)) < number < Fraction(upper(ball))
        assert math.nextafter(lower(ball), math.inf) == upper(ball)


def test_a_float_is_its_own_bound() -> None:
    assert [upper(ball) for ball in balls([0.1, 5e-324, -LARGEST])] == [0.1, 5e-324, -LARGEST]
    assert [lower(ball) for ball in balls([0.1, 5e-324, -LARGEST])] == [0.1, 5e-324, -LARGEST]


@pytest.mark.parametrize(
    ("number", "below", "above"),
    [
        (Fraction(1, 2**2000), 0.0, 5e-324),
        (Fraction(-1, 2**2000), -5e-324, 0.0),
        (Fraction(2**2000), LARGEST, math.inf),
        (Fraction(-(2**2000)), -math.inf, -LARGEST),
    ],
)
def test_numbers_outside_the_range_of_floats_are_bounded(
    number: Fraction, below: float, above: float
) -> None:
    ball = balls(number).item()
    assert (lower(ball), upper(ball)) == (below, above)


@pytest.mark.parametrize("ball", [flint.arb.nan(), flint.arb(0, "inf"), flint.arb(1) / flint.arb(0, 1)])
def test_what_has_no_bound_passes_none(ball: flint.arb) -> None:
    assert (lower(ball), upper(ball)) == (-math.inf, math.inf)


@pytest.mark.parametrize("ball", [flint.arb.nan(), flint.arb(0, "inf"), flint.arb.neg_inf()])
def test_what_has_no_bound_has_no_ends(ball: flint.arb) -> None:
    with pytest.raises(ValueError, match="ball: a bounded one is needed, got "):
        ends(ball)


def test_the_ends_of_a_ball_are_its_midpoint_and_radius_apart() -> None:
    low, high = ends(flint.arb(5, 0.25))
    assert low + high == 10
    assert Fraction(1, 2) <= high - low < Fraction(1, 2) + Fraction(1, 2**20)


def test_distance_holds_the_exact_difference() -> None:
    with precision(200):
        (gap,) = exact.distance(np.asarray([0.1]), [Fraction(1, 10)])
    assert ends(gap)[0] < Fraction(0.1) - Fraction(1, 10) < ends(gap)[1]
    assert upper(gap) < 5.6e-18


@pytest.mark.parametrize("computed", [math.nan, math.inf, -math.inf])
def test_distance_from_what_is_not_finite_is_infinite(computed: float) -> None:
    gaps = exact.distance(np.asarray([computed, 1.0]), [computed, 1])
    assert gaps[0] == flint.arb.pos_inf()
    assert gaps[1] == 0


def test_distance_from_an_unknown_truth_is_infinite() -> None:
    (gap,) = exact.distance([1.0], [flint.arb.nan()])
    assert gap > 1e300


def test_distance_does_not_broadcast() -> None:
    with pytest.raises(ValueError, match=r"computed: shape \(2,\) where the truth has \(1,\)"):
        exact.distance([1.0, 2.0], [1])
