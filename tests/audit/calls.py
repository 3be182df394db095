"""Calls of a subject through its adapter, on cases whose outputs are known exactly in every dtype.

A query of zeros weighs all keys alike, so that four keys or two give a mean without rounding; a score that is far
ahead takes the whole weight, since the exponentials of the others underflow.
"""

from typing import Any

import numpy as np

from duizhao.audit.subject import Subject, named

FAR = 1000.0
"""A difference of scores whose exponential is zero in every dtype."""

VALUE = np.asarray([[[[1, 2], [3, 8], [5, 4], [7, 6]]]])
"""Four keys."""


def attend(subject: Subject, dtype: str, query: Any, key: Any, value: Any, **options: Any) -> Any:
    """(B, H, L, d), (B, G, S, d), (B, G, S, e) -> (B, H, L, e): what a subject gives, checked to be of the dtype."""
    adapter = subject.adapter
    blhd = adapter.layout == "blhd"
    places = [
        adapter.to(np.swapaxes(array, 1, 2).copy() if blhd else array.copy(), dtype)
        for array in (query, key, value)
    ]
    own = {
        name: adapter.to(option, "bool" if option.dtype == np.bool_ else dtype)
        if isinstance(option, np.ndarray)
        else option
        for name, option in options.items()
    }
    output, name = adapter.back(adapter.call(subject.function, *places, **named(adapter.names, **own)))
    assert name == dtype
    return np.swapaxes(output, 1, 2) if blhd else output


def zeros(*shape: int) -> Any:
    """(B, H, L, d): queries or keys of zeros."""
    return np.zeros(shape)


def check_values_are_read(subject: Subject, dtype: str) -> None:
    """A zero query gives the mean of all values."""
    output = attend(subject, dtype, zeros(1, 1, 1, 2), zeros(1, 1, 4, 2), VALUE)
    assert output.tolist() == [[[[4, 5]]]]


def check_mask(subject: Subject, dtype: str) -> None:
    """True keeps a key: of two that are kept, a zero query gives the mean."""
    kept = np.asarray([[[[True, False, True, False]]]])
    output = attend(subject, dtype, zeros(1, 1, 1, 2), zeros(1, 1, 4, 2), VALUE, mask=kept)
    assert output.tolist() == [[[[3, 3]]]]


def check_bias(subject: Subject, dtype: str) -> None:
    """A bias is added to the scores, and -inf forbids a key."""
    bias = np.asarray([[[[0, -np.inf, 0, -np.inf]]]])
    output = attend(subject, dtype, zeros(1, 1, 1, 2), zeros(1, 1, 4, 2), VALUE, bias=bias)
    assert output.tolist() == [[[[3, 3]]]]
    bias = np.asarray([[[[0, FAR, 0, 0]]]])
    output = attend(subject, dtype, zeros(1, 1, 1, 2), zeros(1, 1, 4, 2), VALUE, bias=bias)
    assert output.tolist() == [[[[3, 8]]]]


def check_scale(subject: Subject, dtype: str) -> None:
    """With a large scale, the key with the largest score takes the whole weight; without, the second has some."""
    query, key = np.ones((1, 1, 1, 2)), np.arange(4).reshape(1, 1, 4, 1) * np.ones(2)
    assert attend(subject, dtype, query, key, VALUE, scale=FAR).tolist() == [[[[7, 6]]]]
    assert attend(subject, dtype, query, key, VALUE).tolist() != [[[[7, 6]]]]


def check_causal(subject: Subject, dtype: str, *, top_left: bool) -> None:
    """Of two queries the first reads the first key alone, or three of four; the second two keys, or all."""
    value = np.asarray([[[[2, 2], [4, 4], [6, 6], [8, 8]]]])
    output = attend(subject, dtype, zeros(1, 1, 2, 2), zeros(1, 1, 4, 2), value, is_causal=True)
    if top_left:
        assert output.tolist() == [[[[2, 2], [3, 3]]]]
    else:
        assert output[0, 0, 1].tolist() == [5, 5]
        assert 3 < output[0, 0, 0, 0] < 5


def check_heads(subject: Subject, dtype: str) -> None:
    """Neighbouring query heads share a key head."""
    value = np.asarray([[[[10, 10]], [[20, 20]]]])
    output = attend(subject, dtype, zeros(1, 4, 1, 2), zeros(1, 2, 1, 2), value)
    assert output[0, :, 0, 0].tolist() == [10, 10, 20, 20]


def check(subject: Subject, *, top_left: bool) -> None:
    """Check everything that the adapter says the subject supports, in every dtype that it says."""
    adapter = subject.adapter
    for dtype in adapter.dtypes:
        check_values_are_read(subject, dtype)
        if adapter.mask == "keep":
            check_mask(subject, dtype)
        if adapter.bias:
            check_bias(subject, dtype)
        if adapter.scale:
            check_scale(subject, dtype)
        if adapter.is_causal:
            check_causal(subject, dtype, top_left=top_left)
        if adapter.grouped:
            check_heads(subject, dtype)
