"""Claims on the worked examples of the lessons: `lean/NeuralNetworks/Examples.lean`.

Each element is computed by the reference functions and compared with the enclosure of its closed form in
`data/examples.json`, which was written from the lessons. The example stands alone or at some place of a batch of other
sequences, which must not change it. Budgets come from `duizhao.examples.budgets`.
"""

from collections.abc import Callable

import numpy as np
from flint import arb, fmpq

from duizhao import attention as reference
from duizhao import exact
from duizhao import read as reference_read
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.relation import Balls, Budget, Exact, Gap, gap
from duizhao.examples import recomputation
from duizhao.examples.budgets import (
    exponential_of_example,
    numbers_of_example,
    outputs_of_example,
    weights_of_example,
)
from duizhao.strategies.worked import WorkedExample, worked

Project = Callable[[Array, Array], Array]
Scores = Callable[..., Array]
AttentionWeights = Callable[[Array, Array], Array]
Attention = Callable[[Array, Array, Array], Array]
Read = Callable[[Array, Array], Array]

INPUT = ("X", "W_Q", "W_K")
INPUT_AND_VALUES = (*INPUT, "W_V")

ONE_DOT_MORE = ((0, 0, 1), (0, 2, 1), (1, 2, 0), (1, 2, 1), (2, 2, 0), (2, 0, 1))
"""Queries of `red key .` with two keys, of which the first has one more as dot product (`redKey_dots`)."""


def off(case: WorkedExample, computed: Array, matrix: str) -> Balls:
    """Return how far each computed element of a matrix is from its closed form."""
    return exact.distance(case.here(computed), case.truth(matrix))


def off_if_printed_right(case: WorkedExample, computed: Array, matrix: str) -> Balls:
    """Return the same, and infinity where the lesson's decimals are off by more than half a unit of the last one."""
    own = case.example.matrix(matrix)
    found = off(case, computed, matrix)
    for index, form in np.ndenumerate(own.forms):
        decimals = str(own.printed[index])
        digits = len(decimals.partition(".")[2])
        printed = arb(fmpq(int(decimals.replace(".", "")), 10**digits))
        if not abs(form.ball() - printed) <= arb(fmpq(1, 2 * 10**digits)):
            found[index] = arb.pos_inf()
    return found


def projected(case: WorkedExample, parameters: str, project: Project = recomputation.project) -> Array:
    """Return the input of an example times one of its matrices of parameters."""
    return project(case.given["X"], case.given[parameters])


@claim(relation=Exact(), cases=worked("red-key", ("X", "W_Q")))
def redKey_queries(case: WorkedExample, project: Project = recomputation.project) -> Gap:
    """The queries of `red key .` are `[1, 0]`, `[0, 1]` and `[1, 1]`.

    Exact: small whole numbers and their products are floats.
    """
    return gap(off(case, projected(case, "W_Q", project), "Q"))


@claim(relation=Exact(), cases=worked("red-key", ("X", "W_K")))
def redKey_keys(case: WorkedExample, project: Project = recomputation.project) -> Gap:
    """The keys of `red key .` are `[1, 1]`, `[0, 1]` and `[1, 2]`.

    Exact: small whole numbers and their products are floats.
    """
    return gap(off(case, projected(case, "W_K", project), "K"))


@claim(relation=Exact(), cases=worked("red-key", ("X", "W_V")))
def redKey_values(case: WorkedExample, project: Project = recomputation.project) -> Gap:
    """The values of `red key .` are `[1, 0]`, `[1, 2]` and `[2, 2]`.

    Exact: small whole numbers and their products are floats.
    """
    return gap(off(case, projected(case, "W_V", project), "V"))


@claim(relation=Exact(), cases=worked("red-key", INPUT))
def redKey_dots(case: WorkedExample, scores: Scores = reference.scores) -> Gap:
    """The dot products of the queries of `red key .` with its keys are `[1, 0, 1]`, `[1, 1, 2]` and
    `[2, 1, 3]`.

    Scores with the scale 1. Exact: small whole numbers and their products are floats.
    """
    return gap(off(case, scores(projected(case, "W_Q"), projected(case, "W_K"), scale=1.0), "D"))


@claim(relation=Budget(weights_of_example), cases=worked("red-key", INPUT))
def redKey_weights(
    case: WorkedExample, attention_weights: AttentionWeights = reference.attention_weights
) -> Gap:
    """The weights of `red key .` in closed form, with `r = exp (1 / √2)`.

    The gap is the distance of each computed weight from its closed form.
    """
    return gap(off(case, attention_weights(projected(case, "W_Q"), projected(case, "W_K")), "A"))


@claim(relation=Budget(outputs_of_example), cases=worked("red-key", INPUT_AND_VALUES))
def redKey_output(case: WorkedExample, attention: Attention = reference.attention) -> Gap:
    """The outputs of `red key .` in closed form, with `r = exp (1 / √2)`.

    The gap is the distance of each computed output from its closed form.
    """
    output = attention(projected(case, "W_Q"), projected(case, "W_K"), projected(case, "W_V"))
    return gap(off(case, output, "O"))


