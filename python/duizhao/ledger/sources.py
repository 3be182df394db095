"""Reads the Lean sources of a project: modules, imports and the theorems marked `@[companion]`.

* `read_sources`: a project's folder as `Sources`.
* `Sources.closure`: a module and every module of the project that it imports, directly or not.
* `Sources.holding`: the declaration that a line lies in.

The marked theorems of `NeuralNetworks` and everything below it are the list of results; those of the tests
are not. A module that `NeuralNetworks.lean` does not import is a problem, as Lake would not build it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from duizhao.ledger.problem import BUILD, Problem
from duizhao.ledger.scanner import Declaration, scan

SOURCE_DIR = "lean"
ROOT = "NeuralNetworks"


@dataclass(frozen=True)
class Module:
    """One Lean file: its module name, its path in the project and what it holds."""

    name: str
    file: str
    imports: tuple[tuple[str, int], ...]
    declarations: tuple[Declaration, ...]
    unattached: tuple[int, ...]
    unproved: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class SourceTheorem:
    """A theorem marked `@[companion]`: `line` is where it begins, docstring included, as Lean counts it."""

    id: str
    name: str
    module: str
    file: str
    line: int
    keyword_line: int
    last_line: int
    sentence: str | None

    @property
    def topic(self) -> str:
        """The module without `NeuralNetworks.`."""
        return topic_of(self.module)


def topic_of(module: str) -> str:
    """The topic of a module: its name without `NeuralNetworks.`."""
    return module.removeprefix(ROOT + ".")


def file_of(module: str) -> str:
    """The path of a module's file in the project."""
    return f"{SOURCE_DIR}/{module.replace('.', '/')}.lean"


def module_name(file: str) -> str:
    """The name of the module in a file given as `lean/NeuralNetworks/Read.lean`."""
    return file.removeprefix(SOURCE_DIR + "/").removesuffix(".lean").replace("/", ".")


@dataclass(frozen=True)
class Sources:
    """The Lean files of a project, with the hash of each (None: cannot be read), and the modules in them."""

    root: Path
    files: dict[str, str | None]
    modules: dict[str, Module]
    problems: tuple[Problem, ...]

    @cached_property
    def theorems(self) -> dict[str, SourceTheorem]:
        """The list of results by id, in the order of modules and lines; of two with one id, the first."""
        found: dict[str, SourceTheorem] = {}
        for theorem in _marked(self.modules.values()):
            found.setdefault(theorem.id, theorem)
        return found

    @cached_property
    def by_name(self) -> dict[str, SourceTheorem]:
        """The list of results by full Lean name."""
        return {theorem.name: theorem for theorem in self.theorems.values()}

    def closure(self, module: str) -> frozenset[str]:
        """The module and all modules of the project that it imports, the missing ones included."""
        seen: set[str] = set()
        ahead = [module]
        while ahead:
            name = ahead.pop()
            if name not in seen:
                seen.add(name)
                known = self.modules.get(name)
                ahead += [other for other, _ in known.imports] if known else []
        return frozenset(seen)

    def module_of(self, file: str) -> Module | None:
        """The module of a file given as `lean/NeuralNetworks/Read.lean`."""
        return self.modules.get(module_name(file))

    def holding(self, file: str, line: int) -> Declaration | None:
        """The declaration whose span, from docstring or attribute to its end, holds the line."""
        module = self.module_of(file)
        if module is None:
            return None
        return next((d for d in module.declarations if d.first <= line <= d.last), None)


def read_sources(root: Path) -> Sources:
    """Read every Lean file below `lean/` of the project in `root`.

    Files that cannot be read, imports that lead nowhere, marks on no theorem, ids used twice, modules that
    are not built, an empty list, and words that stand in for a proof are told in `problems`; the tests of the
    attribute must use such words.
    """
    files: dict[str, str | None] = {}
    modules: dict[str, Module] = {}
    problems: list[Problem] = []
    below = root / SOURCE_DIR
    paths = [path for path in sorted(below.rglob("*.lean")) if not path.is_dir()]
    tops = {path.relative_to(below).parts[0].removesuffix(".lean") for path in paths}
    for path in paths:
        name = ".".join(path.relative_to(below).with_suffix("").parts)
        file = path.relative_to(root).as_posix()
        files[file] = None
        try:
            data = path.read_bytes()
            files[file] = hashlib.sha256(data).hexdigest()
            found = scan(data.decode())
        except (OSError, UnicodeDecodeError) as error:
            problems.append(Problem(f"cannot be read: {error}", name, file))
            continue
        imports = tuple(item for item in found.imports if item[0].split(".")[0] in tops)
        modules[name] = Module(name, file, imports, found.declarations, found.unattached, found.unproved)
    problems.extend(_problems(Sources(root, files, modules, ())))
    return Sources(root, files, modules, tuple(problems))


def _is_result_module(name: str) -> bool:
    return name == ROOT or name.startswith(ROOT + ".")


def _marked(modules: Iterable[Module]) -> list[SourceTheorem]:
    return [
        SourceTheorem(d.id, d.name, module.name, module.file, d.first, d.line, d.last, d.sentence)
        for module in sorted(modules, key=lambda module: module.name)
        for d in module.declarations
        if d.companion and d.name is not None and _is_result_module(module.name)
    ]


def _problems(sources: Sources) -> Iterable[Problem]:
    built = sources.closure(ROOT)
    for module in sources.modules.values():
        for name, line in module.imports:
            if name not in sources.modules:
                yield Problem(
                    f"imports {name}, but there is no {file_of(name)}", module.name, module.file, line
                )
        for word, line in () if module.name.startswith(f"{ROOT}Test.") else module.unproved:
            text = f"`{word}` stands in the code, where a proof must be"
            yield Problem(text, module.name, module.file, line)
        if _is_result_module(module.name):
            for line in module.unattached:
                text = (
                    "this mark stands on no theorem that can be found: write `@[companion]` right before it"
                )
                yield Problem(text, module.name, module.file, line)
            if module.name not in built:
                text = f"{file_of(ROOT)} does not import {module.name}, so Lake does not build it"
                yield Problem(text, module.name, module.file)
    if ROOT not in sources.modules:
        yield Problem(f"there is no {file_of(ROOT)}, which imports all theorems", ROOT, file_of(ROOT))
    for theorem in _marked(sources.modules.values()):
        first = sources.theorems[theorem.id]
        if first != theorem:
            text = f"`{theorem.name}` and `{first.name}` share the id `{theorem.id}`"
            yield Problem(text, theorem.id, theorem.file, theorem.line)
        if theorem.sentence is None:
            text = f"`{theorem.name}` has no docstring: it is the sentence that readers see"
            yield Problem(text, theorem.id, theorem.file, theorem.line)
    if not sources.theorems:
        yield Problem(f"no theorem marked `@[companion]` was found below {SOURCE_DIR}/", BUILD)
