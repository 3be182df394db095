r"""Formulas: TeX between dollar signs becomes HTML that KaTeX makes when the site is built: no script in the page.

* `Formula`, `find`: the formulas of a page.
* `katex`: renders them with the KaTeX in `node_modules`.
* `plain`: leaves them as TeX, where there is no node.
* `replace`: a page with its formulas rendered.

Arithmatex marks the formulas (generic output: `\(…\)` in a span, `\[…\]` in a div).
"""

import html
import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MARKED = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\s*\\(?P<open>[(\[])(?P<tex>.*?)\\[)\]]\s*</(?P=tag)>'
    r"(?P<mark>[，。：；、？）”]*)",
    re.DOTALL,
)
STEP = re.compile(
    r"\\(?P<quad>q?quad\b)|\\(?P<begin>begin\b)|\\(?P<end>end\b)|\\.|(?P<brace>[{}])", re.DOTALL
)


@dataclass(frozen=True)
class Formula:
    """The TeX of a formula, and whether it stands on a line of its own."""

    tex: str
    display: bool


Render = Callable[[Sequence[Formula]], Mapping[Formula, str]]
"""Gives the HTML of each formula; raises `ValueError` for one that cannot be read."""


def parts(tex: str) -> list[str]:
    r"""Return the parts of a formula between its `\quad`s, outside of braces and environments."""
    found = [""]
    depth = last = 0
    for step in STEP.finditer(tex):
        if step["brace"]:
            depth += 1 if step["brace"] == "{" else -1
        elif step["begin"] or step["end"]:
            depth += 1 if step["begin"] else -1
        elif step["quad"] and depth == 0:
            found[-1] += tex[last : step.start()]
            found.append("")
            last = step.end()
    found[-1] += tex[last:]
    return [part.strip() for part in found]


def _formulas(match: re.Match[str]) -> list[Formula]:
    tex = " ".join(html.unescape(match["tex"]).split())
    if match["open"] == "[":
        return [Formula(part, True) for part in parts(tex)]
    return [Formula(tex, False)]


def find(page: str) -> Iterator[Formula]:
    r"""Yield the formulas in the HTML of a page; a displayed one in its parts between `\quad`s."""
    for match in MARKED.finditer(page):
        yield from _formulas(match)


def replace(page: str, rendered: Mapping[Formula, str]) -> str:
    r"""Return the HTML of a page with its formulas rendered.

    A displayed formula may break at its `\quad`: on a narrow screen the parts stand below each other. The element around
    a formula is one that KaTeX does not use itself, so that search leaves out all of it.
    """

    def shown(match: re.Match[str]) -> str:
        inner = "".join(rendered[formula] for formula in _formulas(match))
        if match["open"] == "[":
            return f'<section class="formula" tabindex="0" data-search-exclude="true">{inner}</section>{match["mark"]}'
        formula = f'<bdi class="formula" data-search-exclude="true">{inner}</bdi>'
        return f'<span class="nobreak">{formula}{match["mark"]}</span>' if match["mark"] else formula

    return MARKED.sub(shown, page)


def plain(formulas: Sequence[Formula]) -> Mapping[Formula, str]:
    """Return the TeX of each formula as code."""
    return {formula: f"<code>{html.escape(formula.tex)}</code>" for formula in formulas}


def katex(root: Path) -> Render:
    """Return what renders formulas with the KaTeX that npm has installed in the folder `root`."""

    def render(formulas: Sequence[Formula]) -> Mapping[Formula, str]:
        different = list(dict.fromkeys(formulas))
        run = subprocess.run(
            ["node", Path(__file__).with_name("katex.mjs")],
            input=json.dumps([{"tex": formula.tex, "display": formula.display} for formula in different]),
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=root,
        )
        if run.returncode:
            raise ValueError(run.stderr.strip())
        return dict(zip(different, json.loads(run.stdout), strict=True))

    return render
