"""The judge: every library lies within its budget of one enclosure, and what is nearly right does not."""

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from duizhao.arrays import Array
from duizhao.attention import attention
from duizhao.read import read
from duizhao.softmax import softmax
from tests.judging import FUNCTIONS, Problem, budget, computed, part, problem
from tests.libraries import EVERY_FLOAT, assumed


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(("xp", "dtype"), EVERY_FLOAT)
def test_each_library_lies_within_its_budget_of_the_same_enclosure(
    xp: ModuleType, dtype: str, name: str
) -> None:
    result = computed(name, xp, dtype)
    assert part(result, problem(dtype).truth[name], budget(name, assumed(xp, dtype), dtype)) <= 1


def unnormalised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of scores, with a small number added to their sum."""
    powers: NDArray[np.float64] = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights: NDArray[np.float64] = powers / powers.sum(axis=-1, keepdims=True)
    off: NDArray[np.float64] = weights / (weights.sum(axis=-1, keepdims=True) + 1e-9)
    return off


def single(*arrays: NDArray[np.float64]) -> list[NDArray[np.float32]]:
    """The same arrays in float32."""
    return [array.astype(np.float32) for array in arrays]


def one_shifted(result: Array, allowed: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same result, but for its first number, which is shifted by ulps until the budget cannot hold it."""
    shifted = np.array(result)
    ulp = np.spacing(shifted.flat[0])
    shifted.flat[0] += (2 * allowed.flat[0] // ulp + 1) * ulp
    return shifted


FRAUDS: dict[str, dict[str, Callable[[Problem, NDArray[np.float64]], Array]]] = {
    "softmax": {
        "float32 for float64": lambda p, _: softmax(*single(p.scores)).astype(np.float64),
        "a small number in the denominator": lambda p, _: unnormalised(p.scores),
        "a scale that is off": lambda p, _: softmax(p.scores * (1 + 1e-6)),
        "one number shifted": lambda p, allowed: one_shifted(softmax(p.scores), allowed),
    },
    "attention": {
        "float32 for float64": lambda p, _: attention(*single(p.query, p.key, p.value)).astype(np.float64),
        "a small number in the denominator": lambda p, _: unnormalised(p.query @ p.key.T / 2) @ p.value,
        "a scale that is off": lambda p, _: attention(p.query, p.key, p.value, scale=0.5 * (1 + 1e-6)),
        "one number shifted": lambda p, allowed: one_shifted(attention(p.query, p.key, p.value), allowed),
    },
    "read": {
        "float32 for float64": lambda p, _: read(*single(p.weights, p.value)).astype(np.float64),
        "one number shifted": lambda p, allowed: one_shifted(read(p.weights, p.value), allowed),
    },
}


@pytest.mark.parametrize(
    ("name", "fraud"), [(name, fraud) for name, frauds in FRAUDS.items() for fraud in frauds]
)
def test_fraud_in_float64_is_beyond_the_budget(name: str, fraud: str) -> None:
    given, allowed = problem("float64"), budget(name, assumed(np, "float64"), "float64")
    assert part(FRAUDS[name][fraud](given, allowed), given.truth[name], allowed) > 1


@pytest.mark.parametrize("name", FRAUDS)
def test_same_formula_without_the_fraud_is_within_the_budget(name: str) -> None:
    given, allowed = problem("float64"), budget(name, assumed(np, "float64"), "float64")
    powers = np.exp(given.scores - given.scores.max(axis=-1, keepdims=True))
    honest = {
        "softmax": powers / powers.sum(axis=-1, keepdims=True),
        "attention": softmax(given.query @ given.key.T / 2) @ given.value,
        "read": given.weights @ given.value,
    }
    assert part(honest[name], given.truth[name], allowed) <= 1


def test_masked_key_with_any_weight_is_beyond_the_budget() -> None:
    given, allowed = problem("float64"), budget("masked_softmax", assumed(np, "float64"), "float64")
    leaking = np.array(computed("masked_softmax", np, "float64"))
    leaking[~given.mask] = 5e-324
    assert part(leaking, given.truth["masked_softmax"], allowed) > 1
