"""Claims on what is not a set of weights: `lean/NeuralNetworks/Counterexample/Weights.lean`."""

from collections.abc import Callable

import numpy as np

from duizhao import exact, rounding
from duizhao import read as reference_read
from duizhao import softmax as reference
from duizhao.arrays import Array
from duizhao.claims.claim import claim
from duizhao.claims.refutation import differs, refuted
from duizhao.claims.relation import Budget, Gap, Witness
from duizhao.strategies import refutations
from duizhao.strategies.counterexamples import Table
from duizhao.strategies.rows import Biased

Softmax = Callable[[Array], Array]
Read = Callable[[Array, Array], Array]


@claim(relation=Witness(), cases=refutations.column_tables())
def not_sum_row_eq_one_of_sum_col(case: Table, read: Read = reference_read.read) -> Gap:
    """Columns that sum to one do not make rows that do.

    The first row reads values of 1, which gives its sum: it differs from 1 by more than `read_error` allows.
    """
    ones = case.target.array([1.0, 1.0])
    first = exact.balls(read(case.entries, ones))[0]
    allowed = np.asarray(Budget(rounding.read_error).allowed(case))[0]
    return refuted(
        all(entry >= 0 for entry in case.exact_entries.ravel()),
        all(bool(total == 1) for total in case.exact_entries.sum(axis=0)),
        differs(first, 1, allowed),
        differs(case.exact_entries[0].sum(), 1),
    )


@claim(relation=Witness(), cases=refutations.score_tables())
def not_sum_softmax_col_eq_one(case: Table, softmax: Softmax = reference.softmax) -> Gap:
    """Softmax along the wrong axis: the weights of one query need not sum to one.

    Each column is normalised, and the first row is added up: the sum differs from 1 by more than `sum_of_weights` allows.
    """
    columns, true_columns = exact.balls(softmax(case.transposed)), exact.softmax(case.exact_entries.T)
    allowed = Budget(rounding.sum_of_weights).allowed(case)
    return refuted(differs(columns[:, 0].sum(), 1, allowed), differs(true_columns[:, 0].sum(), 1))


@claim(relation=Witness(), cases=refutations.uneven_biases())
def not_softmax_add_eq_softmax(case: Biased, softmax: Softmax = reference.softmax) -> Gap:
    """Adding different constants to different scores can change the weights.

    Some weight changes by more than `weights_of_two_rows` allows.
    """
    biased, plain = exact.balls(softmax(case.others)), exact.balls(softmax(case.scores))
    allowed = Budget(rounding.weights_of_two_rows).allowed(case)
    return refuted(
        differs(biased, plain, allowed),
        differs(exact.softmax(case.row + case.exact_bias), case.true_weights),
    )
