"""Audits of the zoo: by name, since a subject runs in a process of its own.

* `audited`, `audited_variant`: run an audit; `place`: the name of a bug's function.
* `of_theorems`: checks of theorems; `failing`, `found`: what a report says.
"""

from collections.abc import Sequence
from typing import Any

from duizhao.audit.check import CHECKS
from duizhao.audit.run import Report, audit
from duizhao.audit.subject import load
from tests.zoo import chosen, computed
from tests.zoo.bug import Bug
from tests.zoo.variant import Variant

ADAPTER = "tests.zoo.variant:ADAPTER"


def audited(name: str, adapter: str = ADAPTER, **options: Any) -> Report:
    """Audit a function by name."""
    return audit(load(name, adapter), **options)


def place(bug: Bug) -> str:
    """The name of a bug's function."""
    return f"{bug.function.__module__}:{bug.id}"


def audited_variant(variant: Variant, **options: Any) -> Report:
    """Audit a right variant, called as it says."""
    module = next(module for module in (computed, chosen) if vars(module).get(variant.name) is variant)
    name = f"{module.__name__}:{variant.name}"
    return audited(f"{name}.function", f"{name}.adapter", **options)


def of_theorems(theorems: Sequence[str]) -> list[str]:
    """The names of the checks of some theorems, in order."""
    return [name for name, check in CHECKS.items() if check.theorem in theorems]


def failing(report: Report) -> list[str]:
    """The names of the checks that fail, in order."""
    return [outcome.check.name for outcome in report.outcomes if not outcome.ok]


def found(report: Report) -> dict[str, str | None]:
    """The value of each policy that was found, the same in all dtypes or none."""
    return {policy.name: policy.value for policy in report.policies if not policy.unseen}
