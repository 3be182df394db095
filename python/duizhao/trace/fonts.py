"""The font of the plots: a subset of Noto Sans SC that comes with the package.

* `bundled`: the file, for as long as it is needed.
* `CHARACTERS`: what it has glyphs for; `scripts/subset_font.py` makes it so.
* `choose`: fonts for labels that somebody else wrote.

matplotlib is imported inside functions: it is an optional dependency.
"""

import string
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import resources

FAMILY = "Duizhao Sans"
FILE = "duizhao-sans.otf"
WORDS = {
    "weights": "权重 A",
    "weight": "权重",
    "query": "查询",
    "key": "键",
    "masked": "灰色：被遮住的键",
    "value": "值 V",
    "output": "输出 O",
    "hull": "值的凸包",
    "interval": "值的区间",
    "outputs_in_hull": "输出 O 与值的凸包",
    "outputs_in_interval": "输出 O 与值的区间",
    "first_two": "（{count} 个坐标中的前两个）",
    "coordinate": "坐标 {number}",
}
"""Everything that a plot says in Chinese."""
CHARACTERS = "".join(sorted({*string.printable.strip(), " ", *"−×·…∞√", *"".join(WORDS.values())}))
"""The characters that the bundled font has."""
INSTALLED = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Noto Sans CJK JP",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "SimHei",
)
"""Fonts that a machine may have, for labels with other Chinese characters."""


@contextmanager
def bundled() -> Iterator[str]:
    """Make the bundled font known to matplotlib and give its path, until the block ends."""
    from matplotlib.font_manager import fontManager

    with resources.as_file(resources.files("duizhao") / "data" / FILE) as path:
        if all(entry.fname != str(path) for entry in fontManager.ttflist):
            fontManager.addfont(path)
        yield str(path)


def choose(path: str, texts: Iterable[str]) -> tuple[list[str], str]:
    """Return font families that have glyphs for as much as possible of the texts, and the characters that none has.

    The bundled font at `path` comes first, then matplotlib's own, then one of `INSTALLED` if it is needed and there.
    """
    from matplotlib.font_manager import fontManager

    families, own = [FAMILY, "DejaVu Sans"], {entry.name: entry.fname for entry in fontManager.ttflist}
    missing = set("".join(texts)) - _characters(path) - _characters(own["DejaVu Sans"])
    for family in INSTALLED:
        if missing and family in own and (found := missing & _characters(own[family])):
            families.append(family)
            missing -= found
    return families, "".join(sorted(missing))


def _characters(path: str) -> set[str]:
    from matplotlib.font_manager import get_font

    return {chr(code) for code in get_font(path).get_charmap()}
