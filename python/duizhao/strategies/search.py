"""Search for the smallest case with a property.

* `smallest`: draw cases until one has it, and shrink that one.
"""

import random
import time
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, find, settings
from hypothesis.errors import NoSuchExample, Unsatisfiable
from hypothesis.strategies import SearchStrategy

CHUNK = 500
"""Cases for each seed: between chunks the clock is looked at."""


def smallest(
    strategy: SearchStrategy[Any], has_it: Callable[[Any], bool], *, cases: int, seed: int, seconds: float
) -> Any | None:
    """Return the smallest case found with a property, or `None` if none of the drawn cases has it.

    Args:
        strategy: Draws cases; "smallest" is in the sense in which it shrinks.
        has_it: The property.
        cases: How many cases to draw at most.
        seed: The seed: the same one draws the same cases.
        seconds: How long to search at most; the smallest case until then counts.
    """
    end = time.monotonic() + seconds
    known: dict[str, bool] = {}

    def test(case: Any) -> bool:
        key = repr(case)
        if key not in known and time.monotonic() > end:
            return False
        if key not in known:
            known[key] = has_it(case)
        return known[key]

    for chunk, drawn in enumerate(range(0, cases, CHUNK)):
        if time.monotonic() > end:
            break
        limits = settings(
            max_examples=min(CHUNK, cases - drawn),
            database=None,
            deadline=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        )
        try:
            return find(strategy, test, settings=limits, random=random.Random(seed * 1000 + chunk))
        except (NoSuchExample, Unsatisfiable):
            continue
    return None
