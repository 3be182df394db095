"""States of a blockwise pass: what a block gives, how two merge, what comes out."""

from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flint import arb

from duizhao import exact, rounding
from duizhao.arrays import Array
from duizhao.blockwise import OnlineState, merge, of_block, out
from duizhao.exact import precision, upper
from duizhao.mask import masked_softmax
from duizhao.read import read
from tests.libraries import (
    EVERY_FLOAT,
    FLOATS,
    INF,
    INTERPRETED,
    LIBRARIES,
    NAN,
    array,
    assumed,
    bits,
    numbers,
    says,
    wide,
)


def state(xp: ModuleType, shift: object, sums: object, acc: object, dtype: str = "float64") -> OnlineState:
    """A state of these entries."""
    return OnlineState(array(xp, shift, dtype), array(xp, sums, dtype), array(xp, acc, dtype))


def entries(state: OnlineState) -> list[object]:
    """The shift, the sum and the accumulated values as numbers."""
    return [numbers(state.max), numbers(state.sum), numbers(state.acc)]


def all_bits(state: OnlineState) -> list[bytes]:
    """The bytes of all three."""
    return [bits(state.max), bits(state.sum), bits(state.acc)]


def random_states(xp: ModuleType, dtype: str, count: int) -> list[OnlineState]:
    """States of 4 queries after blocks of 3 keys, some of which they may not read."""
    generator = np.random.default_rng(3)
    states = []
    for _ in range(count):
        scores, values = generator.normal(size=(4, 3)) * 3, generator.normal(size=(3, 2))
        mask = xp.asarray(generator.random(size=(4, 3)) < 0.6)
        states.append(of_block(array(xp, scores, dtype), array(xp, values, dtype), mask=mask))
    return states


# Blocks


@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
def test_block_of_equal_scores_counts_its_keys_and_adds_its_values(xp: ModuleType, dtype: str) -> None:
    scores, values = array(xp, [[3, 3], [-5, -5], [0, -INF]], dtype), array(xp, [[1, 2], [3, 4]], dtype)
    result = of_block(scores, values)
    assert entries(result) == [[3.0, -5.0, 0.0], [2.0, 2.0, 1.0], [[4.0, 6.0], [4.0, 6.0], [1.0, 2.0]]]
    for part in (result.max, result.sum, result.acc, out(result)):
        assert part.dtype == scores.dtype
        assert isinstance(part, type(scores)) or part.ndim == 0
    assert numbers(out(result)) == [[2.0, 3.0], [2.0, 3.0], [1.0, 2.0]]


@pytest.mark.parametrize("xp", LIBRARIES)
def test_block_without_a_key_that_may_be_read_gives_the_empty_state(xp: ModuleType) -> None:
    nothing = [[-INF, -INF], [0.0, 0.0], [[0.0], [0.0]]]
    values = array(xp, [[NAN], [INF]])
    assert entries(of_block(array(xp, np.zeros((2, 0))), array(xp, np.zeros((0, 1))))) == nothing
    mask = xp.asarray([[False, False]])
    assert entries(of_block(array(xp, [[1, NAN], [INF, 2]]), values, mask=mask)) == nothing
    assert entries(of_block(array(xp, [[-INF, -INF]] * 2), values)) == nothing


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_what_is_masked_is_not_looked_at(xp: ModuleType, dtype: str) -> None:
    mask = xp.asarray([[True, False], [False, False]])
    result = of_block(array(xp, [[1, NAN], [INF, -INF]], dtype), array(xp, [[5], [NAN]], dtype), mask=mask)
    assert entries(result) == [[1.0, -INF], [1.0, 0.0], [[5.0], [0.0]]]


@pytest.mark.parametrize("xp", LIBRARIES)
def test_one_query_needs_no_axis(xp: ModuleType) -> None:
    result = of_block(array(xp, [2, 2, -INF]), array(xp, [[1], [3], [NAN]]))
    assert entries(result) == [2.0, 2.0, [4.0]]
    assert numbers(out(merge(result, result))) == [2.0]


