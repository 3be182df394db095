"""Claims on scaled dot-product attention: `lean/NeuralNetworks/Attention.lean`.

Gaps are distances between what the reference functions compute and what the theorem says of it, evaluated on Arb balls.
Budgets come from `duizhao.rounding.attention`.
"""

from collections.abc import Callable

import numpy as np
from flint import arb

from duizhao import attention as reference
from duizhao import exact, rounding
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.hypotheses.attentions import (
    column_on_simplex,
    has_a_key,
    inputs_agree_so_far,
    layers_have_a_key,
    no_weight_underflows,
    query_is_zero,
    query_may_read_a_key,
    values_between_bounds,
)
from duizhao.claims.outside import outside_of, outside_of_hull
from duizhao.claims.relation import Balls, Budget, Exact, Gap, Restricted, gap
from duizhao.claims.witnesses.attentions import key_that_underflows
from duizhao.rounding import attention as bounds
from duizhao.strategies import attentions, self_attentions
from duizhao.strategies.attending import (
    Attending,
    Averaged,
    Bounded,
    Compared,
    Directed,
    Later,
    Masked,
    MovedKeys,
    MovedValues,
    Projected,
    Reordered,
    SelfAttending,
    Twice,
)

Weights = Callable[[Array, Array], Array]
Attention = Callable[[Array, Array, Array], Array]
MaskedAttention = Callable[[Array, Array, Array, Array], Array]


def output_of(case: Attending, attention: Attention) -> Balls:
    """Return the computed output of a case."""
    return exact.balls(attention(case.query, case.key, case.value))


def taken(case: Attending | SelfAttending, rows: Array, order: tuple[int, ...]) -> Array:
    """Return rows in another order."""
    xp = case.target.xp
    return xp.take(rows, xp.asarray(order), axis=0)


@claim(
    relation=Budget(rounding.sum_of_weights),
    cases=attentions.attendings(),
    hypotheses={"Nonempty": has_a_key},
    outside=True,
)
def attentionWeights_mem_stdSimplex(
    case: Attending, attention_weights: Weights = reference.attention_weights
) -> Gap:
    """With at least one key, no weight is negative and every row of weights sums to one: it is a point
    of the standard simplex.

    A negative weight has no budget: it counts as an infinite gap.
    """
    weights = exact.balls(attention_weights(case.query, case.key))
    negative = arb("inf") if any(weight < 0 for weight in weights.ravel()) else arb(0)
    return gap(abs(weights.sum(axis=-1) - 1), negative)


@claim(
    relation=Budget(bounds.attention_bounds),
    cases=attentions.bounded(),
    hypotheses={"Nonempty": has_a_key, "hV": values_between_bounds},
    outside=True,
)
def attention_mem_Icc(case: Bounded, attention: Attention = reference.attention) -> Gap:
    """With at least one key, an output coordinate lies between the bounds of its column of values.

    The output farthest outside, column by column, for the closest bounds and for looser ones.
    """
    return gap(outside_of(output_of(case, attention), case.low, case.high).max(axis=0))


@claim(
    relation=Budget(bounds.attention_support),
    cases=attentions.directed(),
    hypotheses={"Nonempty": has_a_key},
    outside=True,
)
def attention_mem_convexHull(case: Directed, attention: Attention = reference.attention) -> Gap:
    """With at least one key, an output row lies in the convex hull of the value rows.

    In each direction the output goes no farther than the farthest value.
    """
    output = output_of(case, attention)[case.row]
    return gap(outside_of_hull(output, case.exact_value, exact.balls(case.directions)))


@claim(
    relation=Budget(bounds.two_layers),
    cases=attentions.twice(),
    hypotheses={"Nonempty": layers_have_a_key, "hV": values_between_bounds},
)
def attention_attention_mem_Icc(case: Twice, attention: Attention = reference.attention) -> Gap:
    """With at least one key in each layer, attention over the outputs of attention, without
    projection, stays within the same bounds.
    """
    first = attention(case.query, case.key, case.value)
    second = exact.balls(attention(case.second_query, case.second_key, first))
    return gap(outside_of(second, case.low, case.high).max(axis=0))


@claim(
    relation=Restricted(bounds.attention_log_odds, no_weight_underflows, key_that_underflows),
    cases=attentions.compared(),
    outside=True,
)
def log_attentionWeights_div(case: Compared, attention_weights: Weights = reference.attention_weights) -> Gap:
    """The logarithm of the weight of key `j` over that of key `k` is the query's dot product with
    `K j - K k`, over `√d`.

    Every key is compared with one, for every query. The one identity that sees a wrong scale: row sums and bounds do not.
    """
    weights = exact.balls(attention_weights(case.query, case.key))
    keys = exact.balls(case.key)
    expected = exact.scores(case.query, keys - keys[case.second])
    ratios = [[exact.log_ratio(weight, row[case.second]) for weight in row] for row in weights]
    return gap(abs(np.asarray(ratios, dtype=object) - expected))


@claim(relation=Budget(bounds.moved_weights), cases=attentions.moved_keys(), outside=True)
def attentionWeights_add_key(
    case: MovedKeys, attention_weights: Weights = reference.attention_weights
) -> Gap:
    """Adding one vector to every key changes no weight.

    The sums are rounded before the scores are computed; by how much is part of the budget.
    """
    before = exact.balls(attention_weights(case.query, case.key))
    return gap(exact.distance(attention_weights(case.query, case.others), before))


