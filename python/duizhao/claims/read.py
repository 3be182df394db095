"""Claims on one attention read: `lean/NeuralNetworks/Read.lean`.

Gaps are distances between what `read` computes and what the theorem says of it, evaluated on Arb balls from the weights
and values as they are. Budgets come from `duizhao.rounding.outputs`.
"""

from collections.abc import Callable

import numpy as np
from flint import arb

from duizhao import exact, rounding
from duizhao import read as reference
from duizhao import softmax as reference_softmax
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.hypotheses.reads import (
    key_above_lower,
    key_below_upper,
    key_has_weight,
    no_value_above,
    no_value_below,
    on_simplex,
    others_sum_to_one,
    scores_are_equal,
    second_below_upper,
    second_gap_is_larger,
    second_has_weight,
    second_value_is_larger,
    sets_are_convex,
    sets_hold_the_values,
    sums_to_one,
    values_between_bounds,
    values_in_order,
    values_move_at_most,
    values_near_that_of_key,
    weight_at_most_one,
    weight_not_negative,
)
from duizhao.claims.outside import outside_of, outside_of_hull
from duizhao.claims.relation import Balls, Budget, Exact, FailsInFloats, Gap, gap, positive_part
from duizhao.claims.witnesses.reads import half_of_the_largest_below, half_of_the_smallest, smallest_step
from duizhao.strategies import reads
from duizhao.strategies.readings import (
    Between,
    Decided,
    Directed,
    Moved,
    Projected,
    Reading,
    Residual,
    Reweighted,
    Sets,
    Stepped,
    TwoScalars,
    TwoValueReads,
    Updated,
    largest_norms,
)

Read = Callable[[Array, Array], Array]
Softmax = Callable[[Array], Array]


def between_two(case: TwoScalars, read: Read) -> Balls:
    """Return how far the read of two scalars is outside of the interval between them."""
    output = exact.balls(read(case.weights, case.values))
    values = case.exact_values
    return outside_of(output, np.minimum(values[0], values[1]), np.maximum(values[0], values[1]))


@claim(
    relation=Budget(rounding.read_bounds),
    cases=reads.two_scalars(ordered=True),
    hypotheses={"hw": weight_not_negative, "hw1": weight_at_most_one, "huv": values_in_order},
    outside=True,
)
def attention_convex(case: TwoScalars, read: Read = reference.read) -> Gap:
    """If `u ≤ v` and `0 ≤ w ≤ 1`, then `w * u + (1 - w) * v` lies between `u` and `v`.

    The weights given to `read` are `w` and the rounded `1 - w`; how far their sum is from one is part of the budget.
    With `u = v` rounding leaves the interval in 3 to 6 % of float64 draws whose weights use all their digits. In float16
    the slack is 0: products are added in float32, and the one rounding at the end never left the interval, also with
    `u = v`.
    """
    output = exact.balls(read(case.weights, case.values))
    return gap(outside_of(output, case.exact_values[0], case.exact_values[1]))


@claim(
    relation=Budget(rounding.read_bounds),
    cases=reads.two_scalars(ordered=False),
    hypotheses={"hw": weight_not_negative, "hw1": weight_at_most_one},
    outside=True,
)
def attention_convex_uIcc(case: TwoScalars, read: Read = reference.read) -> Gap:
    """Whichever of two values is the larger, their convex combination lies between them.

    In float16 the slack is 0, as for `attention_convex`.
    """
    return gap(between_two(case, read))


@claim(
    relation=Budget(rounding.convex_sets),
    cases=reads.sets(),
    hypotheses={"hw": on_simplex, "hs": sets_are_convex, "hv": sets_hold_the_values},
)
def read_mem_of_convex(case: Sets, read: Read = reference.read) -> Gap:
    """With non-negative weights that sum to one, if every value lies in a convex set, so does the
    output.

    Three sets: the smallest box around the values, the smallest ball around its middle, and a half-space.
    """
    output = exact.balls(read(case.weights, case.values))
    from_centre = output - case.centre
    beyond_ball = (from_centre @ from_centre).sqrt() - arb(case.radius)
    if case.inverted:
        beyond_ball = -beyond_ball
    beyond_plane = output @ case.exact_direction - arb(case.offset)
    return gap(outside_of(output, case.low, case.high), positive_part([beyond_ball, beyond_plane]))


@claim(
    relation=Budget(rounding.read_bounds),
    cases=reads.between(),
    hypotheses={"hw": on_simplex, "hv": values_between_bounds},
    outside=True,
)
def read_mem_Icc(case: Between, read: Read = reference.read) -> Gap:
    """With non-negative weights that sum to one, values in `[m, M]` give an output in `[m, M]`.

    Coordinate by coordinate, for the closest bounds and for looser ones.
    """
    return gap(outside_of(exact.balls(read(case.weights, case.values)), case.low, case.high))


