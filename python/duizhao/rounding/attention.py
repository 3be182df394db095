"""Bounds on attention: what rounded scores do to weights, and rounded weights to outputs.

* `Scored`: what the bounds know of queries and keys.
* `score_rounding`, `reweighted`: computed scores, and what errors of scores do to true weights.
* `attention_weights_error`, `moved_weights`: computed weights, and those of moved keys.
* `attention_log_odds`: the logarithm of their ratios.
* `attention_error`: computed outputs.
* `reordered_attention`, `chosen_rows`, `projected_self_attention`: two computed outputs with one true output.
* `attention_bounds`, `attention_support`, `two_layers`, `column_bounds`: how far outputs can leave bounds and hulls.
* `shifted_attention`, `projected_attention`: two outputs with the same weights.

Scores are covered by `abs_roundedRead_sub_read_le`, the sum in the softmax by `roundedSoftmax_le`; the steps in between,
the scale and the exponentials, rest on the standard model alone. A weight and its computed twin both lie between 0 and 1,
so that no bound on their distance exceeds 1: scores so large that their rounding says nothing of the weights are allowed.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.arithmetic import accumulated, compounded
from duizhao.rounding.weights import exponential, relative_weight, sum_of_weights, underflow

Numbers = NDArray[np.float64]

LARGEST_EXPONENT = 700.0
"""An error of a score beyond which its exponential says nothing of the weights, and nearly overflows."""


@dataclass(frozen=True)
class Scored:
    """What the bounds know of the scores of queries `(..., L, d)` and keys `(..., S, d)`."""

    weight: Numbers
    """The true weights, `(..., L, S)`."""
    products: Numbers
    """The sum of the magnitudes of the scaled products in each score, `(..., L, S)`."""
    sizes: Numbers
    """The sum of the magnitudes of the entries of each scaled query and each key, `(..., L, S)`."""
    spread: Numbers
    """The distance of the largest from the smallest true score of each row, `(..., L)`."""
    perturbation: Numbers | float
    """How far the scores of the queries and keys that are used are from the true ones, `(..., L, S)`."""
    width: int
    """The width `d` of queries and keys."""

    @property
    def n(self) -> int:
        """The number of keys."""
        return int(self.weight.shape[-1])


def score_rounding(u: float, scored: Scored, tiny: float, accumulator: float | None = None) -> Numbers:
    """Bound on the error of computed scores `Q Kᵀ / √d`, `(..., L, S)`.

    `abs_roundedRead_sub_read_le` with γ = `gamma(u, d)` for each dot product, times three more roundings: the square root
    and its reciprocal, or the scale as the dtype holds it, and the product of a query with it. An entry of a scaled query
    or of a key that underflows, or is flushed, is off by `tiny`, times what it is multiplied with (`sizes`); a product
    that underflows is off by `tiny`. The factor 2 covers their further roundings. To it comes the `perturbation`.
    """
    relative = compounded(u, u, u, accumulated(u, scored.width, accumulator))
    lost = 2 * tiny * (scored.sizes + scored.width + 1)
    return np.asarray(relative * scored.products + lost + scored.perturbation)


def reweighted(weight: Numbers, error: Numbers) -> Numbers:
    """Bound on the relative change of true weights, `(..., S)`, whose scores change by at most `error`, `(..., S)`.

    A weight changes by a factor `exp(δ_j) / Σ w_k exp(δ_k)`. The sum is at most `Σ w_k exp(e_k)`, and at least the
    reciprocal of that (Cauchy and Schwarz), so the factor's logarithm is at most `e_j + log Σ w_k exp(e_k)`: where all
    errors are ε, this is the `2 ε` of `softmax_le_exp_mul_softmax`, and errors of keys without weight do not count.
    Infinite beyond `LARGEST_EXPONENT`.
    """
    bounded = np.minimum(error, LARGEST_EXPONENT)
    common = np.log1p(np.sum(weight * np.expm1(bounded), axis=-1, keepdims=True))
    exponent = bounded + common
    useless = np.any(error > LARGEST_EXPONENT, axis=-1, keepdims=True) | (exponent > LARGEST_EXPONENT)
    grown: Numbers = np.where(useless, math.inf, np.expm1(np.minimum(exponent, LARGEST_EXPONENT)))
    return grown


def _reach(spread: Numbers, error: Numbers, tiny: float) -> Numbers:
    """Return the largest distance to the largest computed score of a row, among keys that do not underflow."""
    return np.asarray(np.minimum(spread + 2 * np.max(error, axis=-1), -math.log(tiny)))


def attention_weights_error(
    u: float, scored: Scored, exp_ulp: float, tiny: float, accumulator: float | None = None
) -> Numbers:
    """Bound on the distance of computed attention weights from the true ones, `(..., L, S)`.

    `reweighted` with `score_rounding` for the scores, `roundedSoftmax_le` and `le_roundedSoftmax` (see
    `relative_weight`) for the softmax of computed scores, and `underflow`; at most 1.
    """
    error = score_rounding(u, scored, tiny, accumulator)
    reaches = _reach(scored.spread, error, tiny)
    relative = np.asarray(
        [relative_weight(u, scored.n, float(reach), exp_ulp, accumulator) for reach in reaches.ravel()]
    ).reshape(*reaches.shape, 1)
    grown = reweighted(scored.weight, error)
    bound = (relative + (1 + relative) * grown) * scored.weight + underflow(scored.n, exp_ulp, tiny)
    return np.minimum(bound, 1.0)


def moved_weights(
    u: float,
    scored: Scored,
    other_scored: Scored,
    movement: Numbers,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of two computed rows of weights whose true scores differ by a constant and by `movement`.

    `attention_weights_error` for both, and `reweighted` for the `movement`, `(L, S)`, of the true scores; at most 1.
    """
    both = attention_weights_error(u, scored, exp_ulp, tiny, accumulator) + attention_weights_error(
        u, other_scored, exp_ulp, tiny, accumulator
    )
    return np.minimum(both + reweighted(scored.weight, movement) * scored.weight, 1.0)


