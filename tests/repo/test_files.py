"""Files: how long they are, what they are called, and that the Lean side is the one that was recorded."""

import hashlib
import json
from pathlib import Path

from tests.repo.tree import ROOT, plant, tracked

LIMIT = 400
SAYS_NOTHING = {"utils", "util", "helpers", "helper", "common", "core", "misc"}


def too_long(root: Path) -> list[str]:
    """Sources of more than 400 lines, with their length."""
    lengths = {
        path: len((root / path).read_text(encoding="utf-8").splitlines())
        for path in tracked(root, "*.py", "*.lean", "*.js", "*.mjs", "*.css", "*.sh")
    }
    return [f"{path}: {length} lines" for path, length in lengths.items() if length > LIMIT]


def named_after_nothing(root: Path) -> list[str]:
    """Modules, packages and folders of sources whose name says nothing of what is in them."""
    parts = {
        part
        for path in tracked(root, "*.py", "*.lean", "*.js", "*.mjs")
        for part in path.with_suffix("").parts
    }
    return sorted(part for part in parts if part.lower() in SAYS_NOTHING)


def not_as_recorded(root: Path) -> list[str]:
    """Files that the record of the Lean side lists and whose SHA-256 is another one, or that are missing."""
    listed = json.loads((root / "ledger/lean.json").read_text(encoding="utf-8"))["files"]
    if not listed:
        raise LookupError("ledger/lean.json lists no file")
    found = {
        name: hashlib.sha256((root / name).read_bytes()).hexdigest() if (root / name).is_file() else "missing"
        for name in listed
    }
    return [name for name, digest in listed.items() if found[name] != digest]


def not_listed(root: Path) -> list[str]:
    """Tracked Lean files that the record of the Lean side does not list."""
    listed = json.loads((root / "ledger/lean.json").read_text(encoding="utf-8"))["files"]
    return [str(path) for path in tracked(root, "*.lean") if str(path) not in listed]


def test_no_source_is_over_400_lines() -> None:
    assert too_long(ROOT) == []


def test_source_of_401_lines_is_found(tmp_path: Path) -> None:
    plant(tmp_path, {"fits.py": "x\n" * 400, "long.css": "x\n" * 401})
    assert too_long(tmp_path) == ["long.css: 401 lines"]


def test_every_module_is_named_after_what_is_in_it() -> None:
    assert named_after_nothing(ROOT) == []


def test_module_and_folder_with_an_empty_name_are_found(tmp_path: Path) -> None:
    plant(tmp_path, {"a/utils.py": "", "core/read.py": "", "reading.py": ""})
    assert named_after_nothing(tmp_path) == ["core", "utils"]


def test_lean_side_is_byte_for_byte_the_recorded_one() -> None:
    assert not_as_recorded(ROOT) == []
    assert not_listed(ROOT) == []


def test_lean_file_with_one_changed_byte_or_missing_is_found(tmp_path: Path) -> None:
    digest = hashlib.sha256(b"theorem\n").hexdigest()
    files = dict.fromkeys(("lean/Kept.lean", "lean/Changed.lean", "lean/Gone.lean"), digest)
    plant(
        tmp_path,
        {
            "ledger/lean.json": json.dumps({"files": files}),
            "lean/Kept.lean": "theorem\n",
            "lean/Changed.lean": "Theorem\n",
        },
    )
    assert not_as_recorded(tmp_path) == ["lean/Changed.lean", "lean/Gone.lean"]


def test_lean_file_that_is_not_listed_is_found(tmp_path: Path) -> None:
    plant(
        tmp_path, {"ledger/lean.json": '{"files": {"lean/A.lean": ""}}', "lean/A.lean": "", "lean/B.lean": ""}
    )
    assert not_listed(tmp_path) == ["lean/B.lean"]


def test_licence_is_the_apache_licence_in_full() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
