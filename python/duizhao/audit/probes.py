"""How policies are found: a few small calls each, of several shapes, in every dtype.

* `probed`: what a subject does, policy by policy.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from duizhao.audit.check import Ask, Facts
from duizhao.audit.outside import Fault, Numbers, Outside
from duizhao.audit.policies import Policy
from duizhao.rounding.arithmetic import Arithmetic
from duizhao.rounding.stranger import hull_off, together
from duizhao.strategies.audits import Asked

Found = tuple[str | None, str]
"""A value, or `None` and what was seen in its place."""

NEITHER = "neither"


def rows(*shape: int) -> Numbers:
    """Return numbers between -1 and 1 that are all different."""
    return np.sin(np.arange(math.prod(shape), dtype=np.float64) * 2.3 + 0.5).reshape(shape)


def _ask(outside: Outside, assumed: Arithmetic, dtype: str, facts: Facts) -> Ask:
    return Ask(outside, assumed, facts, dtype)


def _asked(ask: Ask, query: Numbers, key: Numbers, value: Numbers, **others: object) -> Asked:
    flag = bool(others.pop("is_causal", False))
    arrays = {"query": ask.held(query), "key": ask.held(key), "value": ask.held(value), **others}
    return Asked(ask.dtype, arrays, flag)  # type: ignore[arg-type]


def polarity(ask: Ask) -> Found:
    """See which keys have weight: those with True, or those with False."""
    mask = np.array([[True, False, False], [True, True, False], [False, True, False]])[None, None]
    outside = ask.outside
    was, outside.drops = outside.drops, False
    try:
        zero = np.zeros((1, 1, 3, 2))
        weights = ask.weights(_asked(ask, zero, zero, zero, mask=mask)).numbers
    except Fault:
        outside.drops = was
        raise
    outside.drops = was
    return ("drop" if np.all(weights[mask] == 0) and np.all(weights[~mask] > 0) else "keep"), ""


def alignment(ask: Ask) -> Found:
    """See what each query reads under the causal flag where lengths differ."""
    found = set()
    for queries, keys in ((2, 4), (3, 5), (1, 4), (4, 2)):
        zero = np.zeros((1, 1, queries, 2)), np.zeros((1, 1, keys, 2)), np.zeros((1, 1, keys, 2))
        try:
            weights = ask.weights(_asked(ask, *zero, is_causal=True)).numbers[0, 0]
        except Fault as fault:
            if fault.kind == "hangs":
                raise
            found.add("error")
            continue
        reads = weights != 0
        ways = {
            "top_left": np.tri(queries, keys, 0, dtype=np.bool_),
            "bottom_right": np.tri(queries, keys, keys - queries, dtype=np.bool_),
        }
        kept = {
            name: all(np.array_equal(row, way) for row, way in zip(reads, allowed, strict=True) if way.any())
            for name, allowed in ways.items()
        }
        found |= {name for name, same in kept.items() if same} or {f"{NEITHER} corner at {queries} × {keys}"}
    return _one(found, "under the causal flag, lengths that differ are read in two ways")


def _one(found: set[str], otherwise: str) -> Found:
    """Return the one value that was found, or that there are several, or that it is none of those known."""
    strange = [value for value in sorted(found) if value.startswith(NEITHER)]
    if strange:
        return None, f"where lengths differ, the causal flag fits {strange[0]}"
    if "error" in found and len(found) > 1:
        found = found - {"error"}
    return (found.pop(), "") if len(found) == 1 else (None, f"{otherwise}: {', '.join(sorted(found))}")


def empty_row(ask: Ask) -> Found:
    """See what a query without keys gives: beside others, alone, and in a second sample."""
    found = set()
    for batch, queries, keys in ((1, 3, 4), (1, 1, 3), (2, 2, 2)):
        if batch > 1 and ask.adapter.layout in ("hld", "ld"):
            continue
        if queries != keys and not ask.adapter.other_length:
            queries = keys
        allowed = np.ones((batch, 1, queries, keys), dtype=np.bool_)
        allowed[-1, 0, -1] = False
        value = np.arange(1.0, batch * keys * 3 + 1).reshape(batch, 1, keys, 3)
        query, key = rows(batch, 1, queries, 3), rows(batch, 1, keys, 3)
        if ask.adapter.mask:
            case = _asked(ask, query, key, value, mask=allowed)
        else:
            case = _asked(ask, query, key, value, bias=np.where(allowed, 0.0, -np.inf))
        bare = _asked(ask, query, key, value)
        try:
            out = ask(case).numbers[-1, 0, -1]
        except Fault as fault:
            if fault.kind != "raises":
                raise
            found.add("error")
            continue
        open_ = ask(bare).numbers[-1, 0, -1]
        found.add(_named(ask, bare, out, open_))
    strange = [value for value in sorted(found) if value.startswith(NEITHER)]
    if strange:
        return None, f"a query without keys gives {strange[0].removeprefix(NEITHER)}"
    if len(found) > 1:
        return None, f"a query without keys gives now one thing, now another: {', '.join(sorted(found))}"
    return found.pop(), ""


def _named(ask: Ask, bare: Asked, out: Numbers, open_: Numbers) -> str:
    """Name what a query without keys gives, beside what it gives without a mask."""
    if np.all(np.isnan(out)):
        return "nan"
    if np.all(out == 0):
        return "zero"
    value = bare.value[-1, 0]
    off = np.minimum(hull_off(ask.assumed, len(value), 0.0, np.abs(value).max(axis=0)), np.ptp(value) / 8)
    if np.all(np.abs(out - value.mean(axis=0)) <= off):
        return "mean"
    if np.all(np.abs(out - open_) <= together(ask.off(bare), ask.off(bare))[-1, 0, -1]):
        return "unmasked"
    return f"{NEITHER} {np.array2string(out, precision=3)}, which is no zero, mean or NaN"


def heads(ask: Ask) -> Found:
    """See whose keys and whose values each query head reads."""
    found = set()
    for queries, groups in ((4, 2), (6, 3), (6, 2)):
        each = queries // groups
        query = np.ones((1, queries, 2, 2))
        # In group g, the key g has all the weight; the value of a key is its number, in every group.
        steep = 40.0 if ask.dtype in ("float64", "float32", "bfloat16") else 16.0
        key = np.zeros((1, groups, groups, 2))
        key[0, range(groups), range(groups)] = steep
        place = np.broadcast_to(np.arange(1.0, groups + 1)[:, None], (1, groups, groups, 2)).copy()
        group = np.broadcast_to(np.arange(1.0, groups + 1)[:, None, None], (1, groups, groups, 2)).copy()
        by_key = np.round(ask(_asked(ask, query, key, place)).numbers[0, :, 0, 0]) - 1
        by_value = np.round(ask(_asked(ask, query, np.zeros_like(key), group)).numbers[0, :, 0, 0]) - 1
        ways = {"repeat": np.arange(queries) // each, "tile": np.arange(queries) % groups}
        names = [
            next((name for name, way in ways.items() if np.array_equal(by, way)), NEITHER)
            for by in (by_key, by_value)
        ]
        if names[0] != names[1]:
            return (
                None,
                f"the keys of {queries} query heads are shared by {names[0]}, their values by {names[1]}",
            )
        if names[0] == NEITHER:
            return (
                None,
                f"{queries} query heads share {groups} of keys neither next to each other nor in turn",
            )
        found.add(names[0])
    if len(found) > 1:
        return None, "query heads share keys now next to each other, now in turn"
    return found.pop(), ""


def masked_nan(ask: Ask) -> Found:
    """See whether NaN in a masked value, or a masked key, reaches an output that is not NaN without it."""
    leaks = False
    for name in ("value", "key"):
        query, key, value = (rows(1, 1, 3, 2) for _ in range(3))
        arrays = {"query": query, "key": key, "value": value}
        arrays[name] = arrays[name].copy()
        arrays[name][..., 2, :] = np.nan
        if ask.adapter.mask:
            allowed = np.broadcast_to(np.array([True, True, False]), (1, 1, 3, 3)).copy()
            case, shown = _asked(ask, **arrays, mask=allowed), slice(None)
        else:
            case, shown = _asked(ask, **arrays, is_causal=True), slice(0, 2)
        try:
            leaks |= bool(np.isnan(ask(case).numbers[:, :, shown]).any())
        except Fault as fault:
            if fault.kind != "raises":
                raise
            return "error", ""
    return ("leaks" if leaks else "blocked"), ""


def scale(ask: Ask) -> Found:
    """Read the scale back from the weights of two keys, at several widths and numbers of heads."""
    found = []
    for width, heads_ in ((1, 1), (4, 1), (16, 1), (4, 2)):
        if heads_ > 1 and ask.adapter.layout == "ld":
            continue
        query = np.ones((1, heads_, 2, width))
        key = np.zeros((1, heads_, 2, width))
        key[..., 1, :] = 0.5 / math.sqrt(width)
        case = _asked(ask, query, key, np.zeros_like(key))
        weights = ask.weights(case).numbers[0, 0, 0]
        distance = float(case.key[0, 0, 1].sum())
        with np.errstate(all="ignore"):
            found.append((width, float(np.log(weights[1] / weights[0])) / distance))
    loose = 64 * ask.assumed.u
    if all(abs(factor * math.sqrt(width) - 1) <= loose * (4 + math.sqrt(width)) for width, factor in found):
        return "1/sqrt(d)", ""
    first = found[0][1]
    if first != 0 and all(abs(factor / first - 1) <= loose * 8 for _, factor in found):
        digits = 2 if ask.dtype in ("float16", "bfloat16") else 4
        return f"{float(f'{first:.{digits}g}'):g}", ""
    said = ", ".join(f"{factor:.3g} at width {width}" for width, factor in found)
    return f"neither 1/√d nor one number: {said}", ""


def overflow(ask: Ask) -> Found:
    """Ask for scores that do not fit in the dtype."""
    size = 2.0 ** (math.ceil(math.log2(ask.assumed.largest) / 2) + 2)
    query = np.full((1, 1, 2, 4), size)
    key = query * np.array([1.0, 0.5])[:, None]
    try:
        out = ask(_asked(ask, query, key, rows(1, 1, 2, 4))).numbers
    except Fault as fault:
        if fault.kind != "raises":
            raise
        return "error", ""
    return ("finite" if np.all(np.isfinite(out)) else "nan"), ""


PROBES: Mapping[str, Callable[[Ask], Found]] = {
    "mask": polarity,
    "scale": scale,
    "causal": alignment,
    "heads": heads,
    "empty_row": empty_row,
    "masked_nan": masked_nan,
    "overflow": overflow,
}


def _unseen(name: str, outside: Outside) -> str:
    """Say why a policy cannot be seen, or return "" if it can."""
    adapter = outside.subject.adapter
    if name == "mask" and not (adapter.mask or adapter.bias):
        return "it takes no mask"
    if name == "causal" and not adapter.is_causal:
        return "it takes no causal flag"
    if name == "causal" and not adapter.other_length:
        return "it takes no lengths that differ"
    if name == "heads" and not adapter.grouped:
        return "it takes as many heads of keys as of queries"
    if name == "empty_row" and not (adapter.mask or adapter.bias):
        return "it takes no mask"
    if name == "masked_nan" and not (adapter.mask or adapter.is_causal):
        return "it takes no boolean mask and no causal flag"
    return ""


def probed(
    name: str, outside: Outside, assumed: Mapping[str, Arithmetic], facts: Facts, needed: str | None
) -> Policy:
    """Find one policy in every dtype."""
    adapter = outside.subject.adapter
    if unseen := _unseen(name, outside):
        return Policy(name, unseen=unseen, needed=needed)
    if name == "mask" and adapter.mask != "detect":
        said = adapter.mask or "additive"
        return Policy(name, dict.fromkeys(adapter.dtypes, said), needed=needed)
    values: dict[str, str] = {}
    faults: list[str] = []
    for dtype in adapter.dtypes:
        try:
            value, seen = PROBES[name](_ask(outside, assumed[dtype], dtype, facts))
        except Fault as fault:
            faults.append(f"{dtype}: {fault.text}")
            continue
        if value is None:
            faults.append(f"{dtype}: {seen}")
        else:
            values[dtype] = value
    return Policy(name, values, faults, needed=needed)
