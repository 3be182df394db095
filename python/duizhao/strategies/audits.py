"""Cases for audits: queries, keys and values of many shapes, with masks, and what each claim changes in them.

* `Asked`: one case. Every array has axes with names, so that a failing case can be made smaller.
* `Form`: what a claim asks for; `asked`: draw a case of that form.
* `generator`: the numbers of a seed, a claim and a trial.

Numbers are drawn from NumPy's generator and not from Hypothesis: the same seed gives the same cases whatever is installed,
and a case is shrunk by leaving out rows of named axes, which needs no strategy.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Masks = Literal["none", "some", "any"]

LENGTHS = (1, 2, 3, 4, 5, 8, 17, 33, 64, 65, 128)
WIDTHS = (1, 2, 3, 4, 5, 8, 16, 24, 64)
SHORT = (1, 2, 3, 4, 5, 8)
LONG = (129, 257)
"""Numbers of keys past the blocks of 64, 128 and 256 in which programs work."""

AXES = {
    "query": "bhld",
    "key": "bgsd",
    "value": "bgse",
    "mask": "bhls",
    "bias": "bhls",
    "cotangent": "bhle",
    "order": "s",
    "chosen": "s",
    "other_key": "bgsd",
    "other_value": "bgse",
    "row": "d",
    "constant": "e",
    "projection": "ef",
    "directions": "xe",
}
"""The axes of each array: batch, heads of queries, groups of keys, queries (l), keys (s), widths (d, e, f), any (x)."""


@dataclass(frozen=True)
class Asked:
    """One case: arrays by name, with the axes of `AXES`, in float64 but holding numbers of the dtype."""

    dtype: str
    arrays: Mapping[str, NDArray[Any]]
    is_causal: bool = False
    scale: float | None = None

    def __getattr__(self, name: str) -> NDArray[Any]:
        """Return an array by its name."""
        if name.startswith("_") or name not in AXES:
            raise AttributeError(name)
        return self.arrays[name]

    def get(self, name: str) -> NDArray[Any] | None:
        """Return an array by its name, or `None`."""
        return self.arrays.get(name)

    def having(self, **arrays: NDArray[Any]) -> "Asked":
        """Return the case with other arrays."""
        return replace(self, arrays={**self.arrays, **arrays})

    @property
    def lengths(self) -> tuple[int, int]:
        """The numbers of queries and of keys."""
        return int(self.query.shape[-2]), int(self.key.shape[-2])


@dataclass(frozen=True)
class Form:
    """What a claim asks of a case."""

    dtype: str
    mask: Masks = "none"
    """No mask; a mask with a key for every query; or one that may leave none."""
    is_causal: bool = False
    scale: bool = False
    """Whether to give a scale."""
    zero_scale: bool = True
    """Whether a scale may be 0."""
    long: bool = False
    """Whether there are many keys, of `LONG`, with little else: few queries, heads and columns."""
    grouped: bool = False
    """Whether several heads of queries share one of keys."""
    same_length: bool = False
    """As many keys as queries."""
    no_more_queries: bool = False
    """At least as many keys as queries, so that no causal query is without keys."""
    value_width: Literal["any", "keys", "as key"] = "any"
    least_keys: int = 1
    least_batch: int = 1
    least_heads: int = 1
    least_width: int = 1
    spread: float = 1.0
    """The size of queries: scores are about as large."""
    has_batch: bool = True
    has_heads: bool = True
    other_length: bool = True
    any_value_width: bool = True
    longest: int = 128
    extras: tuple[str, ...] = field(default=())
    """Other arrays of `AXES` to draw."""


def generator(seed: int, name: str, trial: int) -> np.random.Generator:
    """Return the generator of a seed, a claim's name and a trial."""
    return np.random.default_rng([seed, zlib.crc32(name.encode()), trial])


def _picked(share: float, known: Sequence[int]) -> int:
    """Return the number at a share, between 0 and 1, of a sequence."""
    return known[min(int(share * len(known)), len(known) - 1)]


def _length(kind: float, share: float, longest: int, least: int = 1) -> int:
    """Return a length for two random shares: a short one, three times in five."""
    lengths = [n for n in (SHORT if kind < 0.6 else LENGTHS) if least <= n <= longest]
    return _picked(share, lengths) if lengths else least


