"""Slips in budgets."""

from duizhao import rounding
from duizhao.rounding import Real, accumulated
from duizhao.rounding.weights import underflow
from tests.mutants.mutant import mutant


@mutant("gamma", "abs_prod_one_add_sub_one_le", "one_add_pow_sub_one_le")
def counts_one_rounding_less(u: float, k: int) -> float:
    """`n` terms have `n - 1` additions, so one rounding is subtracted, here once too often."""
    return rounding.gamma(u, max(k - 1, 0))


@mutant("gamma", "one_add_pow_sub_one_le")
def keeps_the_first_order(u: float, k: int) -> float:
    """The denominator, `1 - k u`, is left out as negligible."""
    return k * u


@mutant("read_error", "abs_roundedRead_sub_read_le")
def forgets_the_products(
    u: float, n: int, terms: Real, tiny: float, accumulator: float | None = None
) -> Real:
    """Only the additions of a read are counted, not the product in each term."""
    return accumulated(u, n - 1, accumulator) * terms + 2 * n * tiny


@mutant("read_error", "abs_roundedRead_sub_read_le")
def forgets_the_underflow(
    u: float, n: int, terms: Real, tiny: float, accumulator: float | None = None
) -> Real:
    """Products that underflow are taken for zeros that are exact."""
    return accumulated(u, n, accumulator) * terms + tiny / 4


@mutant("read_bounds", "roundedRead_mem_Icc")
def trusts_the_weights(
    u: float, n: int, excess: float, magnitude: Real, tiny: float, accumulator: float | None = None
) -> Real:
    """The weights are taken to sum to exactly one."""
    del excess
    return accumulated(u, n, accumulator) * magnitude + 2 * n * tiny


@mutant("sum_of_weights", "abs_sum_roundedSoftmax_sub_one_le")
def forgets_the_divisions(u: float, n: int, tiny: float, accumulator: float | None = None) -> float:
    """Only the sum is counted, not the division of each weight."""
    b = accumulated(u, max(n - 1, 1), accumulator)
    return b / (1 - b) + n * tiny


@mutant("weight_error", "roundedSoftmax_le", "le_roundedSoftmax")
def counts_the_divisions_alone(
    u: float,
    n: int,
    weight: Real,
    reach: float,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Real:
    """The exponentials and their sum are taken to be exact."""
    del reach, accumulator
    return u * weight + underflow(n, exp_ulp, tiny)
