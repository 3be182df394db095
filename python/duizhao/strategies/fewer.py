"""Cases with fewer keys than their theorems ask for, or with none.

* `fewer`: draw one from a case that has enough.
"""

from dataclasses import fields, replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from duizhao.strategies.attending import Twice
from duizhao.strategies.case import Case
from duizhao.strategies.heads import Heads
from duizhao.strategies.random_variables import RandomVectors
from duizhao.strategies.rounded import RoundedAverage


@st.composite
def fewer(draw: DrawFn, case: Case, part: int) -> Case:
    """Draw a case with only some of the first keys. Shrinks towards none.

    Of two layers, `part` says which one: 1 or 2; with 0 it is drawn.
    """
    keys = draw(st.integers(0, max(int(getattr(case, "n", 1)) - 1, 0)))
    if isinstance(case, Heads):
        return replace(case, key=case.key[:, :keys, :], value=case.value[:, :keys, :])
    if isinstance(case, RandomVectors):
        return replace(case, query=case.query[:, :0], key=case.key[:, :0])
    if isinstance(case, Twice) and (part == 2 or (not part and draw(st.booleans()))):
        return replace(case, query=case.query[:0, :], second_key=case.second_key[:0, :])
    cut = _cut(case, keys)
    if isinstance(cut, RoundedAverage) and keys == 0:
        # The weights of no keys sum to 0: that is 1 off.
        return replace(cut, epsilon=max(cut.epsilon, 1.0))
    return cut


def _cut(case: Case, keys: int) -> Case:
    """Return a case with only the first `keys` rows of every array that has a row for each key."""
    count = getattr(case, "n", None)
    cut: dict[str, Any] = {}
    for field in fields(case):
        value = getattr(case, field.name)
        if hasattr(value, "shape") and value.shape and value.shape[0] == count:
            cut[field.name] = value[:keys]
        elif isinstance(value, int) and not isinstance(value, bool):
            cut[field.name] = min(value, max(keys - 1, 0))
    return replace(case, **cut)
