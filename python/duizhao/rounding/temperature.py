"""Bounds on softmax at a temperature, and at both ends.

* `reach_at_temperature`: what to take for the reach where scores are divided by a temperature.
* `shared_weight`: equal weights of a number of keys, as in the limits.
* `heated_weights`: weights at rising temperatures, beside their limit.
"""

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.arithmetic import compounded, divided_by
from duizhao.rounding.weights import weight_error


def reach_at_temperature(u: float, gap: float, temperature: float) -> float:
    """The reach for which the bounds on softmax hold of softmax at a temperature, for scores at most `gap` apart.

    Over ℝ the reach is `gap / T`. The difference of two scores is rounded, so is its quotient by the temperature, and so is
    the temperature if the dtype does not hold it: the computed quotient is off by at most `(1 + u)² / (1 - u) - 1` of
    itself, where bounds on softmax count one rounding, `u`. Rests on the standard model alone.
    """
    return gap / temperature * (compounded(u, u, divided_by(u)) / u)


def shared_weight(u: float, keys: int, tiny: float) -> float:
    """Bound on the distance from `1 / keys` of the computed weights of keys that share the weight, as in both limits.

    They are counted exactly. The count is rounded to the dtype, which changes nothing up to `1 / u`, and the division is
    rounded once; the quotient of the two is `roundedSoftmax_le` with a = 0. The other weights are exactly 0.

    Raises:
        ValueError: If there is no key.
    """
    if keys < 1:
        raise ValueError(f"keys: at least 1 is needed, got {keys}")
    count = u if keys * u > 1 else 0.0
    return compounded(u, divided_by(count)) / keys + tiny


def heated_weights(
    u: float,
    n: int,
    weight: NDArray[np.float64],
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> NDArray[np.float64]:
    """Bound on how much farther computed weights are from the computed limit `1 / n` than over ℝ, at each temperature.

    `weight_error` for the weights, of which `weight`, `(temperatures, n)`, are the true ones and `reach` that at the lowest
    temperature (`reach_at_temperature`), and `shared_weight` for the limit. Returns the bounds temperature by temperature.
    """
    computed = weight_error(u, n, weight, reach, exp_ulp, tiny, accumulator)
    return np.ravel(np.asarray(computed + shared_weight(u, n, tiny)))
