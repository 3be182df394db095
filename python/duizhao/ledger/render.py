"""The ledger for a reader, and as data.

* `show`: headline, table, what is wrong, and the line to read last.
* `data`: the same as JSON values; `SCHEMA` is the version of their form.
"""

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from duizhao.claims import TOPICS_WITHOUT_CLAIMS
from duizhao.ledger.check import Finding, Ledger, Row
from duizhao.strategies import targets

SCHEMA = 1

STYLES = {"proved": "green", "recorded": "cyan", "stale": "bold red", "not run": "yellow"}


def _slack(ledger: Ledger, row: Row, dtype: str) -> str:
    if row.claim is None:
        return ""
    if any(
        measurement.failure is not None and measurement.target == dtype for measurement in row.measurements
    ):
        return "✗"
    worst = ledger.worst(row, dtype)
    return "—" if worst is None else f"{worst:.2f}"


def _lean(row: Row) -> Text:
    state = row.lean.state if row.lean is not None else "no theorem"
    return Text(state, style=STYLES.get(state, "bold red"))


def _table(ledger: Ledger) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("id", "Lean", "relation", *(f"slack {target.name}" for target in targets()), "page"):
        table.add_column(column, no_wrap=True)
    topic = None
    for row in ledger.rows:
        if row.topic != topic:
            table.add_row(Text(row.topic, style="bold"))
            topic = row.topic
        name = Text(f"  {row.id}", style="bold red" if row.findings else "")
        slacks = [_slack(ledger, row, target.name) for target in targets()]
        table.add_row(name, _lean(row), row.relation, *slacks, row.page or "—")
    return table


def _worked(ledger: Ledger) -> Iterator[str]:
    names = list(dict.fromkeys(work.example for work in ledger.worked))
    for name in names:
        runs = [work for work in ledger.worked if work.example == name]
        failed = any(work.failures for work in runs)
        slacks = ", ".join(f"{work.slack:.2f} in {work.dtype}" for work in runs)
        mark = "✗" if failed else "✓"
        yield f"  {mark} {name}: {runs[0].elements} elements against their closed forms, worst error over budget {slacks}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def verdict(ledger: Ledger) -> str:
    """Return the line to read last: whether all is well, how much was measured, how much is to come."""
    claimed = sum(row.claim is not None for row in ledger.rows)
    drawn = sum(measurement.cases for row in ledger.rows for measurement in row.measurements)
    results = _count(len(ledger.rows), "result")
    parts = [results, f"{_count(claimed, 'claim')} measured on {drawn:,} cases"]
    if ledger.worked:
        parts.append(f"{_count(len({work.example for work in ledger.worked}), 'example')} recomputed")
    if ledger.waiting:
        parts.append(f"{ledger.waiting} with no claim yet")
    found = ledger.findings
    outcome = "nothing is wrong" if not found else f"{_count(len(found), 'problem')}, listed above"
    return f"{', '.join(parts)}: {outcome}."


def _about_slack(ledger: Ledger) -> str:
    text = f"Slack is the worst gap over its budget: over 1 fails. This run draws up to {ledger.cases} cases"
    if ledger.slack is None:
        return f"{text} for each claim and dtype."
    return f"{text}; the measurement of {ledger.slack.date} drew at least {ledger.slack.least:,}."


def show(ledger: Ledger, console: Console) -> None:
    """Print the ledger."""

    def line(text: str | Text, style: str = "") -> None:
        console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)

    line(ledger.lean.headline(), "bold")
    if ledger.lean.source == "record":
        line("Lean was not run: these states are read from ledger/lean.json, whose hashes were compared.")
        if ledger.lean.how:
            line(f"How the record was made: {ledger.lean.how}", "dim")
    elif ledger.lean.source == "none":
        line("Lean was not run, and no record was used.")
    line(_about_slack(ledger))
    table = _table(ledger)
    widest = console.measure(table, options=console.options.update(max_width=1000)).maximum
    console.width = max(widest, console.width)
    console.print(table)
    if ledger.worked:
        line("Worked examples", "bold")
        for text in _worked(ledger):
            line(text)
    if ledger.waiting:
        line(f"Topics without claims yet: {', '.join(TOPICS_WITHOUT_CLAIMS)}")
    for note in ledger.lean.notes:
        line(f"· {note.where}: {note}")
    for finding in ledger.findings:
        line(f"✗ {finding.where}: {finding.text}", "red")
    line(verdict(ledger), "bold" if ledger.ok else "bold red")


def _row(ledger: Ledger, row: Row) -> dict[str, Any]:
    lean, claim = row.lean, row.claim
    return {
        "id": row.id,
        "topic": row.topic,
        "lean": None
        if lean is None
        else {
            "name": lean.name,
            "file": lean.file,
            "line": lean.line,
            "state": lean.state,
            "reason": lean.reason,
            "statement": lean.statement,
            "axioms": None if lean.axioms is None else list(lean.axioms),
        },
        "sentence": lean.sentence if lean is not None else claim.sentence if claim is not None else None,
        "relation": row.relation,
        "budget": claim.budget.bound.__name__ if claim is not None and claim.budget is not None else None,
        "hypotheses": claim.hypotheses if claim is not None else None,
        "measurements": [
            {
                "dtype": measurement.target,
                "cases": measurement.cases,
                "slack": measurement.slack,
                "failure": measurement.failure,
            }
            for measurement in row.measurements
        ],
        "worst_slack": {target.name: ledger.worst(row, target.name) for target in targets()}
        if claim is not None
        else {},
        "page": row.page,
    }


def data(ledger: Ledger) -> dict[str, Any]:
    """Return the ledger as JSON values, in the form of version `SCHEMA`."""
    lean = ledger.lean
    return {
        "schema": SCHEMA,
        "ok": ledger.ok,
        "verdict": verdict(ledger),
        "lean": {
            "headline": lean.headline(),
            "source": lean.source,
            "mode": lean.mode,
            "date": lean.date,
            "toolchain": lean.toolchain,
            "mathlib": lean.mathlib,
            "how": lean.how,
            "states": lean.counts,
            "notes": [{"where": note.where, "text": str(note)} for note in lean.notes],
        },
        "cases": ledger.cases,
        "seed": ledger.seed,
        "slack": None
        if ledger.slack is None
        else {
            "date": ledger.slack.date,
            "versions": dict(ledger.slack.versions),
            "least_cases": ledger.slack.least,
        },
        "results": [_row(ledger, row) for row in ledger.rows],
        "examples": [
            {"name": work.example, "dtype": work.dtype, "elements": work.elements, "slack": work.slack}
            for work in ledger.worked
        ],
        "topics_without_claims": list(TOPICS_WITHOUT_CLAIMS),
        "no_claim_yet": ledger.waiting,
        "problems": [_finding(finding) for finding in ledger.findings],
    }


def _finding(finding: Finding) -> dict[str, str]:
    return {"where": finding.where, "text": finding.text}
