"""Matrices as SVG.

* `matrix`: numbers as a grid of shaded cells, one of them marked.
"""

import html
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

CELL = 44
"""The side of a cell with a number in it."""

SMALL = 12
"""The side of a cell without one, and the number of rows or columns from which cells are small."""


def shown(number: float) -> str:
    """Return a number in a few characters."""
    return f"{number:.2g}" if math.isfinite(number) else str(number).replace("inf", "∞").replace("nan", "NaN")


def shade(number: float, largest: float) -> str:
    """Return a colour: white for 0, orange for what is positive, blue for what is negative, grey for NaN."""
    if math.isnan(number):
        return "#bbbbbb"
    share = 1.0 if math.isinf(number) else min(abs(number) / largest, 1.0) if largest > 0 else 0.0
    red, green, blue = (230, 120, 30) if number > 0 else (60, 110, 200)
    mixed = [round(255 - share * (255 - part) * 0.8) for part in (red, green, blue)]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def matrix(name: str, numbers: NDArray[Any], marked: tuple[int, int] | None = None) -> str:
    """Return a matrix as an SVG element, with its name above; each cell tells its number."""
    rows, columns = numbers.shape
    side = CELL if max(rows, columns) <= SMALL else SMALL
    plain = numbers.astype(np.float64)
    largest = float(np.max(np.abs(plain), initial=0.0, where=np.isfinite(plain)))
    label = f"{name} ({rows} × {columns})"
    width = max(columns * side, 9 * len(label)) + 2
    parts = [
        f'<svg role="img" aria-label="{html.escape(label)}" width="{width}" height="{rows * side + 22}">',
        f'<text x="0" y="14" class="name">{html.escape(label)}</text>',
    ]
    for row in range(rows):
        for column in range(columns):
            number = float(plain[row, column])
            x, y = column * side + 1, row * side + 21
            here = marked == (row, column)
            parts.append(
                f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{shade(number, largest)}" '
                f'stroke="{"#c00000" if here else "#888888"}" stroke-width="{3 if here else 0.5}">'
                f"<title>{html.escape(name)}[{row}, {column}] = {number!r}</title></rect>"
            )
            if side == CELL:
                text = shown(number) if numbers.dtype != np.bool_ else ("T" if number else "F")
                parts.append(
                    f'<text x="{x + side / 2}" y="{y + side / 2 + 4}" class="number">{html.escape(text)}</text>'
                )
    parts.append("</svg>")
    return "".join(parts)
