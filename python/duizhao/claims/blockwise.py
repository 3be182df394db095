"""Claims on blockwise attention: `lean/NeuralNetworks/Blockwise.lean`.

States are compared entry by entry with the exact ones, outputs with exact masked attention. Budgets come from
`duizhao.rounding.blocks` and `duizhao.rounding.states`. Where a function refuses a case because a number overflows, its
result is infinitely far.
"""

from collections.abc import Callable
from functools import reduce

import numpy as np
from flint import arb

from duizhao import blockwise as reference
from duizhao import exact, rounding
from duizhao.arrays import Array
from duizhao.blockwise import OnlineState
from duizhao.claims.claim import claim
from duizhao.claims.hypotheses.blocks import (
    blocks_are_disjoint,
    blocks_hold_all_keys,
    shifts_are_safe,
    start_is_safe,
)
from duizhao.claims.relation import Balls, Budget, Exact, Gap, Restricted, gap
from duizhao.claims.witnesses.blocks import (
    shift_of_two_that_overflows,
    shift_that_overflows,
    start_that_underflows,
)
from duizhao.rounding.states import merged_state, regrouped_state
from duizhao.strategies import blockwise
from duizhao.strategies.blocks import Blocks, Started, States

OfBlock = Callable[..., OnlineState]
Merge = Callable[[OnlineState, OnlineState], OnlineState]
Out = Callable[[OnlineState], Array]


def number(array: Array) -> float:
    """Return an array without axes as a float."""
    return float(array)


def same(first: float, second: float, tiny: float) -> arb:
    """Return 0 if two numbers are equal, or differ by less than what an underflow loses, else infinity.

    Where subnormal numbers are kept, different numbers differ by at least as much.
    """
    return arb(0) if first == second or abs(first - second) < tiny else arb("inf")


def refused(width: int) -> Gap:
    """Return the gap of a case of which a function says that a number overflows."""
    return gap([arb("inf")] * width)


def apart(first: OnlineState, second: OnlineState, tiny: float) -> Balls:
    """Return the distances of two computed states: the shift, which must be equal, the sum, then `acc`."""
    shifts = same(number(first.max), number(second.max), tiny)
    sums = exact.distance(first.sum, exact.balls(second.sum))
    acc = exact.distance(first.acc, exact.balls(second.acc))
    return np.asarray([shifts, *sums.ravel(), *acc.ravel()], dtype=object)


def read_in_turn(case: Blocks, of_block: OfBlock, merge: Merge) -> OnlineState:
    """Return the state after reading the blocks one after the other, each with its shift."""
    states = (
        of_block(case.scores, case.values, mask=case.mask(index), shift=case.shift(index))
        for index in range(len(case.members))
    )
    return reduce(merge, states)


def output_in_turn(case: Blocks, of_block: OfBlock, merge: Merge, out: Out) -> Gap:
    """Return how far the output after reading the blocks in turn is from masked attention over their union."""
    try:
        output = out(read_in_turn(case, of_block, merge))
    except OverflowError:
        return refused(case.true_output.size)
    return gap(exact.distance(output, case.true_output))


@claim(
    relation=Restricted(merged_state, shifts_are_safe, shift_of_two_that_overflows),
    cases=blockwise.blocks_of_keys(least=2, most=2),
    hypotheses={"h": blocks_are_disjoint},
)
def merge_ofBlock(
    case: Blocks, of_block: OfBlock = reference.of_block, merge: Merge = reference.merge
) -> Gap:
    """Merging the states of two disjoint blocks is the state of their union.

    The merged state is compared with the exact state of the union: the shift exactly, sum and `acc` with a budget. A shift
    that is not the largest score of its block restricts the inputs: an exponential can overflow.
    """
    truth = case.true_state
    try:
        state = read_in_turn(case, of_block, merge)
    except OverflowError:
        return refused(2 + truth.acc.size)
    shift = same(number(state.max), float(np.max(case.shifts)), case.tiny)
    return gap(shift, exact.distance(state.sum, truth.sum), exact.distance(state.acc, truth.acc))


@claim(relation=Exact(), cases=blockwise.states(2))
def merge_comm(case: States, merge: Merge = reference.merge) -> Gap:
    """The order of two states does not matter.

    Exact: both orders add the same two products.
    """
    first, second = case.state(0), case.state(1)
    return gap(apart(merge(first, second), merge(second, first), case.tiny))


