"""What an audit found, as JSON values.

* `data`: all of it; `SCHEMA` is the version of its form.
"""

import math
from typing import Any

import numpy as np

from duizhao import __version__
from duizhao.audit.pages import Addresses
from duizhao.audit.policies import Policy
from duizhao.audit.run import Failure, Outcome, Report

SCHEMA = 1
"""The version of the form: it rises when a field changes its meaning or goes."""


def value(number: Any) -> Any:
    """Return a number, or nested lists of them, as JSON has them: what is not finite is a text."""
    if isinstance(number, list):
        return [value(item) for item in number]
    if isinstance(number, float) and not math.isfinite(number):
        return str(number)
    return number


def failure_data(failure: Failure | None) -> dict[str, Any] | None:
    """Return a failure: its sentence, dtype, program, numbers, and the arrays of the smallest case."""
    if failure is None:
        return None
    found: dict[str, Any] = {
        "sentence": failure.sentence,
        "dtype": failure.dtype,
        "snippet": failure.snippet,
    }
    verdict, case = failure.verdict, failure.case
    if verdict is not None:
        found |= {
            "amount": value(verdict.amount),
            "bound": value(verdict.bound),
            "index": list(verdict.index),
            "axes": verdict.reading.axes,
        }
    if case is not None:
        found["case"] = {
            "is_causal": case.is_causal,
            "scale": case.scale,
            "arrays": {name: value(np.asarray(array).tolist()) for name, array in case.arrays.items()},
        }
    return found


def outcome_data(outcome: Outcome, addresses: Addresses) -> dict[str, Any]:
    """Return what came of one check."""
    check = outcome.check
    return {
        "name": check.name,
        "theorem": check.theorem,
        "page": addresses.of(check.theorem),
        "why_no_theorem": check.why or None,
        "title": check.title,
        "state": outcome.state,
        "cases": outcome.cases,
        "slack": {dtype: value(ratio) for dtype, ratio in outcome.slack.items()},
        "stopped": outcome.stopped,
        "failure": failure_data(outcome.failure),
    }


def policy_data(policy: Policy, addresses: Addresses) -> dict[str, Any]:
    """Return what was found of one policy."""
    return {
        "name": policy.name,
        "value": policy.value,
        "by_dtype": dict(policy.values),
        "sentence": policy.sentence(),
        "theorem": policy.theorem,
        "page": addresses.of(policy.theorem),
        "failures": [
            {"dtypes": dtypes.split(", "), "sentence": wrong.sentence, "snippet": wrong.snippet}
            for dtypes, wrong in policy.wrong()
        ],
        "required": policy.needed,
        "ok": policy.ok,
    }


def data(report: Report, addresses: Addresses) -> dict[str, Any]:
    """Return all that was found, as JSON values."""
    return {
        "schema": SCHEMA,
        "duizhao": __version__,
        "subject": report.subject,
        "seed": report.seed,
        "cases": report.trials,
        "dtypes": list(report.dtypes),
        "ok": report.ok,
        "claims": [outcome_data(outcome, addresses) for outcome in report.outcomes],
        "policies": [policy_data(policy, addresses) for policy in report.policies],
        "conduct": {kind: failure_data(fault) for kind, fault in report.conduct.items()},
        "refused": list(report.notes),
        "calls": report.calls,
        "seconds": round(report.seconds, 3),
    }
