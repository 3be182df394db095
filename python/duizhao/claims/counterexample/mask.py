"""Claims on masks that are not masks, and on what a mask breaks: `lean/NeuralNetworks/Counterexample/Mask.lean`."""

from collections.abc import Callable

from flint import arb

from duizhao import exact, rounding
from duizhao import mask as reference
from duizhao import read as reference_read
from duizhao import softmax as reference_softmax
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.refutation import differs, leaves, refuted
from duizhao.claims.relation import Budget, Gap, Witness
from duizhao.strategies import refutations
from duizhao.strategies.counterexamples import Filled, NoKey, Swapped

Softmax = Callable[[Array], Array]
MaskedSoftmax = Callable[[Array, Array], Array]
Read = Callable[[Array, Array], Array]


@claim(relation=Witness(), cases=refutations.filled(), outside=True)
def not_softmax_fill_le_half(case: Filled, softmax: Softmax = reference_softmax.softmax) -> Gap:
    """Whatever the finite fill, there are scores for which the disallowed key holds more than half the
    weight.

    The allowed key scores one less than the fill. From magnitudes of about `1 / u` on, that is no other float, and it
    scores 0 below a positive fill, and twice a negative one or the lowest float. The one fill with no witness in floats is
    the lowest float itself: no finite score is below it, so that the disallowed key holds half of the weight at most.
    """
    computed, true = exact.balls(softmax(case.scores))[1], exact.softmax(case.scores)[1]
    return refuted(bool(computed > arb(1) / 2), bool(true > arb(1) / 2))


@claim(relation=Witness(), cases=refutations.swapped())
def not_read_causalSoftmax_comp_swap(
    case: Swapped, causal_softmax: Softmax = reference.causal_softmax, read: Read = reference_read.read
) -> Gap:
    """Under a causal mask, reordering the positions need not just reorder the outputs: who comes first
    matters.

    With equal scores the first position reads itself, the second the mean of both; the values differ.
    """
    weights, true_weights = causal_softmax(case.scores), exact.causal_softmax(case.scores)
    computed = exact.balls(read(weights[0, :], case.swapped)), exact.balls(read(weights[1, :], case.values))
    true = exact.read(true_weights[0], case.swapped), exact.read(true_weights[1], case.values)
    allowed = Budget(rounding.reads_of_equal_weights).allowed(case)
    return refuted(differs(*computed, allowed), differs(*true))


@claim(
    relation=Witness(),
    cases=refutations.no_keys(),
    refutes=[("read_maskedSoftmax_mem_convexHull", "hA")],
)
def not_read_mem_Icc_of_empty(
    case: NoKey,
    masked_softmax: MaskedSoftmax = reference.masked_softmax,
    read: Read = reference_read.read,
) -> Gap:
    """With no allowed key the output of this library is `0`, which need not lie between the values.

    Any scores, and values in `[1, 3]`.
    """
    low, high = arb(1), arb(3)
    computed = exact.balls(read(masked_softmax(case.scores, case.mask), case.values))
    true = exact.read(exact.masked_softmax(case.scores, [False, False]), case.values)
    kept = all(bool(low <= value <= high) for value in exact.balls(case.values))
    return refuted(kept, leaves(computed, low, high), leaves(true, low, high))
