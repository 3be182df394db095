"""One attention read, a weighted sum."""

from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from duizhao.arrays import Array
from duizhao.read import read
from tests.libraries import (
    DTYPES,
    INF,
    LIBRARIES,
    NAN,
    numbers,
    says,
)


def doubles(xp: ModuleType, entries: object) -> Array:
    """A float64 array."""
    return xp.asarray(entries, dtype=xp.float64)


# Closed forms, of numbers with few binary digits


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
def test_two_values_are_averaged(xp: ModuleType, dtype: object) -> None:
    weights = xp.asarray([[0.75, 0.25, 0.0], [0.0, 0.5, 0.5]], dtype=dtype)
    output = read(weights, xp.asarray([[2.0, 1.0], [10.0, 3.0], [4.0, 5.0]], dtype=dtype))
    assert numbers(output) == [[4.0, 1.5], [7.0, 4.0]]
    assert output.dtype == weights.dtype
    assert type(output) is type(weights)


@pytest.mark.parametrize("xp", LIBRARIES)
def test_axes_are_those_of_a_matrix_product(xp: ModuleType) -> None:
    row, matrix = doubles(xp, [0.5, 0.5]), doubles(xp, [[0.5, 0.5], [0.25, 0.75], [1, 0]])
    column, values = doubles(xp, [4, 8]), doubles(xp, [[4, 1], [8, 3]])
    assert numbers(read(row, column)) == 6.0
    assert isinstance(read(row, column), type(row))
    assert numbers(read(row, values)) == [6.0, 2.0]
    assert numbers(read(matrix, column)) == [6.0, 7.0, 4.0]
    assert numbers(read(matrix, values)) == [[6.0, 2.0], [7.0, 2.5], [4.0, 1.0]]


@pytest.mark.parametrize("xp", LIBRARIES)
def test_weights_need_not_be_on_the_simplex(xp: ModuleType) -> None:
    values = doubles(xp, [0, 1])
    assert numbers(read(doubles(xp, [-1, 2]), values)) == 2.0
    assert numbers(read(doubles(xp, [0.5, 0.25]), values)) == 0.25
    assert numbers(read(doubles(xp, [0, 0]), values)) == 0.0


@pytest.mark.parametrize("xp", LIBRARIES)
def test_whole_weight_on_one_key_returns_its_value(xp: ModuleType) -> None:
    values = doubles(xp, [[0.1, -0.2], [0.3, 1e300], [5e-3, 7.7]])
    assert numbers(read(doubles(xp, np.eye(3)), values)) == numbers(values)


@pytest.mark.parametrize("xp", LIBRARIES)
def test_single_key_is_read_with_its_weight(xp: ModuleType) -> None:
    assert numbers(read(doubles(xp, [[1], [0.5]]), doubles(xp, [[3, 5]]))) == [[3.0, 5.0], [1.5, 2.5]]


# Values that nobody reads


@pytest.mark.parametrize(("xp", "dtype"), DTYPES)
@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_value_without_weight_is_not_looked_at(xp: ModuleType, dtype: object, value: float) -> None:
    weights = xp.asarray([[0.5, 0.0, 0.5], [1.0, -0.0, 0.0]], dtype=dtype)
    values = xp.asarray([[1.0, 2.0], [value, 8.0], [3.0, 4.0]], dtype=dtype)
    assert numbers(read(weights, values)) == [[2.0, 3.0], [1.0, 2.0]]


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize(("value", "name"), [(NAN, "NaN"), (INF, "inf"), (-INF, "-inf")])
def test_value_that_some_query_weighs_is_named_with_its_place(
    xp: ModuleType, value: float, name: str
) -> None:
    rule = "a value whose weight is not 0 must be finite"
    weights = doubles(xp, [[1, 0], [0.5, 0.5]])
    with pytest.raises(ValueError, match=says(f"values: {name} at index (1, 0); {rule}")):
        read(weights, doubles(xp, [[1, 2], [value, 3]]))
    with pytest.raises(ValueError, match=says(f"values: {name} at index (1,); {rule}")):
        read(weights, doubles(xp, [1, value]))


