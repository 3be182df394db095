"""Reads what Lake prints: jobs, messages with all their lines, and text that is neither.

* `read_transcript`: the lines of `lake build` or `lake test` as a `Transcript`.

A message is a line that begins with `error:` (in any form), `warning:` or `info:` and every line after it that begins
nothing else. `trace:` lines (the command that Lake ran) are left out. Nothing else is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info", "text"]

_JOB = re.compile(
    r"(?P<mark>[✔⚠✖\u2139])\ufe0f? \[[\d?]+/[\d?]+\] (?:\(Optional\) )?\S+ (?P<target>.+?)(?: \(\d[^()]*\))?"
)
_MESSAGE = re.compile(
    r"(?P<severity>error|warning|info): "
    r"(?:(?P<file>(?:[A-Za-z]:)?[^:]+\.lean):(?P<line>\d+):(?P<column>\d+): ?)?(?P<text>.*)"
)
_ERROR = re.compile(
    r"\s*(?:(?P<file>(?:[A-Za-z]:)?[^:\s][^:]*\.lean):(?P<line>\d+):(?P<column>\d+): ?)?"
    r"(?P<severity>error)(?:\([^()]*\))?: ?(?P<text>.*)",
    re.IGNORECASE,
)
"""An error in other forms: Lean's own, with the place before the word, and those of programs that Lake calls."""

_FAILED = re.compile(r"Some (?:required )?(?:targets|builds|jobs) logged failures:")
_COMPLETED = re.compile(r"Build completed successfully\b.*")
_SORRY = re.compile(r"\buses\s+\W{0,2}sorry\b")
"""Lean's warning, with or without any kind of quotation marks, wherever it stands: noise may stand before it."""

_CHANGED = re.compile(r"\bhas local changes\b")
"""Lake's warning that a package, Mathlib above all, is not the one that the manifest names."""

_DIGITS = 9


@dataclass(frozen=True)
class Message:
    """One message of Lean or Lake; `job` is the target that Lake was at, None outside of any.

    The severity `text` is for lines that are no message.
    """

    severity: Severity
    text: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    job: str | None = None

    @property
    def sorry(self) -> bool:
        """Whether this is Lean's warning that something is not proved."""
        return _SORRY.search(self.text) is not None

    @property
    def failing(self) -> bool:
        """Whether the message is an error, or a warning that a proof is missing or that a package was changed."""
        return self.severity == "error" or self.sorry or _CHANGED.search(self.text) is not None


@dataclass(frozen=True)
class Transcript:
    """Messages in order, jobs that failed, and whether Lake said that the build was completed."""

    messages: tuple[Message, ...]
    failed: tuple[str, ...]
    completed: bool


def is_lake_line(line: str) -> bool:
    """Whether a line is one of Lake's own: a job, a message, a trace or the end of a build."""
    patterns = (_JOB, _MESSAGE, _ERROR, _FAILED, _COMPLETED)
    return line.startswith("trace: ") or any(pattern.fullmatch(line) for pattern in patterns)


def read_transcript(lines: Iterable[str]) -> Transcript:
    """Read the lines that Lake printed."""
    messages: list[tuple[Message, list[str]]] = []
    failed: dict[str, None] = {}
    completed = False
    job: str | None = None
    open_message: list[str] | None = None
    in_failed = False
    for line in lines:
        if match := _JOB.fullmatch(line):
            job, open_message, in_failed = match["target"], None, False
            if match["mark"] == "✖":
                failed[job] = None
        elif line.startswith("trace: "):
            open_message = None
        elif match := _MESSAGE.fullmatch(line) or _ERROR.fullmatch(line):
            message = _message(match, job)
            open_message, in_failed = [message.text], False
            messages.append((message, open_message))
        elif _FAILED.fullmatch(line):
            job, open_message, in_failed = None, None, True
        elif in_failed and line.startswith("- "):
            failed[line.removeprefix("- ")] = None
        elif _COMPLETED.fullmatch(line):
            job, open_message, in_failed, completed = None, None, False, True
        elif open_message is not None:
            open_message.append(line)
        elif line.strip():
            open_message, in_failed = [line], False
            messages.append((Message("text", line), open_message))
    return Transcript(
        tuple(_with_text(message, "\n".join(text).rstrip()) for message, text in messages),
        tuple(failed),
        completed,
    )


def _message(match: re.Match[str], job: str | None) -> Message:
    severity: Severity = "error" if match["severity"].lower() == "error" else "warning"
    if match["severity"] == "info":
        severity = "info"
    if match["file"] is None or len(match["line"]) > _DIGITS or len(match["column"]) > _DIGITS:
        return Message(severity, match[0].removeprefix(match["severity"] + ": "), job=job)
    return Message(severity, match["text"], match["file"], int(match["line"]), int(match["column"]), job)


def _with_text(message: Message, text: str) -> Message:
    return Message(message.severity, text, message.file, message.line, message.column, message.job)
