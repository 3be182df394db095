"""Rigorous enclosures: the judge between floating-point numbers and real ones.

A *ball* is an interval of real numbers, midpoint and radius, that certainly holds the true value
(python-flint's `arb`). A *ball array* is a NumPy object array of balls: `+ - * / @`, `.sum` and `numpy.exp`
work on it, and every result is a ball array again, right at any precision and tighter at a higher one.

* `precision`, `balls`: choose the precision; convert numbers exactly.
* `upper`, `lower`: the ends of a ball as floats, rounded outwards; `ends`: as fractions, exactly.
* `distance`: how far computed numbers are from the truth.
* `softmax`, `softmax_denominator`, `masked_softmax`, `causal_softmax`, `read`, `scores`, `attention_weights`,
  `attention`, `masked_attention`, `biased_attention`, `zero_temperature_limit`, `infinite_temperature_limit`,
  `multi_head`, `output_projection`, `grouped_attention`, `softmax_jacobian`, `softmax_jvp`, `softmax_vjp`,
  `OnlineState`, `of_block`, `merge`, `out`: the functions of the topics, named and shaped like the reference functions.
* `sigmoid`: of one ball; `log_ratio`: of two.
* `enclose`: one of these functions, at the precision that makes its result as tight as asked.

What is no number becomes NaN, and `upper` makes infinity of that, so that it passes no bound.
"""

from duizhao.exact.blockwise import OnlineState, merge, of_block, out
from duizhao.exact.conversion import Balls, balls, distance, ends, lower, precision, upper
from duizhao.exact.dot_product import (
    attention,
    attention_weights,
    biased_attention,
    masked_attention,
    read,
    scores,
)
from duizhao.exact.enclosure import enclose
from duizhao.exact.exponentials import (
    causal_softmax,
    log_ratio,
    masked_softmax,
    sigmoid,
    softmax,
    softmax_denominator,
)
from duizhao.exact.multi_head import grouped_attention, multi_head, output_projection
from duizhao.exact.sensitivity import softmax_jacobian, softmax_jvp, softmax_vjp
from duizhao.exact.temperature import infinite_temperature_limit, zero_temperature_limit

__all__ = [
    "Balls",
    "OnlineState",
    "attention",
    "attention_weights",
    "balls",
    "biased_attention",
    "causal_softmax",
    "distance",
    "enclose",
    "ends",
    "grouped_attention",
    "infinite_temperature_limit",
    "log_ratio",
    "lower",
    "masked_attention",
    "masked_softmax",
    "merge",
    "multi_head",
    "of_block",
    "out",
    "output_projection",
    "precision",
    "read",
    "scores",
    "sigmoid",
    "softmax",
    "softmax_denominator",
    "softmax_jacobian",
    "softmax_jvp",
    "softmax_vjp",
    "upper",
    "zero_temperature_limit",
]
