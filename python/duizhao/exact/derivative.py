"""The derivative of softmax without its formula: by arithmetic with power series.

* `softmax_derivative`: of all weights in one score.
"""

import flint

from duizhao.exact.conversion import Balls, balls, filled, precision

DIGITS = 1200
"""Bits in which series are evaluated: 1 minus a weight keeps its leading bits down to the smallest float64."""


def softmax_derivative(scores: object, key: int) -> Balls:
    """Return the derivatives of softmax of scores (keys,) in the score of `key`: (keys,).

    Each score is the constant term of a power series, and that of `key` has the slope 1: the slopes of the quotients
    are the derivatives. This uses the definition of softmax alone, not `softmaxJacobian` in `Sensitivity.lean`.

    Args:
        scores: Finite numbers as `balls` takes them.
        key: The number of the key.

    Raises:
        ValueError: If there is not exactly one axis, with at least one key.
    """
    row = balls(scores)
    if row.ndim != 1 or row.shape[0] == 0:
        raise ValueError(f"scores: one axis with at least one key is needed, got shape {row.shape}")
    with precision(DIGITS):
        shift = max((score.mid() for score in row), key=lambda middle: middle)
        powers = [
            flint.arb_series([score - shift, int(index == key)], prec=2).exp()
            for index, score in enumerate(row)
        ]
        total = sum(powers[1:], powers[0])
        slopes = [(power / total)[1] for power in powers]
    return filled(slopes, (len(slopes),))
