"""Claims on masks: `lean/NeuralNetworks/Mask.lean`.

Gaps are distances between what `masked_softmax`, `causal_softmax` and reads with their weights compute and what the
theorem says of it, evaluated on Arb balls. Budgets come from `duizhao.rounding.masks` and `duizhao.rounding.weights`.
"""

from collections.abc import Callable

import numpy as np
from flint import arb

from duizhao import exact, rounding
from duizhao import mask as reference
from duizhao import read as reading
from duizhao import softmax as plain
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.hypotheses import masks as given
from duizhao.claims.outside import outside_of_hull
from duizhao.claims.relation import Balls, Budget, Exact, FailsInFloats, Gap, Restricted, gap, positive_part
from duizhao.claims.witnesses import masks as witnesses
from duizhao.strategies import masked, masks, scores
from duizhao.strategies.masked import CausalScores, MaskedRead, MaskedRow
from duizhao.strategies.rows import ScoreRow

Softmax = Callable[[Array], Array]
Masked = Callable[[Array, Array], Array]
Read = Callable[[Array, Array], Array]

UNDERFLOWS = FailsInFloats(witnesses.allowed_key_that_underflows, Exact())
SOME_KEY = {"hA": given.some_key_is_allowed}


def forbidden(weights: Balls) -> arb:
    """Return 0 if all weights are 0, else infinity: a weight that must be 0 has no budget."""
    return arb(0) if all(weight == 0 for weight in weights) else arb.pos_inf()


@claim(
    relation=Exact(),
    cases=masks.key_of(allowed=False),
    hypotheses={"hi": given.key_is_not_allowed},
    outside=True,
)
def maskedSoftmax_of_notMem(case: MaskedRow, masked_softmax: Masked = reference.masked_softmax) -> Gap:
    """A key that is not allowed gets weight exactly zero."""
    return gap(abs(exact.balls(masked_softmax(case.scores, case.keep))[case.key]))


@claim(
    relation=UNDERFLOWS,
    cases=masks.key_of(allowed=True),
    hypotheses={"hi": given.key_is_allowed},
    outside=True,
)
def maskedSoftmax_pos(case: MaskedRow, masked_softmax: Masked = reference.masked_softmax) -> Gap:
    """An allowed key gets a positive weight.

    In floats a weight underflows to 0. The weak form is exact: no weight is negative.
    """
    weight = exact.balls(masked_softmax(case.scores, case.keep))[case.key]
    return gap(positive_part(-weight), strict_fails=bool(weight <= 0))


@claim(relation=UNDERFLOWS, cases=masks.masked_rows(least=0), outside=True)
def maskedSoftmax_pos_iff(case: MaskedRow, masked_softmax: Masked = reference.masked_softmax) -> Gap:
    """A key has a positive weight exactly when it is allowed.

    In floats the weight of an allowed key underflows to 0. The weak form is exact: no weight is negative, and that of a
    key that is not allowed is 0.
    """
    weights = exact.balls(masked_softmax(case.scores, case.keep))
    positive = np.asarray([weight > 0 for weight in weights])
    below = positive_part(np.where(case.allowed, -weights, abs(weights)))
    return gap(below, strict_fails=bool(np.any(positive != case.allowed)))


@claim(relation=Budget(rounding.sum_of_weights), cases=masks.masked_rows(), hypotheses=SOME_KEY, outside=True)
def sum_maskedSoftmax_eq_one(case: MaskedRow, masked_softmax: Masked = reference.masked_softmax) -> Gap:
    """If some key is allowed, the weights sum to one."""
    return gap(abs(exact.balls(masked_softmax(case.scores, case.keep)).sum() - 1))


@claim(relation=Budget(rounding.sum_of_weights), cases=masks.masked_rows(), hypotheses=SOME_KEY, outside=True)
def maskedSoftmax_mem_stdSimplex(case: MaskedRow, masked_softmax: Masked = reference.masked_softmax) -> Gap:
    """If some key is allowed, no weight is negative and the weights sum to one: they are a point of
    the standard simplex.

    A negative weight has no budget: it counts as an infinite gap.
    """
    weights = exact.balls(masked_softmax(case.scores, case.keep))
    return gap(abs(weights.sum() - 1), forbidden(positive_part(-weights)))


@claim(
    relation=Exact(),
    cases=masks.masked_rows(least=0, most=0),
    outside=True,
    refutes=[("sum_maskedSoftmax_eq_one", "hA"), ("maskedSoftmax_mem_stdSimplex", "hA")],
)
def maskedSoftmax_empty(case: MaskedRow, masked_softmax: Masked = reference.masked_softmax) -> Gap:
    """If no key is allowed, the weights of this library are all zero and do not sum to one; a program
    may do otherwise.

    So it is with the policy "zero" for empty rows, which is the reference function's own choice.
    """
    return gap(abs(exact.balls(masked_softmax(case.scores, case.keep))))


