"""Slips in softmax at a temperature, and in its limits."""

from typing import Any

import numpy as np

from duizhao.softmax import softmax
from tests.mutants.mutant import mutant

Array = Any


@mutant(
    "softmax",
    "log_softmax_div_temperature",
    "tendsto_softmax_div_atTop",
    "tendsto_softmax_div_nhdsGT_zero",
    "antitoneOn_softmax_div",
)
def multiplies_by_the_temperature(scores: Array, *, temperature: float = 1.0) -> Array:
    """The scores are multiplied by the temperature instead of divided."""
    return softmax(scores, temperature=1 / temperature)


@mutant(
    "softmax",
    "log_softmax_div_temperature",
    "tendsto_softmax_div_atTop",
    "tendsto_softmax_div_nhdsGT_zero",
    "softmax_div_zero",
    "softmax_div_lt_iff_of_neg",
)
def forgets_the_temperature(scores: Array, *, temperature: float = 1.0) -> Array:
    """The temperature is not used."""
    del temperature
    return softmax(scores)


@mutant("softmax", "log_softmax_div_temperature", "tendsto_softmax_div_nhdsGT_zero", "softmax_div_zero")
def raises_low_temperatures(scores: Array, *, temperature: float = 1.0) -> Array:
    """Temperatures below 1/10 are taken for 1/10, to be safe from dividing by zero."""
    return softmax(scores, temperature=max(temperature, 0.1))


@mutant("softmax", "softmax_div_lt_iff_of_neg", "antitoneOn_softmax_div", "log_softmax_div_temperature")
def turns_the_sign(scores: Array, *, temperature: float = 1.0) -> Array:
    """The scores are taken as energies: the largest one gets the least weight."""
    return softmax(-scores, temperature=temperature)


@mutant("zero_temperature_limit", "tendsto_softmax_div_nhdsGT_zero")
def gives_all_to_the_first(scores: Array) -> Array:
    """The first of the best keys gets the whole weight, as with argmax."""
    weights = np.zeros_like(scores)
    weights[np.argmax(scores)] = 1
    return weights


@mutant("infinite_temperature_limit", "tendsto_softmax_div_atTop")
def counts_different_scores(scores: Array) -> Array:
    """The weight is shared by the different scores, not by the keys."""
    return np.full_like(scores, 1 / len(np.unique(scores)))