@pytest.mark.parametrize("xp", INTERPRETED)
def test_values_may_have_batch_axes_of_their_own(xp: ModuleType) -> None:
    scores, values = array(xp, np.zeros((5, 2))), array(xp, np.arange(24).reshape(3, 4, 2, 1))
    result = merge(of_block(scores, values), of_block(scores, values))
    assert [part.shape for part in (result.max, result.sum, result.acc)] == [(5,), (5,), (3, 4, 5, 1)]
    assert numbers(out(result)[2, 3, :, 0]) == [22.5] * 5


@pytest.mark.parametrize("xp", LIBRARIES)
def test_another_shift_scales_sum_and_values_and_not_the_output(xp: ModuleType) -> None:
    scores, values = array(xp, [[0, -INF], [7, 7]]), array(xp, [[6], [2]])
    shifts = array(xp, [1, 7])
    moved = of_block(scores, values, shift=shifts)
    assert numbers(moved.max) == [1.0, 7.0]
    assert numbers(moved.sum) == [float(xp.exp(array(xp, -1.0))), 2.0]
    assert numbers(out(moved)) == numbers(out(of_block(scores, values))) == [[6.0], [4.0]]
    assert all_bits(of_block(scores, values, shift=array(xp, 7.0))) == all_bits(
        of_block(scores, values, shift=7)
    )


def test_empty_block_keeps_the_shift_that_it_is_given() -> None:
    scores, values = np.zeros((2, 0)), np.zeros((0, 1))
    assert entries(of_block(scores, values, shift=np.asarray([3.0, -INF]))) == [
        [3.0, -INF],
        [0.0] * 2,
        [[0.0]] * 2,
    ]


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_states_lie_within_the_budget_of_the_exact_ones(xp: ModuleType, dtype: str) -> None:
    facts = assumed(xp, dtype)
    generator = np.random.default_rng(5)
    scores = array(xp, generator.normal(size=(3, 6)) * 2, dtype)
    values = array(xp, generator.normal(size=(6, 2)), dtype)
    computed = merge(
        of_block(scores[:, :4], values[:4, :]),
        merge(of_block(scores[:, 4:5], values[4:5, :]), of_block(scores[:, 5:], values[5:, :])),
    )
    with precision(200):
        truth = exact.of_block(scores, values)
        sizes = exact.of_block(scores, xp.abs(values)).acc
        sums, acc = exact.distance(computed.sum, truth.sum), exact.distance(computed.acc, truth.acc)
    assert numbers(computed.max) == [float(ball) for ball in truth.max.tolist()]
    for row in range(3):
        line = wide(scores)[row]
        reach = float(line.max() - line.min())
        relative = rounding.sum_of_state(facts.u, 4, 2, reach, facts.exp_ulp, facts.accumulator)
        lost = rounding.underflow_of_state(6, 2, 2, 6.0, facts.exp_ulp, facts.tiny)
        assert upper(sums[row]) <= relative * upper(truth.sum[row]) + lost
        relative = rounding.acc_of_state(facts.u, 4, 2, reach, facts.exp_ulp, facts.accumulator)
        for column in range(2):
            size = np.abs(wide(values)[:, column]).sum()
            lost = rounding.underflow_of_state(6, 2, 2, size, facts.exp_ulp, facts.tiny)
            assert upper(acc[row, column]) <= relative * upper(sizes[row, column]) + lost


# Merging


@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
def test_states_change_places_without_changing_a_bit(xp: ModuleType, dtype: str) -> None:
    states = random_states(xp, dtype, 5)
    for a in states:
        for b in states:
            assert all_bits(merge(a, b)) == all_bits(merge(b, a))