@claim(
    relation=Budget(rounding.support),
    cases=reads.directed(),
    hypotheses={"hw": on_simplex},
    outside=True,
)
def read_mem_convexHull(case: Directed, read: Read = reference.read) -> Gap:
    """With non-negative weights that sum to one, the output lies in the convex hull of the values.

    In each direction the output goes no farther than the farthest value.
    """
    output = exact.balls(read(case.weights, case.values))
    return gap(outside_of_hull(output, case.exact_values, exact.balls(case.directions)))


@claim(
    relation=FailsInFloats(half_of_the_smallest, Budget(rounding.read_bounds)),
    cases=reads.strictly_between(above=True, below=False),
    hypotheses={"hw": on_simplex, "hv": no_value_below, "hwk": key_has_weight, "hk": key_above_lower},
)
def lt_read_of_pos(case: Between, read: Read = reference.read) -> Gap:
    """With non-negative weights that sum to one, if no value is below `m` and some key with positive
    weight has a value above `m`, the output is above `m`.

    In floats the output can round to `m`; the weak form has a budget.
    """
    output = exact.balls(read(case.weights, case.values))
    return gap(positive_part(case.low - output), strict_fails=bool(np.any(output <= case.low)))


@claim(
    relation=FailsInFloats(half_of_the_largest_below, Budget(rounding.read_bounds)),
    cases=reads.strictly_between(above=False, below=True),
    hypotheses={"hw": on_simplex, "hv": no_value_above, "hwk": key_has_weight, "hk": key_below_upper},
)
def read_lt_of_pos(case: Between, read: Read = reference.read) -> Gap:
    """With non-negative weights that sum to one, if no value is above `M` and some key with positive
    weight has a value below `M`, the output is below `M`.

    In floats the output can round to `M`; the weak form has a budget.
    """
    output = exact.balls(read(case.weights, case.values))
    return gap(positive_part(output - case.high), strict_fails=bool(np.any(output >= case.high)))


@claim(
    relation=FailsInFloats(half_of_the_smallest, Budget(rounding.read_bounds)),
    cases=reads.strictly_between(above=True, below=True),
    hypotheses={
        "hw": on_simplex,
        "hv": values_between_bounds,
        "hwk": key_has_weight,
        "hk": key_above_lower,
        "hwl": second_has_weight,
        "hl": second_below_upper,
    },
)
def read_mem_Ioo(case: Between, read: Read = reference.read) -> Gap:
    """With non-negative weights that sum to one and values in `[m, M]`, if some key with positive
    weight has a value above `m` and some key with positive weight has a value below `M`, the output is
    strictly between `m` and `M`.

    In floats the output can round to either bound; the weak form has a budget.
    """
    output = exact.balls(read(case.weights, case.values))
    strict = bool(np.any((output <= case.low) | (output >= case.high)))
    return gap(outside_of(output, case.low, case.high), strict_fails=strict)


@claim(relation=Budget(rounding.two_value_read), cases=reads.two_value_reads(), outside=True)
def read_softmax_fin_two(
    case: TwoValueReads, read: Read = reference.read, softmax: Softmax = reference_softmax.softmax
) -> Gap:
    """With two values and softmax weights, the output lies the fraction `sigmoid (s 1 - s 0)` of the
    way from the first value to the second.

    What is left of the way is evaluated as `sigmoid (s 0 - s 1)`, which loses no digits where the fraction is near 1.
    """
    first, second = case.exact_values
    step = case.row[1] - case.row[0]
    between = exact.sigmoid(-step) * first + exact.sigmoid(step) * second
    output = read(softmax(case.scores), case.values)
    return gap(exact.distance(output, np.asarray(between, dtype=object)))


@claim(
    relation=Budget(rounding.two_value_read),
    cases=reads.two_value_reads(equal=True),
    hypotheses={"hs": scores_are_equal},
    outside=True,
)
def read_softmax_fin_two_of_eq(
    case: TwoValueReads, read: Read = reference.read, softmax: Softmax = reference_softmax.softmax
) -> Gap:
    """Equal scores give the midpoint of two values."""
    output = read(softmax(case.scores), case.values)
    return gap(exact.distance(output, np.asarray(case.exact_values.sum() / 2, dtype=object)))


@claim(
    relation=FailsInFloats(smallest_step, Budget(rounding.two_value_order)),
    cases=reads.two_value_reads(ordered=True),
    hypotheses={"hv": second_value_is_larger, "h": second_gap_is_larger},
    outside=True,
)
def read_softmax_fin_two_lt(
    case: TwoValueReads, read: Read = reference.read, softmax: Softmax = reference_softmax.softmax
) -> Gap:
    """If the second value is the larger, a larger score gap `s 1 - s 0` gives a larger output.

    In floats the output may stay, or fall by a rounding; the weak form has a budget.
    """
    before = exact.balls(read(softmax(case.scores), case.values)).item()
    after = exact.balls(read(softmax(case.others), case.values)).item()
    return gap(positive_part(before - after), strict_fails=bool(before >= after))


