"""Smallest cases of scores at a temperature."""

import math

from duizhao.claims.witnesses.scores import gap_that_underflows
from duizhao.strategies import Target
from duizhao.strategies.temperatures import Cooled, Tempered, Turned


def temperature_that_underflows(target: Target) -> Tempered:
    """Return two scores at a temperature of 1/2 at which the smaller weight is 0."""
    row = gap_that_underflows(target).scores / 2
    return Tempered(target, row, temperature=0.5)


def temperature_that_leaves_weight(target: Target) -> Cooled:
    """Return the scores 0 and −1 at a temperature just too high for the second weight to underflow."""
    temperature = target.rounded(-1 / math.log(target.arithmetic.smallest_normal) / 0.9)
    return Cooled(target, target.array([0.0, -1.0]), temperature=temperature, greatest=0.0)


def smallest_difference_turned(target: Target) -> Turned:
    """Return the score 0 and the smallest score above it, at the temperature −1."""
    return Turned(target, target.array([0.0, target.arithmetic.tiny]), temperature=-1.0)
