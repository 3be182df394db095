"""The commands `duizhao ledger pin` and `duizhao ledger record`, the only ones that write below `ledger/`.

* `app`: both, as `duizhao ledger`.
"""

import datetime
import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from duizhao.ledger.check import join
from duizhao.ledger.lake import find_lake
from duizhao.ledger.lean import SILENCE
from duizhao.ledger.pinning import plan, write_pins
from duizhao.ledger.pins import PIN_FILE, read_pins
from duizhao.ledger.problem import Problem
from duizhao.ledger.project import Project
from duizhao.ledger.record import HASH_FILE, RECORD_FILE
from duizhao.ledger.recording import make_record, write_record
from duizhao.ledger.running import Lean, claims_here, lake_shown, lean_shown, project_here
from duizhao.wrong_use import WrongUseError

app = typer.Typer(
    help="Write the pinned statements or the record of a Lean run.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Silence = Annotated[
    float,
    typer.Option(
        "--lake-silence", min=1, help="Seconds without a word from Lake until it counts as hanging."
    ),
]


def is_terminal() -> bool:
    """Return whether a person can be asked."""
    return sys.stdin.isatty()


def _own_project() -> Project:
    project = project_here()
    if project.origin == "installed":
        raise WrongUseError(
            "the copies inside the installed package are not written to: go to a clone of the project"
        )
    return project


def _refuse(what: str, problems: Iterable[Problem]) -> typer.Exit:
    for problem in problems:
        typer.echo(f"✗ {problem.where}: {problem}")
    typer.echo(f"{what}; nothing was written.")
    return typer.Exit(1)


@app.command("pin")
def pin_command(
    names: Annotated[list[str], typer.Argument(metavar="ID...", help="The ids whose statements to pin.")],
    lean: Annotated[
        Lean, typer.Option(help="Where the statements are from, as for `duizhao check`.")
    ] = Lean.auto,
    yes: Annotated[
        bool, typer.Option("--yes", help="Say that you compared each statement with its claim and page.")
    ] = False,
    lake_silence: Silence = SILENCE,
) -> None:
    """Pin the statements of results, after you compared each with its claim and page.

    Shows the old and the new statement and asks. Of a theorem that is gone the pin is taken out. Exits 0 if the pins
    are as asked, 1 if something is wrong with Lean or the record, 2 for wrong use.
    """
    project = _own_project()
    claims = claims_here()
    side = lean_shown(project, lean, lake_silence)
    if side.problems:
        raise _refuse("Something is wrong on the Lean side, so no statement can be trusted", side.problems)
    pins = read_pins(project.root)
    if pins.problems and (project.root / PIN_FILE).exists():
        raise _refuse(f"{PIN_FILE} cannot be read", pins.problems)
    try:
        rows = {row.id: row for row in join(project.root, side, claims)}
        pinnings = plan(names, rows, pins.statements)
    except ValueError as error:
        raise WrongUseError(str(error)) from error
    for pinning in pinnings:
        typer.echo("\n".join(pinning.lines()))
    if not yes:
        if not is_terminal():
            raise WrongUseError("compare each statement with its claim and page, then say so with --yes")
        if not typer.confirm("Did you compare each with its claim and page?"):
            raise _refuse("Not pinned", ())
    changed = write_pins(project.root, pins.statements, pinnings)
    typer.echo(f"{PIN_FILE} is {'written' if changed else 'as it was'}.")


@app.command("record")
def record_command(lake_silence: Silence = SILENCE) -> None:
    """Build the project with Lean and write the record of it, with its own hash; refuse if anything is wrong.

    Exits 0 if the record is written or was right already, 1 if Lean found something, 2 without Lean.
    """
    project = _own_project()
    program = find_lake()
    if program is None:
        raise WrongUseError(
            "`lake` is not on PATH: a record is made by Lean alone; install it from https://lean-lang.org"
        )
    today = datetime.date.today().isoformat()
    record, problems = lake_shown(
        lambda on_line: make_record(project.root, program, date=today, silence=lake_silence, on_line=on_line)
    )
    if record is None:
        raise _refuse("Not every theorem is proved", problems)
    changed = write_record(project.root, record)
    what = "written" if changed else "as they were"
    typer.echo(f"{len(record.theorems)} theorems: {RECORD_FILE} and {HASH_FILE} are {what}.")
