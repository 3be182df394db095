"""Runs a command and gives back what it printed, whatever that is.

* `run`: a command as `Run`, its lines given to a callback as they come; silence and output have a limit.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

LONGEST_LINE = 100_000
FIRST_LINES = 20_000
LAST_LINES = 5_000
MOST_BYTES = 256 * 2**20
_TICK = 0.1
_AFTER_EXIT = 2.0
_KEPT = re.compile(r"error\b|\bsorry|sorryAx|has local changes|✖|✘", re.IGNORECASE)
"""What is kept of the lines between the first and the last: failures must not get lost in noise."""

_TELLING = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (r"\buses\s+\W{0,2}sorry\b", r"\berror\b[^:]{0,80}:", r"\bhas local changes\b")
)
"""What is looked for in the whole of a line before it is cut."""

_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Run:
    """What became of a command.

    `exit_code` is None where it did not start or was stopped; `trouble` then says why, in words. A negative
    exit code is a signal. `output` is what it printed on its standard output where that was kept apart,
    else empty.
    """

    command: str
    exit_code: int | None
    trouble: str | None
    lines: tuple[str, ...]
    output: bytes = b""

    @property
    def ended(self) -> str:
        """How it ended: `exit code 1`, `killed by SIGKILL`, or the trouble."""
        if self.trouble is not None or self.exit_code is None:
            return self.trouble or "did not end"
        if self.exit_code < 0:
            try:
                return f"killed by {signal.Signals(-self.exit_code).name}"
            except ValueError:
                return f"killed by signal {-self.exit_code}"
        return f"exit code {self.exit_code}"


class _Lines:
    """Cuts bytes into lines of printable text; keeps of very many the first, the last, and those that tell of failures."""

    def __init__(self, on_line: Callable[[str], None]) -> None:
        self._on_line = on_line
        self._rest = bytearray()
        self._first: list[str] = []
        self._failures: list[str] = []
        self._last: deque[str] = deque()
        self._count = 0

    def feed(self, data: bytes) -> None:
        *whole, rest = data.split(b"\n")
        for part in whole:
            self._rest += part
            self.flush(ended=True)
        self._rest += rest

    def flush(self, *, ended: bool = False) -> None:
        if not ended and not self._rest:
            return
        line = _shortened(bytes(self._rest))
        self._rest.clear()
        self._count += 1
        if len(self._first) < FIRST_LINES:
            self._first.append(line)
        else:
            self._last.append(line)
            if len(self._last) > LAST_LINES:
                leaving = self._last.popleft()
                if _KEPT.search(leaving) and len(self._failures) < FIRST_LINES:
                    self._failures.append(leaving)
        self._on_line(line)

    def lines(self) -> tuple[str, ...]:
        left_out = self._count - len(self._first) - len(self._failures) - len(self._last)
        gap = [f"(… {left_out} lines left out)"] if left_out else []
        return (*self._first, *gap, *self._failures, *self._last)


def _shortened(line: bytes) -> str:
    """Give a line as text; of a very long one the start, and what in the rest tells of a failure."""
    if len(line) <= LONGEST_LINE:
        return printable(line)
    kept, whole = printable(line[:LONGEST_LINE]), printable(line)
    found = [match for pattern in _TELLING for match in pattern.finditer(whole)]
    beyond = {match[0].lower(): match[0] for match in found if match.end() > len(kept)}
    told = "".join(f" … {words}" for words in beyond.values())
    return f"{kept} (… {len(line) - LONGEST_LINE} bytes more){told}"


def printable(line: bytes) -> str:
    r"""Give a line as text: colours dropped, control characters and bytes outside of UTF-8 as `\x1b`."""
    text = _COLOUR.sub("", line.decode(errors="backslashreplace").rstrip("\r"))
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


def run(
    command: tuple[str, ...],
    *,
    program: str,
    folder: Path,
    silence: float,
    on_line: Callable[[str], None],
    keep_output: bool = False,
) -> Run:
    """Run `command` in `folder`, with `program` as the file of its first word.

    Standard output and standard error are read together, line by line; with `keep_output` standard output
    is kept apart, byte for byte. `silence` is how many seconds may pass without any output before the
    command and all that it started is killed. Standard input is empty. Nothing that the command does raises
    an error here; an interrupt kills it and goes on to the caller.
    """
    name = " ".join(command)
    try:
        process = subprocess.Popen(
            [program, *command[1:]],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if keep_output else subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return Run(name, None, f"{program} could not be started: {error.strerror or error}", ())
    lines = _Lines(on_line)
    output = bytearray()
    try:
        trouble = _read(process, lines, output if keep_output else None, silence)
    finally:
        _kill(process)
    lines.flush()
    return Run(name, None if trouble else process.returncode, trouble, lines.lines(), bytes(output))


def _read(
    process: subprocess.Popen[bytes], lines: _Lines, output: bytearray | None, silence: float
) -> str | None:
    """Read until the process has ended or has to be stopped; say why in the second case."""
    chunks: queue.SimpleQueue[tuple[bool, bytes]] = queue.SimpleQueue()
    streams = [
        (stream, stream is process.stdout)
        for stream in (process.stdout, process.stderr)
        if stream is not None
    ]
    for stream, is_output in streams:
        threading.Thread(target=_pump, args=(stream, is_output, chunks), daemon=True).start()
    open_streams, total = len(streams), 0
    last_sign = time.monotonic()
    ended_at: float | None = None
    while open_streams:
        try:
            is_output, chunk = chunks.get(timeout=_TICK)
        except queue.Empty:
            now = time.monotonic()
            if ended_at is None and process.poll() is not None:
                ended_at = now
            if ended_at is not None and now - ended_at > _AFTER_EXIT:
                return None  # something that it started still holds the pipe
            if ended_at is None and now - last_sign > silence:
                return f"hangs: no output for {silence:g} seconds, so it was stopped"
            continue
        last_sign = time.monotonic()
        if not chunk:
            open_streams -= 1
            continue
        total += len(chunk)
        if total > MOST_BYTES:
            return f"printed more than {MOST_BYTES // 2**20} MiB, so it was stopped"
        if output is not None and is_output:
            output += chunk
        else:
            lines.feed(chunk)
    try:
        process.wait(silence)
    except subprocess.TimeoutExpired:
        return f"hangs: it closed its output and did not end for {silence:g} seconds, so it was stopped"
    return None


def _pump(stream: IO[bytes], is_output: bool, chunks: queue.SimpleQueue[tuple[bool, bytes]]) -> None:
    with stream:
        while chunk := os.read(stream.fileno(), 65536):
            chunks.put((is_output, chunk))
    chunks.put((is_output, b""))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the process and of all that it started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
