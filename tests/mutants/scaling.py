"""Slips about variances, and in the scale of scores."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from duizhao import scaling
from duizhao.attention import scores
from duizhao.scaling import Distribution
from tests.mutants.mutant import mutant

Array = Any


@mutant("variance", "variance_mul_eq_one_of_indepFun", "variance_dot_of_eq", "variance_dot")
def mean_deviation(variable: Distribution) -> Fraction:
    """The square of the mean distance from the mean is taken, instead of the mean of the squared distance."""
    centre = scaling.mean(variable)
    return sum((p * abs(x - centre) for x, p in variable.items()), Fraction(0)) ** 2


@mutant("independent", "variance_mul_eq_one_of_indepFun", "variance_dot_of_eq")
def every_combination_alike(function: Callable[..., Fraction], *variables: Distribution) -> Distribution:
    """All combinations of values get the same probability, however likely the values are."""
    alike = [{x: Fraction(1, len(variable)) for x in variable} for variable in variables]
    return scaling.independent(function, *alike)


@mutant("dot_variance", "variance_dot")
def one_variable_for_all(query: Sequence[Distribution], key: Sequence[Distribution]) -> Fraction:
    """One query coordinate and one key coordinate are drawn, and used at every place."""
    width = len(query)
    return scaling.variance(scaling.independent(lambda x, y: width * x * y, query[0], key[0]))


@mutant("scaled_dot_variance", "variance_scaled_dot")
def divides_by_the_width(query: Sequence[Distribution], key: Sequence[Distribution]) -> Fraction:
    """The dot product is divided by the width, not by its root."""
    return scaling.dot_variance(query, key) / len(query) ** 2


@mutant("scores", "variance_scaled_dot")
def scale_of_the_whole_width(query: Array, key: Array, *, scale: float | None = None) -> Array:
    """The scores are divided by the width, not by its root, unless a scale is given."""
    return scores(query, key, scale=1 / int(query.shape[-1]) if scale is None else scale)


@mutant("scores", "variance_dot", "variance_dot_of_eq")
def always_scales(query: Array, key: Array, *, scale: float | None = None) -> Array:
    """The scale that is asked for is applied on top of the usual one."""
    factor = 1.0 if scale is None else scale
    return scores(query, key, scale=factor / math.sqrt(int(query.shape[-1])))
