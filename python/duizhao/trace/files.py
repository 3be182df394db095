"""Files that somebody else wrote: what is wrong with one is said in a line.

* `InputError`: what is wrong, and where.
* `contents`, `text`: the bytes or the text of a file that is not too large.
* `Raw`, `Numbers`: what a file holds.
* `shown`, `name_of`, `count`: words for messages; `check_size`, `label`: checks that all kinds of files share.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

LARGEST_FILE = 1 << 20
"""Bytes that a file may have, and an array in a file."""
MOST_ELEMENTS = 4096
"""Elements that a matrix may have."""
NAMES = ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "A")
"""The matrices that may be given."""
OTHERS = ("mask", "temperature", "scale", "labels", "query_labels")
"""What else a file may hold."""


class InputError(ValueError):
    """What is given cannot be used: one line that says what is wrong, and where."""


@dataclass(frozen=True)
class Numbers:
    """One matrix as it was read: shape (rows, columns)."""

    array: NDArray[np.float64]
    origin: str
    """Where it stands, for messages: a file, or a file and a name in it."""


@dataclass
class Raw:
    """What files and options give, checked one by one, not yet together."""

    matrices: dict[str, Numbers] = field(default_factory=dict)
    mask: NDArray[np.bool_] | Literal["causal"] | None = None
    mask_origin: str = "mask"
    temperature: float | None = None
    scale: float | None = None
    labels: tuple[str, ...] | None = None
    query_labels: tuple[str, ...] | None = None


def shown(text: object, longest: int = 40) -> str:
    """Return what somebody wrote in quotes, cut short, with nothing in it that a terminal would obey."""
    whole = text if isinstance(text, str) else str(text)
    short = whole if len(whole) <= longest else f"{whole[: longest - 1]}…"
    return f'"{short}"' if short.isprintable() else repr(short)


def name_of(path: Path) -> str:
    """Return the path as it was given, safe to print."""
    return str(path) if str(path).isprintable() else repr(str(path))


def count(number: int, thing: str) -> str:
    """Return a number of things: 1 row, 2 rows."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def contents(path: Path) -> bytes:
    """Return the bytes of a file.

    Raises:
        InputError: If it cannot be read, is empty, or is larger than `LARGEST_FILE`.
    """
    name = name_of(path)
    try:
        with path.open("rb") as file:
            found = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise InputError(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{name}: this is a folder; name a file in it") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror or error})") from None
    if len(found) > LARGEST_FILE:
        raise InputError(f"{name}: more than {LARGEST_FILE >> 20} MiB; a trace is for small matrices")
    if not found.strip():
        raise InputError(f"{name}: the file is empty")
    return found


def text(path: Path) -> str:
    """Return the text of a file in UTF-8, without the mark that some programs put in front.

    Raises:
        InputError: As `contents`, and if it is not UTF-8.
    """
    raw = contents(path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = f"byte 0x{raw[error.start]:02x} at offset {error.start}"
        raise InputError(f"{name_of(path)}: not text in UTF-8 ({byte}); save it as UTF-8") from None


def check_size(shape: tuple[int, ...], origin: str) -> None:
    """Check that a matrix of this shape has elements, and not too many.

    Raises:
        InputError: If it has none, or more than `MOST_ELEMENTS`.
    """
    size = " × ".join(map(str, shape))
    if 0 in shape:
        raise InputError(f"{origin}: no numbers (shape {size}); at least one row and one column are needed")
    if int(np.prod(shape, dtype=object)) > MOST_ELEMENTS:
        raise InputError(f"{origin}: {size} elements; a trace shows at most {MOST_ELEMENTS:,} a matrix")


def label(found: object, origin: str) -> str:
    """Return one label.

    Raises:
        InputError: If it is no text, empty, longer than 40 characters, or not printable.
    """
    if not isinstance(found, str):
        raise InputError(f"{origin}: a text is needed, got {found!r}")
    if not 0 < len(found) <= 40 or not found.isprintable() or not found.strip():
        raise InputError(f"{origin}: a label has 1 to 40 printable characters, got {shown(found)}")
    return found
