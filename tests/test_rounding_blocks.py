"""Budgets of states, blockwise reads, derivatives and temperatures: not exceeded, not far away, refused if useless."""

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from duizhao import exact, rounding
from duizhao.arrays import Array
from duizhao.blockwise import OnlineState, merge, of_block, out
from duizhao.exact import Balls, enclose, precision, upper
from duizhao.rounding.arithmetic import compounded, divided_by
from duizhao.sensitivity import softmax_jacobian, softmax_jvp
from duizhao.softmax import softmax
from tests.libraries import (
    assumed,
    wide,
)

U, TINY = 2.0**-53, 5e-324
LARGEST = float(np.finfo(np.float64).max)
DTYPES = ["float16", "float32", "float64"]


def floats(balls: Balls) -> NDArray[np.float64]:
    """Upper ends of balls."""
    return np.asarray([upper(ball) for ball in balls.ravel().tolist()]).reshape(balls.shape)


@dataclass(frozen=True)
class Worst:
    """The largest part that an error took of its budget, by name."""

    parts: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, name: str, gap: Balls, budget: object) -> None:
        """Take one more comparison into account."""
        part = float(np.max(floats(np.asarray(gap, dtype=object)) / np.asarray(budget)))
        self.parts[name] = max(self.parts[name], part)


def scores_and_values(generator: np.random.Generator, dtype: str) -> tuple[Array, Array]:
    """Up to 24 scores, equal, close, moderate, rising or far apart, and values of one or both signs."""
    n = int(generator.integers(1, 25))
    spread = float(generator.choice([0.0, 0.01, 1.0, 4.0, {"float16": 4.0}.get(dtype, 40.0)]))
    scores = (generator.normal(size=n) * spread).astype(dtype)
    values = generator.normal(size=(n, 2))
    if generator.random() < 0.5:
        scores, values = np.sort(scores), np.abs(values)
    return scores, values.astype(dtype)


def merged(generator: np.random.Generator, states: list[OnlineState]) -> tuple[OnlineState, int]:
    """The merge of neighbours in random order, and through how many merges one of them went at most."""
    waiting = [(state, 0) for state in states]
    while len(waiting) > 1:
        i = int(generator.integers(0, len(waiting) - 1))
        (a, above), (b, below) = waiting[i], waiting[i + 1]
        waiting[i : i + 2] = [(merge(a, b), max(above, below) + 1)]
    return waiting[0]


def measured(dtype: str, cases: int) -> dict[str, float]:
    """The worst of many random cases."""
    worst, generator, facts = Worst(), np.random.default_rng(0), assumed(np, dtype)
    for _ in range(cases):
        scores, values = scores_and_values(generator, dtype)
        n = scores.size
        cuts = np.sort(generator.integers(0, n + 1, size=generator.integers(0, 6)))
        parts = np.split(generator.permutation(n), cuts)
        state, depth = merged(generator, [of_block(scores[part], values[part]) for part in parts])
        block, merges = max(part.size for part in parts), len(parts) - 1
        reach = float(wide(scores).max() - wide(scores).min())
        weights = enclose(exact.softmax, scores)
        weight, sizes = floats(weights), np.abs(wide(values))
        rest = reach, facts.exp_ulp

        truth = enclose(exact.read, weights, values, radius=1e-40)
        worst.add(
            "output",
            exact.distance(out(state), truth),
            rounding.blockwise_read(
                facts.u, block, depth, merges, weight, sizes, *rest, facts.tiny, accumulator=facts.accumulator
            ),
        )
        with precision(200):
            whole = exact.of_block(scores, values)
            terms = floats(exact.of_block(scores, np.abs(values)).acc)
            sums, acc = exact.distance(state.sum, whole.sum), exact.distance(state.acc, whole.acc)
        lost = [
            rounding.underflow_of_state(n, depth, merges, magnitudes, facts.exp_ulp, facts.tiny)
            for magnitudes in (float(n), sizes.sum(axis=0))
        ]
        relative = rounding.sum_of_state(facts.u, block, depth, *rest, facts.accumulator)
        worst.add("sum", sums, relative * floats(whole.sum) + lost[0])
        relative = rounding.acc_of_state(facts.u, block, depth, *rest, facts.accumulator)
        worst.add("acc", acc, relative * terms + lost[1])

        full = *rest, facts.tiny, facts.accumulator
        gaps = exact.distance(softmax_jacobian(scores), enclose(exact.softmax_jacobian, scores))
        worst.add("jacobian", gaps, rounding.jacobian_error(facts.u, weight, *full))
        tangent = (generator.normal(size=n) + generator.choice([0, 5])).astype(dtype)
        moved = wide(tangent) - wide(tangent)[int(np.argmax(scores))]
        truth = enclose(exact.softmax_jvp, scores, tangent, radius=1e-40)
        gaps = exact.distance(softmax_jvp(scores, tangent), truth)
        worst.add("product", gaps, rounding.jacobian_product(facts.u, weight, moved, *full))
        plain = softmax(scores) * (tangent - np.sum(softmax(scores) * tangent))
        gaps = exact.distance(plain, truth)
        worst.add("plain product", gaps, rounding.jacobian_product(facts.u, weight, wide(tangent), *full))
    return dict(worst.parts)


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_budget_is_exceeded_and_none_is_far_away(dtype: str) -> None:
    parts = measured(dtype, 250)
    assert set(parts) == {"output", "sum", "acc", "jacobian", "product", "plain product"}
    assert {name: part for name, part in parts.items() if not 0.02 < part <= 1} == {}


