"""What is audited, and how it is called.

* `Adapter`: the layout of a function's arrays, what it supports, and how to call it.
* `Subject`: a function with its adapter; `load`: both by name.
* `guessed`: the adapter of a plain function, read from its signature.
* `named`: options under the names that a function has for them.
"""

import contextlib
import difflib
import importlib
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from duizhao.audit.adapters import REGISTERED, to_install
from duizhao.wrong_use import WrongUseError

Layout = Literal["bhld", "blhd", "hld", "ld"]
Polarity = Literal["keep", "drop", "detect"]

KNOWN_NAMES = {
    "mask": ("mask", "attn_mask", "attention_mask", "allowed"),
    "bias": ("bias", "attn_bias", "attention_bias"),
    "is_causal": ("is_causal", "causal"),
    "scale": ("scale",),
}
"""The keywords by which functions are guessed to take each option."""


def given(function: Callable[..., Any], query: Any, key: Any, value: Any, **options: Any) -> Any:
    """Call a function with three arrays and the options as they are."""
    return function(query, key, value, **options)


def to_numpy(array: NDArray[Any], dtype: str) -> Any:
    """Return an array for a function that takes NumPy arrays: the array itself, in the dtype of that name."""
    return array.astype(dtype)


def from_numpy(output: Any) -> tuple[NDArray[Any], str]:
    """Return an output as a NumPy array, and the name of its dtype."""
    array = np.asarray(output)
    return array, array.dtype.name


@dataclass(frozen=True)
class Adapter:
    """What a function takes, and how to call it.

    Only what a function supports is asked of it. Masks are given with True keeping a key, unless `mask` is "drop", and
    have the shape of the scores, `(batch, heads, queries, keys)`, without the axes that the layout does not have.
    """

    layout: Layout = "bhld"
    """The axes of its arrays: batch, heads, length and width. A layout without batch or heads is given one of each."""
    dtypes: tuple[str, ...] = ("float32", "float64")
    """Which of "float64", "float32", "float16" and "bfloat16" it takes."""
    mask: Polarity | None = None
    """Whether it takes a boolean mask, and what True means there: "keep", "drop", or "detect" if nobody has said."""
    bias: bool = False
    """Whether it takes a floating-point array that is added to the scores, -inf included."""
    is_causal: bool = False
    """Whether it takes a flag under which no query reads the future."""
    scale: bool = False
    """Whether it takes the factor of the scores."""
    grouped: bool = False
    """Whether there may be fewer heads of keys and values than of queries, a divisor of their number."""
    both: bool = True
    """Whether a mask and the causal flag may be given together."""
    any_value_width: bool = True
    """Whether values may be wider or narrower than keys."""
    other_length: bool = True
    """Whether there may be more or fewer keys than queries."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The function's keyword for an option ("mask", "bias", "is_causal", "scale"), where it is not the same word."""
    call: Callable[..., Any] = given
    """`call(function, query, key, value, **options)` calls it on its own arrays; only options that are used are given,
    under the names of `names`. May look at shapes, for example to see that heads are grouped."""
    to: Callable[[NDArray[Any], str], Any] = to_numpy
    """`to(array, dtype)` makes one of its arrays. `dtype` is "bool" for masks; for "bfloat16" the array is float32 and
    holds numbers that bfloat16 has."""
    back: Callable[[Any], tuple[NDArray[Any], str]] = from_numpy
    """`back(output)` gives a NumPy array of the same numbers, and the name of the output's dtype."""
    gradient: Callable[..., Any] | None = None
    """`gradient(function, query, key, value, cotangent, **options)` gives the derivatives of the sum of the output times
    the cotangent, by query, key and value, as arrays that `back` takes. Arrays and options are as for `call`."""
    exp_ulp: float | None = None
    """The error of its `exp` in units in the last place, if it is known; else 20."""
    flushes: bool | None = None
    """Whether it flushes subnormal numbers to zero, if it is known; else it may."""
    accumulator: str | None = None
    """The dtype in which it adds up products of narrower ones, if it is known; else none is wider."""
    zero_scale: bool = True
    """Whether the scale may be 0, at which all scores are 0."""
    compiles: bool = False
    """Whether it is compiled anew for each shape, which takes time: then all claims share few shapes and cases."""
    source: str | None = None
    """Lines of Python that define `attend(query, key, value, **options)` on NumPy arrays with axes (batch, heads, length,
    width), whatever the layout, with NumPy and the function's library alone, for the snippets of a report. Options are
    those of this class, before `names`."""


