"""The states of a blockwise pass on balls.

* `OnlineState`, `of_block`, `merge`, `out`: as the reference functions.

Blockwise attention over the real numbers is `masked_attention`, which is what to compare it with.
"""

from dataclasses import dataclass

import flint
import numpy as np

from duizhao.exact.conversion import Balls, balls
from duizhao.exact.dot_product import read
from duizhao.exact.exponentials import permission


@dataclass(frozen=True, eq=False)
class OnlineState:
    """What is kept of the keys that queries (..., L) have read: `max` and `sum` (..., L), `acc` (..., L, out).

    `OnlineState` in `Blockwise.lean`.
    """

    max: Balls
    """The shift; minus infinity if no key was read."""
    sum: Balls
    """The sum of `exp(s_j - max)`."""
    acc: Balls
    """The sum of `exp(s_j - max) v_j`."""


def of_block(
    scores: object, values: object, *, mask: object | None = None, shift: object | None = None
) -> OnlineState:
    """Return the state after reading values (..., keys, out) with scores (..., queries, keys).

    `ofBlock` in `Blockwise.lean`. Without a shift it is the largest score that the query may read, and minus
    infinity if there is none.

    Args:
        scores: Numbers as `balls` takes them; there may be no key.
        values: Numbers (..., keys, out).
        mask: Truth values that broadcast to the shape of the scores; True keeps a key.
        shift: Numbers that broadcast to (..., queries).

    Raises:
        TypeError: If the mask does not hold truth values.
        ValueError: If the shapes do not fit.
    """
    numbers = balls(scores)
    numbers = np.where(permission(mask, numbers.shape), numbers, balls(-np.inf))
    if shift is None:
        shift = np.frompyfunc(flint.arb.max, 2, 1).reduce(numbers, axis=-1, initial=flint.arb.neg_inf())
    shifts = np.broadcast_to(balls(shift), numbers.shape[:-1])
    powers = _exponentials(numbers, shifts[..., None])
    sums = balls(np.add.reduce(powers, axis=-1, initial=flint.arb(0)))
    return OnlineState(shifts, sums, read(powers, values))


def merge(a: OnlineState, b: OnlineState) -> OnlineState:
    """Return the state after reading the keys of both, both rescaled to the larger shift.

    `merge` in `Blockwise.lean`.
    """
    largest = balls(np.frompyfunc(flint.arb.max, 2, 1)(a.max, b.max))
    own, other = _exponentials(a.max, largest), _exponentials(b.max, largest)
    acc = own[..., None] * a.acc + other[..., None] * b.acc
    return OnlineState(largest, balls(own * a.sum + other * b.sum), acc)


def out(state: OnlineState) -> Balls:
    """Return the output (..., queries, out): `acc` over `sum`, and 0 where no key was read.

    `out` in `Blockwise.lean`, where dividing by zero gives zero.
    """
    nothing = np.array([ball.is_zero() for ball in state.sum.ravel()], dtype=np.bool_).reshape(
        state.sum.shape
    )
    sums = np.where(nothing, balls(1), state.sum)[..., None]
    output: Balls = np.where(nothing[..., None], balls(0), state.acc / sums)
    return output


def _exponentials(numbers: Balls, shift: Balls) -> Balls:
    """Return `exp(numbers - shift)`, and 0 where a number is minus infinity."""
    return balls(np.frompyfunc(_exponential, 2, 1)(numbers, shift))


def _exponential(number: flint.arb, shift: flint.arb) -> flint.arb:
    return flint.arb(0) if _is_minus_infinity(number) else (number - shift).exp()


def _is_minus_infinity(number: flint.arb) -> bool:
    return bool(number < 0) and not number.is_finite()