@pytest.mark.parametrize(("dtype", "gap"), [("float64", 700.0), ("float32", 85.0), ("float16", 16.0)])
def test_what_underflows_stays_within_the_budget(dtype: str, gap: float) -> None:
    facts = assumed(np, dtype)
    scores = np.asarray([0.0, -gap, -gap + 0.3, -gap - 1, -gap * 0.98], dtype=dtype)
    values = np.asarray([[facts.tiny], [1.0], [3 * facts.tiny], [facts.smallest_normal], [1.0]], dtype=dtype)
    state = merge(
        merge(of_block(scores[3:4], values[3:4]), of_block(scores[1:3], values[1:3])),
        merge(of_block(scores[:1], values[:1]), of_block(scores[4:], values[4:])),
    )
    weights = enclose(exact.softmax, scores)
    budget = rounding.blockwise_read(
        facts.u, 2, 2, 3, floats(weights), wide(values), gap + 1, facts.exp_ulp, facts.tiny
    )
    (distance,) = floats(exact.distance(out(state), enclose(exact.read, weights, values)))
    assert 0 < distance <= budget[0]
    jacobian = rounding.jacobian_error(facts.u, floats(weights), gap + 1, facts.exp_ulp, facts.tiny)
    gaps = floats(exact.distance(softmax_jacobian(scores), enclose(exact.softmax_jacobian, scores)))
    assert np.all(gaps <= jacobian)


def test_one_block_without_a_merge_is_a_dense_read() -> None:
    weight, sizes = np.asarray([0.25, 0.75]), np.asarray([[1.0], [2.0]])
    (bound,) = rounding.blockwise_read(U, 2, 0, 0, weight, sizes, 3.0, 1.0, TINY)
    assert 0.9 < bound / rounding.two_value_read(U, 2, weight, sizes[:, 0], 3.0, 1.0, TINY) < 1.1


def test_more_merges_and_larger_blocks_need_larger_bounds() -> None:
    weight, sizes = np.full(64, 1 / 64), np.ones((64, 1))
    bounds = [
        float(rounding.blockwise_read(U, block, depth, depth, weight, sizes, 3.0, 1.0, TINY)[0])
        for block, depth in [(8, 0), (8, 1), (8, 7), (64, 7)]
    ]
    assert bounds == sorted(set(bounds))


@pytest.mark.parametrize("size", [2.0**1023, LARGEST / 64, 1.0, 0.3, 5e-324])
def test_what_underflows_is_bounded_for_values_of_every_size(size: float) -> None:
    bound = float(rounding.underflow_of_state(5, 3, 4, size, 2.0, TINY))
    assert 2 * (4 * 2 * Fraction(size) + 9) <= Fraction(bound) / Fraction(TINY) * (1 + Fraction(1, 2**50))
    assert Fraction(bound) / Fraction(TINY) <= 2 * (4 * 2 * Fraction(size) + 9) + 1
    merged = float(np.asarray(rounding.merge_error(U, 3, 4, 0.0, size, 1.0, 2.0, TINY)))
    assert 0 < merged <= bound


def test_values_next_to_the_largest_number_have_finite_bounds() -> None:
    weight, sizes = np.asarray([0.5, 0.5 + U]), np.full((2, 1), LARGEST)
    (bound,) = rounding.blockwise_read(U, 1, 1, 1, weight, sizes, 3.0, 1.0, TINY)
    assert 0 < bound < 100 * U * LARGEST


def test_wider_accumulator_needs_a_smaller_bound_where_blocks_are_long() -> None:
    u = 2.0**-11
    assert rounding.added(u, 100, 2, 2.0**-24) < rounding.added(u, 100, 2)
    assert math.isfinite(rounding.added(u, 10_000, 2, 2.0**-24))


def test_errors_as_small_as_a_rounding_of_float64_are_not_lost() -> None:
    assert compounded(U) == U
    assert compounded(U, U) > U
    assert divided_by(U) >= U
    assert rounding.shared_weight(U, 3, 0.0) == U / 3
    assert rounding.reach_at_temperature(U, 1.0, 1.0) >= 3


def test_count_that_the_dtype_does_not_hold_is_rounded() -> None:
    u = 2.0**-11
    assert rounding.shared_weight(u, 2048, 0.0) * 2048 < 1.01 * u
    assert rounding.shared_weight(u, 2049, 0.0) * 2049 > 1.99 * u


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        (lambda: rounding.added(2.0**-11, 1024, 0), r"^k: 1024 roundings of unit roundoff"),
        (lambda: rounding.added(2.0**-11, 1, 512), r"^k: 1024 roundings of unit roundoff"),
        (lambda: rounding.rescaled(2.0**-11, 1, 1024.0, 1.0), r"^reach: 1024.0 is too far from"),
        (
            lambda: rounding.relative_blockwise_weight(2.0**-11, 2, 400, 1.0, 1.0),
            r"^depth: 400 merges of blocks of 2",
        ),
        (
            lambda: rounding.jacobian_error(2.0**-8, np.full(129, 1 / 129), 0.0, 1.0, 0.0),
            r"^k: 128 roundings",
        ),
        (lambda: rounding.shared_weight(U, 0, 0.0), r"^keys: at least 1 is needed, got 0"),
    ],
)
def test_bound_that_would_say_nothing_is_refused(bound: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bound()
