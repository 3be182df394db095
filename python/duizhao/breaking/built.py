"""Cases as data, so that a counterexample from a file can be judged anew.

* `described`: a case as JSON values.
* `rebuilt`: the case.
"""

from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any

import numpy as np

from duizhao.strategies import Case, Target

PACKAGE = "duizhao.strategies"


def described(case: Case) -> dict[str, Any]:
    """Return a case of NumPy float64 as JSON values: its type, and its fields; arrays with shape and dtype."""
    kind = type(case)
    named = {
        field.name: _described(getattr(case, field.name)) for field in fields(case) if field.name != "target"
    }
    return {"type": f"{kind.__module__.removeprefix(PACKAGE + '.')}.{kind.__name__}", "fields": named}


def _described(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        dtype = "bool" if value.dtype == np.bool_ else "float64"
        return {"shape": list(value.shape), "dtype": dtype, "numbers": value.ravel().tolist()}
    return {"tuple": list(value)} if isinstance(value, tuple) else value


def rebuilt(data: Mapping[str, Any]) -> Case:
    """Return the case that `described` gave as data.

    Raises:
        ValueError: If there is no case of that type.
    """
    module, _, kind = str(data["type"]).rpartition(".")
    try:
        found = getattr(import_module(f"{PACKAGE}.{module}"), kind)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"type: no case {data['type']!r}") from error
    if not (isinstance(found, type) and issubclass(found, Case)):
        raise ValueError(f"type: {data['type']!r} is no case")
    return found(Target("float64"), **{name: _rebuilt(value) for name, value in data["fields"].items()})


def _rebuilt(value: Any) -> Any:
    if isinstance(value, Mapping) and "tuple" in value:
        return tuple(value["tuple"])
    if isinstance(value, Mapping):
        return np.asarray(value["numbers"], dtype=value["dtype"]).reshape(value["shape"])
    return value
