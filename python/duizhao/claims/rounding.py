"""Claims on rounding itself: `lean/NeuralNetworks/Rounding.lean`.

The theorems are budgets. Gaps are errors over budgets, and may be at most 1: the budget of the theorem for relative errors
that are drawn, random or at their bounds; and the budget function of `duizhao.rounding` for these and for the errors that
`softmax`, `read` and products really make. Both sides are fractions or balls.
"""

from collections.abc import Callable
from fractions import Fraction
from math import prod

import numpy as np
from flint import arb

from duizhao import exact, rounding
from duizhao import read as reference_read
from duizhao import softmax as reference_softmax
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.hypotheses.roundings import (
    bound_not_negative,
    bound_of_terms_not_negative,
    division_of_key_errs_at_most,
    divisions_err_at_most,
    error_of_division_at_most_one,
    error_of_exponentials_below_one,
    error_of_sum_below_one,
    exponentials_err_at_most,
    exponentials_stay_positive,
    factors_err_at_most,
    lower_bound_within_size,
    roundings_below_one,
    scalars_between_bounds,
    sum_errs_at_most,
    terms_err_at_most,
    upper_bound_within_size,
    weights_not_negative,
    weights_sum_to_nearly_one,
)
from duizhao.claims.hypotheses.scores import has_a_key
from duizhao.claims.relation import Balls, Budget, Gap, gap, positive_part
from duizhao.rounding import Real
from duizhao.rounding.evaluation import evaluated
from duizhao.strategies import roundings
from duizhao.strategies.rounded import Factors, Power, RoundedAverage, RoundedReading, RoundedWeights

Read = Callable[[Array, Array], Array]
Softmax = Callable[[Array], Array]


def over(error: arb, budget: arb) -> arb:
    """Return an error over its budget: infinite if it exceeds a budget that is not positive."""
    if budget > 0:
        return error / budget
    return arb(0) if error <= budget else arb("inf")


def over_fraction(error: Fraction, budget: Fraction) -> arb:
    """Return the same for fractions, rounded once."""
    if budget > 0:
        return arb(exact.balls(max(error, Fraction(0)) / budget).item())
    return arb(0) if error <= budget else arb("inf")


def over_function(errors: Balls, budget: Real) -> Balls:
    """Return errors over what a budget function allows of them."""
    return np.asarray(errors / exact.balls(np.asarray(budget)), dtype=object)


def quotient(numerator: arb, denominator: arb) -> arb:
    """Return a quotient, which is 0 if the denominator is, as in Lean."""
    return arb(0) if denominator.is_zero() else numerator / denominator


def fractions_of(numbers: Balls) -> list[Fraction]:
    """Return exact numbers as fractions."""
    return [exact.ends(ball)[0] for ball in np.ravel(numbers)]


def sum_of_products(*columns: list[Fraction]) -> Fraction:
    """Return the sum over rows of the products of several columns."""
    rows = zip(*columns, strict=True)
    return sum((prod(row, start=Fraction(1)) for row in rows), start=Fraction(0))


def usual_bound_exists(bound: float, k: int) -> bool:
    """Whether `gamma` takes `k` roundings of at most `bound`."""
    return 0 < bound < 1 and k * bound < 0.5


def rounded_softmax(case: RoundedWeights) -> Balls:
    """Return `roundedSoftmax` over `softmax`, key by key."""
    grown = np.asarray([(score - max(case.row)).exp() for score in case.row], dtype=object)
    computed = grown * (1 + exact.balls(case.alphas))
    denominator = computed.sum() * (1 + exact.balls(case.eta).item())
    factors = (1 + exact.balls(case.alphas)) * (1 + exact.balls(case.zetas))
    return np.asarray([quotient(factor * grown.sum(), denominator) for factor in factors], dtype=object)


@claim(
    relation=Budget(evaluated),
    cases=roundings.factors(),
    hypotheses={"hδ": factors_err_at_most},
)
def abs_prod_one_add_sub_one_le(case: Factors, gamma: Callable[[float, int], float] = rounding.gamma) -> Gap:
    """`k` factors `1 + δ` with `|δ| ≤ u` multiply to `1 + θ` with `|θ| ≤ (1 + u) ^ k - 1`.

    For factors that are drawn, and for the product of `k + 1` numbers computed in the dtype; over `(1 + u) ^ k - 1`, and
    over `gamma` where it exists.
    """
    k, bound = case.k, Fraction(case.bound)
    assumed = abs(prod((1 + Fraction(float(delta)) for delta in case.deltas), start=Fraction(1)) - 1)
    product = case.numbers[0]
    for index in range(k):
        product = product * case.numbers[index + 1]
    computed, *_ = fractions_of(exact.balls(product))
    made = abs(computed / prod(fractions_of(exact.balls(case.numbers))) - 1)
    shares = [
        over_fraction(assumed, (1 + bound) ** k - 1),
        over_fraction(made, (1 + Fraction(case.u)) ** k - 1),
    ]
    for error, unit in ((assumed, case.bound), (made, case.u)):
        if usual_bound_exists(unit, k):
            shares.append(over_fraction(error, Fraction(gamma(unit, k))))
    return gap(shares)


