"""Adapters for the functions of this library.

* `ATTENTION`: `duizhao.attention.attention`, which has no mask.
* `MASKED`, `BIASED`: `masked_attention` and `biased_attention` of the same module.
* `GROUPED`: `duizhao.multi_head.grouped_attention`.
* `BLOCKWISE`: `duizhao.blockwise.attention.blockwise_attention`.

None of them has a causal flag: the adapters give a causal mask, aligned at the bottom right. All refuse NaN, infinity
and overflow where something is read, and do not look where nothing is.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao.audit.subject import Adapter
from duizhao.mask import causal_mask, combine_masks
from duizhao.rounding import EXP_ULP

Array = NDArray[Any]


def with_flag(query: Array, key: Array, mask: Array | None, is_causal: bool) -> Any:
    """(B, H, L, d), (B, G, S, d), (B, H, L, S) -> (B, H, L, S): the mask with the causal one; none if there is none."""
    if not is_causal:
        return mask
    causal = causal_mask(query.shape[-2], key.shape[-2], alignment="bottom_right")
    return causal if mask is None else combine_masks(mask, causal)


def by_keyword(
    function: Callable[..., Any],
    query: Array,
    key: Array,
    value: Array,
    *,
    mask: Array | None = None,
    is_causal: bool = False,
    **options: Any,
) -> Any:
    """(B, H, L, d), (B, G, S, d), (B, G, S, e) -> (B, H, L, e): the output of a function with a keyword `mask`."""
    return function(query, key, value, mask=with_flag(query, key, mask, is_causal), **options)


def masked(
    function: Callable[..., Any],
    query: Array,
    key: Array,
    value: Array,
    *,
    mask: Array | None = None,
    is_causal: bool = False,
    **options: Any,
) -> Any:
    """(B, H, L, d), (B, H, S, d), (B, H, S, e) -> (B, H, L, e): the output of a function that needs a mask."""
    kept = with_flag(query, key, mask, is_causal)
    if kept is None:
        kept = np.ones((query.shape[-2], key.shape[-2]), dtype=np.bool_)
    return function(query, key, value, kept, **options)


def biased(
    function: Callable[..., Any],
    query: Array,
    key: Array,
    value: Array,
    *,
    bias: Array | None = None,
    mask: Array | None = None,
    is_causal: bool = False,
    **options: Any,
) -> Any:
    """(B, H, L, d), (B, H, S, d), (B, H, S, e) -> (B, H, L, e): the output of a function that needs a bias."""
    if bias is None:
        bias = np.zeros((query.shape[-2], key.shape[-2]), dtype=query.dtype)
    return function(query, key, value, bias, mask=with_flag(query, key, mask, is_causal), **options)


ATTENTION = Adapter(
    dtypes=("float64", "float32", "float16"),
    scale=True,
    exp_ulp=max(EXP_ULP["numpy"].values()),
    flushes=False,
)
"""Without a mask."""

MASKED = replace(ATTENTION, mask="keep", is_causal=True, call=masked)
"""With a mask."""

BIASED = replace(MASKED, bias=True, call=biased)
"""With a bias, and with a mask."""

BLOCKWISE = replace(MASKED, call=by_keyword)
"""Block by block."""

GROUPED = replace(BLOCKWISE, grouped=True)
"""With fewer heads of keys and values than of queries."""
