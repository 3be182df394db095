"""Bounds on what rounding could explain where an equation is false.

* `reads_of_equal_weights`: two reads whose weights are 1, or 1/2 each.
"""

from duizhao.rounding.arithmetic import Real
from duizhao.rounding.outputs import read_error
from duizhao.rounding.weights import equal_weights


def reads_of_equal_weights(
    u: float, n: int, terms: float, tiny: float, accumulator: float | None = None
) -> Real:
    """Bound on the distance of two computed reads of `n` values that are equal over ℝ, with weights of equal scores.

    `equal_weights` for the weights, times `terms`, the sum of the magnitudes of the values; `read_error` for each sum.
    Both twice. A single key has weight 1 exactly, which `equal_weights` allows for.
    """
    weights = n * equal_weights(u, n, tiny, accumulator)
    return 2 * (weights * terms + read_error(u, n, (1 + weights) * terms, tiny, accumulator))
