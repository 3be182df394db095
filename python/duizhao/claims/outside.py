"""How far outputs are outside of where they must be.

* `outside_of`: bounds, coordinate by coordinate.
* `outside_of_hull`: the convex hull of points, direction by direction.
"""

import numpy as np
from flint import arb

from duizhao.claims.relation import Balls, positive_part
from duizhao.strategies.rows import largest


def outside_of(output: Balls, low: Balls, high: Balls) -> Balls:
    """Return how far an output is outside of bounds, coordinate by coordinate."""
    return np.maximum(positive_part(low - output), positive_part(output - high))


def outside_of_hull(output: Balls, points: Balls, directions: Balls) -> Balls:
    """Return how far an output is outside of the hull of points, in each direction: infinitely, if there are none."""
    if not len(points):
        return np.asarray([arb("inf")] * len(directions), dtype=object)
    farthest = np.asarray([largest(row) for row in directions @ points.T], dtype=object)
    return positive_part(directions @ output - farthest)
