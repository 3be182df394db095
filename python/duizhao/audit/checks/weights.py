"""What the weights of each query are, read off the values that are the identity matrix."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from duizhao.audit.check import Ask, Facts, Reading, check, plain
from duizhao.audit.subject import Adapter
from duizhao.rounding.attention import reweighted
from duizhao.rounding.stranger import (
    compared,
    flushed,
    hull_off,
    log_odds_off,
    sum_off,
    together,
    weight_off,
    weights_off,
)
from duizhao.strategies.audits import Asked, Form


@check(
    "values that are all 1 give 1: the weights of each query sum to one",
    plain(),
    theorem="sum_softmax_eq_one",
)
def sums(ask: Ask, case: Asked) -> Reading:
    """Read values that are all 1."""
    seen = ask.seen(case)
    out = ask(case.having(value=np.ones_like(case.value)))
    bound = hull_off(ask.assumed, seen.n, seen.size, np.asarray(1.0))
    return Reading("the weights of a query do not sum to one", f"abs({out.name} - 1)", bound, "bhle")


@check(
    "no weight is negative, and the weights of each query sum to one",
    plain(value_width="keys"),
    theorem="attentionWeights_mem_stdSimplex",
)
def simplex(ask: Ask, case: Asked) -> Sequence[Reading]:
    """Read the weights: values are the identity matrix."""
    seen = ask.seen(case)
    out = ask.weights(case)
    bound = sum_off(ask.assumed, seen.n, seen.size) + compared([out.numbers]) * seen.n
    return [
        Reading("a weight is negative", f"np.maximum(-({out.name}), 0)", 0.0, "bhls"),
        Reading(
            "the weights of a query do not sum to one", f"abs(({out.name}).sum(axis=-1) - 1)", bound, "bhl"
        ),
    ]


def _odds_forms(adapter: Adapter, _facts: Facts, form: Form) -> Sequence[Form]:
    many = replace(form, value_width="keys", least_keys=2, longest=33, spread=0.8)
    heads = replace(many, least_heads=2) if form.has_heads else many
    return [many, heads, replace(heads, scale=True)] if adapter.scale else [many, heads]


@check(
    "the logarithm of the ratio of two weights is the difference of their scores: the scale is right",
    _odds_forms,
    theorem="log_attentionWeights_div",
)
def log_odds(ask: Ask, case: Asked) -> Reading:
    """Compare logarithms of ratios of weights with differences of scores."""
    seen = ask.seen(case)
    out = ask.weights(case)
    best = seen.weight.argmax(axis=-1)[..., None]
    wide = ask.spread_out(case)
    scores = "(query @ np.swapaxes(key, -1, -2) * factor)"
    assert wide.key.shape == case.key.shape
    logs = f"np.log({out.name})"
    formula = f"abs({logs} - np.take_along_axis({logs}, best, -1) - ({scores} - np.take_along_axis({scores}, best, -1)))"
    return Reading(
        "the logarithm of a ratio of weights is not the difference of the scores",
        formula,
        log_odds_off(seen, best),
        "bhls",
        {"best": best, "factor": ask.scale(case), "query": case.query, "key": case.key},
    )


@check(
    "a query of zeros weighs all keys equally",
    plain(value_width="keys"),
    theorem="attentionWeights_of_query_eq_zero",
)
def zero_query(ask: Ask, case: Asked) -> Reading:
    """Read the weights of queries of zeros."""
    zero = case.having(query=np.zeros_like(case.query))
    n = case.lengths[1]
    out = ask.weights(zero)
    bound = weight_off(ask.assumed, n, 0.0) / n + flushed(ask.assumed, n) + compared([out.numbers])
    return Reading(
        "a query of zeros does not weigh all keys equally", f"abs({out.name} - 1 / {n})", bound, "bhls"
    )


@check(
    "one vector added to every key changes no weight",
    plain(value_width="keys", extras=("row",), least_keys=2),
    theorem="attentionWeights_add_key",
)
def key_shift(ask: Ask, case: Asked) -> Reading:
    """Add a vector to every key."""
    moved = case.having(key=ask.held(case.key + case.row))
    size = np.swapaxes(np.abs(moved.key - case.key - case.row), -1, -2)
    movement = np.abs(case.query) @ size * abs(ask.scale(case))
    before, after = ask.seen(case), ask.seen(moved)
    first, second = ask.weights(case), ask.weights(moved)
    over_reals = np.minimum(reweighted(before.weight, movement) * before.weight, 1.0)
    return Reading(
        "a vector added to every key changes a weight",
        f"abs({first.name} - {second.name})",
        together(weights_off(before), weights_off(after), over_reals, compared([first.numbers])),
        "bhls",
    )


@check(
    "of two keys, the second has the sigmoid of the difference of the scores as its weight, at every scale",
    lambda adapter, _facts, form: (
        [replace(form, value_width="keys", least_keys=2, longest=2, scale=True)] if adapter.scale else []
    ),
    theorem="softmax_fin_two_one",
)
def two_keys(ask: Ask, case: Asked) -> Reading:
    """Read the second weight of two."""
    seen = ask.seen(case)
    out = ask.weights(case)
    score = "(query @ np.swapaxes(key[..., 1:, :] - key[..., :1, :], -1, -2) * factor)"
    return Reading(
        "the second of two weights is not the sigmoid of the difference of the scores",
        f"abs({out.name}[..., 1:] - 1 / (1 + np.exp(-{score})))",
        together(weights_off(seen)[..., 1:], 32 * 2.0**-53 * (1 + seen.products.sum(axis=-1, keepdims=True))),
        "bhls",
        {"factor": ask.scale(case), "query": case.query, "key": case.key},
    )
