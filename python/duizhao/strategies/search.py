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


class OutOfTimeError(Exception):
    """The time for a search is over."""


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
    best: list[Any] = []

    def test(case: Any) -> bool:
        if time.monotonic() > end:
            raise OutOfTimeError
        found = has_it(case)
        if found:
            best[:] = [case]
        return found

    limits = settings(
        max_examples=cases,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    try:
        return find(strategy, test, settings=limits, random=random.Random(seed))
    except (NoSuchExample, Unsatisfiable):
        return None
    except OutOfTimeError:
        return best[0] if best else None
