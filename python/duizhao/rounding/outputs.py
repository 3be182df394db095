"""Bounds on computed reads: weighted sums of values.

* `read_error`: the distance from the exact sum.
* `read_bounds`: how far an output can leave the range of the values.
* `convex_sets`, `support`, `projected_hull`, `residual_hull`: the same for convex sets and hulls, before and after a
  projection or a residual addition.
* `two_constants`, `shifted_read`, `updated_read`, `moved_read`, `decided_read`, `projected_read`: two reads compared.
* `two_value_read`, `two_value_order`: softmax weights on two values.
"""

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.arithmetic import Real, accumulated
from duizhao.rounding.weights import relative_weight, underflow

Vector = NDArray[np.float64]


def read_error(u: float, n: int, terms: Real, tiny: float, accumulator: float | None = None) -> Real:
    """Bound on the distance of a computed read of `n` values from the exact one, for the weights as they are.

    `abs_roundedRead_sub_read_le` with γ = `gamma(u, n)`: each product is rounded once and goes through at most `n - 1`
    additions, in any order. `terms` is the sum of the magnitudes `|w v|`. Each product that underflows adds at most
    `tiny`, and the factor 2 covers its further roundings. Assumes that nothing overflows.
    """
    return accumulated(u, n, accumulator) * terms + 2 * n * tiny


def read_bounds(
    u: float, n: int, excess: float, magnitude: Real, tiny: float, accumulator: float | None = None
) -> Real:
    """Bound on how far a computed read of values in `[m, M]` can leave the interval.

    `roundedRead_mem_Icc` with γ = `gamma(u, n)`, ε = `excess`, the exact distance of the weights' sum from 1, and B =
    `magnitude`, the larger of `|m|` and `|M|`: `(γ (1 + ε) + ε) B`; underflow as in `read_error`. The same number bounds
    the distance from the exact average of the values, coordinate by coordinate, so it serves every convex set.
    """
    g = accumulated(u, n, accumulator)
    return (g * (1 + excess) + excess) * magnitude + 2 * n * tiny


def euclidean(vector: Vector) -> float:
    """Return the Euclidean norm, which does not underflow to 0 unless the vector is 0."""
    return float(np.hypot.reduce(vector))


