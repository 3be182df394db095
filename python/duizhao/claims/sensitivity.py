"""Claims on the derivative of softmax: `lean/NeuralNetworks/Sensitivity.lean`.

Gaps are distances between the matrix that `softmax_jacobian` computes and what the theorem says of it, evaluated on Arb
balls. Budgets come from `duizhao.rounding.jacobian` and `duizhao.rounding.sensitivity`.
"""

from collections.abc import Callable

import numpy as np
from flint import arb

from duizhao import exact, rounding
from duizhao import sensitivity as reference
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.relation import Balls, Budget, Gap, gap, positive_part
from duizhao.exact.derivative import softmax_derivative
from duizhao.rounding import sensitivity as bounds
from duizhao.strategies import scores, sensitivities
from duizhao.strategies.rows import ScoreRow

Jacobian = Callable[[Array], Array]


def other_weights(case: ScoreRow) -> Balls:
    """Return the sum of all true weights but one, for each: 1 minus that one, without cancellation."""
    total = [sum(np.delete(case.true_weights, index), arb(0)) for index in range(case.n)]
    return np.asarray(total, dtype=object)


@claim(relation=Budget(bounds.jacobian_column), cases=scores.score_rows(), outside=True)
def hasDerivAt_softmax_update(case: ScoreRow, softmax_jacobian: Jacobian = reference.softmax_jacobian) -> Gap:
    """With the other scores fixed, the derivative of weight `i` in score `k` is
    `w i * ((1 if i = k else 0) - w k)`.

    The computed entries against the slope of softmax in one score, by arithmetic with power series on balls.
    """
    column = exact.balls(softmax_jacobian(case.scores))[:, case.key]
    return gap(exact.distance(column, softmax_derivative(case.row, case.key)))


@claim(relation=Budget(bounds.jacobian_row_sums), cases=scores.score_rows(), outside=True)
def sum_softmaxJacobian_eq_zero(
    case: ScoreRow, softmax_jacobian: Jacobian = reference.softmax_jacobian
) -> Gap:
    """Every row of the Jacobian sums to zero: a common shift of the scores changes nothing.

    The exact sums of the computed entries.
    """
    return gap(abs(exact.balls(softmax_jacobian(case.scores)).sum(axis=-1)))


@claim(relation=Budget(bounds.jacobian_row_sizes), cases=scores.score_rows(), outside=True)
def sum_abs_softmaxJacobian(case: ScoreRow, softmax_jacobian: Jacobian = reference.softmax_jacobian) -> Gap:
    """The absolute values in row `i` of the Jacobian sum to `2 * w i * (1 - w i)`.

    The weights on the right are the true ones.
    """
    computed = abs(exact.balls(softmax_jacobian(case.scores))).sum(axis=-1)
    return gap(exact.distance(computed, 2 * case.true_weights * other_weights(case)))


@claim(relation=Budget(bounds.jacobian_quarter), cases=sensitivities.tied_or_free(), outside=True)
def abs_softmaxJacobian_le(case: ScoreRow, softmax_jacobian: Jacobian = reference.softmax_jacobian) -> Gap:
    """No entry of the Jacobian exceeds one quarter in absolute value.

    With two equal scores above all others, the bound is attained.
    """
    entries = abs(exact.balls(softmax_jacobian(case.scores)))
    return gap(positive_part(entries - arb(1) / 4))


@claim(relation=Budget(rounding.jacobian_error), cases=sensitivities.saturated_or_free(), outside=True)
def abs_softmaxJacobian_le_one_sub(
    case: ScoreRow, softmax_jacobian: Jacobian = reference.softmax_jacobian
) -> Gap:
    """Once a key holds weight `a`, no entry of the Jacobian exceeds `1 - a` in absolute value:
    saturation.

    For one key, whose true weight it is. With two keys, of which one has nearly all the weight, the bound is attained.
    """
    entries = abs(exact.balls(softmax_jacobian(case.scores)))
    return gap(positive_part(entries - other_weights(case)[case.key]))
