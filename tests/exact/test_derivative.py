"""The derivative of softmax by power series: against a closed form, a difference quotient, and where digits cancel."""

import pytest
from flint import arb

from duizhao import exact
from duizhao.exact.derivative import softmax_derivative


def test_two_equal_scores_have_the_slopes_plus_and_minus_one_quarter() -> None:
    first, second = softmax_derivative([0.5, 0.5], 0)
    assert abs(first - 0.25) < 2.0**-1000
    assert abs(second + 0.25) < 2.0**-1000


def test_slopes_lie_between_difference_quotients_of_small_steps() -> None:
    """The second derivative of a weight is at most 1 in magnitude, so a quotient is off by at most half of its step."""
    row, step = [0.25, -1.5, 2.0], 2.0**-60
    with exact.precision(300):
        before, after = exact.softmax(row), exact.softmax([0.25, arb(-1.5) + arb(step), 2.0])
        quotients = (after - before) / arb(step)
        assert all(abs(quotients - softmax_derivative(row, 1)) <= step / 2)


def test_the_slope_of_a_saturated_weight_keeps_its_leading_bits() -> None:
    slope = softmax_derivative([0.0, -745.0], 0)[0]
    assert slope.rel_accuracy_bits() > 50
    assert abs(slope / arb(-745).exp() - 1) < 2.0**-50


@pytest.mark.parametrize("scores", [[], [[0.0]], 1.0])
def test_scores_that_are_no_row_are_an_error(scores: object) -> None:
    with pytest.raises(ValueError, match="scores: one axis with at least one key is needed"):
        softmax_derivative(scores, 0)
