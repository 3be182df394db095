"""The command `duizhao`.

Exit codes: 0, all is well; 1, something was found; 2, wrong use or unreadable input.
"""

import io
import json
import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from duizhao import __version__
from duizhao.breaking.command import break_command
from duizhao.claims import all_claims
from duizhao.claims.claim import Claim
from duizhao.claims.measure import Measurement, keep_nothing_here
from duizhao.claims.slack import read_slack
from duizhao.ledger import render
from duizhao.ledger.check import Ledger, check, topic_named, topics_of
from duizhao.ledger.lake import find_lake
from duizhao.ledger.lean import SILENCE, LeanMode, LeanSide, lean_side
from duizhao.ledger.project import Project, find_project
from duizhao.strategies import targets
from duizhao.trace.command import trace
from duizhao.wrong_use import WrongUseError

CASES = 20
"""Cases for each claim and dtype, unless `--cases` says otherwise."""

app = typer.Typer(
    name="duizhao",
    help="One fact, three places: a Lean theorem, a test on floats, a page.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


def _say(text: str) -> None:
    Console(stderr=True).print(text, highlight=False, markup=False, soft_wrap=True)


def _lean(project: Project, mode: Lean, silence: float) -> LeanSide:
    console = Console(stderr=True)
    if mode in (Lean.auto, Lean.require) and find_lake() is not None:
        _say(
            "Lean builds the project: minutes when Mathlib's cache is there, hours when it is not. "
            "`lake exe cache get` downloads the cache."
        )
        with console.status("lake build") as status:
            return lean_side(
                project.root,
                MODES[mode],
                silence=silence,
                on_line=lambda line: status.update(escape(line[:100])),
            )
    return lean_side(project.root, MODES[mode], silence=silence)


def _measured(
    project: Project, lean: LeanSide, claims: dict[str, Claim], topic: str | None, cases: int, seed: int
) -> Ledger:
    chosen = [claim for claim in claims.values() if topic is None or claim.topic == topic]
    columns = (
        TextColumn("claims"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(chosen) * len(targets()))

        def advance(measurement: Measurement) -> None:
            progress.update(task, advance=1, description=f"{measurement.id} {measurement.target}")

        return check(project.root, lean, claims, topic=topic, cases=cases, seed=seed, on_measurement=advance)


@app.callback(invoke_without_command=True)
def top(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """One fact, three places: a Lean theorem, a test on floats, a page."""
    if version:
        typer.echo(f"duizhao {__version__}")
        raise typer.Exit


app.command("trace")(trace)
app.command("break")(break_command)


@app.command("check")
def check_command(
    topic: Annotated[
        str | None, typer.Option(help="Only this topic, such as read or Counterexample.Mask.")
    ] = None,
    lean: Annotated[
        Lean,
        typer.Option(
            help="auto: Lean if it is there, else the record; require: Lean must be there; record: never start Lean; "
            "skip: neither."
        ),
    ] = Lean.auto,
    cases: Annotated[int, typer.Option(min=1, help="Cases for each claim and dtype.")] = CASES,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the cases: the same one draws the same.")] = 0,
    lake_silence: Annotated[
        float, typer.Option(min=1, help="Seconds without a word from Lake until it counts as hanging.")
    ] = SILENCE,
    as_json: Annotated[bool, typer.Option("--json", help="Print the ledger as JSON.")] = False,
) -> None:
    """Join Lean's theorems with the claims, recompute the worked examples, and print one ledger.

    Works on the project in this folder or its nearest parent with a lakefile.lean, else on the copies inside the
    installed package. Exits 0 if nothing is wrong, 1 if something is, 2 for wrong use.
    """
    try:
        project = find_project(Path.cwd())
    except FileNotFoundError as error:
        raise WrongUseError(str(error)) from error
    try:
        claims = all_claims()
    except Exception as error:
        print(f"duizhao: the claims cannot be loaded: {type(error).__name__}: {error}", file=sys.stderr)
        raise typer.Exit(1) from error
    try:
        slack = read_slack(project.root)
        side = _lean(project, lean, lake_silence)
        chosen = None if topic is None else topic_named(topic, topics_of(side, claims))
    except ValueError as error:
        raise WrongUseError(str(error)) from error
    ledger = replace(_measured(project, side, claims, chosen, cases, seed), slack=slack)
    if as_json:
        typer.echo(json.dumps(render.data(ledger), ensure_ascii=False, indent=1, allow_nan=False))
    else:
        render.show(ledger, Console())
    if not ledger.ok:
        raise typer.Exit(1)


def main() -> None:
    """Run the command: what goes wrong in use is one line and exit code 2."""
    keep_nothing_here()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except WrongUseError as error:
        print(f"duizhao: {error}", file=sys.stderr)
        sys.exit(2)
