"""Smallest cases of blocks of keys."""

import numpy as np

from duizhao.strategies import Target
from duizhao.strategies.blocks import Blocks, Started

FAR = {"float64": 1000.0, "float32": 128.0, "float16": 32.0, "bfloat16": 128.0}
"""Distances whose exponentials over- or underflow."""


def shift_that_overflows(target: Target) -> Blocks:
    """Return one key with the score and the value 0, and a shift so low that its exponential overflows."""
    scores, values = target.array([0.0]), target.array([[0.0]])
    members, shifts = np.ones((1, 1)), np.asarray([-FAR[target.dtype]])
    return Blocks(target, scores, values=values, members=members, shifts=shifts)


def shift_of_two_that_overflows(target: Target) -> Blocks:
    """Return the same with a second block that is empty."""
    scores, values = target.array([0.0]), target.array([[0.0]])
    members, shifts = np.asarray([[1.0], [0.0]]), np.full(2, -FAR[target.dtype])
    return Blocks(target, scores, values=values, members=members, shifts=shifts)


def start_that_underflows(target: Target) -> Started:
    """Return a state with the output 1, and a start so high above its shift that the state is lost."""
    entries = target.array([0.0]), target.array([1.0]), target.array([[1.0]])
    return Started(target, *entries, start=FAR[target.dtype])
