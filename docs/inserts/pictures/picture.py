"""A picture: what is drawn, and its words.

* `Picture`.
"""

from dataclasses import dataclass

from docs.inserts.pictures.drawing import Drawing


@dataclass(frozen=True)
class Picture:
    """A drawing with the text that stands for it, and the line below it, both in Chinese, with the numbers drawn."""

    drawing: Drawing
    alt: str
    caption: str
