"""Cases that let go of one hypothesis: drawn as usual, then changed where the hypothesis looked.

Everything shrinks as the claim's own cases do, and the changed numbers towards 0, 1 and −1.

* `loosened`: draw such a case.
* `lets_go_of`: whether a case is one.
* `fields_read`: at which fields of a case a hypothesis looks.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from duizhao.strategies.blocks import Blocks
from duizhao.strategies.case import Case, Target
from duizhao.strategies.fewer import fewer
from duizhao.strategies.random_variables import Space
from duizhao.strategies.rounded import RoundedReading
from duizhao.strategies.scores import FEW_KEYS
from duizhao.strategies.spaces import other_variables

Predicates = Mapping[str, Callable[[Any], bool]]

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
    """Draw small numbers, or truth values, in place of a field's: free, or with the sum 1. Shrinks towards 0."""
    number = st.sampled_from(NUMBERS)
    if _is_array(value):
        size = int(np.prod(value.shape))
        if isinstance(value, np.ndarray) and value.dtype == np.bool_:
            return np.asarray(draw(st.lists(st.booleans(), min_size=size, max_size=size))).reshape(
                value.shape
            )
        free = draw(st.lists(number, min_size=size, max_size=size))
        if size > 1 and draw(st.booleans()):
            free[-1] = 1 - sum(free[:-1])
        drawn = np.asarray(free, dtype=np.float64).reshape(value.shape)
        plain = isinstance(value, np.ndarray) and value.dtype == np.float64
        return drawn if plain else target.array(drawn.tolist())
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return draw(st.integers(0, max(value, 2)))
    return draw(number) if isinstance(value, float) else value


@st.composite
def other_blocks(draw: DrawFn, case: Blocks) -> Blocks:
    """Draw other blocks of the same keys, each with its largest score as shift; 0 if it is empty. Shrinks towards none."""
    size = case.members.size
    held = np.asarray(draw(st.lists(st.sampled_from([0.0, 1.0]), min_size=size, max_size=size)))
    again = replace(case, members=held.reshape(case.members.shape))
    shifts = np.where(np.isfinite(again.largest_scores), again.largest_scores, 0.0)
    return replace(again, shifts=shifts)


def _near(case: Case, dropped: str, predicates: Predicates) -> tuple[list[str], list[str]]:
    """Return the fields at which a hypothesis looks, and those of every hypothesis that looks at one of them."""
    looked_at = {name: fields_read(case, test) for name, test in predicates.items()}
    own = looked_at[dropped]
    shared = [seen for seen in looked_at.values() if seen & own]
    return sorted(own), sorted(frozenset[str]().union(*shared))


def _in_order(case: Case) -> Case:
    """Return the case with its lower bounds below its upper ones: an empty interval shows little."""
    for low, high in (("lower_bound", "upper_bound"), ("low", "high")):
        named = {field.name for field in fields(case)}
        if {low, high} <= named and getattr(case, low) is not None:
            ends = np.sort(np.asarray([getattr(case, low), getattr(case, high)], dtype=np.float64), axis=0)
            lower, upper = ends if ends.ndim > 1 else map(float, ends)
            ordered: dict[str, Any] = {low: lower, high: upper}
            case = replace(case, **ordered)
    return case


@st.composite
def loosened(
    draw: DrawFn, target: Target, cases: SearchStrategy[Any], dropped: str, predicates: Predicates
) -> Any:
    """Draw a case, changed where the hypothesis `dropped` looks at it, or where hypotheses look that share a field.

    Shrinks as the claim's cases do, and towards 0.
    """
    case = draw(cases)
    kind, _, part = dropped.partition(".")
    if kind in COUNTING:
        return draw(fewer(case, int(part or 0)))
    if isinstance(case, Blocks):
        return draw(other_blocks(case))
    if isinstance(case, Space):
        return draw(other_variables(case))
    own, near = _near(case, dropped, predicates)
    some, more = (st.lists(st.sampled_from(names), min_size=1, unique=True) for names in (own, near))
    flags = [name for name in own if isinstance(getattr(case, name), bool)]
    one = st.sampled_from(flags or own).map(lambda name: [name])
    chosen = sorted(draw(one | some | st.just(own) | more | st.just(near)))
    loose = _in_order(replace(case, **{name: draw(changed(target, getattr(case, name))) for name in chosen}))
    if isinstance(loose, RoundedReading) and draw(st.booleans()):
        return draw(fewer(loose, 0))
    return loose


def lets_go_of(case: Case, dropped: str, predicates: Predicates) -> bool:
    """Return whether a case has few keys, violates the hypothesis `dropped`, and keeps all others."""
    if max(getattr(case, "n", 0), getattr(case, "other_n", 0)) > FEW_KEYS:
        return False
    return all(bool(test(case)) != (name == dropped) for name, test in predicates.items())
