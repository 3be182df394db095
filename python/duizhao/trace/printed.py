"""What the lessons print, next to what is true.

* `printed_numbers`: the numbers that a lesson prints of a matrix.
* `count_wrong`: how many of them differ from the truth.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from duizhao.trace.calculation import Result


@dataclass(frozen=True)
class Printed:
    """One number that a lesson prints."""

    row: int
    column: int
    place: str
    """Its name for a reader, counted from 1."""
    printed: str
    digits: str
    """The true value to as many decimals."""

    @property
    def decimals(self) -> int:
        """How many decimals are printed."""
        return len(self.printed.partition(".")[2])

    @property
    def is_right(self) -> bool:
        """Whether what is printed is the true value, rounded."""
        return self.printed == self.digits


def printed_numbers(result: Result) -> list[Printed]:
    """Return the numbers that the lesson prints of a matrix, row by row; none if this is no lesson's calculation."""
    if result.lesson is None:
        return []
    found = []
    for row, column in np.ndindex(*result.computed.shape):
        printed, digits = result.lesson.decimals(result.lesson_index(row, column))
        if printed is not None and digits is not None:
            found.append(Printed(row, column, f"{result.name}[{row + 1}, {column + 1}]", printed, digits))
    return found


def count_wrong(numbers: Iterable[Printed]) -> int:
    """Return how many numbers are printed wrong."""
    return sum(not one.is_right for one in numbers)