@pytest.mark.parametrize("xp", LIBRARIES)
def test_value_shared_by_a_batch_is_looked_at_if_one_of_it_weighs_it(xp: ModuleType) -> None:
    values = doubles(xp, [[1], [NAN]])
    assert numbers(read(doubles(xp, [[[1, 0]], [[2, 0]]]), values)) == [[[1.0]], [[2.0]]]
    with pytest.raises(ValueError, match=r"values: NaN at index \(1, 0\)"):
        read(doubles(xp, [[[1, 0]], [[0, 2]]]), values)


@pytest.mark.parametrize("xp", LIBRARIES)
def test_value_of_one_batch_is_not_looked_at_for_the_weights_of_another(xp: ModuleType) -> None:
    values = doubles(xp, [[[1], [NAN]], [[3], [4]]])
    assert numbers(read(doubles(xp, [[[1, 0]], [[0, 1]]]), values)) == [[[1.0]], [[4.0]]]
    with pytest.raises(ValueError, match=r"values: NaN at index \(0, 1, 0\)"):
        read(doubles(xp, [[[0, 1]], [[0, 1]]]), values)


@pytest.mark.parametrize("xp", LIBRARIES)
def test_without_queries_no_value_is_looked_at(xp: ModuleType) -> None:
    output = read(doubles(xp, np.ones((0, 2))), doubles(xp, [[NAN, 1, 1], [1, INF, 1]]))
    assert output.shape == (0, 3)


# Batch axes and empty axes


@pytest.mark.parametrize("xp", LIBRARIES)
def test_batch_axes_broadcast_as_in_a_loop(xp: ModuleType) -> None:
    weights = doubles(xp, np.arange(2 * 2 * 3).reshape(2, 1, 2, 3) / 8)
    values = doubles(xp, np.arange(4 * 3 * 2).reshape(4, 3, 2) - 5)
    output = read(weights, values)
    assert output.shape == (2, 4, 2, 2)
    for i in range(2):
        for j in range(4):
            alone = read(weights[i, 0, ...], values[j, ...])
            assert numbers(output[i, j, ...]) == numbers(alone)


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize(
    ("weights", "values", "output"),
    [
        ((0, 2, 3), (0, 3, 4), (0, 2, 4)),
        ((2, 3), (0, 3, 4), (0, 2, 4)),
        ((2, 0, 3), (3, 4), (2, 0, 4)),
        ((2, 3), (3, 0), (2, 0)),
        ((0, 3), (3,), (0,)),
        ((3,), (0, 3, 4), (0, 4)),
    ],
)
def test_empty_axes_give_an_empty_output(
    xp: ModuleType, weights: tuple[int, ...], values: tuple[int, ...], output: tuple[int, ...]
) -> None:
    assert read(doubles(xp, np.ones(weights)), doubles(xp, np.ones(values))).shape == output


def test_arguments_are_left_as_they_were() -> None:
    weights, values = np.asarray([[1.0, 0.0]]), np.asarray([[1.0], [NAN]])
    before = weights.tobytes(), values.tobytes()
    weights.flags.writeable = values.flags.writeable = False
    read(weights, values)
    assert (weights.tobytes(), values.tobytes()) == before


# Under JAX's transformations


def test_jitted_read_is_read() -> None:
    weights, values = doubles(jnp, [[0.5, 0.5], [0, 1]]), doubles(jnp, [[2], [4]])
    assert numbers(jax.jit(read)(weights, values)) == [[3.0], [4.0]]


def test_jitted_read_of_a_nan_that_is_weighed_is_nan() -> None:
    weights, values = doubles(jnp, [[0.5, 0.5], [0, 1]]), doubles(jnp, [NAN, 4])
    assert str(numbers(jax.jit(read)(weights, values))) == "[nan, nan]"


def test_derivative_in_a_weight_is_the_value_also_at_zero() -> None:
    weights, values = doubles(jnp, [1, 0]), doubles(jnp, [2, 10])
    assert numbers(jax.grad(read)(weights, values)) == [2.0, 10.0]
    assert numbers(jax.grad(read, argnums=1)(weights, values)) == [1.0, 0.0]


