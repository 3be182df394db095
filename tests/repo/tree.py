"""The files of the repository, as the tests about it see them."""

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def git(root: Path, *arguments: str) -> str:
    """What `git` prints in the folder `root`; a failing git raises."""
    return subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True, text=True).stdout


def tracked(root: Path, *patterns: str) -> list[Path]:
    """Tracked files of `root`, as paths inside it, that match a pattern: `*.py` in any folder, or `lean/**`.

    Raises:
        LookupError: no file matches; a scan that saw no file has shown nothing.
    """
    names = git(root, "ls-files", "-z", "--", *patterns).split("\0")
    paths = [Path(name) for name in names if name and (root / name).is_file()]
    if not paths:
        raise LookupError(f"no tracked file in {root} matches {patterns}")
    return paths


def lines(root: Path, *patterns: str) -> Iterator[tuple[str, str]]:
    """Each line of the tracked files that match, with its place as `path:line`."""
    for path in tracked(root, *patterns):
        text = (root / path).read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            yield f"{path}:{number}", line


def plant(root: Path, files: Mapping[str, str]) -> Path:
    """Make `root` a repository that tracks the given files (path to text)."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(root, "init", "--quiet")
    git(root, "add", "--force", ".")
    return root
