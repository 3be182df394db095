"""Strategies for rows of scores at which the bounds on the derivative of softmax are attained.

Everything shrinks towards two keys and scores near 0.
"""

import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from duizhao.strategies.attentions import Strategies
from duizhao.strategies.case import Target
from duizhao.strategies.rows import ScoreRow
from duizhao.strategies.scores import numbers, score_rows

EXTRA_KEYS = st.sampled_from((0, 1, 2, 6, 29))
DEPTHS = st.sampled_from((1.7, 1.0, -4.0))
STEPS = st.integers(0, 12)


def tied_or_free() -> Strategies:
    """Return strategies for a row in which two keys share nearly all the weight, as often as for any row.

    The two scores are a few floats apart, the others so far below that they are nearly lost in the sum, one by one.
    """

    @st.composite
    def draw_tied(draw: DrawFn, target: Target) -> ScoreRow:
        facts = target.arithmetic
        base = draw(st.sampled_from([1.0, 0.5, 2.0, 0.75, 1.5]))
        far = target.rounded(base + math.log(facts.u) + draw(DEPTHS))
        row = [base, target.after(base, -draw(STEPS)), *[far] * draw(EXTRA_KEYS)]
        return ScoreRow(target, target.array(row), draw(st.integers(0, len(row) - 1)))

    free = score_rows()
    return lambda target: draw_tied(target) | free(target)


def saturated_or_free() -> Strategies:
    """Return strategies for a row in which one key has nearly all the weight, as often as for any row."""

    @st.composite
    def draw_saturated(draw: DrawFn, target: Target) -> ScoreRow:
        facts = target.arithmetic
        gap = -math.log(facts.u) + abs(draw(numbers(target, 3.0)))
        row = [0.0, *[target.rounded(-gap)] * (1 + draw(EXTRA_KEYS))]
        return ScoreRow(target, target.array(row), 0)

    free = score_rows()
    return lambda target: draw_saturated(target) | free(target)
