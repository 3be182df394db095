"""What an audit found, for a terminal.

* `console`: where it is printed.
* `show`: the claims that do not hold, or all of them, the failures with their snippets, the policies, and the line to
  read.
"""

import math
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from duizhao.audit.pages import Addresses
from duizhao.audit.policies import Policy
from duizhao.audit.run import Outcome, Report

MARKS = {"passes": "✓", "fails": "✗", "stopped": "!", "not asked": "·"}
"""The mark of each state."""

STYLES = {"passes": "green", "fails": "red", "stopped": "yellow", "not asked": "dim"}


PIPED = 140
"""The width of the table where nobody looks."""


def console() -> Console:
    """Return standard output: as wide as the terminal, or wide enough where there is none."""
    found = Console(emoji=False)
    return found if found.is_terminal else Console(width=PIPED, emoji=False)


def worst(outcome: Outcome) -> str:
    """Say how much of its budget a claim used at most."""
    if outcome.state == "not asked":
        return "not asked"
    if outcome.state == "stopped":
        return "stopped"
    largest = max(outcome.slack.values(), default=0.0)
    return "over any budget" if math.isinf(largest) else f"{largest:.2g} of the budget"


def last_line(report: Report) -> str:
    """Return the line to read."""
    run = [outcome for outcome in report.outcomes if outcome.state != "not asked"]
    cases = sum(outcome.cases for outcome in run)
    failing = sum(outcome.state == "fails" for outcome in run)
    stopped = sum(outcome.state == "stopped" for outcome in run)
    policies = sum(not policy.ok for policy in report.policies)
    found = [
        f"{count} {words[0] if count == 1 else words[1]}"
        for count, words in (
            (failing, ("claim fails", "claims fail")),
            (stopped, ("claim was stopped", "claims were stopped")),
            (policies, ("policy is wrong", "policies are wrong")),
            (len(report.conduct), ("fault of conduct", "faults of conduct")),
        )
        if count
    ]
    said = "nothing fails" if not found else ", ".join(found)
    return (
        f"{report.subject}: {len(run)} claims on {cases} cases in {', '.join(report.dtypes)}, seed {report.seed}: "
        f"{said}."
    )


def held(report: Report) -> str:
    """Say how many claims hold, of those that were asked."""
    states = [outcome.state for outcome in report.outcomes]
    asked = len(states) - states.count("not asked")
    not_asked = f"; {len(states) - asked} not asked" if asked < len(states) else ""
    return f"{states.count('passes')} of {asked} claims hold{not_asked}"


def _policy(policy: Policy) -> str:
    mark = "·" if policy.ok else "✗"
    return f"  {mark} {policy.name}: {'told above' if policy.faults else policy.sentence()}"


def _table(outcomes: Sequence[Outcome]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    table.add_column("claim", overflow="fold")
    table.add_column("theorem", no_wrap=True)
    table.add_column("worst", no_wrap=True)
    for outcome in outcomes:
        style = STYLES[outcome.state]
        table.add_row(
            f"[{style}]{MARKS[outcome.state]}[/]",
            escape(outcome.check.title),
            escape(outcome.check.theorem or "none"),
            worst(outcome),
        )
    return table


def _print(table: Table, console: Console) -> None:
    """Print a table without the blanks that fill its lines."""
    with console.capture() as capture:
        console.print(table)
    lines = [line.rstrip() for line in capture.get().splitlines()]
    console.file.write("\n".join([*lines, ""]))


def show(report: Report, console: Console, addresses: Addresses, *, everything: bool = False) -> None:
    """Print what was found: the table has the claims that do not hold, or everything."""

    def say(text: str, style: str | None = None) -> None:
        console.print(escape(text), style=style, highlight=False, soft_wrap=True)

    def background(theorem: str | None, why: str, snippet: str | None) -> None:
        say(f"  theorem: {theorem or 'none: ' + why}")
        if (address := addresses.of(theorem)) is not None:
            say(f"  page: {address}")
            pages.append(address)
        for line in (snippet or "").splitlines():
            say(f"    {line}".rstrip())

    pages: list[str] = []
    if listed := [outcome for outcome in report.outcomes if everything or not outcome.ok]:
        _print(_table(listed), console)
        say("")
    say(held(report) + ("" if everything else " (--all lists every one)"))
    for outcome in report.outcomes:
        if outcome.stopped is not None:
            say(f"\n! {outcome.check.title}: stopped, {outcome.stopped}", STYLES["stopped"])
        failure = outcome.failure
        if failure is None:
            continue
        say(f"\n✗ {failure.sentence} ({failure.dtype})", STYLES["fails"])
        background(outcome.check.theorem, outcome.check.why, failure.snippet)
    for policy in report.wrong_policies:
        for dtypes, wrong in policy.wrong():
            say(f"\n✗ {policy.name}: {wrong.sentence} ({dtypes})", STYLES["fails"])
            background(policy.theorem, "a policy has none", wrong.snippet)
    for kind, fault in report.conduct.items():
        say(f"\n✗ {kind}: {fault.sentence} ({fault.dtype})", STYLES["fails"])
    if pages:
        say("\npages are places within the site: `make docs` in the repository builds it in site/")
    if report.notes:
        say("")
        for note in report.notes:
            say(f"  · {note}: not asked")
    say("\npolicies (require one with --policy NAME=VALUE)")
    for policy in report.policies:
        say(_policy(policy), None if policy.ok else STYLES["fails"])
    say("")
    say(last_line(report), "bold green" if report.ok else "bold red")
