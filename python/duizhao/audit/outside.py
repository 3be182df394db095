"""A subject seen from outside: calls of it, each in a process of its own, within a time limit.

* `Fault`: a call that gave no output of the right form.
* `Outside`: calls, and what was seen of the subject's conduct.
* `Call`: one call as it was made, for a report.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao.audit.subject import Layout, Subject
from duizhao.audit.worker import Answer

Numbers = NDArray[np.float64]

TIME_LIMIT = 20.0
"""Seconds that one call may take, unless the user says otherwise."""

STARTING = 120.0
"""Seconds that the process may take to import the subject."""

AFTER_HANGING = 5.0
"""How many times shorter the limit is once a call has hung: one that needs it fails anyway."""


ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables that are 1 for the subject's process unless they are set: its arrays are small, and threads cost more."""


WORKER = "import sys; sys.path[:] = sys.argv[2:]; from duizhao.audit.worker import run; run(int(sys.argv[1]))"
"""The program of the subject's process. It imports neither the script that audits nor what this one has imported, so
that a script may audit without a guard on its name."""


@dataclass(frozen=True)
class Call:
    """One call: arrays with axes (batch, heads, length, width), options, and the dtype."""

    arrays: Mapping[str, NDArray[Any]]
    options: Mapping[str, Any]
    dtype: str


class Fault(Exception):  # noqa: N818
    """A call that gave no output of the right form: `kind` says how, the text is a sentence."""

    def __init__(self, kind: str, text: str, call: Call) -> None:
        """Keep the kind, "raises", "hangs" or "shape", the sentence and the call."""
        super().__init__(text)
        self.kind, self.text, self.call = kind, text, call


def rounded(array: NDArray[Any], dtype: str) -> NDArray[Any]:
    """Return the nearest numbers of a dtype, as an array of that dtype; of float32 for bfloat16."""
    if array.dtype == np.bool_:
        return np.asarray(array)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if dtype != "bfloat16":
            return np.asarray(np.ascontiguousarray(array).astype(dtype))
        single = np.ascontiguousarray(array).astype(np.float32)
        bits = single.view(np.uint32).astype(np.uint64)
        near = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype(np.uint32).view(np.float32)
        return np.asarray(np.where(np.isfinite(single), near, single))


def laid_out(array: NDArray[Any], layout: Layout) -> NDArray[Any]:
    """Return an array with axes (batch, heads, length, width) in a layout."""
    if layout == "blhd":
        return np.ascontiguousarray(np.swapaxes(array, 1, 2))
    return np.asarray({"bhld": array, "hld": array[0], "ld": array[0, 0]}[layout])


def without_layout(array: NDArray[Any], layout: Layout) -> NDArray[Any]:
    """Return an array of a layout with axes (batch, heads, length, width); of another number of axes as it is."""
    if array.ndim != len(layout):
        return array
    if layout == "blhd":
        return np.swapaxes(array, 1, 2)
    return array.reshape((1,) * (4 - array.ndim) + array.shape)


