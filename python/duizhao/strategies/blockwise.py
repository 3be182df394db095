"""Strategies for keys in blocks and for states.

Everything shrinks towards one key in one block, with score and value 0.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from duizhao.strategies.blocks import Blocks, Started, States, Vector
from duizhao.strategies.case import Target
from duizhao.strategies.scores import (
    counts,
    few,
    numbers,
    numbers_of_keys,
    remembered,
    rows,
    score_lists,
    sizes,
)


@remembered
def entries(target: Target) -> SearchStrategy[SearchStrategy[float]]:
    """Draw a strategy for values of one size: ordinary, large, subnormal, or mixed. Shrinks towards 0.

    The sum of 31 of the largest does not overflow, nor does a bound that takes it several times.
    """
    if few():
        return st.just(numbers(target, 3.0))
    facts = target.arithmetic
    large = facts.largest / 512
    extremes = [0.0, -0.0, facts.tiny, -facts.tiny, 1.0, large, -large]
    kinds = [numbers(target, 16.0), numbers(target, large), numbers(target, facts.smallest_normal)]
    return st.sampled_from([*kinds, st.sampled_from(extremes)])


@remembered
def moderate(target: Target) -> SearchStrategy[float]:
    """Draw a value within a third of the exponents, or 0. Shrinks towards 0."""
    if few():
        return numbers(target, 3.0)
    low = 2.0 ** (1 + math.ceil(math.log2(target.arithmetic.smallest_normal) / 3))
    sizes = st.floats(low, 1 / low, width=target.width).map(target.rounded)
    return st.just(0.0) | st.tuples(st.sampled_from([1.0, -1.0]), sizes).map(lambda pair: pair[0] * pair[1])


@st.composite
def members_of(draw: DrawFn, blocks: int, n: int, *, cover: bool) -> Vector:
    """Draw which block holds each key: `(blocks, n)`; without `cover`, some keys are in none. Shrinks towards the first."""
    homes = draw(st.lists(st.integers(0, blocks - cover), min_size=n, max_size=n))
    return np.asarray([[float(home == block) for home in homes] for block in range(blocks)])


def blocks_of_keys(
    *, least: int = 1, most: int = 5, cover: bool = False
) -> Callable[[Target], SearchStrategy[Blocks]]:
    """Return strategies for keys in `least` to `most` blocks, some of them empty. Shrinks towards one key.

    Each block's shift is its largest score, as often as not; else it is near a score, and scores and values are so that
    nothing over- or underflows. With `cover`, every key is in a block.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Blocks:
        n, count = draw(counts()), draw(numbers_of_keys(range(least, most + 1)))
        width = draw(sizes((1, 2)))
        members = draw(members_of(count, n, cover=cover))
        own = draw(st.booleans())
        limit = Blocks(target, target.array([0.0])).exponents
        scores = draw(score_lists(target, n, reach=None if own else limit / 3))
        entry = draw(entries(target)) if own else moderate(target)
        values = draw(rows(st.lists(entry, min_size=width, max_size=width), n))  # type: ignore[arg-type]
        shifts = np.max(np.where(members != 0, np.asarray(scores), -np.inf), axis=1)
        if not own:
            offsets = draw(st.lists(numbers(target, limit / 8), min_size=count, max_size=count))
            shifts = np.asarray([target.rounded(scores[0] + offset) for offset in offsets])
        case = Blocks(
            target,
            target.array(scores),
            values=target.array(values),
            members=members,
            shifts=shifts,
        )
        assume(own or case.distance <= limit)
        return case

    return draw_case


@st.composite
def state_entries(draw: DrawFn, target: Target, width: int) -> Sequence[float]:
    """Draw the shift, the sum and the `acc` of a state, which may have read nothing. Shrinks towards that.

    A shift is moderate, far away, or minus infinity; a sum is at least 1 if the shift is a largest score.
    """
    if draw(st.sampled_from(["nothing", "keys", "keys", "keys"])) == "nothing":
        return [draw(st.sampled_from([-np.inf, 0.0])), 0.0, *[0.0] * width]
    shift = draw(numbers(target, 8.0) | numbers(target, target.arithmetic.largest / 4))
    total = draw(st.floats(1.0, 31.0, width=target.width).map(target.rounded))
    acc = draw(entries(target).flatmap(lambda entry: st.lists(entry, min_size=width, max_size=width)))
    return [shift, total, *acc]


def states(count: int) -> Callable[[Target], SearchStrategy[States]]:
    """Return strategies for `count` states. Shrinks towards states that have read nothing."""

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> States:
        width = draw(sizes((1, 2)))
        found = [draw(state_entries(target, width)) for _ in range(count)]
        shifts, sums = ([state[index] for state in found] for index in (0, 1))
        accs = [list(state[2:]) for state in found]
        return States(target, target.array(shifts), target.array(sums), target.array(accs))

    return draw_case


def started() -> Callable[[Target], SearchStrategy[Started]]:
    """Return strategies for a state and an empty one: with a shift at, below or above that of the state, or none.

    Shrinks towards a state that has read nothing. Above, nothing underflows.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> Started:
        width = draw(sizes((1, 2)))
        shift, total, *acc = draw(state_entries(target, width))
        offset = draw(numbers(target, 8.0))
        start = draw(st.sampled_from([-np.inf, shift, -8.0, target.rounded(max(shift, -8.0) + offset)]))
        case = Started(
            target, target.array([shift]), target.array([total]), target.array([acc]), start=float(start)
        )
        assume(case.below or case.smallest_product >= target.arithmetic.smallest_normal)
        return case

    return draw_case
