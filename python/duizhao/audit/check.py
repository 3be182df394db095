"""A check: one theorem, or one property without a theorem, seen through somebody else's attention.

* `Reading`: how far one case is from the theorem, as a formula of outputs, and how far is allowed.
* `Ask`: calls of the subject for one case, and what bounds know of it.
* `Check`, `check`, `CHECKS`: what is run on a subject.
* `Facts`: what was found of the subject before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao.audit.outside import Outside, rounded
from duizhao.audit.subject import Adapter
from duizhao.rounding.arithmetic import Arithmetic
from duizhao.rounding.stranger import Seen, output_off, seen
from duizhao.strategies.audits import Asked, Form

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Facts:
    """What was found of a subject, or required of it, that its claims depend on."""

    causal: str | None = None
    """The alignment of the causal mask where lengths differ, "top_left" or "bottom_right", if it takes such lengths."""
    heads: str | None = None
    """How query heads share those of keys, "repeat" or "tile"."""
    scale: float | None = None
    """The scale that is required; else 1 / √d."""
    empty: bool = True
    """Whether rows without keys may be asked."""
    both: bool = True
    """Whether a mask and the causal flag may be given together."""


@dataclass(frozen=True)
class Out:
    """An output, and the Python expression that stands for it."""

    numbers: Numbers
    name: str


@dataclass(frozen=True)
class Reading:
    """How far one case is from a theorem: the same formula is evaluated here and in a report's snippet."""

    says: str
    """What is wrong if the amount is over its bound, as the start of a sentence."""
    formula: str
    """The amount, element by element: a NumPy expression of `out`, the outputs in order, and of the case's arrays."""
    bound: Numbers | float
    axes: str
    """The axes of the amount: letters of `duizhao.strategies.audits.AXES`."""
    arrays: Mapping[str, Any] = field(default_factory=dict)
    """Further arrays and numbers of the formula, by name."""
    also: str = ""
    """What else the sentence names, such as the key that was changed."""


WORDS = {"b": "sample", "h": "head", "g": "head", "l": "query", "s": "key", "e": "column", "d": "column"}
"""The words for axes in sentences."""


class Ask:
    """Calls of a subject for one case."""

    def __init__(self, outside: Outside, assumed: Arithmetic, facts: Facts, dtype: str) -> None:
        """Start a case: calls are counted from here."""
        self.outside, self.assumed, self.facts, self.dtype = outside, assumed, facts, dtype
        self.adapter = outside.subject.adapter
        self.outputs: list[Numbers] = []
        outside.calls.clear()

    def held(self, array: Numbers) -> Numbers:
        """Return the nearest numbers that the dtype holds."""
        return rounded(array, self.dtype).astype(np.float64)

    def __call__(self, case: Asked) -> Out:
        """Call the subject on the arrays and options of a case."""
        output = self.outside(
            case.query,
            case.key,
            case.value,
            dtype=self.dtype,
            mask=case.get("mask"),
            bias=case.get("bias"),
            is_causal=case.is_causal,
            scale=case.scale,
        )
        self.outputs.append(output)
        return Out(output, f"out[{len(self.outputs) - 1}]")

    def gradient(self, case: Asked) -> list[Out]:
        """Return the derivatives by query, key and value."""
        found = self.outside.gradient(case.query, case.key, case.value, case.cotangent, self.dtype)
        self.outputs.extend(found)
        return [Out(part, f"out[{len(self.outputs) - 3 + index}]") for index, part in enumerate(found)]

    def weights(self, case: Asked) -> Out:
        """Return the weights, which are what is read of values that are the identity matrix."""
        keys, width = case.key.shape[-2], case.key.shape[-1]
        eye = np.eye(keys)
        wide = keys if self.adapter.any_value_width else width
        parts = []
        for start in range(0, keys, wide):
            columns = np.zeros((keys, wide))
            columns[:, : min(wide, keys - start)] = eye[:, start : start + wide]
            shape = (*case.key.shape[:2], keys, wide)
            parts.append(self(case.having(value=np.broadcast_to(columns, shape).copy())))
        if len(parts) == 1:
            return Out(
                parts[0].numbers[..., :keys],
                f"{parts[0].name}[..., :{keys}]" if wide > keys else parts[0].name,
            )
        names = ", ".join(part.name for part in parts)
        joined = np.concatenate([part.numbers for part in parts], axis=-1)[..., :keys]
        return Out(joined, f"np.concatenate([{names}], axis=-1)[..., :{keys}]")

    def scale(self, case: Asked) -> float:
        """Return the factor of the scores: the one given, the one required, or 1 / √d."""
        if case.scale is not None:
            return case.scale
        return float(case.key.shape[-1] ** -0.5) if self.facts.scale is None else self.facts.scale

    def spread_out(self, case: Asked) -> Asked:
        """Return the case with keys and values for each head of queries, as the subject shares them."""
        heads, groups = case.query.shape[1], case.key.shape[1]
        if heads == groups:
            return case
        each = heads // groups
        index = np.arange(heads) % groups if self.facts.heads == "tile" else np.arange(heads) // each
        return case.having(key=case.key[:, index], value=case.value[:, index])

    def allowed(self, case: Asked) -> NDArray[np.bool_]:
        """Return which keys each query may read, `(batch, heads, queries, keys)`."""
        queries, keys = case.lengths
        shape = (*case.query.shape[:2], queries, keys)
        allowed = np.ones(shape, dtype=np.bool_)
        if case.is_causal:
            offset = keys - queries if self.facts.causal == "bottom_right" else 0
            allowed &= np.tri(queries, keys, offset, dtype=np.bool_)
        mask = case.get("mask")
        return allowed if mask is None else allowed & mask

    def seen(self, case: Asked) -> Seen:
        """Return what bounds know of the scores of a case."""
        wide = self.spread_out(case)
        bias = case.get("bias")
        allowed = self.allowed(case)
        if bias is not None:
            allowed = allowed & (bias > -np.inf)
        return seen(self.assumed, wide.query, wide.key, self.scale(case), allowed, bias)

    def off(self, case: Asked, unread: NDArray[np.bool_] | None = None) -> Numbers:
        """Return the bound on an output, `(batch, heads, queries, columns)`; infinite for a query without keys.

        Keys that are `unread`, `(keys,)`, by every query have the weight 0 exactly, whatever their values.
        """
        size = np.abs(self.spread_out(case).value)
        if unread is not None:
            size = np.where(unread[:, None], 0.0, size)
        bound = output_off(self.seen(case), size)
        return np.where(self.allowed(case).any(axis=-1, keepdims=True), bound, np.inf)


