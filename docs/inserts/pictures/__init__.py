"""Drawings of computed numbers, made when the site is built. No picture is pasted: each has its numbers from the library.

* `Picture`: the drawing, what it shows in words, and the line below it.
* `PICTURES`: every picture by name.
* `figure`: a picture as HTML, for `<!-- picture: name -->`.

`drawing` has the kit, `outputs` the pictures of outputs and their range, `weights` those of weights.
"""

from collections.abc import Callable, Mapping
from html import escape

from docs.inserts.contents import Links
from docs.inserts.pictures import outputs, weights
from docs.inserts.pictures.picture import Picture
from docs.inserts.sources import Project

PICTURES: Mapping[str, Callable[[], Picture]] = {
    function.__name__: function for function in (*outputs.PICTURES, *weights.PICTURES)
}
"""What draws each picture, by name."""


def figure(name: str, project: Project, links: Links, here: str) -> str:
    """Return a picture with the line below it.

    Raises:
        ValueError: If there is no picture of that name.
    """
    del project, links, here
    if name not in PICTURES:
        raise ValueError(f"no picture `{name}`; there are {', '.join(sorted(PICTURES))}")
    picture = PICTURES[name]()
    return (
        f'<figure class="picture" data-search-exclude="true">{picture.drawing.svg(picture.alt)}'
        f"<figcaption>{escape(picture.caption, quote=False)}</figcaption></figure>"
    )
