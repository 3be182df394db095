"""Why scores are divided by the root of the width: the twin of `lean/NeuralNetworks/Scaling.lean`.

Random coordinates with finitely many values, and everything about them exactly, in fractions.

* `distribution`, `two_values`: what values a coordinate takes, with which probabilities.
* `mean`, `variance`: of such a coordinate.
* `independent`: the distribution of a function of independent coordinates.
* `dot_product`, `dot_variance`, `scaled_dot_variance`: a query times a key, all coordinates independent.

Each goes through the outcomes one by one, so that the theorems, which add variances up, can be compared with
it. The results that hold of these numbers are claimed in `duizhao.claims.scaling`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from operator import add, mul
from typing import TypeAlias

Number: TypeAlias = int | float | Fraction
Distribution: TypeAlias = Mapping[Fraction, Fraction]


def distribution(probabilities: Mapping[Number, Number]) -> Distribution:
    """The values of a random coordinate with their probabilities, as fractions; those that never occur left out.

    Args:
        probabilities: a probability for each value. Floats are taken as the fractions that they are.

    Raises:
        TypeError: one is not a number.
        ValueError: one is not finite, a probability is negative, or they do not add up to 1.
    """
    result = {_fraction("value", x): _fraction("probability", p) for x, p in probabilities.items()}
    for x, p in result.items():
        if p < 0:
            raise ValueError(f"probabilities: must not be negative, got {p} for the value {x}")
    if sum(result.values()) != 1:
        raise ValueError(f"probabilities: must add up to 1, got {sum(result.values())}")
    return {x: p for x, p in result.items() if p}


def two_values(a: Number) -> Distribution:
    """The coordinate with the values a and -1 / a, of mean 0 and variance 1: signs if a is 1.

    It takes the value a with the probability 1 / (1 + a²).

    Raises:
        TypeError: `a` is not a number.
        ValueError: `a` is not finite, or 0.
    """
    x = _fraction("a", a)
    if x == 0:
        raise ValueError("a: must not be 0")
    probability = 1 / (1 + x**2)
    return distribution({x: probability, -1 / x: 1 - probability})


def mean(variable: Distribution) -> Fraction:
    """The mean of a coordinate."""
    return sum((p * x for x, p in variable.items()), Fraction(0))


def variance(variable: Distribution) -> Fraction:
    """The variance of a coordinate: the mean of its squared distance from its mean."""
    centre = mean(variable)
    return sum((p * (x - centre) ** 2 for x, p in variable.items()), Fraction(0))


def independent(function: Callable[..., Fraction], *variables: Distribution) -> Distribution:
    """The distribution of a function of independent coordinates: every combination of their values, weighed.

    Args:
        function: takes one value of each coordinate.
        variables: the coordinates.
    """
    result: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for outcome in product(*(variable.items() for variable in variables)):
        result[function(*(x for x, _ in outcome))] += prod((p for _, p in outcome), start=Fraction(1))
    return dict(result)


def dot_product(query: Sequence[Distribution], key: Sequence[Distribution]) -> Distribution:
    """(d), (d) -> the distribution of sum_c q_c k_c, where all 2 d coordinates are independent.

    Args:
        query: the coordinates of the query.
        key: the coordinates of the key.

    Raises:
        ValueError: the widths differ.
    """
    if len(query) != len(key):
        raise ValueError(f"key: width {len(key)} for a query of width {len(query)}")
    total: Distribution = {Fraction(0): Fraction(1)}
    for q, k in zip(query, key, strict=True):
        total = independent(add, total, independent(mul, q, k))
    return total


def dot_variance(query: Sequence[Distribution], key: Sequence[Distribution]) -> Fraction:
    """(d), (d) -> the variance of sum_c q_c k_c, where all 2 d coordinates are independent.

    It is d if each is centred and of variance one (`variance_dot`). If all coordinates of the query are one
    variable X and those of the key another, Y, the products are no longer independent, and the variance is
    d² (`variance_dot_of_eq`): that of `independent(lambda x, y: d * x * y, X, Y)`.

    Args:
        query: the coordinates of the query.
        key: the coordinates of the key.

    Raises:
        ValueError: the widths differ.
    """
    return variance(dot_product(query, key))


def scaled_dot_variance(query: Sequence[Distribution], key: Sequence[Distribution]) -> Fraction:
    """(d), (d) -> the variance of sum_c q_c k_c / √d, where all 2 d coordinates are independent.

    It is 1 if each is centred and of variance one (`variance_scaled_dot`). The root is irrational, its square
    is not: dividing a variable by √d divides its variance by d.

    Args:
        query: the coordinates of the query.
        key: the coordinates of the key.

    Raises:
        ValueError: the widths differ, or are 0.
    """
    if not query:
        raise ValueError("query: the width is 0; at least 1 is needed")
    return dot_variance(query, key) / len(query)


def _fraction(name: str, number: object) -> Fraction:
    """The number as the fraction that it is.

    Raises:
        TypeError: it is not an integer, a float or a fraction.
        ValueError: it is not finite.
    """
    if isinstance(number, bool) or not isinstance(number, int | float | Fraction):
        raise TypeError(f"{name}: a number is needed, got {number!r}")
    try:
        return Fraction(number)
    except (OverflowError, ValueError):
        raise ValueError(f"{name}: must be finite, got {number}") from None
