"""A bug: a whole attention function with one fault, and what is written down about it in `bugs.json`.

* `Bug`: the function with the facts.
* `load`: all bugs, in the order of the file.
* `Figures`: what a bug and the right function give on the bug's example.
* `figures_shown`: outputs with as many digits as a text has.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.zoo import steps
from tests.zoo.steps import Array

FILE = Path(__file__).parent / "bugs.json"

Attention = Callable[..., Array]


class Report(NamedTuple):
    """A public report of a bug."""

    name: str
    """owner/name#number on GitHub."""
    url: str


class Choice(NamedTuple):
    """A policy on which right programs differ, and what a bug has chosen."""

    name: str
    right: str
    """What the users of the report asked for."""
    bug: str


class Figures(NamedTuple):
    """Outputs on a bug's example, each (B, H, L, e)."""

    right: Array
    bug: Array


@dataclass(frozen=True)
class Bug:
    """One bug of the zoo."""

    id: str
    function: Attention
    reports: tuple[Report, ...]
    """Empty for a fault that every textbook warns of."""
    en: str
    """What is wrong, in one English sentence."""
    zh: str
    """The same in Chinese, as Markdown."""
    theorems: tuple[str, ...]
    """The ids of theorems of which one must catch it at least."""
    policy: Choice | None
    """Where right programs differ too: the policy by which the audit must report it."""
    example: Mapping[str, Any]
    """The dtype, `query`, `key` and `value`, and `mask` and `is_causal` where it has them."""

    @property
    def says(self) -> str:
        """How the function differs from a right one, in one sentence."""
        return " ".join((self.function.__doc__ or "").split())

    def figures(self) -> Figures:
        """Return what the right function and this one give on the example."""
        query, key, value = [
            four_axes(np.asarray(self.example[name], dtype=self.example["dtype"]))
            for name in ("query", "key", "value")
        ]
        mask = four_axes(np.asarray(self.example["mask"])) if "mask" in self.example else None
        is_causal = self.example.get("is_causal", False)
        right = steps.attention(query, key, value, mask, is_causal=is_causal)
        return Figures(right, self.function(query, key, value, mask, is_causal=is_causal))


def four_axes(array: Array) -> Array:
    """(..., L, d) -> (B, H, L, d): the array with axes of length 1 in front."""
    return array.reshape((1,) * (4 - array.ndim) + array.shape)


def load() -> list[Bug]:
    """Return the bugs of `bugs.json`, each with the function of its name in the module that it names."""
    return [
        Bug(
            id=facts["id"],
            function=getattr(import_module(f"tests.zoo.{facts['module']}"), facts["id"]),
            reports=tuple(Report(**report) for report in facts["reports"]),
            en=facts["en"],
            zh=facts["zh"],
            theorems=tuple(facts["theorems"]),
            policy=Choice(**facts["policy"]) if facts["policy"] else None,
            example=facts["example"],
        )
        for facts in json.loads(FILE.read_text(encoding="utf-8"))
    ]


def figures_shown(output: Array, like: str) -> str:
    """Return the entries of an output, each with the digits that the same entry of a text has."""
    return " ".join(shown(float(entry), text) for entry, text in zip(output.flat, like.split(), strict=True))


def shown(number: float, like: str) -> str:
    """Return a number with as many digits as a text has."""
    mantissa, _, exponent = like.partition("e")
    digits = len(mantissa.partition(".")[2])
    if not exponent or like == "nan":
        return f"{number:.{digits}f}"
    power = int(exponent)
    return f"{number / 10**power:.{digits}f}e{power}"