@claim(relation=Exact(), cases=scores.score_rows(), outside=True)
def maskedSoftmax_univ(
    case: ScoreRow, masked_softmax: Masked = reference.masked_softmax, softmax: Softmax = plain.softmax
) -> Gap:
    """Allowing every key is softmax.

    Exact, since both take the same path.
    """
    everything = masked.boolean(case.target, np.ones(case.n, dtype=np.bool_))
    return gap(exact.distance(masked_softmax(case.scores, everything), softmax(case.scores)))


@claim(relation=Exact(), cases=masks.masked_rows(most=1), outside=True)
def maskedSoftmax_singleton(case: MaskedRow, masked_softmax: Masked = reference.masked_softmax) -> Gap:
    """A single allowed key gets the whole weight, whatever the scores.

    Exact: the exponential of 0 is 1, and 1 is divided by itself.
    """
    return gap(exact.distance(masked_softmax(case.scores, case.keep), case.allowed.astype(np.float64)))


@claim(relation=Budget(rounding.weights_of_other_scores), cases=masks.shifted(), outside=True)
def maskedSoftmax_add_const(
    case: masked.MaskedShift, masked_softmax: Masked = reference.masked_softmax
) -> Gap:
    """A constant added to every score changes no masked weight.

    The sums are rounded before `masked_softmax` sees them; by how much is part of the budget.
    """
    before, after = masked_softmax(case.scores, case.keep), masked_softmax(case.others, case.keep)
    return gap(exact.distance(after, exact.balls(before)))


@claim(
    relation=Restricted(
        rounding.log_odds, given.nothing_allowed_underflows, witnesses.allowed_key_that_underflows
    ),
    cases=masks.masked_rows(two=True, safe=True),
    hypotheses={"hi": given.key_is_allowed, "hj": given.second_is_allowed},
    outside=True,
)
def log_maskedSoftmax_div(case: MaskedRow, masked_softmax: Masked = reference.masked_softmax) -> Gap:
    """The logarithm of the ratio of the weights of two allowed keys is the difference of their scores."""
    step = case.row[case.key] - case.row[case.second]
    if not (case.allowed[case.key] and case.allowed[case.second]):
        # Lean's quotient by 0 and logarithm of 0 are 0: this is for `break`, as cases have two allowed keys.
        return gap(abs(step))
    weights = exact.balls(masked_softmax(case.scores, case.keep))
    return gap(abs(exact.log_ratio(weights[case.key], weights[case.second]) - step))


@claim(relation=Exact(), cases=masks.agreeing(), hypotheses={"h": given.scores_agree}, outside=True)
def maskedSoftmax_congr(case: masked.MaskedRows, masked_softmax: Masked = reference.masked_softmax) -> Gap:
    """The scores of keys that are not allowed do not change the weights.

    Exact: those scores are not looked at, nor do they stand in another place.
    """
    before, after = masked_softmax(case.scores, case.keep), masked_softmax(case.others, case.keep)
    return gap(exact.distance(after, exact.balls(before)))


@claim(
    relation=Exact(),
    cases=masks.agreeing_reads(),
    hypotheses={"hs": given.scores_agree, "hv": given.values_agree},
    outside=True,
)
def read_maskedSoftmax_congr(
    case: masked.MaskedReads, masked_softmax: Masked = reference.masked_softmax, read: Read = reading.read
) -> Gap:
    """The scores and the values of keys that are not allowed do not change the output.

    Exact for finite values, the largest included: their weight is 0, and so is the product.
    """
    before = read(masked_softmax(case.scores, case.keep), case.values)
    after = read(masked_softmax(case.others, case.keep), case.other_values)
    return gap(exact.distance(after, exact.balls(before)))


@claim(relation=Budget(rounding.softmax_hull), cases=masks.masked_reads(), hypotheses=SOME_KEY, outside=True)
def read_maskedSoftmax_mem_convexHull(
    case: MaskedRead, masked_softmax: Masked = reference.masked_softmax, read: Read = reading.read
) -> Gap:
    """If some key is allowed, the output lies in the convex hull of the *allowed* values.

    In each direction the output goes no farther than the farthest allowed value. The hull of no values holds nothing.
    """
    output = exact.balls(read(masked_softmax(case.scores, case.keep), case.values))
    if not case.allowed.any():
        return gap(arb.pos_inf())
    return gap(outside_of_hull(output, case.exact_values[case.allowed], exact.balls(case.directions)))


