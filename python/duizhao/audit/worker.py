"""The process in which a subject runs: it may hang, die, print or write to what it is given, and the audit goes on.

* `Answer`: what came of one call.
* `run`: take the name of a subject from the pipe, and serve it.
* `serve`: load a subject and answer calls until the pipe closes.
"""

import contextlib
import os
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao.audit.subject import Subject, load, named

LONGEST = 300
"""How many characters of an error or of what was printed are kept."""


@dataclass(frozen=True)
class Answer:
    """What came of one call."""

    outputs: tuple[NDArray[Any], ...] = ()
    dtype: str = ""
    error: str | None = None
    """What it raised: the name of the exception and its text."""
    adapted: bool = True
    """Whether the error came from the subject or its adapter, and not from what it returned."""
    mutated: tuple[str, ...] = ()
    """Names of the arrays that the call changed."""
    printed: str = ""
    """What it wrote to standard output, shortened."""


def shortened(text: str) -> str:
    """Return a text on one line, shortened; surrogates, which no file can hold, are escaped."""
    line = " ".join(text.split()).encode("utf-8", "backslashreplace").decode("utf-8")
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _same(given: NDArray[Any], now: Any, subject: Subject, name: str) -> bool:
    """Whether one of the subject's arrays still has the shape and holds what it was given."""
    try:
        after = np.asarray(now) if name == "mask" else np.asarray(subject.adapter.back(now)[0])
    except Exception:
        return True
    if after.shape != given.shape:
        return False
    return bool(np.array_equal(after.astype(np.float64), given.astype(np.float64), equal_nan=True))


def answered(
    subject: Subject,
    kind: str,
    arrays: Mapping[str, NDArray[Any]],
    options: Mapping[str, Any],
    dtype: str,
    names: Mapping[str, str],
) -> Answer:
    """Call a subject once: `kind` is "call" or "gradient", `arrays` are in its layout, `names` those of its options."""
    adapter = subject.adapter
    try:
        own = {
            name: adapter.to(np.array(array), "bool" if array.dtype == np.bool_ else dtype)
            for name, array in arrays.items()
        }
        places = [own.pop(name) for name in ("query", "key", "value")]
        if kind == "gradient":
            places.append(own.pop("cotangent"))
        keywords = named(names, **own, **options)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function = adapter.call if kind == "call" else adapter.gradient
            if function is None:
                raise TypeError("gradient: the adapter has none")
            output = function(subject.function, *places, **keywords)
    except BaseException as error:
        return Answer(error=shortened("".join(traceback.format_exception_only(error))))
    first = dict(zip(("query", "key", "value"), places, strict=False)) | own
    mutated = tuple(name for name, array in first.items() if not _same(arrays[name], array, subject, name))
    try:
        backs = [adapter.back(part) for part in (output if kind == "gradient" else (output,))]
        outputs = tuple(np.asarray(array).astype(np.float64) for array, _ in backs)
    except BaseException as error:
        text = shortened("".join(traceback.format_exception_only(error)))
        return Answer(error=f"what it returns is no array of numbers ({text})", adapted=False)
    return Answer(outputs, backs[0][1], mutated=mutated)


def serve(pipe: Connection, name: str, adapter: str | None, folder: str) -> None:
    """Load a subject, say so, and answer calls until the pipe closes. Standard output goes to a file of its own."""
    with tempfile.TemporaryFile() as printed, contextlib.suppress(EOFError, ConnectionError):
        os.dup2(printed.fileno(), 1)
        os.chdir(folder)
        try:
            subject = load(name, adapter)
        except BaseException as error:
            pipe.send(shortened(str(error)))
            return
        sys.stdout.flush()
        place = os.lseek(printed.fileno(), 0, os.SEEK_END)
        pipe.send(None)
        while True:
            kind, arrays, options, dtype, names = pipe.recv()
            answer = answered(subject, kind, arrays, options, dtype, names)
            sys.stdout.flush()
            end = os.lseek(printed.fileno(), 0, os.SEEK_END)
            text = os.pread(printed.fileno(), min(end - place, 4 * LONGEST), place).decode(errors="replace")
            place = end
            pipe.send(
                Answer(
                    answer.outputs,
                    answer.dtype,
                    answer.error,
                    answer.adapted,
                    answer.mutated,
                    shortened(text),
                )
            )


def run(descriptor: int) -> None:
    """Take the names of a subject and its adapter, and the folder, from the pipe of that descriptor, and serve it."""
    with Connection(descriptor) as pipe:
        name, adapter, folder = pipe.recv()
        sys.argv = [""]
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever audits ends this process
        serve(pipe, name, adapter, folder)
