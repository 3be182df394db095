"""One problem for every library: the same numbers, their enclosures, and the budget of each function.

* `problem`: scores, queries, keys, values and a mask in a dtype, with the enclosures of all functions.
* `FUNCTIONS`: how each function is called on arrays of a library.
* `budget`: what a result may be off by.
* `part`: how much of its budget the error of a result takes; the judge rejects over 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from duizhao import exact, rounding
from duizhao.arrays import Array
from duizhao.attention import attention, masked_attention
from duizhao.blockwise import blockwise_attention
from duizhao.exact import Balls, enclose, upper
from duizhao.mask import masked_softmax
from duizhao.read import read
from duizhao.rounding import Arithmetic
from duizhao.rounding.attention import attention_error, score_rounding
from duizhao.softmax import softmax
from duizhao.strategies.attending import scored_by
from tests.libraries import array, wide

Numbers = NDArray[np.float64]

QUERIES, KEYS, BLOCK = 5, 22, 4


@dataclass(frozen=True, eq=False)
class Problem:
    """Numbers that a dtype holds, and the true results for them."""

    dtype: str
    query: Numbers
    key: Numbers
    value: Numbers
    scores: Numbers
    weights: Numbers
    mask: NDArray[np.bool_]
    truth: dict[str, Balls]


@cache
def problem(dtype: str) -> Problem:
    """The problem of a dtype."""
    generator = np.random.default_rng(5)

    def drawn(*shape: int) -> Numbers:
        return wide(jnp.asarray(generator.normal(size=shape), dtype=dtype))

    query, key, value, scores = drawn(QUERIES, 4), drawn(KEYS, 4), drawn(KEYS, 2), 2 * drawn(QUERIES, KEYS)
    weights = wide(jnp.asarray(np.abs(drawn(QUERIES, KEYS)) / 8, dtype=dtype))
    mask = generator.random((QUERIES, KEYS)) < 0.6
    mask[:, 0], mask[1] = True, np.arange(KEYS) == 3  # each query reads some key, and one of them reads one
    truth = {
        "softmax": enclose(exact.softmax, scores),
        "masked_softmax": enclose(exact.masked_softmax, scores, mask),
        "read": enclose(exact.read, weights, value),
        "attention": enclose(exact.attention, query, key, value),
        "masked_attention": enclose(exact.masked_attention, query, key, value, mask),
    }
    truth["blockwise_attention"] = truth["masked_attention"]
    return Problem(dtype, query, key, value, scores, weights, mask, truth)


FUNCTIONS: dict[str, Callable[[Problem, Callable[[object], Array], Array], Array]] = {
    "softmax": lambda p, a, _: softmax(a(p.scores)),
    "masked_softmax": lambda p, a, mask: masked_softmax(a(p.scores), mask),
    "read": lambda p, a, _: read(a(p.weights), a(p.value)),
    "attention": lambda p, a, _: attention(a(p.query), a(p.key), a(p.value)),
    "masked_attention": lambda p, a, mask: masked_attention(a(p.query), a(p.key), a(p.value), mask),
    "blockwise_attention": lambda p, a, mask: blockwise_attention(
        a(p.query), a(p.key), a(p.value), mask=mask, blocks=BLOCK
    ),
}


def computed(name: str, xp: ModuleType, dtype: str) -> Array:
    """What a function gives for the problem of a dtype, in a library."""
    given = problem(dtype)
    return FUNCTIONS[name](
        given, lambda numbers: array(xp, np.asarray(numbers).tolist(), dtype), xp.asarray(given.mask.tolist())
    )


def budget(name: str, facts: Arithmetic, dtype: str) -> Numbers:
    """What the result of a function for the problem of a dtype may be off by."""
    given = problem(dtype)
    if name == "read":
        terms = np.abs(given.weights) @ np.abs(given.value)
        return np.asarray(rounding.read_error(facts.u, KEYS, terms, facts.tiny, facts.accumulator))
    if name in ("softmax", "masked_softmax"):
        mask = given.mask if name == "masked_softmax" else np.ones_like(given.mask)
        return np.stack(
            [_weights(facts, row, allowed) for row, allowed in zip(given.scores, mask, strict=True)]
        )
    mask = np.ones_like(given.mask) if name == "attention" else given.mask
    row_budget = _blocks if name == "blockwise_attention" else _attention
    return np.stack([row_budget(given, facts, row, allowed) for row, allowed in enumerate(mask)])


def part(result: Array, truth: Balls, allowed: Numbers) -> float:
    """The largest part of its budget that the error of a result takes; infinite where nothing is allowed."""
    gaps = np.asarray([upper(gap) for gap in exact.distance(result, truth).ravel().tolist()])
    bounds = allowed.ravel()
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.max(np.where(gaps == 0, 0.0, gaps / bounds)))


def _floats(balls: Balls) -> Numbers:
    return np.asarray([upper(ball) for ball in balls.ravel().tolist()]).reshape(balls.shape)


def _weights(facts: Arithmetic, row: Numbers, allowed: NDArray[np.bool_]) -> Numbers:
    """The budget of one row of weights; a key that is not allowed has no weight at all."""
    scores = row[allowed]
    weight, reach = _floats(enclose(exact.softmax, scores)), float(scores.max() - scores.min())
    bounds = np.zeros(row.shape)
    bounds[allowed] = rounding.weight_error(
        facts.u, scores.size, weight, reach, facts.exp_ulp, facts.tiny, facts.accumulator
    )
    return bounds


def _attention(given: Problem, facts: Arithmetic, row: int, allowed: NDArray[np.bool_]) -> Numbers:
    scored = scored_by(given.query[row : row + 1], given.key[allowed])
    sizes = np.abs(given.value[allowed])
    bounds: Numbers = attention_error(facts.u, scored, sizes, facts.exp_ulp, facts.tiny, facts.accumulator)[0]
    return bounds


def _blocks(given: Problem, facts: Arithmetic, row: int, allowed: NDArray[np.bool_]) -> Numbers:
    scored = scored_by(given.query[row : row + 1], given.key[allowed])
    merges = -(-KEYS // BLOCK) - 1
    return rounding.blockwise_read(
        facts.u,
        BLOCK,
        merges,
        merges,
        scored.weight[0],
        np.abs(given.value[allowed]),
        float(scored.spread[0]),
        facts.exp_ulp,
        facts.tiny,
        perturbation=float(score_rounding(facts.u, scored, facts.tiny, facts.accumulator).max()),
        accumulator=facts.accumulator,
    )
