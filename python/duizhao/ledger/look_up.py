"""The commands `duizhao explain` and `duizhao list`. Neither runs Lean or measures anything.

* `explain_command`: everything that is known of one result.
* `list_command`: the results, with filters.
"""

import json
from typing import Annotated

import typer

from duizhao.claims.slack import read_slack
from duizhao.ledger.check import join
from duizhao.ledger.explain import explain, lines
from duizhao.ledger.lean import lean_side
from duizhao.ledger.project import of_two_sources
from duizhao.ledger.row import STATES, Row
from duizhao.ledger.running import claims_here, project_here
from duizhao.ledger.topics import result_named, topics_named, topics_of
from duizhao.wrong_use import WrongUseError


def explain_command(
    name: Annotated[str, typer.Argument(metavar="ID", help="The id of a theorem, such as read_mem_Icc.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the same as JSON.")] = False,
) -> None:
    """Say all that is known of one result: sentence, statement, hypotheses, claim, budget, slack, page.

    Exits 0, or 2 for wrong use.
    """
    project, claims = project_here(), claims_here()
    side = lean_side(project.root, "record")
    rows = {row.id: row for row in join(project.root, side, claims)}
    try:
        found = explain(project.root, rows[result_named(name, rows)], claims, read_slack(project.root))
    except ValueError as error:
        raise WrongUseError(str(error)) from error
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=1, allow_nan=False))
        return
    if note := of_two_sources(project):
        typer.echo(note)
    typer.echo("\n".join(lines(found)))


def list_command(
    topic: Annotated[
        str | None, typer.Option(help="Only this topic or group of topics, such as read or Counterexample.")
    ] = None,
    state: Annotated[str | None, typer.Option(help=f"Only results that are {', '.join(STATES)}.")] = None,
    relation: Annotated[
        str | None, typer.Option(help="Only results with this relation, such as budget or exact.")
    ] = None,
    containing: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Only results with this in their id or sentence.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the same as JSON.")] = False,
) -> None:
    """List the results: id, state, relation and sentence.

    Exits 0 also if none is left by the filters, 2 for wrong use.
    """
    project, claims = project_here(), claims_here()
    side = lean_side(project.root, "record")
    rows = join(project.root, side, claims)
    try:
        topics = None if topic is None else topics_named(topic, topics_of(side, claims))
        _one_of("state", state, STATES)
        _one_of("relation", relation, sorted({row.relation for row in rows}))
    except ValueError as error:
        raise WrongUseError(str(error)) from error
    chosen = [
        row
        for row in rows
        if (topics is None or row.topic in topics)
        and state in (None, row.state)
        and relation in (None, row.relation)
        and (containing or "").lower() in f"{row.id} {row.sentence}".lower()
    ]
    if as_json:
        typer.echo(json.dumps([_data(row) for row in chosen], ensure_ascii=False, indent=1))
        return
    for row in chosen:
        typer.echo(f"{row.id}  [{row.topic}, {row.state}, {row.relation}]\n    {row.sentence}")
    typer.echo(f"{len(chosen)} of {len(rows)} results.")


def _one_of(what: str, value: str | None, known: tuple[str, ...] | list[str]) -> None:
    if value is not None and value not in known:
        raise ValueError(f"--{what}: must be one of {', '.join(known)}, got {value!r}")


def _data(row: Row) -> dict[str, str | None]:
    return {
        "id": row.id,
        "topic": row.topic,
        "state": row.state,
        "relation": row.relation,
        "sentence": row.sentence,
        "page": row.page,
    }
