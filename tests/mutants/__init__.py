"""Functions with one slip each, and the claims that must notice."""

from tests.mutants import attention, counterexample, examples, mask, read, rounding, scaling, softmax, temperature
from tests.mutants.mutant import Mutant

MUTANTS: list[Mutant] = [
    value
    for module in (softmax, read, attention, rounding, examples, mask, counterexample, scaling, temperature)
    for value in vars(module).values()
    if isinstance(value, Mutant)
]
