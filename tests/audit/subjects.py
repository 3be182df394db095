"""Small attention functions that tests audit: a right one, wrong ones, and some that misbehave."""

import os
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao.audit.subject import Adapter

Numbers = NDArray[Any]


def right(
    query: Numbers,
    key: Numbers,
    value: Numbers,
    mask: Numbers | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Numbers:
    """Attention, with zero for a query without keys."""
    kind = query.dtype.type
    factor = kind(query.shape[-1] ** -0.5 if scale is None else scale)
    scores = (query * factor) @ np.swapaxes(key, -1, -2)
    if is_causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=np.bool_), scores, kind(-np.inf))
    if mask is not None:
        scores = np.where(mask, scores, kind(-np.inf))
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, kind(0)))
    total = powers.sum(axis=-1, keepdims=True)
    return np.asarray((powers / np.where(total > 0, total, kind(1))) @ value)


def plain(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """Attention without any option."""
    return right(query, key, value)


def leaks(query: Numbers, key: Numbers, value: Numbers, mask: Numbers | None = None) -> Numbers:
    """A finite fill: a masked key keeps a little weight."""
    bare = right(query, key, value)
    if mask is None:
        return bare
    scores = query @ np.swapaxes(key, -1, -2) * query.dtype.type(query.shape[-1] ** -0.5)
    filled = np.where(mask, scores, query.dtype.type(-9))
    powers = np.exp(filled - filled.max(axis=-1, keepdims=True))
    return np.asarray((powers / powers.sum(axis=-1, keepdims=True)) @ value)


def drops(query: Numbers, key: Numbers, value: Numbers, mask: Numbers | None = None) -> Numbers:
    """True in a mask drops a key."""
    return right(query, key, value, None if mask is None else ~mask)


def adds(query: Numbers, key: Numbers, value: Numbers, attn_mask: Numbers | None = None) -> Numbers:
    """A mask is added to the scores, and a boolean one is refused."""
    if attn_mask is None:
        return right(query, key, value)
    if attn_mask.dtype == np.bool_:
        raise TypeError("attn_mask: an array of floats is needed")
    scores = query @ np.swapaxes(key, -1, -2) * query.dtype.type(query.shape[-1] ** -0.5) + attn_mask
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, query.dtype.type(0)))
    total = powers.sum(axis=-1, keepdims=True)
    return np.asarray((powers / np.where(total > 0, total, query.dtype.type(1))) @ value)


def bottom_right(query: Numbers, key: Numbers, value: Numbers, *, is_causal: bool = False) -> Numbers:
    """The causal mask of the last query reads every key."""
    queries, keys = query.shape[-2], key.shape[-2]
    mask = np.tri(queries, keys, keys - queries, dtype=np.bool_) if is_causal else None
    return right(query, key, value, mask)


def one_too_many(query: Numbers, key: Numbers, value: Numbers, *, is_causal: bool = False) -> Numbers:
    """Where there are more keys than queries, each query reads one key after its own."""
    queries, keys = query.shape[-2], key.shape[-2]
    return right(
        query, key, value, np.tri(queries, keys, int(keys > queries), dtype=np.bool_) if is_causal else None
    )


