"""Hypotheses of theorems on random variables."""

from itertools import combinations

import numpy as np

from duizhao.scaling import mean, variance
from duizhao.strategies.random_variables import RandomVectors, Space, TwoVariables, Vector


def are_independent(space: Space, first: Vector, second: Vector) -> bool:
    """Return whether two variables, `(N,)` or `(N, k)`, are independent: every joint count is the product of both."""
    rows = np.unique(first, axis=0, return_inverse=True)[1].ravel()
    columns = np.unique(second, axis=0, return_inverse=True)[1].ravel()
    joint = np.zeros((rows.max() + 1, columns.max() + 1))
    np.add.at(joint, (rows, columns), space.counts)
    expected = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    return bool(np.all(joint * joint.sum() == expected))


def is_probability(case: Space) -> bool:
    """The probabilities sum to one: they are counts over the sum of all counts, which is positive."""
    return bool(np.all(case.counts >= 0) and case.counts.sum() > 0)


def first_is_square_integrable(case: TwoVariables) -> bool:
    """The first variable has a mean square: its values are finite."""
    return bool(np.all(np.isfinite(case.x)))


def second_is_square_integrable(case: TwoVariables) -> bool:
    """The second variable has a mean square: its values are finite."""
    return bool(np.all(np.isfinite(case.y)))


def variables_are_independent(case: TwoVariables) -> bool:
    """The two variables are independent."""
    return are_independent(case, case.x, case.y)


def first_is_centred(case: TwoVariables) -> bool:
    """The first variable has mean 0."""
    return mean(case.law(case.x)) == 0


def second_is_centred(case: TwoVariables) -> bool:
    """The second variable has mean 0."""
    return mean(case.law(case.y)) == 0


def first_has_variance_one(case: TwoVariables) -> bool:
    """The first variable has variance 1."""
    return variance(case.law(case.x)) == 1


def second_has_variance_one(case: TwoVariables) -> bool:
    """The second variable has variance 1."""
    return variance(case.law(case.y)) == 1


def has_a_coordinate(case: RandomVectors) -> bool:
    """There is at least one coordinate."""
    return case.width >= 1


def query_is_square_integrable(case: RandomVectors) -> bool:
    """Every query coordinate has a mean square: its values are finite."""
    return bool(np.all(np.isfinite(case.query)))


def key_is_square_integrable(case: RandomVectors) -> bool:
    """Every key coordinate has a mean square: its values are finite."""
    return bool(np.all(np.isfinite(case.key)))


def query_is_independent_of_key(case: RandomVectors) -> bool:
    """Every query coordinate is independent of the key coordinate at the same place."""
    columns = zip(case.query.T, case.key.T, strict=True)
    return all(are_independent(case, first, second) for first, second in columns)


def pairs_are_independent(case: RandomVectors) -> bool:
    """The pairs of a query and a key coordinate at two places are independent."""
    pairs = [np.column_stack(pair) for pair in zip(case.query.T, case.key.T, strict=True)]
    return all(are_independent(case, first, second) for first, second in combinations(pairs, 2))


def query_is_centred(case: RandomVectors) -> bool:
    """Every query coordinate has mean 0."""
    return all(mean(case.law(column)) == 0 for column in case.query.T)


def key_is_centred(case: RandomVectors) -> bool:
    """Every key coordinate has mean 0."""
    return all(mean(case.law(column)) == 0 for column in case.key.T)


def query_has_variance_one(case: RandomVectors) -> bool:
    """Every query coordinate has variance 1."""
    return all(variance(case.law(column)) == 1 for column in case.query.T)


def key_has_variance_one(case: RandomVectors) -> bool:
    """Every key coordinate has variance 1."""
    return all(variance(case.law(column)) == 1 for column in case.key.T)