@pytest.mark.parametrize("xp", LIBRARIES)
def test_zeros_of_both_signs_change_places_without_changing_a_bit(xp: ModuleType) -> None:
    plus, minus = state(xp, [0.0], [1.0], [[1.0]]), state(xp, [-0.0], [1.0], [[-0.0]])
    assert all_bits(merge(plus, minus)) == all_bits(merge(minus, plus))


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_empty_start_at_or_below_the_shift_changes_nothing(xp: ModuleType, dtype: str) -> None:
    for block in random_states(xp, dtype, 4):
        for shift in (xp.full_like(block.max, -INF), block.max, block.max - 3):
            start = OnlineState(shift, xp.zeros_like(block.sum), xp.zeros_like(block.acc))
            assert entries(merge(start, block)) == entries(block)
            assert numbers(out(merge(start, block))) == numbers(out(block))


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_empty_start_above_the_shift_moves_the_output_within_the_budget(xp: ModuleType, dtype: str) -> None:
    facts = assumed(xp, dtype)
    for block in random_states(xp, dtype, 4):
        for rise in (0.3, 1.0, 2.7):
            shift = xp.where(block.max > -INF, block.max + rise, xp.full_like(block.max, rise))
            start = OnlineState(shift, xp.zeros_like(block.sum), xp.zeros_like(block.acc))
            before, after = (wide(out(s)) for s in (block, merge(start, block)))
            gaps = exact.distance(after, before)
            for gap, size in zip(gaps.ravel().tolist(), np.abs(before).ravel(), strict=True):
                assert upper(gap) <= rounding.rescaled_output(facts.u, size, facts.tiny)


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_groupings_of_three_states_agree_within_the_budget(xp: ModuleType, dtype: str) -> None:
    facts = assumed(xp, dtype)
    states = random_states(xp, dtype, 7)
    for a, b, c in zip(states, states[1:], states[2:], strict=False):
        left, right = merge(merge(a, b), c), merge(a, merge(b, c))
        assert numbers(left.max) == numbers(right.max)
        shifts = np.asarray([wide(s.max) for s in (a, b, c)])
        for row in range(4):
            present = shifts[:, row][np.isfinite(shifts[:, row])]
            if present.size == 0:
                continue
            spread = float(present.max() - present.min())
            for name in ("sum", "acc"):
                sizes = [np.abs(wide(getattr(s, name)))[row] for s in (a, b, c)]
                total = np.sum(sizes, axis=0)
                gaps = exact.distance(getattr(left, name)[row, ...], getattr(right, name)[row, ...])
                # Rescaled entries are no larger than the entries as they are.
                budget = rounding.regrouped_states(facts.u, total, total, spread, facts.exp_ulp, facts.tiny)
                for gap, bound in zip(gaps.ravel().tolist(), np.ravel(budget), strict=True):
                    assert upper(gap) <= bound


@pytest.mark.parametrize("xp", LIBRARIES)
def test_empty_states_merge_to_an_empty_state(xp: ModuleType) -> None:
    empty = state(xp, [-INF, -INF], [0, 0], [[0], [0]])
    assert entries(merge(empty, empty)) == entries(empty)
    shifted = state(xp, [2, -3], [0, 0], [[0], [0]])
    assert entries(merge(empty, shifted)) == entries(shifted)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_shifts_as_far_apart_as_can_be_neither_overflow_nor_warn(dtype: str) -> None:
    largest = float(np.finfo(dtype).max)
    low, high = state(np, [-largest], [1], [[1]], dtype), state(np, [largest], [2], [[6]], dtype)
    with np.errstate(all="raise"):
        assert entries(merge(low, high)) == entries(high)


def test_forgetting_to_rescale_when_the_largest_score_moves_is_not_within_the_budget() -> None:
    scores, values = np.asarray([0.0, 5.0]), np.asarray([[1.0], [0.0]])
    first, second = (of_block(scores[i : i + 1], values[i : i + 1]) for i in range(2))
    forgotten = OnlineState(second.max, first.sum + second.sum, first.acc + second.acc)
    facts = assumed(np, "float64")
    weight = np.asarray([upper(ball) for ball in exact.softmax(scores)])
    (budget,) = rounding.blockwise_read(
        facts.u, 1, 1, 1, weight, np.abs(values), 5.0, facts.exp_ulp, facts.tiny
    )
    truth = arb(1) / (1 + arb(5).exp())
    assert upper(abs(arb(float(out(merge(first, second))[0])) - truth)) <= budget
    assert upper(abs(arb(float(out(forgotten)[0])) - truth)) > budget


