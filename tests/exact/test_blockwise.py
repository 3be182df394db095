"""Enclosures of states: blocks, merges and outputs are what they are over the real numbers."""

import math

import flint
import numpy as np
import pytest

from duizhao import exact
from duizhao.exact import Balls, precision, upper


def largest_gap(left: object, right: object) -> float:
    """The largest distance of two arrays of balls."""
    return max(upper(gap) for gap in exact.distance(left, right).ravel().tolist())


def is_minus_infinity(balls: Balls) -> list[bool]:
    """Which balls are minus infinity."""
    return [bool(ball < 0) and not ball.is_finite() for ball in balls.ravel().tolist()]


def test_merged_blocks_are_the_block_of_both() -> None:
    generator = np.random.default_rng(0)
    scores, values = generator.normal(size=(3, 7)) * 5, generator.normal(size=(7, 2))
    with precision(200):
        both = exact.merge(
            exact.of_block(scores[:, :4], values[:4]), exact.of_block(scores[:, 4:], values[4:])
        )
        whole = exact.of_block(scores, values)
        assert largest_gap(both.max, whole.max) == 0
        assert largest_gap(both.sum, whole.sum) < 2.0**-180
        assert largest_gap(both.acc, whole.acc) < 2.0**-180


@pytest.mark.parametrize("shift", [None, 0, 3.5, [[-2.0, 0.0, 40.0]]])
def test_output_is_masked_attention_over_the_keys_whatever_the_shift(shift: object) -> None:
    generator = np.random.default_rng(1)
    scores, values = generator.normal(size=(2, 3, 5)) * 5, generator.normal(size=(5, 2))
    mask = generator.random(size=(2, 3, 5)) < 0.7
    mask[0, 1] = False
    with precision(200):
        output = exact.out(exact.of_block(scores, values, mask=mask, shift=shift))
        assert largest_gap(output, exact.read(exact.masked_softmax(scores, mask), values)) < 2.0**-180


def test_state_without_keys_is_empty_and_adds_nothing() -> None:
    empty = exact.of_block(np.zeros((2, 0)), np.zeros((0, 1)))
    assert is_minus_infinity(empty.max) == [True, True]
    assert empty.sum.tolist() == [0, 0]
    assert exact.out(empty).tolist() == [[0], [0]]
    block = exact.of_block([[1.0, 2.0], [-math.inf, -math.inf]], [[3.0], [4.0]])
    merged = exact.merge(exact.merge(empty, empty), block)
    assert is_minus_infinity(merged.max) == [False, True]
    assert all(
        ball.overlaps(other) for ball, other in zip(exact.out(merged)[0], exact.out(block)[0], strict=True)
    )
    assert exact.out(merged)[1].tolist() == [0]


def test_masked_nan_is_not_looked_at() -> None:
    state = exact.of_block([[1.0, math.nan]], [[2.0], [math.nan]], mask=[[True, False]])
    assert exact.out(state).item() == 2
    assert flint.arb(1) == state.sum.item()
