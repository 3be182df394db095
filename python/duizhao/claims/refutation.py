"""How a false claim is seen to fail.

* `refuted`: the gap of a claim whose relation is `Witness`.
* `leaves`, `differs`: what must hold of numbers that were computed, in floats or on balls.

A comparison of balls holds only if it certainly does, and never of what is no number: a missing number refutes nothing.
"""

from typing import Any

import numpy as np
from flint import arb

from duizhao.claims.relation import Gap, gap


def refuted(*facts: bool) -> Gap:
    """Return 0 for each fact that holds, and infinity for each that does not.

    The facts are those that together make a claim false: what it assumes holds, and what it concludes does not.
    """
    return gap([arb(0) if fact else arb.pos_inf() for fact in facts])


def leaves(numbers: Any, low: Any, high: Any) -> bool:
    """Return whether some number is certainly below `low` or above `high`."""
    return any(
        bool(number < least) or bool(number > most)
        for number, least, most in np.broadcast(
            np.asarray(numbers, dtype=object), np.asarray(low, dtype=object), np.asarray(high, dtype=object)
        )
    )


def differs(numbers: Any, others: Any, allowed: Any = 0.0) -> bool:
    """Return whether some number certainly differs from another by more than is allowed.

    In floats, `allowed` is what rounding could explain if the two were equal over ℝ; on balls it is nothing.
    """
    distances = np.ravel(np.asarray(abs(numbers - others), dtype=object))
    bounds = np.broadcast_to(np.ravel(np.asarray(allowed, dtype=np.float64)), distances.shape)
    return any(
        bool(distance.is_finite()) and bool(distance > arb(float(bound)))
        for distance, bound in zip(distances, bounds, strict=True)
    )