def _numbers(draw: np.random.Generator, shape: tuple[int, ...], size: float) -> Numbers:
    """Draw numbers of one size: of one kind, bell-shaped, even, small integers, or with a few large ones."""
    kind = draw.integers(4)
    if kind == 0:
        drawn = draw.standard_normal(shape)
    elif kind == 1:
        drawn = draw.uniform(-2, 2, shape)
    elif kind == 2:
        drawn = draw.integers(-2, 3, shape).astype(np.float64)
    else:
        drawn = draw.standard_normal(shape) * draw.choice([0.1, 1.0, 3.0], shape)
    return np.asarray(drawn * size)


def _mask(draw: np.random.Generator, shape: tuple[int, ...], form: Form) -> NDArray[np.bool_]:
    """Draw a mask: here and there, a prefix, or a single key; unless rows may be empty, each keeps a key.

    Of many keys, some here and there are left, so that late ones are among them.
    """
    kind = 0 if form.long else draw.integers(3)
    keys = shape[-1]
    if kind == 0:
        allowed = draw.random(shape) < draw.choice([0.2, 0.5, 0.8])
    elif kind == 1:
        there = draw.integers(1, keys + 1, (shape[0], 1, 1, 1))
        allowed = np.broadcast_to(np.arange(keys) < there, shape).copy()
    else:
        allowed = np.arange(keys) == draw.integers(0, keys, (*shape[:-1], 1))
    if form.mask != "any":
        certain = np.arange(keys) == draw.integers(0, keys, (*shape[:-1], 1))
        allowed = allowed | (certain & ~allowed.any(axis=-1, keepdims=True))
    return np.asarray(allowed)


def asked(draw: np.random.Generator, form: Form, shapes: np.random.Generator | None = None) -> Asked:
    """Draw a case: shapes of all sizes, the short ones more often; scores of about the square of `form.spread`.

    Shapes are drawn from a generator of their own, if there is one, so that many claims can share few of them.
    """
    share = (draw if shapes is None else shapes).random(10)
    batch = form.least_batch + int(3 * share[0]) if form.has_batch else 1
    groups = form.least_heads + int(3 * share[1]) if form.has_heads else 1
    if form.long:
        batch, groups = (
            (form.least_batch if form.has_batch else 1),
            (form.least_heads if form.has_heads else 1),
        )
    heads = groups * (2 + int(2 * share[2])) if form.grouped else groups
    keys = _length(share[3], share[4], form.longest, form.least_keys)
    queries = _length(share[5], share[6], min(form.longest, 65))
    if form.long:
        keys, queries = _picked(share[4], LONG), _picked(share[6], SHORT[:3])
    if form.same_length or not form.other_length:
        queries = keys
    if form.no_more_queries:
        queries = min(queries, keys)
    widths = [width for width in WIDTHS if width >= form.least_width]
    if form.long:
        widths = widths[1:4] if form.any_value_width else [64]
    width = _picked(share[7], widths)
    wide = {"any": _picked(share[8], WIDTHS[:3] if form.long else WIDTHS[:7]), "keys": keys, "as key": width}[
        form.value_width
    ]
    if not form.any_value_width:
        wide = width
    strength = form.spread * float(draw.choice([0.5, 1.0, 1.5]))
    arrays: dict[str, NDArray[Any]] = {
        "query": _numbers(draw, (batch, heads, queries, width), strength),
        "key": _numbers(draw, (batch, groups, keys, width), strength),
        "value": _numbers(draw, (batch, groups, keys, wide), 1.0),
    }
    if form.mask != "none":
        arrays["mask"] = _mask(draw, (batch, heads, queries, keys), form)
    sizes = {"b": batch, "h": heads, "g": groups, "l": queries, "s": keys, "d": width, "e": wide}
    sizes |= {"f": _picked(share[9], WIDTHS[:5]) if form.any_value_width else wide, "x": 6}
    for name in form.extras:
        shape = tuple(sizes[axis] for axis in AXES[name])
        arrays[name] = _extra(draw, name, shape)
    return Asked(form.dtype, arrays, form.is_causal, _scale(draw, form) if form.scale else None)


def _scale(draw: np.random.Generator, form: Form) -> float | None:
    """Draw a scale: mostly a power of two, one time in ten none, and one in ten 0 if it may be that."""
    kind = draw.random()
    if kind < 0.8:
        return float(draw.choice([0.0625, 0.125, 0.25, 0.5, 1.0, 1.5]))
    return 0.0 if kind >= 0.9 and form.zero_scale and not form.long else None


def _extra(draw: np.random.Generator, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    if name == "order":
        return draw.random(shape)
    if name == "chosen":
        chosen = draw.random(shape) < 0.5
        if shape[0] > 1:
            chosen[int(draw.integers(shape[0]))] = True
            chosen[int(np.argmax(chosen)) - 1] = False
        return chosen
    return _numbers(draw, shape, 1.0)
