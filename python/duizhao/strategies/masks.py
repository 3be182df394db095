"""Strategies for masked scores, and for what the theorems on masks do to them.

Everything shrinks towards one key, one allowed key, equal scores near 0, and values near 0. Scores that are not allowed
are finite, and often the largest numbers there are: no result may depend on them.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import cycle, islice

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from duizhao.arrays import Array
from duizhao.strategies.case import Target
from duizhao.strategies.masked import (
    CausalReads,
    CausalScores,
    Falling,
    Filled,
    Mask,
    MaskedRead,
    MaskedReads,
    MaskedRow,
    MaskedRows,
    MaskedShift,
    SplitRead,
    Widened,
)
from duizhao.strategies.reads import value_lists, whole_vectors
from duizhao.strategies.rows import safe_reach
from duizhao.strategies.scores import counts, few, numbers, numbers_of_keys, rows, score_lists, sizes

LENGTHS = (1, 2, 3, 2, 3, 4, 5) * 5 + (9, 34)
"""Lengths of sequences that read themselves: mostly few, one beyond the width of a block of 32."""


@cache
def flags(n: int) -> SearchStrategy[list[bool]]:
    """Draw `n` truth values. Shrinks towards False."""
    return st.lists(st.booleans(), min_size=n, max_size=n)


def masks(draw: DrawFn, n: int, *, least: int = 1) -> tuple[Mask, int, int]:
    """Draw a mask that allows `least` keys, 0 or 1, or more, and two different keys if there are: the first is allowed.

    With `least` 0 it need not be. Shrinks towards the fewest allowed keys.
    """
    kind = draw(st.sampled_from(["fewest", "free", "all"]))
    kept = draw(flags(n)) if kind == "free" else [kind == "all"] * n
    first = draw(st.integers(0, n - 1))
    second = (first + draw(st.integers(1, n - 1))) % n if n > 1 else first
    if least:
        kept[first] = True
    return np.asarray(kept), first, second


@st.composite
def elsewhere(draw: DrawFn, target: Target, mask: Mask, row: Sequence[float]) -> list[float]:
    """Draw other scores at the keys that are not allowed: one extreme number, or anything. Shrinks towards 0."""
    biggest = 3.0 if few() else target.arithmetic.largest
    kind = draw(st.sampled_from([0.0, biggest, -biggest, None]))
    others = draw(score_lists(target, len(row))) if kind is None else [kind] * len(row)
    return [own if keep else other for own, other, keep in zip(row, others, mask.tolist(), strict=True)]


def masked_rows(
    *, least: int = 1, most: int | None = None, safe: bool = False, two: bool = False
) -> Callable[[Target], SearchStrategy[MaskedRow]]:
    """Return strategies for a masked row and two keys. Shrinks towards one allowed key.

    At least `least` keys are allowed, and at most `most`, each 0 or 1 if given. With `safe`, no exponential underflows.
    With `two`, the keys are allowed ones, else any.
    """

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> MaskedRow:
        n = draw(counts(max(least, 1)))
        mask, first, _ = masks(draw, n, least=least)
        if most is not None:
            mask = np.asarray([most > 0 and key == first for key in range(n)])
        reach = safe_reach(target.arithmetic, n) if safe else None
        row = draw(score_lists(target, n, reach=reach))
        if not safe:
            row = draw(elsewhere(target, mask, row))
        chosen = [key for key in range(n) if mask[key] or not two]
        key, second = (draw(st.sampled_from(chosen)) for _ in range(2))
        return MaskedRow(target, target.array(row), key, mask=mask, second=second)

    return draw_row


def key_of(*, allowed: bool) -> Callable[[Target], SearchStrategy[MaskedRow]]:
    """Return strategies for a masked row and a key that is allowed, or one that is not. Shrinks towards one key."""

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> MaskedRow:
        n = draw(counts())
        mask, key, _ = masks(draw, n, least=0)
        mask[key] = allowed
        row = draw(elsewhere(target, mask, draw(score_lists(target, n))))
        return MaskedRow(target, target.array(row), key, mask=mask)

    return draw_row


def shifted() -> Callable[[Target], SearchStrategy[MaskedShift]]:
    """Return strategies for a masked row and a constant: moderate, or so large that only whole numbers survive.

    Shrinks towards the constant 0.
    """

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> MaskedShift:
        n = draw(counts())
        mask, _, _ = masks(draw, n, least=0)
        if draw(st.booleans()):
            constant = target.rounded(draw(st.sampled_from([1.0, -1.0, 0.3])) * 0.25 / target.arithmetic.u)
            row = [float(score) for score in draw(rows(st.integers(-30, 30), n))]
        else:
            constant = draw(numbers(target, 100.0))
            row = list(draw(score_lists(target, n, reach=60.0)))
        others = target.array([target.rounded(score + constant) for score in row])
        return MaskedShift(target, target.array(row), mask=mask, others=others, constant=constant)

    return draw_row


def agreeing() -> Callable[[Target], SearchStrategy[MaskedRows]]:
    """Return strategies for two rows that agree at the allowed keys. Shrinks towards two equal rows."""

    @st.composite
    def draw_rows(draw: DrawFn, target: Target) -> MaskedRows:
        n = draw(counts())
        mask, _, _ = masks(draw, n, least=0)
        row = draw(score_lists(target, n))
        others = draw(elsewhere(target, mask, row))
        return MaskedRows(target, target.array(row), mask=mask, others=target.array(others))

    return draw_rows


def widened() -> Callable[[Target], SearchStrategy[Widened]]:
    """Return strategies for a masked row, an allowed key, and one that is not. Shrinks towards two keys."""

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> Widened:
        n = draw(counts(2))
        mask, key, second = masks(draw, n)
        mask[second] = False
        return Widened(target, target.array(draw(score_lists(target, n))), key, mask=mask, second=second)

    return draw_row


def fills(target: Target) -> SearchStrategy[float]:
    """Draw a fill: one that programs use, or any number. Shrinks towards 0."""
    facts = target.arithmetic
    usual = [0.0, -facts.largest, -facts.largest / 2, target.rounded(-1e4), target.rounded(-1e9)]
    return st.one_of(numbers(target, 8.0), st.sampled_from([max(fill, -facts.largest) for fill in usual]))


def filled() -> Callable[[Target], SearchStrategy[Falling]]:
    """Return strategies for a masked row and one fill. Shrinks towards the fill 0."""

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> Falling:
        n = draw(counts())
        mask, key, _ = masks(draw, n, least=0)
        row = draw(score_lists(target, n))
        return Falling(target, target.array(row), key, mask=mask, fills=(draw(fills(target)),))

    return draw_row


def all_filled() -> Callable[[Target], SearchStrategy[Filled]]:
    """Return strategies for scores of which none is allowed, and a fill. Shrinks towards one key."""

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> Filled:
        n = draw(counts())
        return Filled(target, target.array([0.0] * n), fill=draw(fills(target)))

    return draw_row


def falling() -> Callable[[Target], SearchStrategy[Falling]]:
    """Return strategies for a masked row and three fills: a little lower than the largest allowed score, to far below.

    The last one is so low that its exponential underflows. Shrinks towards one allowed key.
    """

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> Falling:
        n = draw(counts())
        mask, _, _ = masks(draw, n)
        row = draw(score_lists(target, n, extreme=False))
        top = max(score for score, keep in zip(row, mask.tolist(), strict=True) if keep)
        step = draw(st.sampled_from([1.0, 0.0, -3.0, 6.0]))
        last = -2 * math.log(target.arithmetic.tiny)
        lower = tuple(target.rounded(top - by) for by in (step, 12.0, last))
        return Falling(target, target.array(row), mask=mask, fills=lower)

    return draw_row


def behind(draw: DrawFn, target: Target, mask: Mask) -> Array:
    """Draw values of one to three coordinates. Shrinks towards the value 0."""
    return target.array(draw(value_lists(target, len(mask), draw(sizes((1, 2, 3))))))


@cache
def ways(width: int) -> SearchStrategy[list[list[float]]]:
    """Draw one to three directions. Shrinks towards one."""
    return st.lists(whole_vectors(width).filter(any), min_size=1, max_size=3)


def masked_reads(*, least: int = 1) -> Callable[[Target], SearchStrategy[MaskedRead]]:
    """Return strategies for a masked row with values, at least `least` keys allowed. Shrinks towards the value 0."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> MaskedRead:
        n = draw(counts())
        mask, _, _ = masks(draw, n, least=least)
        row = draw(elsewhere(target, mask, draw(score_lists(target, n))))
        values = behind(draw, target, mask)
        directions = np.asarray(draw(ways(int(values.shape[1]))))
        return MaskedRead(target, target.array(row), mask=mask, values=values, directions=directions)

    return draw_case


