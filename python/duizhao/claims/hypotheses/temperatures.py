"""Hypotheses of theorems on softmax at a temperature."""

from flint import arb

from duizhao import exact
from duizhao.strategies.rows import largest, safe_reach, spread
from duizhao.strategies.temperatures import Cooled, Tempered, Turned, Warmed, gone


def is_greatest(case: Cooled) -> bool:
    """The number is the largest score, of some key."""
    return bool(largest(case.row) == arb(case.greatest))


def key_is_best(case: Warmed) -> bool:
    """No score is larger than that of the key."""
    return all(score <= case.row[case.key] for score in case.row)


def temperature_is_negative(case: Turned) -> bool:
    """The temperature is negative."""
    return case.temperature < 0


def nothing_underflows(case: Tempered) -> bool:
    """No exponential and no weight underflows at the temperature."""
    limit = safe_reach(case.target.arithmetic, case.n)
    return all(exact.upper(distance / arb(case.temperature)) <= limit for distance in spread(case.row))


def only_the_best_have_weight(case: Cooled) -> bool:
    """The exponential of every score below the largest underflows to 0 at the temperature."""
    limit = gone(case.target.arithmetic)
    return all(
        exact.lower(distance / arb(case.temperature)) >= limit
        for distance in spread(case.row)
        if distance != 0
    )
