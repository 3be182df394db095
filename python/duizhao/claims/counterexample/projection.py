"""Claims on where the bound stops: `lean/NeuralNetworks/Counterexample/Projection.lean`.

One key in each head, which gets the whole weight; nothing is rounded.
"""

from collections.abc import Callable

from flint import arb

from duizhao import attention as reference
from duizhao import exact
from duizhao import multi_head as reference_multi_head
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.refutation import leaves, refuted
from duizhao.claims.relation import Balls, Gap, Witness
from duizhao.strategies import refutations
from duizhao.strategies.counterexamples import OneKey, TwoHeads

Attention = Callable[[Array, Array, Array], Array]
Projection = Callable[[Array, Array], Array]

ZERO, ONE = arb(0), arb(1)


def in_unit_interval(numbers: Array) -> bool:
    """Return whether every number lies in `[0, 1]`."""
    return all(bool(ZERO <= number <= ONE) for number in exact.balls(numbers).ravel())


def leaves_unit_interval(numbers: Balls) -> bool:
    """Return whether some number is certainly outside of `[0, 1]`."""
    return leaves(numbers, ZERO, ONE)


@claim(relation=Witness(), cases=refutations.one_key(projected=True))
def not_attention_mul_mem_Icc(
    case: OneKey,
    attention: Attention = reference.attention,
    output_projection: Projection = reference_multi_head.output_projection,
) -> Gap:
    """An output projection can leave the range of the values.

    A value in `[0, 1]` and a projection that takes it above 1 or below 0.
    """
    computed = output_projection(attention(case.query, case.key, case.value), case.other)
    true = exact.output_projection(exact.attention(case.query, case.key, case.value), case.other)
    return refuted(
        in_unit_interval(case.value),
        leaves_unit_interval(exact.balls(computed)),
        leaves_unit_interval(true),
    )


@claim(relation=Witness(), cases=refutations.one_key(projected=False))
def not_add_attention_mem_Icc(case: OneKey, attention: Attention = reference.attention) -> Gap:
    """A residual addition can leave the range of the values.

    A value in `[0, 1]` and a residual that takes it above 1 or below 0.
    """
    computed = case.other + attention(case.query, case.key, case.value)
    true = exact.balls(case.other) + exact.attention(case.query, case.key, case.value)
    return refuted(
        in_unit_interval(case.value),
        leaves_unit_interval(exact.balls(computed)),
        leaves_unit_interval(true),
    )


@claim(relation=Witness(), cases=refutations.two_heads())
def not_multiHead_mul_mem_Icc(
    case: TwoHeads,
    multi_head: Attention = reference_multi_head.multi_head,
    output_projection: Projection = reference_multi_head.output_projection,
) -> Gap:
    """Adding the heads can leave the range, even if every entry of the output projection lies in
    `[0, 1]`.

    Two heads whose values and projections are between 3/4 and 1.
    """
    computed = output_projection(multi_head(case.query, case.key, case.value), case.projection)
    true = exact.output_projection(exact.multi_head(case.query, case.key, case.value), case.projection)
    return refuted(
        in_unit_interval(case.value),
        in_unit_interval(case.projection),
        leaves_unit_interval(exact.balls(computed)),
        leaves_unit_interval(true),
    )
