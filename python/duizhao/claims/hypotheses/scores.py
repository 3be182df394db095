"""Hypotheses of theorems on rows of scores."""

import numpy as np
from flint import arb

from duizhao import exact
from duizhao.strategies.rows import (
    Balls,
    Bounded,
    Lead,
    Near,
    Raised,
    Scaled,
    ScoreRow,
    TwoRows,
    safe_reach,
    spread,
)


def has_a_key(case: ScoreRow) -> bool:
    """There is at least one key."""
    return case.n >= 1


def has_two_keys(case: ScoreRow) -> bool:
    """There are at least two keys."""
    return case.n >= 2


def score_is_raised(case: Raised) -> bool:
    """The new score of the key is larger than its old one."""
    return bool(case.row[case.key] < arb(case.raised_to))


def scores_differ(case: Scaled) -> bool:
    """The scores of the two keys differ."""
    return bool(case.row[case.key] != case.row[case.second])


def weights_come_from_the_scale(case: Scaled) -> bool:
    """The second row is the first times the scale, rounded."""
    products = case.target.array(case.scale) * case.scores
    return bool(np.all(case.other_row == exact.balls(products)))


def keys_differ(case: Raised) -> bool:
    """The second key is not the one whose score is raised."""
    return case.second != case.key


def key_leads(case: Lead) -> bool:
    """The key scores at least the lead above every other key."""
    rivals = (score for index, score in enumerate(case.row) if index != case.key)
    return all(case.row[case.key] - score >= arb(case.lead) for score in rivals)


def key_is_bounded(case: Bounded) -> bool:
    """The key scores at most the bound above each of the keys."""
    return all(case.row[case.key] - score <= arb(case.bound) for score in case.row)


def rows_are_near(case: Near) -> bool:
    """The two rows differ by at most epsilon at every key."""
    return all(
        abs(first - second) <= arb(case.epsilon)
        for first, second in zip(case.row, case.other_row, strict=True)
    )


def within_reach(row: Balls, case: ScoreRow) -> bool:
    """No exponential and no weight of the row underflows."""
    limit = safe_reach(case.target.arithmetic, case.n)
    return all(exact.upper(distance) <= limit for distance in spread(row))


def nothing_underflows(case: ScoreRow) -> bool:
    """No exponential and no weight underflows."""
    return within_reach(case.row, case)


def nothing_underflows_in_either(case: TwoRows) -> bool:
    """No exponential and no weight of either row underflows."""
    return within_reach(case.row, case) and within_reach(case.other_row, case)


def nothing_underflows_after_scaling(case: Scaled) -> bool:
    """No exponential and no weight of the scaled row underflows."""
    return within_reach(case.other_row, case)
