"""The ledger as one HTML file that needs nothing else: no script, no font, no other file.

* `page`: the file's text.
"""

from collections.abc import Iterator
from html import escape

from duizhao.ledger.check import Ledger
from duizhao.ledger.render import introduction, slack_text, verdict, worked_text
from duizhao.ledger.row import Row
from duizhao.strategies import targets

STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { padding: .2rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
pre { white-space: pre-wrap; font-size: .9rem; margin: .3rem 0; }
summary { cursor: pointer; font-family: ui-monospace, monospace; }
.failing, .unpaired, .stale, .wrong { color: light-dark(#b00020, #ff8a80); font-weight: bold; }
.run { color: light-dark(#7a5200, #ffd180); }
tr:target { outline: 2px solid; }
"""


def page(ledger: Ledger) -> str:
    """Return the ledger as an HTML page."""
    return "\n".join(_lines(ledger)) + "\n"


def _lines(ledger: Ledger) -> Iterator[str]:
    first, *others = (escape(text) for text in introduction(ledger))
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    yield f"<title>Ledger: {first}</title><style>{STYLE}</style></head>"
    yield f"<body><h1>Ledger</h1><p><strong>{first}</strong></p>"
    yield from (f"<p>{text}</p>" for text in others)
    if ledger.findings:
        yield '<h2 class="wrong">What is wrong</h2><ul>'
        for finding in ledger.findings:
            yield f"<li><b>{escape(finding.where)}</b><pre>{escape(finding.text)}</pre></li>"
        yield "</ul>"
    yield "<h2>Results</h2>"
    yield from _table(ledger)
    if ledger.worked:
        yield "<h2>Worked examples</h2><ul>"
        yield from (f"<li>{escape(text.strip())}</li>" for text in worked_text(ledger))
        yield "</ul>"
    if ledger.lean.notes:
        yield "<h2>Notes from Lean</h2><ul>"
        yield from (f"<li><pre>{escape(f'{note.where}: {note}')}</pre></li>" for note in ledger.lean.notes)
        yield "</ul>"
    yield f'<p class="{"" if ledger.ok else "wrong"}"><strong>{escape(verdict(ledger))}</strong></p>'
    yield "</body></html>"


def _table(ledger: Ledger) -> Iterator[str]:
    names = ("id", "state", "relation", *(f"slack {target.name}" for target in targets()), "page")
    yield f"<table><thead><tr>{''.join(f'<th>{name}</th>' for name in names)}</tr></thead><tbody>"
    topic = None
    for row in ledger.rows:
        if row.topic != topic:
            topic = row.topic
            yield f'<tr><th colspan="{len(names)}">{escape(topic)}</th></tr>'
        yield _row(ledger, row)
    yield "</tbody></table>"


def _row(ledger: Ledger, row: Row) -> str:
    statement = row.lean.statement if row.lean is not None else None
    shown = f"<pre>{escape(statement)}</pre>" if statement else ""
    cells = [
        f"<td><details><summary>{row.id}</summary>{escape(row.sentence or '')}{shown}</details></td>",
        f'<td class="{row.state}">{row.state}</td>',
        f"<td>{row.relation}</td>",
        *(f'<td class="number">{slack_text(ledger, row, target.name)}</td>' for target in targets()),
        f"<td>{escape(row.page or '—')}</td>",
    ]
    return f'<tr id="{row.id}">{"".join(cells)}</tr>'
