"""The bound on the mean of a sample."""

import math

import numpy as np
import pytest

from duizhao.rounding.evaluation import evaluated
from duizhao.rounding.sampling import bernstein, mean_square


def test_bernstein_solves_its_inequality() -> None:
    """Put back into the exponent, the bound gives the probability that was asked for."""
    samples, variance, farthest, misses = 100, 2.0, 3.0, 2.0**-10
    bound = bernstein(samples, variance, farthest, misses)
    exponent = samples * bound**2 / (2 * (variance + farthest * bound / 3))
    assert abs(2 * math.exp(-exponent) / misses - 1) <= 2.0**-40


def test_samples_miss_the_bound_less_often_than_stated() -> None:
    """Of 4000 means of 50 signs, at most one in eight is beyond the bound for one in eight."""
    means = np.random.default_rng(0).choice([-1.0, 1.0], size=(4000, 50)).mean(axis=1)
    beyond = np.abs(means) > bernstein(50, 1.0, 1.0, 1 / 8)
    assert 0 < beyond.mean() <= 1 / 8


def test_signs_have_no_sampling_error_in_their_squares() -> None:
    """The square of a product of signs is 1: only rounding is left."""
    assert mean_square(2.0**-53, 1, 10, 0.0, 0.0, 1.0) <= 10 * 2.0**-53


@pytest.mark.parametrize("samples", [0, -1])
def test_mean_of_no_sample_has_no_bound(samples: int) -> None:
    with pytest.raises(ValueError, match=f"samples: at least 1 is needed, got {samples}"):
        bernstein(samples, 1.0, 1.0)


@pytest.mark.parametrize("misses", [0.0, 1.0])
def test_certainty_has_no_bound(misses: float) -> None:
    with pytest.raises(ValueError, match=f"misses: a probability between 0 and 1 is needed, got {misses}"):
        bernstein(1, 1.0, 1.0, misses)


def test_evaluation_loses_a_few_digits_of_float64() -> None:
    assert 1 < evaluated() <= 1 + 2.0**-47
