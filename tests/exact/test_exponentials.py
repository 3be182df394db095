"""Enclosures of softmax hold the truth, found a second way, and say so when they do not know it."""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest

from duizhao import exact
from duizhao.exact import enclose, ends, lower, precision, sigmoid, upper
from duizhao.mask import EmptyRow

E = Fraction("2.71828182845904523536028747135266249775724709369995")
"""The digits of e, cut after the fiftieth decimal."""
LAST = Fraction(1, 10**50)
LARGEST = float(np.finfo(np.float64).max)


def exponential(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds on exp(x) for |x| ≤ 40: 200 terms of Taylor's series, and twice the next one."""
    term, total = Fraction(1), Fraction(0)
    for n in range(200):
        total += term
        term = term * x / (n + 1)
    return total - 2 * abs(term), total + 2 * abs(term)


def test_weights_of_one_and_zero_have_the_digits_of_e() -> None:
    first, second = enclose(exact.softmax, [1, 0], bits=150)
    assert ends(first)[1] > E / (E + 1)
    assert ends(first)[0] < (E + LAST) / (E + LAST + 1)
    assert ends(second)[1] > 1 / (E + LAST + 1)
    assert ends(second)[0] < 1 / (E + 1)
    assert ends(first)[1] - ends(first)[0] < Fraction(1, 10**44)


@pytest.mark.parametrize("bits", [20, 53, 200])
@pytest.mark.parametrize("seed", range(10))
def test_weights_meet_the_bounds_of_taylors_series(seed: int, bits: int) -> None:
    scores = np.random.default_rng(seed).integers(-160, 160, size=5) / 8
    bounds = [exponential(Fraction(score)) for score in scores.tolist()]
    with precision(bits):
        weights = exact.softmax(scores)
    for i, weight in enumerate(weights):
        low, high = ends(weight)
        assert bounds[i][0] / (bounds[i][0] + sum(h for j, (_, h) in enumerate(bounds) if j != i)) <= high
        assert bounds[i][1] / (bounds[i][1] + sum(b for j, (b, _) in enumerate(bounds) if j != i)) >= low


def test_equal_scores_share_exactly() -> None:
    assert exact.softmax(np.full((2, 4), -1e300)).tolist() == [[0.25] * 4] * 2
    for low, high in map(ends, exact.softmax([0.1, 0.1, 0.1])):
        assert low < Fraction(1, 3) < high


def test_a_weight_far_below_the_floats_is_enclosed() -> None:
    heavy, light = enclose(exact.softmax, [LARGEST, -LARGEST])
    with precision(1200):
        assert upper(abs(light.log() + 2 * flint.arb(LARGEST))) < 1e-20
    assert (lower(light), upper(light)) == (0, 5e-324)
    assert ends(heavy)[0] < 1 < ends(heavy)[1]


def test_temperature_divides_the_scores() -> None:
    scores = np.asarray([3.0, -1.5, 0.25])
    for temperature, divided in ((4.0, scores / 4), (Fraction(1, 3), 3 * scores)):
        weights = exact.softmax(scores, temperature=temperature)
        assert all(x.overlaps(y) for x, y in zip(weights, exact.softmax(divided), strict=True))


@pytest.mark.parametrize("temperature", [0, -1.0, math.nan, flint.arb(0, 1)])
def test_a_temperature_that_may_not_be_positive_is_refused(temperature: object) -> None:
    with pytest.raises(ValueError, match="temperature: must be positive, got "):
        exact.softmax([1.0, 2.0], temperature=temperature)


def test_temperature_is_one_number() -> None:
    with pytest.raises(ValueError, match=r"temperature: one number is needed, got shape \(1,\)"):
        exact.softmax([1.0, 2.0], temperature=[1.0])


@pytest.mark.parametrize("scores", [1.0, [], np.zeros((3, 0))])
def test_scores_without_a_key_are_refused(scores: object) -> None:
    with pytest.raises(ValueError, match="scores: an axis with at least one key is needed"):
        exact.softmax(scores)


def test_minus_infinity_weighs_exactly_nothing() -> None:
    assert exact.softmax([-np.inf, 2.0, 2.0]).tolist() == [0, 0.5, 0.5]
    assert exact.softmax([-np.inf, -np.inf]).tolist() == [0, 0]


@pytest.mark.parametrize("strange", [math.nan, math.inf])
def test_a_strange_score_makes_its_row_unknown(strange: float) -> None:
    unknown, known = exact.softmax([[strange, 1.0], [1.0, 1.0]])
    assert all(weight.is_nan() for weight in unknown)
    assert known.tolist() == [0.5, 0.5]


def test_a_loose_score_gives_a_loose_weight_that_holds_both_ends() -> None:
    loose = exact.softmax([flint.arb(0, 1), flint.arb(0)])[0]
    assert ends(loose)[0] < 1 / (1 + E)
    assert ends(loose)[1] > E / (1 + E)


def test_the_denominator_counts_equal_scores() -> None:
    assert exact.softmax_denominator([[7.0, 7.0, 7.0], [7.0, -np.inf, -np.inf]]).tolist() == [3, 1]
    assert exact.softmax_denominator([-np.inf, -np.inf]).item() == 0


def test_the_denominator_of_balls_takes_off_the_largest_whichever_it_is() -> None:
    low, high = ends(exact.softmax_denominator([flint.arb(0, 1), flint.arb(0)]).item())
    assert low <= 1 + 1 / (E + LAST)
    assert high >= 2


def test_masked_scores_are_not_looked_at_and_weigh_exactly_nothing() -> None:
    weights = exact.masked_softmax([math.nan, 5.0, math.inf, 5.0], [False, True, False, True])
    assert weights.tolist() == [0, 0.5, 0, 0.5]


def test_an_unknown_row_still_gives_masked_keys_nothing() -> None:
    unknown, nothing = exact.masked_softmax([math.nan, 5.0], [True, False])
    assert unknown.is_nan()
    assert nothing == 0


@pytest.mark.parametrize(("empty_row", "weight"), [("zero", 0), ("mean", 0.5), ("nan", flint.arb.nan())])
def test_an_empty_row_follows_the_policy(empty_row: EmptyRow, weight: float | flint.arb) -> None:
    empty, full = exact.masked_softmax(np.zeros((2, 2)), [[False, False], [True, False]], empty_row=empty_row)
    assert repr(empty.tolist()) == repr([flint.arb(weight)] * 2)
    assert full.tolist() == [1, 0]


def test_an_allowed_row_of_minus_infinities_is_empty() -> None:
    assert exact.masked_softmax([-np.inf, 0.0], [True, False], empty_row="mean").tolist() == [0.5] * 2


def test_an_empty_row_can_be_an_error_that_names_it() -> None:
    mask = [[[True, True], [False, False]]]
    with pytest.raises(ValueError, match=r"mask: no key is allowed for query \(0, 1\)"):
        exact.masked_softmax(np.zeros((1, 2, 2)), mask, empty_row="error")


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(ValueError, match=r"empty_row: must be .* got 'zeros'"):
        exact.masked_softmax([0.0], [True], empty_row="zeros")  # type: ignore[arg-type]


def test_a_mask_of_numbers_is_refused() -> None:
    with pytest.raises(TypeError, match="mask: truth values are needed, got int64"):
        exact.masked_softmax([0.0, 1.0], np.asarray([0, 1]))


@pytest.mark.parametrize("shape", [(3,), (2, 2), (1, 2, 2)])
def test_a_mask_that_does_not_fit_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(
        ValueError, match=r"mask: shape .* does not broadcast to the shape \(3, 2\) of the scores"
    ):
        exact.masked_softmax(np.zeros((3, 2)), np.ones(shape, dtype=np.bool_))


def test_causal_weights_stop_at_the_diagonal() -> None:
    scores = np.asarray([[1.0, math.nan, math.nan], [2.0, 2.0, math.nan], [-np.inf, 3.0, 3.0]])
    half = 0.5
    assert exact.causal_softmax(scores).tolist() == [[1, 0, 0], [half, half, 0], [0, half, half]]


@pytest.mark.parametrize("shape", [(2,), (2, 3)])
def test_causal_weights_need_square_scores(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"scores: .*length, length.* is needed, got shape"):
        exact.causal_softmax(np.zeros(shape))


def test_sigmoid_of_opposite_numbers_adds_up_to_one() -> None:
    with precision(200):
        for number in (flint.arb(0), flint.arb("0.3"), flint.arb(745)):
            assert (sigmoid(number) + sigmoid(-number)).contains(1)
        assert sigmoid(flint.arb(0)) == flint.arb(1) / 2


def test_sigmoid_of_a_huge_number_does_not_overflow() -> None:
    assert lower(sigmoid(flint.arb(10) ** 308)) > 1 - 2.0**-50
    assert upper(sigmoid(-(flint.arb(10) ** 308))) < 1e-300
