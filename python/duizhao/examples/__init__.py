"""The worked examples of the three lessons, number by number.

`data/examples.json` holds what the lessons say: inputs, the closed form of every element, and the decimals
that are printed. It was written from the lessons, not by the program that is compared with it.

* `examples`, `example`, `constants`: the examples and the constants of the lessons, by name.
* `load`: another file of this layout, as a `Catalogue`.
* `Example`, `Matrix`, `Constant`: what is known of each; `exact` evaluates the forms.
* `Form`, `parse`: closed forms in `r = exp(1/√2)` and `s = 1/√2`.
* `STEPS`, `recompute`, `compare`: every step by the reference functions, and its rigorous error.
* `duizhao.examples.budgets`: how far each computed element may be from its true value.
"""

from duizhao.examples.catalogue import Catalogue, Constant, Example, Matrix
from duizhao.examples.closed_form import Form, parse
from duizhao.examples.recomputation import STEPS, Comparison, Step, compare, recompute
from duizhao.examples.source import constants, example, examples, load

__all__ = [
    "STEPS",
    "Catalogue",
    "Comparison",
    "Constant",
    "Example",
    "Form",
    "Matrix",
    "Step",
    "compare",
    "constants",
    "example",
    "examples",
    "load",
    "parse",
    "recompute",
]