@claim(relation=Budget(exponential_of_example), cases=worked("red-key", INPUT))
def r_mem_Ioo(case: WorkedExample, attention_weights: AttentionWeights = reference.attention_weights) -> Gap:
    """`exp (1 / √2)` lies strictly between 2.0281149 and 2.0281150.

    Two weights of `red key .` whose dot products differ by one have that ratio over ℝ. The gap is the relative distance
    of each such ratio of computed weights from the enclosure of the number, or infinity if the enclosure were not
    between the two decimals. In float32 the computed ratio itself need not be: no float32 is.
    """
    weights = case.here(attention_weights(projected(case, "W_Q"), projected(case, "W_K")))
    r = arb(2).rsqrt().exp()
    if not arb(fmpq(20281149, 10**7)) < r < arb(fmpq(20281150, 10**7)):
        return gap(arb.pos_inf())
    return gap([abs(weights[row, key] / weights[row, other] / r - 1) for row, key, other in ONE_DOT_MORE])


@claim(relation=Budget(weights_of_example), cases=worked("red-key", INPUT))
def abs_redKey_weights_sub_le(
    case: WorkedExample, attention_weights: AttentionWeights = reference.attention_weights
) -> Gap:
    """The printed weights of `red key .` are right to six decimals: no error exceeds `5e-7`.

    The gap is the distance of each computed weight from the true one, or infinity where the enclosure of that one were
    farther than `5e-7` from the printed decimals.
    """
    weights = attention_weights(projected(case, "W_Q"), projected(case, "W_K"))
    return gap(off_if_printed_right(case, weights, "A"))


@claim(relation=Budget(outputs_of_example), cases=worked("red-key", INPUT_AND_VALUES))
def abs_redKey_output_sub_le(case: WorkedExample, attention: Attention = reference.attention) -> Gap:
    """The printed outputs of `red key .` are right to six decimals: no error exceeds `5e-7`.

    The gap is the distance of each computed output from the true one, or infinity where the enclosure of that one were
    farther than `5e-7` from the printed decimals.
    """
    output = attention(projected(case, "W_Q"), projected(case, "W_K"), projected(case, "W_V"))
    return gap(off_if_printed_right(case, output, "O"))


@claim(relation=Budget(weights_of_example), cases=worked("one-query", ("Q", "K")))
def oneQuery_weights(
    case: WorkedExample, attention_weights: AttentionWeights = reference.attention_weights
) -> Gap:
    """Query `[1, 0]`, keys `[1, 0]` and `[0, 1]`: the weights are `r / (r + 1)` and `1 / (r + 1)`.

    The gap is the distance of each computed weight from its closed form.
    """
    return gap(off(case, attention_weights(case.given["Q"], case.given["K"]), "A"))


@claim(relation=Budget(outputs_of_example), cases=worked("one-query", ("Q", "K", "V")))
def oneQuery_output(case: WorkedExample, attention: Attention = reference.attention) -> Gap:
    """Values `[10, 0]` and `[0, 20]`: the output is `[10 r / (r + 1), 20 / (r + 1)]`.

    The gap is the distance of each computed output from its closed form.
    """
    return gap(off(case, attention(case.given["Q"], case.given["K"], case.given["V"]), "O"))


@claim(relation=Budget(numbers_of_example), cases=worked("one-query", ("Q", "K", "V")))
def abs_oneQuery_sub_le(
    case: WorkedExample,
    attention_weights: AttentionWeights = reference.attention_weights,
    attention: Attention = reference.attention,
) -> Gap:
    """The weights `0.670`, `0.330` and the output `[6.70, 6.60]` that the lesson prints are right to
    the last digit.

    The gap is the distance of each computed number from the true one, or infinity where the enclosure of that one were
    farther from the printed decimals than half a unit of the last: `5e-4` for weights, `5e-3` for outputs.
    """
    query, key, value = (case.given[name] for name in ("Q", "K", "V"))
    return gap(
        off_if_printed_right(case, attention_weights(query, key), "A"),
        off_if_printed_right(case, attention(query, key, value), "O"),
    )


@claim(relation=Exact(), cases=worked("two-values", ("A", "V")))
def twoValues(case: WorkedExample, read: Read = reference_read.read) -> Gap:
    """Weights `(0.75, 0.25)` on the values `2` and `10` give `4`.

    Exact: the weights, the values, the products and the sum are floats.
    """
    return gap(off(case, read(case.given["A"], case.given["V"]), "O"))


@claim(relation=Budget(outputs_of_example), cases=worked("two-values-exercise", ("A", "V")))
def twoValues_exercise(case: WorkedExample, read: Read = reference_read.read) -> Gap:
    """Weights `(0.2, 0.8)` on the same values give `8.4`.

    Neither weight is a float: how far each is rounded is part of the budget.
    """
    return gap(off(case, read(case.given["A"], case.given["V"]), "O"))
