"""What the budgets assume of each library: the error of `exp`, underflow, unit roundoff and the accumulator."""

import math
from collections.abc import Callable
from types import ModuleType

import flint
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from duizhao import exact, rounding
from duizhao.arrays import Array
from duizhao.blockwise import of_block
from duizhao.exact import upper
from duizhao.rounding.arithmetic import FORMATS, Arithmetic
from duizhao.softmax import softmax_denominator
from tests.libraries import EVERY_FLOAT, NAMES, array, assumed, bits, wide

every_float = pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)


# Exponentials


def points(dtype: str) -> dict[str, NDArray[np.float64]]:
    """Arguments whose exponentials are normal numbers: anywhere, close to 0, and one alone."""
    generator, shape = np.random.default_rng(0), FORMATS[dtype]
    low, high = shape.least_exponent * math.log(2), (shape.greatest_exponent + 1) * math.log(2)
    return {
        "anywhere": generator.uniform(0.999 * low, 0.999 * high, 10_001),
        "below 0": generator.uniform(0.999 * low, 0, 10_001),
        "close to 0": -np.exp(generator.uniform(-40, 2, 5_001)),
        "alone": np.asarray([0.3 * low]),
    }


def errors_of_exp(computed: Array, arguments: Array, unit: Callable[[flint.arb], float]) -> list[float]:
    """How far exponentials are from the true ones, in the unit for a true one."""
    with exact.precision(128):
        truth = [flint.arb(number).exp() for number in wide(arguments).tolist()]
        gaps = exact.distance(computed, truth)
        return [upper(gap / flint.arb(unit(ball))) for gap, ball in zip(gaps, truth, strict=True)]


def last_place(dtype: str) -> Callable[[flint.arb], float]:
    """The unit in the last place of a true number, in a dtype."""
    return lambda ball: math.ldexp(1.0, math.frexp(float(ball))[1] - FORMATS[dtype].precision)


@every_float
def test_exponential_is_as_good_as_assumed(xp: ModuleType, dtype: str) -> None:
    for numbers in points(dtype).values():
        arguments = array(xp, numbers.tolist(), dtype)
        errors = errors_of_exp(xp.exp(arguments), arguments, last_place(dtype))
        assert max(errors) <= rounding.EXP_ULP[NAMES[xp]][dtype]


def test_exponential_in_another_format_is_not_as_good_as_assumed() -> None:
    arguments = points("float64")["below 0"][:100]
    single = np.exp(arguments[arguments > -80].astype(np.float32)).astype(np.float64)
    errors = errors_of_exp(single, arguments[arguments > -80], last_place("float64"))
    assert max(errors) > 1000 * rounding.EXP_ULP["numpy"]["float64"]


@every_float
def test_exponential_that_underflows_is_off_by_no_more_than_assumed(xp: ModuleType, dtype: str) -> None:
    facts, shape = assumed(xp, dtype), FORMATS[dtype]
    highest, lowest = (
        e * math.log(2) for e in (shape.least_exponent, shape.least_exponent - shape.precision)
    )
    numbers = np.random.default_rng(1).uniform(lowest, highest, 2_001)
    arguments = array(xp, [*numbers.tolist(), 10 * lowest, -math.inf], dtype)
    errors = errors_of_exp(xp.exp(arguments), arguments, lambda _: facts.tiny)
    assert 0 < max(errors) <= max(facts.exp_ulp, 1.0)


# Underflow


def halves(xp: ModuleType, dtype: str) -> dict[str, Array]:
    """Half of the smallest normal number in each way in which it can come about."""
    normal, size = assumed(xp, dtype).smallest_normal, 256
    numbers, half = array(xp, [normal] * 3, dtype), array(xp, [0.5] * 3, dtype)
    square = [[normal] * size] * size
    return {
        "product": numbers * half,
        "quotient": numbers / array(xp, [2.0] * 3, dtype),
        "difference": numbers * array(xp, [1.5] * 3, dtype) - numbers,
        "matrix product": xp.matmul(xp.reshape(numbers, (3, 1)), half[:1]),
        "large matrix product": xp.matmul(
            array(xp, square, dtype), array(xp, [[0.5 / size] * size] * size, dtype)
        ),
    }


