"""What the site serves of the npm packages, so that a reader's browser asks no other host.

* `served`: the files, by their address in the site.
* `STYLES`: the style sheets among them that every page needs.
"""

import re
from collections.abc import Mapping
from pathlib import Path

KATEX = "assets/katex"
JSXGRAPH = "assets/jsxgraph"
STYLES = (f"{KATEX}/katex.min.css",)
OLD_FONTS = re.compile(r",url\([^)]*\.(?:woff|ttf)\) format\([^)]*\)")


def served(root: Path) -> Mapping[str, bytes]:
    """Return the files that the site serves of the packages in `node_modules` of the folder `root`.

    Raises:
        ValueError: If a package is missing.
    """
    katex, jsxgraph = root / "node_modules/katex/dist", root / "node_modules/jsxgraph/distrib"
    for folder in (katex, jsxgraph):
        if not folder.is_dir():
            raise ValueError(f"{folder.relative_to(root)} is missing: `make docs` installs it")
    styles = OLD_FONTS.sub("", (katex / "katex.min.css").read_text(encoding="utf-8"))
    files = {f"{KATEX}/katex.min.css": styles.encode()}
    for font in sorted((katex / "fonts").glob("*.woff2")):
        files[f"{KATEX}/fonts/{font.name}"] = font.read_bytes()
    for name in ("jsxgraphcore.js", "jsxgraph.css"):
        files[f"{JSXGRAPH}/{name}"] = (jsxgraph / name).read_bytes()
    return files