Forms = Callable[[Adapter, Facts, Form], Sequence[Form]]


@dataclass(frozen=True)
class Check:
    """One property that can be seen from outside."""

    name: str
    """The id of its theorem, perhaps with what it is seen by after a full stop; or a name of its own."""
    theorem: str | None
    why: str
    """Why there is no theorem, where there is none."""
    title: str
    """The property in one sentence."""
    function: Callable[[Ask, Asked], Reading | Sequence[Reading]]
    forms: Forms

    def readings(self, ask: Ask, case: Asked) -> list[Reading]:
        """Measure one case."""
        found = self.function(ask, case)
        return [found] if isinstance(found, Reading) else list(found)


CHECKS: dict[str, Check] = {}
"""Every check, by name, in the order in which they are run and reported."""


def check(
    title: str, forms: Forms, *, theorem: str | None = None, why: str = "", name: str | None = None
) -> Callable[[Callable[[Ask, Asked], Reading | Sequence[Reading]]], Check]:
    """Return a decorator that makes a function of `Ask` and a case a check, named by its theorem or by its own name."""

    def decorate(function: Callable[[Ask, Asked], Reading | Sequence[Reading]]) -> Check:
        called = name or theorem or function.__name__
        CHECKS[called] = Check(called, theorem, why, title, function, forms)
        return CHECKS[called]

    return decorate


def plain(**changes: Any) -> Forms:
    """Return the forms of a check that every subject can be asked: with a scale where it takes one."""

    def forms(adapter: Adapter, _facts: Facts, form: Form) -> Sequence[Form]:
        return [replace(form, scale=adapter.scale, **changes)]

    return forms


def masked(**changes: Any) -> Forms:
    """Return the forms of a check that needs a boolean mask."""

    def forms(adapter: Adapter, _facts: Facts, form: Form) -> Sequence[Form]:
        return [replace(form, mask="some", scale=adapter.scale, **changes)] if adapter.mask else []

    return forms


def causal(**changes: Any) -> Forms:
    """Return the forms of a check that needs the causal flag: of equal lengths, and of others where they are settled."""

    def forms(adapter: Adapter, facts: Facts, form: Form) -> Sequence[Form]:
        if not adapter.is_causal:
            return []
        square = replace(form, is_causal=True, same_length=True, scale=adapter.scale, **changes)
        if facts.causal is None:
            return [square]
        return [square, replace(square, same_length=False, no_more_queries=not facts.empty)]

    return forms
