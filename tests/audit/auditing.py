"""How tests audit: few cases, one dtype, a few claims."""

from collections.abc import Sequence
from typing import Any

from duizhao.audit.run import Report, audit
from duizhao.audit.subject import load

SUBJECTS = "tests.audit.subjects"


def audited(
    name: str, *only: str, dtypes: Sequence[str] = ("float64",), trials: int = 3, **options: Any
) -> Report:
    """Audit a function of `subjects`, or of any module, on a few cases."""
    subject = load(name if ":" in name else f"{SUBJECTS}:{name}", options.pop("adapter", None))
    return audit(subject, only=only or None, dtypes=dtypes, trials=trials, **options)


def states(report: Report) -> dict[str, str]:
    """The state of every claim that was run, by name."""
    return {outcome.check.name: outcome.state for outcome in report.outcomes}
