"""The Makefile, as the tests read and run it."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

TARGET = re.compile(r"^(?P<name>[A-Za-z][\w-]*):(?!=)(?:[^#]*)(?:## (?P<text>.+))?$")


def targets(makefile: Path) -> dict[str, str | None]:
    """Each target with the text that documents it, None where there is none.

    Raises:
        LookupError: there is no target.
    """
    matches = map(TARGET.match, makefile.read_text(encoding="utf-8").splitlines())
    found = {match["name"]: match["text"] for match in matches if match}
    if not found:
        raise LookupError(f"{makefile}: no target")
    return found


def make(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """What `make` does in a folder, as from a shell that no other make has started."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    for name in ("ARGS", "PYTHON"):
        inherited.pop(name, None)
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env=inherited | dict(environment or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
