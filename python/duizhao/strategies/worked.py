"""Cases about the worked examples of the lessons: each as it stands, or at some place of a batch.

* `WorkedExample`: an example among other numbers.
* `worked`: strategies for one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from duizhao import exact
from duizhao.arrays import Array
from duizhao.examples import Example, example
from duizhao.rounding import Arithmetic
from duizhao.strategies.case import Case, Target

PARAMETERS = ("W_Q", "W_K", "W_V")
"""The matrices of parameters, which all sequences of a batch share."""

BATCHES = ((), (1,), (2,), (3,), (2, 2))
"""The batch axes that are drawn."""


@dataclass(frozen=True)
class WorkedExample(Case):
    """The given matrices of an example, `(..., rows, columns)`, at the place `place` of a batch."""

    name: str
    place: tuple[int, ...]
    given: dict[str, Array]

    @property
    def arithmetic(self) -> Arithmetic:
        """What is assumed of the library's arithmetic in this dtype."""
        return self.target.arithmetic

    @cached_property
    def example(self) -> Example:
        """The example."""
        return example(self.name)

    def truth(self, matrix: str) -> exact.Balls:
        """Return the true elements of a matrix, from their closed forms."""
        return self.example.exact(matrix)

    def here(self, computed: Array) -> exact.Balls:
        """Return what was computed at the example's place of the batch, as exact numbers."""
        return np.asarray(exact.balls(computed)[self.place], dtype=object)


@cache
def _numbers(name: str, matrix: str) -> Any:
    """Return the elements of a given matrix as nested lists of Python floats."""
    forms = example(name).matrix(matrix).forms
    return np.asarray([float(form.fraction()) for form in forms.ravel()]).reshape(forms.shape).tolist()


@cache
def _others(shape: tuple[int, ...]) -> SearchStrategy[list[int]]:
    """Draw the numbers of a matrix of another sequence: whole, between −3 and 3. Shrinks towards 0."""
    return st.lists(st.integers(-3, 3), min_size=prod(shape), max_size=prod(shape))


def worked(name: str, matrices: Sequence[str]) -> Callable[[Target], SearchStrategy[WorkedExample]]:
    """Return strategies for some given matrices of an example: alone, or at a place of a batch of other sequences.

    Parameters and scalar values have no batch axes. Shrinks towards the example alone.
    """

    @st.composite
    def draw_case(draw: DrawFn, target: Target) -> WorkedExample:
        batch = draw(st.sampled_from(BATCHES))
        place = tuple(draw(st.integers(0, size - 1)) for size in batch)
        given = {}
        for matrix in matrices:
            numbers = np.asarray(_numbers(name, matrix))
            shared = matrix in PARAMETERS or (matrix == "V" and numbers.ndim == 1)
            if batch and not shared:
                shape = (*batch, *numbers.shape)
                several = np.asarray(draw(_others(shape)), dtype=np.float64).reshape(shape)
                several[place] = numbers
                numbers = several
            given[matrix] = target.array([*map(target.rounded, numbers.ravel().tolist())])
            given[matrix] = target.xp.reshape(given[matrix], numbers.shape)
        return WorkedExample(target, name, place, given)

    return draw_case