# Outputs


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_single_key_is_the_output_whatever_the_shift(xp: ModuleType, dtype: str) -> None:
    scores, values = array(xp, [[0.5]], dtype), array(xp, [[2.0, -4.0]], dtype)
    assert numbers(out(of_block(scores, values))) == [[2.0, -4.0]]
    for shift in (0.5, 0, 2, -3):
        assert numbers(out(of_block(scores, values, shift=shift))) == [[2.0, -4.0]]


@pytest.mark.parametrize("xp", LIBRARIES)
def test_output_of_a_block_is_masked_attention_over_its_keys(xp: ModuleType) -> None:
    # Scores so far apart that weights are 0, 1 / 2 or 1: both ways of computing are exact.
    scores = array(xp, [[0, 2000, 2000, -5000], [3000, 0, 0, 0]])
    values, mask = array(xp, [[1.0], [2.0], [4.0], [8.0]]), xp.asarray([[True, True, True, False]])
    assert numbers(out(of_block(scores, values, mask=mask))) == [[3.0], [1.0]]
    assert numbers(read(masked_softmax(scores, mask), values)) == [[3.0], [1.0]]


@pytest.mark.parametrize("xp", LIBRARIES)
def test_empty_row_follows_the_policy(xp: ModuleType) -> None:
    both = state(xp, [[-INF, 0]], [[0, 2]], [[[0], [6]]])
    assert numbers(out(both)) == [[[0.0], [3.0]]]
    assert str(numbers(out(both, empty_row="nan"))) == "[[[nan], [3.0]]]"
    with pytest.raises(ValueError, match=r"^mask: row \(0, 0\) has no allowed key"):
        out(both, empty_row="error")


@pytest.mark.parametrize("policy", ["mean", "zeros", None])
def test_policy_that_a_state_cannot_follow_is_refused(policy: str) -> None:
    message = f'empty_row: must be "zero", "nan" or "error", got {policy!r}'
    with pytest.raises(ValueError, match=says(message)):
        out(state(np, [0], [1], [[1]]), empty_row=policy)  # type: ignore[arg-type]


def test_jitted_states_are_the_states() -> None:
    def whole(scores: Array, values: Array) -> Array:
        first, second = of_block(scores[:, :2], values[:2, :]), of_block(scores[:, 2:], values[2:, :])
        return out(merge(first, second))

    scores, values = jnp.asarray([[0.0, -4000.0, 0.0]]), jnp.asarray([[1.0], [5.0], [3.0]])
    assert numbers(jax.jit(whole)(scores, values)) == [[2.0]]
    gradient = jax.grad(lambda scores: whole(scores, values)[0, 0])(jnp.zeros((1, 3)))
    assert numbers(gradient) == [[(value - 3.0) / 3.0 for value in (1.0, 5.0, 3.0)]]


# Bad inputs


@pytest.mark.parametrize(
    ("shift", "sums", "acc", "message"),
    [
        ([NAN], [1], [[1]], "max: NaN at index (0,); a shift must be finite or -inf"),
        ([0, INF], [1, 1], [[1]] * 2, "max: inf at index (1,); a shift must be finite or -inf"),
        ([0], [NAN], [[1]], "sum: NaN at index (0,); a sum must be finite"),
        ([0], [-1], [[1]], "sum: must not be negative; it is a sum of exponentials"),
        ([-INF], [1], [[1]], "sum: must be 0 where the shift is -inf; no key was read there"),
        ([0], [1], [[-INF]], "acc: -inf at index (0, 0); every entry must be finite"),
        (
            [0, 0],
            [1],
            [[1]],
            "max, sum and acc: shapes (...), (...) and (..., e) are needed, got (2,), (1,) and (1, 1)",
        ),
        (
            [0, 0],
            [1, 1],
            [[1]],
            "max, sum and acc: shapes (...), (...) and (..., e) are needed, got (2,), (2,) and (1, 1)",
        ),
    ],
)
def test_what_is_no_state_is_refused(shift: object, sums: object, acc: object, message: str) -> None:
    with pytest.raises(ValueError, match=says(message)):
        state(np, shift, sums, acc)


