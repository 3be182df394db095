"""Who may be read: boolean masks, and biases on the scores."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from duizhao.audit.check import Ask, Facts, Reading, check, masked
from duizhao.audit.outside import Numbers
from duizhao.audit.subject import Adapter
from duizhao.rounding.masks import whole_number
from duizhao.rounding.stranger import compared, hull_off, log_odds_off, sum_off, together
from duizhao.strategies.audits import Asked, Form

HUGE = 1e30
"""What masked keys and values are filled with, or the largest power of two that the dtype has room for."""

LOW = 20000.0
"""How far below zero allowed scores are put: below what 16 bits can hold as a fill, and far from what 32 bits can."""


def huge(ask: Ask, case: Asked) -> tuple[float, float]:
    """Return a huge key entry whose score still fits in the dtype with room to spare, and a huge value."""
    room = ask.assumed.largest / 16
    reach = float(np.max(np.abs(case.query).sum(axis=-1), initial=1.0)) * max(abs(ask.scale(case)), 1.0)
    return (
        ask.held(np.asarray([min(HUGE, 2.0 ** np.floor(np.log2(room / reach)))])).item(),
        ask.held(np.asarray([min(HUGE, room)])).item(),
    )


def lowered(ask: Ask, case: Asked) -> Asked:
    """Return the case with scores that are all far below zero, though not too far for the dtype.

    At the scale 0 no score is below zero, and the case stays as it is.
    """
    if ask.scale(case) == 0:
        return case
    size = np.sqrt(min(LOW, ask.assumed.largest / 4) / (case.query.shape[-1] * abs(ask.scale(case))))
    query, key = ask.held(np.full_like(case.query, size)), ask.held(np.full_like(case.key, -size))
    return case.having(query=query, key=key if ask.scale(case) > 0 else -key)


def some(case: Asked) -> np.ndarray:
    """Return the chosen keys, `(keys,)`, at least one of them not, if there are two."""
    chosen = case.chosen
    return np.asarray(chosen if not chosen.all() else np.arange(len(chosen)) > 0)


def only(keys: np.ndarray) -> str:
    """Return "key 2" for the number of a single key that is True, or ""."""
    return f"key {int(np.flatnonzero(keys)[0])}" if keys.sum() == 1 else ""


@check("a masked key has the weight zero", masked(value_width="keys"), theorem="maskedSoftmax_of_notMem")
def no_weight(ask: Ask, case: Asked) -> Reading:
    """Read the weights of masked keys."""
    out = ask.weights(case)
    bound = np.where(case.mask.any(axis=-1, keepdims=True), 0.0, np.inf)
    return Reading(
        "a masked key has weight",
        f"np.where(mask, 0, abs({out.name}))",
        np.broadcast_to(bound, case.mask.shape),
        "bhls",
        {"mask": case.mask},
    )


@check(
    "a masked key has the weight zero, however low the allowed scores are",
    masked(value_width="keys", least_keys=2),
    theorem="maskedSoftmax_of_notMem",
    name="maskedSoftmax_of_notMem.low_scores",
)
def no_weight_below(ask: Ask, case: Asked) -> Reading:
    """Read the weights of masked keys where all scores are far below zero."""
    return no_weight.function(ask, lowered(ask, case))  # type: ignore[return-value]


@check(
    "the weights of the allowed keys sum to one",
    masked(value_width="keys"),
    theorem="sum_maskedSoftmax_eq_one",
)
def allowed_sums(ask: Ask, case: Asked) -> Sequence[Reading]:
    """Add up the weights of allowed keys."""
    seen = ask.seen(case)
    out = ask.weights(case)
    bound = sum_off(ask.assumed, seen.n, seen.size) + compared([out.numbers]) * seen.n
    says = "the weights of the allowed keys do not sum to one"
    row = np.where(case.mask.any(axis=-1), bound, np.inf)
    return [
        Reading(
            says, f"abs(np.where(mask, {out.name}, 0).sum(axis=-1) - 1)", row, "bhl", {"mask": case.mask}
        ),
        Reading("a weight is negative", f"np.maximum(-({out.name}), 0)", 0.0, "bhls"),
    ]


@check(
    "the keys and values that are masked do not move the output",
    masked(extras=("chosen", "other_key", "other_value"), least_keys=2),
    theorem="read_maskedSoftmax_congr",
)
def irrelevant(ask: Ask, case: Asked) -> Sequence[Reading]:
    """Change masked keys and values: to others, and to huge ones."""
    chosen = some(case)
    left = case.mask & ~chosen
    hidden = case.having(mask=np.where(left.any(axis=-1, keepdims=True), left, ~chosen))
    first = ask(hidden)
    column = chosen[:, None]
    key, value = huge(ask, case)
    found = []
    changes: list[tuple[Numbers, Numbers]] = [
        (case.other_key, case.other_value),
        (np.copysign(key, case.other_key), np.copysign(value, case.other_value)),
    ]
    for other_key, other_value in changes:
        other = hidden.having(
            key=np.where(column, other_key, case.key), value=np.where(column, other_value, case.value)
        )
        second = ask(other)
        found.append(
            Reading(
                "a masked key still moves the output",
                f"abs({first.name} - {second.name})",
                together(ask.off(hidden, chosen), ask.off(hidden, chosen), compared([first.numbers])),
                "bhle",
                also=only(chosen),
            )
        )
    return found


@check(
    "the output lies in the convex hull of the values of the allowed keys",
    masked(extras=("directions",)),
    theorem="read_maskedSoftmax_mem_convexHull",
)
def allowed_hull(ask: Ask, case: Asked) -> Sequence[Reading]:
    """Compare outputs with the allowed values in a few directions, and column by column."""
    seen = ask.seen(case)
    out = ask(case)
    sizes = np.abs(case.directions)
    allowed = case.mask[..., None]
    size = np.where(allowed, np.abs(case.value)[:, :, None], 0.0).max(axis=-2)
    bound = np.where(
        case.mask.any(axis=-1, keepdims=True), hull_off(ask.assumed, seen.n, seen.size, size), np.inf
    )
    says = "an output leaves the convex hull of the values of its allowed keys"
    along = "(value @ directions.T)[:, :, None]"
    farthest = f"np.where(mask[..., None], {along}, -np.inf).max(axis=-2)"
    highest = "np.where(mask[..., None], value[:, :, None], -np.inf).max(axis=-2)"
    lowest = "np.where(mask[..., None], value[:, :, None], np.inf).min(axis=-2)"
    arrays = {"value": case.value, "mask": case.mask}
    return [
        Reading(
            says,
            f"np.maximum({out.name} @ directions.T - {farthest}, 0)",
            bound @ sizes.T * 2,
            "bhlx",
            {**arrays, "directions": case.directions},
        ),
        Reading(
            says,
            f"np.maximum(np.maximum({lowest} - {out.name}, {out.name} - {highest}), 0)",
            bound + compared([out.numbers]),
            "bhle",
            arrays,
        ),
    ]


@check(
    "masked attention is attention to the allowed keys alone",
    masked(extras=("chosen",), least_keys=2),
    theorem="read_maskedSoftmax_eq_read_subtype",
)
def subset(ask: Ask, case: Asked) -> Reading:
    """Mask some keys for every query, and leave the same keys out."""
    keep = ~some(case)
    keep = keep if keep.any() else ~keep
    hidden = case.having(mask=np.broadcast_to(keep, case.mask.shape).copy())
    alone = Asked(
        case.dtype,
        {"query": case.query, "key": case.key[..., keep, :], "value": case.value[..., keep, :]},
        scale=case.scale,
    )
    first, second = ask(hidden), ask(alone)
    return Reading(
        "masked attention is not attention to the allowed keys alone",
        f"abs({first.name} - {second.name})",
        together(ask.off(hidden, ~keep), ask.off(alone), compared([first.numbers])),
        "bhle",
    )


@check(
    "allowing every key to every query is attention without a mask",
    masked(),
    theorem="maskedAttention_univ",
)
def everything(ask: Ask, case: Asked) -> Reading:
    """Allow every key."""
    bare = Asked(
        case.dtype, {name: case.arrays[name] for name in ("query", "key", "value")}, scale=case.scale
    )
    first, second = ask(case.having(mask=np.ones_like(case.mask))), ask(bare)
    return Reading(
        "a mask that allows every key changes the output",
        f"abs({first.name} - {second.name})",
        together(ask.off(bare), ask.off(bare), compared([first.numbers])),
        "bhle",
    )


def _with_empty_rows(adapter: Adapter, facts: Facts, form: Form) -> Sequence[Form]:
    if not adapter.mask or not facts.empty:
        return []
    return [replace(form, mask="any", scale=adapter.scale)]


@check(
    "a query without keys does not change what other queries read",
    _with_empty_rows,
    theorem="read_maskedSoftmax_congr",
    name="read_maskedSoftmax_congr.empty_row",
)
def beside_empty(ask: Ask, case: Asked) -> Reading:
    """Take every key from some queries."""
    queries = case.lengths[0]
    gone = (np.arange(queries) % 2 == 0)[:, None]
    first = ask(case)
    second = ask(case.having(mask=case.mask & ~gone))
    bound = together(ask.off(case), ask.off(case), compared([first.numbers]))
    return Reading(
        "a query without keys changes what another query reads",
        f"np.where(gone, 0, abs({first.name} - {second.name}))",
        np.where(gone, np.inf, bound),
        "bhle",
        {"gone": gone},
    )


def _biased(adapter: Adapter, _facts: Facts, form: Form) -> Sequence[Form]:
    if not adapter.bias:
        return []
    return [replace(form, value_width="keys", least_keys=2, longest=33, extras=("bias", "chosen"))]


@check(
    "a bias on the scores multiplies the weights by its exponential and renormalises",
    _biased,
    theorem="softmax_add",
)
def biased(ask: Ask, case: Asked) -> Reading:
    """Compare logarithms of ratios of weights with and without a bias."""
    bare = Asked(
        case.dtype, {name: case.arrays[name] for name in ("query", "key", "value")}, scale=case.scale
    )
    with_bias, without = ask.seen(case), ask.seen(bare)
    first, second = ask.weights(case), ask.weights(bare)
    best = with_bias.weight.argmax(axis=-1)[..., None]
    logs = f"(np.log({first.name}) - np.log({second.name}) - bias)"
    return Reading(
        "a bias does not multiply the weights by its exponential",
        f"abs({logs} - np.take_along_axis({logs}, best, -1))",
        together(log_odds_off(with_bias, best), log_odds_off(without, best)),
        "bhls",
        {"bias": case.bias, "best": best},
    )


@check(
    "a bias of minus infinity takes a key away",
    _biased,
    theorem="read_maskedSoftmax_eq_read_subtype",
    name="read_maskedSoftmax_eq_read_subtype.bias",
)
def forbidding_bias(ask: Ask, case: Asked) -> Sequence[Reading]:
    """Give some keys a bias of minus infinity, and leave the same keys out."""
    gone = some(case)
    gone = gone if not gone.all() else ~gone
    arrays = {name: case.arrays[name] for name in ("query", "key", "value")}
    hidden = Asked(case.dtype, {**arrays, "bias": np.where(gone, -np.inf, case.bias)}, scale=case.scale)
    alone = Asked(
        case.dtype,
        {
            "query": case.query,
            "key": case.key[..., ~gone, :],
            "value": case.value[..., ~gone, :],
            "bias": case.bias[..., ~gone],
        },
        scale=case.scale,
    )
    first, second, weights = ask(hidden), ask(alone), ask.weights(hidden)
    return [
        Reading(
            "a bias of minus infinity does not take a key away",
            f"abs({first.name} - {second.name})",
            together(ask.off(hidden, gone), ask.off(alone), compared([first.numbers])),
            "bhle",
            also=only(gone),
        ),
        Reading(
            "a key with a bias of minus infinity has weight",
            f"(np.where(gone, {weights.name}, 0) != 0).astype(float)",
            whole_number(),
            "bhls",
            {"gone": gone},
        ),
    ]
