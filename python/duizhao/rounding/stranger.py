"""Bounds on attention whose code nobody here has read.

* `stranger`: what is assumed of its arithmetic.
* `Seen`: what the bounds know of queries and keys; `seen`: it, computed.
* `weight_off`, `flushed`, `score_off`: the steps.
* `weights_off`, `sum_off`, `hull_off`, `read_off`, `output_off`, `log_odds_off`: weights and outputs.
* `together`, `compared`: two outputs with one true output.
* `value_gradient_off`, `score_gradient_off`, `projected_gradient_off`: derivatives.

Such code may scale the queries, the keys, both by a square root, or the products; shift by the largest score or subtract
the logarithm of the sum; use powers of 2 in place of `exp`; divide each weight, or the sum of products in the end; read
the keys in blocks of any size and rescale what it has; and add in any order. What is the same for all of it: every step is
rounded with unit roundoff `u`, exponentials and logarithms are within `exp_ulp` units in the last place, and a result below
the smallest normal number may be 0. All bounds are in float64, of magnitudes that are sums of products of float64: `SLACK`
covers their own rounding (`gamma(2**-53, n)` is below it for every `n` up to 10**6).

Bounds are infinite, or 1 for a weight, where the assumptions say nothing: where `n` roundings of `u` add up to 1/2 or more.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.arithmetic import FORMATS, Arithmetic, accumulated, arithmetic, compounded, divided_by
from duizhao.rounding.attention import passed_on, reweighted

Numbers = NDArray[np.float64]

EXP_ULP = 20.0
"""The error of a stranger's `exp` in units in the last place."""

SLACK = 1 + 1e-9
"""What the bounds are multiplied by, since they are rounded themselves."""

OWN = 2.0**-53
"""The unit roundoff of the float64 in which outputs are compared."""


def stranger(
    dtype: str, *, exp_ulp: float | None = None, flushes: bool | None = None, accumulator: str | None = None
) -> Arithmetic:
    """Return what is assumed of a stranger's arithmetic: `exp` within 20 ulp, flushed subnormals, no wider accumulator.

    Args:
        dtype: "float64", "float32", "float16" or "bfloat16".
        exp_ulp: The error of its `exp`, if it is known.
        flushes: Whether it flushes subnormal numbers, if it is known.
        accumulator: The dtype in which it adds, if it is known.

    Raises:
        ValueError: If a dtype is not known.
    """
    for name in (dtype, accumulator):
        if name is not None and name not in FORMATS:
            raise ValueError(f"dtype: one of {', '.join(FORMATS)} is needed, got {name}")
    known = arithmetic(
        dtype,
        library="torch",
        exp_ulp=EXP_ULP if exp_ulp is None else exp_ulp,
        flushes=True if flushes is None else flushes,
    )
    precision = FORMATS[dtype].precision
    wider = precision if accumulator is None else max(precision, FORMATS[accumulator].precision)
    return replace(known, accumulator=math.ldexp(1.0, -wider))


@dataclass(frozen=True)
class Seen:
    """What the bounds know of the scores of queries `(..., L, d)` and keys `(..., S, d)`."""

    assumed: Arithmetic
    scores: Numbers
    """The scores, bias included, `(..., L, S)`; -inf where a key is not allowed."""
    weight: Numbers
    """The weights of these scores, `(..., L, S)`: 0 in a row without keys."""
    products: Numbers
    """The sum of the magnitudes of the scaled products in each score, and of the bias, `(..., L, S)`."""
    sizes: Numbers
    """The sum of the magnitudes of the entries of the query and the key, scaled or not, `(..., L, S)`."""
    width: int
    """The width `d`."""

    @property
    def n(self) -> int:
        """The number of keys."""
        return int(self.scores.shape[-1])

    @property
    def size(self) -> float:
        """The largest magnitude of a score that is allowed."""
        return float(np.max(np.abs(self.scores), initial=0.0, where=np.isfinite(self.scores)))