def by_width(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """The scores are divided by the width, not by its root."""
    return right(query, key, value, scale=1 / query.shape[-1])


def shared(query: Numbers, key: Numbers, value: Numbers, *, keys: str, values: str) -> Numbers:
    """Attention of grouped heads."""
    each = query.shape[1] // key.shape[1]
    ways = {"repeat": lambda a: np.repeat(a, each, axis=1), "tile": lambda a: np.tile(a, (1, each, 1, 1))}
    return right(query, ways[keys](key), ways[values](value))


def repeats(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """Heads next to each other share."""
    return shared(query, key, value, keys="repeat", values="repeat")


def tiles(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """Heads share in turn."""
    return shared(query, key, value, keys="tile", values="tile")


def repeats_and_tiles(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """Keys are shared by neighbours, values in turn."""
    return shared(query, key, value, keys="repeat", values="tile")


def unscaled(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """No scale at all."""
    return right(query, key, value, scale=1.0)


def raises(query: Numbers, key: Numbers, value: Numbers, mask: Numbers | None = None) -> Numbers:
    """A mask of which a query has more than one key is too much."""
    if mask is not None and not mask.all():
        raise ZeroDivisionError("no mask today")
    return right(query, key, value, mask)


def hangs(query: Numbers, key: Numbers, value: Numbers, mask: Numbers | None = None) -> Numbers:
    """A mask that hides something never ends."""
    if mask is not None and not mask.all():
        time.sleep(600)
    return right(query, key, value)


def dies(query: Numbers, key: Numbers, value: Numbers, mask: Numbers | None = None) -> Numbers:
    """A mask that hides something ends the process."""
    if mask is not None and not mask.all():
        os._exit(3)
    return right(query, key, value)


def wrong_shape(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """One axis too many is summed over."""
    out = right(query, key, value)
    return out if out.shape[-2] < 3 else out[..., :2, :]


def wrong_dtype(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """Everything is float64 in the end."""
    return right(query, key, value).astype(np.float64)


def mutates(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """The queries are scaled where they are."""
    out = right(query, key, value)
    query *= query.dtype.type(0.5)
    return out


def drops_late_keys(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """Keys from 128 on are forgotten."""
    return right(query, key[..., :128, :], value[..., :128, :])


def zero_is_none(query: Numbers, key: Numbers, value: Numbers, *, scale: float | None = None) -> Numbers:
    """The scale 0 is taken for none."""
    return right(query, key, value, scale=scale or None)


def turns(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """The queries are given another shape where they are."""
    out = right(query, key, value)
    query.resize((query.size,), refcheck=False)
    return out


def interrupts(query: Numbers, key: Numbers, value: Numbers, mask: Numbers | None = None) -> Numbers:
    """A mask that hides something is taken for Ctrl-C."""
    if mask is not None and not mask.all():
        raise KeyboardInterrupt("enough")
    return right(query, key, value, mask)


def says_half_a_letter(query: Numbers, key: Numbers, value: Numbers, mask: Numbers | None = None) -> Numbers:
    """A mask that hides something is refused in a text that no file can hold."""
    if mask is not None and not mask.all():
        raise ValueError("no \ud800 today")
    return right(query, key, value, mask)


def prints(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """It says what it does."""
    print("attending")
    return right(query, key, value)


CALLS = {"count": 0}


def changes_its_mind(query: Numbers, key: Numbers, value: Numbers) -> Numbers:
    """Every second call is a little larger."""
    CALLS["count"] += 1
    out = right(query, key, value)
    return np.asarray(out + out.dtype.type(1e-3) * (CALLS["count"] % 2))


def no_array(query: Numbers, key: Numbers, value: Numbers) -> str:
    """It returns a text."""
    return f"{right(query, key, value)}"


def two_arguments(query: Numbers, key: Numbers) -> Numbers:
    """It has no values."""
    return query @ np.swapaxes(key, -1, -2)


NOT_CALLABLE = 1


def in_rows(query: Numbers, key: Numbers, value: Numbers, attn_mask: Numbers | None = None) -> Numbers:
    """As `leaks`, on arrays (batch, length, heads, width)."""
    turned = [np.swapaxes(array, 1, 2) for array in (query, key, value)]
    return np.swapaxes(leaks(turned[0], turned[1], turned[2], attn_mask), 1, 2)


def in_columns(columns: Numbers, *, mask: Numbers | None = None) -> Numbers:
    """As `leaks`, on one array of queries, keys and values."""
    query, key, value = columns
    return leaks(query, key, value, mask)


IN_ROWS = Adapter(layout="blhd", mask="keep", names={"mask": "attn_mask"})
HEADS = Adapter(layout="hld", mask="keep")
ROWS = Adapter(layout="ld", mask="keep")
IN_COLUMNS = Adapter(
    mask="keep",
    any_value_width=False,
    other_length=False,
    call=lambda function, query, key, value, **options: function(np.stack([query, key, value]), **options),
)
