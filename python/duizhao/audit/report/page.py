"""What an audit found, as one HTML file that needs no other.

* `document`: the claims, the policies, and the matrices of each failure, drawn.
"""

import html

import numpy as np

from duizhao.audit.pages import Addresses
from duizhao.audit.policies import Policy
from duizhao.audit.report.drawing import matrix
from duizhao.audit.report.terminal import MARKS, last_line, worst
from duizhao.audit.run import Failure, Outcome, Report
from duizhao.strategies.audits import AXES

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top; }
.fails, .stopped { color: #b00000; font-weight: 600; }
.passes { color: #106010; }
pre { background: #f5f5f5; padding: .8rem; overflow-x: auto; font-size: 13px; }
svg { margin: .4rem 1rem .4rem 0; vertical-align: top; }
svg .name { font: 13px system-ui, sans-serif; }
svg .number { font: 12px system-ui, sans-serif; text-anchor: middle; }
"""


def _matrices(failure: Failure) -> str:
    """Draw the sample and head in which a failing case fails: its arrays, and how far it is off."""
    verdict, case = failure.verdict, failure.case
    if verdict is None or case is None:
        return ""
    places = dict(zip(verdict.reading.axes, verdict.index, strict=True))
    sample, head = places.get("b", 0), places.get("h", places.get("g", 0))
    drawn = []
    for name, array in case.arrays.items():
        if AXES[name][:2] in ("bh", "bg"):
            axis = array.shape[1]
            drawn.append(matrix(name, array[sample, head * axis // case.query.shape[1]]))
    amounts = np.asarray(verdict.amounts)
    index = verdict.index
    while amounts.ndim > 2:
        amounts, index = amounts[index[0]], index[1:]
    if amounts.ndim < 2:
        amounts = np.atleast_2d(amounts)
        index = (0, *index)
    drawn.append(matrix("off by", amounts, (index[0], index[1])))
    return "\n".join(drawn)


def _failed(outcome: Outcome, addresses: Addresses) -> str:
    parts = [f"<h3>{MARKS[outcome.state]} {html.escape(outcome.check.title)}</h3>"]
    if outcome.stopped is not None:
        parts.append(f"<p>stopped: {html.escape(outcome.stopped)}</p>")
    failure = outcome.failure
    if failure is not None:
        parts.append(f'<p class="fails">{html.escape(failure.sentence)} ({failure.dtype})</p>')
        parts.append(_told(outcome.check.theorem, outcome.check.why, addresses))
        parts.append(_matrices(failure))
        if failure.snippet is not None:
            parts.append(f"<pre>{html.escape(failure.snippet)}</pre>")
    return "\n".join(parts)


def _told(theorem: str | None, why: str, addresses: Addresses) -> str:
    """Return a paragraph on the theorem behind a failure, and its place within the site."""
    told = f"theorem: <code>{theorem}</code>" if theorem else f"no theorem: {html.escape(why)}"
    address = addresses.of(theorem)
    return f"<p>{told}{f', page: {html.escape(address)} within the site' if address else ''}</p>"


def _wrong(policy: Policy, addresses: Addresses) -> str:
    parts = []
    for dtypes, wrong in policy.wrong():
        parts.append(f"<h3>✗ {policy.name}</h3>")
        parts.append(f'<p class="fails">{html.escape(wrong.sentence)} ({dtypes})</p>')
        parts.append(_told(policy.theorem, "a policy has none", addresses))
        if wrong.snippet is not None:
            parts.append(f"<pre>{html.escape(wrong.snippet)}</pre>")
    return "\n".join(parts)


def document(report: Report, addresses: Addresses) -> str:
    """Return the report as an HTML document: no script, no file beside it, nothing from a network."""
    rows = "\n".join(
        f'<tr><td class="{outcome.state.replace(" ", "-")}">{MARKS[outcome.state]}</td>'
        f"<td>{html.escape(outcome.check.title)}</td>"
        f"<td><code>{html.escape(outcome.check.theorem or 'none')}</code></td><td>{worst(outcome)}</td></tr>"
        for outcome in report.outcomes
    )
    policies = "\n".join(
        f'<tr><td class="{"passes" if policy.ok else "fails"}">{"·" if policy.ok else "✗"}</td>'
        f"<td><code>{policy.name}</code></td><td>{html.escape(policy.sentence())}</td></tr>"
        for policy in report.policies
    )
    conduct = "\n".join(
        f'<p class="fails">✗ {kind}: {html.escape(fault.sentence)} ({fault.dtype})</p>'
        for kind, fault in report.conduct.items()
    )
    notes = "\n".join(f"<p>· {html.escape(note)}: not asked</p>" for note in report.notes)
    failures = "\n".join(_failed(outcome, addresses) for outcome in report.outcomes if not outcome.ok)
    failures += "\n".join(_wrong(policy, addresses) for policy in report.wrong_policies)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Audit of {html.escape(report.subject)}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>Audit of {html.escape(report.subject)}</h1>
<p class="{"passes" if report.ok else "fails"}">{html.escape(last_line(report))}</p>
{conduct}
{notes}
<h2>Claims</h2>
<table>
<tr><th></th><th>claim</th><th>theorem</th><th>worst</th></tr>
{rows}
</table>
<h2>Policies</h2>
<table>
{policies}
</table>
{f"<h2>What fails</h2>{failures}" if failures else ""}
</body>
</html>
"""
