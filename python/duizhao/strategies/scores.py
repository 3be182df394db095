"""Strategies for rows of scores, and for what the theorems on softmax do to them.

Everything shrinks towards one key, equal scores, and scores near 0.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from flint import arb
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from duizhao import exact
from duizhao.strategies.case import Target
from duizhao.strategies.rows import (
    Biased,
    Bounded,
    Lead,
    Near,
    Permuted,
    Raised,
    Scaled,
    ScoreRow,
    Shifted,
    TwoRows,
    distances,
    safe_reach,
    smallest,
)

NUMBERS_OF_KEYS = (1, 2, 3, 2, 3, 4, 5, 6, 7, 9, 12, 17, 31) * 5 + (33, 65, 130)
"""Mostly few; some beyond the widths in which vector units, blocks and pairwise sums work: 32, 64 and 128."""

FEW_KEYS = 3
"""Counterexamples are sought among so few keys: where there is one, there is a small one."""

_most: ContextVar[tuple[int, int, bool] | None] = ContextVar("most", default=None)

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@contextmanager
def few_keys(most: int = FEW_KEYS, wide: int = FEW_KEYS, *, whole: bool = True) -> Iterator[None]:
    """Let there be at most `most` keys and `wide` coordinates; with `whole`, small whole numbers, as in counterexamples."""
    token = _most.set((most, wide, whole))
    try:
        yield
    finally:
        _most.reset(token)


def few() -> bool:
    """Return whether few keys and small whole numbers are asked for."""
    limit = _most.get()
    return limit is not None and limit[2]


def larger(target: Target, value: float) -> float:
    """Return the next float of the dtype; under `few_keys`, one more."""
    return value + 1 if few() else target.after(value, 1)


@st.composite
def numbers_of_keys(draw: DrawFn, pool: Sequence[int]) -> int:
    """Draw one of some numbers of keys; under `few_keys` none larger than asked for. Shrinks towards the first."""
    limit = _most.get()
    return draw(st.sampled_from(pool if limit is None else _at_most(limit[0], pool)))


@st.composite
def sizes(draw: DrawFn, pool: Sequence[int]) -> int:
    """Draw one of some widths; under `few_keys` none larger than asked for. Shrinks towards the first."""
    limit = _most.get()
    return draw(st.sampled_from(pool if limit is None else _at_most(limit[1], pool)))


def _at_most(most: int, pool: Sequence[int]) -> Sequence[int]:
    return [size for size in pool if size <= most] or [min(pool)]


def remembered(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Return a function that remembers its results as `functools.cache` does, apart for `few_keys`."""
    known: dict[Any, Result] = {}

    @wraps(function)
    def called(*arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        key = few(), arguments, tuple(sorted(options.items()))
        if key not in known:
            known[key] = function(*arguments, **options)
        return known[key]

    return called


@cache
def _counts(low: int, high: int) -> SearchStrategy[int]:
    return st.sampled_from([number for number in NUMBERS_OF_KEYS if low <= number <= high])


def counts(low: int = 1) -> SearchStrategy[int]:
    """Draw a number of keys, at least `low`: mostly few, sometimes up to 130. Shrinks towards `low`."""
    limit = _most.get()
    return _counts(low, max(NUMBERS_OF_KEYS) if limit is None else max(limit[0], low))


@remembered
def numbers(target: Target, largest: float, *, subnormal: bool = True) -> SearchStrategy[float]:
    """Draw a number of the dtype, of magnitude at most `largest`. Shrinks towards 0 and whole numbers.

    Under `few_keys` it is a whole number of magnitude at most 3, or one of so many parts of a `largest` below 1.
    """
    if few():
        whole = int(min(largest, 3))
        return st.integers(-whole, whole).map(float) if whole else st.sampled_from([0.0, largest, -largest])
    bound = target.rounded(largest)
    if bound > largest:
        bound = target.after(bound, -1)
    drawn = st.floats(-bound, bound, width=target.width, allow_subnormal=subnormal)
    return drawn.map(target.rounded) if target.dtype == "bfloat16" else drawn


@st.composite
def rows(draw: DrawFn, element: SearchStrategy[float], n: int) -> Sequence[float]:
    """Draw `n` numbers: all different, few different ones, or all equal. Shrinks towards all equal."""
    shape = draw(st.sampled_from(["equal", "ties", "free"]))
    if shape == "equal":
        return [draw(element)] * n
    if shape == "ties":
        pool = draw(st.lists(element, min_size=1, max_size=3))
        return draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
    return draw(st.lists(element, min_size=n, max_size=n))


@st.composite
def score_lists(
    draw: DrawFn, target: Target, n: int, *, reach: float | None = None, extreme: bool = True
) -> Sequence[float]:
    """Draw `n` scores of one kind. Shrinks towards equal scores near 0.

    The kinds: moderate; close (a few floats apart); wide (gaps that underflow); lifted (a common shift so large that
    scores are whole numbers); extreme (the largest numbers and the smallest). With `reach`, no gap exceeds it.
    """
    facts = target.arithmetic
    underflow = -math.log(facts.tiny) + 10
    kinds = ["moderate", "close", "wide", "lifted"] + (["extreme"] if extreme and reach is None else [])
    kind = "moderate" if few() else draw(st.sampled_from(kinds))
    limit = underflow if reach is None else reach
    if kind == "moderate":
        return draw(rows(numbers(target, min(8.0, limit / 2)), n))
    if kind == "close":
        base = draw(numbers(target, min(8.0, limit / 2)))
        steps = draw(rows(st.integers(-3, 3), n))
        return [target.after(base, int(step)) for step in steps]
    if kind == "wide":
        return draw(rows(numbers(target, limit / 2 if reach is not None else limit), n))
    if kind == "lifted":
        base = draw(st.sampled_from([1.0, -1.0])) / facts.u / 2
        size = min(40, int(limit / 2))
        return [base + whole for whole in draw(rows(st.integers(-size, size), n))]
    pool = [0.0, facts.tiny, -facts.tiny, facts.largest, -facts.largest, facts.largest / 2]
    return draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))


