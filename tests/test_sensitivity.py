"""The derivative of softmax, and products with it."""

import tracemalloc
from collections.abc import Callable
from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from duizhao import exact, rounding
from duizhao.arrays import Array
from duizhao.exact import Balls, enclose, precision, upper
from duizhao.sensitivity import softmax_jacobian, softmax_jvp, softmax_vjp
from duizhao.softmax import softmax
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

Product = Callable[[Array, Array], Array]
PRODUCTS = [pytest.param(softmax_jvp, "tangent", id="jvp"), pytest.param(softmax_vjp, "cotangent", id="vjp")]

ROWS = [
    [0.0, 1.0, -2.0, 0.5],
    [3.0, 3.0, 3.0, 3.0],
    [9.0, -1.0, 0.0, -2.0],  # one key has nearly all the weight
    [-0.3, 0.7, 0.7, -4.0],
]


def floats(balls: Balls) -> NDArray[np.float64]:
    """Upper ends of balls."""
    return np.asarray([upper(ball) for ball in balls.ravel().tolist()]).reshape(balls.shape)


# Closed forms


@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
def test_equal_scores_have_the_jacobian_of_equal_weights(xp: ModuleType, dtype: str) -> None:
    scores = array(xp, [[2.0] * 4, [-7.0] * 4], dtype)
    jacobian = softmax_jacobian(scores)
    expected = (np.eye(4) / 4 - 1 / 16).tolist()
    assert numbers(jacobian) == [expected] * 2
    assert jacobian.dtype == scores.dtype
    assert type(jacobian) is type(scores)


@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
@pytest.mark.parametrize(("product", "name"), PRODUCTS)
def test_product_with_equal_weights_is_the_distance_from_the_mean(
    product: Product, name: str, xp: ModuleType, dtype: str
) -> None:
    scores, vector = array(xp, [1.0] * 4, dtype), array(xp, [2.0, 4.0, -8.0, 6.0], dtype)
    result = product(scores, vector)
    assert numbers(result) == [0.25, 0.75, -2.25, 1.25], name
    assert result.dtype == scores.dtype
    assert type(result) is type(scores)


@pytest.mark.parametrize("xp", LIBRARIES)
def test_single_key_has_no_derivative(xp: ModuleType) -> None:
    assert numbers(softmax_jacobian(array(xp, [[5.0]]))) == [[[0.0]]]
    assert numbers(softmax_jvp(array(xp, [5.0]), array(xp, [3.0]))) == [0.0]


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_jacobian_is_symmetric_bit_for_bit(xp: ModuleType, dtype: str) -> None:
    jacobian = softmax_jacobian(array(xp, ROWS, dtype))
    assert bits(jacobian) == bits(xp.matrix_transpose(jacobian))


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_tangent_that_is_the_same_for_all_keys_moves_nothing(xp: ModuleType, dtype: str) -> None:
    scores = array(xp, ROWS, dtype)
    assert numbers(softmax_jvp(scores, xp.full_like(scores, 0.1))) == [[0.0] * 4] * 4


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_vjp_is_jvp_bit_for_bit(xp: ModuleType, dtype: str) -> None:
    scores, vector = array(xp, ROWS, dtype), array(xp, [0.3, -1.0, 2.0, 0.7], dtype)
    assert bits(softmax_vjp(scores, vector)) == bits(softmax_jvp(scores, vector))


@pytest.mark.parametrize("xp", LIBRARIES)
def test_saturated_weights_leave_a_derivative_that_is_right_to_its_last_digits(xp: ModuleType) -> None:
    # The weight of the first key is 1 in floating point, 1 - w is about 2e-22: no difference must cancel.
    scores = array(xp, [50.0, 0.0])
    (first, second), _ = wide(softmax_jacobian(scores))
    truth = enclose(exact.softmax_jacobian, [50.0, 0.0])
    facts = assumed(xp, "float64")
    budget = rounding.jacobian_error(
        facts.u, floats(exact.softmax([50.0, 0.0])), 50.0, facts.exp_ulp, facts.tiny
    )
    for entry, ball, bound in zip((first, second), truth[0], budget[0], strict=True):
        assert entry != 0
        assert upper(exact.distance(entry, ball).item()) <= bound < 1e-13 * abs(entry)
    moved, _ = wide(softmax_jvp(scores, array(xp, [3.0, 4.0])))
    assert moved == second


