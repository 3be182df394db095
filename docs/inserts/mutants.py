"""The table of mutants: what each slip is, which claims kill it, and which let it live, as `make matrix` measured."""

import json
from collections import defaultdict
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from docs.inserts import contents
from docs.inserts.chinese import sentence
from docs.inserts.contents import Links
from docs.inserts.sources import Project

FILE = Path(__file__).parents[2] / "ledger" / "mutants.json"


def table(project: Project, links: Links, here: str) -> str:
    """Return the HTML of the table, with a part for each function that a mutant replaces.

    Raises:
        ValueError: If the file names a result that does not exist.
    """
    read: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["mutants"]
    parts: dict[str, list[str]] = defaultdict(list)
    for name, row in read.items():
        parts[row["replaces"]].append(
            f'<tr><th scope="row"><code>{escape(name)}</code></th><td>{sentence("mutants", row["says"])}</td>'
            f"<td>{_killed(row['killed_by'], len(row['lives']), project, links, here)}</td></tr>"
        )
    return "".join(
        f'<section class="mutants"><h3 id="mutants-{escape(function)}">代替 <code>{escape(function)}</code></h3>'
        '<div class="wide" tabindex="0"><table><thead><tr><th scope="col">变异体</th><th scope="col">错在哪里</th>'
        f'<th scope="col">杀死 / 遇到</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div></section>'
        for function, rows in sorted(parts.items())
    )


def _killed(ids: Sequence[str], living: int, project: Project, links: Links, here: str) -> str:
    missing = [id_ for id_ in ids if id_ not in project.results]
    if missing:
        raise ValueError(f"ledger/mutants.json names {missing[0]}, which does not exist: run make matrix")
    named = "、".join(
        contents.link(project.results[id_], links, here, f"<code>{escape(id_)}</code>") for id_ in ids
    )
    met = len(ids) + living
    return f"<details><summary>{len(ids)} / {met}</summary><p>{named}</p></details>"
