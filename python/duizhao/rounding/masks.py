"""Bounds on masked softmax weights and masked reads.

A key that is not allowed has the weight 0: adding 0 rounds nothing, so `n` counts the allowed keys alone, and the bounds of
`duizhao.rounding.weights` hold as they are.

* `renormalised_weights`, `sum_of_some_weights`, `filled_weights`: masks and plain softmax.
* `causal_sums`, `whole_number`: causal masks.
* `softmax_read`, `two_softmax_reads`, `combined_reads`, `softmax_hull`: reads with computed weights.
"""

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.arithmetic import accumulated, compounded
from duizhao.rounding.outputs import support
from duizhao.rounding.weights import odds, relative_weight, sum_of_weights, underflow, weight_error

Vector = NDArray[np.float64]


def renormalised_weights(
    u: float,
    n: int,
    weight: Vector,
    reach: float,
    full_reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on the distance of computed masked weights from computed softmax weights, zeroed and exactly renormalised.

    `weight_error` for the masked weights. The softmax weights are divided by one and the same computed sum, which
    cancels when they are renormalised: what is left is `odds`. Assumes that no softmax weight underflows.
    """
    own = weight_error(u, n, weight, reach, exp_ulp, tiny, accumulator)
    return np.asarray(own + odds(u, full_reach, exp_ulp) * weight)


def sum_of_some_weights(u: float, keys: int, tiny: float, accumulator: float | None = None) -> float:
    """Bound on how far the exact sum of some of `keys` computed softmax weights can exceed 1.

    `sum_of_weights`: no weight is negative, so that some of them sum to no more than all.
    """
    return sum_of_weights(u, keys, tiny, accumulator)


def filled_weights(
    u: float,
    n: int,
    keys: int,
    weight: Vector,
    filled_weight: NDArray[np.float64],
    reach: float,
    filled_reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on the distance of computed weights of filled scores from computed masked weights, beyond that over ℝ.

    `weight_error` for both: of `n` allowed keys under the mask, of all `keys` with each fill. `filled_weight`, `(fills,
    keys)`, are the true weights of the filled rows. Returns the bounds fill by fill, then those of the masked weights,
    for what is left over ℝ in the end.
    """
    masked = weight_error(u, n, weight, reach, exp_ulp, tiny, accumulator)
    filled = weight_error(u, keys, filled_weight, filled_reach, exp_ulp, tiny, accumulator)
    return np.concatenate([np.ravel(masked + filled), np.ravel(masked)])


def causal_sums(u: float, length: int, tiny: float, accumulator: float | None = None) -> Vector:
    """Bound on the distance from 1 of the exact sum of the computed weights of each of `length` causal queries.

    `sum_of_weights` for 1, 2, … keys.
    """
    return np.asarray([sum_of_weights(u, n, tiny, accumulator) for n in range(1, length + 1)])


def whole_number() -> float:
    """Bound on the error of a count: less than 1, so that only the right one keeps it. Its slack is 0, or it fails."""
    return 0.5


def softmax_read(
    u: float,
    n: int,
    terms: Vector,
    magnitude: Vector,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on the distance of a computed read with computed weights of `n` allowed keys from the true output.

    `roundedSoftmax_le` and `le_roundedSoftmax` for the weights (`relative_weight`, `underflow`) and
    `abs_roundedRead_sub_read_le` for the sum. `terms` is the sum of the magnitudes of true weight times value, `magnitude`
    the largest of an allowed value, for each coordinate: `n` weights that are off by an underflow pass on `n` of it.
    """
    relative, lost = relative_weight(u, n, reach, exp_ulp, accumulator), underflow(n, exp_ulp, tiny)
    g = accumulated(u, n, accumulator)
    return np.asarray(compounded(relative, g) * terms + lost * n * (1 + g) * magnitude + 2 * n * tiny)


def two_softmax_reads(
    u: float,
    n: int,
    terms: Vector,
    magnitude: Vector,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on the distance from the true output of each of two computed ones that are equal over ℝ: `softmax_read` twice.

    Their exponentials may be computed by other instructions, and their sums are added in another order.
    """
    return np.tile(softmax_read(u, n, terms, magnitude, reach, exp_ulp, tiny, accumulator), 2)


def combined_reads(
    u: float,
    n: int,
    terms: Vector,
    magnitude: Vector,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on the distance of a computed output over `n` keys from the exact combination of those over two blocks.

    `softmax_read` for the output over all keys. No block has more keys or a larger reach, and the blocks' sums of
    magnitudes of weight times value combine to `terms`: with weights that sum to 1 the combination is off by no more.
    """
    return 2 * softmax_read(u, n, terms, magnitude, reach, exp_ulp, tiny, accumulator)


def softmax_hull(
    u: float,
    n: int,
    magnitude: Vector,
    directions: NDArray[np.float64],
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on how far a computed read with computed weights can leave the hull of the `n` allowed values.

    `support`, in each of the `directions`, `(k, width)`, with `sum_of_weights` for the distance of the weights' sum from 1.
    """
    excess = sum_of_weights(u, n, tiny, accumulator)
    return support(u, n, excess, magnitude, directions, tiny, accumulator)