def test_state_of_two_dtypes_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^sum: its dtype float32 differs from that of max, float64"):
        OnlineState(np.zeros(1), np.zeros(1, dtype=np.float32), np.zeros((1, 1)))


def test_states_that_do_not_fit_are_not_merged() -> None:
    with pytest.raises(ValueError, match=says("b: a state of shape (1, 2) does not fit one of shape (1, 1)")):
        merge(state(np, [0], [1], [[1]]), state(np, [0], [1], [[1, 2]]))
    with pytest.raises(TypeError, match=r"^b.max: its dtype float32 differs from that of a.max, float64"):
        merge(state(np, [0], [1], [[1]]), state(np, [0], [1], [[1]], "float32"))
    with pytest.raises(TypeError, match=r"^b.max: an array of jax.numpy, but a.max is one of numpy; "):
        merge(state(np, [0], [1], [[1]]), state(jnp, [0], [1], [[1]]))


@pytest.mark.parametrize(
    ("shift", "error", "message"),
    [
        (NAN, ValueError, "shift: must be finite, got nan"),
        ("0", TypeError, "shift: an array is needed, got str"),
        (np.asarray([0.0, NAN]), ValueError, "shift: NaN at index (1,); it must be finite or -inf"),
        (
            np.asarray([-INF, 0.0]),
            ValueError,
            "shift: -inf at index (0,); it must be finite where a key may be read",
        ),
        (np.zeros((3,)), ValueError, "shift: shape (3,) does not broadcast to the rows of scores, (2,)"),
        (np.zeros((2,), dtype=np.float32), TypeError, "shift: its dtype float32 differs"),
    ],
)
def test_shift_that_is_none_is_refused(shift: Array, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=says(message).rstrip("$")):
        of_block(np.zeros((2, 3)), np.zeros((3, 1)), shift=shift)


def test_values_that_do_not_fit_the_scores_are_refused() -> None:
    with pytest.raises(ValueError, match=says("values: 4 rows for 3 scores (shapes (4, 1) and (2, 3))")):
        of_block(np.zeros((2, 3)), np.zeros((4, 1)))
    with pytest.raises(
        ValueError, match=says("values: at least 2 axes (keys, width) are needed, got shape (3,)")
    ):
        of_block(np.zeros((2, 3)), np.zeros((3,)))


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize(("value", "name"), [(NAN, "NaN"), (INF, "inf")])
def test_score_that_is_read_must_be_a_number(xp: ModuleType, value: float, name: str) -> None:
    message = f"scores: {name} at index (0, 1); a score that a query may read must be finite or -inf"
    with pytest.raises(ValueError, match=says(message)):
        of_block(array(xp, [[0, value]]), array(xp, [[1], [2]]))


def test_what_does_not_fit_in_the_dtype_is_an_overflow_error() -> None:
    values = np.full((3, 1), 60_000, dtype=np.float16)
    rest = "; use smaller numbers or a wider dtype"
    block = of_block(np.zeros((1, 1), dtype=np.float16), values[:1])
    with pytest.raises(
        OverflowError, match=says(f"a and b: the sum of the values at index (0, 0) overflows float16{rest}")
    ):
        merge(block, block)
    with pytest.raises(
        OverflowError, match=says(f"the weighted sum of the values at index (0, 0) overflows float16{rest}")
    ):
        of_block(np.zeros((1, 3), dtype=np.float16), values)
    with pytest.raises(
        OverflowError, match=says(f"scores: the exponential at index (0, 2) overflows float64{rest}")
    ):
        of_block(np.asarray([[0.0, 1.0, 710.0]]), np.zeros((3, 1)), shift=0)
    with pytest.raises(
        OverflowError,
        match=says(f"scores: the sum of the exponentials at index (0,) overflows float16{rest}"),
    ):
        of_block(np.zeros((1, 70_000), dtype=np.float16), np.zeros((70_000, 1), dtype=np.float16))
