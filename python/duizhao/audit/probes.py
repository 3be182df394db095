"""How policies are found: a few small calls each, of several shapes, in every dtype.

* `probed`: what a subject does, policy by policy.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from duizhao.audit.check import Ask, Facts, Reading
from duizhao.audit.judge import Verdict, amounts_of
from duizhao.audit.outside import Fault, Numbers, Outside
from duizhao.audit.policies import Policy, Wrong
from duizhao.audit.snippet import program
from duizhao.rounding.arithmetic import Arithmetic
from duizhao.rounding.stranger import hull_off, together
from duizhao.strategies.audits import Asked

Found = tuple[str | None, "str | Verdict"]
"""A value, or `None` and what was seen in its place: a sentence, or a case that shows it."""

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


def shown(ask: Ask, sentence: str, formula: str, axes: str) -> Verdict:
    """Return the calls since the list was last emptied as a failing case: what is zero in a correct program is not."""
    reading = Reading(sentence, formula, 0.0, axes)
    amounts = amounts_of(reading, ask.outputs)
    index = tuple(int(i) for i in np.unravel_index(int(np.argmax(amounts)), amounts.shape))
    outputs, calls = tuple(ask.outputs), tuple(ask.outside.calls)
    return Verdict(math.inf, float(amounts[index]), 0.0, sentence, reading, index, amounts, outputs, calls)


def keys_in_words(reads: NDArray[np.bool_]) -> str:
    """Return which keys a query reads, "no key", "key 0" or "keys 0, 1"."""
    places = [str(int(place)) for place in np.flatnonzero(reads)]
    return f"{'key' if len(places) == 1 else 'keys'} {', '.join(places)}" if places else "no key"


def neither_corner(
    reads: NDArray[np.bool_], top: NDArray[np.bool_], bottom: NDArray[np.bool_], judged: NDArray[np.bool_]
) -> str:
    """Say of one query how what it reads, `(queries, keys)`, fits neither corner, in the rows that are `judged`."""
    queries, keys = reads.shape
    where = f"with {queries} queries and {keys} keys" if queries > 1 else f"with 1 query and {keys} keys"
    kinds = (
        (reads & ~top & ~bottom, "reads key {} though neither corner lets it"),
        (~reads & top & bottom, "does not read key {} though both corners let it"),
        ((reads != top) & (reads != bottom).any(axis=-1, keepdims=True), "fits neither corner"),
        (reads != top, "fits the bottom right corner alone, and another query the top left one alone"),
    )
    seen = [(wrong & judged[:, None], words) for wrong, words in kinds]
    wrong, words = next(
        (item for item in seen if item[0].any()), (np.ones_like(reads), "fits neither corner")
    )
    query, key = (int(place) for place in np.argwhere(wrong)[0])
    return (
        f"{where} and the causal flag, query {query} {words.format(key)}: it reads {keys_in_words(reads[query])}, "
        f"where {keys_in_words(top[query])} (top left) or {keys_in_words(bottom[query])} (bottom right) is right"
    )


def alignment(ask: Ask) -> Found:
    """See what each query reads under the causal flag where lengths differ."""
    found: dict[str, str] = {}
    for queries, keys in ((2, 4), (3, 5), (1, 4), (4, 2)):
        zero = np.zeros((1, 1, queries, 2)), np.zeros((1, 1, keys, 2)), np.zeros((1, 1, keys, 2))
        ask.outputs.clear()
        ask.outside.calls.clear()
        try:
            weights = ask.weights(_asked(ask, *zero, is_causal=True))
        except Fault as fault:
            if fault.kind == "hangs":
                raise
            found.setdefault("error", f"{queries} × {keys}")
            continue
        reads = weights.numbers[0, 0] != 0
        ways = {
            "top_left": np.tri(queries, keys, 0, dtype=np.bool_),
            "bottom_right": np.tri(queries, keys, keys - queries, dtype=np.bool_),
        }
        kept = {
            name: all(np.array_equal(row, way) for row, way in zip(reads, allowed, strict=True) if way.any())
            for name, allowed in ways.items()
        }
        if not any(kept.values()):
            first = max(queries - keys, 0)
            sentence = neither_corner(
                reads, ways["top_left"], ways["bottom_right"], np.arange(queries) >= first
            )
            off = [
                f"(({weights.name} != 0) != np.tri({queries}, {keys}, {k}, bool))[..., {begin}:, :].sum((-2, -1))"
                for k, begin in ((0, 0), (keys - queries, first))
            ]
            return None, shown(ask, sentence, f"np.minimum({off[0]}, {off[1]})", "bh")
        for name, same in kept.items():
            if same:
                found.setdefault(name, f"{queries} × {keys}")
    if len(found) > 1:
        found.pop("error", None)
    if len(found) == 1:
        return next(iter(found)), ""
    said = ", ".join(f"{name} at {where}" for name, where in sorted(found.items()))
    return None, f"under the causal flag, lengths that differ are read in two ways: {said}"


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
        ask.outputs, ask.outside.calls[:] = ask.outputs[-2:], ask.outside.calls[-2:]
        names = [
            next((name for name, way in ways.items() if np.array_equal(by, way)), NEITHER)
            for by in (by_key, by_value)
        ]
        if names[0] != names[1]:
            said = f"the keys of {queries} query heads are shared by {names[0]}, their values by {names[1]}"
            return None, shown(ask, said, "abs(np.round(out[0]) - np.round(out[1]))", "bhle")
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


SCALES: Mapping[str, Callable[[int, int], float]] = {
    "1/sqrt(d)": lambda width, _heads: width**-0.5,
    "1/d": lambda width, _heads: 1 / width,
    "sqrt(d)": lambda width, _heads: width**0.5,
    "1/sqrt(heads*d)": lambda width, heads_: (width * heads_) ** -0.5,
}
"""The scales that have a name, by width and number of heads; the first is the right one."""


def seen_scales(found: list[tuple[int, int, str]]) -> str:
    """Say what was read at each width; at more heads than one, only where that makes a difference."""
    alone = {width: factor for width, heads_, factor in found if heads_ == 1}
    return ", ".join(
        f"{factor} at width {width}" + (f" with {heads_} heads" if heads_ > 1 else "")
        for width, heads_, factor in found
        if heads_ == 1 or factor != alone.get(width)
    )


def scale(ask: Ask) -> Found:
    """Read the scale back from the weights of two keys, at several widths and numbers of heads."""
    found: list[tuple[int, int, float]] = []
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
            found.append((width, heads_, float(np.log(weights[1] / weights[0])) / distance))
    loose = 64 * ask.assumed.u
    for name, way in SCALES.items():
        if all(
            abs(factor / way(width, heads_) - 1) <= loose * (4 + math.sqrt(width))
            for width, heads_, factor in found
        ):
            return name, ""
    narrow = ask.dtype in ("float16", "bfloat16")
    first = found[0][-1]
    if first != 0 and all(abs(factor / first - 1) <= loose * 8 for *_, factor in found):
        return f"{float(f'{first:.{2 if narrow else 4}g}'):g}", ""
    said = seen_scales(
        [(width, heads_, f"{factor:.{2 if narrow else 3}g}") for width, heads_, factor in found]
    )
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
    faults: dict[str, Wrong] = {}
    for dtype in adapter.dtypes:
        try:
            value, seen = PROBES[name](_ask(outside, assumed[dtype], dtype, facts))
        except Fault as fault:
            faults[dtype] = Wrong(fault.text)
            continue
        if value is not None:
            values[dtype] = value
        elif isinstance(seen, Verdict):
            faults[dtype] = Wrong(seen.sentence, program(outside.subject, seen, seen.sentence))
        else:
            faults[dtype] = Wrong(seen)
    return Policy(name, values, faults, needed=needed)
