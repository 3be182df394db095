"""Hypotheses of theorems on weights with values."""

import numpy as np
from flint import arb

from duizhao import exact
from duizhao.arrays import Array
from duizhao.rounding import sum_of_weights
from duizhao.strategies.readings import (
    Between,
    Decided,
    Reading,
    Reweighted,
    Sets,
    Stepped,
    TwoScalars,
    TwoValueReads,
    largest_norms,
)


def on_simplex(case: Reading) -> bool:
    """The weights are not negative and sum to one, up to the rounding of computed weights."""
    return weights_on_simplex(case.weights, case)


def weights_on_simplex(weights: Array, case: Reading) -> bool:
    """Return whether weights are not negative and sum to one, up to the rounding of computed weights."""
    numbers = exact.balls(weights)
    allowed = sum_of_weights(case.u, case.n, case.tiny)
    return all(number >= 0 for number in numbers) and bool(abs(numbers.sum() - 1) <= allowed)


def sums_to_one(case: Reading) -> bool:
    """The weights sum to one, up to the rounding of computed weights."""
    return case.excess <= sum_of_weights(case.u, case.n, case.tiny)


def others_sum_to_one(case: Reweighted) -> bool:
    """The second weights sum to one, up to the rounding of computed weights."""
    return case.other_excess <= sum_of_weights(case.u, case.n, case.tiny)


def weight_not_negative(case: TwoScalars) -> bool:
    """The weight is at least 0."""
    return case.weight >= 0


def weight_at_most_one(case: TwoScalars) -> bool:
    """The weight is at most 1."""
    return case.weight <= 1


def values_in_order(case: TwoScalars) -> bool:
    """The first value is not larger than the second."""
    return case.first <= case.second


def values_between_bounds(case: Between) -> bool:
    """Every value lies between the bounds, coordinate by coordinate."""
    return bool(np.all((case.low <= case.exact_values) & (case.exact_values <= case.high)))


def no_value_below(case: Between) -> bool:
    """No value is below the lower bound."""
    return bool(np.all(case.low <= case.exact_values))


def no_value_above(case: Between) -> bool:
    """No value is above the upper bound."""
    return bool(np.all(case.exact_values <= case.high))


def key_has_weight(case: Between) -> bool:
    """The key has a positive weight."""
    return bool(case.exact_weights[case.key] > 0)


def second_has_weight(case: Between) -> bool:
    """The second key has a positive weight."""
    return bool(case.exact_weights[case.second] > 0)


def key_above_lower(case: Between) -> bool:
    """The value of the key is above the lower bound."""
    return bool(np.all(case.exact_values[case.key] > case.low))


def key_below_upper(case: Between) -> bool:
    """The value of the key is below the upper bound."""
    return bool(np.all(case.exact_values[case.key] < case.high))


def second_below_upper(case: Between) -> bool:
    """The value of the second key is below the upper bound."""
    return bool(np.all(case.exact_values[case.second] < case.high))


def sets_are_convex(case: Sets) -> bool:
    """The sets are convex: a box, a ball and a half-space."""
    radius, middle, inverted = case.radius, case.middle, case.inverted
    return not (inverted and radius > 0 and bool(np.all(np.isfinite(middle))))


def sets_hold_the_values(case: Sets) -> bool:
    """Every value lies in the box, in the ball and in the half-space."""
    inside_box = np.all((case.low <= case.exact_values) & (case.exact_values <= case.high))
    from_centre = [(row @ row).sqrt() for row in case.exact_values - case.centre]
    radius = arb(case.radius)
    inside_ball = all(distance >= radius if case.inverted else distance <= radius for distance in from_centre)
    return bool(
        inside_box and inside_ball and np.all(case.exact_values @ case.exact_direction <= arb(case.offset))
    )


def scores_are_equal(case: TwoValueReads) -> bool:
    """The two scores are equal."""
    return bool(case.row[0] == case.row[1])


def second_value_is_larger(case: TwoValueReads) -> bool:
    """The second value is the larger."""
    return bool(case.exact_values[0] < case.exact_values[1])


def second_gap_is_larger(case: TwoValueReads) -> bool:
    """The second row has the larger score gap."""
    return bool(case.row[1] - case.row[0] < case.other_row[1] - case.other_row[0])


def values_move_at_most(case: Stepped) -> bool:
    """No value moves by more than epsilon, in either norm."""
    return bool(np.all(largest_norms(case.exact_values - case.exact_others) <= exact.balls(case.epsilon)))


def values_near_that_of_key(case: Decided) -> bool:
    """Every value is within the diameter of the value of the key, in either norm."""
    own = case.exact_values[case.key]
    return bool(np.all(largest_norms(case.exact_values - own) <= exact.balls(case.diameter)))
