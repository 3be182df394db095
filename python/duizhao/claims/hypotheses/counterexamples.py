"""Hypotheses of theorems that a claim is false."""

from duizhao.strategies.counterexamples import HighScore


def has_a_coordinate(case: HighScore) -> bool:
    """Queries and keys have at least one coordinate."""
    return case.n >= 1
