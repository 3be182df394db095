"""Many draws from a strategy, and nothing else: for measuring, where what fails is not to be made small.

Hypothesis's own runner also keeps a tree of everything that it drew, draws variations of it, and remembers how to make
it smaller, which takes longer than the draw itself.
"""

import random
from collections.abc import Iterator
from typing import TypeVar

from hypothesis.control import BuildContext
from hypothesis.errors import StopTest, UnsatisfiedAssumption
from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.strategies import SearchStrategy

Drawn = TypeVar("Drawn")

TRIES = 100
"""How many draws in a row may come to nothing: a strategy that rejects more is no strategy."""


def draws(strategy: SearchStrategy[Drawn], count: int, seed: int) -> Iterator[Drawn]:
    """Yield `count` draws from a strategy; the same seed gives the same draws while the same modules are loaded.

    Hypothesis also draws constants that it finds in the modules of a project.

    Raises:
        ValueError: If `count` is not positive, or the strategy rejects almost everything.
    """
    if count < 1:
        raise ValueError(f"count: must be at least 1, got {count}")
    source = random.Random(seed)
    for _ in range(count):
        yield _draw(strategy, source)


def _draw(strategy: SearchStrategy[Drawn], source: random.Random) -> Drawn:
    for _ in range(TRIES):
        data = ConjectureData(random=source)
        try:
            with BuildContext(data, is_final=False, wrapped_test=draws):
                return data.draw(strategy)
        except (UnsatisfiedAssumption, StopTest):
            continue
    raise ValueError(f"strategy: none of {TRIES} draws in a row came to something")
