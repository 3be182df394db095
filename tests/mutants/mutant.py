"""A mutant: a function with one slip that someone could make."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Mutant:
    """A function that a claim must tell from the reference function."""

    function: Callable[..., Any]
    replaces: str
    """The name of the reference function in whose place it stands."""
    kills: tuple[str, ...]
    """The ids of the claims that must kill it, in some dtype."""

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.__name__

    @property
    def says(self) -> str:
        """The slip, in one sentence."""
        return " ".join((self.function.__doc__ or "").split())


def mutant(replaces: str, *kills: str) -> Callable[[Callable[..., Any]], Mutant]:
    """Return a decorator that makes a function a mutant of `replaces` that the claims `kills` must kill."""

    def decorate(function: Callable[..., Any]) -> Mutant:
        return Mutant(function, replaces, kills)

    return decorate