def score_rows(*, least: int = 1, safe: bool = False) -> Callable[[Target], SearchStrategy[ScoreRow]]:
    """Return strategies for a row of at least `least` scores and one key. Shrinks towards equal scores near 0.

    With `safe`, no exponential underflows.
    """

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> ScoreRow:
        n = draw(counts(least))
        reach = safe_reach(target.arithmetic, n) if safe else None
        scores = draw(score_lists(target, n, reach=reach))
        return ScoreRow(target, target.array(scores), draw(st.integers(0, n - 1)))

    return draw_row


def equal_scores() -> Callable[[Target], SearchStrategy[ScoreRow]]:
    """Return strategies for a row of one score, repeated. Shrinks towards one key with score 0."""

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> ScoreRow:
        n = draw(counts())
        score = draw(st.one_of(numbers(target, 8.0), numbers(target, target.arithmetic.largest)))
        return ScoreRow(target, target.array([score] * n))

    return draw_row


def shifted() -> Callable[[Target], SearchStrategy[Shifted]]:
    """Return strategies for a row and a constant. Shrinks towards the constant 0.

    The constant is moderate, or so large that only scores which are whole numbers survive it unrounded.
    """

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> Shifted:
        n = draw(counts())
        large = 0.25 / target.arithmetic.u
        if draw(st.booleans()):
            constant = draw(st.sampled_from([large, -large, large / 3, 1024.0]))
            scores = [float(score) for score in draw(rows(st.integers(-30, 30), n))]
        else:
            constant = draw(st.one_of(numbers(target, 100.0), st.sampled_from([10.0, 100.0])))
            scores = list(draw(score_lists(target, n, reach=60.0)))
        constant = target.rounded(constant)
        others = [target.rounded(score + constant) for score in scores]
        return Shifted(target, target.array(scores), others=target.array(others), constant=constant)

    return draw_row


def biased() -> Callable[[Target], SearchStrategy[Biased]]:
    """Return strategies for a row and a bias for each key. Shrinks towards equal scores and equal biases."""

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> Biased:
        n = draw(counts())
        scores = target.array(draw(score_lists(target, n, reach=30.0)))
        bias = target.array(draw(rows(numbers(target, 15.0), n)))
        return Biased(target, scores, others=scores + bias, bias=bias)

    return draw_row


def permuted() -> Callable[[Target], SearchStrategy[Permuted]]:
    """Return strategies for a row and an order of its keys. Shrinks towards the order as it is."""

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> Permuted:
        n = draw(counts())
        order = tuple(draw(st.permutations(range(n))))
        return Permuted(target, target.array(draw(score_lists(target, n))), order=order)

    return draw_row


def two_rows() -> Callable[[Target], SearchStrategy[TwoRows]]:
    """Return strategies for two rows in which nothing underflows: unrelated, or one the other plus a constant.

    Shrinks towards two equal rows.
    """

    @st.composite
    def draw_rows(draw: DrawFn, target: Target) -> TwoRows:
        n = draw(counts())
        reach = safe_reach(target.arithmetic, n) - 1
        scores = draw(score_lists(target, n, reach=reach))
        constant = draw(st.none() | st.integers(-1024, 1024))
        if constant is None:
            others = list(draw(score_lists(target, n, reach=reach)))
        else:
            others = [target.rounded(score + constant) for score in scores]
        return TwoRows(target, target.array(scores), others=target.array(others))

    return draw_rows


