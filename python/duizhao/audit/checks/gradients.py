"""Derivatives, where the subject has them, against the Jacobian of softmax at the weights that it gives."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from duizhao.audit.check import Ask, Facts, Reading, check
from duizhao.audit.subject import Adapter
from duizhao.rounding.stranger import projected_gradient_off, score_gradient_off, value_gradient_off
from duizhao.strategies.audits import Asked, Form


def _forms(adapter: Adapter, _facts: Facts, form: Form) -> Sequence[Form]:
    return [replace(form, longest=17, extras=("cotangent",))] if adapter.gradient else []


@check(
    "gradients are those of the Jacobian: the derivative of weight i by score k is w_i (1 or 0, less w_k)",
    _forms,
    theorem="hasDerivAt_softmax_update",
)
def jacobian(ask: Ask, case: Asked) -> Sequence[Reading]:
    """Compare the derivatives by queries, keys and values with products of the weights that are read."""
    seen = ask.seen(case)
    weights = ask.weights(case)
    by_query, by_key, by_value = ask.gradient(case)
    scale = ask.scale(case)
    size = np.abs(case.value)
    values = value_gradient_off(seen, case.cotangent)
    scores = score_gradient_off(seen, size, case.cotangent)
    shares = np.abs(case.cotangent) @ np.swapaxes(size, -1, -2)
    largest = 2 * seen.weight * shares.max(axis=-1, keepdims=True)
    queries = projected_gradient_off(seen, largest, scores, case.key, scale)
    turned = [np.swapaxes(part, -1, -2) for part in (largest, scores)]
    keys = projected_gradient_off(seen, turned[0], turned[1], case.query, scale)
    w = f"({weights.name})"
    pull = "(cotangent @ np.swapaxes(value, -1, -2))"
    by_score = f"({w} * ({pull} - ({w} * {pull}).sum(axis=-1, keepdims=True)) * factor)"
    arrays = {
        "query": case.query,
        "key": case.key,
        "value": case.value,
        "cotangent": case.cotangent,
        "factor": scale,
    }
    by = "the derivative by the {} is not that of the Jacobian"
    return [
        Reading(
            by.format("values"),
            f"abs({by_value.name} - np.swapaxes({w}, -1, -2) @ cotangent)",
            values,
            "bgse",
            arrays,
        ),
        Reading(by.format("queries"), f"abs({by_query.name} - {by_score} @ key)", queries, "bhld", arrays),
        Reading(
            by.format("keys"),
            f"abs({by_key.name} - np.swapaxes({by_score}, -1, -2) @ query)",
            keys,
            "bgsd",
            arrays,
        ),
    ]