@claim(relation=Budget(rounding.two_softmax_reads), cases=masks.masked_reads(least=0), outside=True)
def read_maskedSoftmax_eq_read_subtype(
    case: MaskedRead,
    masked_softmax: Masked = reference.masked_softmax,
    softmax: Softmax = plain.softmax,
    read: Read = reading.read,
) -> Gap:
    """Masked attention gives the same output as attention over the allowed keys alone.

    Both are computed and compared with what they are over ℝ. Over no keys that is 0: there is nothing to compute.
    """
    output, truth = read(masked_softmax(case.scores, case.keep), case.values), case.true_output
    alone = read(softmax(case.own_scores), case.own_values) if case.allowed.any() else truth
    return gap(exact.distance(output, truth), exact.distance(alone, truth))


@claim(
    relation=Budget(rounding.combined_reads),
    cases=masks.split_reads(),
    hypotheses={
        "h": given.blocks_are_disjoint,
        "hA": given.first_block_has_a_key,
        "hB": given.second_block_has_a_key,
    },
    outside=True,
)
def read_maskedSoftmax_union(
    case: masked.SplitRead, masked_softmax: Masked = reference.masked_softmax, read: Read = reading.read
) -> Gap:
    """The outputs over two disjoint non-empty blocks of keys combine to the output over both, weighted
    by the softmax of the logarithms of the blocks' sums of exponentials.

    The three outputs are computed; the two are combined on balls.
    """
    output = read(masked_softmax(case.scores, case.keep), case.values)
    parts = [exact.balls(read(masked_softmax(case.scores, keep), case.values)) for keep in case.keeps]
    combined = exact.read(exact.softmax(case.log_sums), np.asarray(parts, dtype=object))
    return gap(exact.distance(output, combined))


@claim(
    relation=FailsInFloats(witnesses.key_that_changes_nothing, Budget(rounding.weights_of_two_rows)),
    cases=masks.widened(),
    hypotheses={"hk": given.new_key_is_not_allowed, "hi": given.key_is_allowed},
    outside=True,
)
def maskedSoftmax_insert_lt(case: masked.Widened, masked_softmax: Masked = reference.masked_softmax) -> Gap:
    """Allowing one more key lowers the weight of every key that was already allowed.

    In floats the weight may stay, or rise by a rounding where the new key has the largest score: the weak form has a
    budget.
    """
    before = exact.balls(masked_softmax(case.scores, case.keep))[case.key]
    after = exact.balls(masked_softmax(case.scores, case.keep_wider))[case.key]
    return gap(positive_part(after - before), strict_fails=bool(after >= before))


@claim(
    relation=Restricted(
        rounding.renormalised_weights, given.nothing_underflows, witnesses.only_key_that_underflows
    ),
    cases=masks.masked_rows(least=0, safe=True),
)
def maskedSoftmax_eq_div_sum(
    case: MaskedRow, masked_softmax: Masked = reference.masked_softmax, softmax: Softmax = plain.softmax
) -> Gap:
    """Zeroing the disallowed softmax weights and renormalising is masked softmax; with no allowed key
    both are zero, since Lean divides by zero to zero.

    Computed softmax weights are renormalised exactly. Where all allowed weights underflow, programs have 0 / 0.
    """
    kept = np.where(case.allowed, exact.balls(softmax(case.scores)), exact.balls(0))
    renormalised = kept / kept.sum() if case.allowed.any() else kept
    return gap(exact.distance(masked_softmax(case.scores, case.keep), renormalised))


@claim(
    relation=FailsInFloats(witnesses.key_that_saturates, Budget(rounding.sum_of_some_weights)),
    cases=masks.key_of(allowed=False),
    hypotheses={"hk": given.key_is_not_allowed},
)
def sum_softmax_lt_one_of_notMem(case: MaskedRow, softmax: Softmax = plain.softmax) -> Gap:
    """Zeroing at least one softmax weight *without* renormalising leaves a sum below one.

    In floats the others may saturate, and their sum may exceed 1 by roundings; the weak form has a budget.
    """
    kept = sum(exact.balls(softmax(case.scores))[case.allowed], arb(0))
    return gap(positive_part(kept - 1), strict_fails=bool(kept >= 1))


@claim(relation=FailsInFloats(witnesses.fill_that_underflows, Exact()), cases=masks.filled(), outside=True)
def softmax_fill_pos(case: masked.Falling, softmax: Softmax = plain.softmax) -> Gap:
    """In exact arithmetic, filling the disallowed scores with a finite `b` still leaks: every weight
    stays positive.

    In floats a low enough fill gives the weight 0. The weak form is exact: no weight is negative.
    """
    weights = exact.balls(softmax(case.filled[0]))
    return gap(positive_part(-weights), strict_fails=any(weight <= 0 for weight in weights))


