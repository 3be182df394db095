"""Smallest cases of attention."""

from duizhao.claims.witnesses.scores import gap_that_underflows
from duizhao.strategies import Target
from duizhao.strategies.attending import Compared


def key_that_underflows(target: Target) -> Compared:
    """Return the query 1 and two keys so far apart that the smaller weight is 0."""
    far = float(gap_that_underflows(target).scores[1])
    key = target.array([[0.0], [far]])
    return Compared(target, target.array([[1.0]]), key, target.array([[0.0], [0.0]]), second=0)
