"""The parts of hypotheses that are conjunctions: `hw.1` and `hw.2` of `hw`.

* `parts_of`: the parts of a predicate.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from flint import arb

from duizhao import exact
from duizhao.claims.hypotheses import attentions, heads, reads, roundings, temperatures
from duizhao.rounding import sum_of_weights
from duizhao.strategies.attending import Averaged, Bounded, Twice
from duizhao.strategies.heads import BoundedHeads
from duizhao.strategies.readings import Reading
from duizhao.strategies.rounded import RoundedAverage
from duizhao.strategies.temperatures import Cooled

Predicate = Callable[[Any], bool]


def no_weight_is_negative(case: Reading) -> bool:
    """No weight is negative."""
    return bool(np.all(case.exact_weights >= 0))


def no_entry_is_negative(case: Averaged) -> bool:
    """No entry of the column of the projection is negative."""
    return bool(np.all(case.exact_column >= 0))


def column_sums_to_one(case: Averaged) -> bool:
    """The column of the projection sums to one, up to the rounding of its entries."""
    return case.column_excess <= sum_of_weights(case.u, case.columns, case.tiny)


def first_layer_has_a_key(case: Twice) -> bool:
    """There is at least one key in the first layer."""
    return case.n >= 1


def second_layer_has_a_key(case: Twice) -> bool:
    """There is at least one key in the second layer."""
    return case.other_n >= 1


def attended_not_below(case: Bounded) -> bool:
    """No value is below the lower bound, coordinate by coordinate."""
    return bool(np.all(case.low <= case.exact_value))


def attended_not_above(case: Bounded) -> bool:
    """No value is above the upper bound, coordinate by coordinate."""
    return bool(np.all(case.exact_value <= case.high))


def head_not_below(case: BoundedHeads) -> bool:
    """No value of the head is below the lower bound, coordinate by coordinate."""
    return bool(np.all(case.low <= case.own_value))


def head_not_above(case: BoundedHeads) -> bool:
    """No value of the head is above the upper bound, coordinate by coordinate."""
    return bool(np.all(case.own_value <= case.high))


def scalar_not_below(case: RoundedAverage) -> bool:
    """No value is below the lower bound."""
    return bool(np.all(exact.balls(case.low).item() <= case.exact_values))


def scalar_not_above(case: RoundedAverage) -> bool:
    """No value is above the upper bound."""
    return bool(np.all(case.exact_values <= exact.balls(case.high).item()))


def is_some_score(case: Cooled) -> bool:
    """The number is the score of some key."""
    return any(score == arb(case.greatest) for score in case.row)


def no_score_is_larger(case: Cooled) -> bool:
    """No score is larger than the number."""
    return all(score <= arb(case.greatest) for score in case.row)


PARTS: dict[Predicate, tuple[Predicate, Predicate]] = {
    reads.on_simplex: (no_weight_is_negative, reads.sums_to_one),
    reads.values_between_bounds: (reads.no_value_below, reads.no_value_above),
    attentions.column_on_simplex: (no_entry_is_negative, column_sums_to_one),
    attentions.layers_have_a_key: (first_layer_has_a_key, second_layer_has_a_key),
    attentions.values_between_bounds: (attended_not_below, attended_not_above),
    heads.values_of_head_between_bounds: (head_not_below, head_not_above),
    roundings.scalars_between_bounds: (scalar_not_below, scalar_not_above),
    temperatures.is_greatest: (is_some_score, no_score_is_larger),
}
"""Predicates that say two things, with the two: membership of the simplex or of an interval, two layers, a maximum."""


def parts_of(predicates: Mapping[str, Predicate]) -> dict[str, tuple[Predicate, Predicate]]:
    """Return the two parts of each hypothesis that has some, by its name."""
    return {name: PARTS[test] for name, test in predicates.items() if test in PARTS}