@dataclass
class Outside:
    """Calls of one subject, and what was seen of its conduct."""

    subject: Subject
    time_limit: float = TIME_LIMIT
    calls: list[Call] = field(default_factory=list)
    """The calls since the list was last emptied."""
    conduct: dict[str, tuple[str, Call]] = field(default_factory=dict)
    """What it does beside answering, "mutates", "prints" or "dtype": a sentence, and the first such call."""
    count: int = 0
    hung: bool = False
    _process: subprocess.Popen[bytes] | None = None
    _pipe: Connection | None = None

    def start(self) -> None:
        """Start the process, and wait until the subject is imported there.

        Raises:
            RuntimeError: If there can be no process, or the subject cannot be imported there.
        """
        try:
            self._pipe, other = Pipe()
            with other:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", WORKER, str(other.fileno()), *map(str, sys.path)],
                    stdin=subprocess.DEVNULL,
                    pass_fds=[other.fileno()],
                    env={**dict.fromkeys(ONE_THREAD, "1"), **os.environ},
                )
        except OSError as error:
            raise RuntimeError(f"no process can be started: {error.strerror or error}") from error
        try:
            self._pipe.send((self.subject.name, self.subject.adapter_name, os.getcwd()))
            problem = self._pipe.recv() if self._pipe.poll(STARTING) else "importing it takes too long"
        except (EOFError, ConnectionError):
            problem = "importing it ends the process"
        if problem is not None:
            self.stop()
            raise RuntimeError(problem)

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def _exit_code(self) -> int | None:
        if self._process is None:
            return None
        try:
            return self._process.wait(1)
        except subprocess.TimeoutExpired:
            return None

    def _ask(self, kind: str, call: Call) -> Answer:
        if self._pipe is None:
            self.start()
        assert self._pipe is not None
        layout = self.subject.adapter.layout
        own = {
            name: (array if name in ("mask", "bias") and layout == "blhd" else laid_out(array, layout))
            for name, array in call.arrays.items()
        }
        self.count += 1
        limit = max(1.0, self.time_limit / AFTER_HANGING) if self.hung else self.time_limit
        try:
            self._pipe.send((kind, own, dict(call.options), call.dtype, dict(self.subject.adapter.names)))
            if not self._pipe.poll(limit):
                self.hung = True
                self.stop()
                raise Fault("hangs", f"no answer within {limit:g} s", call)
            answer = self._pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError) as error:
            code = self._exit_code()
            self.stop()
            raise Fault("raises", f"the process ends (exit code {code})", call) from error
        assert isinstance(answer, Answer)
        if answer.printed:
            self.conduct.setdefault("prints", (f"it prints to standard output: {answer.printed}", call))
        for name in answer.mutated:
            self.conduct.setdefault("mutates", (f"it changes the array that it is given as {name}", call))
        if answer.error is not None:
            text = f"it raises {answer.error}" if answer.adapted else answer.error
            raise Fault("raises" if answer.adapted else "shape", text, call)
        return answer

    def _checked(self, answer: Answer, shapes: list[tuple[int, ...]], call: Call) -> list[Numbers]:
        outputs = [without_layout(output, self.subject.adapter.layout) for output in answer.outputs]
        for output, shape in zip(outputs, shapes, strict=True):
            if output.shape != shape:
                layout = self.subject.adapter.layout
                expected, got = laid_out(np.empty(shape), layout).shape, answer.outputs[0].shape
                raise Fault("shape", f"its output has the shape {got}, where {expected} is right", call)
        if answer.dtype != call.dtype:
            self.conduct.setdefault(
                "dtype", (f"its output is {answer.dtype}, where the input is {call.dtype}", call)
            )
        return outputs

    def __call__(
        self,
        query: NDArray[Any],
        key: NDArray[Any],
        value: NDArray[Any],
        *,
        dtype: str,
        mask: NDArray[np.bool_] | None = None,
        bias: NDArray[Any] | None = None,
        is_causal: bool = False,
        scale: float | None = None,
    ) -> Numbers:
        """Call the subject: arrays with axes (batch, heads, length, width) -> the output, in float64.

        Raises:
            Fault: If it gives no output of the right form.
        """
        call = self.made(query, key, value, dtype, mask=mask, bias=bias, is_causal=is_causal, scale=scale)
        shape = (*query.shape[:-1], value.shape[-1])
        return self._checked(self._ask("call", call), [shape], call)[0]

    def gradient(
        self, query: NDArray[Any], key: NDArray[Any], value: NDArray[Any], cotangent: NDArray[Any], dtype: str
    ) -> list[Numbers]:
        """Return the derivatives of the sum of the output times the cotangent, by query, key and value.

        Raises:
            Fault: If it gives none of the right form.
        """
        call = self.made(query, key, value, dtype, cotangent=cotangent)
        shapes = [query.shape, key.shape, value.shape]
        return self._checked(self._ask("gradient", call), shapes, call)

    def made(
        self, query: NDArray[Any], key: NDArray[Any], value: NDArray[Any], dtype: str, **options: Any
    ) -> Call:
        """Return a call as it is made, and note it: arrays in the dtype, a mask as the subject reads it."""
        arrays = {"query": query, "key": key, "value": value}
        used = {
            name: option for name, option in options.items() if option is not None and option is not False
        }
        arrays |= {name: used.pop(name) for name in ("mask", "bias", "cotangent") if name in used}
        if "mask" in arrays and self.drops:
            arrays["mask"] = ~arrays["mask"]
        call = Call({name: rounded(array, dtype) for name, array in arrays.items()}, used, dtype)
        self.calls.append(call)
        return call

    drops: bool = False
    """Whether True in a mask drops a key, as the adapter says or was found."""
