"""One case judged: how far each reading of a check is from what is allowed, and the sentence for the worst.

* `Verdict`: the worst element of all readings of a case.
* `judge`: run a check on a case.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao.audit.check import WORDS, Ask, Check, Facts, Reading
from duizhao.audit.outside import Call, Outside
from duizhao.rounding.arithmetic import Arithmetic
from duizhao.strategies.audits import Asked

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Verdict:
    """The worst element of all readings of a case."""

    ratio: float
    """The amount over its bound: over 1, the claim fails."""
    amount: float
    bound: float
    sentence: str
    reading: Reading
    index: tuple[int, ...]
    amounts: Numbers
    outputs: tuple[Numbers, ...]
    calls: tuple[Call, ...]

    @property
    def fails(self) -> bool:
        """Whether the case is farther from the theorem than is allowed."""
        return self.ratio > 1


def amounts_of(reading: Reading, outputs: list[Numbers]) -> Numbers:
    """Evaluate a reading's formula, as its snippet does."""
    names: dict[str, Any] = {"np": np, "out": outputs, **reading.arrays}
    with np.errstate(all="ignore"):
        return np.asarray(eval(reading.formula, names), dtype=np.float64)


def ratios_of(amounts: Numbers, bound: Numbers) -> Numbers:
    """Return amounts over bounds: infinite where a number is missing, 0 where no bound is known."""
    with np.errstate(all="ignore"):
        ratios = np.where(amounts > 0, amounts / bound, 0.0)
    ratios = np.where(np.isnan(amounts) | (amounts == np.inf), np.inf, ratios)
    return np.where(np.isfinite(bound), ratios, 0.0)


def placed(reading: Reading, index: tuple[int, ...], shape: tuple[int, ...]) -> list[str]:
    """Return words for the place of an element, without axes of one entry but for queries and keys."""
    parts = []
    for letter, place, size in zip(reading.axes, index, shape, strict=True):
        word = WORDS.get(letter)
        if word is not None and (size > 1 or letter in "ls"):
            parts.append(f"{word} {place}")
    return parts


def told(reading: Reading, index: tuple[int, ...], shape: tuple[int, ...], amount: float) -> str:
    """Return the sentence for an element: what is wrong, where, and by how much."""
    parts = placed(reading, index, shape)
    if reading.also:
        parts.append(reading.also)
    by = "and is not a number" if math.isnan(amount) else f"by {amount:.2g}"
    return f"{reading.says}: {', '.join([*parts, by])}"


def judge(outside: Outside, assumed: Arithmetic, facts: Facts, check: Check, case: Asked) -> Verdict:
    """Run a check on a case, and return its worst element.

    Raises:
        Fault: If a call gives no output of the right form.
    """
    ask = Ask(outside, assumed, facts, case.dtype)
    worst: Verdict | None = None
    with np.errstate(all="ignore"):
        readings = check.readings(ask, case)
    for reading in readings:
        amounts = amounts_of(reading, ask.outputs)
        bound = np.broadcast_to(np.asarray(reading.bound, dtype=np.float64), amounts.shape)
        if amounts.size == 0:
            continue
        ratios = ratios_of(amounts, bound)
        index = tuple(int(i) for i in np.unravel_index(int(np.argmax(ratios)), ratios.shape))
        ratio = float(ratios[index])
        if worst is None or ratio > worst.ratio:
            amount = float(amounts[index])
            worst = Verdict(
                ratio,
                amount,
                float(bound[index]),
                told(reading, index, amounts.shape, amount),
                reading,
                index,
                amounts,
                tuple(ask.outputs),
                tuple(outside.calls),
            )
    assert worst is not None
    return worst
