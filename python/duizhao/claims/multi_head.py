"""Claims on several heads: `lean/NeuralNetworks/MultiHead.lean`.

Gaps are distances between what the reference functions compute and what the theorem says of it, evaluated on Arb balls.
Budgets come from `duizhao.rounding.attention` and `duizhao.rounding.heads`.
"""

from collections.abc import Callable

from duizhao import attention as reference_attention
from duizhao import exact
from duizhao import multi_head as reference
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.hypotheses.heads import (
    heads_have_a_key,
    keys_of_head_agree,
    queries_of_head_agree,
    values_of_head_agree,
    values_of_head_between_bounds,
)
from duizhao.claims.outside import outside_of
from duizhao.claims.relation import Budget, Exact, Gap, gap
from duizhao.rounding.attention import attention_bounds
from duizhao.rounding.heads import projected_heads
from duizhao.strategies import multi_heads
from duizhao.strategies.heads import BoundedHeads, OtherHeads, ProjectedHeads

MultiHead = Callable[[Array, Array, Array], Array]
Projection = Callable[[Array, Array], Array]


@claim(
    relation=Budget(attention_bounds),
    cases=multi_heads.bounded_heads(),
    hypotheses={"Nonempty": heads_have_a_key, "hV": values_of_head_between_bounds},
)
def multiHead_mem_Icc(case: BoundedHeads, multi_head: MultiHead = reference.multi_head) -> Gap:
    """With at least one key, every coordinate of the concatenated heads obeys the bounds of its own
    head.

    The output farthest outside, column by column of one head; the other heads have values of other sizes.
    """
    output = exact.balls(multi_head(case.query, case.key, case.value))[:, case.own]
    return gap(outside_of(output, case.low, case.high).max(axis=0))


@claim(
    relation=Exact(),
    cases=multi_heads.other_heads(),
    hypotheses={"hQ": queries_of_head_agree, "hK": keys_of_head_agree, "hV": values_of_head_agree},
)
def multiHead_congr(case: OtherHeads, multi_head: MultiHead = reference.multi_head) -> Gap:
    """Before the output projection, a head's coordinates depend on that head's queries, keys and
    values alone.

    Exact: every head has a place of its own on an axis in front.
    """
    first = exact.balls(multi_head(case.query, case.key, case.value))
    second = exact.balls(multi_head(case.other_query, case.other_key, case.other_value))
    return gap(exact.distance(second[:, case.own], first[:, case.own]))


@claim(relation=Budget(projected_heads), cases=multi_heads.projected_heads())
def multiHead_mul(
    case: ProjectedHeads,
    multi_head: MultiHead = reference.multi_head,
    output_projection: Projection = reference.output_projection,
    attention: MultiHead = reference_attention.attention,
) -> Gap:
    """The output projection of concatenated heads is the sum of the projections of every head by its
    own block of rows of `WO`.

    The heads on the right are computed one by one, and projected and added exactly.
    """
    together = output_projection(multi_head(case.query, case.key, case.value), case.matrix)
    alone = [
        exact.balls(attention(case.query[head, ...], case.key[head, ...], case.value[head, ...])) @ block
        for head, block in enumerate(case.blocks)
    ]
    return gap(exact.distance(together, sum(alone[1:], alone[0])))