@claim(relation=Budget(rounding.equal_weights), cases=masks.all_filled(), outside=True)
def softmax_fill_empty(case: masked.Filled, softmax: Softmax = plain.softmax) -> Gap:
    """If no key is allowed and all `n` scores are filled with a finite `b`, the output averages every
    forbidden key: every weight is `1 / n`.

    This is what a finite fill does to an empty row.
    """
    return gap(exact.distance(softmax(case.filled), np.asarray([arb(1) / case.n] * case.n, dtype=object)))


@claim(relation=Budget(rounding.filled_weights), cases=masks.falling(), hypotheses=SOME_KEY)
def tendsto_softmax_fill_atBot(
    case: masked.Falling, masked_softmax: Masked = reference.masked_softmax, softmax: Softmax = plain.softmax
) -> Gap:
    """If some key is allowed, filling the disallowed scores with `b` tends to masked softmax as `b`
    tends to `-∞`.

    Along three falling fills, weights are farther from the masked ones by no more than over ℝ, which in the end, where
    the exponential of the fill underflows, is by less than an underflow.
    """
    limit = exact.balls(masked_softmax(case.scores, case.keep))
    rows = np.asarray([exact.balls(softmax(row)) for row in case.filled], dtype=object)
    over_reals = case.true_distances
    return gap(positive_part(abs(rows - limit) - over_reals), positive_part(over_reals[-1] - arb(case.tiny)))


@claim(
    relation=Restricted(
        rounding.relative_weight, given.nothing_underflows, witnesses.causal_key_that_underflows
    ),
    cases=masks.causal_scores(safe=True),
    outside=True,
)
def causalSoftmax_pos_iff(case: CausalScores, causal_softmax: Softmax = reference.causal_softmax) -> Gap:
    """Position `i` gives weight to position `j` exactly when `j` is not in its future.

    The gap is relative. A weight up to the position that is 0, or one after it that is not, counts as infinite.
    """
    weights = exact.balls(causal_softmax(case.scores))[case.position]
    now, later = weights[: case.n], forbidden(weights[case.n :])
    lost = arb(0) if all(weight > 0 for weight in now) else arb.pos_inf()
    return gap(abs(now / case.true_weights - 1), lost, later)


@claim(
    relation=Exact(),
    cases=masks.causal_scores(later=True),
    hypotheses={"h": given.key_is_later},
    outside=True,
)
def causalSoftmax_of_lt(case: CausalScores, causal_softmax: Softmax = reference.causal_softmax) -> Gap:
    """A causal query reads nothing from the future."""
    return gap(abs(exact.balls(causal_softmax(case.scores))[case.position, case.key]))


@claim(
    relation=Restricted(
        rounding.whole_number, given.nothing_underflows, witnesses.causal_key_that_underflows
    ),
    cases=masks.causal_scores(safe=True),
    outside=True,
)
def card_causalSoftmax_ne_zero(case: CausalScores, causal_softmax: Softmax = reference.causal_softmax) -> Gap:
    """Counting from `0`, position `i` gives weight to exactly `i + 1` positions."""
    weights = exact.balls(causal_softmax(case.scores))[case.position]
    return gap(abs(arb(sum(weight != 0 for weight in weights) - (case.position + 1))))


@claim(relation=Budget(rounding.causal_sums), cases=masks.causal_scores(), outside=True)
def sum_causalSoftmax_eq_one(case: CausalScores, causal_softmax: Softmax = reference.causal_softmax) -> Gap:
    """Every causal query has weights summing to one: it may always read itself."""
    return gap(abs(exact.balls(causal_softmax(case.scores)).sum(axis=-1) - 1))


@claim(relation=Exact(), cases=masks.causal_scores(), outside=True)
def causalSoftmax_zero(case: CausalScores, causal_softmax: Softmax = reference.causal_softmax) -> Gap:
    """The first position reads only itself, whatever the scores."""
    first = exact.balls(causal_softmax(case.scores))[0]
    return gap(exact.distance(first, np.identity(case.length)[0]))


@claim(
    relation=Exact(),
    cases=masks.causal_reads(),
    hypotheses={"hS": given.scores_agree_so_far, "hv": given.values_agree_so_far},
    outside=True,
)
def read_causalSoftmax_congr(
    case: masked.CausalReads, causal_softmax: Softmax = reference.causal_softmax, read: Read = reading.read
) -> Gap:
    """Changing the scores and values of later positions changes no output at position `i`.

    Exact for finite values.
    """
    before = exact.balls(read(causal_softmax(case.scores), case.values))
    after = exact.balls(read(causal_softmax(case.others), case.other_values))
    return gap(exact.distance(after[case.position], before[case.position]))
