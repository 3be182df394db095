"""Fills the pages of the site in: checks where the markers stand, then replaces them.

* `Page`: one page before and after.
* `check`: what is wrong with the markers of all pages.
* `fill`: all pages with panels, tables and formulas in place.
* `links`: the place and the heading of each result that has a panel.
* `targets`: where the redirects lead.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from docs.inserts import bugs, contents, formulas, half, lessons, markers, mutants, panel, pictures
from docs.inserts.contents import Links
from docs.inserts.sources import Project, Result

from duizhao.ledger.pages import page_of

HEADING = re.compile(
    r'(?P<start><h[1-6] id="(?P<id>\w+)">.*?)(?P<end>(?:<a class="headerlink"[^>]*>[^<]*</a>)?</h[1-6]>)',
    re.DOTALL,
)

COMPUTED: Mapping[str, Callable[[str, Project, Links, str], str]] = {
    "picture": pictures.figure,
    "matrix": lessons.matrix,
    "entry": lessons.entry,
    "trace": lessons.whole,
    "printed": lessons.printed,
}
"""What makes the insert of a marker that names no result: of its id, for the page at an address."""

SHOWN: Mapping[str, Callable[[Result], str]] = {
    "statement": panel.statement,
    "source": panel.source,
    "claim": panel.claimed,
}
"""What makes the insert of a marker that shows one part of a result."""


@dataclass(frozen=True)
class Page:
    """A page: its source file, its address in the site, its HTML, and its headings' texts by their ids."""

    source: str
    address: str
    html: str
    headings: dict[str, str] = field(default_factory=dict)


def check(pages: Sequence[Page], project: Project) -> Iterator[str]:
    """Yield what is wrong: unknown ids, panels placed twice or on another page, panels without an anchor."""
    placed: dict[str, str] = {}
    for page in pages:
        ids = markers.anchors(page.html)
        try:
            found = markers.find(page.html)
        except ValueError as error:
            yield f"{page.source}: {error}"
            continue
        for marker in found:
            if marker.kind in COMPUTED:
                yield from _check_computed(page, marker, project)
            elif marker.kind == "bug":
                if marker.id not in project.bugs:
                    yield f"{page.source}: no bug `{marker.id}`"
                elif page.address != f"bugs/{marker.id}/":
                    yield f"{page.source}: the panel of the bug `{marker.id}` belongs on the page bugs/{marker.id}/"
            elif marker.id and marker.id not in project.results:
                near = project.nearest(marker.id)
                yield f"{page.source}: no theorem `{marker.id}`{f'; did you mean {near}?' if near else ''}"
            elif marker.kind == "panel":
                yield from _check_panel(page, marker.id, ids.count(marker.id), placed, project)


def _check_computed(page: Page, marker: markers.Marker, project: Project) -> Iterator[str]:
    try:
        COMPUTED[marker.kind](marker.id, project, {}, page.address)
    except ValueError as error:
        yield f"{page.source}: {error}"


def _check_panel(
    page: Page, name: str, anchors: int, placed: dict[str, str], project: Project
) -> Iterator[str]:
    if name in placed:
        yield f"{page.source}: the panel of `{name}` stands twice, first in {placed[name]}"
        return
    placed[name] = page.source
    if anchors != 1:
        yield f"{page.source}: the panel of `{name}` needs one heading with {{#{name}}}, there are {anchors}"
    home = page_of(project.results[name].topic) + "/"
    if page.address != home:
        yield f"{page.source}: the panel of `{name}` belongs on the page {home}"


def places(pages: Sequence[Page]) -> dict[str, Page]:
    """Return the page of each id that has a panel."""
    return {marker.id: page for page in pages for marker in markers.find(page.html) if marker.kind == "panel"}


def links(pages: Sequence[Page]) -> contents.Links:
    """Return the address of the page and the heading of each id that has a panel."""
    return {name: (page.address, page.headings.get(name, name)) for name, page in places(pages).items()}


def fill(pages: Sequence[Page], project: Project, render: formulas.Render) -> list[Page]:
    """Return the pages with everything inserted; `render` makes the formulas.

    Raises:
        ValueError: If a marker or a formula is wrong: all that is found, a line each.
    """
    wrong = list(check(pages, project))
    if wrong:
        raise ValueError("\n".join(wrong))
    where = places(pages)
    found = links(pages)

    rendered = _rendered(pages, render)

    def filled(page: Page) -> Page:
        def insert(marker: markers.Marker) -> str:
            if marker.kind in COMPUTED:
                return COMPUTED[marker.kind](marker.id, project, found, page.address)
            if marker.kind == "panel":
                return panel.render(project.results[marker.id], project, found, page.address)
            if marker.kind == "result":
                return contents.mention(project.results[marker.id], found, page.address)
            if marker.kind in SHOWN:
                return SHOWN[marker.kind](project.results[marker.id])
            if marker.kind == "bug":
                return bugs.panel(project.bugs[marker.id], project, found, page.address)
            if marker.kind == "bugs":
                return bugs.table(list(project.bugs.values()), project, found)
            if marker.kind == "mutants":
                return mutants.table(project, found, page.address)
            if marker.kind == "topics":
                return contents.topics(project, found, page.address)
            if marker.kind == "half":
                return half.sentence()
            return contents.record(project)

        text = HEADING.sub(lambda heading: _named(heading, where), page.html)
        return replace(page, html=markers.replace(formulas.replace(text, rendered[page.source]), insert))

    return [filled(page) for page in pages]


def _rendered(pages: Sequence[Page], render: formulas.Render) -> dict[str, Mapping[formulas.Formula, str]]:
    """Render the formulas of all pages at once; if one is wrong, page by page, to name the pages."""
    found = {page.source: list(formulas.find(page.html)) for page in pages}
    try:
        together = render([formula for page in found.values() for formula in page])
        return dict.fromkeys(found, together)
    except ValueError:
        return {source: _render_page(source, of_page, render) for source, of_page in found.items()}


def _render_page(
    source: str, found: list[formulas.Formula], render: formulas.Render
) -> Mapping[formulas.Formula, str]:
    try:
        return render(found)
    except ValueError as error:
        raise ValueError("\n".join(f"{source}: {line}" for line in str(error).splitlines())) from error


def _named(heading: re.Match[str], where: Mapping[str, Page]) -> str:
    """Return the start of a heading with the id of its result, which readers look for, at its end."""
    if heading["id"] not in where:
        return heading[0]
    return f'{heading["start"]} <code class="id">{heading["id"]}</code>{heading["end"]}'


def targets(pages: Sequence[Page], project: Project) -> dict[str, tuple[str, str]]:
    """Return the page and the anchor that each full Lean name leads to, for results with a panel."""
    return {project.results[name].name: (page.address, name) for name, page in places(pages).items()}