# Budgets


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
def test_jacobian_lies_within_its_budget_of_the_exact_one(xp: ModuleType, dtype: str) -> None:
    facts = assumed(xp, dtype)
    scores = array(xp, ROWS, dtype)
    gaps = floats(exact.distance(softmax_jacobian(scores), enclose(exact.softmax_jacobian, scores)))
    weights = floats(enclose(exact.softmax, scores))
    for row in range(4):
        reach = float(xp.max(scores[row, ...])) - float(xp.min(scores[row, ...]))
        budget = rounding.jacobian_error(
            facts.u, weights[row], reach, facts.exp_ulp, facts.tiny, facts.accumulator
        )
        assert np.all(gaps[row] <= budget)


@pytest.mark.parametrize(("xp", "dtype"), FLOATS)
@pytest.mark.parametrize("tangent", [[1.0, 0.0, 0.0, 0.0], [0.3, -1.0, 2.0, 0.7], [5.01, 5.0, 4.99, 5.02]])
def test_product_lies_within_its_budget_of_the_exact_one(
    xp: ModuleType, dtype: str, tangent: list[float]
) -> None:
    facts = assumed(xp, dtype)
    scores, vector = array(xp, ROWS, dtype), array(xp, tangent, dtype)
    truth = enclose(exact.softmax_jvp, scores, vector)
    gaps = floats(exact.distance(softmax_jvp(scores, vector), truth))
    # The formula that takes no tangent away first, as automatic differentiation has it.
    weights = softmax(scores)
    plain = weights * (vector - xp.sum(weights * vector, axis=-1, keepdims=True))
    plain_gaps = floats(exact.distance(plain, truth))
    entries, lines = wide(vector), wide(scores)
    for row, weight in enumerate(floats(enclose(exact.softmax, scores))):
        moved = entries - entries[lines[row].argmax()]
        reach = float(lines[row].max() - lines[row].min())
        rest = reach, facts.exp_ulp, facts.tiny, facts.accumulator
        assert np.all(gaps[row] <= rounding.jacobian_product(facts.u, weight, moved, *rest))
        assert np.all(plain_gaps[row] <= rounding.jacobian_product(facts.u, weight, entries, *rest))


