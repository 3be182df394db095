"""The picture of a calculation: the weights as a heat map, and the outputs in the hull of the values.

* `plot`: draw it into a file.
* `plot_format`: which kind of file.

matplotlib is imported inside functions: it is an optional dependency.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len, set_cell_size

from duizhao.trace.calculation import Calculation
from duizhao.trace.files import InputError, name_of
from duizhao.trace.fonts import WORDS, bundled, choose
from duizhao.trace.hull import hull

FORMATS = ("png", "svg", "pdf")
LARGEST = 1e100
"""The largest number that is drawn."""
MOST_NUMBERS = 144
"""Cells of a heat map that get a number."""
LONGEST_LABEL = 12
"""Cells of a terminal that a label may take; a Chinese character takes two."""
MOST_NAMES = 24
"""Points, rows or columns that get a label each."""
VALUE, OUTPUT, HULL, MASKED = "#0b6e4f", "#b3261e", "#cfe8dc", "#d9d9d9"
SETTINGS: dict[Any, Any] = {  # keys of matplotlib's settings
    "axes.unicode_minus": False,
    "font.size": 10,
    "savefig.dpi": 150,
    "svg.hashsalt": "duizhao",
    "text.parse_math": False,
}
METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": "duizhao"},
    "svg": {"Creator": "duizhao", "Date": None},
    "pdf": {"Creator": "duizhao", "Producer": None, "CreationDate": None},
}

Axes: TypeAlias = Any  # matplotlib's
Reals = NDArray[np.float64]
Cell = tuple[int, ...]


def plot_format(path: Path) -> str:
    """Return the kind of file that a path asks for.

    Raises:
        InputError: If it is none of `FORMATS`, or matplotlib is not installed.
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise InputError(f"--plot: a name that ends in .png, .svg or .pdf is needed, got {name_of(path)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError('--plot needs matplotlib; install it with pip install "duizhao[plot]"') from None
    return kind


def plot(calculation: Calculation, path: Path) -> list[str]:
    """Draw a calculation into a file, and return what to tell the reader about the picture.

    Raises:
        InputError: If the file cannot be written, numbers are too large to draw, or matplotlib is not installed.
    """
    kind = plot_format(path)
    import matplotlib
    from matplotlib.figure import Figure

    results, problem = calculation.results, calculation.problem
    if max(float(np.abs(results[name].computed).max()) for name in ("A", "V", "O")) > LARGEST:
        raise InputError(f"--plot: numbers beyond {LARGEST:g} are not drawn")
    queries, keys, notes = problem.queries, problem.keys, []
    with bundled() as font:
        families, missing = choose(font, (*queries, *keys))
        if missing:
            notes.append(f"no font here has {missing[:20]}; the picture numbers the positions instead")
            queries, keys = (
                tuple(str(number + 1) for number in range(len(labels))) for labels in (queries, keys)
            )
        queries, keys = (tuple(map(_visible, labels)) for labels in (queries, keys))
        with matplotlib.rc_context({**SETTINGS, "font.family": families}):
            figure = Figure(figsize=(10, 4.8), layout="constrained")
            figure.suptitle(_title(calculation))
            left, right = figure.subplots(1, 2)
            _draw_weights(figure, left, results["A"].computed, queries, keys, problem.mask)
            if results["V"].computed.shape[1] == 1:
                _draw_interval(right, results["V"].computed[:, 0], results["O"].computed[:, 0], queries, keys)
            else:
                _draw_hull(right, results["V"].computed, results["O"].computed, queries, keys)
            picture = io.BytesIO()
            figure.savefig(picture, format=kind, metadata=METADATA[kind])
    try:
        path.write_bytes(picture.getvalue())
    except OSError as error:
        raise InputError(f"--plot: {name_of(path)} cannot be written ({error.strerror or error})") from None
    return notes


def _visible(label: str) -> str:
    """Return a label that fits: a long one cut short, and one like a full stop, which would be lost, in quotes."""
    if cell_len(label) > LONGEST_LABEL:
        label = f"{set_cell_size(label, LONGEST_LABEL - 1).rstrip()}…"
    return label if any(character.isalnum() for character in label) else f'"{label}"'


def _title(calculation: Calculation) -> str:
    problem = calculation.problem
    parts = [] if problem.example is None else [problem.example.name]
    parts.append(calculation.dtype)
    if problem.temperature != 1:
        parts.append(f"T = {problem.temperature:g}")
    if problem.scale is not None:
        parts.append(f"scale = {problem.scale:g}")
    return " · ".join(parts)


def _draw_weights(
    figure: Any,
    axes: Axes,
    weights: Reals,
    queries: Sequence[str],
    keys: Sequence[str],
    mask: NDArray[np.bool_] | None,
) -> None:
    low, high = min(0.0, float(weights.min())), max(1.0, float(weights.max()))
    image = axes.imshow(weights, cmap="Blues", vmin=low, vmax=high, aspect="auto", interpolation="nearest")
    figure.colorbar(image, ax=axes, label=WORDS["weight"])
    if mask is not None:
        shade = np.where(mask, np.nan, 0.0)
        axes.imshow(shade, cmap=_one_colour(), aspect="auto", interpolation="nearest")
    axes.set_title(WORDS["weights"])
    axes.set_xlabel(WORDS["key"] if mask is None else f"{WORDS['key']}\n{WORDS['masked']}")
    axes.set_ylabel(WORDS["query"])
    _name_ticks(axes.xaxis, keys, rotate=max(map(len, keys)) * len(keys) > 40)
    _name_ticks(axes.yaxis, queries, rotate=False)
    if weights.size > MOST_NUMBERS:
        return
    decimals = 3 if weights.shape[1] <= 6 else 2
    for row, column in np.ndindex(*weights.shape):
        dropped = mask is not None and not mask[row, column]
        share = (weights[row, column] - low) / (high - low)
        axes.text(
            column,
            row,
            "×" if dropped else _in_cell(float(weights[row, column]), decimals),
            ha="center",
            va="center",
            fontsize=10 if weights.shape[1] <= 6 and len(weights) <= 12 else 7,
            color="#777777" if dropped else "white" if share > 0.55 else "black",
        )


def _in_cell(weight: float, decimals: int) -> str:
    return f"{weight:.{decimals}f}" if abs(weight) < 10 else f"{weight:.2g}"


def _one_colour() -> Any:
    from matplotlib.colors import ListedColormap

    return ListedColormap([MASKED])


def _name_ticks(axis: Any, labels: Sequence[str], *, rotate: bool) -> None:
    step = -(-len(labels) // MOST_NAMES)
    places = range(0, len(labels), step)
    axis.set_ticks(
        list(places),
        labels=[labels[place] for place in places],
        rotation=90 if rotate else 0,
        fontsize=10 if len(labels) <= 12 else 8,
    )


def _draw_interval(
    axes: Axes, values: Reals, outputs: Reals, queries: Sequence[str], keys: Sequence[str]
) -> None:
    axes.axvspan(
        float(values.min()), float(values.max()), color=HULL, label=WORDS["interval"], zorder=0, linewidth=0
    )
    axes.vlines(values, -0.5, len(outputs) - 0.5, colors=VALUE, linewidth=1.2, label=WORDS["value"])
    if len(values) <= MOST_NAMES:
        for place, text in _grouped(values[:, None], keys, _grain(values[:, None])):
            axes.annotate(
                text, (place[0], -0.5), (0, 2), textcoords="offset points", ha="center", va="bottom",
                color=VALUE, fontsize=9,
            )  # fmt: skip
    axes.plot(outputs, np.arange(len(outputs)), "o", color=OUTPUT, label=WORDS["output"], zorder=3)
    axes.set_ylim(len(outputs) - 0.5, -0.5)
    axes.set_ylabel(WORDS["query"])
    _name_ticks(axes.yaxis, queries, rotate=False)
    axes.set_xlabel(WORDS["coordinate"].format(number=1))
    axes.margins(x=0.12)
    axes.set_title(WORDS["outputs_in_interval"], pad=18)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, frameon=False)


def _draw_hull(
    axes: Axes, values: Reals, outputs: Reals, queries: Sequence[str], keys: Sequence[str]
) -> None:
    width = values.shape[1]
    corners = hull(values[:, :2])
    axes.fill(*corners.T, facecolor=HULL, edgecolor=VALUE, linewidth=1.5, label=WORDS["hull"], zorder=0)
    axes.plot(*values[:, :2].T, "s", markersize=8, color=VALUE, label=WORDS["value"], zorder=2)
    axes.plot(*outputs[:, :2].T, "o", markersize=5, color=OUTPUT, label=WORDS["output"], zorder=3)
    _name_points(axes, values[:, :2], keys, outputs[:, :2], queries)
    axes.set_xlabel(WORDS["coordinate"].format(number=1))
    axes.set_ylabel(WORDS["coordinate"].format(number=2))
    axes.margins(0.15)
    shortened = f"\n{WORDS['first_two'].format(count=width)}" if width > 2 else ""
    axes.set_title(WORDS["outputs_in_hull"] + shortened)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, frameon=False)


