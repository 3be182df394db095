"""Functions with one slip each, and the claims that must notice."""

from tests.mutants import (
    attention,
    blockwise,
    counterexample,
    examples,
    long,
    mask,
    multi_head,
    read,
    rounding,
    scaling,
    sensitivity,
    softmax,
    temperature,
)
from tests.mutants.mutant import Mutant

MUTANTS: list[Mutant] = [
    value
    for module in (
        softmax,
        read,
        attention,
        rounding,
        examples,
        mask,
        multi_head,
        counterexample,
        temperature,
        scaling,
        sensitivity,
        blockwise,
        long,
    )
    for value in vars(module).values()
    if isinstance(value, Mutant)
]
