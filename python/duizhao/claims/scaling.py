"""Claims on the variance of dot products: `lean/NeuralNetworks/Scaling.lean`.

Each holds exactly, in fractions, on a finite probability space and for the functions of `duizhao.scaling`; there a
difference counts as infinite. And it holds by sampling: of scores of sampled queries and keys, computed in the dtype, the
mean square is near the variance, within a bound that one sample in 10¹² may exceed.
"""

from collections.abc import Callable
from fractions import Fraction
from operator import mul

from flint import arb

from duizhao import attention as reference_attention
from duizhao import exact
from duizhao import scaling as reference
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.hypotheses.random_variables import (
    first_has_variance_one,
    first_is_centred,
    first_is_square_integrable,
    has_a_coordinate,
    is_probability,
    key_has_variance_one,
    key_is_centred,
    key_is_square_integrable,
    pairs_are_independent,
    query_has_variance_one,
    query_is_centred,
    query_is_independent_of_key,
    query_is_square_integrable,
    second_has_variance_one,
    second_is_centred,
    second_is_square_integrable,
    variables_are_independent,
)
from duizhao.claims.relation import Gap, Statistical, gap
from duizhao.rounding.sampling import mean_square
from duizhao.scaling import Distribution
from duizhao.strategies import samples
from duizhao.strategies.random_variables import RandomVectors, TwoVariables

Scores = Callable[..., Array]
Independent = Callable[..., Distribution]
Variance = Callable[[Distribution], Fraction]
DotVariance = Callable[[list[Distribution], list[Distribution]], Fraction]


MEAN_SQUARE = (
    "a variance of 1 ({}) already says that the mean square is finite: Lean's variance is 0 where it is infinite; what is"
    " left is that the variable is measurable, as every list of values with probabilities is"
)
"""Why no numbers lack a mean square alone."""

MASS_ONE = (
    "independence allows only the total masses 0, 1 and infinity, as the mass is its own square; with 0 every variance is"
    " 0, and with infinity every event of a variable has the mass 0 or infinity, so that one with a mean square is 0 almost"
    " everywhere: neither has variance 1"
)
"""Why no other measure has all else."""

NO_COORDINATE = "; where there is no coordinate, the statement says that 0 is 0"

SQUARES_OF_TWO = {"hX": MEAN_SQUARE.format("hX1"), "hY": MEAN_SQUARE.format("hY1")}
SQUARES_OF_COORDINATES = {
    "hq": MEAN_SQUARE.format("hq1"),
    "hk": MEAN_SQUARE.format("hk1"),
}


def apart(computed: Fraction, truth: int) -> arb:
    """Return 0 if a fraction is what it must be, else infinity: fractions are not rounded."""
    return arb(0) if computed == truth else arb("inf")


def inverse(width: int) -> Fraction:
    """Return one over a width; 0 for the width 0, as in Lean."""
    return Fraction(1, width) if width else Fraction(0)


def mean_of_squares(scores: Array) -> arb:
    """Return the exact mean of the squares of computed scores."""
    numbers = exact.balls(scores).ravel()
    return arb((numbers @ numbers) / len(numbers))


@claim(
    relation=Statistical(mean_square),
    cases=samples.two_variables(),
    hypotheses={
        "IsProbabilityMeasure": is_probability,
        "hX": first_is_square_integrable,
        "hY": second_is_square_integrable,
        "h": variables_are_independent,
        "hX0": first_is_centred,
        "hY0": second_is_centred,
        "hX1": first_has_variance_one,
        "hY1": second_has_variance_one,
    },
    without=SQUARES_OF_TWO | {"IsProbabilityMeasure": MASS_ONE},
)
def variance_mul_eq_one_of_indepFun(
    case: TwoVariables,
    variance: Variance = reference.variance,
    independent: Independent = reference.independent,
) -> Gap:
    """The product of two independent centred variables of variance one has variance one.

    Exactly, on the space and for `independent` of their distributions; and for products of sampled values.
    """
    on_the_space = variance(case.law(case.score))
    of_the_laws = variance(independent(mul, case.law(case.x), case.law(case.y)))
    sampled = mean_of_squares(case.sampled(case.x) * case.sampled(case.y))
    return gap(apart(on_the_space, 1), apart(of_the_laws, 1), abs(sampled - 1))


