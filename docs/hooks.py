"""The one hook of the site, which ties `docs/inserts` to MkDocs.

Pages that are made from data are added, once all pages are rendered what their markers ask for is put into them, and
once the site is written the redirects are added.

With `DUIZHAO_WITHOUT_NODE` set, formulas stay TeX, and nothing is served of the npm packages.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # for `docs.inserts` and `tests.mutants`, which are not installed

from docs.inserts import bugs, commands, formulas, index, navigation, packages, redirects, site, vocabulary  # noqa: E402
from docs.inserts.broken import data as breaks  # noqa: E402
from docs.inserts.sources import read_project  # noqa: E402
from jinja2 import Environment  # noqa: E402
from mkdocs.config.defaults import MkDocsConfig  # noqa: E402
from mkdocs.exceptions import PluginError  # noqa: E402
from mkdocs.structure.files import File, Files  # noqa: E402
from mkdocs.structure.pages import Page  # noqa: E402
from mkdocs.structure.toc import AnchorLink  # noqa: E402
from tests.zoo import BUGS  # noqa: E402

BUG_BOOST = 0.2
"""What a page about a bug counts for in search: the page of the theorem counts 1."""

WITH_NODE = not os.environ.get("DUIZHAO_WITHOUT_NODE")

_written: dict[str, str] = {}
"""Files that are written beside the pages of the site being built, by address."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Teach search our terms, and load the styles of the formulas."""
    vocabulary.teach(vocabulary.read(Path(config.docs_dir)))
    if WITH_NODE:
        config.extra_css = [*packages.STYLES, *config.extra_css]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what comes from the npm packages, and show in the navigation the pages that are there."""
    try:
        for address, content in (packages.served(ROOT) if WITH_NODE else {}).items():
            files.append(File.generated(config, address, content=content))
        for bug in BUGS:
            if files.get_file_from_path(f"bugs/{bug.id}.md") is None:
                files.append(File.generated(config, f"bugs/{bug.id}.md", content=bugs.page(bug)))
    except ValueError as error:
        raise PluginError(str(error)) from error
    config.nav = navigation.present(config.nav or [], [file.src_uri for file in files.documentation_pages()])
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let search show bugs after what they are about, and put in the reference of the command with its headings."""
    del config, files
    if page.file.src_uri.startswith("bugs/"):
        page.meta.setdefault("search", {"boost": BUG_BOOST})
    return (
        markdown.replace("<!-- commands -->", commands.markdown())
        if "<!-- commands -->" in markdown
        else markdown
    )


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
        render = formulas.katex(ROOT) if WITH_NODE else formulas.plain
        for page, filled in zip(shown, site.fill(pages, project, render), strict=True):
            page.content = filled.html
    except ValueError as error:
        raise PluginError(str(error)) from error
    titles = [(page.title or "", page.url) for page in shown if page.url]
    _written.clear()
    _written.update(redirects.files(site.targets(pages, project)))
    _written["figures/breaks.json"] = json.dumps(breaks(project, site.links(pages)), ensure_ascii=False)
    _written["results.json"] = json.dumps(index.data(project, site.links(pages), titles), ensure_ascii=False)
    return env


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Give the search dialog the name that it lacks in the theme."""
    del page, config
    dialog = 'data-md-component="search" role="dialog"'
    return output.replace(dialog, f'{dialog} aria-label="搜索"', 1)


def on_post_build(config: MkDocsConfig) -> None:
    """Write the redirects from full Lean names, and the index of results."""
    for address, text in _written.items():
        file = Path(config.site_dir) / address
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _headings(links: Iterable[AnchorLink]) -> Iterator[tuple[str, str]]:
    """Yield the id and the text of each heading."""
    for link in links:
        yield link.id, link.title
        yield from _headings(link.children)
