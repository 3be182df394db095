"""The bug zoo: attention functions with one real bug each, and right ones that are written differently."""

from tests.zoo.bug import load
from tests.zoo.variants import VARIANTS

BUGS = load()

__all__ = ["BUGS", "VARIANTS"]
