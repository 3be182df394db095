"""What a plain differential test sees: the outputs of a function beside those of a right one, on usual inputs.

* `RTOL`: the tolerance of such tests.
* `Told`, `told`: whether the test tells a function from the right one, without options and with each of them.
"""

from typing import Any, NamedTuple

import numpy as np

from duizhao.audit.subject import Adapter
from duizhao.strategies.differential import usual
from tests.zoo import steps
from tests.zoo.bug import Attention

RTOL = 1e-3
"""How far outputs may be apart, in terms of the largest. This number is what people write, not what is right."""

TRIALS = 10


class Told(NamedTuple):
    """Whether outputs differ by more than `RTOL`, or are not numbers, in some trial."""

    plain: bool
    """On queries, keys and values alone."""
    mask: bool
    is_causal: bool
    """With as many keys as queries."""
    grouped: bool


def apart(output: Any, right: Any) -> bool:
    """Whether an output is farther from the right one than such a test lets pass."""
    size = np.abs(right.astype(np.float64)).max()
    return not np.abs(output.astype(np.float64) - right).max() <= RTOL * size


def told(function: Attention, adapter: Adapter) -> Told:
    """Return what a plain differential test in float32 tells of a function."""
    plain, masked, causal, grouped = [], [], [], []
    for trial in range(TRIALS):
        query, key, value, mask = usual(trial)
        given = np.where(mask, np.float32(0), np.float32(-np.inf)) if adapter.bias else mask
        shared = key[:, :2], value[:, :2]
        plain.append(apart(function(query, key, value), steps.attention(query, key, value)))
        masked.append(apart(function(query, key, value, given), steps.attention(query, key, value, mask)))
        causal.append(
            apart(
                function(query, key, value, is_causal=True),
                steps.attention(query, key, value, is_causal=True),
            )
        )
        grouped.append(apart(function(query, *shared), steps.attention(query, *shared)))
    return Told(any(plain), any(masked), any(causal), any(grouped))