@every_float
def test_subnormal_numbers_are_kept_unless_it_is_assumed_that_they_are_flushed(
    xp: ModuleType, dtype: str
) -> None:
    facts = assumed(xp, dtype)
    is_flushed = dtype in rounding.FLUSHES.get(NAMES[xp], ())
    assert facts.tiny == (facts.smallest_normal if is_flushed else 2 * facts.u * facts.smallest_normal)
    half = facts.smallest_normal / 2
    allowed = {0.0, half} if is_flushed else {half}
    assert {
        way: found
        for way, result in halves(xp, dtype).items()
        if not (found := set(wide(result).ravel().tolist())) <= allowed
    } == {}


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
def test_jax_flushes_each_subnormal_number(dtype: str) -> None:
    for way, result in halves(jnp, dtype).items():
        assert set(wide(result).ravel().tolist()) == {0.0}, way


# Roundings


@every_float
def test_unit_roundoff_is_half_the_distance_from_1_to_the_next_number(xp: ModuleType, dtype: str) -> None:
    one, u = array(xp, [1.0], dtype), assumed(xp, dtype).u
    assert wide(one + array(xp, [u], dtype)).tolist() == [1.0]
    assert wide(one + array(xp, [1.5 * u], dtype)).tolist() == [1 + 2 * u]
    assert wide(one - array(xp, [0.75 * u], dtype)).tolist() == [1 - u]


def one_and_many(facts: Arithmetic, count: int) -> list[float]:
    """One, and numbers that it swallows if they are added to it one by one in the dtype itself."""
    return [1.0] + [facts.u / 2] * (count - 1)


def sums(xp: ModuleType, dtype: str, row: list[float]) -> dict[str, Array]:
    """The sum of a row in each way in which the reference functions add."""
    numbers = array(xp, [row] * 3, dtype)
    ones = array(xp, [[1.0] * 5] * len(row), dtype)
    return {
        "sum": xp.sum(numbers, axis=-1),
        "sum of one row": xp.sum(numbers[0, :]),
        "row times matrix": xp.matmul(numbers[0, :], ones),
        "row times column": xp.matmul(numbers[:1, :], ones[:, :1]),
        "matrix times column": xp.matmul(numbers, ones[:, :1]),
        "matrix product": xp.matmul(numbers, ones),
        "large matrix product": xp.matmul(
            array(xp, [row] * 96, dtype), array(xp, [[1.0] * 96] * len(row), dtype)
        ),
        "products in a batch": xp.matmul(xp.stack([numbers, numbers]), xp.stack([ones, ones])),
    }


def excess(facts: Arithmetic, result: Array, row: list[float]) -> float:
    """The largest error of sums of a row over what the accumulator allows; the operands are positive."""
    bound = rounding.accumulated(facts.u, len(row), facts.accumulator)
    truth = exact.balls(row).sum()
    gaps = exact.distance(result, np.full(tuple(result.shape), truth))
    return max(upper(gap / (truth * bound)) for gap in gaps.ravel().tolist())


@every_float
@pytest.mark.parametrize("count", [3, 130, 4000])
def test_sums_are_added_in_a_format_as_precise_as_the_accumulator_that_is_assumed(
    xp: ModuleType, dtype: str, count: int
) -> None:
    facts = assumed(xp, dtype)
    row = one_and_many(facts, count)
    with exact.precision(200):
        parts = {way: excess(facts, result, row) for way, result in sums(xp, dtype, row).items()}
    assert {way: part for way, part in parts.items() if part > 1} == {}


@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_order_does_not_change_the_accumulator(order: str) -> None:
    facts = assumed(np, "float16")
    row = one_and_many(facts, 4000)
    numbers = np.array([row] * 3, dtype=np.float16, order=order)  # type: ignore[call-overload]
    # NumPy itself adds rows that do not lie together in float16; softmax and blocks never ask it to.
    logs = np.log(np.asarray([row] * 3), dtype=np.float64).astype(np.float16)
    in_order = (
        softmax_denominator(np.array(logs, order="C")),
        of_block(np.array(logs, order="C"), numbers[0, :, None]),
    )
    scores = np.array(logs, order=order)  # type: ignore[call-overload]
    assert bits(softmax_denominator(scores)) == bits(in_order[0])
    assert bits(of_block(scores, numbers[0, :, None]).sum) == bits(in_order[1].sum)
    with exact.precision(200):
        assert excess(facts, np.matmul(numbers, np.ones((4000, 2), np.float16)), row) <= 1


def test_sum_in_the_dtype_itself_is_beyond_the_accumulator() -> None:
    facts = assumed(np, "float16")
    row = one_and_many(facts, 4000)
    stalled = np.add.accumulate(np.asarray(row, dtype=np.float16))[-1:]
    with exact.precision(200):
        assert excess(facts, stalled, row) > 100