@claim(relation=Budget(regrouped_state), cases=blockwise.states(3))
def merge_assoc(case: States, merge: Merge = reference.merge) -> Gap:
    """States may be merged in any grouping, so blocks can be read in parallel.

    The shift is exactly the same; sum and `acc` are rescaled in steps that differ.
    """
    first, second, third = (case.state(index) for index in range(3))
    left, right = merge(merge(first, second), third), merge(first, merge(second, third))
    return gap(apart(left, right, case.tiny))


@claim(
    relation=Restricted(rounding.rescaled_output, start_is_safe, start_that_underflows),
    cases=blockwise.started(),
)
def out_merge_zero(case: Started, merge: Merge = reference.merge, out: Out = reference.out) -> Gap:
    """An empty starting state does not change the output.

    Exactly, if the empty state's shift is at or below that of the state, or minus infinity, as programs start. Above it the
    state is rescaled, within a budget, unless that underflows.
    """
    before, after = out(case.state(0)), out(merge(case.empty, case.state(0)))
    moved = exact.distance(after, exact.balls(before))
    if case.below:
        moved = np.asarray([arb(0) if ball == 0 else arb("inf") for ball in moved.ravel()], dtype=object)
    return gap(moved)


@claim(
    relation=Restricted(rounding.blockwise_read, shifts_are_safe, shift_that_overflows),
    cases=blockwise.blocks_of_keys(most=1),
)
def out_ofBlock(case: Blocks, of_block: OfBlock = reference.of_block, out: Out = reference.out) -> Gap:
    """The output of a block is masked attention over its keys, whatever the shift.

    A shift that is not the block's largest score restricts the inputs: an exponential can overflow, or all can underflow.
    """
    return output_in_turn(case, of_block, reference.merge, out)


@claim(
    relation=Restricted(rounding.blockwise_read, shifts_are_safe, shift_of_two_that_overflows),
    cases=blockwise.blocks_of_keys(least=2, most=2),
    hypotheses={"h": blocks_are_disjoint},
)
def out_merge_ofBlock(
    case: Blocks,
    of_block: OfBlock = reference.of_block,
    merge: Merge = reference.merge,
    out: Out = reference.out,
) -> Gap:
    """Reading two disjoint blocks and merging is masked attention over their union.

    Restricted as `out_ofBlock`.
    """
    return output_in_turn(case, of_block, merge, out)


@claim(
    relation=Restricted(rounding.blockwise_read, shifts_are_safe, shift_that_overflows),
    cases=blockwise.blocks_of_keys(),
    hypotheses={"h": blocks_are_disjoint},
    outside=True,
)
def out_foldl_merge(
    case: Blocks,
    of_block: OfBlock = reference.of_block,
    merge: Merge = reference.merge,
    out: Out = reference.out,
) -> Gap:
    """Reading a list of disjoint blocks one after the other, each with a shift of its own, is masked
    attention over their union.

    Up to five blocks, some of them empty. Restricted as `out_ofBlock`.
    """
    return output_in_turn(case, of_block, merge, out)


@claim(
    relation=Restricted(rounding.blockwise_read, shifts_are_safe, shift_that_overflows),
    cases=blockwise.blocks_of_keys(cover=True),
    hypotheses={"h": blocks_are_disjoint, "hU": blocks_hold_all_keys},
    outside=True,
)
def out_foldl_merge_univ(
    case: Blocks,
    of_block: OfBlock = reference.of_block,
    merge: Merge = reference.merge,
    out: Out = reference.out,
    blockwise_attention: Callable[..., Array] = reference.blockwise_attention,
) -> Gap:
    """Reading a partition of all keys, block by block, is attention.

    Compared with attention to all keys, whatever the blocks hold. Where each block's shift is its largest score, so is
    `blockwise_attention`, in both of its orders, with the query 1, the scores as keys, and the scale 1. Restricted as
    `out_ofBlock`.
    """
    truth = exact.read(exact.softmax(case.row), case.exact_values)
    try:
        outputs = [out(read_in_turn(case, of_block, merge))]
        if case.own and blocks_are_disjoint(case) and blocks_hold_all_keys(case):
            keys = case.target.xp.reshape(case.scores, (case.n, 1))
            blocks = [np.flatnonzero(held).tolist() for held in case.members]
            query = case.target.array([[1.0]])
            for order in ("in turn", "pairwise"):
                options = {"blocks": blocks, "order": order, "scale": 1.0}
                outputs.append(blockwise_attention(query, keys, case.values, **options)[0, :])
    except OverflowError:
        return refused(truth.size)
    return gap(reduce(np.maximum, [exact.distance(output, truth) for output in outputs]))
