"""What Lean's definitions give where there are no keys: sums over nothing are 0.

* `over_no_keys`: a function on balls that also takes families without keys, which the functions of `exact` refuse.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from duizhao import exact
from duizhao.exact import Balls


def _zeros(shape: tuple[int, ...]) -> Balls:
    return exact.balls(np.zeros(shape))


def _weights(scores: Any, *_: Any) -> Balls:
    return _zeros(exact.balls(scores).shape)


def _denominator(scores: Any) -> Balls:
    return _zeros(exact.balls(scores).shape[:-1])


def _read(weights: Any, values: Any) -> Balls:
    return _zeros((*exact.balls(weights).shape[:-1], *exact.balls(values).shape[1:]))


def _scores(query: Any, key: Any, *_: Any) -> Balls:
    return _zeros((*exact.balls(query).shape[:-1], exact.balls(key).shape[-2]))


def _multi_head(query: Any, _key: Any, value: Any, *_: Any) -> Balls:
    heads, lines = exact.balls(query).shape[:2]
    return _zeros((lines, heads * exact.balls(value).shape[-1]))


def _nothing(*_: Any) -> Fraction:
    return Fraction(0)


def _attention_weights(query: Any, _key: Any, *_: Any) -> Balls:
    return _zeros((*exact.balls(query).shape[:-1], 0))


def _attention(query: Any, _key: Any, value: Any, *_: Any) -> Balls:
    return _zeros((*exact.balls(query).shape[:-1], exact.balls(value).shape[-1]))


OVER_NOTHING: dict[str, tuple[Callable[..., Any], int, int]] = {
    "softmax": (_weights, 0, -1),
    "masked_softmax": (_weights, 0, -1),
    "softmax_denominator": (_denominator, 0, -1),
    "read": (_read, 0, -1),
    "attention_weights": (_attention_weights, 1, -2),
    "attention": (_attention, 1, -2),
    "masked_attention": (_attention, 1, -2),
    "multi_head": (_multi_head, 1, -2),
    "scores": (_scores, 0, -1),
    "scaled_dot_variance": (_nothing, 0, -1),
}
"""For each function: what it gives without keys, and in which argument and axis the keys, or coordinates, are counted."""


def over_no_keys(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that gives Lean's value where there are no keys, and else what `function` gives."""
    if name not in OVER_NOTHING:
        return function
    nothing, place, axis = OVER_NOTHING[name]

    def called(*arguments: Any, **options: Any) -> Any:
        counted = np.shape(arguments[place])
        if len(counted) >= -axis and counted[axis] == 0:
            return nothing(*arguments)
        return function(*arguments, **options)

    return called
