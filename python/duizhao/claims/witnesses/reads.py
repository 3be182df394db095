"""Smallest cases of weights with values."""

from duizhao.strategies import Target
from duizhao.strategies.readings import Between, TwoValueReads


def half_of_the_smallest(target: Target) -> Between:
    """Return the value 0 and the smallest value above it, each with weight 1/2: the output is 0."""
    tiny = target.arithmetic.tiny
    values = target.array([[0.0], [tiny]])
    bounds = target.array([0.0]), target.array([tiny])
    return Between(
        target, target.array([0.5, 0.5]), values, 1, lower_bound=bounds[0], upper_bound=bounds[1], second=0
    )


def half_of_the_largest_below(target: Target) -> Between:
    """Return the value 0 and the largest value below it, each with weight 1/2: the output is 0."""
    tiny = target.arithmetic.tiny
    values = target.array([[0.0], [-tiny]])
    bounds = target.array([-tiny]), target.array([0.0])
    return Between(
        target, target.array([0.5, 0.5]), values, 1, lower_bound=bounds[0], upper_bound=bounds[1], second=0
    )


def smallest_step(target: Target) -> TwoValueReads:
    """Return two scores of 0, the second raised by the smallest float, and the values 0 and 1."""
    others = target.array([0.0, target.arithmetic.tiny])
    return TwoValueReads(target, target.array([0.0, 0.0]), others=others, values=target.array([0.0, 1.0]))
