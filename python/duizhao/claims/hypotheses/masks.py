"""Hypotheses of theorems on masked scores."""

import numpy as np

from duizhao import exact
from duizhao.strategies.masked import (
    CausalReads,
    CausalScores,
    MaskedReads,
    MaskedRow,
    MaskedRows,
    SplitRead,
    Widened,
)
from duizhao.strategies.rows import Balls, safe_reach, spread


def key_is_allowed(case: MaskedRow) -> bool:
    """The key is allowed."""
    return bool(case.allowed[case.key])


def second_is_allowed(case: MaskedRow) -> bool:
    """The second key is allowed."""
    return bool(case.allowed[case.second])


def key_is_not_allowed(case: MaskedRow) -> bool:
    """The key is not allowed."""
    return not case.allowed[case.key]


def new_key_is_not_allowed(case: Widened) -> bool:
    """The key that is allowed next is not allowed yet."""
    return not case.allowed[case.second]


def some_key_is_allowed(case: MaskedRow) -> bool:
    """Some key is allowed."""
    return bool(case.allowed.any())


def scores_agree(case: MaskedRows | MaskedReads) -> bool:
    """The two rows have the same score at every allowed key."""
    others = exact.balls(case.others)
    return bool(np.all(case.row[case.allowed] == others[case.allowed]))


def values_agree(case: MaskedReads) -> bool:
    """The value of every allowed key is the same in both reads."""
    others = exact.balls(case.other_values)
    return bool(np.all(case.exact_values[case.allowed] == others[case.allowed]))


def blocks_are_disjoint(case: SplitRead) -> bool:
    """No key is in both blocks."""
    return not np.any(case.blocks[0] & case.blocks[1])


def first_block_has_a_key(case: SplitRead) -> bool:
    """The first block has a key."""
    return bool(np.any(np.asarray(case.mask) != 0))


def second_block_has_a_key(case: SplitRead) -> bool:
    """The second block has a key."""
    return bool(np.any(np.asarray(case.other_mask) != 0))


def key_is_later(case: CausalScores) -> bool:
    """The key is after the position."""
    return case.position < case.key


def scores_agree_so_far(case: CausalReads) -> bool:
    """The scores of the position with itself and with earlier positions are the same in both."""
    others = exact.balls(case.others)[case.position, : case.n]
    return bool(np.all(case.row == others))


def values_agree_so_far(case: CausalReads) -> bool:
    """The values of the position and of earlier positions are the same in both."""
    values, others = exact.balls(case.values), exact.balls(case.other_values)
    return bool(np.all(values[: case.n] == others[: case.n]))


def within_reach(row: Balls, case: MaskedRow | CausalScores) -> bool:
    """Return whether no exponential and no weight of a row underflows."""
    limit = safe_reach(case.target.arithmetic, len(row))
    return all(exact.upper(distance) <= limit for distance in spread(row))


def nothing_allowed_underflows(case: MaskedRow) -> bool:
    """No exponential and no weight of an allowed key underflows."""
    return not case.allowed.any() or within_reach(case.row[case.allowed], case)


def nothing_underflows(case: MaskedRow | CausalScores) -> bool:
    """No exponential and no weight of a key underflows, allowed or not; of a causal query, of a key that it may read."""
    return within_reach(case.row, case)
