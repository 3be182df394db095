"""What counts as refuting a false claim, and what does not."""

import math

import numpy as np
import pytest
from flint import arb

from duizhao import exact
from duizhao.claims import all_claims
from duizhao.claims.measure import judge
from duizhao.claims.refutation import differs, leaves, refuted
from duizhao.softmax import softmax
from duizhao.strategies import Target
from duizhao.strategies.counterexamples import Filled
from duizhao.strategies.refutations import score_below

CLAIMS = all_claims()
FLOAT32 = Target("float32")
UNSURE = arb(1, 0.5)


def test_one_fact_that_does_not_hold_refutes_nothing() -> None:
    assert refuted(True, True).largest.tolist() == [0, 0]
    assert refuted(True, False).largest.tolist() == [0, math.inf]


@pytest.mark.parametrize(("number", "outside"), [(-0.5, True), (0.0, False), (1.0, False), (1.5, True)])
def test_number_leaves_an_interval_only_beyond_its_ends(number: float, outside: bool) -> None:
    assert leaves(exact.balls([number]), arb(0), arb(1)) is outside


@pytest.mark.parametrize("number", [arb.nan(), UNSURE])
def test_number_that_is_missing_or_unsure_leaves_nothing(number: arb) -> None:
    assert not leaves(number, arb(0), arb(1))


def test_numbers_differ_only_beyond_what_is_allowed() -> None:
    first, second = exact.balls([0.0, 1.0]), exact.balls([0.0, 1.25])
    assert differs(first, second)
    assert not differs(first, first)
    assert differs(first, second, 0.125)
    assert not differs(first, second, 0.25)
    assert not differs(first, second, np.asarray([0.0, 0.5]))


@pytest.mark.parametrize("number", [arb.nan(), arb.pos_inf(), UNSURE])
def test_number_that_is_missing_or_unsure_differs_from_nothing(number: arb) -> None:
    assert not differs(np.asarray([number], dtype=object), exact.balls([1.0]))


@pytest.mark.parametrize("fill", [0.0, -1e9, 2.0**24, -(2.0**24), 2.0**24 + 2, -3e38, 3e38])
def test_disallowed_key_takes_more_than_half_whatever_the_fill(fill: float) -> None:
    fill = FLOAT32.rounded(fill)
    case = Filled(FLOAT32, score_below(FLOAT32, fill), fill)
    assert judge(CLAIMS["not_softmax_fill_le_half"], case) == 0


def test_one_less_is_no_witness_where_it_is_no_other_float() -> None:
    fill = -(2.0**24)
    case = Filled(FLOAT32, FLOAT32.rounded(fill - 1), fill)
    assert judge(CLAIMS["not_softmax_fill_le_half"], case) == math.inf


def test_lowest_float_is_the_one_fill_without_a_witness() -> None:
    lowest = -FLOAT32.arithmetic.largest
    assert score_below(FLOAT32, lowest) == lowest
    weights = softmax(Filled(FLOAT32, lowest, lowest).scores)
    assert weights.tolist() == [0.5, 0.5]
