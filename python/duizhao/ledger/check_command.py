"""The command `duizhao check`.

* `check_command`: join everything, print one ledger.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from duizhao.claims.claim import Claim
from duizhao.claims.measure import Measurement
from duizhao.claims.slack import read_slack
from duizhao.ledger import data, html_page, render
from duizhao.ledger.check import Ledger, check
from duizhao.ledger.lean import SILENCE, LeanSide
from duizhao.ledger.project import Project, of_two_sources
from duizhao.ledger.running import Lean, claims_here, lean_shown, project_here
from duizhao.ledger.topics import topics_named, topics_of
from duizhao.strategies import targets
from duizhao.wrong_use import WrongUseError

CASES = 20
"""Cases for each claim and dtype, unless `--cases` says otherwise."""

CASES_OF_A_TOPIC = 5
"""The same with `--topic`, which is for a quick look."""


def _measured(
    project: Project,
    lean: LeanSide,
    claims: dict[str, Claim],
    topics: list[str] | None,
    cases: int,
    seed: int,
) -> Ledger:
    chosen = [claim for claim in claims.values() if topics is None or claim.topic in topics]
    columns = (
        TextColumn("claims"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True, emoji=False), transient=True) as progress:
        task = progress.add_task("", total=len(chosen) * len(targets()))

        def advance(measurement: Measurement) -> None:
            progress.update(task, advance=1, description=f"{measurement.id} {measurement.target}")

        return check(
            project.root, lean, claims, topics=topics, cases=cases, seed=seed, on_measurement=advance
        )


def check_command(
    topic: Annotated[
        str | None,
        typer.Option(help="Only this topic or group of topics: read, Counterexample.Mask, Counterexample."),
    ] = None,
    lean: Annotated[
        Lean,
        typer.Option(
            help="auto: Lean if it is there, else the record; require: Lean must be there; record: never start Lean; "
            "skip: neither."
        ),
    ] = Lean.auto,
    cases: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default=f"{CASES}, with --topic {CASES_OF_A_TOPIC}",
            help="Cases for each claim and dtype.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the cases: the same one draws the same.")] = 0,
    lake_silence: Annotated[
        float, typer.Option(min=1, help="Seconds without a word from Lake until it counts as hanging.")
    ] = SILENCE,
    as_json: Annotated[bool, typer.Option("--json", help="Print the ledger as JSON.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the ledger as one HTML file as well.")
    ] = None,
) -> None:
    """Join Lean's theorems with the claims, recompute the worked examples, and print one ledger.

    Works on the project in this folder or its nearest parent with a lakefile.lean, else on the copies inside the
    installed package. Exits 0 if nothing is wrong, 1 if something is, 2 for wrong use.
    """
    project = project_here()
    claims = claims_here()
    try:
        slack = read_slack(project.root)
        side = lean_shown(project, lean, lake_silence)
        topics = None if topic is None else topics_named(topic, topics_of(side, claims))
    except ValueError as error:
        raise WrongUseError(str(error)) from error
    drawn = cases or (CASES if topics is None else CASES_OF_A_TOPIC)
    note = of_two_sources(project)
    ledger = replace(
        _measured(project, side, claims, topics, drawn, seed),
        slack=slack,
        notes=() if note is None else (note,),
    )
    if html is not None:
        try:
            html.write_text(html_page.page(ledger), encoding="utf-8")
        except OSError as error:
            raise WrongUseError(f"--html {html}: cannot be written: {error.strerror}") from error
    if as_json:
        typer.echo(json.dumps(data.data(ledger), ensure_ascii=False, indent=1, allow_nan=False))
    else:
        render.show(ledger, Console(emoji=False))
    if not ledger.ok:
        raise typer.Exit(1)
