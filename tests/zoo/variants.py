"""All right variants."""

from tests.zoo import chosen, computed
from tests.zoo.variant import Variant

VARIANTS = [
    value for module in (computed, chosen) for value in vars(module).values() if isinstance(value, Variant)
]
