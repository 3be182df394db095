"""The command `duizhao break`.

* `break_command`: drop a hypothesis of a theorem, or go on after one read.
"""

import difflib
import json
from pathlib import Path
from typing import Annotated

import typer

from duizhao.breaking import render
from duizhao.breaking.beyond import BEYOND, go_on
from duizhao.breaking.drop import drop, hypotheses
from duizhao.claims import all_claims
from duizhao.ledger.lean import lean_side
from duizhao.ledger.project import find_project
from duizhao.wrong_use import WrongUseError

READ = "read_mem_Icc"
"""The theorem after which a calculation can go on."""


def claim_named(name: str, known: list[str]) -> str:
    """Return the id of a claim.

    Raises:
        WrongUseError: If there is none of that name; the message suggests a close one.
    """
    if name in known:
        return name
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise WrongUseError(f"no theorem `{name}`{hint}")


def break_command(
    name: Annotated[str, typer.Argument(metavar="ID", help="The id of a theorem, such as attention_convex.")],
    dropped: Annotated[
        str | None,
        typer.Option(
            "--drop", metavar="HYPOTHESIS", help="The hypothesis to let go of, such as hw or Nonempty."
        ),
    ] = None,
    then: Annotated[
        str | None,
        typer.Option("--then", metavar="STEP", help=f"Go on after {READ}: {', '.join(BEYOND)}."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the search.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> None:
    """Find the smallest numbers for which a theorem fails without one of its hypotheses, or after one more step.

    What is found is searched for each time, over ℝ. Exits 0 if a counterexample was found or its absence is explained,
    1 if the hypothesis may be redundant, 2 for wrong use.
    """
    claims = all_claims()
    id_ = claim_named(name, list(claims))
    claim = claims[id_]
    if (dropped is None) == (then is None):
        known = ", ".join(hypotheses(claim)) or "none"
        raise WrongUseError(
            f"{id_}: say what to let go of: --drop HYPOTHESIS ({known}) or, after {READ}, --then STEP"
        )
    try:
        project = find_project(Path.cwd())
    except FileNotFoundError as error:
        raise WrongUseError(str(error)) from error
    lean = lean_side(project.root, "record")
    try:
        if then is not None:
            if id_ != READ:
                raise ValueError(f"--then goes on after {READ}, not after {id_}")
            beyond = go_on(then, seed=seed)
            lines, data = (
                list(render.beyond_lines(beyond, lean, project.root)),
                render.beyond_data(beyond, lean, project.root),
            )
            well = True
        else:
            found = drop(claim, dropped or "", seed=seed)
            lines = list(render.dropped_lines(found, claims, lean, project.root))
            data = render.dropped_data(found, claims, lean, project.root)
            well = found.counterexample is not None or found.reason is not None
    except ValueError as error:
        raise WrongUseError(str(error)) from error
    typer.echo(
        json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) if as_json else "\n".join(lines)
    )
    if not well:
        raise typer.Exit(1)
