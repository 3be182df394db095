"""Reads the text of one Lean file: its imports, its declarations and where each begins and ends.

* `scan`: a file's text as a `Scan`.

This is no Lean parser. It knows comments, strings, scopes, attributes and the keywords that begin a
command, which is enough to find every theorem marked `@[companion]` in files written one command after the
other. An attribute that it cannot attach to a theorem is reported, never passed over.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

# A quote as a character, a quoted name, a raw string, a string, a line comment, the start of a block comment.
_SKIP = re.compile(
    r"""'\\?"'|«[^»\n]*»|(?<![\w.'])r(?P<hash>\#*)".*?"(?P=hash)|"(?:\\.|[^"\\])*"|--[^\n]*|/-""",
    re.DOTALL | re.VERBOSE,
)
_BLOCK = re.compile(r"/-|-/")
_ATTRIBUTES = r"(?:@\[(?:[^\[\]]|\[[^\[\]]*\])*\]\s*)*"
_MODIFIERS = r"(?:(?:private|protected|public|noncomputable|unsafe|partial|nonrec|meta|local|scoped)\s+)*"
_PREFIX = r"(?:(?:open|set_option|variable|include|omit|\#\w+)\b[^\n]*?\bin\b[ \t]+)*"
_DECLARATION = re.compile(
    rf"""^[ \t]*{_PREFIX}(?P<attributes>{_ATTRIBUTES}){_MODIFIERS}
    (?P<kind>theorem|lemma|def|abbrev|instance|structure|class|inductive|example|axiom|opaque|initialize)\b
    (?:[ \t]*\n)?(?:[ \t]+(?P<name>«[^»\n]*»[^\s({{\[⦃:]*|[^\s({{\[⦃:]+))?""",
    re.MULTILINE | re.VERBOSE,
)
_SCOPE = re.compile(
    r"^[ \t]*(?:(?:noncomputable|public|meta)[ \t]+)*"
    r"(?P<kind>namespace|section|mutual|end)\b(?:[ \t]+(?P<name>\S+))?",
    re.MULTILINE,
)
_COMMAND = re.compile(
    r"^(?:@\[|#\w|(?:open|variable|universe|set_option|attribute|include|omit|export|alias|import|macro|"
    r"macro_rules|syntax|notation|infix[lr]?|prefix|postfix|elab|elab_rules|run_cmd|run_meta|run_elab|"
    r"deriving instance|local|scoped|suppress_compilation|assert_not_exists|add_decl_doc|builtin_initialize|"
    r"declare_syntax_cat|simproc|register_\w+|library_note|unif_hint)\b)",
    re.MULTILINE,
)
_MARK = re.compile(r"(?:@|\battribute\s*)\[(?:[^\[\]]|\[[^\[\]]*\])*?(?<![\w.])companion(?![\w.])")
_IMPORT = re.compile(r"\s*(?:(?:public|private|meta)\s+)*import\s+(?:all\s+)?(?P<name>[^\s]+)")
_UNPROVED = re.compile(r"(?<![\w.'`«])(?:sorry|admit|axiom|native_decide)(?![\w'!?»]|\.[^\W\d])")
_HEADER = re.compile(r"\s*(?:module|prelude)\b")


@dataclass(frozen=True)
class Declaration:
    """A theorem, lemma, definition and so on; lines count from 1.

    `first` is the line that it begins on, docstring and attributes included (what Lean calls its line);
    `line` holds the keyword, `last` its end. `name` is the full name, None for an `example` or an unnamed
    instance.
    """

    kind: str
    name: str | None
    first: int
    line: int
    last: int
    sentence: str | None
    companion: bool

    @property
    def id(self) -> str:
        """The last component of the name."""
        return (self.name or "").rpartition(".")[2]


@dataclass(frozen=True)
class Scan:
    """Imports as (module, line), declarations in order, and the lines of marks that mark no theorem.

    `unproved` are the words in the code that stand in for a proof (`sorry`, `admit`, `axiom`, `native_decide`), as
    (word, line).
    """

    imports: tuple[tuple[str, int], ...]
    declarations: tuple[Declaration, ...]
    unattached: tuple[int, ...]
    unproved: tuple[tuple[str, int], ...]


def scan(text: str) -> Scan:
    """Find the imports and declarations in the text of a Lean file; broken code gives what can be seen."""
    plain, docs, breaks = _without_comments(text)
    newlines = [match.start() for match in re.finditer("\n", text)]

    def line_of(offset: int) -> int:
        return bisect_right(newlines, offset - 1) + 1

    heads = list(_DECLARATION.finditer(plain))
    starts = [_start(plain, head, docs) for head in heads]
    scopes = list(_SCOPE.finditer(plain))
    commands = [match.start() for match in _COMMAND.finditer(plain)]
    boundaries = sorted({*starts, *(scope.start() for scope in scopes), *commands, *breaks, len(plain)})

    declarations = []
    attached: set[int] = set()
    for head, start, namespace in zip(heads, starts, _namespaces(heads, scopes), strict=True):
        keyword = head.start("kind")
        end = boundaries[bisect_right(boundaries, keyword)]
        marks = [
            mark.start() for mark in _MARK.finditer(plain, head.start("attributes"), head.end("attributes"))
        ]
        companion = bool(marks) and head["kind"] in ("theorem", "lemma") and head["name"] is not None
        if companion:
            attached.update(marks)
        declarations.append(
            Declaration(
                kind=head["kind"],
                name=_full_name(namespace, head),
                first=line_of(start),
                line=line_of(keyword),
                last=line_of(keyword + len(plain[keyword:end].rstrip()) - 1),
                sentence=docs.get(start),
                companion=companion,
            )
        )
    unattached = tuple(line_of(m.start()) for m in _MARK.finditer(plain) if m.start() not in attached)
    unproved = tuple((m[0], line_of(m.start())) for m in _UNPROVED.finditer(plain))
    return Scan(_imports(plain, line_of), tuple(declarations), unattached, unproved)


def _without_comments(text: str) -> tuple[str, dict[int, str], list[int]]:
    """Blank comments and the insides of strings, keeping every offset.

    Also gives each docstring by its offset, trimmed, and the offsets of comments that begin a command.
    """
    docs: dict[int, str] = {}
    breaks: list[int] = []
    pieces: list[str] = []
    done = 0
    while match := _SKIP.search(text, done):
        start, end = match.span()
        pieces.append(text[done:start])
        if match[0] == "/-":
            end = _end_of_block(text, start)
            pieces.append(_blank(text[start:end]))
            if text.startswith("/--", start):
                docs[start] = text[start + 3 : end].removesuffix("-/").strip()
            if text.startswith(("/--", "/-!"), start) and text[start - 1 : start] in ("", "\n"):
                breaks.append(start)
        elif match[0].startswith("--"):
            pieces.append(_blank(match[0]))
        elif match[0].startswith("«"):
            pieces.append(match[0])
        else:
            pieces.append(match[0][0] + _blank(match[0][1:-1]) + match[0][-1])
        done = end
    pieces.append(text[done:])
    return "".join(pieces), docs, breaks


def _end_of_block(text: str, start: int) -> int:
    depth, position = 1, start + 2
    while depth:
        match = _BLOCK.search(text, position)
        if match is None:
            return len(text)
        depth += 1 if match[0] == "/-" else -1
        position = match.end()
    return position


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _start(plain: str, head: re.Match[str], docs: dict[int, str]) -> int:
    """The offset where the declaration begins: its docstring where one stands right before it."""
    start = head.start() + len(head[0]) - len(head[0].lstrip())
    before = [offset for offset in docs if offset < head.end("attributes")]
    if before and not plain[before[-1] : start].strip():
        return before[-1]
    return start


def _namespaces(heads: list[re.Match[str]], scopes: list[re.Match[str]]) -> list[list[str]]:
    """The namespace that each declaration stands in."""
    found: list[list[str]] = []
    stack: list[str | None] = []
    for match in sorted([*heads, *scopes], key=lambda match: match.start()):
        parts = (match["name"] or "").split(".")
        if match.re is _DECLARATION:
            found.append([part for part in stack if part is not None])
        elif match["kind"] == "namespace":
            stack.extend(parts)
        elif match["kind"] == "end":
            del stack[max(0, len(stack) - len(parts)) :]
        else:
            stack.extend([None] * len(parts))
    return found


def _full_name(namespace: list[str], head: re.Match[str]) -> str | None:
    name = (head["name"] or "").rstrip(".,")
    if not name or head["kind"] == "example":
        return None
    if name.startswith("_root_."):
        return name.removeprefix("_root_.")
    return ".".join([*namespace, name])


def _imports(plain: str, line_of: Callable[[int], int]) -> tuple[tuple[str, int], ...]:
    found = []
    position = 0
    while True:
        if match := _IMPORT.match(plain, position):
            found.append((match["name"], line_of(match.start("name"))))
        else:
            match = _HEADER.match(plain, position)
        if match is None:
            return tuple(found)
        position = match.end()
