"""Matrices in CSV: one matrix a file, one row a line, columns separated by commas.

* `matrix`: a matrix of numbers.
* `mask`: a matrix of truth values.
"""

import csv
import io
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from duizhao.trace.files import InputError, Numbers, check_size, count, name_of, shown, text

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
TRUTH = {"1": True, "true": True, "0": False, "false": False}

T = TypeVar("T")


def matrix(path: Path) -> Numbers:
    """Return the matrix (rows, columns) in a file.

    Raises:
        InputError: If the file is not a matrix of finite decimal numbers; the message names the line.
    """
    array: NDArray[np.float64] = np.array(_rows(path, _number), dtype=np.float64)
    check_size(array.shape, name_of(path))
    return Numbers(array, name_of(path))


def mask(path: Path) -> NDArray[np.bool_]:
    """Return the mask (queries, keys) in a file: 1 or true keeps a key, 0 or false drops it.

    Raises:
        InputError: If the file is not a matrix of these; the message names the line.
    """
    array: NDArray[np.bool_] = np.array(_rows(path, _truth), dtype=np.bool_)
    check_size(array.shape, name_of(path))
    return array


def _rows(path: Path, read: Callable[[str], T]) -> list[list[T]]:
    rows: list[list[T]] = []
    blank: int | None = None
    for line, cells in _lines(path):
        place = f"{name_of(path)}, line {line}"
        if not any(cell.strip() for cell in cells) and len(cells) < 2:
            blank = blank or line
            continue
        if blank is not None:
            raise InputError(f"{name_of(path)}, line {blank}: empty, though line {line} is not")
        if rows and len(cells) != len(rows[0]):
            above = f"the line{' above has' if len(rows) == 1 else 's above have'} {len(rows[0])}"
            raise InputError(f"{place}: {count(len(cells), 'column')}, {above}")
        row = []
        for column, cell in enumerate(cells, start=1):
            try:
                row.append(read(cell.strip()))
            except ValueError as error:
                raise InputError(f"{place}, column {column}: {error}") from None
        rows.append(row)
    if not rows:
        raise InputError(f"{name_of(path)}: no numbers")
    return rows


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield each line of a file, split at the commas, with the number of the line on which it starts."""
    reader = csv.reader(io.StringIO(text(path), newline=""), strict=True)
    start = 1
    try:
        for cells in reader:
            yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{name_of(path)}, line {start}: not CSV ({error})") from None


def _number(cell: str) -> float:
    if not cell:
        raise ValueError("empty; a number is needed")
    if NOT_FINITE.fullmatch(cell):
        raise ValueError(f"{cell} is not finite; every number must be")
    if not NUMBER.fullmatch(cell):
        hint = "; a file holds numbers alone, with commas between columns and no line of names"
        raise ValueError(f"{shown(cell)} is not a number{hint}")
    number = float(cell)
    if not math.isfinite(number):
        raise ValueError(f"{shown(cell)} is larger than any float64")
    return number


def _truth(cell: str) -> bool:
    if cell.lower() not in TRUTH:
        raise ValueError(f"1 or true (keep), 0 or false (drop) is needed, got {shown(cell)}")
    return TRUTH[cell.lower()]
