"""Claims on what scaling by `√d` does not do: `lean/NeuralNetworks/Counterexample/Scaling.lean`."""

from collections.abc import Callable
from typing import Any

from flint import arb

from duizhao import attention as reference
from duizhao import exact, rounding
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.hypotheses.counterexamples import has_a_coordinate
from duizhao.claims.refutation import differs, refuted
from duizhao.claims.relation import Budget, Gap, Witness
from duizhao.strategies import refutations
from duizhao.strategies.counterexamples import HighScore, MovedQuery

Scores = Callable[[Array, Array], Any]


def score(case: HighScore, scores: Scores) -> arb:
    """Return the score of the query with the key; without coordinates it is 0, as in Lean, a sum over nothing."""
    return arb(exact.balls(scores(case.query, case.key)).item() if case.n else 0)


@claim(relation=Witness(), cases=refutations.high_scores(), hypotheses={"Nonempty": has_a_coordinate})
def not_scores_le(case: HighScore, scores: Scores = reference.scores) -> Gap:
    """At every width `d ≥ 1`, whatever the bound, some query and key have a scaled score above it.

    Widths up to 31, and bounds up to a quarter of the largest float: twice such a bound does not overflow. Above the
    largest float itself there is no score in floats.
    """
    return refuted(*(score(case, function) > arb(case.bound) for function in (scores, exact.scores)))


@claim(relation=Witness(), cases=refutations.moved_queries())
def not_attentionWeights_add_query(
    case: MovedQuery, attention_weights: Scores = reference.attention_weights
) -> Gap:
    """Unlike for keys, adding one vector to every query can change the weights.

    Width 1 and two keys, with scores that are floats. Some weight changes by more than `weights_of_two_rows` allows.
    """
    moved, still = (exact.balls(attention_weights(query, case.key)) for query in (case.moved, case.query))
    true = (exact.attention_weights(query, case.key) for query in (case.moved, case.query))
    allowed = Budget(rounding.weights_of_two_rows).allowed(case.rows)
    return refuted(differs(moved, still, allowed), differs(*true))
