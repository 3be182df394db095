"""One claim a theorem, one module a topic, found by looking: nothing else is registered anywhere.

* `all_claims`: every claim, by id.
"""

import importlib
import pkgutil

from duizhao.claims.claim import Claim


def all_claims() -> dict[str, Claim]:
    """Return every claim, by id, in the order of modules and definitions.

    Raises:
        ValueError: If two claims share an id.
    """
    found: dict[str, Claim] = {}
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Claim) and value.function.__module__ == module.name:
                if value.id in found:
                    raise ValueError(f"{value.id}: claimed in {found[value.id].topic} and in {value.topic}")
                found[value.id] = value
    return found
