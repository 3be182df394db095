"""A failing case as a short Python program that needs NumPy and the subject alone.

* `program`: the program; it ends with an assertion that fails as the claim did.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao.audit.judge import Verdict
from duizhao.audit.outside import Call
from duizhao.audit.subject import Layout, Subject, from_numpy, given, named, to_numpy

TURNED = {
    "bhld": "",
    "blhd": "np.swapaxes({}, 1, 2)",
    "hld": "{}[0]",
    "ld": "{}[0, 0]",
}
BACK = {"bhld": "{}", "blhd": "np.swapaxes({}, 1, 2)", "hld": "{}[None]", "ld": "{}[None, None]"}


def number(value: Any) -> str:
    """Return a float as Python reads it back in its own dtype, exactly."""
    if math.isnan(value):
        return "np.nan"
    if math.isinf(value):
        return "np.inf" if value > 0 else "-np.inf"
    short = f"{value + 0.0:g}" if value else "0"
    return short if float(short) == value else str(value)


def nested(array: NDArray[Any]) -> str:
    """Return an array as nested lists."""
    if array.ndim == 0:
        return str(bool(array)) if array.dtype == np.bool_ else number(array[()])
    return "[" + ", ".join(nested(part) for part in array) + "]"


def literal(array: NDArray[Any], dtype: str) -> str:
    """Return an expression for an array, in a dtype."""
    kind = "bool" if array.dtype == np.bool_ else f'"{dtype}"'
    if array.size > 8 and array.dtype != np.bool_ and np.all(array == array.flat[0]):
        return f"np.full({array.shape}, {number(array.flat[0])}, {kind})"
    return f"np.array({nested(array)}, {kind})"


def _plain(subject: Subject) -> bool:
    """Whether the subject is called on NumPy arrays as it is, so that only layout and names differ."""
    adapter = subject.adapter
    as_it_is = adapter.call is given and adapter.to is to_numpy and adapter.back is from_numpy
    return as_it_is and adapter.source is None


def _layout(subject: Subject) -> Layout:
    """Return the layout of the arrays that `attend` takes."""
    return "bhld" if subject.adapter.source is not None else subject.adapter.layout


def _attend(subject: Subject) -> list[str]:
    """Return lines that define `attend`, on arrays of `_layout`."""
    adapter = subject.adapter
    module, _, path = subject.name.partition(":")
    if adapter.source is not None:
        own = adapter.source.strip().splitlines()
    elif _plain(subject):
        own = [f"import {module}", f"attend = {module}.{path}"]
        if "." not in path:
            own = [f"from {module} import {path} as attend"]
    else:
        place, _, name = str(subject.adapter_name).partition(":")
        own = [
            f"import {module}, {place}",
            "from duizhao.audit.subject import named",
            f"adapter = {place}.{name}",
            "def attend(query, key, value, **options):",
            "    kind = query.dtype.name",
            "    own = [adapter.to(array, kind) for array in (query, key, value)]",
            "    for name in {'mask', 'bias'} & set(options):",
            "        options[name] = adapter.to(options[name], 'bool' if name == 'mask' else kind)",
            f"    return adapter.back(adapter.call({module}.{path}, *own, **named(adapter.names, **options)))[0]",
        ]
    return own


def _arguments(call: Call, names: list[str], subject: Subject) -> str:
    adapter = subject.adapter
    layout = _layout(subject)
    parts = []
    keywords: dict[str, str] = {}
    for (kind, _), name in zip(call.arrays.items(), names, strict=True):
        turned = TURNED[layout].format(name) if TURNED[layout] else name
        if kind in ("mask", "bias") and layout == "blhd":
            turned = name
        if kind in ("query", "key", "value"):
            parts.append(turned)
        else:
            keywords[kind] = turned
    keywords |= {name: repr(option) for name, option in call.options.items()}
    own = named(adapter.names, **keywords) if _plain(subject) else keywords
    return ", ".join([*parts, *(f"{name}={text}" for name, text in own.items())])


def program(subject: Subject, verdict: Verdict, sentence: str) -> str | None:
    """Return the program for a failure; `None` where NumPy is not enough: for derivatives, and for bfloat16."""
    if any("cotangent" in call.arrays or call.dtype == "bfloat16" for call in verdict.calls):
        return None
    lines = [f"# {sentence}", "import numpy as np", *_attend(subject), ""]
    known: dict[tuple[str, tuple[int, ...], bytes], str] = {}
    calls = []
    for call in verdict.calls:
        names = []
        for kind, array in call.arrays.items():
            print_as = (array.dtype.name, array.shape, array.tobytes())
            if print_as not in known:
                taken = sum(name == kind or name.startswith(f"{kind}_") for name in known.values())
                known[print_as] = f"{kind}_{taken + 1}" if taken else kind
                lines.append(f"{known[print_as]} = {literal(array, call.dtype)}")
            names.append(known[print_as])
        back = BACK[_layout(subject)]
        text = f"np.asarray(attend({_arguments(call, names, subject)}), dtype=float)"
        calls.append(back.format(text))
    lines.append("out = [")
    lines += [f"    {text}," for text in calls]
    lines.append("]")
    formula = verdict.reading.formula
    for name, array in verdict.reading.arrays.items():
        if not _held(array, name, known):
            lines.append(f"{name} = {_given(array)}")
    where = ", ".join(str(place) for place in verdict.index)
    lines.append("with np.errstate(all='ignore'):")
    lines.append(f"    off = np.asarray({formula})[{where}]")
    lines.append("print(off)")
    lines.append(f"assert off <= {verdict.bound!r}")
    return "\n".join(lines) + "\n"


def _held(array: Any, name: str, known: Mapping[tuple[str, tuple[int, ...], bytes], str]) -> bool:
    """Whether a variable of that name holds the numbers of an array already."""
    for (dtype, shape, raw), variable in known.items():
        if variable == name:
            there = np.frombuffer(raw, dtype).reshape(shape)
            return np.array_equal(there.astype(float), np.asarray(array, dtype=float), equal_nan=True)
    return False


def _given(array: Any) -> str:
    """Return an expression for what a formula is given beside outputs."""
    if isinstance(array, np.ndarray):
        if array.dtype.kind in "iu":
            return f"np.array({array.tolist()})"
        return literal(array, "float64")
    return repr(array)
