"""What the lessons say: examples, matrices and constants, by name.

* `Catalogue`: the contents of a file of examples.
* `Example`, `Matrix`, `Constant`: what it consists of.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duizhao.arrays import Array, Namespace
from duizhao.exact import Balls
from duizhao.examples.closed_form import Form

Index = tuple[int, ...]


@dataclass(frozen=True)
class Constant:
    """A number that a lesson prints on the way."""

    name: str
    form: Form
    printed: str
    lesson: str
    place: str
    theorems: tuple[str, ...]

    def digits(self) -> str:
        """Return the true value to as many decimals as are printed."""
        return self.form.digits(decimals(self.printed))


@dataclass(frozen=True)
class Matrix:
    """One matrix of an example: shape (...), usually (rows, columns)."""

    name: str
    axes: tuple[str, ...]
    """What each axis counts, for example position and coordinate."""
    labels: tuple[tuple[str, ...], ...]
    """The labels along each axis."""
    forms: NDArray[np.object_]
    """The closed form of each element, a `Form`."""
    printed: NDArray[np.object_]
    """The decimals that the lesson prints for each element, or None."""
    misprints: tuple[Index, ...]
    """Where the printed decimals are known to be wrong."""
    theorems: tuple[str, ...]
    """Ids of the Lean theorems that state these numbers or say why they are so."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the matrix."""
        return self.forms.shape

    def form(self, index: Index) -> Form:
        """Return the closed form of one element."""
        form = self.forms[index]
        assert isinstance(form, Form)
        return form

    def exact(self) -> Balls:
        """Return the elements (...) as balls at the current precision."""
        array = np.empty(self.shape, dtype=np.object_)
        for index in np.ndindex(self.shape):
            array[index] = self.form(index).ball()
        return array

    def decimals(self, index: Index) -> tuple[str, str] | tuple[None, None]:
        """Return the printed decimals of an element, and its true value to as many, or None twice."""
        printed: object = self.printed[index]
        if printed is None:
            return None, None
        return str(printed), self.form(index).digits(decimals(str(printed)))


@dataclass(frozen=True)
class Example:
    """A worked example: what is given, and everything that is computed from it."""

    name: str
    title: str
    lesson: str
    place: str
    given: tuple[str, ...]
    """The names of the matrices that the lesson gives; the others follow from them."""
    matrices: Mapping[str, Matrix]
    """All matrices, in the order of the calculation."""

    def exact(self, matrix: str) -> Balls:
        """Return the elements (...) of a matrix as balls at the current precision.

        Raises:
            ValueError: If the example has no such matrix.
        """
        return self.matrix(matrix).exact()

    def matrix(self, name: str) -> Matrix:
        """Return a matrix by name.

        Raises:
            ValueError: If the example has no such matrix.
        """
        if name not in self.matrices:
            raise ValueError(f"matrix: {self.name} has {', '.join(self.matrices)}, got {name!r}")
        return self.matrices[name]

    def inputs(self, xp: Namespace, dtype: object) -> dict[str, Array]:
        """Return the given matrices (...) as arrays of the library `xp`.

        A number that is no float, such as 1/5, is rounded to float64 and then to the dtype.

        Args:
            xp: The library, for example `numpy` or `jax.numpy`.
            dtype: One of its floating-point dtypes, or the name of one.

        Raises:
            ValueError: If the library does not have the dtype; JAX has float64 only where that is enabled.
        """
        kind = getattr(xp, dtype, None) if isinstance(dtype, str) else dtype
        if kind is None:
            raise ValueError(f"dtype: {xp.__name__} has no {dtype}")
        arrays: dict[str, Array] = {}
        for name in self.given:
            matrix = self.matrices[name]
            numbers = np.empty(matrix.shape, dtype=np.float64)
            for index in np.ndindex(matrix.shape):
                numbers[index] = float(matrix.form(index).fraction())
            array = xp.asarray(numbers.tolist(), dtype=kind)
            if array.dtype != kind:
                raise ValueError(
                    f"dtype: asked {xp.__name__} for {dtype}, got {array.dtype}; enable it first"
                )
            arrays[name] = array
        return arrays


@dataclass(frozen=True)
class Catalogue:
    """The contents of a file of examples."""

    constants: Mapping[str, Constant]
    examples: Mapping[str, Example]

    def example(self, name: str) -> Example:
        """Return an example by name.

        Raises:
            ValueError: If there is none; the message offers the nearest name.
        """
        if name in self.examples:
            return self.examples[name]
        near = difflib.get_close_matches(name, self.examples, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(self.examples)}"
        raise ValueError(f"no example `{name}`; {hint}")


def decimals(printed: str) -> int:
    """Return how many decimals a printed number has."""
    return len(printed.partition(".")[2])
