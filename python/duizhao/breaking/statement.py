"""The hypotheses that a Lean statement names, read off its text.

* `hypotheses_of`: the names, as claims spell them.
"""

import re
from collections import Counter
from collections.abc import Iterator

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
CLOSING = {"(": ")", "{": "}", "[": "]", "⦃": "⦄"}

STRUCTURE = frozenset(
    ("Fintype", "DecidableEq", "AddCommGroup", "Module", "SeminormedAddCommGroup", "NormedSpace")
)
"""Classes that carry data, such as how to add: what a statement is about, not what it assumes."""

CONJUNCTION = re.compile(r"∈ stdSimplex|∈ Set\.Icc|^IsGreatest|∧")
"""What the type of a hypothesis says where it has two parts."""


def plain(name: str) -> str:
    """Return the name of a hypothesis with digits for subscripts: `hw₁` is `hw1`."""
    return name.translate(SUBSCRIPTS)


def binders(statement: str) -> Iterator[tuple[str, str]]:
    """Yield the bracket and the text of each binder of a statement, up to the colon before its conclusion."""
    _, _, rest = statement.partition(" ")
    depth, start = 0, 0
    for place, sign in enumerate(rest):
        if depth == 0 and sign == ":":
            return
        if sign in CLOSING:
            start = place if depth == 0 else start
            depth += 1
        elif sign in CLOSING.values():
            depth -= 1
            if depth == 0:
                yield rest[start], " ".join(rest[start + 1 : place].split())


def hypotheses_of(statement: str) -> dict[str, int]:
    """Return the names of the hypotheses of a theorem, each with its number of parts: 1, or 2 for a conjunction.

    A hypothesis is a binder whose name begins with h and whose type is no type of types, or an instance of a class that
    carries no data, by the class's name; two instances of one class are two parts.
    """
    found: dict[str, int] = {}
    classes: Counter[str] = Counter()
    for bracket, text in binders(statement):
        if bracket == "[":
            kind = text.split()[0].rpartition(".")[2]
            if kind not in STRUCTURE:
                classes[kind] += 1
            continue
        names, _, kind = text.partition(" : ")
        if not kind.startswith("Type"):
            parts = 2 if CONJUNCTION.search(kind) else 1
            found.update({plain(name): parts for name in names.split() if name.startswith("h")})
    return dict(classes) | found
