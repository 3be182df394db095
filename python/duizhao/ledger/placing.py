"""Says where a message of Lake belongs: to a theorem, else to a module, else to the build.

* `place`: a message as a `Problem`.
* `blamed_module`: the module that a message is about.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from duizhao.ledger.problem import BUILD, Problem
from duizhao.ledger.sources import SOURCE_DIR, Sources, module_name
from duizhao.ledger.transcript import Message

LONGEST_TEXT = 400
_QUOTED = re.compile(r"[`'\u2018]([^`'\u2019\s]+)[`'\u2019]")
_FILE = re.compile(r"^\s+file: (.+\.lean)$", re.MULTILINE)


def place(message: Message, sources: Sources) -> Problem:
    """Give a message with its file, its line and where it belongs.

    That is the theorem that it names in backticks or quotes, else the theorem that its line lies in, else
    its module, else the build. A failure inside any named declaration says which.
    """
    file = file_of_message(message, sources.root)
    holder = sources.holding(file, message.line) if file is not None and message.line is not None else None
    named = [sources.by_name[name] for name in _QUOTED.findall(message.text) if name in sources.by_name]
    text = shorten(message.text, LONGEST_TEXT)
    if message.severity != "text":
        text = f"{message.severity}: {text}"
    if message.failing and holder is not None and holder.name is not None:
        text += f"\n  in {holder.kind} `{holder.name}`"
    if named:
        where = named[0].id
    elif holder is not None and holder.name in sources.by_name:
        where = holder.id
    else:
        where = blamed_module(message, sources) or BUILD
    return Problem(text, where, file, message.line, message.column)


def blamed_module(message: Message, sources: Sources) -> str | None:
    """The module whose file a message names, else the module that Lake was at; None for neither."""
    file = file_of_message(message, sources.root)
    if file is not None:
        inside = file.startswith(SOURCE_DIR + "/")
        return module_name(file) if inside else None
    job = (message.job or "").rpartition("/")[2].lstrip("+").partition(":")[0]
    return job if job in sources.modules else None


def file_of_message(message: Message, root: Path) -> str | None:
    """The file that a message is about, relative to the project where it lies inside."""
    file = message.file
    if file is None:
        match = _FILE.search(message.text)
        if match is None:
            return None
        file = match[1]
    for folder in (root, root.resolve()):
        if Path(file).is_relative_to(folder):
            return Path(file).relative_to(folder).as_posix()
    return posixpath.normpath(file.replace("\\", "/"))


def shorten(text: str, lines: int) -> str:
    """Keep the first and last lines of a very long text, and say how many were left out."""
    every = text.split("\n")
    if len(every) <= lines:
        return text
    half = lines // 2
    return "\n".join([*every[:half], f"(… {len(every) - 2 * half} lines left out)", *every[-half:]])
