"""Rigorous enclosures: the judge between floating-point numbers and real ones.

A *ball* is an interval of real numbers, midpoint and radius, that certainly holds the true value
(python-flint's `arb`). A *ball array* is a NumPy object array of balls: `+ - * / @`, `.sum` and `numpy.exp`
work on it, and every result is a ball array again, right at any precision and tighter at a higher one.

* `precision`, `balls`: choose the precision; convert numbers exactly.
* `upper`, `lower`: the ends of a ball as floats, rounded outwards; `ends`: as fractions, exactly.
* `distance`: how far computed numbers are from the truth.
* `softmax`, `softmax_denominator`, `masked_softmax`, `causal_softmax`, `read`, `scores`, `attention_weights`,
  `attention`, `masked_attention`: the functions of the topics, named and shaped like the reference functions.
* `sigmoid`: of one ball.
* `enclose`: one of these functions, at the precision that makes its result as tight as asked.

What is no number becomes NaN, and `upper` makes infinity of that, so that it passes no bound.
"""

from duizhao.exact.conversion import Balls, balls, distance, ends, lower, precision, upper
from duizhao.exact.dot_product import attention, attention_weights, masked_attention, read, scores
from duizhao.exact.enclosure import enclose
from duizhao.exact.exponentials import causal_softmax, masked_softmax, sigmoid, softmax, softmax_denominator

__all__ = [
    "Balls",
    "attention",
    "attention_weights",
    "balls",
    "causal_softmax",
    "distance",
    "enclose",
    "ends",
    "lower",
    "masked_attention",
    "masked_softmax",
    "precision",
    "read",
    "scores",
    "sigmoid",
    "softmax",
    "softmax_denominator",
    "upper",
]
