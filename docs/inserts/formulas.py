r"""Formulas: TeX between dollar signs becomes MathML when the site is built: no script, no font.

* `to_mathml`: one formula.
* `convert`: every formula of a page.

Arithmatex marks the formulas (generic output: `\(…\)` in a span, `\[…\]` in a div).
"""

import html
import re
from xml.etree import ElementTree

from latex2mathml import commands
from latex2mathml.converter import convert as latex_to_mathml

FORMULA = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\s*\\(?P<open>[(\[])(?P<tex>.*?)\\[)\]]\s*</(?P=tag)>'
    r"(?P<mark>[，。；：、？）”]*)",
    re.DOTALL,
)
ENVIRONMENT = re.compile(r"\\begin\{(?P<name>[^}]*)\}")
QUAD = re.compile(r"\\q?quad\b")
ESCAPED = re.compile(r"\\[\\{}]")
SIGNS = ("+", "\N{MINUS SIGN}", "±")
OPENING = ("(", "[", "{")
CLOSING = (")", "]", "}", "|", "\N{DOUBLE VERTICAL LINE}")
FUNCTION = re.compile(r"[A-Za-z]{2,}")
ROWS = ("math", "mrow", "mstyle", "mtd")
SCRIPTS = ("msub", "msup", "msubsup")
NAMESPACE = "http://www.w3.org/1998/Math/MathML"


def to_mathml(tex: str, *, display: bool) -> str:
    """Return a formula as MathML, with its TeX as the alternative text.

    Raises:
        ValueError: If the formula cannot be read, or the converter would leave some of its TeX standing.
    """
    tex = " ".join(tex.split())
    depth = 0
    for character in ESCAPED.sub("", tex):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            break
    if depth:
        raise ValueError(f"formula {tex!r}: braces do not match")
    for environment in ENVIRONMENT.finditer(tex):
        if "\\" + environment["name"] not in commands.MATRICES:
            raise ValueError(f"formula {tex!r}: no environment {environment['name']!r}")
    try:
        root = ElementTree.fromstring(latex_to_mathml(tex, display="block" if display else "inline"))
    except Exception as error:
        raise ValueError(f"formula {tex!r}: {type(error).__name__}: {error}") from error
    for element in root.iter():
        text = element.text or ""
        if "\\" in text or text == "&":
            raise ValueError(f"formula {tex!r}: {text!r} is not understood")
    for row in list(root.iter()):
        _space(row)
    root.set("alttext", tex)
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    return ElementTree.tostring(root, encoding="unicode")


def _space(row: ElementTree.Element) -> None:
    """Mark signs as signs, and give functions such as ln a thin space, but none before their brackets."""
    for before, element, after in zip([None, *row], list(row), [*row[1:], None], strict=False):
        first = before is None or (_local(before) == "mo" and before.text not in CLOSING)
        if first and _local(element) == "mo" and element.text in SIGNS:
            element.set("form", "prefix")
        word = element[0] if _local(element) in SCRIPTS else element
        if _local(word) not in ("mi", "mo") or not FUNCTION.fullmatch(word.text or ""):
            continue
        if _local(word) == "mo" and after is not None and after.text in OPENING:
            word.tag = word.tag.removesuffix("mo") + "mi"
        if _local(word) == "mi" and _local(row) in ROWS:
            place = list(row).index(element)
            if after is not None and _local(after) != "mo":
                row.insert(place + 1, _thin_space(element))
            if before is not None and (_local(before) != "mo" or before.text in CLOSING):
                row.insert(place, _thin_space(element))


def _thin_space(like: ElementTree.Element) -> ElementTree.Element:
    return ElementTree.Element(f"{{{NAMESPACE}}}mspace" if "}" in like.tag else "mspace", width="0.17em")


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def convert(page: str) -> str:
    r"""Return the HTML of a page with every formula turned into MathML.

    A displayed formula may break at its `\quad`: on a narrow screen the parts stand below each other.

    Raises:
        ValueError: If a formula cannot be converted.
    """

    def mathml(match: re.Match[str]) -> str:
        tex = html.unescape(match["tex"])
        if match["open"] == "[":
            parts = "".join(to_mathml(part, display=True) for part in QUAD.split(tex))
            return f'<div class="formula" tabindex="0">{parts}</div>{match["mark"]}'
        math = to_mathml(tex, display=False)
        return f'<span class="nobreak">{math}{match["mark"]}</span>' if match["mark"] else math

    return FORMULA.sub(mathml, page)
