"""Claims that the hypotheses of the bound are needed: `lean/NeuralNetworks/Counterexample/Hypotheses.lean`.

The cases are the numbers of Lean's proofs and others like them: short fractions, up to a power of two.
"""

from collections.abc import Callable

from flint import arb

from duizhao import exact
from duizhao import read as reference
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.refutation import leaves, refuted
from duizhao.claims.relation import Gap, Witness
from duizhao.strategies import refutations
from duizhao.strategies.readings import Between, TwoScalars

Read = Callable[[Array, Array], Array]


def outputs(case: Between | TwoScalars, read: Read) -> tuple[exact.Balls, exact.Balls]:
    """Return the output as it is computed, and over ℝ."""
    return exact.balls(read(case.weights, case.values)), exact.read(case.exact_weights, case.exact_values)


def is_no_interval_read(case: TwoScalars, read: Read) -> tuple[bool, bool]:
    """Return whether the combination is below `u` or above `v`, computed and over ℝ."""
    low, high = case.exact_values
    computed, true = outputs(case, read)
    return leaves(computed, low, high), leaves(true, low, high)


@claim(
    relation=Witness(),
    cases=refutations.two_scalars(-1.0, (-48, 12), ordered=True),
    refutes=[("attention_convex", "hw")],
)
def not_attention_convex_without_nonneg(case: TwoScalars, read: Read = reference.read) -> Gap:
    """Without `0 ≤ w` the combination can leave the interval.

    Weights from −4 to −1/4, with all else as `attention_convex` has it.
    """
    return refuted(case.weight <= 1, case.first <= case.second, *is_no_interval_read(case, read))


@claim(
    relation=Witness(),
    cases=refutations.two_scalars(2.0, (-12, 48), ordered=True),
    refutes=[("attention_convex", "hw1")],
)
def not_attention_convex_without_le_one(case: TwoScalars, read: Read = reference.read) -> Gap:
    """Without `w ≤ 1` the combination can leave the interval.

    Weights from 5/4 to 5, with all else as `attention_convex` has it.
    """
    return refuted(case.weight >= 0, case.first <= case.second, *is_no_interval_read(case, read))


@claim(
    relation=Witness(),
    cases=refutations.two_scalars(0.0, (0, 128), ordered=False, whole=128),
    refutes=[("attention_convex", "huv")],
)
def not_attention_convex_without_le(case: TwoScalars, read: Read = reference.read) -> Gap:
    """Without `u ≤ v` the bounds as written can fail.

    With `u > v` no number is at least `u` and at most `v`: whatever is computed refutes, if it is a number.
    """
    return refuted(0 <= case.weight <= 1, *is_no_interval_read(case, read))


def leaves_its_bounds(case: Between, read: Read) -> tuple[bool, bool, bool]:
    """Return whether every value keeps the bounds, and whether the output leaves them, computed and over ℝ."""
    computed, true = outputs(case, read)
    kept = all(bool(low <= value <= high) for value in case.exact_values[:, 0] for low, high in _bounds(case))
    return kept, leaves(computed, case.low, case.high), leaves(true, case.low, case.high)


def _bounds(case: Between) -> list[tuple[arb, arb]]:
    return list(zip(case.low, case.high, strict=True))


@claim(
    relation=Witness(),
    cases=refutations.heavy_weights(),
    refutes=[("read_mem_Icc", "hw.2")],
)
def not_read_mem_Icc_of_sum_ne_one(case: Between, read: Read = reference.read) -> Gap:
    """With non-negative weights that do not sum to one, the output can leave `[0, 1]` though every
    value lies in it.

    Weights whose sum is above one, on values of which one is 1.
    """
    return refuted(all(weight >= 0 for weight in case.exact_weights), *leaves_its_bounds(case, read))


@claim(
    relation=Witness(),
    cases=refutations.negative_weights(),
    refutes=[("read_mem_Icc", "hw.1")],
)
def not_read_mem_Icc_of_neg(case: Between, read: Read = reference.read) -> Gap:
    """Summing to one is not enough: with a negative weight the output can leave `[0, 1]` though every
    value lies in it.

    Two weights that sum to one exactly, of which one is negative; the output is above 1 or below 0.
    """
    return refuted(bool(case.exact_weights.sum() == 1), *leaves_its_bounds(case, read))
