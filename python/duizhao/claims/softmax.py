"""Claims on softmax weights: `lean/NeuralNetworks/Softmax.lean`.

Gaps are distances between what `softmax` computes and what the theorem says of it, evaluated on Arb balls. Budgets come
from `duizhao.rounding.weights`.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from flint import arb

from duizhao import exact, rounding
from duizhao import softmax as reference
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.hypotheses.scores import (
    has_a_key,
    has_two_keys,
    key_is_bounded,
    key_leads,
    keys_differ,
    nothing_underflows,
    nothing_underflows_after_scaling,
    nothing_underflows_in_either,
    rows_are_near,
    score_is_raised,
    scores_differ,
    weights_come_from_the_scale,
)
from duizhao.claims.relation import Balls, Budget, Exact, FailsInFloats, Gap, Restricted, gap, positive_part
from duizhao.claims.witnesses.scores import (
    gap_that_saturates,
    gap_that_underflows,
    scale_that_underflows,
    smallest_difference,
    smallest_raise,
    two_rows_that_underflow,
)
from duizhao.strategies import scores
from duizhao.strategies.rows import (
    Biased,
    Bounded,
    Lead,
    Near,
    Permuted,
    Raised,
    Scaled,
    ScoreRow,
    Shifted,
    TwoRows,
)

Softmax = Callable[[Array], Array]


def distance(computed: Array, truth: Balls) -> Balls:
    """Return how far the computed numbers are from the truth, as balls."""
    return exact.distance(computed, truth)


def only(key: int, balls: Balls) -> Balls:
    """Return the balls with 0 in place of all but that of `key`."""
    return np.asarray([ball if index == key else arb(0) for index, ball in enumerate(balls)], dtype=object)


@claim(
    relation=FailsInFloats(gap_that_underflows, Exact()),
    cases=scores.score_rows(),
    outside=True,
)
def softmax_pos(case: ScoreRow, softmax: Softmax = reference.softmax) -> Gap:
    """Every softmax weight is positive.

    In floats a weight underflows to 0. The weak form is exact: no weight is negative.
    """
    weights = exact.balls(softmax(case.scores))
    return gap(positive_part(-weights), strict_fails=any(weight <= 0 for weight in weights))


@claim(
    relation=Budget(rounding.sum_of_weights),
    cases=scores.score_rows(),
    hypotheses={"Nonempty": has_a_key},
    outside=True,
)
def sum_softmax_eq_one(case: ScoreRow, softmax: Softmax = reference.softmax) -> Gap:
    """With at least one key, the softmax weights of one query sum to one.

    The gap is the distance from 1 of the exact sum of the computed weights.
    """
    return gap(abs(exact.balls(softmax(case.scores)).sum() - 1))


@claim(
    relation=Budget(rounding.sum_of_weights),
    cases=scores.score_rows(),
    hypotheses={"Nonempty": has_a_key},
    outside=True,
)
def softmax_mem_stdSimplex(case: ScoreRow, softmax: Softmax = reference.softmax) -> Gap:
    """With at least one key, no softmax weight is negative and the weights of one query sum to one:
    they are a point of the standard simplex.

    A negative weight has no budget: it counts as an infinite gap.
    """
    weights = exact.balls(softmax(case.scores))
    negative = arb("inf") if any(weight < 0 for weight in weights) else arb(0)
    return gap(abs(weights.sum() - 1), negative)


@claim(
    relation=FailsInFloats(gap_that_saturates, Exact()),
    cases=scores.score_rows(least=2),
    hypotheses={"Nontrivial": has_two_keys},
    outside=True,
)
def softmax_lt_one(case: ScoreRow, softmax: Softmax = reference.softmax) -> Gap:
    """With at least two keys, no weight reaches one.

    In floats a weight saturates at 1. The weak form is exact: a computed sum of non-negative numbers is at least each of
    them, so no quotient exceeds 1.
    """
    weights = exact.balls(softmax(case.scores))
    return gap(positive_part(weights - 1), strict_fails=any(weight >= 1 for weight in weights))


@claim(relation=Budget(rounding.weights_of_other_scores), cases=scores.shifted(), outside=True)
def softmax_add_const(case: Shifted, softmax: Softmax = reference.softmax) -> Gap:
    """A constant added to every score of a query changes none of its weights.

    The sums are rounded before `softmax` sees them; by how much is part of the budget.
    """
    return gap(distance(softmax(case.others), exact.balls(softmax(case.scores))))


@claim(
    relation=Budget(rounding.weight_error),
    cases=scores.score_rows(),
    hypotheses={"Nonempty": has_a_key},
    outside=True,
    without={
        "Nonempty": "no scores have a largest one, so that the statement cannot be written; and no weight can differ"
    },
)
def softmax_sub_sup(case: ScoreRow, softmax: Softmax = reference.softmax) -> Gap:
    """Subtracting the largest score, as stable programs do, changes no weight.

    The gap is the distance of the computed weights from the definition, evaluated on balls, where nothing overflows.
    In floats the naive form overflows from scores of about 710 in float64 and 89 in float32.
    """
    return gap(distance(softmax(case.scores), case.true_weights))


@claim(relation=Budget(rounding.relabelled_weights), cases=scores.permuted(), outside=True)
def softmax_comp_equiv(case: Permuted, softmax: Softmax = reference.softmax) -> Gap:
    """Relabelling the keys relabels the weights.

    Both rows are computed; their sums may differ, since they are added in another order. In float16 the slack is 0, also
    with 130 keys: sums are added in float32, and in both orders every weight rounded to the same number.
    """
    order = list(case.order)
    relabelled = exact.balls(softmax(case.target.array([float(case.scores[index]) for index in order])))
    back = relabelled[np.argsort(order)]
    return gap(distance(softmax(case.scores), back))


@claim(relation=Budget(rounding.equal_weights), cases=scores.equal_scores(), outside=True)
def softmax_const(case: ScoreRow, softmax: Softmax = reference.softmax) -> Gap:
    """If all `n` scores are equal, every weight is `1 / n`."""
    return gap(distance(softmax(case.scores), np.asarray([arb(1) / case.n] * case.n, dtype=object)))


@claim(relation=Budget(rounding.biased_weights), cases=scores.biased(), outside=True)
def softmax_add(case: Biased, softmax: Softmax = reference.softmax) -> Gap:
    """A bias added to the scores multiplies the weights by its exponential and renormalises.

    The right side is evaluated on balls from computed weights.
    """
    grown = exact.balls(softmax(case.scores)) * np.asarray(
        [bias.exp() for bias in case.exact_bias], dtype=object
    )
    return gap(distance(softmax(case.others), grown / grown.sum()))


@claim(
    relation=Restricted(rounding.odds, nothing_underflows, gap_that_underflows),
    cases=scores.score_rows(safe=True),
    outside=True,
)
def softmax_div_softmax(case: ScoreRow, softmax: Softmax = reference.softmax) -> Gap:
    """The ratio of two weights is the exponential of the difference of their scores.

    Every key is compared with one; the gap is relative, so that large ratios count like small ones.
    """
    weights, row = exact.balls(softmax(case.scores)), case.row
    own, base = weights[case.key], row[case.key]
    return gap(
        [abs(own / weight * (score - base).exp() - 1) for weight, score in zip(weights, row, strict=True)]
    )


@claim(
    relation=Restricted(rounding.log_odds, nothing_underflows, gap_that_underflows),
    cases=scores.score_rows(safe=True),
    outside=True,
)
def log_softmax_div(case: ScoreRow, softmax: Softmax = reference.softmax) -> Gap:
    """The logarithm of the ratio of two weights is the difference of their scores.

    The one identity that sees the scale of the scores: row sums and bounds do not.
    """
    weights, row = exact.balls(softmax(case.scores)), case.row
    own, base = weights[case.key], row[case.key]
    return gap(
        [
            abs(exact.log_ratio(weight, own) - (score - base))
            for weight, score in zip(weights, row, strict=True)
        ]
    )


@claim(
    relation=FailsInFloats(smallest_difference, Budget(rounding.neighbouring_weights)),
    cases=scores.score_rows(least=2),
    outside=True,
)
def softmax_lt_softmax_iff(case: ScoreRow, softmax: Softmax = reference.softmax) -> Gap:
    """One weight is smaller than another exactly when its score is.

    In floats different scores can have equal weights. The weak form, no larger weight for a smaller score, has a budget,
    since NumPy's float32 `exp` is not monotone.
    """
    weights = exact.balls(softmax(case.scores))
    order = sorted(range(case.n), key=lambda index: float(case.row[index]))
    falls, strict = [], False
    for low, high in pairwise(order):
        fall = weights[low] - weights[high]
        tie = case.row[low] == case.row[high]
        strict = strict or (fall != 0 if tie else fall >= 0)
        falls.append(abs(fall) if tie else fall)
    return gap(positive_part(falls), strict_fails=strict)


@claim(
    relation=Restricted(rounding.log_odds_of_two_rows, nothing_underflows_in_either, two_rows_that_underflow),
    cases=scores.two_rows(),
)
def softmax_eq_softmax_iff(case: TwoRows, softmax: Softmax = reference.softmax) -> Gap:
    """Two score vectors give the same weights exactly when they differ by a constant.

    Both directions at once: the log-ratios of the two rows differ by as much as the scores do, which is by nothing
    exactly where the rows differ by a constant.
    """
    weights, others = exact.balls(softmax(case.scores)), exact.balls(softmax(case.others))
    moved = case.row - case.other_row
    return gap(
        [
            abs(
                exact.log_ratio(weights[index], weights[0])
                - exact.log_ratio(others[index], others[0])
                - (moved[index] - moved[0])
            )
            for index in range(case.n)
        ]
    )


@claim(
    relation=Restricted(rounding.scale_from_odds, nothing_underflows_after_scaling, scale_that_underflows),
    cases=scores.scaled(),
    hypotheses={"hs": scores_differ, "h": weights_come_from_the_scale},
    outside=True,
)
def scale_eq_of_softmax_eq(case: Scaled, softmax: Softmax = reference.softmax) -> Gap:
    """The weights pin down the scale: two scales that give the same weights are equal, unless all
    scores are equal.

    The scale is read back from the weights as a log-ratio over the distance of two scores; the gap is its error.
    """
    if case.row[case.key] == case.row[case.second]:
        # No scale can be read back from the two keys; if all scores are equal, from none: every scale is possible.
        return gap(arb("inf") if all(score == case.row[0] for score in case.row) else arb(0))
    weights = exact.balls(softmax(case.others))
    read_back = exact.log_ratio(weights[case.key], weights[case.second]) / (
        case.row[case.key] - case.row[case.second]
    )
    return gap(abs(read_back - arb(case.scale)))


@claim(
    relation=FailsInFloats(smallest_raise, Budget(rounding.weights_of_two_rows)),
    cases=scores.raised(least=2),
    hypotheses={"Nontrivial": has_two_keys, "ht": score_is_raised},
    outside=True,
)
def softmax_lt_softmax_update(case: Raised, softmax: Softmax = reference.softmax) -> Gap:
    """Raising one score raises its weight, if there is another key.

    In floats the weight may stay, or fall by a rounding; the weak form has a budget.
    """
    before, after = exact.balls(softmax(case.scores)), exact.balls(softmax(case.others))
    fall = before - after
    return gap(positive_part(only(case.key, fall)), strict_fails=bool(fall[case.key] >= 0))


@claim(
    relation=FailsInFloats(smallest_raise, Budget(rounding.weights_of_two_rows)),
    cases=scores.raised(least=2),
    hypotheses={"ht": score_is_raised, "hi": keys_differ},
    outside=True,
)
def softmax_update_lt_softmax(case: Raised, softmax: Softmax = reference.softmax) -> Gap:
    """Raising one score lowers every other weight.

    In floats the others may stay, or rise by a rounding; the weak form has a budget.
    """
    before, after = exact.balls(softmax(case.scores)), exact.balls(softmax(case.others))
    rise = after - before
    return gap(positive_part(only(case.second, rise)), strict_fails=bool(rise[case.second] >= 0))


@claim(relation=Exact(), cases=scores.score_rows(), hypotheses={"Nonempty": has_a_key})
def sum_exp_sub_sup_mem_Icc(
    case: ScoreRow, softmax_denominator: Softmax = reference.softmax_denominator
) -> Gap:
    """After subtracting the largest of the `n` scores, the denominator lies between `1` and `n`: it
    cannot vanish, and it stays small enough unless `n` itself is too large.

    Exact in any order of summation while `n` is at most `1 / u`: one term is exactly 1, none exceeds 1, and whole
    numbers up to `1 / u` are floats, so that no rounding passes them.
    """
    denominator = exact.balls(softmax_denominator(case.scores)).item()
    return gap(positive_part([1 - denominator, denominator - case.n]))


@claim(
    relation=Budget(rounding.weight_error),
    cases=scores.leads(),
    hypotheses={"h": key_leads},
    outside=True,
)
def one_div_le_softmax(case: Lead, softmax: Softmax = reference.softmax) -> Gap:
    """A lead of `g` over every other of the `n` keys guarantees the weight
    `1 / (1 + (n - 1) * exp (-g))`.

    With all other scores equal the bound is attained.
    """
    rivals = (case.n - 1) * (-arb(case.lead)).exp()
    guaranteed = 1 / (1 + rivals)
    return gap(positive_part(only(case.key, guaranteed - exact.balls(softmax(case.scores)))))


@claim(
    relation=Budget(rounding.weight_error),
    cases=scores.bounded(),
    hypotheses={"h": key_is_bounded},
    outside=True,
)
def softmax_le_exp_div_card(case: Bounded, softmax: Softmax = reference.softmax) -> Gap:
    """If key `i` scores at most `B` above each of the `n` keys, its weight is at most `exp B / n`: for
    a fixed `B`, long contexts dilute.

    With all scores equal and `B = 0` the bound is attained.
    """
    weights = exact.balls(softmax(case.scores))
    return gap(positive_part(only(case.key, weights - arb(case.bound).exp() / case.n)))


@claim(
    relation=Budget(rounding.weights_of_near_rows),
    cases=scores.near_rows(),
    hypotheses={"h": rows_are_near},
)
def softmax_le_exp_mul_softmax(case: Near, softmax: Softmax = reference.softmax) -> Gap:
    """If two score vectors differ by at most `ε` at every key, each weight of one is at most
    `exp (2 * ε)` times that of the other.

    Where one key with little weight rises and all others fall, the bound is nearly attained.
    """
    weights, others = exact.balls(softmax(case.scores)), exact.balls(softmax(case.others))
    return gap(positive_part(weights - (2 * arb(case.epsilon)).exp() * others))


@claim(relation=Budget(rounding.weight_error), cases=scores.two_scores(), outside=True)
def softmax_fin_two_one(case: ScoreRow, softmax: Softmax = reference.softmax) -> Gap:
    """With two keys, the weight of the second is the sigmoid of its score minus the first's."""
    step = case.row[1] - case.row[0]
    return gap(
        distance(softmax(case.scores), np.asarray([exact.sigmoid(-step), exact.sigmoid(step)], dtype=object))
    )
