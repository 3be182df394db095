"""Bounds on whole states of blocks, entry by entry.

* `merged_state`: the state of two blocks that were merged.
* `regrouped_state`: three states that were merged in different groupings.

The entries are the shift, the sum, and the coordinates of `acc`. The shift is one of the numbers that are given, and is
exact; its own bound is that of the sum.
"""

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.blocks import acc_of_state, regrouped_states, sum_of_state, underflow_of_state

Vector = NDArray[np.float64]


def merged_state(
    u: float,
    n: int,
    block: int,
    depth: int,
    merges: int,
    reach: float,
    state_terms: Vector,
    state_magnitudes: Vector,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on the distance of merged states from the exact state of the union: the shift, the sum, then `acc`.

    `sum_of_state` and `acc_of_state` for the rounding, over `state_terms`: the exact sum of the exponentials, and of
    their products with the values' magnitudes, coordinate by coordinate. `underflow_of_state` on top, for
    `state_magnitudes`: the number of keys, and the sums of the values' magnitudes. Where a block's shift is not its
    largest score, nothing may over- or underflow.
    """
    of_sum = sum_of_state(u, block, depth, reach, exp_ulp, accumulator)
    of_acc = acc_of_state(u, block, depth, reach, exp_ulp, accumulator)
    relative = np.full(state_terms.shape, of_acc)
    relative[0] = of_sum
    lost = np.asarray(underflow_of_state(n, depth, merges, state_magnitudes, exp_ulp, tiny))
    bounds = relative * state_terms + lost
    return np.concatenate([bounds[:1], bounds])


def regrouped_state(
    u: float, state_terms: Vector, state_magnitudes: Vector, spread: float, exp_ulp: float, tiny: float
) -> Vector:
    """Bound on the distance of three states merged in two groupings, entry by entry: `regrouped_states`.

    `state_terms` are the exactly rescaled magnitudes of sum and `acc`, added up; `state_magnitudes` those as they are.
    """
    bounds = np.asarray(regrouped_states(u, state_terms, state_magnitudes, spread, exp_ulp, tiny))
    return np.concatenate([bounds[:1], bounds])
