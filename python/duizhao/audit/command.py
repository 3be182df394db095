"""The command `duizhao audit`.

* `audit_command`: run every claim that can be seen from outside on somebody else's attention.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from duizhao.audit.outside import TIME_LIMIT
from duizhao.audit.pages import Addresses
from duizhao.audit.policies import required
from duizhao.audit.report import as_json, junit, page, terminal
from duizhao.audit.run import TRIALS, WHEN_COMPILED, Report, audit
from duizhao.audit.subject import load
from duizhao.rounding.arithmetic import FORMATS
from duizhao.wrong_use import WrongUseError

BETWEEN_LINES = 5.0
"""Seconds between two lines of progress where stderr is no terminal."""


def _checked(dtypes: list[str] | None, taken: tuple[str, ...] | None) -> list[str] | None:
    for dtype in dtypes or ():
        if dtype not in FORMATS:
            raise WrongUseError(f"dtype: one of {', '.join(FORMATS)} is needed, got {dtype}")
        if taken is not None and dtype not in taken:
            raise WrongUseError(f"dtype: the adapter takes {', '.join(taken)}, not {dtype}")
    return dtypes or None


class Lines:
    """The lines that stand for a progress bar where stderr is no terminal: one at the start, then one now and then."""

    def __init__(self, subject: str, clock: Callable[[], float]) -> None:
        """Take the subject's name and a clock, in seconds."""
        self.subject, self.clock = subject, clock
        self.last: float | None = None

    def line(self, done: int, of: int) -> str | None:
        """Return the line to print now, or `None`."""
        now = self.clock()
        if self.last is None:
            self.last = now
            return f"duizhao: {self.subject}: policies, then {of} checks"
        if now - self.last < BETWEEN_LINES:
            return None
        self.last = now
        return f"duizhao: {done} of {of} checks"


def run_with_progress(
    subject: str,
    adapter: str | None,
    policies: list[str],
    *,
    seed: int,
    trials: int | None,
    time_limit: float,
    dtypes: list[str] | None,
) -> Report:
    """Load a subject and audit it, with a progress bar where somebody looks.

    Raises:
        WrongUseError: If it cannot be loaded, or an option is wrong.
    """
    needed = required(policies)
    found = load(subject, adapter)
    kept = _checked(dtypes, found.adapter.dtypes if found.adapter_name else None)
    columns = (
        TextColumn("audit"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    console = Console(stderr=True, emoji=False)
    plain = Lines(subject, time.monotonic)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)

        def step(what: str, done: int, of: int) -> None:
            progress.update(task, completed=done, total=of, description=escape(what))
            if not console.is_terminal and (line := plain.line(done, of)) is not None:
                typer.echo(line, err=True)

        try:
            return audit(
                found,
                seed=seed,
                trials=trials,
                needed=needed,
                time_limit=time_limit,
                dtypes=kept,
                on_step=step,
            )
        except RuntimeError as error:
            raise WrongUseError(f"subject: {subject} cannot be run: {error}") from error


def _write(file: Path, text: str) -> None:
    """Write a file.

    Raises:
        WrongUseError: If it cannot be written.
    """
    try:
        file.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise WrongUseError(f"{file}: cannot be written: {error.strerror}") from error


def audit_command(
    subject: Annotated[
        str, typer.Argument(metavar="MODULE:FUNCTION", help="The function, such as my_model:attention.")
    ],
    adapter: Annotated[
        str | None,
        typer.Option(metavar="MODULE:NAME", help="How to call it, if its signature does not say."),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A policy that is required, such as empty_row=zero."),
    ] = None,
    dtype: Annotated[list[str] | None, typer.Option(help="Only this dtype; may be repeated.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the cases: the same one draws the same.")] = 0,
    cases: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default=f"{TRIALS}, or {WHEN_COMPILED} if it is compiled for each shape",
            help="Cases for each form of a claim in each dtype.",
        ),
    ] = None,
    time_limit: Annotated[float, typer.Option(min=0.1, help="Seconds that one call may take.")] = TIME_LIMIT,
    everything: Annotated[
        bool, typer.Option("--all", help="List every claim, and not only those that do not hold.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write one HTML file with the failing matrices drawn.")
    ] = None,
    junit_: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write a JUnit file, for CI.")
    ] = None,
) -> None:
    """Run every claim that can be seen from outside on somebody else's attention, and report its policies.

    The function runs in a process of its own. Exits 0 if nothing fails; 1 if a claim fails, a required policy is unmet,
    or the function raises, hangs, changes its inputs, prints, or returns a wrong shape or dtype; 2 for wrong use.
    """
    report = run_with_progress(
        subject, adapter, policy or [], seed=seed, trials=cases, time_limit=time_limit, dtypes=dtype
    )
    addresses = Addresses.here()
    if html is not None:
        _write(html, page.document(report, addresses))
    if junit_ is not None:
        _write(junit_, junit.document(report))
    if json_:
        typer.echo(json.dumps(as_json.data(report, addresses), ensure_ascii=False, indent=1, allow_nan=False))
    else:
        terminal.show(report, terminal.console(), addresses, everything=everything)
    if not report.ok:
        raise typer.Exit(1)