def near_rows() -> Callable[[Target], SearchStrategy[Near]]:
    """Return strategies for two rows that differ by a little at every key. Shrinks towards two equal rows.

    As often as not one key rises by as much as all others fall, which brings the bound close to equality.
    """

    @st.composite
    def draw_rows(draw: DrawFn, target: Target) -> Near:
        n = draw(counts())
        scores = list(draw(score_lists(target, n, reach=40.0)))
        step = abs(draw(numbers(target, 4.0)))
        key = draw(st.integers(0, n - 1))
        if not few() and draw(st.booleans()):
            others = [target.rounded(score + step) for score in scores]
            others[key] = target.rounded(scores[key] - step)
            low = 2 - math.log(target.arithmetic.u)
            scores[key], others[key] = (target.rounded(score - low) for score in (scores[key], others[key]))
        else:
            moves = [step * draw(st.sampled_from([-1.0, 0.0, 1.0])) for _ in range(n)]
            others = [target.rounded(score + move) for score, move in zip(scores, moves, strict=True)]
        rows_of_scores = target.array(scores), target.array(others)
        epsilon = distances(exact.balls(rows_of_scores[0]), exact.balls(rows_of_scores[1]))
        return Near(target, rows_of_scores[0], key, others=rows_of_scores[1], epsilon=epsilon)

    return draw_rows


def raised(*, least: int) -> Callable[[Target], SearchStrategy[Raised]]:
    """Return strategies for a row and the same with the score of `key` raised: by one float, a little or a lot.

    Shrinks towards one float.
    """

    @st.composite
    def draw_rows(draw: DrawFn, target: Target) -> Raised:
        n = draw(counts(least))
        scores = list(draw(score_lists(target, n)))
        key, second = draw(st.permutations(range(n)))[:2]
        assume(scores[key] < target.arithmetic.largest)
        by = (
            0.0
            if few()
            else draw(st.just(0.0) | st.floats(0, 1024.0, width=target.width, allow_subnormal=True))
        )
        raised_score = max(target.rounded(scores[key] + by), larger(target, scores[key]))
        return Raised(target, target.array(scores), key, raised_to=raised_score, second=second)

    return draw_rows


def scaled() -> Callable[[Target], SearchStrategy[Scaled]]:
    """Return strategies for a row in which two keys differ, and a scale. Shrinks towards the scale 0."""

    @st.composite
    def draw_rows(draw: DrawFn, target: Target) -> Scaled:
        n = draw(counts(2))
        reach = safe_reach(target.arithmetic, n)
        row = list(draw(rows(numbers(target, 8.0, subnormal=False), n)))
        key, second = draw(st.permutations(range(n)))[:2]
        assume(row[key] != row[second])
        scale = draw(numbers(target, reach / 16, subnormal=False))
        others = [target.rounded(target.rounded(scale) * score) for score in row]
        return Scaled(target, target.array(row), key, others=target.array(others), scale=scale, second=second)

    return draw_rows


def leads() -> Callable[[Target], SearchStrategy[Lead]]:
    """Return strategies for a row in which `key` leads: often with all others equal. Shrinks towards no lead.

    The lead is the exact one, rounded down; it is negative where another key scores more.
    """

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> Lead:
        n = draw(counts())
        key = draw(st.integers(0, n - 1))
        if draw(st.booleans()):
            base, top = draw(numbers(target, 40.0)), draw(numbers(target, 40.0))
            row = [base] * n
            row[key] = top
        else:
            row = list(draw(score_lists(target, n, extreme=False)))
        rivals = [arb(row[key]) - arb(score) for index, score in enumerate(row) if index != key]
        return Lead(target, target.array(row), key, lead=exact.lower(smallest(rivals or [arb(0)])))

    return draw_row


def bounded() -> Callable[[Target], SearchStrategy[Bounded]]:
    """Return strategies for a row and the exact largest excess of `key`, rounded up. Shrinks towards equal scores."""

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> Bounded:
        n = draw(counts())
        key = draw(st.integers(0, n - 1))
        row = list(draw(score_lists(target, n, extreme=False)))
        bound = exact.upper(arb(row[key]) - arb(min(row)))
        return Bounded(target, target.array(row), key, bound=bound)

    return draw_row


def two_scores() -> Callable[[Target], SearchStrategy[ScoreRow]]:
    """Return strategies for a row of two scores. Shrinks towards equal scores near 0."""

    @st.composite
    def draw_row(draw: DrawFn, target: Target) -> ScoreRow:
        return ScoreRow(target, target.array(draw(score_lists(target, 2))), 1)

    return draw_row
