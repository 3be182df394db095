"""How far the mean of a sample may be from what it estimates.

* `MISSES`: the probability with which a sample may exceed its bound.
* `bernstein`: the mean of bounded random numbers.
* `mean_square`: the mean of the squares of computed scores.
"""

import math

from duizhao.rounding.arithmetic import accumulated, compounded

MISSES = 2.0**-40
"""The probability with which one sample may be farther from the truth than its bound: less than one in 10¹²."""


def bernstein(samples: int, variance: float, farthest: float, misses: float = MISSES) -> float:
    """Bound on the distance of the mean of independent random numbers from their mean, except with probability `misses`.

    For `samples` numbers of this `variance`, none farther than `farthest` from the mean μ, Bernstein's inequality says
    `P(|x̄ - μ| ≥ t) ≤ 2 exp(-samples t² / (2 (variance + farthest t / 3)))`; the right side is `misses` where
    `t = h + √(h² + 2 L variance / samples)` with `L = log(2 / misses)` and `h = L farthest / (3 samples)`.

    Raises:
        ValueError: If there is no sample, or `misses` is no probability of a miss.
    """
    if samples < 1:
        raise ValueError(f"samples: at least 1 is needed, got {samples}")
    if not 0 < misses < 1:
        raise ValueError(f"misses: a probability between 0 and 1 is needed, got {misses}")
    log = math.log(2 / misses)
    half = log * farthest / (3 * samples)
    return half + math.sqrt(half**2 + 2 * log * variance / samples)


def mean_square(
    u: float,
    width: int,
    samples: int,
    square_variance: float,
    square_farthest: float,
    magnitude: float,
    accumulator: float | None = None,
) -> float:
    """Bound on the distance of the mean square of computed scores from its expectation, except with probability `MISSES`.

    `bernstein` for the squares of the exact scores, which have the variance `square_variance` and are at most
    `square_farthest` from their mean. A computed score is off by at most ε, its rounding error, and its square by at
    most `2 m ε + ε²`, with m = `magnitude` the largest sum of the magnitudes of the products in a score. ε is m times the
    error of a sum of `width` products (`abs_roundedRead_sub_read_le`) and of three more roundings: the root, its
    reciprocal, and the product with it. Assumes that nothing underflows. The inequality is no theorem of `Rounding.lean`.
    """
    off = magnitude * compounded(accumulated(u, width, accumulator), u, u, u)
    return bernstein(samples, square_variance, square_farthest) + (2 * magnitude + off) * off