@claim(
    relation=Budget(rounding.shifted_read), cases=reads.moved(), hypotheses={"hw": sums_to_one}, outside=True
)
def read_add_const(case: Moved, read: Read = reference.read) -> Gap:
    """If the weights sum to one, adding one vector to every value adds it to the output.

    The sums are rounded before `read` sees them; by how much is part of the budget.
    """
    before = exact.balls(read(case.weights, case.values))
    return gap(exact.distance(read(case.weights, case.others), before + case.exact_constant))


@claim(
    relation=Budget(rounding.read_bounds),
    cases=reads.constants(),
    hypotheses={"hw": sums_to_one},
    outside=True,
)
def read_const(case: Reweighted, read: Read = reference.read) -> Gap:
    """If all values are equal, weights that sum to one return that value."""
    return gap(exact.distance(read(case.weights, case.values), case.exact_values[0]))


@claim(
    relation=Budget(rounding.two_constants),
    cases=reads.constants(),
    hypotheses={"hw": sums_to_one, "hw'": others_sum_to_one},
    outside=True,
)
def read_const_eq_read_const(case: Reweighted, read: Read = reference.read) -> Gap:
    """If all values are equal, any two sets of weights that sum to one give the same output: the
    weights alone do not say what was read.
    """
    first = exact.balls(read(case.weights, case.values))
    return gap(exact.distance(read(case.other_weights, case.values), first))


@claim(relation=Exact(), cases=reads.zeros(), outside=True)
def read_zero(case: Reading, read: Read = reference.read) -> Gap:
    """Zero values give a zero output, whatever the weights.

    Exact: every product is a zero. The zeros have either sign, and so may the output.
    """
    return gap(abs(exact.balls(read(case.weights, case.values))))


@claim(relation=Budget(rounding.updated_read), cases=reads.updated(), outside=True)
def read_update_add(case: Updated, read: Read = reference.read) -> Gap:
    """Adding `c` to the value of a single key adds only its share `w k • c`.

    The sum is rounded before `read` sees it; by how much is part of the budget.
    """
    before = exact.balls(read(case.weights, case.values))
    share = case.exact_weights[case.key] * case.exact_constant
    return gap(exact.distance(read(case.weights, case.others), before + share))


@claim(
    relation=Budget(rounding.moved_read),
    cases=reads.stepped(),
    hypotheses={"hw": on_simplex, "h": values_move_at_most},
)
def norm_read_sub_read_le(case: Stepped, read: Read = reference.read) -> Gap:
    """With non-negative weights that sum to one and stay the same, if no value moves by more than `ε`,
    neither does the output.

    In the largest-coordinate norm and in the Euclidean norm. Where all values take the same step, the bound is attained.
    """
    before = exact.balls(read(case.weights, case.values))
    moved = before - exact.balls(read(case.weights, case.others))
    return gap(positive_part(largest_norms(moved[None, :]) - exact.balls(case.epsilon)))


@claim(
    relation=Budget(rounding.decided_read),
    cases=reads.decided(),
    hypotheses={"hw": on_simplex, "h": values_near_that_of_key},
)
def norm_read_sub_le(case: Decided, read: Read = reference.read) -> Gap:
    """If every value is within `D` of the value of key `k`, the output is within `(1 - w k) * D` of
    it: a key with nearly all the weight nearly decides the output.

    In the largest-coordinate norm and in the Euclidean norm.
    """
    from_key = exact.balls(read(case.weights, case.values)) - case.exact_values[case.key]
    allowed = (1 - case.exact_weights[case.key]) * exact.balls(case.diameter)
    return gap(positive_part(largest_norms(from_key[None, :]) - allowed))


@claim(relation=Budget(rounding.projected_read), cases=reads.projected(), outside=True)
def map_read(case: Projected, read: Read = reference.read) -> Gap:
    """A linear output projection commutes with the read.

    The output is projected exactly, the values are projected in floats.
    """
    projected = exact.balls(read(case.weights, case.values)) @ case.exact_projection
    return gap(exact.distance(read(case.weights, case.others), projected))


@claim(
    relation=Budget(rounding.projected_hull),
    cases=reads.projected(),
    hypotheses={"hw": on_simplex},
    outside=True,
)
def map_read_mem_convexHull(case: Projected, read: Read = reference.read) -> Gap:
    """With non-negative weights that sum to one, after a linear projection the output lies in the
    convex hull of the *projected* values.

    The output is projected in floats, the values exactly.
    """
    output = exact.balls(read(case.weights, case.values) @ case.target.array(case.projection))
    points = case.exact_values @ case.exact_projection
    return gap(outside_of_hull(output, points, exact.balls(case.directions)))


@claim(
    relation=Budget(rounding.residual_hull),
    cases=reads.residuals(),
    hypotheses={"hw": on_simplex},
    outside=True,
)
def add_read_mem_convexHull(case: Residual, read: Read = reference.read) -> Gap:
    """With non-negative weights that sum to one, after a residual addition of `x` the output lies in
    the convex hull of the values *moved by `x`*.

    The output is added in floats, the values are moved exactly.
    """
    output = exact.balls(case.target.array(case.residual) + read(case.weights, case.values))
    points = case.exact_values + exact.balls(case.residual)
    return gap(outside_of_hull(output, points, exact.balls(case.directions)))