def _name_points(
    axes: Axes, values: Reals, keys: Sequence[str], outputs: Reals, queries: Sequence[str]
) -> None:
    """Write labels next to values and outputs, away from the others of their kind, and not both on one side."""
    grain = _grain(np.concatenate([values, outputs]))
    taken: dict[Cell, Reals] = {}
    for points, labels, colour in ((values, keys, VALUE), (outputs, queries, OUTPUT)):
        if len(points) > MOST_NAMES:
            continue
        middle, spread = points.mean(axis=0), np.ptp(points, axis=0)
        for place, text in _grouped(points, labels, grain):
            away = (place - middle) / np.where(spread == 0, 1.0, spread)
            length = float(np.hypot(*away))
            offset = away / length * 11 if length > 0 else np.array([0.0, 11.0])
            offset = -taken.get(_cell(place, grain), -offset)
            taken[_cell(place, grain)] = offset
            x, y = offset.tolist()
            axes.annotate(
                text,
                tuple(place),
                (x, y),
                textcoords="offset points",
                ha="left" if x > 4 else "right" if x < -4 else "center",
                va="bottom" if y > 4 else "top" if y < -4 else "center",
                color=colour,
                fontsize=9,
            )


def _grain(points: Reals) -> Reals:
    """Return for each coordinate a distance that nobody sees in the picture."""
    grain = np.maximum(np.ptp(points, axis=0), np.abs(points).max(axis=0)) / 1000
    return np.where(grain == 0, 1.0, grain)


def _cell(point: Reals, grain: Reals) -> Cell:
    return tuple(int(part) for part in np.round(point / grain))


def _grouped(points: Reals, labels: Sequence[str], grain: Reals) -> list[tuple[Reals, str]]:
    """Return points with their labels; points that fall on one another once, with all of their labels."""
    found: dict[Cell, tuple[Reals, list[str]]] = {}
    for point, label in zip(points, labels, strict=True):
        found.setdefault(_cell(point, grain), (point, []))[1].append(label)
    return [
        (place, ", ".join(names[:3]) + (", …" if len(names) > 3 else "")) for place, names in found.values()
    ]
