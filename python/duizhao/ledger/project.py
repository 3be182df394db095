"""Finds the Lean project to work on.

* `find_project`: the project around a folder, else the copies in the installed package, else its checkout.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal

MARKER = "lakefile.lean"


@dataclass(frozen=True)
class Project:
    """A Lean project: its folder, and whether it was found around the start, installed, or as a checkout."""

    root: Path
    origin: Literal["folder", "installed", "checkout"]

    def __str__(self) -> str:
        """Say which project it is, for a reader."""
        kinds = {
            "folder": "the project in",
            "installed": "the copies inside the installed package, in",
            "checkout": "the checkout that the package runs from,",
        }
        return f"{kinds[self.origin]} {self.root}"


def package_folder() -> Path:
    """The folder of the installed package `duizhao`."""
    return Path(str(resources.files("duizhao")))


def installed_copies() -> Path:
    """Where the wheel holds the Lean sources and the record."""
    return package_folder() / "project"


def find_project(start: Path) -> Project:
    """Find the project of `start`: itself or its nearest parent that holds a `lakefile.lean`.

    Where there is none, it is the copies inside the installed package; and where the package runs from a
    checkout, that checkout.

    Raises:
        FileNotFoundError: there is none of these.
    """
    here = start.resolve()
    for folder in (here, *here.parents):
        if (folder / MARKER).is_file():
            return Project(folder, "folder")
    if (installed_copies() / MARKER).is_file():
        return Project(installed_copies(), "installed")
    checkout = package_folder().parent.parent
    if (checkout / MARKER).is_file():
        return Project(checkout, "checkout")
    raise FileNotFoundError(
        f"start: no {MARKER} in {here} or any folder above it, and none in the installed package"
    )


def of_two_sources(project: Project) -> str | None:
    """Say where the claims are from, if not from the project whose Lean files are read; else None."""
    package, root = package_folder().resolve(), project.root.resolve()
    if package.is_relative_to(root) or root.is_relative_to(package):
        return None
    return f"The Lean files, pins and pages are those of {project.root}; the claims are those of {package}."
