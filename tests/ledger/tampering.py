"""Each way of tampering with a project by itself, for the tests and for a table: `python -m tests.ledger.tampering`.

The table shows what `duizhao check --topic read --lean record` says of each, and its exit code.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.ledger.project_copy import REPOSITORY, SETTINGS, ProjectCopy

READ = "lean/NeuralNetworks/Read.lean"
PAGE = "docs/theorems/read.md"
CLAIMS = "python/duizhao/claims/read.py"
PAGE_HEADING = "### 值全为零 {#read_zero}"
PINS = "ledger/statements.json"
RECORD = "ledger/lean.json"
HASH = "ledger/lean.json.sha256"


@dataclass(frozen=True)
class Tampering:
    """What is done to a project, and a part of what `duizhao check` must say."""

    what: str
    do: Callable[[ProjectCopy], None]
    says: str
    changes_claims: bool = False
    """What changes the claims is seen by a new process alone."""


def _appended(file: str, text: str) -> Callable[[ProjectCopy], None]:
    def do(project: ProjectCopy) -> None:
        with (project.root / file).open("a", encoding="utf-8") as opened:
            opened.write(text)

    return do


def _edited(file: str, old: str, new: str) -> Callable[[ProjectCopy], None]:
    return lambda project: project.edit(file, old, new)


def _deleted(*files: str) -> Callable[[ProjectCopy], None]:
    def do(project: ProjectCopy) -> None:
        for file in files:
            (project.root / file).unlink()

    return do


def _axioms(axioms: list[str], *, fix_hash: bool) -> Callable[[ProjectCopy], None]:
    def do(project: ProjectCopy) -> None:
        def change(record: dict[str, list[dict[str, object]]]) -> None:
            next(entry for entry in record["theorems"] if entry["id"] == "read_zero")["axioms"] = axioms

        project.edit_record(change, fix_hash=fix_hash)

    return do


def _statement_in_record(project: ProjectCopy) -> None:
    project.edit(RECORD, "(hw₁ : w ≤ 1)", "(hw₁ : w ≤ 2)")
    project.fix_hash()


def _statement_everywhere_but_pinned(project: ProjectCopy) -> None:
    project.edit(READ, "(hw₁ : w ≤ 1)", "(hw₁ : w ≤ 2)")
    _statement_in_record(project)
    digest = hashlib.sha256((project.root / READ).read_bytes()).hexdigest()
    project.edit_record(lambda record: record["files"].update({READ: digest}), fix_hash=True)


def _claim_deleted(project: ProjectCopy) -> None:
    """Delete the claim `read_zero`, decorator and all."""
    path = project.root / CLAIMS
    before, name, after = path.read_text(encoding="utf-8").partition("def read_zero(")
    assert name
    start, end = before.rindex("\n@claim(") + 1, after.find("\n\n\n")
    rest = after[end:] if end >= 0 else "\n"
    path.write_text(before[:start] + rest.lstrip("\n"), encoding="utf-8")


def _pin_deleted(project: ProjectCopy) -> None:
    pins = json.loads((project.root / PINS).read_text(encoding="utf-8"))
    del pins["statements"]["read_zero"]
    project.write(PINS, json.dumps(pins))


def _pages_deleted(project: ProjectCopy) -> None:
    shutil.rmtree(project.root / "docs")
    (project.root / "mkdocs.yml").unlink()


TAMPERINGS = (
    Tampering("edit a proof", _edited(READ, "nlinarith", "nlinarith "), f"{READ}: differs from the record"),
    Tampering(
        "edit a statement",
        _edited(READ, "(hw₁ : w ≤ 1)", "(hw₁ : w ≤ 2)"),
        f"{READ}: differs from the record",
    ),
    Tampering(
        "edit a docstring",
        _edited(READ, "Zero values give", "No values give"),
        f"{READ}: differs from the record",
    ),
    Tampering(
        "edit the toolchain",
        _edited("lean-toolchain", "v4.27.0", "v4.28.0"),
        "lean-toolchain: differs from the record",
    ),
    Tampering(
        "edit the manifest",
        _edited("lake-manifest.json", "a3a10db0", "b3a10db0"),
        "lake-manifest.json: differs from the record",
    ),
    Tampering(
        "edit lakefile.lean", _appended("lakefile.lean", "\n"), "lakefile.lean: differs from the record"
    ),
    Tampering(
        "edit a Lean file that no theorem rests on",
        _appended("lean/NeuralNetworksTest/Headline.lean", "-- more\n"),
        "Headline.lean: differs from the record; no theorem rests on it",
    ),
    Tampering(
        "add a Lean file that is not listed",
        lambda project: project.write("lean/Extra.lean", "theorem extra : True := trivial\n"),
        "lean/Extra.lean: is not listed in the record",
    ),
    Tampering("delete a Lean file", _deleted(READ), f"{READ}: is missing or cannot be read"),
    Tampering(
        "edit the record's hash", _edited(HASH, "60fce903", "70fce903"), "but ledger/lean.json.sha256 says"
    ),
    Tampering("delete the record's hash", _deleted(HASH), "the record's own hash cannot be read"),
    Tampering("take axioms out of the record", _axioms([], fix_hash=False), f"{RECORD}: its hash is"),
    Tampering("add sorryAx to the record", _axioms(["sorryAx"], fix_hash=False), "rests on `sorryAx`"),
    Tampering("add sorryAx and fix the hash", _axioms(["sorryAx"], fix_hash=True), "rests on `sorryAx`"),
    Tampering(
        "edit a statement in the record and fix the hash", _statement_in_record, "drifted from the pinned"
    ),
    Tampering(
        "edit a statement in source, record and hash",
        _statement_everywhere_but_pinned,
        "drifted from the pinned",
    ),
    Tampering("delete the record", _deleted(RECORD), f"{RECORD}: cannot be read"),
    Tampering(
        "delete the record and its hash", _deleted(RECORD, HASH), f"{RECORD}: is missing with its hash"
    ),
    Tampering("delete record, hash and pins", _deleted(RECORD, HASH, PINS), f"{PINS}: is missing"),
    Tampering("edit a pinned statement", _edited(PINS, "w ≤ 1", "w ≤ 2"), "drifted from the pinned"),
    Tampering("delete a pin", _pin_deleted, "`NeuralNetworks.read_zero` has no pinned statement"),
    Tampering("delete the pins", _deleted(PINS), f"{PINS}: is missing"),
    Tampering(
        "delete a claim", _claim_deleted, "unpaired: the theorem NeuralNetworks.read_zero has no claim", True
    ),
    Tampering(
        "rename a claim", _edited(CLAIMS, "def read_zero(", "def read_null("), "no theorem of that name", True
    ),
    Tampering(
        "change a claim's sentence",
        _edited(CLAIMS, "Zero values give a zero output", "Zero values give nothing"),
        "the claim says “Zero values give nothing",
        True,
    ),
    Tampering(
        "rename a page anchor",
        _edited(PAGE, "{#read_zero}", "{#read_null}"),
        f"{PAGE}: unpaired: the page has no heading with {{#read_zero}}",
    ),
    Tampering(
        "name a missing id on a page",
        _edited(PAGE, "<!-- panel: read_zero -->", "<!-- panel: read_null -->"),
        "names `read_null`, but there is no result",
    ),
    Tampering(
        "hide a page anchor in a comment",
        _edited(PAGE, PAGE_HEADING, f"<!--\n{PAGE_HEADING}\n-->"),
        f"{PAGE}: unpaired: the page has no heading with {{#read_zero}}",
    ),
    Tampering(
        "hide a page anchor in a block of code",
        _edited(PAGE, PAGE_HEADING, f"```\n{PAGE_HEADING}\n```"),
        f"{PAGE}: unpaired: the page has no heading with {{#read_zero}}",
    ),
    Tampering(
        "give a page an anchor twice",
        _appended(PAGE, "\n## x {#read_zero}\n"),
        f"{PAGE}: the page has more than one heading with {{#read_zero}}",
    ),
    Tampering(
        "delete all pages and the site's settings",
        _pages_deleted,
        f"{PAGE}: unpaired: there is no such page",
    ),
    Tampering("delete a page", _deleted(PAGE), f"{PAGE}: unpaired: there is no such page"),
)


def copy_of_everything(root: Path) -> ProjectCopy:
    """Copy the project with its claims and pages to the folder `root`."""
    root.mkdir()
    for name in (*SETTINGS, "mkdocs.yml"):
        shutil.copy(REPOSITORY / name, root / name)
    for name in ("lean", "ledger", "docs", "python"):
        shutil.copytree(REPOSITORY / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    return ProjectCopy(root)


def check(project: ProjectCopy, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the copy's own `duizhao check` on its record, as a user does who looks at one topic."""
    command = ("check", "--topic", "read", "--lean", "record", "--cases", "1", *options)
    return subprocess.run(
        [sys.executable, "-c", "from duizhao.cli import main; main()", *command],
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": str(project.root / "python"), "PATH": "", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def main() -> None:
    """Print the table."""
    print("| tampering | exit code | first line | what fails it |\n| --- | --- | --- | --- |")
    for tampering in TAMPERINGS:
        with tempfile.TemporaryDirectory() as folder:
            project = copy_of_everything(Path(folder) / "project")
            tampering.do(project)
            done = check(project)
        lines = done.stdout.splitlines()
        failures = [line for line in lines if line.startswith("✗")]
        more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
        said = next((line for line in failures if tampering.says in line), failures[0])
        print(f"| {tampering.what} | {done.returncode} | {lines[0]} | {said}{more} |", flush=True)


if __name__ == "__main__":
    main()
