"""How far floating-point numbers may be from the theorems: one derived bound for each use.

The standard model of rounding: a computed operation is the exact one times `1 + δ` with `|δ| ≤ u`, and what underflows
is off by at most `tiny` besides. Every function takes the unit roundoff and the sizes, and instantiates theorems of
`lean/NeuralNetworks/Rounding.lean`; where a step rests on the model alone, its docstring says so. No other module holds a
tolerance.

* `duizhao.rounding.arithmetic`: what is assumed of a library in one dtype, and `gamma`, `accumulated`.
* `duizhao.rounding.weights`: bounds on softmax weights.
* `duizhao.rounding.outputs`: bounds on reads.
* `duizhao.rounding.attention`: bounds on attention.
* `duizhao.rounding.heads`: bounds on several heads.
* `duizhao.rounding.temperature`: bounds on softmax at a temperature, and at both ends.
* `duizhao.rounding.blocks`: bounds on states of blocks, their merges, and blockwise attention.
* `duizhao.rounding.jacobian`, `sensitivity`: bounds on the derivative of softmax, and on what theorems say of it.
* `duizhao.rounding.counterexamples`: bounds on what rounding could explain where an equation is false.
* `duizhao.rounding.steps`: bounds on a whole calculation, step by step.
* `duizhao.rounding.states`: bounds on merged states, entry by entry.
* `duizhao.rounding.sampling`: bounds on the mean of a sample.
* `duizhao.rounding.evaluation`: how far the bounds themselves are rounded.
* `duizhao.rounding.masks`: bounds on masked weights, and on reads with them.

A bound that would be infinite, empty or useless is refused: where `k * u ≥ 1/2` the functions raise.
"""

from duizhao.rounding.arithmetic import (
    EXP_ULP,
    FLUSHES,
    FORMATS,
    Arithmetic,
    Real,
    accumulated,
    arithmetic,
    gamma,
)
from duizhao.rounding.blocks import (
    acc_of_state,
    added,
    blockwise_read,
    merge_error,
    regrouped_states,
    relative_blockwise_weight,
    rescaled,
    rescaled_output,
    sum_of_state,
    underflow_of_state,
)
from duizhao.rounding.counterexamples import reads_of_equal_weights
from duizhao.rounding.evaluation import evaluated
from duizhao.rounding.jacobian import jacobian_error, jacobian_product
from duizhao.rounding.masks import (
    causal_sums,
    combined_reads,
    filled_weights,
    renormalised_weights,
    softmax_hull,
    softmax_read,
    sum_of_some_weights,
    two_softmax_reads,
    whole_number,
)
from duizhao.rounding.outputs import (
    convex_sets,
    decided_read,
    moved_read,
    projected_hull,
    projected_read,
    read_bounds,
    read_error,
    residual_hull,
    shifted_read,
    support,
    two_constants,
    two_value_order,
    two_value_read,
    updated_read,
)
from duizhao.rounding.steps import given_error, product_error, row_of_weights_error, score_error
from duizhao.rounding.temperature import heated_weights, reach_at_temperature, shared_weight
from duizhao.rounding.weights import (
    biased_weights,
    equal_weights,
    exponential,
    log_odds,
    log_odds_of_two_rows,
    neighbouring_weights,
    odds,
    relabelled_weights,
    relative_weight,
    scale_from_odds,
    sum_of_weights,
    underflow,
    weight_error,
    weights_of_near_rows,
    weights_of_other_scores,
    weights_of_two_rows,
)

__all__ = [
    "EXP_ULP",
    "FLUSHES",
    "FORMATS",
    "Arithmetic",
    "Real",
    "acc_of_state",
    "accumulated",
    "added",
    "arithmetic",
    "biased_weights",
    "blockwise_read",
    "causal_sums",
    "combined_reads",
    "convex_sets",
    "decided_read",
    "equal_weights",
    "evaluated",
    "exponential",
    "filled_weights",
    "gamma",
    "given_error",
    "heated_weights",
    "jacobian_error",
    "jacobian_product",
    "log_odds",
    "log_odds_of_two_rows",
    "merge_error",
    "moved_read",
    "neighbouring_weights",
    "odds",
    "product_error",
    "projected_hull",
    "projected_read",
    "reach_at_temperature",
    "read_bounds",
    "read_error",
    "reads_of_equal_weights",
    "regrouped_states",
    "relabelled_weights",
    "relative_blockwise_weight",
    "relative_weight",
    "renormalised_weights",
    "rescaled",
    "rescaled_output",
    "residual_hull",
    "row_of_weights_error",
    "scale_from_odds",
    "score_error",
    "shared_weight",
    "shifted_read",
    "softmax_hull",
    "softmax_read",
    "sum_of_some_weights",
    "sum_of_state",
    "sum_of_weights",
    "support",
    "two_constants",
    "two_softmax_reads",
    "two_value_order",
    "two_value_read",
    "underflow",
    "underflow_of_state",
    "updated_read",
    "weight_error",
    "weights_of_near_rows",
    "weights_of_other_scores",
    "weights_of_two_rows",
    "whole_number",
]
