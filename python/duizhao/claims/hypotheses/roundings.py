"""Hypotheses of theorems on rounding."""

import numpy as np

from duizhao import exact
from duizhao.strategies.rounded import Factors, Power, RoundedAverage, RoundedReading, RoundedWeights


def factors_err_at_most(case: Factors) -> bool:
    """Every factor is off from 1 by at most the bound."""
    return bool(np.all(np.abs(case.deltas) <= case.bound))


def bound_not_negative(case: Power) -> bool:
    """The bound on one rounding is at least 0."""
    return case.bound >= 0


def roundings_below_one(case: Power) -> bool:
    """The number of roundings times the bound on one is below 1."""
    return bool(case.k * exact.balls(case.bound).item() < 1)


def terms_err_at_most(case: RoundedReading) -> bool:
    """The relative error of every term is at most the bound."""
    return bool(np.all(np.abs(case.thetas) <= case.bound))


def bound_of_terms_not_negative(case: RoundedReading) -> bool:
    """The bound on the terms' relative errors is at least 0."""
    return case.bound >= 0


def weights_not_negative(case: RoundedAverage) -> bool:
    """No weight is negative."""
    return bool(np.all(case.exact_weights >= 0))


def weights_sum_to_nearly_one(case: RoundedAverage) -> bool:
    """The weights sum to one, up to epsilon."""
    return bool(abs(case.exact_weights.sum() - 1) <= exact.balls(case.epsilon).item())


def scalars_between_bounds(case: RoundedAverage) -> bool:
    """Every value lies between the bounds."""
    low, high = exact.balls(case.low).item(), exact.balls(case.high).item()
    return bool(np.all((low <= case.exact_values) & (case.exact_values <= high)))


def lower_bound_within_size(case: RoundedAverage) -> bool:
    """The magnitude of the lower bound is at most the size."""
    return abs(case.low) <= case.size


def upper_bound_within_size(case: RoundedAverage) -> bool:
    """The magnitude of the upper bound is at most the size."""
    return abs(case.high) <= case.size


def exponentials_stay_positive(case: RoundedWeights) -> bool:
    """Every computed exponential is positive."""
    return bool(np.all(case.alphas > -1))


def exponentials_err_at_most(case: RoundedWeights) -> bool:
    """The relative error of every exponential is at most `a`."""
    return bool(np.all(np.abs(case.alphas) <= case.a))


def error_of_exponentials_below_one(case: RoundedWeights) -> bool:
    """The bound `a` on the exponentials is below 1."""
    return case.a < 1


def sum_errs_at_most(case: RoundedWeights) -> bool:
    """The relative error of the sum is at most `b`."""
    return abs(case.eta) <= case.b


def error_of_sum_below_one(case: RoundedWeights) -> bool:
    """The bound `b` on the sum is below 1."""
    return case.b < 1


def divisions_err_at_most(case: RoundedWeights) -> bool:
    """The relative error of every division is at most its bound."""
    return bool(np.all(np.abs(case.zetas) <= case.division))


def division_of_key_errs_at_most(case: RoundedWeights) -> bool:
    """The relative error of the division for the key is at most its bound."""
    return bool(abs(case.zetas[case.key]) <= case.division)


def error_of_division_at_most_one(case: RoundedWeights) -> bool:
    """The bound on the division is at most 1."""
    return case.division <= 1
