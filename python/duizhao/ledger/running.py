"""What the commands about the ledger share: the project, the claims, and the Lean side with its progress shown.

* `project_here`, `claims_here`: what a command works on.
* `Lean`: the option `--lean`.
* `lean_shown`: the Lean side; while Lake works, its last line is shown.
* `lake_shown`: call something that runs Lake, in the same way.
"""

import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

import typer
from rich.console import Console
from rich.markup import escape

from duizhao.claims import all_claims
from duizhao.claims.claim import Claim
from duizhao.ledger.lake import find_lake
from duizhao.ledger.lean import LeanMode, LeanSide, lean_side
from duizhao.ledger.project import Project, find_project
from duizhao.wrong_use import WrongUseError

Result = TypeVar("Result")


class Lean(StrEnum):
    """What to ask of Lean."""

    auto = "auto"
    require = "require"
    record = "record"
    skip = "skip"


MODES: dict[Lean, LeanMode] = {
    Lean.auto: "auto",
    Lean.require: "require",
    Lean.record: "record",
    Lean.skip: "skip",
}


def project_here() -> Project:
    """Return the project of the current folder.

    Raises:
        WrongUseError: If there is none.
    """
    try:
        return find_project(Path.cwd())
    except FileNotFoundError as error:
        raise WrongUseError(str(error)) from error


def claims_here() -> dict[str, Claim]:
    """Return all claims; where they cannot be loaded, say so and exit with 1."""
    try:
        return all_claims()
    except Exception as error:
        print(f"duizhao: the claims cannot be loaded: {type(error).__name__}: {error}", file=sys.stderr)
        raise typer.Exit(1) from error


def lake_shown(call: Callable[[Callable[[str], None]], Result]) -> Result:
    """Call something that runs Lake with a function that shows each line as it comes."""
    console = Console(stderr=True, emoji=False)
    console.print(
        "Lean builds the project: minutes when Mathlib's cache is there, hours when it is not. "
        "`lake exe cache get` downloads the cache.",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
    with console.status("lake build") as status:
        return call(lambda line: status.update(escape(line[:100])))


def lean_shown(project: Project, mode: Lean, silence: float) -> LeanSide:
    """Return the Lean side of a project.

    Raises:
        ValueError: If `silence` is not positive.
    """
    if mode in (Lean.auto, Lean.require) and find_lake() is not None:
        return lake_shown(
            lambda on_line: lean_side(project.root, MODES[mode], silence=silence, on_line=on_line)
        )
    return lean_side(project.root, MODES[mode], silence=silence)
