"""The list of results as data, `results.json`: for courses that link to us, and for `find/`.

* `data`: what it holds.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from docs.inserts.contents import Links
from docs.inserts.sources import Project

SCHEMA = 1


def data(project: Project, links: Links, pages: Sequence[tuple[str, str]]) -> Mapping[str, Any]:
    """Return every result with its place, and the title and the address of every page."""
    results = []
    for result in project.results.values():
        address, title = links.get(result.id, (None, None))
        results.append(
            {
                "id": result.id,
                "name": result.name,
                "topic": result.topic,
                "title": title,
                "sentence": result.sentence,
                "state": result.state,
                "relation": None if result.claim is None else result.claim.relation.word,
                "page": None if address is None else f"{address}#{result.id}",
            }
        )
    return {
        "schema": SCHEMA,
        "results": results,
        "pages": [{"title": title, "address": address} for title, address in pages],
    }