def seen(
    assumed: Arithmetic,
    query: Numbers,
    key: Numbers,
    scale: float,
    allowed: NDArray[np.bool_] | None = None,
    bias: Numbers | None = None,
) -> Seen:
    """Return what bounds know of queries `(..., L, d)` and keys `(..., S, d)`, in float64.

    Both are exact; scores and weights are off by what `score_off` adds for float64.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        scores = query @ np.swapaxes(key, -1, -2) * scale
        products = np.abs(query) @ np.swapaxes(np.abs(key), -1, -2) * abs(scale)
    sums = np.abs(query).sum(-1)[..., :, None] + np.abs(key).sum(-1)[..., None, :]
    if bias is not None:
        scores, products = scores + bias, products + np.where(np.isfinite(bias), np.abs(bias), 0.0)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    top = np.max(scores, axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = powers.sum(axis=-1, keepdims=True)
    weight = powers / np.where(total > 0, total, 1.0)
    return Seen(assumed, scores, weight, products, (1 + abs(scale)) * sums, int(query.shape[-1]))


def _roundings(assumed: Arithmetic, k: int) -> float:
    """Return the bound on `k` roundings in the accumulator and one in the dtype; infinite where it is useless."""
    if k * assumed.accumulator >= 0.5:
        return math.inf
    return compounded(accumulated(assumed.u, k, assumed.accumulator), assumed.u)


def weight_off(assumed: Arithmetic, n: int, size: float) -> float:
    """Bound on the relative error of a computed weight, for the scores as they were computed; underflow apart.

    `roundedSoftmax_le` and `le_roundedSoftmax` (see `relative_weight`), with these errors of a, the exponentials:
    the argument is a score, of magnitude at most `size`, less the largest score or the logarithm of the sum, which is at
    most `size + log n`. Roundings of both, of their difference, and of both times log2 e amount to at most
    `8 u (size + log n)`, whatever the blocks, since the shifts of blocks telescope; a logarithm of a sum between 1 and
    `n` is off by `exp_ulp` ulp, `2 exp_ulp u log n`. A key's exponential is multiplied by at most `n` others where blocks
    of single keys are rescaled: `n + 1` errors of `exp`, `2 exp_ulp u` each. The sum has b = `2 n` roundings, `n` of them
    of rescaling; a division and a rounding to the dtype follow, and one more for a weight that is stored before it is
    used. Infinite where the exponentials are off by half of themselves.
    """
    u = assumed.u
    reach = size + math.log(n)
    argument = 8 * u * reach + 2 * assumed.exp_ulp * u * math.log(n)
    if not argument < 0.5 or not (n + 1) * 2 * assumed.exp_ulp * u < 0.5:
        return math.inf
    a = compounded(math.expm1(argument), math.expm1((n + 1) * math.log1p(2 * assumed.exp_ulp * u)))
    b = _roundings(assumed, 2 * n)
    if a >= 0.5 or b >= 0.5:
        return math.inf
    return compounded(a, divided_by(a), divided_by(b), b, u, u, u) * SLACK


def flushed(assumed: Arithmetic, n: int) -> float:
    """Bound on what underflow adds to the error of a weight, and of all weights together.

    See `underflow`: an exponential that is flushed is off by `tiny`, and one that is subnormal by `exp_ulp` of the
    smallest subnormal, which is less than `tiny`; the sum is at least 1, `n` of them move it, and a share of that is the
    weight's. The same number bounds the errors of all numerators together. Factors 2 cover relative errors on top, and
    the rescaling of blocks, each of which may flush once more.
    """
    return 8 * (n + 2) * assumed.tiny


def score_off(seen: Seen) -> Numbers:
    """Bound on the error of computed scores, `(..., L, S)`.

    `abs_roundedRead_sub_read_le` with γ = `gamma(u, d)`, as in `score_rounding`, and eight more roundings: the square root
    and its reciprocal, the square root of the scale, for query and for key, their products with it, the score as it is
    stored, and the sum with a bias. What underflows as in `score_rounding`. The scores of `Seen` are computed in float64,
    which is off by as much, with float64's unit roundoff.
    """
    relative = compounded(*[seen.assumed.u] * 8, _roundings(seen.assumed, seen.width))
    own = (seen.width + 8) * 2 * OWN
    lost = 4 * seen.assumed.tiny * (seen.sizes + seen.width + 1)
    return np.asarray(((relative + own) * seen.products + lost) * SLACK)


def weights_off(seen: Seen) -> Numbers:
    """Bound on the distance of computed weights from true ones, `(..., L, S)`, at most 1.

    `weight_off` for the scores as they were computed, `reweighted` for how far these are off (`score_off`), and `flushed`.
    """
    relative = weight_off(seen.assumed, seen.n, seen.size)
    if not math.isfinite(relative):
        return np.ones_like(seen.weight)
    grown = reweighted(seen.weight, score_off(seen))
    with np.errstate(invalid="ignore"):
        passed = np.where(seen.weight > 0, (relative + (1 + relative) * grown) * seen.weight, 0.0)
    return np.minimum(np.nan_to_num(passed, nan=1.0) * SLACK + flushed(seen.assumed, seen.n), 1.0)


def sum_off(assumed: Arithmetic, n: int, size: float) -> float:
    """Bound on the distance from 1 of the sum of the `n` computed weights of a query, added exactly.

    The true weights of the computed scores sum to 1, and each computed one is off by `weight_off` of itself: the errors of
    the exponentials do not cancel where the logarithm of the sum is subtracted. What is `flushed` comes on top.
    """
    return weight_off(assumed, n, size) + flushed(assumed, n)


def hull_off(assumed: Arithmetic, n: int, size: float, magnitude: Numbers) -> Numbers:
    """Bound on how far an output can leave an interval, or in each coordinate the hull, of values up to a `magnitude`.

    `roundedRead_mem_Icc` with γ = `gamma(u, 2 n)`, `n` additions and `n` roundings of rescaling, and ε = `sum_off`; a
    product, a value or an output that is flushed is off by `tiny`.
    """
    excess = sum_off(assumed, n, size)
    gamma = _roundings(assumed, 2 * n)
    return np.asarray((gamma * (1 + excess) + excess) * magnitude * SLACK + 4 * (n + 1) * assumed.tiny)


def read_off(assumed: Arithmetic, n: int, size: float, magnitude: Numbers) -> Numbers:
    """Bound on the distance of an output from the exact read with the weights as they are, for values up to `magnitude`.

    `abs_roundedRead_sub_read_le` with γ = `gamma(u, 2 n)` (see `hull_off`) and weights that sum to at most 1 + `sum_off`.
    """
    total = 1 + sum_off(assumed, n, size)
    return np.asarray(_roundings(assumed, 2 * n) * total * magnitude * SLACK + 4 * (n + 1) * assumed.tiny)


def output_off(seen: Seen, value_size: Numbers) -> Numbers:
    """Bound on the distance of a computed output from the true one, `(..., L, e)`, for values up to `value_size`.

    `weights_off` passed on by the values, and `abs_roundedRead_sub_read_le` with γ = `gamma(u, 2 S)` (see `hull_off`), as
    in `attention_error`.
    """
    error = weights_off(seen)
    excess = min(sum_off(seen.assumed, seen.n, seen.size), 1.0)
    terms = passed_on(seen.weight + error, value_size, 1 + excess)
    through = passed_on(error, value_size, 2 + excess)
    lost = 4 * (seen.n + 1) * seen.assumed.tiny
    return np.asarray((through + _roundings(seen.assumed, 2 * seen.n) * terms) * SLACK + lost)


def log_odds_off(seen: Seen, second: NDArray[np.int64]) -> Numbers:
    """Bound on the error of the logarithm of each computed weight over that of the key `second`, `(..., L, S)`.

    `second` is one key for each query, `(..., L, 1)`. `log_odds` with `weight_off` and what is `flushed` for either weight,
    and `score_off` for both scores; the logarithms are taken in float64, off by 4 of its roundings of each, and so are the
    scores that they are compared with. Infinite where a weight may be off by half of itself.
    """
    relative = weight_off(seen.assumed, seen.n, seen.size)
    lost = flushed(seen.assumed, seen.n)
    error = score_off(seen)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        # What the error of the scores leaves at least of a weight.
        least = seen.weight * np.exp(-2 * np.max(error, axis=-1, keepdims=True))
        off = relative + lost / least
        own = np.where(off < 0.5, -np.log1p(-np.minimum(off, 0.5)), np.inf)
        logarithm = 8 * OWN * (np.abs(np.log(least)) + np.abs(seen.scores) + 1)
        each = np.where(off < 0.5, own + error + logarithm, np.inf)
    return np.asarray((each + np.take_along_axis(each, second, -1)) * SLACK)


def value_gradient_off(seen: Seen, cotangent: Numbers) -> Numbers:
    """Bound on the error of the derivative by the values, `Wᵀ C`, `(..., S, e)`, for the computed weights and for the true.

    `weights_off`, twice since the weights that it is compared with are computed too, and a sum of `L` products. Rests on
    the standard model alone.
    """
    error = np.swapaxes(weights_off(seen), -1, -2)
    weight = np.swapaxes(seen.weight, -1, -2)
    length = int(cotangent.shape[-2])
    gamma = compounded(_roundings(seen.assumed, length + 2), 4 * length * OWN)
    size = np.abs(cotangent)
    return np.asarray(
        2 * (error @ size + gamma * ((weight + error) @ size)) + 8 * (length + 1) * seen.assumed.tiny
    )


def score_gradient_off(seen: Seen, value_size: Numbers, cotangent: Numbers) -> Numbers:
    """Bound on the error of the derivative by the scores, `w_j (g_j - Σ w_k g_k)` with `g = C Vᵀ`, `(..., L, S)`.

    The Jacobian of `hasDerivAt_softmax_update` times `g`. With `G = |C| |V|ᵀ`, each `g` is off by `gamma(u, e)` of it; the
    sum, which may be that of the output times the cotangent, by the weights' errors times `G` and `2 S + e` roundings of
    its terms; the weights once more; and the difference and the product are rounded. All twice, since the weights that it
    is compared with are computed too; products of two errors are below either. Rests on the standard model alone.
    """
    error = weights_off(seen)
    gradients = np.abs(cotangent) @ np.swapaxes(value_size, -1, -2)
    mean = ((seen.weight + error) * gradients).sum(axis=-1, keepdims=True)
    roundings = _roundings(seen.assumed, 2 * seen.n + int(cotangent.shape[-1]) + 6)
    off = np.minimum(roundings, 1e3) * (gradients + mean) + (error * gradients).sum(axis=-1, keepdims=True)
    lost = 16 * (seen.n + 1) * seen.assumed.tiny * (1 + gradients.max(axis=-1, keepdims=True))
    return np.asarray(2 * (error * (gradients + mean) + (seen.weight + error) * off) + lost)


def projected_gradient_off(
    seen: Seen, score_gradient: Numbers, error: Numbers, rows: Numbers, scale: float
) -> Numbers:
    """Bound on the error of `scale · D R`, the derivative by queries or by keys, for the sizes of `D` and of the `rows`.

    `D`, `(..., m, n)`, is off by `error`; the sum of `n` products has `n` roundings, and the scale four. Rests on the
    standard model alone.
    """
    gamma = _roundings(seen.assumed, int(rows.shape[-2]) + 6)
    size = np.abs(rows)
    through = error @ size + gamma * ((np.abs(score_gradient) + error) @ size)
    lost = 8 * seen.assumed.tiny * (size.sum(axis=-2, keepdims=True) + rows.shape[-2])
    return np.asarray(2 * abs(scale) * through * SLACK + lost * (1 + abs(scale)))


def together(*bounds: Numbers | float) -> Numbers:
    """Bound on the distance of two computed outputs of one true one: the sum, and 4 roundings of the comparison."""
    total: Numbers = np.sum(np.broadcast_arrays(*[np.asarray(bound) for bound in bounds]), axis=0)
    return np.asarray(total * SLACK)


def compared(outputs: Sequence[Numbers]) -> Numbers:
    """Bound on the roundings of a formula in float64 of a few outputs: 32 of the largest magnitude of each."""
    sizes = [np.max(np.abs(output), initial=0.0, where=np.isfinite(output)) for output in outputs]
    return np.asarray(32 * OWN * float(np.sum(sizes)))