@claim(
    relation=Statistical(mean_square),
    cases=samples.two_variables(widest=16),
    hypotheses={
        "IsProbabilityMeasure": is_probability,
        "hX": first_is_square_integrable,
        "hY": second_is_square_integrable,
        "h": variables_are_independent,
        "hX0": first_is_centred,
        "hY0": second_is_centred,
        "hX1": first_has_variance_one,
        "hY1": second_has_variance_one,
    },
    without=SQUARES_OF_TWO | {"IsProbabilityMeasure": MASS_ONE},
    refutes=[("variance_dot", "hpairs"), ("variance_scaled_dot", "hpairs")],
)
def variance_dot_of_eq(
    case: TwoVariables,
    variance: Variance = reference.variance,
    independent: Independent = reference.independent,
    scores: Scores = reference_attention.scores,
) -> Gap:
    """If all `d` query coordinates are one variable and all `d` key coordinates another, the two
    independent, centred and of variance one, the dot product has variance `d ^ 2`, which is more than
    `d` as soon as `d ≥ 2`: the coordinates must be independent too.

    Exactly, on the space and for `independent` of the distributions; and for scores of sampled vectors of equal
    coordinates, with the scale 1.
    """
    width = case.width
    on_the_space = variance(case.law(case.score))
    of_the_laws = variance(independent(lambda x, y: width * x * y, case.law(case.x), case.law(case.y)))
    sampled = mean_of_squares(scores(case.sampled(case.x), case.sampled(case.y), scale=1.0))
    return gap(apart(on_the_space, width**2), apart(of_the_laws, width**2), abs(sampled - width**2))


INDEPENDENT_COORDINATES = {
    "IsProbabilityMeasure": is_probability,
    "hq": query_is_square_integrable,
    "hk": key_is_square_integrable,
    "hqk": query_is_independent_of_key,
    "hpairs": pairs_are_independent,
    "hq0": query_is_centred,
    "hk0": key_is_centred,
    "hq1": query_has_variance_one,
    "hk1": key_has_variance_one,
}


def laws_of(case: RandomVectors) -> tuple[list[Distribution], list[Distribution]]:
    """Return the distributions of the query's coordinates and of the key's."""
    query, key = ([case.law(column) for column in part.T] for part in (case.query, case.key))
    return query, key


@claim(
    relation=Statistical(mean_square),
    cases=samples.random_vectors(scaled=False),
    hypotheses=INDEPENDENT_COORDINATES,
    without=SQUARES_OF_COORDINATES | {"IsProbabilityMeasure": MASS_ONE + NO_COORDINATE},
)
def variance_dot(
    case: RandomVectors,
    variance: Variance = reference.variance,
    dot_variance: DotVariance = reference.dot_variance,
    scores: Scores = reference_attention.scores,
) -> Gap:
    """The dot product of independent, centred coordinates of variance one has variance `d`.

    Exactly, on the space, where only pairs need be independent, and for `dot_variance` of the distributions; and for
    scores of sampled vectors with the scale 1.
    """
    on_the_space = variance(case.law(case.products))
    of_the_laws = dot_variance(*laws_of(case))
    sampled = mean_of_squares(scores(case.sampled(case.query), case.sampled(case.key), scale=1.0))
    return gap(apart(on_the_space, case.width), apart(of_the_laws, case.width), abs(sampled - case.width))


@claim(
    relation=Statistical(mean_square),
    cases=samples.random_vectors(scaled=True),
    hypotheses={"Nonempty": has_a_coordinate} | INDEPENDENT_COORDINATES,
    without=SQUARES_OF_COORDINATES | {"IsProbabilityMeasure": MASS_ONE},
)
def variance_scaled_dot(
    case: RandomVectors,
    variance: Variance = reference.variance,
    scaled_dot_variance: DotVariance = reference.scaled_dot_variance,
    scores: Scores = reference_attention.scores,
) -> Gap:
    """For independent, centred coordinates of variance one, the dot product divided by `√d` has
    variance one, for every width `d ≥ 1`.

    Exactly, on the space and for `scaled_dot_variance` of the coordinates' distributions; and for sampled scores with the
    scale that `scores` takes by itself.
    """
    on_the_space = variance(case.law(case.products)) * inverse(case.width)
    of_the_laws = scaled_dot_variance(*laws_of(case))
    sampled = mean_of_squares(scores(case.sampled(case.query), case.sampled(case.key)))
    return gap(apart(on_the_space, 1), apart(of_the_laws, 1), abs(sampled - 1))
