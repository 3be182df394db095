"""Redirects: `lean/<full Lean name>/`, which links in courses point at, leads to the anchor of the result.

* `page`: the HTML of one redirect.
* `files`: all of them.
"""

import html
from collections.abc import Mapping

TEMPLATE = """<!doctype html>
<html lang="zh">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{name}</title>
<link rel="canonical" href="{page}">
<meta http-equiv="refresh" content="0; url={target}">
</head>
<body>
<p><code>{name}</code> 的页面在<a href="{target}">这里</a>。</p>
</body>
</html>
"""


def page(name: str, address: str, anchor: str) -> str:
    """Return the redirect of a Lean name to an anchor on the page whose address in the site is `address`."""
    up = "../../"
    return TEMPLATE.format(
        name=html.escape(name), page=html.escape(up + address), target=html.escape(f"{up}{address}#{anchor}")
    )


def files(targets: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Return the redirect of each Lean name by its address; `targets` gives its page and its anchor."""
    return {
        f"lean/{name}/index.html": page(name, address, anchor) for name, (address, anchor) in targets.items()
    }