def agreeing_reads() -> Callable[[Target], SearchStrategy[MaskedReads]]:
    """Return strategies for two masked reads that agree at the allowed keys. Shrinks towards two equal reads.

    The values at other keys are finite, and as large as they get.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> MaskedReads:
        n = draw(counts())
        mask, _, _ = masks(draw, n, least=0)
        row = draw(score_lists(target, n))
        others = draw(elsewhere(target, mask, row))
        width = draw(sizes((1, 2, 3)))
        values = draw(value_lists(target, n, width))
        biggest = draw(st.sampled_from([1.0, target.arithmetic.largest, -target.arithmetic.largest]))
        other_values = [
            own if keep else [biggest] * width for own, keep in zip(values, mask.tolist(), strict=True)
        ]
        return MaskedReads(
            target,
            target.array(row),
            mask=mask,
            values=target.array(values),
            others=target.array(others),
            other_values=target.array(other_values),
        )

    return draw_case


def split_reads() -> Callable[[Target], SearchStrategy[SplitRead]]:
    """Return strategies for a read over two disjoint blocks, neither of them empty. Shrinks towards two keys.

    Their scores are not extreme, so that the logarithms of the blocks' sums are known to enough bits.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> SplitRead:
        n = draw(counts(2))
        mask, first, second = masks(draw, n)
        other = np.asarray(draw(flags(n))) & ~mask
        other[second], mask[second] = True, False
        row = draw(elsewhere(target, mask | other, draw(score_lists(target, n, extreme=False))))
        values = behind(draw, target, mask)
        return SplitRead(
            target, target.array(row), first, mask=mask, second=second, values=values, other_mask=other
        )

    return draw_case


