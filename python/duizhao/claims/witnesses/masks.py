"""Smallest cases of masked scores."""

import numpy as np

from duizhao.claims.witnesses.scores import gap_that_saturates, gap_that_underflows
from duizhao.strategies import Target
from duizhao.strategies.masked import CausalScores, Falling, MaskedRow, Widened


def allowed_key_that_underflows(target: Target) -> MaskedRow:
    """Return two allowed keys with scores so far apart that the smaller weight is 0."""
    row = gap_that_underflows(target).scores
    return MaskedRow(target, row, 1, mask=np.asarray([True, True]), second=0)


def only_key_that_underflows(target: Target) -> MaskedRow:
    """Return two keys of which only that with the smaller weight, which is 0, is allowed: 0 is divided by 0."""
    row = gap_that_underflows(target).scores
    return MaskedRow(target, row, 0, mask=np.asarray([False, True]))


def key_that_saturates(target: Target) -> MaskedRow:
    """Return two keys of which that with the larger weight, which is 1, is allowed."""
    row = gap_that_saturates(target).scores
    return MaskedRow(target, row, 1, mask=np.asarray([True, False]))


def key_that_changes_nothing(target: Target) -> Widened:
    """Return an allowed key, and one with a score so low that allowing it leaves the weight 1."""
    row = gap_that_saturates(target).scores
    return Widened(target, row, 0, mask=np.asarray([True, False]), second=1)


def fill_that_underflows(target: Target) -> Falling:
    """Return an allowed key with score 0, and a fill so low that the other key gets the weight 0."""
    low = float(gap_that_underflows(target).scores[1])
    return Falling(target, target.array([0.0, 0.0]), 1, mask=np.asarray([True, False]), fills=(low,))


def causal_key_that_underflows(target: Target) -> CausalScores:
    """Return two positions of which the second gives the weight 0 to itself."""
    low = float(gap_that_underflows(target).scores[1])
    return CausalScores(target, target.array([[0.0, 0.0], [0.0, low]]), 1, 1)
