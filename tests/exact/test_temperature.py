"""Enclosures of the limits of temperature: ties are certain, or nothing is said."""

import math
from collections.abc import Callable
from fractions import Fraction

import flint
import numpy as np
import pytest

from duizhao import exact
from duizhao.exact import Balls, lower, upper


def test_best_keys_share_the_weight() -> None:
    assert exact.zero_temperature_limit([[1, 2, 2], [3, -math.inf, 1]]).tolist() == [[0, 0.5, 0.5], [1, 0, 0]]


def test_all_keys_share_the_weight() -> None:
    assert exact.infinite_temperature_limit([[1, 2, 2, 9], [3, -math.inf, 1, -math.inf]]).tolist() == [
        [0.25] * 4,
        [0.5, 0, 0.5, 0],
    ]


def test_limits_are_those_of_exact_softmax() -> None:
    scores = [0.3, 1.0, 1.0, -2.0]
    for temperature, limit in (
        (1e-3, exact.zero_temperature_limit),
        (1e30, exact.infinite_temperature_limit),
    ):
        gaps = exact.distance(exact.softmax(scores, temperature=temperature), limit(scores))
        assert max(upper(gap) for gap in gaps.tolist()) < 1e-15


def test_scores_that_are_known_exactly_are_compared_exactly() -> None:
    above = Fraction(2**200 + 1, 2**200)
    assert exact.zero_temperature_limit([1.0, above]).tolist() == [0, 1]


def test_nothing_is_said_where_the_best_key_is_not_certain() -> None:
    vague = flint.arb(1, 0.5)
    first, second = exact.zero_temperature_limit([vague, flint.arb(1.2)]).tolist()
    assert first.is_nan()
    assert second.is_nan()
    assert exact.zero_temperature_limit([vague, flint.arb(3)]).tolist() == [0, 1]


@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize("limit", [exact.zero_temperature_limit, exact.infinite_temperature_limit])
def test_row_with_what_is_no_score_is_unknown(limit: Callable[[object], Balls], value: float) -> None:
    rows = limit([[0.0, value], [0.0, -math.inf]])
    assert [ball.is_nan() for ball in rows[0].tolist()] == [True, True]
    assert (lower(rows[1, 0]), upper(rows[1, 0]), rows[1, 1]) == (1, 1, 0)


def test_empty_row_has_no_weight_and_no_key_is_refused() -> None:
    assert exact.zero_temperature_limit([-math.inf, -math.inf]).tolist() == [0, 0]
    assert exact.infinite_temperature_limit([-math.inf]).tolist() == [0]
    with pytest.raises(ValueError, match="scores: an axis with at least one key is needed"):
        exact.zero_temperature_limit(np.zeros((2, 0)))