@st.composite
def squares(draw: DrawFn, target: Target, *, safe: bool = False, least: int = 1) -> list[list[float]]:
    """Draw the scores of a sequence with itself: up to 25 different ones, repeated. Shrinks towards one position."""
    length = draw(numbers_of_keys([length for length in LENGTHS if length >= least]))
    reach = safe_reach(target.arithmetic, length) if safe else None
    drawn = draw(score_lists(target, min(length * length, 25), reach=reach))
    entries = cycle(drawn)
    return [list(islice(entries, length)) for _ in range(length)]


def causal_scores(
    *, safe: bool = False, later: bool = False
) -> Callable[[Target], SearchStrategy[CausalScores]]:
    """Return strategies for the scores of a sequence, a position and a key. Shrinks towards one position.

    With `safe`, no exponential underflows. With `later`, the key is after the position.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> CausalScores:
        square = draw(squares(target, safe=safe, least=2 if later else 1))
        length = len(square)
        position = draw(st.integers(0, length - 1 - later))
        key = draw(st.integers(position + 1 if later else 0, length - 1))
        return CausalScores(target, target.array(square), position, key)

    return draw_case


def causal_reads() -> Callable[[Target], SearchStrategy[CausalReads]]:
    """Return strategies for two causal reads that agree up to a position. Shrinks towards one position.

    What comes later is finite, and as large as values of a read get.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> CausalReads:
        square = draw(squares(target))
        length = len(square)
        position = draw(st.integers(0, length - 1))
        width = draw(sizes((1, 2)))
        values = draw(value_lists(target, length, width))
        large = target.arithmetic.largest / 16
        later = draw(st.sampled_from([0.0, 1.0, large, -large]))
        others = [[*row[: position + 1], *[later] * (length - position - 1)] for row in square]
        other_values = [value if key <= position else [later] * width for key, value in enumerate(values)]
        return CausalReads(
            target,
            target.array(square),
            position,
            values=target.array(values),
            others=target.array(others),
            other_values=target.array(other_values),
        )

    return draw_case
