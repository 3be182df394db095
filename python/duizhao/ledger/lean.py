"""The Lean side of the ledger: each theorem's state, from evidence only.

* `lean_side`: a project's theorems and everything that is wrong with them, as `LeanSide`.

A state is `proved` (Lake checked these sources now), `recorded` (an earlier check, whose record's hashes
match these sources), `stale` (recorded, but the sources changed) or `not run`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from duizhao.ledger.entry import Entry
from duizhao.ledger.infrastructure import infrastructure_problems
from duizhao.ledger.lake import LakeVerdict, find_lake, run_lake
from duizhao.ledger.problem import BUILD, Problem
from duizhao.ledger.project import installed_copies
from duizhao.ledger.record import Loaded, Verdict, compare, load_record, versions_of
from duizhao.ledger.sources import Sources, file_of, read_sources, topic_of

LeanMode = Literal["auto", "require", "record", "skip"]
LeanState = Literal["proved", "recorded", "stale", "not run"]
STATES: tuple[LeanState, ...] = get_args(LeanState)
SILENCE = 900.0


@dataclass(frozen=True)
class LeanTheorem:
    """What Lean says of one theorem.

    `line` is where it begins, docstring included, as Lean counts it. `statement` is the elaborated one,
    None where neither Lean nor the record gave it; `axioms` is None where they were not collected. `reason`
    says why the state is what it is.
    """

    id: str
    name: str
    module: str
    line: int
    statement: str | None
    sentence: str
    axioms: tuple[str, ...] | None
    state: LeanState
    reason: str

    @property
    def topic(self) -> str:
        """The module without `NeuralNetworks.`."""
        return topic_of(self.module)

    @property
    def file(self) -> str:
        """The path of its file in the project."""
        return file_of(self.module)


@dataclass(frozen=True)
class LeanSide:
    """All theorems by id, in the order of modules and lines, and what was found on the way.

    `problems` fail the run; `notes` (warnings, output that nobody can read) are for showing. `date` and
    `how` are those of the record, None where it was not used.
    """

    mode: LeanMode
    source: Literal["lake", "record", "none"]
    theorems: dict[str, LeanTheorem]
    problems: tuple[Problem, ...]
    toolchain: str | None
    mathlib: str | None
    date: str | None = None
    how: str | None = None
    notes: tuple[Problem, ...] = field(default=())

    @property
    def counts(self) -> dict[LeanState, int]:
        """How many theorems have each state, strongest first."""
        found = Counter(theorem.state for theorem in self.theorems.values())
        return {state: found[state] for state in STATES}

    @property
    def ok(self) -> bool:
        """Whether there is no problem and nothing stale; where Lean is required, also nothing not run."""
        failing = self.counts["stale"] + (self.counts["not run"] if self.mode == "require" else 0)
        return not self.problems and not failing

    def headline(self) -> str:
        """Say in one line how many theorems have each state."""
        return headline(self.counts, self)


def headline(counts: Mapping[Any, int], side: LeanSide) -> str:
    """Say in one line how many results have each state, with what the Lean side knows of versions."""
    lean = (side.toolchain or "of an unknown version").rpartition(":")[2]
    mathlib = side.mathlib or "of an unknown version"
    words = {
        "proved": f"proved now with Lean {lean}",
        "recorded": f"recorded on {side.date} with Lean {lean} and Mathlib {mathlib}",
    }
    parts = [f"{count} {words.get(state, state)}" for state, count in counts.items() if count]
    return ", ".join(parts) or "no theorems"


def lean_side(
    project: Path,
    mode: LeanMode = "auto",
    *,
    silence: float = SILENCE,
    on_line: Callable[[str], None] | None = None,
) -> LeanSide:
    """Give the state of every theorem of the project in the folder `project`.

    Args:
        project: the folder with `lakefile.lean`.
        mode: `auto` runs Lake if it is on PATH (but not inside the installed package), else reads the
            record; `require` runs Lake, and its absence is a problem; `record` reads the record; `skip` does
            neither. What is wrong with a record by itself, an axiom above all, is a problem in every mode.
        silence: seconds without any output after which Lake counts as hanging and is stopped.
        on_line: called with each line that Lake prints, as it comes.

    Raises:
        ValueError: `project` is no folder, `mode` is none of the four, or `silence` is not positive.
    """
    if not project.is_dir():
        raise ValueError(f"project: a folder is needed, got {str(project)!r}")
    if mode not in get_args(LeanMode):
        raise ValueError(f"mode: must be one of {', '.join(get_args(LeanMode))}, got {mode!r}")
    if not silence > 0:
        raise ValueError(f"silence: must be positive, got {silence}")
    sources = read_sources(project)
    loaded = load_record(project)
    problems = (*sources.problems, *loaded.problems)
    program = find_lake() if mode in ("auto", "require") else None
    if program is not None and (mode == "require" or project.resolve() != installed_copies().resolve()):
        problems = (*problems, *infrastructure_problems(loaded, sources))
        return _from_lake(sources, mode, problems, program, silence, on_line or _ignore)
    if mode in ("auto", "record"):
        return _from_record(sources, mode, problems, loaded)
    reason = "Lean was not asked for"
    if mode == "require":
        reason = "`lake` is not on PATH"
        text = f"{reason}, and Lean is required: install it from https://lean-lang.org, or ask for the record"
        problems = (*problems, Problem(text, BUILD))
    return _from_sources(sources, mode, problems, reason)


def _ignore(line: str) -> None:
    del line


def _from_lake(
    sources: Sources,
    mode: LeanMode,
    problems: tuple[Problem, ...],
    program: str,
    silence: float,
    on_line: Callable[[str], None],
) -> LeanSide:
    ran = run_lake(sources, program, silence=silence, on_line=on_line)
    versions = versions_of(sources.root)
    return LeanSide(
        mode=mode,
        source="lake",
        theorems=_theorems(sources, ran.entries.values(), ran.verdicts),
        problems=(*problems, *ran.problems),
        toolchain=versions.toolchain,
        mathlib=versions.mathlib,
        notes=tuple(ran.notes),
    )


def _from_record(sources: Sources, mode: LeanMode, problems: tuple[Problem, ...], loaded: Loaded) -> LeanSide:
    verdicts, differences = compare(loaded, sources)
    record = loaded.record
    if record is None:
        reason = next(iter(verdicts.values())).reason if verdicts else "there is no record"
        return _from_sources(sources, mode, problems, reason)
    return LeanSide(
        mode=mode,
        source="record",
        theorems=_theorems(sources, record.theorems, verdicts),
        problems=(*problems, *differences),
        toolchain=record.versions.toolchain,
        mathlib=record.versions.mathlib,
        date=record.date,
        how=record.how,
    )


def _from_sources(sources: Sources, mode: LeanMode, problems: tuple[Problem, ...], reason: str) -> LeanSide:
    versions = versions_of(sources.root)
    verdicts = {id_: Verdict("not run", reason) for id_ in sources.theorems}
    return LeanSide(
        mode=mode,
        source="none",
        theorems=_theorems(sources, (), verdicts),
        problems=problems,
        toolchain=versions.toolchain,
        mathlib=versions.mathlib,
    )


def _theorems(
    sources: Sources, entries: Iterable[Entry], verdicts: dict[str, LakeVerdict] | dict[str, Verdict]
) -> dict[str, LeanTheorem]:
    """Join what is listed with what the sources mark; what only one of them has is kept."""
    listed = {entry.id: entry for entry in entries}
    found = []
    for id_, verdict in verdicts.items():
        item = listed.get(id_) or sources.theorems[id_]
        found.append(
            LeanTheorem(
                id=id_,
                name=item.name,
                module=item.module,
                line=item.line,
                statement=item.statement if isinstance(item, Entry) else None,
                sentence=item.sentence or "",
                axioms=item.axioms if isinstance(item, Entry) else None,
                state=verdict.state,
                reason=verdict.reason,
            )
        )
    return {
        theorem.id: theorem for theorem in sorted(found, key=lambda theorem: (theorem.module, theorem.line))
    }
