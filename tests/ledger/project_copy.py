"""A copy of a project, to be tampered with."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
SETTINGS = ("lakefile.lean", "lean-toolchain", "lake-manifest.json")


@dataclass
class ProjectCopy:
    """A copy of a project, to be tampered with."""

    root: Path

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace a text that stands in a file, the first time that it does."""
        text = (self.root / file).read_text(encoding="utf-8")
        assert old in text
        (self.root / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    def write(self, file: str, text: str) -> None:
        """Write a file and the folders that it needs."""
        (self.root / file).parent.mkdir(parents=True, exist_ok=True)
        (self.root / file).write_text(text, encoding="utf-8")

    def edit_record(self, change: Callable[[Any], None], *, fix_hash: bool) -> None:
        """Change the record's data, and its own hash with it if asked to."""
        path = self.root / "ledger" / "lean.json"
        record = json.loads(path.read_text(encoding="utf-8"))
        change(record)
        path.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
        if fix_hash:
            self.fix_hash()

    def fix_hash(self) -> None:
        """Make the record's own hash right."""
        digest = hashlib.sha256((self.root / "ledger" / "lean.json").read_bytes()).hexdigest()
        self.write("ledger/lean.json.sha256", f"{digest}  lean.json\n")

    def record(self) -> Any:
        """The record's data."""
        return json.loads((self.root / "ledger" / "lean.json").read_text(encoding="utf-8"))
