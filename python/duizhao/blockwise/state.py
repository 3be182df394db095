"""The state of a blockwise pass.

* `OnlineState`: the largest score, the sum of exponentials and the unnormalised output.
* `of_block`, `merge`, `out`: from a block to a state, from two states to one, from a state to an output.
"""

from dataclasses import dataclass
from numbers import Real
from typing import Literal

from array_api_compat import device, is_array_api_obj

from duizhao.arrays import (
    Array,
    Namespace,
    at_least,
    boolean,
    broadcast_shape,
    common_batch,
    divide,
    everything,
    floating,
    holds,
    quiet,
    real_number,
    refuse,
    refuse_overflow,
    same_rows,
    where,
)
from duizhao.mask import refuse_empty_rows
from duizhao.read import read


@dataclass(frozen=True, eq=False)
class OnlineState:
    """(..., L), (..., L), (..., L, e): what is kept of the keys that L queries have read so far.

    The twin of `NeuralNetworks.OnlineState`, one state for each query. A query that has read no key may have
    any shift, -inf included; its `sum` and its `acc` are 0.

    Raises:
        TypeError: one is not a floating-point array, or they differ in library or dtype.
        ValueError: the shapes do not fit; a shift is NaN or +inf, a sum is negative or not finite, an entry
            of `acc` is not finite, or a shift is -inf where the sum is not 0.
    """

    max: Array
    """The shift: usually the largest score read so far."""
    sum: Array
    """The sum of exp(s_j - max)."""
    acc: Array
    """The sum of exp(s_j - max) v_j: the output before the division by `sum`."""

    def __post_init__(self) -> None:
        """Check that it is a state."""
        xp = floating(max=self.max, sum=self.sum, acc=self.acc)
        at_least(("width",), acc=self.acc)
        rows, batch = tuple(self.max.shape), tuple(self.acc.shape[:-1])
        if tuple(self.sum.shape) != rows or broadcast_shape(rows, batch) != batch:
            shapes = f"{rows}, {tuple(self.sum.shape)} and {tuple(self.acc.shape)}"
            raise ValueError(f"max, sum and acc: shapes (...), (...) and (..., e) are needed, got {shapes}")
        wrong = xp.logical_or(xp.isnan(self.max), self.max == float("inf"))
        refuse("max", self.max, wrong, "a shift must be finite or -inf")
        refuse("sum", self.sum, xp.logical_not(xp.isfinite(self.sum)), "a sum must be finite")
        refuse("acc", self.acc, xp.logical_not(xp.isfinite(self.acc)), "every entry must be finite")
        if holds(self.sum < 0):
            raise ValueError("sum: must not be negative; it is a sum of exponentials")
        if holds(xp.logical_and(self.max == -float("inf"), self.sum != 0)):
            raise ValueError("sum: must be 0 where the shift is -inf; no key was read there")


def of_block(
    scores: Array, values: Array, *, mask: Array | None = None, shift: Array | float | None = None
) -> OnlineState:
    """(..., L, n), (..., n, e) -> the state (..., L), (..., L), (..., L, e) after reading one block of n keys.

    The twin of `NeuralNetworks.OnlineState.ofBlock`. The shift is the largest score that the query may read,
    so that no exponential overflows and the sum is at least 1; -inf if there is none, as in a block that is
    fully masked or has no key. Another shift gives the same output over the real numbers (`out_ofBlock`). As
    in a matrix product, `scores` may also have the shape (n,).

    A score that is masked, and a value whose exponential is 0 for every query, is not looked at.

    Args:
        scores: float16, bfloat16, float32 or float64; finite or -inf where the mask keeps. n may be 0.
        values: of the same library and dtype; finite where some exponential is not 0.
        mask: boolean, of the same library, broadcastable to the scores; True keeps. No mask keeps all.
        shift: another shift: a number, or an array of the same library and dtype, broadcastable to (..., L).

    Raises:
        TypeError: an array is not a floating-point one, or the mask not a boolean one, they differ in library
            or dtype, or `shift` is neither a real number nor an array.
        ValueError: the shapes do not fit; an allowed score is NaN or +inf; a value with an exponential other
            than 0 is not finite; `shift` is NaN or +inf, or -inf for a query that may read some key.
        OverflowError: an exponential, their sum or their sum times the values does not fit in the dtype. The
            last may happen although the output would fit.
    """
    xp = floating(scores=scores, values=values)
    at_least(("keys",), scores=scores)
    at_least(("keys", "width"), values=values)
    same_rows("values", values, -2, scores.shape[-1], "scores", tuple(scores.shape))
    common_batch("values", tuple(values.shape[:-2]), "scores", tuple(scores.shape[:-2]))
    if mask is None:
        allowed = everything(xp, scores, tuple(scores.shape))
    else:
        allowed = boolean(xp, mask, tuple(scores.shape), beside="scores")
    wrong = xp.logical_and(allowed, xp.logical_or(xp.isnan(scores), scores == float("inf")))
    refuse("scores", scores, wrong, "a score that a query may read must be finite or -inf")

    scores = where(allowed, scores, -float("inf"))
    largest = _largest(xp, scores)
    moved = largest if shift is None else _checked_shift(xp, shift, largest)
    with quiet():
        powers = xp.exp(scores - xp.expand_dims(where(xp.isfinite(moved), moved, 0.0), axis=-1))
        sums = xp.sum(powers, axis=-1)
    refuse_overflow(powers, xp.logical_not(xp.isfinite(powers)), "scores: the exponential")
    refuse_overflow(sums, xp.logical_not(xp.isfinite(sums)), "scores: the sum of the exponentials")
    return OnlineState(moved, sums, _weighted(xp, powers, values))