@claim(
    relation=Budget(rounding.equal_weights),
    cases=attentions.attendings(zero_query=True),
    hypotheses={"hQ": query_is_zero},
    outside=True,
)
def attentionWeights_of_query_eq_zero(
    case: Attending, attention_weights: Weights = reference.attention_weights
) -> Gap:
    """A zero query weighs all keys equally."""
    weights = exact.balls(attention_weights(case.query, case.key))[case.row]
    return gap(exact.distance(weights, np.asarray([arb(1) / case.n] * case.n, dtype=object)))


@claim(
    relation=Budget(bounds.shifted_attention),
    cases=attentions.moved_values(),
    hypotheses={"Nonempty": has_a_key},
    outside=True,
)
def attention_add_row(case: MovedValues, attention: Attention = reference.attention) -> Gap:
    """With at least one key, adding one row to every value row adds it to every output row.

    The sums are rounded before they are read; by how much is part of the budget.
    """
    before = output_of(case, attention)
    moved = attention(case.query, case.key, case.others)
    return gap(exact.distance(moved, before + exact.balls(case.constant)))


@claim(relation=Exact(), cases=attentions.attendings(zero_values=True), outside=True)
def attention_zero(case: Attending, attention: Attention = reference.attention) -> Gap:
    """Zero values give a zero output: the weights alone do not say what was read.

    Exact: every product is a zero. The zeros have either sign, and so may the output.
    """
    return gap(abs(output_of(case, attention)))


@claim(relation=Budget(bounds.projected_attention), cases=attentions.projected(), outside=True)
def attention_mul(case: Projected, attention: Attention = reference.attention) -> Gap:
    """Projecting the output is the same as projecting the values.

    The output is projected exactly, the values are projected in floats.
    """
    projected = output_of(case, attention) @ exact.balls(case.projection)
    return gap(exact.distance(attention(case.query, case.key, case.others), projected))


@claim(
    relation=Budget(bounds.column_bounds),
    cases=attentions.averaged(),
    hypotheses={"Nonempty": has_a_key, "hW": column_on_simplex, "hV": values_between_bounds},
    outside=True,
)
def attention_mul_mem_Icc(case: Averaged, attention: Attention = reference.attention) -> Gap:
    """With at least one key, if a column of the output projection is non-negative and sums to one,
    that output coordinate stays within bounds that all values share.

    The output is projected in floats.
    """
    output = exact.balls(attention(case.query, case.key, case.value) @ case.projection)
    return gap(outside_of(output, case.low, case.high))


@claim(relation=Budget(bounds.reordered_attention), cases=attentions.reordered_keys(), outside=True)
def attention_submatrix_keys(case: Reordered, attention: Attention = reference.attention) -> Gap:
    """Reordering keys and values together changes nothing.

    Both are computed; sums over the keys are added in another order.
    """
    key, value = taken(case, case.key, case.order), taken(case, case.value, case.order)
    return gap(exact.distance(attention(case.query, key, value), output_of(case, attention)))


@claim(relation=Budget(bounds.chosen_rows), cases=attentions.chosen_queries(), outside=True)
def attention_submatrix_queries(case: Reordered, attention: Attention = reference.attention) -> Gap:
    """Reordering the queries reorders the output rows.

    A budget, not exact: matrix products of another shape, or of the same rows in other places, may add in another order.
    """
    chosen = attention(taken(case, case.query, case.order), case.key, case.value)
    return gap(exact.distance(chosen, output_of(case, attention)[list(case.order)]))


@claim(
    relation=Budget(bounds.projected_self_attention), cases=self_attentions.reordered_inputs(), outside=True
)
def selfAttention_submatrix(case: SelfAttending, attention: Attention = reference.attention) -> Gap:
    """Without mask or positions, reordering the input rows of self-attention reorders its output rows
    the same way.

    Queries, keys and values are projected in floats, before and after.
    """
    before = exact.balls(attention(*case.projected(case.inputs)))
    after = attention(*case.projected(taken(case, case.inputs, case.order)))
    return gap(exact.distance(after, before[list(case.order)]))


@claim(relation=Exact(), cases=attentions.masked(everything=True), outside=True)
def maskedAttention_univ(
    case: Masked,
    masked_attention: MaskedAttention = reference.masked_attention,
    attention: Attention = reference.attention,
) -> Gap:
    """Allowing every key to every query is attention.

    Exact: with a mask that keeps all, the reference functions take the same steps.
    """
    masked = masked_attention(case.query, case.key, case.value, case.mask)
    return gap(exact.distance(masked, output_of(case, attention)))


@claim(
    relation=Budget(bounds.attention_support),
    cases=attentions.masked(),
    hypotheses={"hA": query_may_read_a_key},
    outside=True,
)
def maskedAttention_mem_convexHull(
    case: Masked, masked_attention: MaskedAttention = reference.masked_attention
) -> Gap:
    """If a query may read some key, its output row lies in the convex hull of the value rows that it
    may read.

    In each direction the output goes no farther than the farthest value that the query may read; others are often far away.
    """
    output = exact.balls(masked_attention(case.query, case.key, case.value, case.mask))[case.row]
    return gap(outside_of_hull(output, case.readable, exact.balls(case.directions)))


@claim(
    relation=Exact(),
    cases=self_attentions.later_inputs(),
    hypotheses={"h": inputs_agree_so_far},
    outside=True,
)
def maskedAttention_causal_congr(
    case: Later, masked_attention: MaskedAttention = reference.masked_attention
) -> Gap:
    """Under a causal mask, changing later input rows changes no earlier output row.

    Exact for finite inputs: a later key has weight 0, and products of one shape treat their rows alike.
    """
    before, after = (
        exact.balls(masked_attention(*case.projected(rows), case.causal))
        for rows in (case.inputs, case.others)
    )
    so_far = slice(0, case.row + 1)
    return gap(exact.distance(after[so_far], before[so_far]))