def test_derivatives_are_those_of_automatic_differentiation_within_both_budgets() -> None:
    facts = assumed(jnp, "float64")
    for row in ROWS:
        scores = jnp.asarray(row)
        automatic = np.asarray(jax.jacobian(softmax)(scores))
        weight = floats(exact.softmax(row))
        rest = max(row) - min(row), facts.exp_ulp, facts.tiny
        ours = rounding.jacobian_error(facts.u, weight, *rest)
        for key in range(4):
            theirs = rounding.jacobian_product(facts.u, weight, np.eye(4)[key], *rest)
            gaps = floats(exact.distance(automatic[:, key], softmax_jacobian(scores)[:, key]))
            assert np.all(gaps <= ours[:, key] + theirs)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda w: np.diag(w) - np.outer(w, w) * (1 + 1e-9),
        lambda w: np.diag(w),
        lambda w: np.outer(w, 1 - w),
        lambda w: -np.outer(w, w),
    ],
    ids=["nearly right", "no second term", "the sign of the second weight", "no first term"],
)
def test_budget_rejects_another_formula(wrong: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> None:
    scores = [0.3, -0.2, 1.0]
    facts, weight = assumed(np, "float64"), floats(exact.softmax(scores))
    budget = rounding.jacobian_error(facts.u, weight, 1.2, facts.exp_ulp, facts.tiny)
    truth = enclose(exact.softmax_jacobian, scores)
    assert np.any(floats(exact.distance(wrong(softmax(np.asarray(scores))), truth)) > budget)
    assert np.all(floats(exact.distance(softmax_jacobian(np.asarray(scores)), truth)) <= budget)


def test_exact_products_are_products_with_the_exact_jacobian() -> None:
    tangent = [0.3, -1.0, 2.0, 0.7]
    with precision(300):
        jacobian = exact.softmax_jacobian(ROWS)
        for product in (exact.softmax_jvp(ROWS, tangent), exact.softmax_vjp(ROWS, tangent)):
            gaps = exact.distance(product, exact.read(jacobian, tangent))
            assert floats(gaps).max() < 2.0**-250


def test_exact_jacobian_is_the_slope_of_the_exact_weights() -> None:
    # (f(s + h) - f(s - h)) / 2h is off by h² / 6 times a third derivative of softmax, which is below 1.
    step = 2.0**-60
    for row in ROWS:
        with precision(400):
            jacobian = exact.softmax_jacobian(row)
            for key in range(4):
                move = exact.balls(np.eye(4)[key] * step)
                slope = (exact.softmax(exact.balls(row) + move) - exact.softmax(exact.balls(row) - move)) / (
                    2 * step
                )
                assert floats(exact.distance(slope, jacobian[:, key])).max() <= step**2 / 6


@pytest.mark.parametrize("product", [softmax_jvp, softmax_vjp])
def test_product_never_forms_the_jacobian(product: Callable[[Array, Array], Array]) -> None:
    keys = 4000
    scores, vector = np.zeros(keys), np.arange(keys) / keys
    product(scores[:2], vector[:2])
    tracemalloc.start()
    try:
        product(scores, vector)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100 * scores.nbytes < softmax_jacobian(scores[:1000]).nbytes


# Special scores and shapes


@pytest.mark.parametrize("xp", LIBRARIES)
def test_score_of_minus_infinity_takes_no_part(xp: ModuleType) -> None:
    scores = array(xp, [[0.0, -INF, 0.0], [-INF] * 3])
    half = [[0.25, 0.0, -0.25], [0.0] * 3, [-0.25, 0.0, 0.25]]
    assert numbers(softmax_jacobian(scores)) == [half, [[0.0] * 3] * 3]
    for product in (softmax_jvp, softmax_vjp):
        assert numbers(
            product(scores, array(xp, [1.0, NAN, 5.0])[None, :] + array(xp, [[0.0], [0.0]]))[0, ...]
        ) == [
            -1.0,
            0.0,
            1.0,
        ]
        assert numbers(product(scores[1, ...], array(xp, [NAN, INF, -INF]))) == [0.0] * 3


@pytest.mark.parametrize("xp", INTERPRETED)
@pytest.mark.parametrize(
    ("scores", "vector", "result"),
    [
        ((3,), (5, 3), (5, 3)),
        ((5, 3), (3,), (5, 3)),
        ((2, 1, 3), (4, 3), (2, 4, 3)),
        ((0, 3), (3,), (0, 3)),
        ((2, 3), (0, 1, 3), (0, 2, 3)),
    ],
)
def test_rows_and_vectors_broadcast(
    xp: ModuleType, scores: tuple[int, ...], vector: tuple[int, ...], result: tuple[int, ...]
) -> None:
    generator = np.random.default_rng(0)
    rows, tangents = generator.normal(size=scores), generator.normal(size=vector)
    product = wide(softmax_jvp(array(xp, rows), array(xp, tangents)))
    assert product.shape == result
    spread_rows, spread_tangents = np.broadcast_to(rows, result), np.broadcast_to(tangents, result)
    for index in np.ndindex(result[:-1]):
        alone = softmax_jvp(array(xp, spread_rows[index].copy()), array(xp, spread_tangents[index].copy()))
        assert bits(alone) == bits(product[index])


def test_largest_scores_and_tangents_neither_overflow_nor_warn() -> None:
    scores, tangent = np.asarray([1.7e308, -1.7e308, 1.7e308]), np.asarray([1e308, 0.0, -5e307])
    with np.errstate(all="raise"):
        assert softmax_jacobian(scores).tolist() == [
            [0.25, -0.0, -0.25],
            [-0.0, 0.0, -0.0],
            [-0.25, -0.0, 0.25],
        ]
        assert softmax_jvp(scores, tangent).tolist() == [3.75e307, -0.0, -3.75e307]


def test_jitted_functions_are_the_functions() -> None:
    scores, tangent = jnp.zeros((2, 4)), jnp.asarray([2.0, 4.0, -8.0, 6.0])
    assert numbers(jax.jit(softmax_jacobian)(scores)) == numbers(softmax_jacobian(scores))
    assert numbers(jax.jit(softmax_jvp)(scores, tangent)) == numbers(softmax_jvp(scores, tangent))


# Bad inputs


@pytest.mark.parametrize(("product", "name"), PRODUCTS)
def test_vector_that_does_not_fit_is_refused(product: Product, name: str) -> None:
    scores = np.zeros((2, 3))
    with pytest.raises(ValueError, match=says(f"{name}: 4 rows for 3 scores (shapes (4,) and (2, 3))")):
        product(scores, np.zeros((4,)))
    message = f"{name}: batch axes (5,) do not broadcast with those of scores, (2,)"
    with pytest.raises(ValueError, match=says(message)):
        product(scores, np.zeros((5, 3)))
    with pytest.raises(ValueError, match=says(f"{name}: at least 1 axis (keys) is needed, got shape ()")):
        product(scores, np.asarray(1.0))
    with pytest.raises(
        TypeError, match=rf"^{name}: its dtype float32 differs from that of scores, float64; "
    ):
        product(scores, np.zeros((3,), dtype=np.float32))
    with pytest.raises(TypeError, match=rf"^{name}: an array of jax.numpy, but scores is one of numpy; "):
        product(scores, jnp.zeros((3,)))


@pytest.mark.parametrize(("product", "name"), PRODUCTS)
@pytest.mark.parametrize(("value", "found"), [(NAN, "NaN"), (INF, "inf"), (-INF, "-inf")])
def test_entry_that_is_no_number_is_named_with_its_place(
    product: Product, name: str, value: float, found: str
) -> None:
    rule = f"a {name} must be finite where the score is not -inf"
    with pytest.raises(ValueError, match=says(f"{name}: {found} at index (2,); {rule}")):
        product(np.asarray([[0.0, 0.0, -INF], [0.0, 0.0, 1.0]]), np.asarray([0.0, 1.0, value]))


def test_scores_that_are_none_are_refused() -> None:
    rule = "a score that a query may read must be finite or -inf"
    for call in (softmax_jacobian, lambda scores: softmax_jvp(scores, np.zeros((2,)))):
        with pytest.raises(ValueError, match=says(f"scores: NaN at index (0, 1); {rule}")):
            call(np.asarray([[0.0, NAN]]))
        with pytest.raises(TypeError, match=r"^scores: a floating-point array is needed, got int64; "):
            call(np.ones((1, 2), dtype=np.int64))
        with pytest.raises(ValueError, match=r"^scores: there is no key \(shape \(1, 0\)\)"):
            call(np.zeros((1, 0)))


def test_difference_of_entries_that_does_not_fit_is_an_overflow_error() -> None:
    message = (
        "tangent: its difference from that of the best key at index (1,) overflows float64; "
        "use smaller numbers or a wider dtype"
    )
    with pytest.raises(OverflowError, match=says(message)):
        softmax_jvp(np.asarray([1.0, 0.0, 0.0]), np.asarray([-1e308, 1e308, -1e308]))
    message = "cotangent: the product at index (3,) overflows float64; use smaller numbers or a wider dtype"
    with pytest.raises(OverflowError, match=says(message)):
        softmax_vjp(np.zeros((4,)), np.asarray([0.0, -1.7e308, -1.7e308, 1.7e308]))
