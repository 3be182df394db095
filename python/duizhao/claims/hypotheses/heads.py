"""Hypotheses of theorems on several heads."""

import numpy as np

from duizhao.strategies.heads import BoundedHeads, Heads, OtherHeads


def heads_have_a_key(case: Heads) -> bool:
    """There is at least one key."""
    return case.n >= 1


def values_of_head_between_bounds(case: BoundedHeads) -> bool:
    """Every value of the head lies between the bounds, coordinate by coordinate."""
    return bool(np.all((case.low <= case.own_value) & (case.own_value <= case.high)))


def queries_of_head_agree(case: OtherHeads) -> bool:
    """The two sets of queries agree in the head."""
    return case.agrees(case.query, case.other_query)


def keys_of_head_agree(case: OtherHeads) -> bool:
    """The two sets of keys agree in the head."""
    return case.agrees(case.key, case.other_key)


def values_of_head_agree(case: OtherHeads) -> bool:
    """The two sets of values agree in the head."""
    return case.agrees(case.value, case.other_value)
