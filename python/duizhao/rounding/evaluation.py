"""How far the budgets themselves are rounded.

* `evaluated`: the bound on an error over its budget.
"""

from duizhao.rounding.arithmetic import gamma

FLOAT = 2.0**-53
"""The unit roundoff of the numbers in which budgets are evaluated."""

OPERATIONS = 32
"""More operations than any budget that is compared in this way needs for one number."""


def evaluated() -> float:
    """Bound on an error over its budget: 1, but for the digits that the evaluation of the budget loses.

    Budgets are Python floats. One that is made of at most `OPERATIONS` sums, products and quotients of positive numbers
    is at least `1 / (1 + gamma(2^-53, OPERATIONS))` times what the formula says: `abs_prod_one_add_sub_one_le` and
    `one_add_pow_sub_one_le` with the unit roundoff of float64, which is the dtype of budgets, whatever they judge. An
    error that equals its budget over ℝ exceeds the float by no more.
    """
    return 1 + gamma(FLOAT, OPERATIONS)
