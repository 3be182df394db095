"""What a plain function takes, found by asking it: dtypes, lengths, widths, groups, masks.

* `tried`: the adapter that was guessed, less what the function refuses.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from duizhao.audit.outside import Fault, Numbers, Outside
from duizhao.audit.subject import Adapter

GUESSED = ("float32", "float64", "float16")
"""The dtypes that a plain function is asked in; those that it refuses are left out."""


def _rows(*shape: int) -> Numbers:
    """Return numbers that are all different, of both signs."""
    return np.cos(np.arange(np.prod(shape), dtype=np.float64) * 1.7).reshape(shape)


def _takes(outside: Outside, shapes: tuple[tuple[int, ...], ...], dtype: str, **options: Any) -> bool:
    try:
        outside(*[_rows(*shape) for shape in shapes], dtype=dtype, **options)
    except Fault as fault:
        if fault.kind == "hangs":
            raise
        return False
    return True


def tried(outside: Outside) -> tuple[Adapter, list[str]]:
    """Return the adapter of a plain function, without what it refuses, and sentences about what it refuses.

    What a function refuses loudly is no fault of it: nobody has said that it takes it. That it takes float32 or float64,
    and as many keys as queries, is expected.

    Raises:
        Fault: If it refuses a plain call in float64 and float32, or a call hangs.
    """
    adapter = outside.subject.adapter
    square = ((2, 2, 3, 4),) * 3
    dtypes = tuple(dtype for dtype in GUESSED if _takes(outside, square, dtype))
    notes = [f"it refuses {dtype}" for dtype in GUESSED if dtype not in dtypes]
    if not {"float32", "float64"} & set(dtypes):
        outside(*[_rows(*shape) for shape in square], dtype="float64")
    kind = dtypes[0]
    other_length = _takes(outside, ((2, 2, 3, 4), (2, 2, 5, 4), (2, 2, 5, 4)), kind)
    any_width = _takes(outside, ((2, 2, 3, 4), (2, 2, 3, 4), (2, 2, 3, 5)), kind)
    grouped = _takes(outside, ((2, 4, 3, 4), (2, 2, 3, 4), (2, 2, 3, 4)), kind)
    notes += [] if other_length else ["it refuses more or fewer keys than queries"]
    notes += [] if any_width else ["it refuses values of another width than keys"]
    changed = replace(
        adapter, dtypes=dtypes, other_length=other_length, any_value_width=any_width, grouped=grouped
    )
    if adapter.mask == "detect":
        mask = np.ones((2, 2, 3, 3), dtype=np.bool_)
        if not _takes(outside, square, kind, mask=mask):
            changed = replace(changed, mask=None)
            named = {**adapter.names, "bias": adapter.names.get("mask", "mask")}
            outside.subject = replace(outside.subject, adapter=replace(adapter, names=named))
            if not adapter.bias and _takes(outside, square, kind, bias=np.zeros((2, 2, 3, 3))):
                changed = replace(changed, bias=True, names=named)
                notes.append("it refuses a boolean mask; what is added to the scores stands for it")
            else:
                notes.append("it refuses a boolean mask")
    if changed.mask and changed.is_causal:
        mask = np.ones((2, 2, 3, 3), dtype=np.bool_)
        both = _takes(outside, square, kind, mask=mask, is_causal=True)
        changed = replace(changed, both=both)
        notes += [] if both else ["it refuses a mask together with the causal flag"]
    return changed, notes


def adding(adapter: Adapter) -> Adapter:
    """Return the adapter of a function whose mask is added to the scores, as is required of it."""
    names = dict(adapter.names)
    if not adapter.bias:
        names["bias"] = names.get("mask", "mask")
    return replace(adapter, mask=None, bias=True, names=names)
