"""Functions with one slip each, and the claims that must notice."""

from tests.mutants import read, softmax
from tests.mutants.mutant import Mutant

MUTANTS: list[Mutant] = [
    value for module in (softmax, read) for value in vars(module).values() if isinstance(value, Mutant)
]
