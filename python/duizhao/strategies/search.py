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

PATIENCE = 30
"""How many times as long as it may compute a search may wait for a busy machine."""


class Clock:
    """How long this process has computed, up to a limit; and, `PATIENCE` times as generous, how long it has taken."""

    def __init__(self, seconds: float) -> None:
        """Start it."""
        self._computed = time.process_time() + seconds
        self._taken = time.monotonic() + PATIENCE * seconds

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return time.process_time() > self._computed or time.monotonic() > self._taken


def smallest(
    strategy: SearchStrategy[Any], has_it: Callable[[Any], bool], *, cases: int, seed: int, clock: Clock
) -> Any | None:
    """Return the smallest case found with a property, or `None` if none of the drawn cases has it.

    Args:
        strategy: Draws cases; "smallest" is in the sense in which it shrinks.
        has_it: The property.
        cases: How many cases to draw at most.
        seed: The seed: the same one draws the same cases.
        clock: Until when to search; the smallest case until then counts.
    """
    known: dict[str, bool] = {}

    def test(case: Any) -> bool:
        key = repr(case)
        if key not in known and clock.over:
            return False
        if key not in known:
            known[key] = has_it(case)
        return known[key]

    for chunk, drawn in enumerate(range(0, cases, CHUNK)):
        if clock.over:
            break
        limits = settings(
            max_examples=min(CHUNK, cases - drawn),
            database=None,
            deadline=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
            report_multiple_bugs=False,
        )
        try:
            return find(strategy, test, settings=limits, random=random.Random(seed * 1000 + chunk))
        except (NoSuchExample, Unsatisfiable):
            continue
    return None