def named(names: Mapping[str, str], **options: Any) -> dict[str, Any]:
    """Return the options that are used, under a function's own `names`."""
    return {
        names.get(name, name): option
        for name, option in options.items()
        if option is not None and option is not False
    }


@dataclass(frozen=True)
class Subject:
    """A function with its adapter."""

    name: str
    """`module:function`."""
    adapter: Adapter
    adapter_name: str | None
    """`module:NAME` of the adapter; none if it was guessed."""
    function: Callable[..., Any]


def loaded(name: str, what: str) -> Any:
    """Return the object that `module:name` names; modules in the current folder are found.

    Raises:
        WrongUseError: If the name is not of that form, or there is no such module or object, or a library that
            an adapter of this package is for is not installed.
    """
    module, colon, path = name.partition(":")
    if not (module and colon and path):
        raise WrongUseError(f"{what}: MODULE:NAME is needed, got {name}")
    if missing := to_install(module):
        raise WrongUseError(f"{what}: {missing}")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        with contextlib.redirect_stdout(sys.stderr):
            found = importlib.import_module(module)
    except ImportError as error:
        raise WrongUseError(f"{what}: {module} cannot be imported: {error}") from error
    except (Exception, SystemExit) as error:
        said = f"{type(error).__name__}: {error}".splitlines()[0]
        raise WrongUseError(f"{what}: {module} cannot be imported: {said}") from error
    for part in path.split("."):
        if not hasattr(found, part):
            close = difflib.get_close_matches(part, [name for name in dir(found) if name[0] != "_"])
            also = f"; did you mean {' or '.join(close)}?" if close else ""
            raise WrongUseError(f"{what}: {module} has no {path}{also}")
        found = getattr(found, part)
    return found


def guessed(function: Callable[..., Any]) -> Adapter:
    """Return the adapter of a plain function of NumPy arrays, read from the names of its parameters.

    Raises:
        WrongUseError: If the signature cannot be read, or does not start with three arrays.
    """
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError) as error:
        raise WrongUseError(f"subject: its signature cannot be read ({error}); give an --adapter") from error
    places = [p for p in parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(places) < 3:
        raise WrongUseError("subject: must take query, key and value; give an --adapter")
    options = {p.name for p in parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    options -= {p.name for p in places[:3]}
    names = {
        option: next(word for word in words if word in options)
        for option, words in KNOWN_NAMES.items()
        if options & set(words)
    }
    needed = [p.name for p in parameters.values() if p.name in options and p.default is p.empty]
    if strange := [name for name in needed if name not in names.values()]:
        raise WrongUseError(f"subject: what is {strange[0]}? give an --adapter that says how to call it")
    return Adapter(
        mask="detect" if "mask" in names else None,
        bias="bias" in names,
        is_causal="is_causal" in names,
        scale="scale" in names,
        names=names,
    )


def load(name: str, adapter: str | None = None) -> Subject:
    """Return a subject by the name of its function, `module:function`, and perhaps that of its adapter.

    Without an adapter's name, the one that is registered for the function is taken, else it is guessed.

    Raises:
        WrongUseError: If one of them cannot be found, is not what it should be, or nothing can be guessed.
    """
    function = loaded(name, "subject")
    if not callable(function):
        raise WrongUseError(f"subject: {name} cannot be called")
    chosen = adapter or REGISTERED.get(name)
    if chosen is None:
        return Subject(name, guessed(function), None, function)
    found = loaded(chosen, "adapter")
    if not isinstance(found, Adapter):
        raise WrongUseError(f"adapter: {chosen} is no Adapter")
    if found.layout not in get_args(Layout):
        raise WrongUseError(
            f"adapter: layout must be one of {', '.join(get_args(Layout))}, got {found.layout}"
        )
    return Subject(name, found, chosen, function)
