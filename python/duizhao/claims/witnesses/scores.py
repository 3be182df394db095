"""Smallest cases of rows of scores."""

from duizhao.strategies import Target
from duizhao.strategies.rows import Raised, Scaled, ScoreRow, TwoRows


def gap_that_underflows(target: Target) -> ScoreRow:
    """Return two scores so far apart that the smaller weight is 0."""
    gap_of_zero = {"float64": -746.0, "float32": -104.0, "float16": -18.0, "bfloat16": -104.0}[target.dtype]
    return ScoreRow(target, target.array([0.0, gap_of_zero]))


def gap_that_saturates(target: Target) -> ScoreRow:
    """Return two scores so far apart that the larger weight is 1."""
    gap_of_one = {"float64": -37.0, "float32": -17.0, "float16": -8.0, "bfloat16": -6.0}[target.dtype]
    return ScoreRow(target, target.array([0.0, gap_of_one]))


def smallest_raise(target: Target) -> Raised:
    """Return two scores of 0, and the first raised by the smallest float."""
    return Raised(target, target.array([0.0, 0.0]), 0, raised_to=target.arithmetic.tiny, second=1)


def smallest_difference(target: Target) -> ScoreRow:
    """Return the score 0 and the smallest score above it."""
    return ScoreRow(target, target.array([0.0, target.arithmetic.tiny]))


def two_rows_that_underflow(target: Target) -> TwoRows:
    """Return two different rows whose weights are 1 and 0 both."""
    row = gap_that_underflows(target).scores
    return TwoRows(target, row, others=row * 2)


def scale_that_underflows(target: Target) -> Scaled:
    """Return scores whose scaled weights are 1 and 0: the scale can no longer be read back."""
    row = target.array([0.0, -1.0])
    scale = -float(gap_that_underflows(target).scores[1])
    return Scaled(target, row, 0, others=row * scale, scale=scale, second=1)
