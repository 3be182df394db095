"""Input in JSON: an object with the matrices by name, and the other things that are given.

* `read_json`: everything in a file.

`{"Q": [[1, 0]], "K": [[1, 0], [0, 1]], "V": [[10, 0], [0, 20]], "labels": ["a", "b"]}`
"""

import difflib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao.trace.files import (
    NAMES,
    OTHERS,
    InputError,
    Numbers,
    Raw,
    check_size,
    count,
    label,
    name_of,
    shown,
    text,
)

KINDS = {bool: "a truth value", dict: "an object", list: "a list", type(None): "null"}


def read_json(path: Path) -> Raw:
    """Return what a file holds.

    Raises:
        InputError: If it is not JSON, or not an object of this layout; the message names the place.
    """
    name, raw = name_of(path), Raw()
    found = _parsed(path)
    if not isinstance(found, dict):
        raise InputError(f"{name}: an object with the matrices by name is needed, got {_kind(found)}")
    for key, value in found.items():
        place = f"{name}: {key}"
        if key in NAMES:
            raw.matrices[key] = Numbers(_matrix(value, place, flat=key in ("A", "V")), place)
        elif key == "mask":
            raw.mask, raw.mask_origin = "causal" if value == "causal" else _mask(value, place), place
        elif key == "temperature":
            raw.temperature = _number(value, place)
        elif key == "scale":
            raw.scale = _number(value, place)
        elif key == "labels":
            raw.labels = _labels(value, place)
        elif key == "query_labels":
            raw.query_labels = _labels(value, place)
        else:
            raise InputError(f"{name}: {unknown(key)}")
    return raw


def unknown(key: str) -> str:
    """Return what to say of a name that is none of those that a file may hold."""
    near = difflib.get_close_matches(key, (*NAMES, *OTHERS), n=1) or difflib.get_close_matches(
        key.upper(), NAMES, n=1
    )
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join((*NAMES, *OTHERS))}"
    return f"nothing is called {shown(key)}; {hint}"


def _parsed(path: Path) -> Any:
    name, whole = name_of(path), text(path)

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in items:
            if key in found:
                raise InputError(f"{name}: {shown(key)} is there twice")
            found[key] = value
        return found

    def constant(word: str) -> Any:
        raise InputError(f"{name}: {word} is not finite; every number must be")

    try:
        return json.loads(whole, object_pairs_hook=pairs, parse_constant=constant)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name}, line {error.lineno}: not JSON ({error.msg}, column {error.colno})"
        ) from None
    except RecursionError:
        raise InputError(f"{name}: lists in lists in lists, too deep to be matrices") from None
    except ValueError:  # a whole number of thousands of digits
        raise InputError(f"{name}: a number is larger than any float64") from None


def _kind(value: object) -> str:
    if isinstance(value, str):
        return f"the text {shown(value)}"
    return KINDS.get(type(value), str(value))


def _number(value: object, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{place}: a number is needed, got {_kind(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{place}: a number is larger than any float64")
    return number


def _truth(value: object, place: str) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{place}: true (keep) or false (drop) is needed, got {_kind(value)}")
    return value


def _rows(value: object, place: str) -> list[list[Any]]:
    """Return lists of one length in a list.

    Raises:
        InputError: If it is anything else.
    """
    if not isinstance(value, list):
        raise InputError(f"{place}: a list of rows is needed, got {_kind(value)}")
    for number, row in enumerate(value, start=1):
        if not isinstance(row, list):
            raise InputError(f"{place}, row {number}: a list is needed, got {_kind(row)}")
        if len(row) != len(value[0]):
            above = f"the row{' above has' if number == 2 else 's above have'} {len(value[0])}"
            raise InputError(f"{place}, row {number}: {count(len(row), 'column')}, {above}")
    check_size((len(value), len(value[0]) if value else 0), place)
    return value


def _matrix(value: object, place: str, *, flat: bool) -> NDArray[np.float64]:
    """Return nested lists as an array (rows, columns); (numbers,) too where one axis is enough."""
    if flat and isinstance(value, list) and value and not isinstance(value[0], list):
        check_size((len(value),), place)
        return np.array([_number(item, f"{place}, number {i}") for i, item in enumerate(value, start=1)])
    return np.array(
        [
            [_number(item, f"{place}, row {i}, column {j}") for j, item in enumerate(row, start=1)]
            for i, row in enumerate(_rows(value, place), start=1)
        ]
    )


def _mask(value: object, place: str) -> NDArray[np.bool_]:
    if isinstance(value, str):
        raise InputError(f'{place}: "causal" or a list of rows is needed, got {shown(value)}')
    return np.array(
        [
            [_truth(item, f"{place}, row {i}, column {j}") for j, item in enumerate(row, start=1)]
            for i, row in enumerate(_rows(value, place), start=1)
        ]
    )


def _labels(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise InputError(f"{place}: a list of texts is needed, got {_kind(value)}")
    return tuple(label(item, f"{place}, label {i}") for i, item in enumerate(value, start=1))
