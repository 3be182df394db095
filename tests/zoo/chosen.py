"""Right variants that choose otherwise where right programs differ."""

import numpy as np

from duizhao.audit.subject import Adapter
from tests.zoo import causal, empty_rows, heads, steps
from tests.zoo.steps import Array, Mask
from tests.zoo.variant import ADAPTER, variant

ADDED = Adapter(dtypes=ADAPTER.dtypes, bias=True, is_causal=True, scale=True, grouped=True)
"""For a function that takes an additive mask alone."""


@variant(empty_row="nan")
def gives_nan_in_an_empty_row(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """An empty row gives NaN."""
    return empty_rows.empty_row_nan(query, key, value, mask, is_causal=is_causal, scale=scale)


@variant(empty_row="mean")
def gives_the_mean_in_an_empty_row(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """An empty row gives the mean of the values."""
    return empty_rows.empty_row_uniform(query, key, value, mask, is_causal=is_causal, scale=scale)


@variant(empty_row="error")
def refuses_an_empty_row(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """An empty row raises."""
    shape = (*query.shape[:-1], key.shape[-2])
    if not steps.allowed(np.zeros(shape), mask, is_causal).any(axis=-1).all():
        raise ValueError("mask: a query may read no key")
    return steps.attention(query, key, value, mask, is_causal=is_causal, scale=scale)


@variant(causal="top_left")
def aligns_at_the_top_left(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The causal mask is aligned at the top left."""
    return causal.causal_top_left(query, key, value, mask, is_causal=is_causal, scale=scale)


@variant(mask="drop")
def drops_where_true(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """True in the mask drops a key."""
    kept = None if mask is None else ~mask
    return steps.attention(query, key, value, kept, is_causal=is_causal, scale=scale)


@variant(ADDED, mask="additive")
def adds_the_mask(
    query: Array,
    key: Array,
    value: Array,
    bias: Array | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """The mask is added to the scores, and -inf drops a key."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, None, is_causal)
    if bias is not None:
        scores, kept = scores + bias, kept & (bias != -np.inf)
    return steps.read(steps.softmax(scores, kept), value)


@variant(heads="tile")
def tiles_the_heads(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Key heads are tiled over the query heads."""
    return heads.gqa_tile(query, key, value, mask, is_causal=is_causal, scale=scale)


@variant(masked_nan="blocked")
def blocks_what_is_masked(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """A term with the weight 0 is left out of the sum, whatever its value is."""
    key, value = steps.repeated(key, query), steps.repeated(value, query)
    scores = steps.scores(query, key, scale)
    kept = steps.allowed(scores, mask, is_causal)
    weights = steps.softmax(scores, kept)
    with np.errstate(all="ignore"):
        terms = weights[..., np.newaxis] * value[..., np.newaxis, :, :]
        return np.where(kept[..., np.newaxis], terms, value.dtype.type(0)).sum(axis=-2)


@variant(masked_nan="leaks")
def multiplies_what_is_masked_by_zero(
    query: Array,
    key: Array,
    value: Array,
    mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """A masked value is multiplied by its weight, 0: NaN times 0 is NaN."""
    return steps.attention(query, key, value, mask, is_causal=is_causal, scale=scale)
