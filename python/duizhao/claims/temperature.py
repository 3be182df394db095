"""Claims on softmax at a temperature: `lean/NeuralNetworks/Temperature.lean`.

Gaps are distances between what `softmax` and its limits compute and what the theorem says of it, evaluated on Arb balls.
Budgets come from `duizhao.rounding.temperature` and `duizhao.rounding.weights`.
"""

from itertools import pairwise
from typing import Protocol

import numpy as np
from flint import arb

from duizhao import exact, rounding
from duizhao import softmax as reference_softmax
from duizhao import temperature as reference
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.hypotheses import temperatures as given
from duizhao.claims.relation import Budget, FailsInFloats, Gap, Restricted, Witness, gap, positive_part
from duizhao.claims.witnesses import temperatures as witnesses
from duizhao.strategies import temperatures
from duizhao.strategies.rows import ScoreRow
from duizhao.strategies.temperatures import Cooled, Heated, Tempered, Turned, Warmed


class Softmax(Protocol):
    """Softmax at a temperature."""

    def __call__(self, scores: Array, *, temperature: float = 1.0) -> Array:
        """Return the weights."""


class Limit(Protocol):
    """What softmax tends to in the temperature."""

    def __call__(self, scores: Array) -> Array:
        """Return the weights."""


def not_refused(softmax: Softmax, scores: Array, temperature: float) -> arb:
    """Return 0 if `softmax` refuses the temperature, else infinity."""
    try:
        softmax(scores, temperature=temperature)
    except ValueError:
        return arb(0)
    return arb.pos_inf()


@claim(
    relation=Restricted(rounding.log_odds, given.nothing_underflows, witnesses.temperature_that_underflows),
    cases=temperatures.tempered(),
    outside=True,
)
def log_softmax_div_temperature(case: Tempered, softmax: Softmax = reference_softmax.softmax) -> Gap:
    """At temperature `T ≠ 0` the logarithm of the ratio of two weights is the score difference over
    `T`.

    Every key is compared with one.
    """
    weights = exact.balls(softmax(case.scores, temperature=case.temperature))
    steps = (case.row - case.row[case.key]) / arb(case.temperature)
    own = weights[case.key]
    return gap(
        [abs(exact.log_ratio(weight, own) - step) for weight, step in zip(weights, steps, strict=True)]
    )


@claim(relation=Budget(rounding.heated_weights), cases=temperatures.heated(), outside=True)
def tendsto_softmax_div_atTop(
    case: Heated,
    softmax: Softmax = reference_softmax.softmax,
    infinite_temperature_limit: Limit = reference.infinite_temperature_limit,
) -> Gap:
    """As the temperature grows, each of the `n` weights tends to `1 / n`.

    Along three rising temperatures, weights are farther from the computed limit by no more than over ℝ, which is by less
    and less.
    """
    hot = [exact.balls(softmax(case.scores, temperature=temperature)) for temperature in case.temperatures]
    limit = exact.balls(infinite_temperature_limit(case.scores))
    over_reals = abs(case.true_weights - arb(1) / case.n)
    return gap(positive_part(abs(np.asarray(hot, dtype=object) - limit) - over_reals))


@claim(
    relation=Restricted(
        rounding.shared_weight, given.only_the_best_have_weight, witnesses.temperature_that_leaves_weight
    ),
    cases=temperatures.cooled(),
    hypotheses={"hM": given.is_greatest},
    outside=True,
)
def tendsto_softmax_div_nhdsGT_zero(
    case: Cooled,
    softmax: Softmax = reference_softmax.softmax,
    zero_temperature_limit: Limit = reference.zero_temperature_limit,
) -> Gap:
    """As the temperature falls to zero, the weight is shared equally by the keys with the largest
    score, and every other key gets none.

    At temperatures at which all other exponentials underflow, and in the limit as computed. Others have exactly 0: a
    weight of theirs counts as infinite.
    """
    cold = exact.balls(softmax(case.scores, temperature=case.temperature))
    both = np.asarray([cold, exact.balls(zero_temperature_limit(case.scores))], dtype=object)
    nothing = all(weight == 0 for weight in both[:, ~case.best].ravel())
    return gap(abs(both[:, case.best] - arb(1) / case.keys), arb(0) if nothing else arb.pos_inf())


@claim(
    relation=Budget(rounding.weights_of_two_rows),
    cases=temperatures.warmed(),
    hypotheses={"hi": given.key_is_best},
    outside=True,
)
def antitoneOn_softmax_div(case: Warmed, softmax: Softmax = reference_softmax.softmax) -> Gap:
    """Among positive temperatures, raising the temperature never raises the weight of a best key.

    In floats it may rise by roundings. It hardly does, and the slack is near 0, also between neighbouring temperatures:
    every step but `exp` is monotone, and so is `exp` but for rare pairs of neighbours.
    """
    before = exact.balls(softmax(case.scores, temperature=case.temperature))[case.key]
    after = exact.balls(softmax(case.scores, temperature=case.hotter))[case.key]
    return gap(positive_part(after - before))


@claim(relation=Witness(), cases=temperatures.halves())
def softmax_div_zero(case: ScoreRow, softmax: Softmax = reference_softmax.softmax) -> Gap:
    """Lean divides by zero to zero: at temperature `0` every one of the `n` weights is `1 / n`,
    whichever key is best.

    No program does: ours refuses the temperature 0. The weights of zeros, which is what Lean takes, are as it says.
    """
    zeros = case.target.array([0.0] * case.n)
    shares = np.asarray([arb(1) / case.n] * case.n, dtype=object)
    return gap(exact.distance(softmax(zeros), shares), not_refused(softmax, case.scores, 0.0))


@claim(
    relation=FailsInFloats(witnesses.smallest_difference_turned, Budget(rounding.neighbouring_weights)),
    cases=temperatures.turned(),
    hypotheses={"hT": given.temperature_is_negative},
)
def softmax_div_lt_iff_of_neg(case: Turned, softmax: Softmax = reference_softmax.softmax) -> Gap:
    """A negative temperature turns the order of the scores around.

    Ours refuses it: a negative temperature that is accepted counts as infinite. Where the scores are divided first,
    different ones can have equal weights in floats. The weak form, no larger weight for a larger score, has a budget.
    """
    weights = exact.balls(softmax(case.others))
    order = sorted(range(case.n), key=lambda index: -float(case.row[index]))
    falls, strict = [], False
    for high, low in pairwise(order):
        fall = weights[high] - weights[low]
        tie = bool(case.row[high] == case.row[low])
        strict = strict or (fall != 0 if tie else fall >= 0)
        falls.append(abs(fall) if tie else fall)
    negative = case.temperature < 0
    accepted = not_refused(softmax, case.scores, case.temperature) if negative else arb(0)
    return gap(positive_part(falls) + accepted, strict_fails=strict)
