"""What a trace starts from: the given matrices, a mask, a temperature and a scale, which fit together.

* `Problem`: all of it.
* `of_example`: from a worked example of the lessons, as it stands or with a mask, temperature or scale.
* `of_input`: from what files and options give.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from duizhao.examples import Example
from duizhao.mask import causal_mask
from duizhao.trace.files import InputError, Numbers, Raw, count

MOST_POSITIONS = 64
"""Queries or keys that a trace shows."""
INPUTS = (("X", "W_Q", "W_K", "W_V"), ("Q", "K", "V"), ("A", "V"))
"""The sets of matrices that a calculation can start from."""
AXES: Mapping[str, tuple[str, str]] = {
    "X": ("positions", "coordinates"),
    "W_Q": ("coordinates of X", "coordinates of Q"),
    "W_K": ("coordinates of X", "coordinates of K"),
    "W_V": ("coordinates of X", "coordinates of V"),
    "Q": ("queries", "coordinates"),
    "K": ("keys", "coordinates"),
    "V": ("keys", "coordinates"),
    "D": ("queries", "keys"),
    "S": ("queries", "keys"),
    "M": ("queries", "keys"),
    "E": ("queries", "keys"),
    "Z": ("queries", "sum"),
    "A": ("queries", "keys"),
    "O": ("queries", "coordinates"),
}
"""What rows and columns of each matrix are."""
Given = Mapping[str, NDArray[np.float64]]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Problem:
    """What a calculation starts from."""

    title: str
    """What it is, for the first line."""
    place: str
    """Where it stands: in a lesson, or in which files."""
    given: Given
    """The given matrices, each (rows, columns), in their order."""
    queries: tuple[str, ...]
    """The labels of the queries."""
    keys: tuple[str, ...]
    """The labels of the keys."""
    mask: Mask | None = None
    """Which keys (queries, keys) may be read; True keeps."""
    temperature: float = 1.0
    scale: float | None = None
    """The factor of the dot products; `1 / √d` if None."""
    example: Example | None = None
    """The worked example that it is, if it is one."""
    as_in_lesson: frozenset[str] = frozenset()
    """The matrices of which the example's closed forms and printed numbers hold."""
    notes: tuple[str, ...] = ()

    @property
    def starts_from_scores(self) -> bool:
        """Whether there are scores, or weights are given."""
        return "A" not in self.given

    def labels(self, name: str, columns: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the labels of the rows and of the columns of a matrix with so many columns."""
        numbers = tuple(str(number + 1) for number in range(columns))
        rows, across = AXES[name]
        along: Mapping[str, tuple[str, ...]] = {
            "queries": self.queries,
            "keys": self.keys,
            "positions": self.keys,
        }
        height = len(self.given["X"][0]) if name.startswith("W_") else 0
        down = along.get(rows, tuple(str(number + 1) for number in range(height)))
        return down, ("sum",) if across == "sum" else along.get(across, numbers)


def of_example(
    example: Example,
    *,
    mask: Mask | Literal["causal"] | None = None,
    temperature: float | None = None,
    scale: float | None = None,
) -> Problem:
    """Return a worked example, with another mask, temperature or scale if one is given.

    Raises:
        InputError: If one is given that the example has no use for, or a mask that does not fit.
    """
    given = {name: _flat(array, name) for name, array in example.inputs(np, "float64").items()}
    keys = example.matrix("V").labels[0]
    queries = next((example.matrix(name).labels[0] for name in ("Q", "A") if name in example.matrices), ())
    if len(example.matrix("O").shape) == 0:
        queries = ("1",)
    _check_use("A" in given, mask, temperature, scale)
    as_in_lesson = set(example.matrices)
    changes = []
    if scale is not None:
        changes.append(f"scale {scale:g}")
        as_in_lesson -= {"S", "A", "O"}
    if temperature is not None and temperature != 1:
        changes.append(f"temperature {temperature:g}")
        as_in_lesson -= {"A", "O"}
    if mask is not None:
        changes.append("a causal mask" if isinstance(mask, str) else "a mask")
        as_in_lesson -= {"A", "O"}
    note = f"Not as in the lesson: {', '.join(changes)}; what follows from that has no closed form here."
    return Problem(
        title=f"{example.name}: {example.title}",
        place=f"{example.lesson}, {example.place}",
        given=given,
        queries=queries,
        keys=keys,
        mask=_mask(mask, "mask", len(queries), len(keys)),
        temperature=1.0 if temperature is None else temperature,
        scale=scale,
        example=example,
        as_in_lesson=frozenset(as_in_lesson),
        notes=(note,) if changes else (),
    )


def of_input(raw: Raw, place: str) -> Problem:
    """Return what files and options give, if it fits together.

    Raises:
        InputError: If matrices are missing, too many, or do not fit.
    """
    names = _chosen(raw)
    given = {name: _flat(raw.matrices[name].array, name) for name in names}
    origins = {name: raw.matrices[name] for name in names}
    _check_shapes(given, origins)
    queries, keys = (len(given["A"]), len(given["A"][0])) if "A" in given else (0, 0)
    if "A" not in given:
        queries, keys = (len(given[first]) for first in (("X", "X") if "X" in given else ("Q", "K")))
    for length, what in ((queries, "queries"), (keys, "keys")):
        if length > MOST_POSITIONS:
            raise InputError(f"{place}: {length} {what}; a trace shows at most {MOST_POSITIONS}")
    _check_use("A" in given, raw.mask, raw.temperature, raw.scale)
    if raw.temperature is not None and not raw.temperature > 0:
        raise InputError(f"temperature: must be positive, got {raw.temperature}")
    key_labels, query_labels = _labels(raw, queries, keys)
    return Problem(
        title="your input",
        place=place,
        given=given,
        queries=query_labels,
        keys=key_labels,
        mask=_mask(raw.mask, raw.mask_origin, queries, keys),
        temperature=1.0 if raw.temperature is None else raw.temperature,
        scale=raw.scale,
    )


def _flat(array: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """Return weights (keys,) as one row, values (keys,) as one column, and a matrix as it is."""
    if array.ndim == 2:
        return array
    return array[None, :] if name == "A" else array[:, None]


def _chosen(raw: Raw) -> tuple[str, ...]:
    """Return the set of matrices that is given.

    Raises:
        InputError: If it is none of `INPUTS`.
    """
    found = set(raw.matrices)
    for names in INPUTS:
        if found == set(names):
            if "A" not in names:
                for name in ("A", "V"):
                    if name in raw.matrices and raw.matrices[name].array.ndim != 2:
                        origin = raw.matrices[name].origin
                        raise InputError(f"{origin}: a matrix with one row a key is needed, got a plain list")
            return names
    wanted = "; or ".join(", ".join(names) for names in INPUTS)
    got = (
        ", ".join(name for name in ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "A") if name in found) or "none"
    )
    raise InputError(f"the matrices {wanted} are needed, got {got}")


def _check_shapes(given: Given, origins: Mapping[str, Numbers]) -> None:
    """Check that the matrices fit.

    Raises:
        InputError: If two do not; the message names both with their shapes.
    """

    def agree(name: str, axis: int, other: str, other_axis: int) -> None:
        ours, theirs = given[name].shape, given[other].shape
        if ours[axis] != theirs[other_axis]:
            words = ("row", "column")
            sizes = f"{' × '.join(map(str, ours))} and {' × '.join(map(str, theirs))}"
            raise InputError(
                f"{origins[name].origin}: {count(ours[axis], words[axis])}, but {other} has "
                f"{count(theirs[other_axis], words[other_axis])} ({name} and {other} are {sizes})"
            )

    if "X" in given:
        for name in ("W_Q", "W_K", "W_V"):
            agree(name, 0, "X", 1)
        agree("W_K", 1, "W_Q", 1)
    elif "Q" in given:
        agree("K", 1, "Q", 1)
        agree("V", 0, "K", 0)
    else:
        agree("V", 0, "A", 1)


def _check_use(
    weights_are_given: bool, mask: object | None, temperature: float | None, scale: float | None
) -> None:
    """Check that nothing is given that would not be used.

    Raises:
        InputError: If weights are given and a mask, a temperature or a scale.
    """
    extras = (("mask", mask), ("temperature", temperature), ("scale", scale))
    for name, value in extras:
        if weights_are_given and value is not None:
            raise InputError(f"{name}: of no use where the weights are given; give queries and keys instead")


def _mask(mask: Mask | Literal["causal"] | None, origin: str, queries: int, keys: int) -> Mask | None:
    """Return the mask (queries, keys).

    Raises:
        InputError: If it has another shape.
    """
    if mask is None:
        return None
    if isinstance(mask, str):
        if queries != keys:
            raise InputError(
                f"{origin}: causal needs as many queries as keys, got {queries} and {keys}; write the mask out"
            )
        return np.asarray(causal_mask(queries))
    if mask.shape != (queries, keys):
        size = " × ".join(map(str, mask.shape))
        raise InputError(f"{origin}: {size}, but the scores are {queries} × {keys} (queries × keys)")
    return mask


def _labels(raw: Raw, queries: int, keys: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels of the keys and of the queries, numbers where none are given.

    Raises:
        InputError: If there are more or fewer labels than what they name.
    """
    for_keys, for_queries = raw.labels, raw.query_labels
    if for_keys is not None and len(for_keys) != keys:
        raise InputError(f"labels: {len(for_keys)} for {count(keys, 'key')}")
    if for_queries is not None and len(for_queries) != queries:
        raise InputError(f"query_labels: {len(for_queries)} for {queries} queries")
    if for_queries is None and for_keys is not None and queries == keys:
        for_queries = for_keys
    numbers = tuple(str(number + 1) for number in range(max(queries, keys)))
    return for_keys or numbers[:keys], for_queries or numbers[:queries]
