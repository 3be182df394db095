"""What is read with the weights: hulls, translations, projections, orders, blocks, large scores."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from duizhao.audit.check import Ask, Facts, Reading, check, plain
from duizhao.audit.subject import Adapter
from duizhao.rounding.masks import whole_number
from duizhao.rounding.stranger import OWN, compared, hull_off, read_off, sum_off, together, weights_off
from duizhao.strategies.audits import Asked, Form


def largest(values: np.ndarray) -> np.ndarray:
    """Return the largest magnitude of each column of values, `(..., 1, columns)`."""
    return np.asarray(np.abs(values).max(axis=-2, keepdims=True))


@check("every output lies between the values of its column", plain(), theorem="attention_mem_Icc")
def interval(ask: Ask, case: Asked) -> Reading:
    """Compare outputs with the least and the largest value."""
    seen = ask.seen(case)
    out = ask(case)
    low, high = "value.min(axis=-2, keepdims=True)", "value.max(axis=-2, keepdims=True)"
    bound = np.broadcast_to(hull_off(ask.assumed, seen.n, seen.size, largest(case.value)), out.numbers.shape)
    return Reading(
        "an output leaves the range of the values",
        f"np.maximum(np.maximum({low} - {out.name}, {out.name} - {high}), 0)",
        bound + compared([out.numbers]),
        "bhle",
        {"value": case.value},
    )


@check(
    "every output row lies in the convex hull of the value rows",
    plain(extras=("directions",)),
    theorem="attention_mem_convexHull",
)
def hull(ask: Ask, case: Asked) -> Reading:
    """Compare outputs with values in a few directions."""
    seen = ask.seen(case)
    out = ask(case)
    sizes = np.abs(case.directions)
    through = hull_off(ask.assumed, seen.n, seen.size, largest(case.value)) @ sizes.T
    own = 8 * OWN * sizes.shape[-1] * (largest(case.value) @ sizes.T)
    return Reading(
        "an output row leaves the convex hull of the value rows",
        f"np.maximum({out.name} @ directions.T - (value @ directions.T).max(axis=-2, keepdims=True), 0)",
        np.broadcast_to(through + own, (*out.numbers.shape[:-1], len(sizes))),
        "bhlx",
        {"value": case.value, "directions": case.directions},
    )


@check("values of zeros give zero", plain(), theorem="attention_zero")
def zero_values(ask: Ask, case: Asked) -> Reading:
    """Read values of zeros."""
    out = ask(case.having(value=np.zeros_like(case.value)))
    return Reading("values of zeros give something else", f"abs({out.name})", 0.0, "bhle")


@check(
    "one row added to every value row is added to every output row",
    plain(extras=("constant",)),
    theorem="attention_add_row",
)
def translation(ask: Ask, case: Asked) -> Reading:
    """Add a row to every value."""
    moved = case.having(value=ask.held(case.value + case.constant))
    seen = ask.seen(case)
    first, second = ask(case), ask(moved)
    excess = sum_off(ask.assumed, seen.n, seen.size)
    inexact = largest(moved.value - case.value - case.constant)
    bound = together(
        read_off(ask.assumed, seen.n, seen.size, largest(case.value)),
        read_off(ask.assumed, seen.n, seen.size, largest(moved.value)),
        excess * np.abs(case.constant) + (1 + excess) * inexact,
        compared([first.numbers, second.numbers]),
    )
    return Reading(
        "a row added to every value is not what is added to an output",
        f"abs({second.name} - {first.name} - constant)",
        np.broadcast_to(bound, first.numbers.shape),
        "bhle",
        {"constant": case.constant},
    )


@check(
    "projecting the output is projecting the values",
    plain(extras=("projection",)),
    theorem="attention_mul",
)
def projection(ask: Ask, case: Asked) -> Reading:
    """Project the values."""
    projected = case.value @ case.projection
    moved = case.having(value=ask.held(projected))
    seen = ask.seen(case)
    first, second = ask(case), ask(moved)
    matrix = np.abs(case.projection)
    excess = sum_off(ask.assumed, seen.n, seen.size)
    own = 4 * OWN * (matrix.shape[0] + 2) * (largest(case.value) @ matrix)
    bound = together(
        read_off(ask.assumed, seen.n, seen.size, largest(case.value)) @ matrix,
        read_off(ask.assumed, seen.n, seen.size, largest(moved.value)),
        (1 + excess) * (largest(moved.value - projected) + own) + own,
        compared([first.numbers, second.numbers]),
    )
    return Reading(
        "projecting the output is not projecting the values",
        f"abs({first.name} @ projection - {second.name})",
        np.broadcast_to(bound, second.numbers.shape),
        "bhle",
        {"projection": case.projection},
    )


@check(
    "reordering keys and values together changes nothing",
    plain(extras=("order",), least_keys=2),
    theorem="attention_submatrix_keys",
)
def key_order(ask: Ask, case: Asked) -> Reading:
    """Reorder keys and values."""
    order = np.argsort(case.order)
    other = case.having(key=case.key[..., order, :], value=case.value[..., order, :])
    first, second = ask(case), ask(other)
    return Reading(
        "reordering keys and values together changes an output",
        f"abs({first.name} - {second.name})",
        together(ask.off(case), ask.off(case), compared([first.numbers])),
        "bhle",
    )


@check(
    "reordering the queries reorders the output rows",
    plain(),
    theorem="attention_submatrix_queries",
)
def query_order(ask: Ask, case: Asked) -> Reading:
    """Turn the order of the queries around."""
    first, second = ask(case), ask(case.having(query=case.query[..., ::-1, :]))
    return Reading(
        "turning the queries around does not turn the output rows around",
        f"abs({first.name} - {second.name}[..., ::-1, :])",
        together(ask.off(case), ask.off(case), compared([first.numbers])),
        "bhle",
    )


@check(
    "reading the keys in two parts and joining them by their shares of the weight is reading them all",
    plain(extras=("chosen",), least_keys=2),
    theorem="out_foldl_merge_univ",
)
def two_parts(ask: Ask, case: Asked) -> Reading:
    """Read two parts of the keys."""
    part = case.chosen
    if part.all() or not part.any():
        part = np.arange(len(part)) == 0
    parts = [case.having(key=case.key[..., p, :], value=case.value[..., p, :]) for p in (part, ~part)]
    seen = ask.seen(case)
    whole, first, second = ask(case), ask(parts[0]), ask(parts[1])
    weights = ask.weights(case)
    off = weights_off(seen)
    share = (seen.weight + off)[..., part].sum(axis=-1, keepdims=True)
    rest = (seen.weight + off)[..., ~part].sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        bound = together(
            ask.off(case),
            np.minimum(share, 2) * ask.off(parts[0]),
            np.minimum(rest, 2) * ask.off(parts[1]),
            np.minimum(off.sum(axis=-1, keepdims=True), 3) * 2 * largest(case.value),
            compared([whole.numbers, first.numbers, second.numbers]) * seen.n,
        )
    formula = (
        f"abs({whole.name} - ({weights.name})[..., part].sum(axis=-1, keepdims=True) * {first.name}"
        f" - ({weights.name})[..., ~part].sum(axis=-1, keepdims=True) * {second.name})"
    )
    return Reading("the parts do not join to the whole", formula, bound, "bhle", {"part": part})


def _large_forms(_adapter: Adapter, _facts: Facts, form: Form) -> Sequence[Form]:
    """Ask for every size of scores, without a scale of its own: at the last widths, dot products are far larger."""
    return [replace(form, spread=1.0), replace(form, spread=2.0), replace(form, least_keys=2, least_width=24)]


@check("large scores give numbers", _large_forms, theorem="softmax_sub_sup", name="softmax_sub_sup")
def large_scores(ask: Ask, case: Asked) -> Sequence[Reading]:
    """Make scores large, but none so large that it does not fit in the dtype.

    Products as they are, and all of one sign.
    """
    scale = ask.scale(case)
    peak = float(np.max(np.abs(case.query) @ np.swapaxes(np.abs(case.key), -1, -2)) * abs(scale))
    target = min(20000.0, ask.assumed.largest / 4)
    if peak == 0:
        peak = target
    factor = np.sqrt(target / peak)
    query, key = ask.held(case.query * factor), ask.held(case.key * factor)
    found = []
    for large in (case.having(query=query, key=key), case.having(query=np.abs(query), key=np.abs(key))):
        out = ask(large)
        found.append(
            Reading(
                "large scores give no number",
                f"(~np.isfinite({out.name})).astype(float)",
                whole_number(),
                "bhle",
            )
        )
    return found


@check(
    "with large scores, every output lies between the values of its column",
    plain(spread=6.0),
    theorem="attention_mem_Icc",
    name="attention_mem_Icc.large_scores",
)
def large_interval(ask: Ask, case: Asked) -> Reading:
    """Compare outputs of large scores with the least and the largest value."""
    return interval.function(ask, case)  # type: ignore[return-value]
