"""The numbers of a case and of what functions give for it, as plain lists.

* `numbers_of`: the numbers of a case, by name.
* `outputs_of`: what functions gave, by name.
* `Recorder`: calls functions, and remembers what they gave.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from duizhao.strategies import Case
from duizhao.strategies.blocks import Blocks
from duizhao.strategies.random_variables import RandomVectors, Space, TwoVariables

SHOWN = 100
"""Of so many numbers at most an output is shown."""


class Recorder:
    """Calls functions, and remembers what they gave."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self.outputs: dict[str, Any] = {}

    def watch(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does the same as `function`, and is remembered."""

        def called(*arguments: Any, **options: Any) -> Any:
            result = function(*arguments, **options)
            calls = sum(1 for known in self.outputs if known.partition(",")[0] == name)
            self.outputs[name if not calls else f"{name}, {calls + 1}"] = result
            return result

        return called


def shown(value: Any) -> Any:
    """Return a number, or numbers in any container, as plain lists: balls to 6 digits; what is no number as a word."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: shown(getattr(value, field.name)) for field in fields(value)}
    if type(value).__name__ == "arb":
        return _plain(float(f"{float(value):.6g}"))
    if isinstance(value, Fraction):
        return _plain(float(f"{float(value):.6g}"))
    if isinstance(value, Mapping):
        return [[shown(key), shown(entry)] for key, entry in sorted(value.items())]
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [shown(item) for item in value] if value.ndim else shown(value.item())
    if hasattr(value, "tolist"):
        return shown(value.tolist())
    if isinstance(value, list | tuple):
        return [shown(item) for item in value]
    return _plain(value)


def _plain(value: Any) -> Any:
    """Return a number as it is, 0 for −0, and a word for what JSON has no number for."""
    if not isinstance(value, float):
        return value
    return value + 0.0 if math.isfinite(value) else str(value)


def size_of(value: Any) -> int:
    """Return how many numbers are in nested lists."""
    return sum(size_of(item) for item in value) if isinstance(value, list) else 1


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, tuple) and not value)


def numbers_of(case: Case) -> dict[str, Any]:
    """Return the numbers of a case by name: those that the theorem names, where the case knows them, else its fields."""
    told = getattr(case, "told", None)
    if told is not None:
        return dict(told)
    if isinstance(case, Space):
        return _of_space(case)
    numbers = {
        field.name: getattr(case, field.name)
        for field in fields(case)
        if field.name != "target" and not _is_missing(getattr(case, field.name))
    }
    if isinstance(case, Blocks):
        del numbers["key"], numbers["members"]
        numbers["blocks"] = [np.flatnonzero(held).tolist() for held in case.members]
    return {name: shown(value) for name, value in numbers.items()}


def _of_space(case: Space) -> dict[str, Any]:
    """Return the probabilities of the outcomes, and the variables."""
    probabilities = shown(case.counts / case.counts.sum())
    found: dict[str, Any] = {}
    if isinstance(case, TwoVariables):
        found = {"X": case.x, "Y": case.y} | ({"d": case.width} if case.width > 1 else {})
    if isinstance(case, RandomVectors):
        found = {"q": case.query.T, "k": case.key.T}
    return {"probabilities": probabilities} | {name: shown(value) for name, value in found.items()}


def outputs_of(case: Case, outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return what functions gave by name; on a probability space the variance on it alone."""
    if isinstance(case, Space):
        outputs = {name: value for name, value in outputs.items() if name == "variance"}
    found = {name: shown(value) for name, value in outputs.items()}
    return {name: value for name, value in found.items() if size_of(value) <= SHOWN}
