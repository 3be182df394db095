"""Where the pages speak of the theorems of an audit.

* `Addresses`: the address of each result within the site, if there is a project with pages.
"""

from dataclasses import dataclass
from pathlib import Path

from duizhao.ledger.lean import lean_side
from duizhao.ledger.pages import Pages
from duizhao.ledger.project import find_project


@dataclass(frozen=True)
class Addresses:
    """The addresses of results within the site, by id."""

    known: dict[str, str]

    @classmethod
    def here(cls) -> "Addresses":
        """Read the record and the pages of the project in this folder, or of the installed package."""
        try:
            root = find_project(Path.cwd()).root
            theorems = lean_side(root, "record").theorems
        except (FileNotFoundError, ValueError):
            return cls({})
        pages = Pages.of(root)
        found = {id_: pages.address(theorem.topic, id_) for id_, theorem in theorems.items()}
        return cls({id_: address for id_, address in found.items() if address is not None})

    def of(self, theorem: str | None) -> str | None:
        """Return the address of a theorem's page, or `None`."""
        return None if theorem is None else self.known.get(theorem)
