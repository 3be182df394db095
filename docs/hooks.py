"""The one hook of the site, which ties `docs/inserts` to MkDocs.

Once all pages are rendered, what their markers ask for is put into them; once the site is written, the
redirects are added.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # for `docs.inserts` and `tests.mutants`, which are not installed

from docs.inserts import navigation, redirects, site  # noqa: E402
from docs.inserts.sources import read_project  # noqa: E402
from jinja2 import Environment  # noqa: E402
from mkdocs.config.defaults import MkDocsConfig  # noqa: E402
from mkdocs.exceptions import PluginError  # noqa: E402
from mkdocs.structure.files import Files  # noqa: E402
from mkdocs.structure.toc import AnchorLink  # noqa: E402

_targets: dict[str, tuple[str, str]] = {}
"""Where the redirects of the site being built lead."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Show in the navigation the pages that are there."""
    config.nav = navigation.present(config.nav or [], [file.src_uri for file in files.documentation_pages()])
    return files


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:
    """Put panels, tables and formulas into the rendered pages."""
    del config
    shown = [file.page for file in files.documentation_pages() if file.page is not None]
    pages = [
        site.Page(page.file.src_uri, page.url, page.content or "", dict(_headings(page.toc)))
        for page in shown
    ]
    try:
        project = read_project(ROOT)
        for page, filled in zip(shown, site.fill(pages, project), strict=True):
            page.content = filled.html
    except ValueError as error:
        raise PluginError(str(error)) from error
    _targets.clear()
    _targets.update(site.targets(pages, project))
    return env


def on_post_build(config: MkDocsConfig) -> None:
    """Write the redirects from full Lean names."""
    redirects.write(Path(config.site_dir), _targets)


def _headings(links: Iterable[AnchorLink]) -> Iterator[tuple[str, str]]:
    """Yield the id and the text of each heading."""
    for link in links:
        yield link.id, link.title
        yield from _headings(link.children)