def convex_sets(
    u: float,
    n: int,
    excess: float,
    magnitude: Vector,
    direction: Vector,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on how far a computed read can leave boxes, a ball and a half-space that hold all values.

    `read_bounds` coordinate by coordinate bounds the distance β from the exact average, which lies in every convex set.
    It leaves a box by at most β in each coordinate, a ball by at most the Euclidean norm of β, and a half-space
    `h · x ≤ c` by at most `Σ |h| β`. Returns one bound a coordinate, then the ball's, then the half-space's.
    """
    beta = np.asarray(read_bounds(u, n, excess, magnitude, tiny, accumulator))
    return np.concatenate([beta, [euclidean(beta), np.abs(direction) @ beta]])


def support(
    u: float,
    n: int,
    excess: float,
    magnitude: Vector,
    directions: NDArray[np.float64],
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on how far a computed read can leave the values' convex hull, in each of the `directions`, `(k, width)`.

    `read_bounds` coordinate by coordinate, weighted by the magnitudes of the direction's coordinates.
    """
    return np.asarray(
        np.abs(directions) @ np.asarray(read_bounds(u, n, excess, magnitude, tiny, accumulator))
    )


def two_constants(
    u: float,
    n: int,
    excess: float,
    other_excess: float,
    magnitude: Vector,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on the distance of two computed reads of one value with different weights: `read_bounds` twice."""
    first = read_bounds(u, n, excess, magnitude, tiny, accumulator)
    return np.asarray(first + read_bounds(u, n, other_excess, magnitude, tiny, accumulator))


def shifted_read(
    u: float,
    n: int,
    terms: Vector,
    other_terms: Vector,
    excess: float,
    constant: Vector,
    perturbation: Vector,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on the distance of a computed read of `v + c` from a computed read of `v`, plus `c`.

    `read_error` for both (`abs_roundedRead_sub_read_le`); over ℝ the difference is `c` times the weights' sum, off by
    `excess * |c|`; the sums `v + c` were rounded, off by `perturbation`, of which the weights pass on at most
    `1 + excess` times as much.
    """
    both = read_error(u, n, terms, tiny, accumulator) + read_error(u, n, other_terms, tiny, accumulator)
    return np.asarray(both + excess * np.abs(constant) + (1 + excess) * perturbation)


def updated_read(
    u: float,
    n: int,
    terms: Vector,
    other_terms: Vector,
    weight_of_key: float,
    perturbation: Vector,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on the error of the share `w c` by which a computed read moves when `c` is added to the value of one key.

    `read_error` for both reads (`abs_roundedRead_sub_read_le`); the sum `v + c` was rounded, off by `perturbation`.
    """
    both = read_error(u, n, terms, tiny, accumulator) + read_error(u, n, other_terms, tiny, accumulator)
    return np.asarray(both + weight_of_key * perturbation)


def moved_read(
    u: float,
    n: int,
    terms: Vector,
    other_terms: Vector,
    excess: float,
    epsilon: Vector,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on how much more than the values an output moves, in the largest-coordinate and in the Euclidean norm.

    `read_error` for both reads; the exact difference is at most the weights' sum times the largest step of a value,
    which exceeds it by `excess * epsilon`, with `epsilon` the largest step in either norm.
    """
    both = np.asarray(
        read_error(u, n, terms, tiny, accumulator) + read_error(u, n, other_terms, tiny, accumulator)
    )
    return np.asarray([np.max(both), euclidean(both)]) + excess * epsilon


def decided_read(
    u: float,
    n: int,
    terms: Vector,
    excess: float,
    own: Vector,
    diameter: Vector,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on how much farther than `(1 - w) D` a computed output is from the value of the key with weight `w`.

    `read_error`; with weights that sum to `1 ± excess` the exact output is farther by at most `excess` times the norm
    of that value (`own`) plus `excess * D` (`diameter`). In the largest-coordinate and in the Euclidean norm.
    """
    error = np.asarray(read_error(u, n, terms, tiny, accumulator))
    return np.asarray([np.max(error), euclidean(error)]) + excess * (own + diameter)


def projected_read(
    u: float,
    n: int,
    width: int,
    terms: Vector,
    other_terms: Vector,
    projection: NDArray[np.float64],
    products: Vector,
    excess: float,
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on the distance of the exact projection of a computed read from the computed read of projected values.

    `read_error` for both, the first passed on by the magnitudes of the `projection`, `(width, columns)`; each projected
    value is a computed sum of `width` products, off by `gamma(u, width)` times `products`, the largest sum of
    magnitudes `|v| |W|` of a value, of which the weights pass on at most `1 + excess` times as much.
    """
    first = np.asarray(read_error(u, n, terms, tiny, accumulator)) @ np.abs(projection)
    second = read_error(u, n, other_terms, tiny, accumulator)
    values = accumulated(u, width, accumulator) * products + 2 * width * tiny
    return np.asarray(first + second + (1 + excess) * values)


def projected_hull(
    u: float,
    n: int,
    width: int,
    excess: float,
    magnitude: Vector,
    projection: NDArray[np.float64],
    directions: NDArray[np.float64],
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on how far a computed projection of a computed read can leave the hull of the exactly projected values.

    `read_bounds` for the read, passed on by the projection; the projection itself is a computed sum of `width`
    products, off by `gamma(u, width)` times the sum of their magnitudes.
    """
    beta = np.asarray(read_bounds(u, n, excess, magnitude, tiny, accumulator))
    through = np.abs(projection @ directions.T).T @ beta
    sums = accumulated(u, width, accumulator) * ((magnitude + beta) @ np.abs(projection)) + 2 * width * tiny
    return np.asarray(through + np.abs(directions) @ sums)


def residual_hull(
    u: float,
    n: int,
    excess: float,
    magnitude: Vector,
    residual: Vector,
    directions: NDArray[np.float64],
    tiny: float,
    accumulator: float | None = None,
) -> Vector:
    """Bound on how far `x` plus a computed read can leave the hull of the values moved by `x`.

    `read_bounds` for the read, and one rounding of the sum.
    """
    beta = np.asarray(read_bounds(u, n, excess, magnitude, tiny, accumulator))
    return np.asarray(np.abs(directions) @ (beta + u * (np.abs(residual) + magnitude + beta)))


def two_value_read(
    u: float,
    n: int,
    weight: Vector,
    value_magnitudes: Vector,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> float:
    """Bound on the distance of a computed read with computed softmax weights from the true output.

    `roundedSoftmax_le` and `le_roundedSoftmax` for the weights (`relative_weight`, `underflow`) and
    `abs_roundedRead_sub_read_le` for the sum; `weight` are the true weights, `value_magnitudes` the `|v|`.
    """
    relative, lost = relative_weight(u, n, reach, exp_ulp, accumulator), underflow(n, exp_ulp, tiny)
    computed = (1 + relative) * weight + lost
    through = (relative * weight + lost) @ value_magnitudes
    return float(through + accumulated(u, n, accumulator) * (computed @ value_magnitudes) + 2 * n * tiny)


def two_value_order(
    u: float,
    n: int,
    weight: Vector,
    other_weight: Vector,
    value_magnitudes: Vector,
    reach: float,
    other_reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> float:
    """Bound on how far two computed outputs can stand in the wrong order: `two_value_read` for both."""
    return two_value_read(u, n, weight, value_magnitudes, reach, exp_ulp, tiny, accumulator) + two_value_read(
        u, n, other_weight, value_magnitudes, other_reach, exp_ulp, tiny, accumulator
    )
