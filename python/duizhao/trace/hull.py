"""The convex hull of points in the plane.

* `hull`: its corners.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


def hull(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the corners (corners, 2) of the convex hull of finite points (n, 2), anticlockwise; exactly those.

    Points on an edge are no corners: points on one line have two, equal points one. The sides are told apart in
    fractions (Andrew's monotone chain).
    """
    exact = sorted({(Fraction(float(x)), Fraction(float(y))) for x, y in points})
    if len(exact) > 2:
        lower, upper = _chain(exact), _chain(exact[::-1])
        exact = [*lower[:-1], *upper[:-1]]
    return np.array([[float(x), float(y)] for x, y in exact], dtype=np.float64)


Point = tuple[Fraction, Fraction]


def _chain(points: list[Point]) -> list[Point]:
    chain: list[Point] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(start: Point, corner: Point, end: Point) -> Fraction:
    return (corner[0] - start[0]) * (end[1] - start[1]) - (corner[1] - start[1]) * (end[0] - start[0])
