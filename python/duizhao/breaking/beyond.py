"""Go on after one read, and find the smallest numbers that leave the range of the values.

* `BEYOND`: what can follow: projection, residual, heads, float16, two layers.
* `go_on`: search, and say what survives.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from duizhao.read import read
from duizhao.softmax import softmax
from duizhao.strategies import beyond
from duizhao.strategies.search import Clock, smallest

Numbers = Mapping[str, Any]
Vector = NDArray[np.float64]

CASES = 1_000
"""How many cases are drawn for each number of keys."""

SECONDS = 8.0

MOST_KEYS = 16


@dataclass(frozen=True)
class Outcome:
    """What a calculation gives: the range of its values, the output, and numbers on the way."""

    low: float
    high: float
    output: Vector
    steps: Mapping[str, Any]

    @property
    def leaves_by(self) -> float:
        """How far the output is outside of the range."""
        return float(max(np.max(self.low - self.output), np.max(self.output - self.high), 0.0))


@dataclass(frozen=True)
class Next:
    """What can follow one read."""

    title: str
    numbers: Callable[[int], SearchStrategy[Numbers]]
    """For a number of keys, draws cases."""
    calculate: Callable[[Numbers], Outcome]
    survives: str
    """What does survive, in one sentence."""
    kept_by: tuple[str, ...]
    """The ids of the theorems that say so."""
    refuted_by: tuple[str, ...]
    """The ids of the theorems that prove that the range is not kept."""


@dataclass(frozen=True)
class Beyond:
    """What was found."""

    name: str
    numbers: Numbers
    outcome: Outcome
    survivor: Mapping[str, Any]
    """The numbers of what survives."""


def _array(rows: Any) -> Vector:
    return np.asarray(rows, dtype=np.float64)


def _range(*values: Vector) -> tuple[float, float]:
    """Return the smallest and the largest of all values."""
    return min(float(np.min(some)) for some in values), max(float(np.max(some)) for some in values)


def _projection(numbers: Numbers) -> Outcome:
    values = _array(numbers["values"])
    output = read(_array(numbers["weights"]), values)
    projected = values @ _array(numbers["projection"])
    steps = {"output": output.tolist(), "projected values": projected.tolist()}
    return Outcome(*_range(values), output @ _array(numbers["projection"]), steps)


def _residual(numbers: Numbers) -> Outcome:
    values, moved_by = _array(numbers["values"]), _array(numbers["residual"])
    output = read(_array(numbers["weights"]), values)
    steps = {"output": output.tolist(), "values moved by the residual": (values + moved_by).tolist()}
    return Outcome(*_range(values), output + moved_by, steps)


def _heads(numbers: Numbers) -> Outcome:
    values = [_array(numbers[f"values of head {head}"]) for head in (1, 2)]
    outputs = [
        read(_array(numbers[f"weights of head {head}"]), value)
        for head, value in zip((1, 2), values, strict=True)
    ]
    concatenated = np.concatenate(outputs)
    added = concatenated @ _array(numbers["projection"])
    return Outcome(*_range(*values), added, {"heads": concatenated.tolist()})


def _float16(numbers: Numbers) -> Outcome:
    values = np.asarray(numbers["values"], dtype=np.float16)
    weights = softmax(np.asarray(numbers["scores"], dtype=np.float16))
    steps = {
        "weights": weights.tolist(),
        "sum of the weights": float(weights.astype(np.float64).sum()),
    }
    return Outcome(*_range(values.astype(np.float64)), read(weights, values).astype(np.float64), steps)


def _two_layers(numbers: Numbers) -> Outcome:
    values = _array(numbers["values"])
    first = read(_array(numbers["weights of layer 1"]), values)
    second = _array(numbers["weights of layer 2"])
    steps = {
        "output of layer 1": first.tolist(),
        "output of layer 2 without projection": read(second, first).tolist(),
    }
    return Outcome(*_range(values), read(second, first @ _array(numbers["projection"])), steps)


BEYOND: Mapping[str, Next] = {
    "projection": Next(
        "an output projection",
        beyond.projection,
        _projection,
        "the projected output stays in the convex hull of the projected values",
        ("map_read_mem_convexHull", "map_read"),
        ("not_attention_mul_mem_Icc",),
    ),
    "residual": Next(
        "a residual addition",
        beyond.residual,
        _residual,
        "the sum stays in the convex hull of the values moved by the residual",
        ("add_read_mem_convexHull",),
        ("not_add_attention_mem_Icc",),
    ),
    "heads": Next(
        "two heads that are added",
        beyond.heads,
        _heads,
        "side by side, each head keeps the bounds of its own values",
        ("multiHead_mem_Icc", "multiHead_mul"),
        ("not_multiHead_mul_mem_Icc",),
    ),
    "float16": Next(
        "rounding to float16",
        beyond.float16,
        _float16,
        "the output leaves the range by no more than a bound from the sum of the weights and the roundings",
        ("roundedRead_mem_Icc", "abs_sum_roundedSoftmax_sub_one_le"),
        (),
    ),
    "two-layers": Next(
        "a second layer that projects its values",
        beyond.two_layers,
        _two_layers,
        "without the projection, the second layer stays in the range of the first one's values",
        ("attention_attention_mem_Icc",),
        ("not_attention_mul_mem_Icc",),
    ),
}
"""What can follow one read, by the name that `--then` takes."""

SURVIVORS = {
    "projection": "projected values",
    "residual": "values moved by the residual",
    "heads": "heads",
    "float16": "sum of the weights",
    "two-layers": "output of layer 2 without projection",
}
"""For each of them, the step that shows what survives."""


def go_on(name: str, *, seed: int = 0) -> Beyond:
    """Find the smallest numbers for which what follows one read leaves the range of the values: the fewest keys first.

    Raises:
        ValueError: If nothing of that name can follow; the message suggests a close one.
    """
    if name not in BEYOND:
        close = difflib.get_close_matches(name, BEYOND, n=1)
        hint = f"; did you mean {close[0]}? There" if close else "; there"
        raise ValueError(f"nothing named `{name}` follows a read{hint} are {', '.join(BEYOND)}")
    following = BEYOND[name]

    def leaves(drawn: Numbers) -> bool:
        return following.calculate(drawn).leaves_by > 0

    clock = Clock(SECONDS)
    searches = (
        smallest(following.numbers(keys), leaves, cases=CASES, seed=seed, clock=clock)
        for keys in range(1, MOST_KEYS + 1)
    )
    numbers = next((found for found in searches if found is not None), None)
    if numbers is None:
        raise ArithmeticError(f"{name}: no numbers were found that leave the range")
    outcome = following.calculate(numbers)
    shown = SURVIVORS[name]
    return Beyond(name, numbers, outcome, {shown: outcome.steps[shown]})