# Overflow


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_sum_that_does_not_fit_is_an_overflow_error(dtype: type[np.floating]) -> None:
    weights, values = np.asarray([[1, 0], [1, 1]], dtype=dtype), np.full((2, 2), np.finfo(dtype).max)
    assert numbers(read(weights[:1], values))
    message = (
        f"the weighted sum of the values at index (1, 0) overflows {dtype.__name__}; "
        "use smaller numbers or a wider dtype"
    )
    with pytest.raises(OverflowError, match=says(message)), np.errstate(all="raise"):
        read(weights, values)
    message = (
        f"the weighted sum of the values overflows {dtype.__name__}; use smaller numbers or a wider dtype"
    )
    with pytest.raises(OverflowError, match=says(message)):
        read(weights[1], values[:, 0])


# Bad inputs


def test_lists_are_refused() -> None:
    with pytest.raises(TypeError, match=r"^weights: an array is needed, got list; "):
        read([0.5, 0.5], np.asarray([1.0, 2.0]))
    with pytest.raises(TypeError, match=r"^values: an array is needed, got list; "):
        read(np.asarray([0.5, 0.5]), [1.0, 2.0])


@pytest.mark.parametrize("dtype", ["int64", "bool", "complex128"])
def test_dtype_that_is_not_floating_is_refused(dtype: str) -> None:
    for name, arguments in (("weights", (dtype, "float64")), ("values", ("float64", dtype))):
        message = rf"^{name}: a floating-point array is needed, got {dtype}; convert it first"
        with pytest.raises(TypeError, match=message):
            read(np.ones((2,), dtype=arguments[0]), np.ones((2,), dtype=arguments[1]))


def test_two_libraries_are_not_mixed() -> None:
    message = "values: an array of jax.numpy, but weights is one of numpy; convert one of them first"
    with pytest.raises(TypeError, match=says(message)):
        read(np.ones((2,)), jnp.ones((2,)))


def test_two_dtypes_are_not_mixed() -> None:
    with pytest.raises(
        TypeError, match=r"^values: its dtype float32 differs from that of weights, float64; "
    ):
        read(np.ones((2,)), np.ones((2,), dtype=np.float32))


def test_arguments_without_axes_are_refused() -> None:
    for name, shapes in (("weights", ((), (2,))), ("values", ((2,), ()))):
        message = f"{name}: at least 1 axis (keys) is needed, got shape ()"
        with pytest.raises(ValueError, match=says(message)):
            read(np.ones(shapes[0]), np.ones(shapes[1]))


@pytest.mark.parametrize("weights", [(0,), (2, 0)])
def test_empty_key_axis_is_refused(weights: tuple[int, ...]) -> None:
    message = f"weights: there is no key (shape {weights}); at least 1 is needed"
    with pytest.raises(ValueError, match=says(message)):
        read(np.ones(weights), np.ones((0, 2)))


@pytest.mark.parametrize(
    ("weights", "values"),
    [((3,), (4, 2)), ((3,), (4,)), ((2, 3), (4, 2)), ((1, 2, 3), (5, 4, 2)), ((2, 3), (4,))],
)
def test_rows_that_do_not_match_the_weights_are_counted(
    weights: tuple[int, ...], values: tuple[int, ...]
) -> None:
    message = f"values: 4 rows for 3 weights (shapes {values} and {weights})"
    with pytest.raises(ValueError, match=says(message)):
        read(np.ones(weights), np.ones(values))


def test_batch_axes_that_do_not_broadcast_are_refused() -> None:
    message = "values: batch axes (3,) do not broadcast with those of weights, (2,)"
    with pytest.raises(ValueError, match=says(message)):
        read(np.ones((2, 1, 4)), np.ones((3, 4, 1)))


@pytest.mark.parametrize("xp", LIBRARIES)
@pytest.mark.parametrize(("value", "name"), [(NAN, "NaN"), (INF, "inf"), (-INF, "-inf")])
def test_weight_that_is_not_finite_is_named_with_its_place(xp: ModuleType, value: float, name: str) -> None:
    message = f"weights: {name} at index (1, 0); a weight must be finite"
    with pytest.raises(ValueError, match=says(message)):
        read(doubles(xp, [[1, 0], [value, 1]]), doubles(xp, [1, 2]))
