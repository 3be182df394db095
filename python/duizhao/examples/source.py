"""Examples read from a file.

* `load`: any file of this layout, checked.
* `examples`, `example`, `constants`: those of the three lessons, which come with the package.

An example says which matrices are given; each other one must be the result of a step (`recomputation.STEPS`)
and have the shape that the step gives. Elements are closed forms; those of given matrices are rational.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao.exact import precision
from duizhao.examples.catalogue import Catalogue, Constant, Example, Index, Matrix
from duizhao.examples.closed_form import Form, parse
from duizhao.examples.recomputation import STEPS


@cache
def _catalogue() -> Catalogue:
    return load(resources.files("duizhao") / "data" / "examples.json")


def examples() -> Mapping[str, Example]:
    """Return the worked examples of the three lessons by name."""
    return _catalogue().examples


def example(name: str) -> Example:
    """Return a worked example of the three lessons by name.

    Raises:
        ValueError: If there is none; the message offers the nearest name.
    """
    return _catalogue().example(name)


def constants() -> Mapping[str, Constant]:
    """Return the numbers that the three lessons print on the way, by name."""
    return _catalogue().constants


def load(source: Traversable | Path) -> Catalogue:
    """Return the contents of a file of examples.

    Raises:
        ValueError: If it does not have the layout of `data/examples.json`; the message names file and place.
        OSError: If it cannot be read.
    """
    try:
        content = json.loads(source.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{source.name}: not JSON: {error}") from None
    try:
        contents = _Place(content, ())
        return Catalogue(
            constants={name: _constant(name, place) for name, place in contents.part("constants").parts()},
            examples={name: _example(name, place) for name, place in contents.part("examples").parts()},
        )
    except ValueError as error:
        raise ValueError(f"{source.name}: {error}") from None


class _Place:
    """A value in the file, which knows where it stands."""

    def __init__(self, value: Any, path: tuple[str, ...]) -> None:
        self.value = value
        self.path = path

    def error(self, problem: str) -> ValueError:
        return ValueError(f"{', '.join(self.path) or 'the whole'}: {problem}")

    def part(self, key: str, default: Any = None) -> "_Place":
        if not isinstance(self.value, dict):
            raise self.error(f"an object is needed, got {self.value!r}")
        if key not in self.value and default is None:
            raise self.error(f"`{key}` is missing")
        return _Place(self.value.get(key, default), (*self.path, key))

    def parts(self) -> list[tuple[str, "_Place"]]:
        if not isinstance(self.value, dict):
            raise self.error(f"an object is needed, got {self.value!r}")
        return [(key, self.part(key)) for key in self.value]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.error(f"a text is needed, got {self.value!r}")
        return self.value

    def texts(self) -> tuple[str, ...]:
        if not all(isinstance(item, str) for item in self.items()):
            raise self.error(f"a list of texts is needed, got {self.value!r}")
        return tuple(self.value)

    def items(self) -> list[Any]:
        if not isinstance(self.value, list):
            raise self.error(f"a list is needed, got {self.value!r}")
        return self.value

    def entries(self, shape: tuple[int, ...]) -> NDArray[np.object_]:
        """Return nested lists of this shape as an array."""
        array = np.empty(shape, dtype=np.object_)
        for index in np.ndindex(shape):
            array[index] = _descend(self, self.value, shape, index)
        return array


def _descend(place: _Place, value: Any, shape: tuple[int, ...], index: Index) -> Any:
    for axis, position in enumerate(index):
        if not isinstance(value, list) or len(value) != shape[axis]:
            raise place.error(f"nested lists of shape {shape} are needed, as the labels have it")
        value = value[position]
    return value


def _form(place: _Place, text: Any, where: str = "") -> Form:
    if not isinstance(text, str):
        raise place.error(f"{where}a closed form as text is needed, got {text!r}")
    try:
        form = parse(text)
        with precision(64):
            finite = form.ball().is_finite()
    except ValueError as error:
        raise place.error(f"{where}{str(error).removeprefix('form: ')}") from None
    if not finite:
        raise place.error(f"{where}{text!r} is no finite number")
    return form


def _number(place: _Place, text: Any, where: str = "") -> str:
    digits = text.removeprefix("-").replace(".", "", 1) if isinstance(text, str) else ""
    if not (digits.isascii() and digits.isdigit() and text[-1] != "." and text.lstrip("-")[0] != "."):
        raise place.error(f"{where}a decimal number as text is needed, got {text!r}")
    return str(text)


def _constant(name: str, place: _Place) -> Constant:
    form, printed = place.part("form"), place.part("printed")
    return Constant(
        name,
        _form(form, form.value),
        _number(printed, printed.value),
        place.part("lesson").text(),
        place.part("place").text(),
        place.part("theorems", []).texts(),
    )


def _example(name: str, place: _Place) -> Example:
    labels = {axis: part.texts() for axis, part in place.part("labels").parts()}
    matrices = {key: _matrix(key, part, labels) for key, part in place.part("matrices").parts()}
    given = place.part("given").texts()
    for key in given:
        if key not in matrices:
            raise place.error(f"{key} is given but not among the matrices")
        for index in np.ndindex(matrices[key].shape):
            form = matrices[key].form(index)
            if not form.is_rational():
                raise place.error(f"{key}{list(index)}: {form.text!r} is given and must be rational")
    for key, matrix in matrices.items():
        if key not in given:
            _check_step(place, matrix, matrices)
    text = {key: place.part(key).text() for key in ("title", "lesson", "place")}
    return Example(name=name, given=given, matrices=matrices, **text)


def _check_step(place: _Place, matrix: Matrix, matrices: Mapping[str, Matrix]) -> None:
    step = STEPS.get(matrix.name)
    if step is None:
        raise place.error(f"{matrix.name} is neither given nor one of {', '.join(STEPS)}")
    missing = [operand for operand in step.operands if operand not in matrices]
    if missing:
        raise place.error(
            f"{matrix.name} is neither given nor can it be computed without {', '.join(missing)}"
        )
    shapes = [matrices[operand].shape for operand in step.operands]
    expected = step.shape(*shapes)
    if matrix.shape != expected:
        sizes = " and ".join(
            f"{operand} {shape}" for operand, shape in zip(step.operands, shapes, strict=True)
        )
        needs = f"give {expected}" if expected is not None else "do not fit"
        raise place.error(f"{matrix.name} has shape {matrix.shape}, but {sizes} {needs}")


def _matrix(name: str, place: _Place, labels: Mapping[str, tuple[str, ...]]) -> Matrix:
    axes = place.part("axes").texts()
    for axis in axes:
        if axis not in labels:
            raise place.error(f"axis {axis!r} has no labels")
    shape = tuple(len(labels[axis]) for axis in axes)
    forms, printed = place.part("forms").entries(shape), np.full(shape, None, dtype=np.object_)
    decimals = place.part("printed", []).entries(shape) if "printed" in place.value else printed
    for index in np.ndindex(shape):
        forms[index] = _form(place, forms[index], f"{list(index)}: ")
        if decimals[index] is not None:
            printed[index] = _number(place, decimals[index], f"{list(index)}: ")
    misprints = tuple(_misprint(place, index, printed) for index in place.part("misprints", []).items())
    along = tuple(labels[axis] for axis in axes)
    return Matrix(name, axes, along, forms, printed, misprints, place.part("theorems", []).texts())


def _misprint(place: _Place, index: Any, printed: NDArray[np.object_]) -> Index:
    for known in np.ndindex(printed.shape):
        if index == list(known) and printed[known] is not None:
            return known
    raise place.error(f"misprints: nothing is printed at {index!r}")
