"""The ledger for a reader, in the terminal.

* `show`: headline, table, what is wrong, and the line to read last.
* `introduction`, `slack_text`, `worked_text`, `verdict`: its parts, which the HTML page shows too.
"""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from duizhao.ledger.check import Ledger
from duizhao.ledger.row import Row
from duizhao.strategies import targets

STYLES = {"proved": "green", "recorded": "cyan", "not run": "yellow"}
"""How the states look that fail nothing; the others are bold and red."""


def slack_text(ledger: Ledger, row: Row, dtype: str) -> str:
    """Return the worst slack of a result in a dtype as it is shown: a number, — where it has none, ✗ where it fails."""
    if row.claim is None:
        return ""
    if any(
        measurement.failure is not None and measurement.target == dtype for measurement in row.measurements
    ):
        return "✗"
    worst = ledger.worst(row, dtype)
    return "—" if worst is None else f"{worst:.2f}"


def _table(ledger: Ledger) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("id", "state", "relation", *(f"slack {target.name}" for target in targets()), "page"):
        table.add_column(column, no_wrap=True)
    topic = None
    for row in ledger.rows:
        if row.topic != topic:
            table.add_row(Text(row.topic, style="bold"))
            topic = row.topic
        style = STYLES.get(row.state, "bold red")
        slacks = [slack_text(ledger, row, target.name) for target in targets()]
        name = Text(f"  {row.id}", style=style if style == "bold red" else "")
        table.add_row(name, Text(row.state, style=style), row.relation, *slacks, row.page or "—")
    return table


def worked_text(ledger: Ledger) -> Iterator[str]:
    """Yield one line for each worked example."""
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
    """Return the line to read last: whether all is well, and how much was measured."""
    claimed = sum(row.claim is not None for row in ledger.rows)
    drawn = sum(measurement.cases for row in ledger.rows for measurement in row.measurements)
    results = _count(len(ledger.rows), "result")
    waiting = sum(row.state == "not run" for row in ledger.rows)
    if waiting:
        results += f" ({waiting} not run by Lean)"
    parts = [results, f"{_count(claimed, 'claim')} measured on {drawn:,} cases"]
    if ledger.worked:
        parts.append(f"{_count(len({work.example for work in ledger.worked}), 'example')} recomputed")
    found = ledger.findings
    outcome = "nothing is wrong" if not found else f"{_count(len(found), 'problem')}, listed above"
    return f"{', '.join(parts)}: {outcome}."


def _about_slack(ledger: Ledger) -> str:
    text = f"Slack is the worst gap over its budget: over 1 fails. This run draws up to {ledger.cases} cases"
    if ledger.slack is None:
        return f"{text} for each claim and dtype."
    return f"{text}; the measurement of {ledger.slack.date} drew at least {ledger.slack.least:,}."


def introduction(ledger: Ledger) -> list[str]:
    """Return what is said before the table: the states, where they are from, how the numbers were drawn."""
    lines = [ledger.headline()]
    if ledger.topics is not None:
        others = len(ledger.lean.theorems) - sum(row.lean is not None for row in ledger.rows)
        lines.append(f"Only {', '.join(ledger.topics)}: {_count(others, 'other theorem')} not shown.")
    if ledger.lean.source == "record":
        lines.append(
            "Lean was not run: these states are read from ledger/lean.json, whose hashes were compared."
        )
        lines += [f"How the record was made: {ledger.lean.how}"] if ledger.lean.how else []
    elif ledger.lean.source == "none":
        lines.append("Lean was not run, and no record was used.")
    lines += [*ledger.notes, _about_slack(ledger)]
    if ledger.slack is None:
        lines.append(
            "ledger/slack.json is missing: no worst slack over many cases is shown; `make slack` writes it."
        )
    return lines


def show(ledger: Ledger, console: Console) -> None:
    """Print the ledger."""

    def line(text: str | Text, style: str = "") -> None:
        console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)

    first, *others = introduction(ledger)
    line(first, "bold")
    for text in others:
        line(text, "dim" if text.startswith("How the record") else "")
    table = _table(ledger)
    widest = console.measure(table, options=console.options.update(max_width=1000)).maximum
    console.width = max(widest, console.width)
    console.print(table)
    if ledger.worked:
        line("Worked examples", "bold")
        for text in worked_text(ledger):
            line(text)
    for note in ledger.lean.notes:
        line(f"· {note.where}: {note}")
    for finding in ledger.findings:
        line(f"✗ {finding.where}: {finding.text}", "red")
    line(verdict(ledger), "bold" if ledger.ok else "bold red")
