"""Runs Lake on a project and says what it vouches for.

* `find_lake`: the `lake` on PATH.
* `run_lake`: `lake build`, `lake test`, `lake exe ledger`: every message placed, every theorem judged.

A theorem is proved if `lake build` ended well without an error or a missing proof (found up to date counts
as built), `lake exe ledger` lists it, as the sources do, with no axioms but Lean's own three, and `lake
test` passed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from duizhao.ledger.differences import list_differences
from duizhao.ledger.entry import Entry, UnreadableError, axiom_problems, read_entries, read_json
from duizhao.ledger.placing import blamed_module, place, shorten
from duizhao.ledger.problem import BUILD, Problem
from duizhao.ledger.process import Run, printable, run
from duizhao.ledger.record import SETTINGS, hash_of
from duizhao.ledger.sources import Sources
from duizhao.ledger.transcript import Message, Transcript, is_lake_line, read_transcript

BUILD_COMMAND = ("lake", "build")
TEST_COMMAND = ("lake", "test")
LEDGER_COMMAND = ("lake", "exe", "ledger")
LIST = "`lake exe ledger`"
_SHOWN_OUTPUT = 40


@dataclass(frozen=True)
class LakeVerdict:
    """What this run of Lake says of a theorem, and why."""

    state: Literal["proved", "not run"]
    reason: str


@dataclass
class LakeRun:
    """What Lake gave: the theorems listed and judged, problems, and notes, which fail nothing."""

    sources: Sources
    entries: dict[str, Entry] = field(default_factory=dict)
    verdicts: dict[str, LakeVerdict] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    broken: dict[str, str] = field(default_factory=dict)
    _seen: set[tuple[str, str, str | None, int | None, int | None]] = field(default_factory=set)

    def take(self, ran: Run, transcript: Transcript, *, must_complete: bool = False) -> bool:
        """Place everything that a command printed; say whether it ended well and reported no failure."""
        failed = ran.exit_code != 0
        failing = [message for message in transcript.messages if message.failing]
        for message in transcript.messages:
            self._place(message, failing=message.failing or (failed and message.severity == "text"))
        for message in failing:
            if module := blamed_module(message, self.sources):
                kind = "has a proof missing" if message.sorry else "has an error"
                self.broken.setdefault(module, f"{module} {kind} (`{ran.command}`)")
        for job in transcript.failed:
            if not any(message.job == job for message in failing):
                module = blamed_module(Message("error", "", job=job), self.sources)
                self.problems.append(Problem(f"`{ran.command}`: the job `{job}` failed", module or BUILD))
        if ran.trouble or (ran.exit_code or 0) < 0 or (failed and not failing):
            self.problems.append(Problem(f"`{ran.command}`: {ran.ended}", BUILD))
        elif not failed and must_complete and not transcript.completed:
            text = f"`{ran.command}` ended with exit code 0, but without saying that the build was completed"
            self.problems.append(Problem(text, BUILD))
            return False
        return not failed and not failing and not transcript.failed

    def _place(self, message: Message, *, failing: bool) -> None:
        key = (message.severity, message.text, message.file, message.line, message.column)
        if key not in self._seen:
            self._seen.add(key)
            (self.problems if failing else self.notes).append(place(message, self.sources))

    def not_run(self, reason: str) -> LakeRun:
        """Give every theorem the state `not run`, for what broke among its modules, else for the reason."""
        modules = {entry.id: entry.module for entry in self.entries.values()}
        modules |= {theorem.id: theorem.module for theorem in self.sources.theorems.values()}
        for id_, module in modules.items():
            own = [self.broken[name] for name in sorted(self.sources.closure(module)) if name in self.broken]
            self.verdicts[id_] = LakeVerdict("not run", "; ".join(own) or reason)
        return self


def find_lake() -> str | None:
    """The file that `lake` on PATH is, also where it cannot be run; None where there is none."""
    found = shutil.which("lake") or shutil.which("lake", mode=0)
    return None if found is None else str(Path(found).absolute())


def run_lake(sources: Sources, program: str, *, silence: float, on_line: Callable[[str], None]) -> LakeRun:
    """Build, test and list the theorems of a project with the `lake` at `program`; tell whatever happens."""
    result = LakeRun(sources)

    def start(command: tuple[str, ...], what: str) -> Run:
        on_line(f"{' '.join(command)}: {what}")
        return run(
            command,
            program=program,
            folder=sources.root,
            silence=silence,
            on_line=on_line,
            keep_output=command == LEDGER_COMMAND,
        )

    before = _fingerprint(sources.root, [*sources.files])
    built = start(BUILD_COMMAND, _what_build_does(sources.root))
    well = result.take(built, read_transcript(built.lines), must_complete=True)
    if built.exit_code != 0:
        return result.not_run(f"`lake build`: {built.ended}")
    tested = start(TEST_COMMAND, "checks the guards of the theorems' list")
    passed = result.take(tested, read_transcript(tested.lines))
    if tested.exit_code is None:
        return result.not_run(f"`lake test`: {tested.ended}")
    listed = _list(start(LEDGER_COMMAND, "lists the theorems with their axioms"), result)
    if listed:
        _judge(result)
    if _fingerprint(sources.root, [*sources.files]) != before:
        result.problems.append(Problem("the sources changed while Lake was running: run it again", BUILD))
        return result.not_run("the sources changed while Lake was running")
    if not well:
        return result.not_run("`lake build` did not end without errors and missing proofs")
    if not passed:
        return result.not_run(f"`lake test` did not pass: {tested.ended}")
    if not listed:
        return result.not_run(f"{LIST} gave no list of theorems")
    return result


def _fingerprint(root: Path, files: list[str]) -> list[str | None]:
    return [hash_of(root / file) for file in [*SETTINGS, *files]]


def _what_build_does(root: Path) -> str:
    if (root / ".lake" / "packages" / "mathlib" / ".lake" / "build").is_dir():
        return "checks every proof whose sources changed"
    return "the first time, this builds Mathlib, for hours; `lake exe cache get` fetches it built"


def _list(ran: Run, result: LakeRun) -> bool:
    """Take the list of theorems from `lake exe ledger`; say whether it gave one."""
    lines = ran.output.split(b"\n")
    first, last = 0, len(lines)
    while first < last and _is_around(lines[first]):
        first += 1
    while last > first and _is_around(lines[last - 1]):
        last -= 1
    around = [printable(line) for line in [*lines[:first], *lines[last:]]]
    body = [printable(line) for line in lines[first:last]]
    if ran.exit_code != 0:
        result.take(ran, read_transcript([*ran.lines, *around, *body]))
        return False
    ended_well = result.take(ran, read_transcript([*ran.lines, *around]))
    try:
        entries = read_entries(read_json(b"\n".join(lines[first:last])), "theorems")
    except UnreadableError as error:
        printed = shorten("\n".join(body), _SHOWN_OUTPUT) if any(body) else "nothing"
        result.problems.append(Problem(f"{LIST}: {error}; it printed:\n{printed}", BUILD))
        return False
    result.entries = {entry.id: entry for entry in entries}
    result.problems += axiom_problems(entries, LIST)
    return ended_well


def _is_around(line: bytes) -> bool:
    text = printable(line)
    return not text.strip() or is_lake_line(text)


def _judge(result: LakeRun) -> None:
    """Give each theorem that Lean lists or the sources mark its state."""
    for difference in list_differences(result.entries.values(), result.sources, LIST):
        result.problems.append(difference.problem)
        result.verdicts[difference.id] = LakeVerdict("not run", difference.problem.text)
    for entry in result.entries.values():
        if entry.id in result.verdicts:
            continue
        if entry.axioms is None:
            verdict = LakeVerdict("not run", f"{LIST} does not say what it rests on")
        elif entry.forbidden():
            verdict = LakeVerdict("not run", f"it rests on {', '.join(entry.forbidden())}")
        else:
            verdict = LakeVerdict("proved", "built now; it rests on no axioms but Lean's own")
        result.verdicts[entry.id] = verdict
