"""The navigation: the pages that `mkdocs.yml` lists and that are there, then those that it does not list.

* `present`: a `nav` without pages that are not written yet, and with every page beside them.

So a page appears as soon as it is written, at its place if `mkdocs.yml` gives it one, else at the end of its section.
"""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

Nav = list[Any]
"""As MkDocs reads it: each item a path, or one title with a path or with a list of items."""


def paths(nav: Nav) -> Iterator[str]:
    """Yield the paths of a navigation, in order."""
    for item in nav:
        inner = next(iter(item.values())) if isinstance(item, dict) else item
        if isinstance(inner, list):
            yield from paths(inner)
        else:
            yield inner


def present(nav: Nav, pages: Iterable[str]) -> Nav:
    """Return `nav` with exactly the given pages: a section takes those of its folder that are not listed, in order."""
    there = list(pages)
    listed = set(paths(nav))
    left = [page for page in there if page not in listed]
    kept = _present(nav, set(there), left)
    return [*kept, *left]


def _present(nav: Nav, there: set[str], left: list[str]) -> Nav:
    kept: Nav = []
    for item in nav:
        title, inner = next(iter(item.items())) if isinstance(item, dict) else (None, item)
        if isinstance(inner, list):
            folders = {PurePosixPath(path).parent for path in paths(inner)} - {PurePosixPath(".")}
            section = _present(inner, there, left)
            beside = [path for path in left if PurePosixPath(path).parent in folders]
            left[:] = [path for path in left if path not in beside]
            if section or beside:
                kept.append({title: [*section, *beside]})
        elif inner in there:
            kept.append(item)
    return kept
