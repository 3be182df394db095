"""The worked examples in floats: whole numbers come out exactly, the rest within a derived bound."""

import math
from typing import Any

import array_api_strict
import jax.numpy
import numpy as np
import pytest

from duizhao.exact import lower, precision
from duizhao.examples import Comparison, Example, compare, example, examples, recomputation, recompute

LIBRARIES: list[tuple[Any, str]] = [
    (np, "float64"),
    (np, "float32"),
    (np, "float16"),
    (array_api_strict, "float64"),
    (array_api_strict, "float32"),
    (jax.numpy, "float32"),
    (jax.numpy, "bfloat16"),
]
ROUNDOFF = {"float64": 2.0**-53, "float32": 2.0**-24}
EXP_ULP = 4
"""Assumed of every library: `exp` is off by at most four units in the last place."""


def magnitude(one: Example, found: Comparison) -> float:
    """Return the size of an element; for an output, the sum of the sizes of its terms."""
    if found.matrix != "O":
        return abs(found.computed) + found.error
    weights, values = (one.exact(key).astype(np.float64) for key in ("A", "V"))
    return float(np.asarray(weights @ np.abs(values))[found.index]) * (1 + 2.0**-40)


def bound(one: Example, found: Comparison, u: float) -> float:
    """Return how far a computed element may be from the truth, for unit roundoff u.

    From the standard model, for at most 3 keys, 2 coordinates, scores from 0 to 3/√2 < 2.2 and nothing that
    underflows. Whole numbers (Q, K, V, D) are exact, given numbers are rounded once. Scores: the scale is off by
    3 roundings, a sum of two products by 3 more. Weights: the difference of two such scores is off by at most
    t = 2 · 2.2 · ((1 + u)^6 - 1) + 2.2 u, so its exponential by a factor exp(±t) (1 ± 2 · 4 u); one such over a sum
    of three by less than the square of that over 1 - 16 u, and 3 roundings. Outputs: the weights' factor and 3
    roundings of a sum of three products, where the product of both is below 1/100 of their sum.
    """
    score = math.expm1(6 * math.log1p(u))
    exponent = 2 * 2.2 * score + 2.2 * u
    logarithm = 2 * exponent + 2 * math.log1p(2 * EXP_ULP * u) - math.log1p(-16 * u) + 3 * math.log1p(u)
    weight = math.expm1(logarithm)
    factors = {"S": score, "A": weight, "O": (weight + 4 * u) * 1.01}
    factor = u if found.matrix in one.given else factors.get(found.matrix, 0.0)
    return factor * magnitude(one, found)


@pytest.mark.parametrize(("xp", "dtype"), LIBRARIES)
def test_whole_numbers_come_out_exactly(xp: Any, dtype: str) -> None:
    seen = set()
    for one in examples().values():
        for found in compare(one, xp, dtype):
            form = one.matrices[found.matrix].form(found.index)
            if found.matrix in ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "D"):
                seen.add(found.matrix)
                assert found.error == 0
                assert found.computed == form.fraction()
    assert len(seen) == 8


@pytest.mark.parametrize("name", list(examples()))
@pytest.mark.parametrize(("xp", "dtype"), [pair for pair in LIBRARIES if pair[1] in ROUNDOFF])
def test_every_element_is_within_the_bound_of_the_standard_model(xp: Any, dtype: str, name: str) -> None:
    one = example(name)
    for found in compare(one, xp, dtype):
        assert found.error <= bound(one, found, ROUNDOFF[dtype]), found


def test_float32_is_not_within_the_bound_of_float64() -> None:
    one = example("red-key")
    inexact = [found for found in compare(one, np, "float32") if found.error > 0]
    assert len(inexact) > 15
    assert all(found.error > bound(one, found, ROUNDOFF["float64"]) for found in inexact)


@pytest.mark.parametrize("name", list(examples()))
def test_every_element_of_every_matrix_is_compared(name: str) -> None:
    one = example(name)
    found = [(each.matrix, each.index) for each in compare(one, np, "float64")]
    assert found == [
        (key, index) for key, matrix in one.matrices.items() for index in np.ndindex(matrix.shape)
    ]


def test_the_error_holds_the_exact_distance() -> None:
    for found in compare(example("red-key"), np, "float32"):
        with precision(300):
            truth = example("red-key").matrices[found.matrix].form(found.index).ball()
            gap = abs(truth - found.computed)
        assert lower(gap) <= found.error <= lower(gap) * (1 + 2.0**-50)


def test_a_wrong_element_has_the_error_that_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"A": np.array([math.nan, 0.25]), "V": np.array([2.0, 10.0]), "O": np.array(4.25)}
    monkeypatch.setattr(recomputation, "recompute", lambda *_: wrong)
    errors = [found.error for found in compare(example("two-values"), np, "float64")]
    assert errors == [math.inf, 0, 0, 0, 0.25]


def test_only_the_misprint_is_printed_wrong() -> None:
    found = {
        (name, each.matrix, each.index): each.printed_is_right
        for name, one in examples().items()
        for each in compare(one, np, "float64")
    }
    assert [where for where, right in found.items() if right is False] == [("shifted-values", "O", (0, 1))]
    assert sum(right is True for right in found.values()) == 30


@pytest.mark.parametrize(("xp", "dtype"), LIBRARIES)
def test_arrays_come_out_in_the_library_and_dtype_asked_for(xp: Any, dtype: str) -> None:
    arrays = recompute(example("one-query"), xp, dtype)
    assert list(arrays) == ["Q", "K", "V", "D", "S", "A", "O"]
    for array in arrays.values():
        assert array.dtype == getattr(xp, dtype)
        assert type(array) is type(xp.asarray(1.0))


def test_a_dtype_may_be_given_itself() -> None:
    for xp in (np, array_api_strict, jax.numpy):
        assert recompute(example("two-values"), xp, xp.float32)["O"].dtype == xp.float32


@pytest.mark.parametrize(
    ("xp", "dtype"), [(np, "bfloat16"), (array_api_strict, "float16"), (jax.numpy, "float128")]
)
def test_a_dtype_that_a_library_lacks_is_named(xp: Any, dtype: str) -> None:
    with pytest.raises(ValueError, match=f"dtype: {xp.__name__} has no {dtype}"):
        example("two-values").inputs(xp, dtype)


@pytest.mark.filterwarnings("ignore:Explicitly requested dtype float64")
def test_float64_that_becomes_float32_is_refused() -> None:
    with (
        jax.enable_x64(False),
        pytest.raises(ValueError, match=r"dtype: asked jax\.numpy for float64, got float32; enable it first"),
    ):
        example("two-values").inputs(jax.numpy, "float64")


def test_given_fractions_are_the_nearest_floats() -> None:
    assert example("two-values-exercise").inputs(np, "float64")["A"].tolist() == [0.2, 0.8]
