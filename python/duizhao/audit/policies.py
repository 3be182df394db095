"""Policies: choices on which correct programs differ, found by asking, told in words, and required if asked for.

* `Policy`: what was found of one; `Wrong`: what no correct program does; `POLICIES`: their names and values.
* `required`: read `NAME=VALUE`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from duizhao.wrong_use import WrongUseError

POLICIES: Mapping[str, Mapping[str, str]] = {
    "empty_row": {
        "zero": "a query without keys gives zero",
        "mean": "a query without keys gives the mean of all values",
        "nan": "a query without keys gives NaN",
        "error": "a query without keys is an error",
        "unmasked": "a query without keys reads all keys as if there were no mask",
    },
    "causal": {
        "top_left": "where lengths differ, query i reads the keys 0 to i (top left)",
        "bottom_right": "where lengths differ, the last query reads all keys (bottom right)",
        "error": "where lengths differ, the causal flag is an error",
    },
    "mask": {
        "keep": "True in a mask keeps a key",
        "drop": "True in a mask drops a key",
        "additive": "a mask is added to the scores",
    },
    "heads": {
        "repeat": "query heads next to each other share keys and values (repeat)",
        "tile": "query heads share keys and values in turn (tile)",
    },
    "masked_nan": {
        "blocked": "NaN in a masked key or value reaches no output",
        "leaks": "NaN in a masked key or value reaches the output",
        "error": "NaN in a masked key or value is an error",
    },
    "scale": {
        "1/sqrt(d)": "without a scale, the scores are divided by √d",
        "1": "without a scale, the scores are not scaled (multiplied by 1)",
        "1/d": "without a scale, the scores are divided by d, not √d",
        "sqrt(d)": "without a scale, the scores are multiplied by √d, not divided",
        "1/sqrt(heads*d)": "without a scale, the scores are divided by √(heads · d), the width of all heads",
    },
    "overflow": {
        "finite": "scores too large for the dtype still give numbers",
        "nan": "scores too large for the dtype give NaN or infinity",
        "error": "scores too large for the dtype are an error",
    },
}
"""The names of the policies, the values of each, and the sentence for it."""

ASKED_FOR = {
    "empty_row": ("zero", "mean", "nan", "error"),
    "scale": ("1/sqrt(d)", "a number"),
}
"""The values that can be required, where they are not all of them."""


THEOREMS = {
    "causal": "causalSoftmax_pos_iff",
    "heads": "multiHead_congr",
    "empty_row": "maskedSoftmax_empty",
}
"""The theorem beside which a wrong policy is told. It is of equal lengths, and of heads of their own."""


@dataclass(frozen=True)
class Wrong:
    """What no correct program does: two policies at once, or none of those known."""

    sentence: str
    snippet: str | None = None
    """A program that shows it, with NumPy and the subject alone."""


@dataclass(frozen=True)
class Policy:
    """What was found of one policy."""

    name: str
    values: Mapping[str, str] = field(default_factory=dict)
    """The value that was found in each dtype."""
    faults: Mapping[str, Wrong] = field(default_factory=dict)
    """What is wrong with it in each dtype."""
    unseen: str = ""
    """Why nothing could be found."""
    needed: str | None = None
    """The value that is required."""

    @property
    def value(self) -> str | None:
        """The value found, if it is the same in every dtype."""
        found = set(self.values.values())
        return found.pop() if len(found) == 1 else None

    @property
    def met(self) -> bool:
        """Whether what is required was found, in every dtype."""
        if self.needed is None:
            return True
        return bool(self.values) and all(_same(value, self.needed) for value in self.values.values())

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.met and not self.faults

    @property
    def theorem(self) -> str | None:
        """The theorem beside which it is told if it is wrong."""
        return THEOREMS.get(self.name)

    def wrong(self) -> list[tuple[str, Wrong]]:
        """Return what is wrong with it, each once, with the dtypes in which it is so."""
        said = grouped({dtype: fault.sentence for dtype, fault in self.faults.items()})
        return [(dtypes, self.faults[dtypes.split(", ")[0]]) for dtypes, _ in said]

    def sentence(self) -> str:
        """Say what was found, and what is wrong with it."""
        if self.faults:
            said = "; ".join(f"{dtypes}: {fault.sentence}" for dtypes, fault in self.wrong())
        elif not self.values:
            said = self.unseen
        elif self.value is not None:
            said = told(self.name, self.value)
        else:
            found = {dtype: told(self.name, value) for dtype, value in self.values.items()}
            said = "; ".join(f"{dtypes}: {text}" for dtypes, text in grouped(found))
        return said if self.met else f"{said}; {self.name}={self.needed} is required"


def grouped(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the dtypes of each text, `"float32, float64"`, and the text, each once."""
    return [
        (", ".join(dtype for dtype, other in texts.items() if other == text), text)
        for text in dict.fromkeys(texts.values())
    ]


def _same(value: str, needed: str) -> bool:
    """Whether a value is the one that is needed; a scale that was read back has four digits, or two."""
    if value == needed or not (_is_scale(value) and _is_scale(needed)):
        return value == needed
    return float(value) in (float(f"{float(needed):.{digits}g}") for digits in (2, 4))


def told(name: str, value: str) -> str:
    """Return the sentence for a value of a policy."""
    known = POLICIES[name].get(value)
    return known if known is not None else f"without a scale, the scores are multiplied by {value}"


def required(texts: Sequence[str]) -> dict[str, str]:
    """Read the policies that are required, `NAME=VALUE` each.

    Raises:
        WrongUseError: If a name or a value is not known, or a name is given twice.
    """
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if name not in POLICIES or not equals:
            raise WrongUseError(f"policy: NAME=VALUE with one of {', '.join(POLICIES)} is needed, got {text}")
        known = ASKED_FOR.get(name, tuple(POLICIES[name]))
        if not (value in known or (name == "scale" and _is_scale(value))):
            raise WrongUseError(f"policy: {name} must be one of {', '.join(known)}, got {value}")
        if name in found:
            raise WrongUseError(f"policy: {name} is given twice")
        found[name] = f"{float(value):g}" if name == "scale" and value != "1/sqrt(d)" else value
    return found


def _is_scale(value: str) -> bool:
    try:
        return math.isfinite(float(value)) and float(value) != 0
    except ValueError:
        return False
