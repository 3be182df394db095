"""Bounds on attention: against exact worst cases, and where they say that they know nothing."""

import itertools
import math

import numpy as np
import pytest

from duizhao import exact, rounding
from duizhao.rounding.attention import (
    attention_bounds,
    attention_error,
    attention_weights_error,
    projection_error,
    reweighted,
    score_rounding,
)
from duizhao.rounding.sensitivity import jacobian_quarter
from duizhao.strategies.attending import scored_by

U = 2.0**-53
TINY = 2.0**-1074


@pytest.mark.parametrize("error", [[0.25, 0.25, 0.25], [0.5, 0.0, 0.125], [0.0, 0.0, 0.0], [3.0, 0.0, 1.0]])
def test_no_change_of_scores_moves_a_weight_further_than_the_bound(error: list[float]) -> None:
    scores, allowed = np.asarray([0.5, -1.0, 2.0]), np.asarray(error)
    weights = exact.softmax(scores)
    bound = reweighted(np.asarray([exact.upper(weight) for weight in weights]), allowed)
    for signs in itertools.product((-1.0, 0.0, 1.0), repeat=3):
        moved = exact.softmax(exact.balls(scores) + exact.balls(np.asarray(signs) * allowed))
        found = np.asarray([exact.upper(abs(ball)) for ball in moved / weights - 1])
        assert np.all(found <= bound * (1 + 2.0**-40) + 2.0**-40)


def test_one_error_for_all_scores_gives_the_bound_of_the_theorem() -> None:
    """`softmax_le_exp_mul_softmax`: a factor `exp (2 ε)`, up to the rounding of the bound itself."""
    bound = reweighted(np.asarray([0.25, 0.75]), np.asarray([0.125, 0.125]))
    assert np.all(np.abs(bound - math.expm1(0.25)) <= 2.0**-50)


def test_an_error_of_a_key_without_weight_does_not_count() -> None:
    bound = reweighted(np.asarray([1.0, 0.0]), np.asarray([0.0, 5.0]))
    assert bound[0] == 0


def test_scores_beyond_the_largest_exponent_leave_the_bound_of_one() -> None:
    scored = scored_by([[1e150]], [[1e150], [-1e150]])
    assert np.all(attention_weights_error(U, scored, 1.0, TINY) == 1)
    assert np.all(np.isfinite(attention_error(U, scored, np.ones((2, 1)), 1.0, TINY)))


def test_the_bound_on_outputs_is_finite_where_weights_are_not_known_and_values_are_huge() -> None:
    """Weights sum to one, whatever they are: the values are not added up one by one."""
    scored = scored_by([[1e150]], [[1e150]] * 9 + [[-1e150]] * 9)
    huge = np.full((18, 1), 2.0**1019)
    assert attention_error(U, scored, huge, 1.0, TINY)[0, 0] < 2.5 * 2.0**1019


def test_a_scaled_query_that_underflows_counts_what_the_key_multiplies() -> None:
    scored = scored_by([[TINY, TINY]], [[1e300, 1e300]])
    assert score_rounding(U, scored, TINY)[0, 0] >= 2 * TINY * 1e300


def test_bounds_grow_with_what_they_are_given() -> None:
    magnitude = np.asarray([1.0])
    assert attention_bounds(U, 3, magnitude, TINY) < attention_bounds(U, 4, magnitude, TINY)
    assert attention_bounds(U, 3, magnitude, TINY) < attention_bounds(U, 3, 2 * magnitude, TINY)
    assert jacobian_quarter(U, 3, TINY) < jacobian_quarter(U, 4, TINY)


def test_a_projection_of_one_row_is_one_rounding() -> None:
    bound = projection_error(U, np.asarray([[3.0]]), np.asarray([[2.0]]), 0.0)
    assert bound[0, 0] == rounding.gamma(U, 1) * 6
