"""A small kit for drawings in SVG, whose colours are those of the page, light or dark.

* `Drawing`: what is drawn so far, and its SVG.
* `Scale`: from numbers to places along an axis.
* `number_line`, `bars`, `table`: what most pictures consist of.
* `short`: a number as a label.

Every part has a class, which `assets/site.css` colours by variables. What matters differs in shape as well: inside is a
disc, outside a diamond.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

WIDTH = 400
"""Units across; on a phone about one pixel each."""


def short(value: float, decimals: int = 3) -> str:
    """Return a number without zeros at its end, with a real minus sign."""
    text = f"{value:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "0") else text.replace("-", "−")


@dataclass(frozen=True)
class Scale:
    """Takes numbers from `low` to `high` to places from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the place of a number."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


@dataclass
class Drawing:
    """A drawing of so many units in height, 400 across."""

    height: int
    parts: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, kind: str = "ink", anchor: str = "middle") -> None:
        """Write a text; `y` is its base line."""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(text, quote=False)}</text>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str = "axis") -> None:
        """Draw a straight line."""
        self.parts.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" class="stroke {kind}"/>')

    def curve(self, points: Sequence[tuple[float, float]], kind: str = "first") -> None:
        """Draw a line through points."""
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.parts.append(f'<path d="M{path}" class="stroke {kind}"/>')

    def box(self, x: float, y: float, width: float, height: float, kind: str) -> None:
        """Draw a filled rectangle."""
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" class="{kind}"/>'
        )

    def mark(self, x: float, y: float, inside: bool = True, size: float = 7) -> None:
        """Draw a disc for what is inside, a diamond for what is outside, of about the same area."""
        if inside:
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.75 * size:.1f}" class="first"/>')
        else:
            a = f"{size:g}"
            self.parts.append(
                f'<path d="M{x:.1f} {y - size:.1f}l{a} {a}l-{a} {a}l-{a} -{a}z" class="second"/>'
            )

    def ring(self, x: float, y: float) -> None:
        """Draw an empty ring: a place that is not reached."""
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" class="hole"/>')

    def arrow(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Draw an arrow straight down, or from left to right."""
        self.line(x1, y1, x2, y2)
        wings = (-4, -7, 4, -7) if x1 == x2 else (-7, -4, -7, 4)
        self.curve([(x2 + wings[0], y2 + wings[1]), (x2, y2), (x2 + wings[2], y2 + wings[3])], "axis")

    def svg(self, alt: str) -> str:
        """Return the drawing as SVG, with its text alternative."""
        return (
            f'<svg viewBox="0 0 {WIDTH} {self.height}" role="img" aria-label="{escape(alt)}">'
            f"{''.join(self.parts)}</svg>"
        )


def number_line(drawing: Drawing, y: float, scale: Scale, ticks: Sequence[float]) -> None:
    """Draw an axis from left to right with labelled ticks."""
    drawing.line(scale.start, y, scale.end, y)
    for tick in ticks:
        drawing.line(scale(tick), y - 4, scale(tick), y + 4)
        drawing.text(scale(tick), y + 27, short(tick), "muted")


def band(drawing: Drawing, y: float, scale: Scale, low: float, high: float, kind: str = "band") -> None:
    """Draw the range from `low` to `high` around an axis."""
    drawing.box(scale(low), y - 11, scale(high) - scale(low), 22, kind)


def bars(
    drawing: Drawing, box: tuple[float, float, float, float], numbers: Sequence[float], names: Sequence[str]
) -> None:
    """Draw numbers from 0 to 1 as bars in a box (left, top, width, height), each with its name and number."""
    left, top, width, height = box
    step = width / len(numbers)
    for index, (one, name) in enumerate(zip(numbers, names, strict=True)):
        middle = left + (index + 0.5) * step
        drawing.box(middle - step * 0.3, top + height * (1 - one), step * 0.6, height * one, "first")
        drawing.text(middle, top + height * (1 - one) - 6, short(one))
        drawing.text(middle, top + height + 17, name, "muted")
    drawing.line(left, top + height, left + width, top + height)


def table(drawing: Drawing, x: float, y: float, rows: Sequence[Sequence[float]], size: float = 46) -> None:
    """Draw a matrix of numbers from 0 to 1 as squares, darker where a number is larger."""
    for i, row in enumerate(rows):
        for j, one in enumerate(row):
            drawing.parts.append(
                f'<rect x="{x + j * size:.1f}" y="{y + i * size:.1f}" width="{size:.1f}" height="{size:.1f}" '
                f'class="cell" fill-opacity="{0.08 + 0.42 * one:.2f}"/>'
            )
            drawing.text(x + (j + 0.5) * size, y + (i + 0.5) * size + 5, short(one, 2))