def attention_log_odds(
    u: float,
    scored: Scored,
    second: int,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the error of the exact logarithm of the ratio of each computed weight to that of the key `second`.

    The logarithm of the factors of `roundedSoftmax_le` and `le_roundedSoftmax` with b = 0 (see `log_odds`), and
    `score_rounding` for both scores. Assumes that no weight underflows.
    """
    error = score_rounding(u, scored, tiny, accumulator)
    reaches = _reach(scored.spread, error, tiny)
    a = np.asarray([exponential(u, float(reach), exp_ulp) for reach in reaches.ravel()]).reshape(
        *reaches.shape, 1
    )
    weights = np.log1p(a) - np.log1p(-a) + math.log1p(u) - math.log1p(-u)
    return np.asarray(weights + error + error[..., second : second + 1])


def passed_on(weights: Numbers, sizes: Numbers, total: float) -> Numbers:
    """Return an upper bound of sums of `weights`, `(..., L, S)`, times `sizes`, `(..., S, e)`.

    For weights that are at most these and add up to at most `total`: no more than that times the largest size.
    """
    with np.errstate(over="ignore"):
        return np.asarray(np.minimum(weights @ sizes, total * sizes.max(axis=-2, keepdims=True)))


def _computed_terms(
    u: float, scored: Scored, sizes: Numbers, exp_ulp: float, tiny: float, accumulator: float | None
) -> Numbers:
    """Return an upper bound of the sums of computed weights times the `sizes` of values, `(..., S, e)`."""
    error = attention_weights_error(u, scored, exp_ulp, tiny, accumulator)
    return passed_on(scored.weight + error, sizes, 1 + sum_of_weights(u, scored.n, tiny, accumulator))


def _rounded_read(u: float, n: int, terms: Numbers, tiny: float, accumulator: float | None) -> Numbers:
    """Return the bound on a computed read for the weights as they are: see `read_error`."""
    return accumulated(u, n, accumulator) * terms + 2 * n * tiny


def attention_error(
    u: float,
    scored: Scored,
    value_size: Numbers,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of computed attention from the true output, `(..., L, e)`.

    `attention_weights_error` passed on by the values, of magnitudes `value_size`, `(..., S, e)`, and
    `abs_roundedRead_sub_read_le` with γ = `gamma(u, S)` for the sum (see `read_error`). True weights sum to 1 and computed
    ones to at most `1 + ε` with ε = `sum_of_weights`, so that their distances add up to at most `2 + ε`.
    """
    error = attention_weights_error(u, scored, exp_ulp, tiny, accumulator)
    excess = sum_of_weights(u, scored.n, tiny, accumulator)
    terms = passed_on(scored.weight + error, value_size, 1 + excess)
    through = passed_on(error, value_size, 2 + excess)
    return np.asarray(through + _rounded_read(u, scored.n, terms, tiny, accumulator))


def reordered_attention(
    u: float,
    scored: Scored,
    value_size: Numbers,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of two computed outputs with one true output: `attention_error` twice."""
    return 2 * attention_error(u, scored, value_size, exp_ulp, tiny, accumulator)


def chosen_rows(
    u: float,
    scored: Scored,
    order: tuple[int, ...],
    value_size: Numbers,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of computed output rows of chosen queries from those of all, `(chosen, e)`.

    `reordered_attention` for the rows in `order`. Where float16 is added in float32, both outputs nearly always round to
    the same numbers, and the slack is 0.
    """
    return reordered_attention(u, scored, value_size, exp_ulp, tiny, accumulator)[..., list(order), :]


def projected_self_attention(
    u: float,
    scored: Scored,
    order: tuple[int, ...],
    value_size: Numbers,
    value_error: Numbers,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of two computed outputs with one true output, where queries, keys and values are projected.

    For the rows in `order`, `(chosen, e)`: twice `attention_error` of the values as they were projected, with the
    `value_error`, `(S, e)`, of that projection passed on by the computed weights. Errors of projected queries and keys
    are in the perturbation of the scores. Where float16 is added in float32, both outputs rounded to the same
    numbers in all cases drawn, and the slack is 0.
    """
    through = _computed_terms(u, scored, value_error, exp_ulp, tiny, accumulator)
    error = attention_error(u, scored, value_size + value_error, exp_ulp, tiny, accumulator)
    return np.asarray(2 * (error + through))[..., list(order), :]


def projection_error(
    u: float, rows: Numbers, projection: Numbers, tiny: float, accumulator: float | None = None
) -> Numbers:
    """Bound on the error of computed products of rows, `(..., width)`, with a projection, `(width, f)`.

    For magnitudes of both: `abs_roundedRead_sub_read_le` with γ = `gamma(u, width)`. A product that underflows is off by
    `tiny`, and so is an entry that is flushed, times what it is multiplied with; the factor 2 covers their further
    roundings.
    """
    width = int(projection.shape[0])
    sizes = rows.sum(axis=-1, keepdims=True) + projection.sum(axis=0)
    return np.asarray(accumulated(u, width, accumulator) * (rows @ projection) + 2 * tiny * (sizes + width))


def attention_bounds(
    u: float, n: int, magnitude: Numbers, tiny: float, accumulator: float | None = None
) -> Numbers:
    """Bound on how far computed attention over `n` values in `[a, b]` can leave the interval.

    `roundedRead_mem_Icc` with γ = `gamma(u, n)`, ε = `sum_of_weights` (`abs_sum_roundedSoftmax_sub_one_le`) and B =
    `magnitude`, the largest magnitude of a value: `(γ (1 + ε) + ε) B`; underflow as in `read_error`. Errors of scores and
    of exponentials cancel.
    """
    excess = sum_of_weights(u, n, tiny, accumulator)
    return (accumulated(u, n, accumulator) * (1 + excess) + excess) * magnitude + 2 * n * tiny


def attention_support(
    u: float,
    n: int,
    magnitude: Numbers,
    directions: Numbers,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on how far computed attention can leave the values' convex hull, in each of the `directions`, `(k, e)`.

    `attention_bounds` coordinate by coordinate, weighted by the magnitudes of the direction's coordinates.
    """
    return np.asarray(np.abs(directions) @ attention_bounds(u, n, magnitude, tiny, accumulator))


def two_layers(
    u: float,
    n: int,
    other_n: int,
    magnitude: Numbers,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on how far attention over outputs of attention can leave bounds of the first layer's values.

    `attention_bounds` for the first layer, with `n` keys; its outputs are the second layer's values, with `other_n` keys
    and bounds that are so much wider.
    """
    first = attention_bounds(u, n, magnitude, tiny, accumulator)
    return first + attention_bounds(u, other_n, magnitude + first, tiny, accumulator)


def column_bounds(
    u: float,
    n: int,
    columns: int,
    magnitude: Numbers,
    column: Numbers,
    column_excess: float,
    tiny: float,
    accumulator: float | None = None,
) -> float:
    """Bound on how far a computed average of output coordinates can leave bounds that all values share.

    `attention_bounds` for each of the `columns` coordinates, passed on by the weights of the projection's `column`; the
    product is a read of its own, `roundedRead_mem_Icc` with ε = `column_excess`, the distance of the column's sum from 1.
    An entry that is flushed is off by `tiny`.
    """
    beta = attention_bounds(u, n, magnitude, tiny, accumulator)
    size = float(np.max(magnitude + beta))
    own = accumulated(u, columns, accumulator) * (1 + column_excess) + column_excess
    return float(np.abs(column) @ beta + own * size + 2 * columns * tiny * (1 + size))


def shifted_attention(
    u: float,
    scored: Scored,
    value_size: Numbers,
    other_value_size: Numbers,
    constant: Numbers,
    perturbation: Numbers,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of computed attention to `V + r` from computed attention to `V`, plus `r`: `(L, e)`.

    The computed weights are the same, and `abs_roundedRead_sub_read_le` covers both sums; over ℝ the difference is `r`
    times the weights' sum, off by `sum_of_weights`; the sums `V + r` were rounded, off by `perturbation`, `(e)`.
    """
    excess = sum_of_weights(u, scored.n, tiny, accumulator)
    terms = _computed_terms(u, scored, value_size, exp_ulp, tiny, accumulator)
    others = _computed_terms(u, scored, other_value_size, exp_ulp, tiny, accumulator)
    both = _rounded_read(u, scored.n, terms, tiny, accumulator) + _rounded_read(
        u, scored.n, others, tiny, accumulator
    )
    return both + excess * np.abs(constant) + (1 + excess) * perturbation


def projected_attention(
    u: float,
    scored: Scored,
    value_size: Numbers,
    other_value_size: Numbers,
    projection: Numbers,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of exactly projected computed attention from computed attention to projected values.

    The computed weights are the same, and `abs_roundedRead_sub_read_le` covers both sums, the first passed on by the
    `projection`, `(e, f)`; each projected value is off by `projection_error`, which the computed weights pass on.
    """
    terms = _computed_terms(u, scored, value_size, exp_ulp, tiny, accumulator)
    others = _computed_terms(u, scored, other_value_size, exp_ulp, tiny, accumulator)
    values = projection_error(u, value_size, np.abs(projection), tiny, accumulator)
    first = _rounded_read(u, scored.n, terms, tiny, accumulator) @ np.abs(projection)
    second = _rounded_read(u, scored.n, others, tiny, accumulator)
    through = _computed_terms(u, scored, values, exp_ulp, tiny, accumulator)
    return np.asarray(first + second + through)
