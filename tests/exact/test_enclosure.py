"""Enclosures become as tight as asked, or say where not."""

import math
from fractions import Fraction

import array_api_strict
import flint
import numpy as np
import pytest

from duizhao import exact
from duizhao.exact import Balls, enclose, ends


@pytest.mark.parametrize("bits", [1, 53, 500])
def test_enclose_knows_as_many_bits_as_asked(bits: int) -> None:
    output = enclose(exact.softmax, [[0.1, 700.0, -30.0]], bits=bits)
    for low, high in (ends(ball) for ball in output.ravel().tolist()):
        assert 0 < high - low <= Fraction(4, 2**bits) * high


def test_enclose_raises_the_precision_until_a_cancellation_is_resolved() -> None:
    (output,) = enclose(exact.read, [1.0, 1.0, 1.0], np.asarray([[1e300], [5e-324], [-1e300]]))
    assert output == 5e-324


def test_enclose_names_the_entry_that_it_cannot_tell_from_zero() -> None:
    with pytest.raises(
        ArithmeticError, match=r"attention: entry \(0, 1\) is known to 0 bits at 512 bits .* give a radius"
    ):
        enclose(exact.attention, [[1.0, 0.0]], [[1, 0], [0, 0], [0, 0]], [[1, 0], [1, 1], [1, -1]], limit=512)


def test_a_radius_ends_the_search() -> None:
    arrays = ([[1.0, 0.0]], [[1, 0], [0, 0], [0, 0]], [[1, 0], [1, 1], [1, -1]])
    output = enclose(exact.attention, *arrays, radius=1e-30)
    low, high = ends(output[0, 1])
    assert -Fraction(1e-30) <= low < 0 < high <= Fraction(1e-30)


def test_a_radius_that_is_not_reached_ends_nothing() -> None:
    arrays = ([[1.0, 0.0]], [[1, 0], [0, 0], [0, 0]], [[1, 0], [1, 1], [1, -1]])
    with pytest.raises(ArithmeticError, match=r"entry \(0, 1\) is known to 0 bits at 512 bits"):
        enclose(exact.attention, *arrays, radius=1e-300, limit=512)


def test_enclose_starts_low_and_doubles_the_precision() -> None:
    tried = []

    def noted(weights: object, values: object) -> Balls:
        tried.append(flint.ctx.prec)
        return exact.read(weights, values)

    enclose(noted, [1.0], [[2.0]])
    assert tried == [128]
    enclose(noted, [1.0, 1.0, 1.0], [[2.0**400], [1.0], [-(2.0**400)]])
    assert tried == [128, 128, 256, 512]


def test_an_infinite_entry_is_not_tight() -> None:
    with pytest.raises(ArithmeticError, match=r"scores: entry \(0, 0\) is no finite number"):
        enclose(exact.scores, [[math.inf]], [[1.0]], limit=256)


def test_enclose_says_that_an_entry_is_no_number() -> None:
    with pytest.raises(ArithmeticError, match=r"softmax: entry \(1, 0\) is no finite number at 64 bits"):
        enclose(exact.softmax, [[1.0], [math.nan]], bits=32, limit=64)


def test_enclose_hands_masks_and_options_on() -> None:
    arrays = (np.zeros((2, 1)), np.zeros((2, 1)), [[1.0], [3.0]])
    for mask in ([[False, False], [True, True]], array_api_strict.asarray([[False, False], [True, True]])):
        assert enclose(exact.masked_attention, *arrays, mask, empty_row="mean").tolist() == [[2], [2]]


def test_enclose_refuses_no_bits() -> None:
    with pytest.raises(ValueError, match="bits: must be positive, got 0"):
        enclose(exact.softmax, [1.0], bits=0)


def test_enclose_puts_the_precision_back() -> None:
    before = flint.ctx.prec
    enclose(exact.softmax, [1.0, 2.0], bits=300)
    assert flint.ctx.prec == before


def test_attention_of_64_rows_and_width_64_is_enclosed() -> None:
    arrays = [np.random.default_rng(seed).normal(size=(64, 64)) for seed in range(3)]
    output = enclose(exact.attention, *arrays)
    assert output.shape == (64, 64)
    assert min(ball.rel_accuracy_bits() for ball in output.ravel().tolist()) >= 96
