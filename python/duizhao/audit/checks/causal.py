"""Who is not read yet: the causal flag."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from duizhao.audit.check import Ask, Facts, Reading, causal, check
from duizhao.audit.checks.masks import huge, lowered
from duizhao.audit.subject import Adapter
from duizhao.rounding.masks import whole_number
from duizhao.rounding.stranger import compared, flushed, hull_off, sum_off, together, weights_off
from duizhao.strategies.audits import Asked, Form


@check(
    "a causal query gives weight to itself and to every earlier position, and to no other",
    causal(value_width="keys", least_keys=2, longest=33, spread=0.5),
    theorem="causalSoftmax_pos_iff",
)
def positive(ask: Ask, case: Asked) -> Reading:
    """See which weights are positive, where none is so small that it may underflow."""
    seen = ask.seen(case)
    allowed = ask.allowed(case)
    out = ask.weights(case)
    certain = seen.weight > 4 * flushed(ask.assumed, seen.n)
    known = np.where(allowed, certain, allowed.any(axis=-1, keepdims=True))
    return Reading(
        "a causal query reads a later position, or not all earlier ones",
        f"(({out.name} != 0) != allowed).astype(float)",
        np.where(known, whole_number(), np.inf),
        "bhls",
        {"allowed": allowed},
    )


@check(
    "a causal query reads nothing from the future, however low the scores are",
    causal(value_width="keys", least_keys=2, longest=33),
    theorem="causalSoftmax_of_lt",
)
def nothing_later(ask: Ask, case: Asked) -> Reading:
    """Read the weights of later positions, where all scores are far below zero."""
    low = lowered(ask, case)
    allowed = ask.allowed(low)
    out = ask.weights(low)
    return Reading(
        "a later position has weight",
        f"np.where(allowed, 0, abs({out.name}))",
        np.where(np.broadcast_to(allowed.any(axis=-1, keepdims=True), allowed.shape), 0.0, np.inf),
        "bhls",
        {"allowed": allowed},
    )


@check(
    "every causal query has weights summing to one",
    causal(value_width="keys"),
    theorem="sum_causalSoftmax_eq_one",
)
def sums(ask: Ask, case: Asked) -> Reading:
    """Add up the weights of causal queries."""
    seen = ask.seen(case)
    out = ask.weights(case)
    bound = sum_off(ask.assumed, seen.n, seen.size) + compared([out.numbers]) * seen.n
    return Reading(
        "the weights of a causal query do not sum to one",
        f"abs(({out.name}).sum(axis=-1) - 1)",
        np.where(ask.allowed(case).any(axis=-1), bound, np.inf),
        "bhl",
    )


@check("the first position reads only itself, whatever the scores", causal(), theorem="causalSoftmax_zero")
def first_position(ask: Ask, case: Asked) -> Reading:
    """Compare the output of a query that may read the first position alone with the first value."""
    seen = ask.seen(case)
    allowed = ask.allowed(case)
    out = ask(case)
    alone = (allowed.sum(axis=-1) == 1)[..., None]
    bound = hull_off(ask.assumed, seen.n, seen.size, np.abs(case.value[..., :1, :]))
    return Reading(
        "the first position does not read itself alone",
        f"np.where(alone, abs({out.name} - value[..., :1, :]), 0)",
        np.where(alone, bound + compared([out.numbers]), np.inf),
        "bhle",
        {"alone": alone, "value": case.value},
    )


def _future(adapter: Adapter, facts: Facts, form: Form) -> Sequence[Form]:
    bare = causal(extras=("other_key", "other_value"), least_keys=2)(adapter, facts, form)
    if not (adapter.mask and adapter.both and facts.both and facts.empty):
        return bare
    return [*bare, replace(bare[0], mask="some")] if bare else []


@check("changing later positions changes no earlier output", _future, theorem="read_causalSoftmax_congr")
def future(ask: Ask, case: Asked) -> Sequence[Reading]:
    """Change later keys and values: to others, and to huge ones."""
    later = np.arange(case.lengths[1]) >= (case.lengths[1] + 1) // 2
    allowed = ask.allowed(case)
    blind = ~(allowed & later).any(axis=-1, keepdims=True)
    first = ask(case)
    key, value = huge(ask, case)
    found = []
    for other_key, other_value in (
        (case.other_key, case.other_value),
        (np.copysign(key, case.other_key), np.copysign(value, case.other_value)),
    ):
        other = case.having(
            key=np.where(later[:, None], other_key, case.key),
            value=np.where(later[:, None], other_value, case.value),
        )
        second = ask(other)
        bound = together(ask.off(case, later), ask.off(case, later), compared([first.numbers * blind]))
        found.append(
            Reading(
                "a later position still moves an earlier output",
                f"np.where(blind, abs({first.name} - {second.name}), 0)",
                np.where(blind, bound, np.inf),
                "bhle",
                {"blind": blind},
                f"key {int(np.flatnonzero(later)[0])}" if later.sum() == 1 else "",
            )
        )
    return found


def _last(adapter: Adapter, facts: Facts, form: Form) -> Sequence[Form]:
    return causal()(adapter, facts, form)[:1] if adapter.other_length else []


@check(
    "the last causal query reads what it reads alone, as in decoding",
    _last,
    theorem="read_maskedSoftmax_eq_read_subtype",
    name="read_maskedSoftmax_eq_read_subtype.decoding",
)
def decoding(ask: Ask, case: Asked) -> Reading:
    """Give each of two queries alone, with the keys up to it and no causal flag."""
    n = case.lengths[0]
    upto = case.lengths[1] // 2
    first = ask(case)

    def alone(place: int) -> Asked:
        keys = slice(0, place + 1)
        bare = replace(case, is_causal=False)
        return bare.having(
            query=case.query[..., place : place + 1, :],
            key=case.key[..., keys, :],
            value=case.value[..., keys, :],
        )

    last, middle = alone(n - 1), alone(min(upto, n - 1))
    second, third = ask(last), ask(middle)
    joined = f"np.concatenate([{third.name}, {second.name}], axis=-2)"
    rows = [min(upto, n - 1), n - 1]
    bound = together(
        ask.off(case)[..., rows, :],
        np.concatenate([ask.off(middle), ask.off(last)], axis=-2),
        compared([first.numbers]),
    )
    return Reading(
        "a causal query does not read what it reads alone",
        f"abs({first.name}[..., {rows}, :] - {joined})",
        bound,
        "bhxe",
    )


def _either(adapter: Adapter, facts: Facts, form: Form) -> Sequence[Form]:
    forms = causal(value_width="keys", longest=33)(adapter, facts, form)
    return forms if adapter.mask else []


@check(
    "the causal flag is the mask that leaves out later positions",
    _either,
    theorem="maskedAttention_causal_congr",
    name="maskedAttention_causal_congr.mask",
)
def flag_and_mask(ask: Ask, case: Asked) -> Reading:
    """Give the same mask as a flag and as an array."""
    allowed = ask.allowed(case)
    kept = np.where(allowed.any(axis=-1, keepdims=True), allowed, True)
    first = ask.weights(case)
    second = ask.weights(replace(case, is_causal=False).having(mask=kept))
    off = weights_off(ask.seen(case))
    bound = together(off, off, compared([first.numbers]))
    return Reading(
        "the causal flag is not the causal mask",
        f"abs({first.name} - {second.name})",
        np.where(allowed.any(axis=-1, keepdims=True), bound, np.inf),
        "bhls",
    )
