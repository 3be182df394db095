"""Cases that let go of one hypothesis: drawn as usual, then changed where the hypothesis looked.

Everything shrinks as the claim's own cases do, and the changed numbers towards 0, 1 and −1.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from duizhao.strategies.case import Case, Target
from duizhao.strategies.scores import FEW_KEYS

NUMBERS = (0.0, 1.0, -1.0, 2.0, 0.5, -2.0, 3.0, 0.25)
"""What changed numbers are drawn from: small, and exact in every dtype."""

COUNTING = ("Nonempty", "Nontrivial", "NeZero")
"""Hypotheses on how many keys there are: letting go of one means fewer keys."""


def fields_read(case: Case, predicate: Callable[[Any], bool]) -> frozenset[str]:
    """Return the fields of a case that a predicate looks at, directly or through properties."""
    names = {field.name for field in fields(case)} - {"target"}
    seen: set[str] = set()

    def watch(self: Case, name: str) -> Any:
        if name in names:
            seen.add(name)
        return object.__getattribute__(self, name)

    watched = type("Watched", (type(case),), {"__getattribute__": watch})
    twin: Any = object.__new__(watched)
    twin.__dict__.update({name: vars(case)[name] for name in ("target", *names)})
    predicate(twin)
    return frozenset(seen)


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype")


@st.composite
def changed(draw: DrawFn, target: Target, value: Any) -> Any:
    """Draw small numbers in place of a field's. Shrinks towards 0."""
    number = st.sampled_from(NUMBERS)
    if _is_array(value):
        size = int(np.prod(value.shape))
        drawn = np.asarray(draw(st.lists(number, min_size=size, max_size=size))).reshape(value.shape)
        return (
            drawn
            if isinstance(value, np.ndarray) and value.dtype == np.float64
            else target.array(drawn.tolist())
        )
    if isinstance(value, bool):
        return draw(st.booleans())
    if isinstance(value, int):
        return draw(st.integers(0, max(value, 2)))
    return draw(number) if isinstance(value, float) else value


def _fewer(case: Case, keys: int) -> Case:
    """Return the case with only the first `keys` keys."""
    count = getattr(case, "n", None)
    cut: dict[str, Any] = {}
    for field in fields(case):
        value = getattr(case, field.name)
        if _is_array(value) and value.shape and value.shape[0] == count:
            cut[field.name] = value[:keys]
        elif isinstance(value, int) and not isinstance(value, bool):
            cut[field.name] = min(value, max(keys - 1, 0))
    return replace(case, **cut)


@st.composite
def loosened(
    draw: DrawFn, target: Target, cases: SearchStrategy[Any], dropped: str, predicate: Callable[[Any], bool]
) -> Any:
    """Draw a case, changed where the hypothesis `dropped` looks at it. Shrinks as the claim's cases do, and towards 0."""
    case = draw(cases)
    if dropped in COUNTING:
        return _fewer(case, draw(st.integers(0, max(int(getattr(case, "n", 1)) - 1, 0))))
    looked_at = sorted(fields_read(case, predicate))
    some = st.lists(st.sampled_from(looked_at), min_size=1, unique=True)
    chosen = draw(some | st.just(looked_at))
    return replace(case, **{name: draw(changed(target, getattr(case, name))) for name in sorted(chosen)})


def lets_go_of(case: Case, dropped: str, predicates: Mapping[str, Callable[[Any], bool]]) -> bool:
    """Return whether a case has few keys, violates the hypothesis `dropped`, and keeps all others."""
    if getattr(case, "n", 0) > FEW_KEYS:
        return False
    return all(bool(test(case)) != (name == dropped) for name, test in predicates.items())