@claim(
    relation=Budget(evaluated),
    cases=roundings.powers(),
    hypotheses={"hu": bound_not_negative, "hk": roundings_below_one},
)
def one_add_pow_sub_one_le(case: Power, gamma: Callable[[float, int], float] = rounding.gamma) -> Gap:
    """The usual bound on `k` roundings: `(1 + u) ^ k - 1 ≤ k * u / (1 - k * u)`, if `u ≥ 0` and
    `k * u < 1`.

    Over the fraction that the theorem says, and over `gamma`, which refuses `k * u ≥ 1/2`.
    """
    k, bound = case.k, Fraction(case.bound)
    left = (1 + bound) ** k - 1
    remainder = 1 - k * bound
    shares = [over_fraction(left, k * bound / remainder if remainder else Fraction(0))]
    if usual_bound_exists(case.bound, k):
        shares.append(over_fraction(left, Fraction(gamma(case.bound, k))))
    return gap(shares)


@claim(
    relation=Budget(evaluated),
    cases=roundings.rounded_readings(),
    hypotheses={"hθ": terms_err_at_most},
)
def abs_roundedRead_sub_read_le(
    case: RoundedReading,
    read: Read = reference_read.read,
    read_error: Callable[..., Real] = rounding.read_error,
) -> Gap:
    """If every term has relative error at most `γ`, the weighted sum errs by at most `γ` times the sum
    of the terms' magnitudes.

    For errors that are drawn, over the theorem's bound, and over `read_error` if they are no larger than those of a
    computed read; and for `read` itself.
    """
    weights, values = fractions_of(case.exact_weights), fractions_of(case.exact_values)
    thetas = [Fraction(float(theta)) for theta in case.thetas]
    assumed = abs(sum_of_products(weights, values, thetas))
    magnitude = sum_of_products([abs(weight) for weight in weights], [abs(value) for value in values])
    allowed = read_error(case.u, case.n, case.terms, case.tiny, case.accumulator)
    made = exact.distance(read(case.weights, case.values), exact.balls([sum_of_products(weights, values)]))
    shares = [over_fraction(assumed, Fraction(case.bound) * magnitude)]
    if case.as_computed:
        shares += list(over_function(exact.balls([assumed]), allowed))
    return gap(shares, over_function(made, allowed))


@claim(
    relation=Budget(evaluated),
    cases=roundings.rounded_averages(),
    hypotheses={
        "hw": weights_not_negative,
        "hsum": weights_sum_to_nearly_one,
        "hv": scalars_between_bounds,
        "hm": lower_bound_within_size,
        "hM": upper_bound_within_size,
        "hθ": terms_err_at_most,
        "hγ": bound_of_terms_not_negative,
    },
)
def roundedRead_mem_Icc(
    case: RoundedAverage,
    read: Read = reference_read.read,
    read_bounds: Callable[..., Real] = rounding.read_bounds,
) -> Gap:
    """With non-negative weights that sum to one up to `ε`, values in `[m, M]` and relative errors at
    most `γ`, the output leaves `[m, M]` by at most `(γ * (1 + ε) + ε) * B`, where `B` is at least `|m|`
    and `|M|`.

    For errors that are drawn, over the theorem's bound, and over `read_bounds` if they are no larger than those of a
    computed read; and for `read` itself.
    """
    weights, values = fractions_of(case.exact_weights), fractions_of(case.exact_values)
    factors = [1 + Fraction(float(theta)) for theta in case.thetas]
    output = sum_of_products(weights, values, factors)
    low, high = Fraction(case.low), Fraction(case.high)
    assumed = max(low - output, output - high, Fraction(0))
    bound, epsilon, size = Fraction(case.bound), Fraction(case.epsilon), Fraction(case.size)
    shares = [over_fraction(assumed, (bound * (1 + epsilon) + epsilon) * size)]
    if not case.n:
        return gap(shares)
    allowed = read_bounds(case.u, case.n, case.excess, case.magnitude, case.tiny, case.accumulator)
    computed = exact.balls(read(case.weights, case.values))
    ends = exact.balls([case.low, case.high])
    made = np.maximum(positive_part(ends[0] - computed), positive_part(computed - ends[1]))
    if case.as_computed:
        shares += list(over_function(exact.balls([assumed]), allowed))
    return gap(shares, over_function(made, allowed))


