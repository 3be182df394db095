"""Input in NumPy's `.npz`: the matrices and the other things that are given, by name.

* `read_npz`: everything in a file.

Shape and dtype of an array are looked at before it is read, and objects are never unpickled.
"""

import io
import lzma
import math
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from duizhao.trace.files import (
    LARGEST_FILE,
    NAMES,
    InputError,
    Numbers,
    Raw,
    check_size,
    contents,
    label,
    name_of,
)
from duizhao.trace.json_file import unknown

HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_npz(path: Path) -> Raw:
    """Return what a file holds.

    Raises:
        InputError: If it is not an archive of arrays of this layout; the message names the array.
    """
    name, raw = name_of(path), Raw()
    for key, array in _arrays(path):
        place = f"{name}: {key}"
        if key in NAMES:
            raw.matrices[key] = Numbers(_matrix(array, place, flat=key in ("A", "V")), place)
        elif key == "mask":
            raw.mask, raw.mask_origin = _mask(array, place), place
        elif key == "temperature":
            raw.temperature = _scalar(array, place)
        elif key == "scale":
            raw.scale = _scalar(array, place)
        elif key == "labels":
            raw.labels = _labels(array, place)
        elif key == "query_labels":
            raw.query_labels = _labels(array, place)
        else:
            raise InputError(f"{name}: {unknown(key)}")
    return raw


def _arrays(path: Path) -> Iterator[tuple[str, NDArray[Any]]]:
    name, seen = name_of(path), set()
    try:
        with zipfile.ZipFile(io.BytesIO(contents(path))) as archive:
            for member in archive.infolist():
                key = member.filename.removesuffix(".npy")
                if key == member.filename:
                    raise InputError(f"{name}: {member.filename!r} is not an array")
                if key in seen:
                    raise InputError(f"{name}: {key!r} is there twice")
                seen.add(key)
                if member.file_size > LARGEST_FILE:
                    raise InputError(f"{name}: {key}: more than {LARGEST_FILE >> 20} MiB")
                yield key, _array(archive.read(member), f"{name}: {key}")
    except zipfile.BadZipFile:
        raise InputError(f"{name}: not an .npz file, or a damaged one") from None
    except InputError:
        raise
    except (RuntimeError, ValueError, EOFError, OSError, lzma.LZMAError, zlib.error):
        raise InputError(f"{name}: an archive that cannot be unpacked (damaged, or encrypted)") from None
    if not seen:
        raise InputError(f"{name}: no arrays")


def _array(raw: bytes, place: str) -> NDArray[Any]:
    file = io.BytesIO(raw)
    try:
        with warnings.catch_warnings(action="ignore"):  # one is given for what Python 2 wrote
            shape, _, dtype = HEADERS[npy.read_magic(file)](file)
    except Exception:  # the header is parsed as Python, and anything can come of what is none
        raise InputError(f"{place}: not an array as NumPy saves it") from None
    if dtype.hasobject:
        raise InputError(f"{place}: holds pickled objects, which are never opened; save numbers")
    if dtype.names is not None or dtype.subdtype is not None:
        raise InputError(f"{place}: plain numbers are needed, got {dtype}")
    if len(shape) > 2:
        raise InputError(f"{place}: a matrix is needed, got shape {shape}; save one head of one sample")
    check_size(shape, place)
    file.seek(0)
    try:
        with warnings.catch_warnings(action="ignore"):
            found = npy.read_array(file, allow_pickle=False)
    except (ValueError, EOFError):
        raise InputError(f"{place}: shorter than its header says") from None
    return np.asarray(found)


def _floats(array: NDArray[Any], place: str) -> NDArray[np.float64]:
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind not in "fiu" or size > 8:
        raise InputError(f"{place}: float64, float32, float16 or whole numbers are needed, got {array.dtype}")
    numbers: NDArray[np.float64] = array.astype(np.float64)
    for index in np.ndindex(array.shape):
        at = f"{place}[{', '.join(str(i + 1) for i in index)}]" if index else place
        if not math.isfinite(numbers[index]):
            raise InputError(f"{at} is {numbers[index]}, which is not finite; every number must be")
        if kind in "iu" and int(numbers[index]) != int(array[index]):
            raise InputError(f"{at} is {array[index]}, which no float64 is")
    return numbers


def _matrix(array: NDArray[Any], place: str, *, flat: bool) -> NDArray[np.float64]:
    if array.ndim != 2 and not (flat and array.ndim == 1):
        raise InputError(f"{place}: a matrix is needed, got shape {array.shape}")
    return _floats(array, place)


def _mask(array: NDArray[Any], place: str) -> NDArray[np.bool_]:
    if array.dtype != np.bool_ or array.ndim != 2:
        wanted = "a matrix of truth values (True keeps) is needed"
        raise InputError(f"{place}: {wanted}, got {array.dtype} of shape {array.shape}")
    return array


def _scalar(array: NDArray[Any], place: str) -> float:
    if array.ndim:
        raise InputError(f"{place}: one number is needed, got shape {array.shape}")
    return float(_floats(array, place))


def _labels(array: NDArray[Any], place: str) -> tuple[str, ...]:
    if array.dtype.kind != "U" or array.ndim != 1:
        raise InputError(f"{place}: a list of texts is needed, got {array.dtype} of shape {array.shape}")
    try:
        texts = array.tolist()
    except (SystemError, ValueError):
        raise InputError(f"{place}: holds characters that do not exist") from None
    return tuple(label(str(item), f"{place}, label {i}") for i, item in enumerate(texts, start=1))
