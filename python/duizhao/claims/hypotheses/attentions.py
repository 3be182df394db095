"""Hypotheses of theorems on attention."""

import numpy as np

from duizhao import exact
from duizhao.rounding import sum_of_weights
from duizhao.rounding.attention import score_rounding
from duizhao.strategies.attending import Attending, Averaged, Bounded, Compared, Later, Masked, Twice
from duizhao.strategies.rows import safe_reach


def has_a_key(case: Attending) -> bool:
    """There is at least one key."""
    return case.n >= 1


def layers_have_a_key(case: Twice) -> bool:
    """There is at least one key in each layer."""
    return case.n >= 1 and case.other_n >= 1


def values_between_bounds(case: Bounded) -> bool:
    """Every value lies between the bounds, coordinate by coordinate."""
    return bool(np.all((case.low <= case.exact_value) & (case.exact_value <= case.high)))


def column_on_simplex(case: Averaged) -> bool:
    """The column of the projection is not negative and sums to one, up to the rounding of its entries."""
    allowed = sum_of_weights(case.u, case.columns, case.tiny)
    return all(weight >= 0 for weight in case.exact_column) and case.column_excess <= allowed


def query_is_zero(case: Attending) -> bool:
    """The query is zero in every coordinate."""
    return all(entry == 0 for entry in exact.balls(case.query)[case.row])


def query_may_read_a_key(case: Masked) -> bool:
    """The query may read some key."""
    return bool(np.any(case.allowed[case.row]))


def inputs_agree_so_far(case: Later) -> bool:
    """The two inputs agree in every row up to that of the query."""
    so_far = slice(0, case.row + 1)
    return bool(np.all(exact.balls(case.inputs)[so_far] == exact.balls(case.others)[so_far]))


def no_weight_underflows(case: Compared) -> bool:
    """No exponential and no weight underflows, whatever the rounding of the scores."""
    error = score_rounding(case.u, case.scored, case.tiny, case.accumulator)
    limit = safe_reach(case.target.arithmetic, case.n)
    return bool(np.all(case.scored.spread + 2 * error.max(axis=-1) <= limit))