@claim(
    relation=Budget(evaluated),
    cases=roundings.rounded_weights(wild=True),
    hypotheses={
        "Nonempty": has_a_key,
        "hα": exponentials_stay_positive,
        "hη": sum_errs_at_most,
        "hb": error_of_sum_below_one,
        "hζ": divisions_err_at_most,
    },
)
def abs_sum_roundedSoftmax_sub_one_le(
    case: RoundedWeights,
    softmax: Softmax = reference_softmax.softmax,
    sum_of_weights: Callable[..., float] = rounding.sum_of_weights,
) -> Gap:
    """With at least one key, however wrong the positive computed exponentials are, if their sum has
    relative error at most `b < 1` and each division at most `u`, the computed weights sum to one up to
    `(u + b) / (1 - b)`.

    For errors that are drawn, over the theorem's bound, and over `sum_of_weights` if they are no larger than those of
    computed weights; and for `softmax` itself.
    """
    total = (rounded_softmax(case) * case.true_weights).sum() if case.n else 0
    assumed = arb(abs(total - 1))
    b, division = exact.balls(case.b).item(), exact.balls(case.division).item()
    shares = [over(assumed, quotient(division + b, 1 - b))]
    if not case.n:
        return gap(shares)
    allowed = sum_of_weights(case.u, case.n, case.tiny, case.accumulator)
    made = abs(exact.balls(softmax(case.scores)).sum() - 1)
    shares.append(made / arb(allowed))
    if case.as_computed:
        shares.append(assumed / arb(allowed))
    return gap(shares)


def errors_of_weights(case: RoundedWeights, softmax: Softmax, weight_error: Callable[..., Real]) -> Balls:
    """Return computed weights minus the true ones, over `weight_error`."""
    allowed = weight_error(case.u, case.n, case.weight, case.reach, case.exp_ulp, case.tiny, case.accumulator)
    return over_function(exact.balls(softmax(case.scores)) - case.true_weights, allowed)


@claim(
    relation=Budget(evaluated),
    cases=roundings.rounded_weights(),
    hypotheses={
        "hα": exponentials_err_at_most,
        "ha": error_of_exponentials_below_one,
        "hη": sum_errs_at_most,
        "hb": error_of_sum_below_one,
        "hζ": division_of_key_errs_at_most,
    },
)
def roundedSoftmax_le(
    case: RoundedWeights,
    softmax: Softmax = reference_softmax.softmax,
    weight_error: Callable[..., Real] = rounding.weight_error,
) -> Gap:
    """With relative errors at most `a < 1` (exponentials), `b < 1` (sum) and `u` (division), a
    computed weight is at most `(1 + a) * (1 + u) / ((1 - a) * (1 - b))` times the true one.

    How far a weight is above the true one: for errors that are drawn, over the distance of the theorem's factor from 1;
    and for `softmax` itself, over `weight_error`.
    """
    ratio = rounded_softmax(case)[case.key]
    a, b, division = exact.balls([case.a, case.b, case.division])
    factor = quotient((1 + a) * (1 + division), (1 - a) * (1 - b))
    assumed = over(positive_part(ratio - 1).item(), factor - 1) if factor > 1 else over(ratio, factor)
    return gap(positive_part(assumed), positive_part(errors_of_weights(case, softmax, weight_error)))


@claim(
    relation=Budget(evaluated),
    cases=roundings.rounded_weights(),
    hypotheses={
        "hα": exponentials_err_at_most,
        "ha": error_of_exponentials_below_one,
        "hη": sum_errs_at_most,
        "hb": error_of_sum_below_one,
        "hζ": division_of_key_errs_at_most,
        "hu": error_of_division_at_most_one,
    },
)
def le_roundedSoftmax(
    case: RoundedWeights,
    softmax: Softmax = reference_softmax.softmax,
    weight_error: Callable[..., Real] = rounding.weight_error,
) -> Gap:
    """With relative errors at most `a < 1` (exponentials), `b < 1` (sum) and `u ≤ 1` (division), a
    computed weight is at least `(1 - a) * (1 - u) / ((1 + a) * (1 + b))` times the true one.

    How far a weight is below the true one: for errors that are drawn, over the distance of the theorem's factor from 1;
    and for `softmax` itself, over `weight_error`.
    """
    ratio = rounded_softmax(case)[case.key]
    a, b, division = exact.balls([case.a, case.b, case.division])
    factor = quotient((1 - a) * (1 - division), (1 + a) * (1 + b))
    assumed = over(positive_part(1 - ratio).item(), 1 - factor)
    return gap(assumed, positive_part(-errors_of_weights(case, softmax, weight_error)))