def merge(a: OnlineState, b: OnlineState) -> OnlineState:
    """(..., L), (..., L), (..., L, e), twice -> the same: the state after reading the keys of both.

    The twin of `NeuralNetworks.OnlineState.merge`: both are rescaled to the larger shift and added. The two
    may change places: the result is the same, bit for bit (unless a compiler fuses products with sums, as
    `jax.jit` does). A state whose shift is -inf adds nothing.

    Args:
        a: the state after reading some keys.
        b: the state after reading other keys.

    Raises:
        TypeError: one is not a state, or the two differ in library or dtype.
        ValueError: the shapes of the two do not broadcast.
        OverflowError: a sum does not fit in the dtype.
    """
    _check_state("a", a)
    _check_state("b", b)
    xp = floating(**{"a.max": a.max, "b.max": b.max})
    shapes = tuple(a.acc.shape), tuple(b.acc.shape)
    if shapes[0][-1] != shapes[1][-1] or broadcast_shape(*shapes) is None:
        raise ValueError(f"b: a state of shape {shapes[1]} does not fit one of shape {shapes[0]}")
    with quiet():
        largest = xp.maximum(a.max, b.max) + 0.0  # of 0 and -0, always 0
        own, other = _rescaling(xp, a.max, largest), _rescaling(xp, b.max, largest)
        sums = own * a.sum + other * b.sum
        acc = xp.expand_dims(own, axis=-1) * a.acc + xp.expand_dims(other, axis=-1) * b.acc
    refuse_overflow(sums, xp.logical_not(xp.isfinite(sums)), "a and b: the sum of the exponentials")
    refuse_overflow(acc, xp.logical_not(xp.isfinite(acc)), "a and b: the sum of the values")
    return OnlineState(largest, sums, acc)


def out(state: OnlineState, *, empty_row: Literal["zero", "nan", "error"] = "zero") -> Array:
    """(..., L), (..., L), (..., L, e) -> (..., L, e): the output of a state, `acc` divided by `sum`.

    The twin of `NeuralNetworks.OnlineState.out`. A query that has read no key has an empty row, and
    `empty_row` says what its output is: "zero" gives 0, as in Lean, "nan" NaN, and "error" raises. The mean
    of the values cannot be had: a state does not hold them.

    Args:
        state: the state after reading some keys.
        empty_row: "zero", "nan" or "error".

    Raises:
        TypeError: `state` is not a state.
        ValueError: `empty_row` is none of the three, or "error" and a query has read no key.
    """
    _check_state("state", state)
    if empty_row not in ("zero", "nan", "error"):
        raise ValueError(f'empty_row: must be "zero", "nan" or "error", got {empty_row!r}')
    xp = floating(sum=state.sum)
    empty = state.sum == 0
    refuse_empty_rows(empty_row, empty)
    empty = xp.expand_dims(empty, axis=-1)
    with quiet():
        output = divide(state.acc, where(xp.logical_not(empty), xp.expand_dims(state.sum, axis=-1), 1.0))
    return where(xp.logical_not(empty), output, 0.0 if empty_row == "zero" else float("nan"))


def _check_state(name: str, state: object) -> None:
    """Check that an argument is a state.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(state, OnlineState):
        raise TypeError(f"{name}: an OnlineState is needed, got {type(state).__name__}; see of_block")


def _largest(xp: Namespace, scores: Array) -> Array:
    """(..., n) -> (...): the largest score, -inf if there is none."""
    if scores.shape[-1]:
        return xp.max(scores, axis=-1)
    return xp.full(tuple(scores.shape[:-1]), -float("inf"), dtype=scores.dtype, device=device(scores))


def _checked_shift(xp: Namespace, shift: Array, largest: Array) -> Array:
    """(broadcastable to (..., L)), (..., L) -> (..., L): the shift of every query, given its largest score.

    Raises:
        TypeError: it is neither a real number nor a floating-point array of the same library and dtype.
        ValueError: it does not broadcast to the rows, is NaN or +inf, or -inf where a score is larger.
    """
    rows = tuple(largest.shape)
    if isinstance(shift, Real) and not is_array_api_obj(shift):
        return xp.full_like(largest, real_number("shift", shift, xp, largest.dtype))
    floating(scores=largest, shift=shift)
    if broadcast_shape(tuple(shift.shape), rows) != rows:
        raise ValueError(
            f"shift: shape {tuple(shift.shape)} does not broadcast to the rows of scores, {rows}"
        )
    shift = xp.broadcast_to(shift, rows)
    refuse("shift", shift, xp.logical_or(xp.isnan(shift), shift == float("inf")), "it must be finite or -inf")
    flags = xp.logical_and(shift == -float("inf"), largest > -float("inf"))
    refuse("shift", shift, flags, "it must be finite where a key may be read")
    return shift


def _weighted(xp: Namespace, powers: Array, values: Array) -> Array:
    """(..., L, n), (..., n, e) -> (..., L, e): the sum of the values times their exponentials; n may be 0."""
    if powers.shape[-1]:
        return read(powers, values)
    return xp.matmul(powers, values)


def _rescaling(xp: Namespace, own: Array, largest: Array) -> Array:
    """(...), (...) -> (...): exp(own - largest), and 0 for a state that has no shift."""
    return xp.exp(where(own > -float("inf"), own - largest, -float("inf")))
