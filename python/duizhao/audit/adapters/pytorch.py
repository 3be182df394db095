"""Adapters for PyTorch's `torch.nn.functional.scaled_dot_product_attention` on a CPU.

* `ADAPTER`: with the backend that PyTorch chooses for the call.
* `MATH`, `FLASH`: with one backend, whatever PyTorch would choose.

Without a mask of its own, `is_causal` is aligned at the top left. Mask and flag may not be given together; a mask of
floating-point numbers is added. Heads are grouped if `enable_gqa` is set. The flash kernel takes only values as wide
as the keys.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from numpy.typing import NDArray

from duizhao.audit.subject import Adapter

SOURCE = """\
import torch

def attend(query, key, value, mask=None, bias=None, is_causal=False, scale=None):
    query, key, value, mask, bias = (
        None if array is None else torch.from_numpy(array) for array in (query, key, value, mask, bias)
    )
    return torch.nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=bias if mask is None else mask, is_causal=is_causal, scale=scale,
        enable_gqa=query.shape[1] != key.shape[1],
    ).numpy()
"""


def tensor(array: NDArray[Any], dtype: str) -> Any:
    """(...) -> (...): a tensor of its own, of a dtype by name."""
    torch = import_module("torch")
    return torch.tensor(array, dtype=getattr(torch, dtype))


def numbers(output: Any) -> tuple[NDArray[Any], str]:
    """(...) -> (...): the numbers of a tensor in float64, and the name of its dtype."""
    return output.detach().double().numpy(), str(output.dtype).removeprefix("torch.")


def call(
    function: Callable[..., Any],
    query: Any,
    key: Any,
    value: Any,
    *,
    backend: str | None = None,
    **options: Any,
) -> Any:
    """(B, H, L, d), (B, G, S, d), (B, G, S, e) -> (B, H, L, e): the output, computed by a backend by name."""
    if query.shape[1] != key.shape[1]:
        options["enable_gqa"] = True
    if backend is None:
        return function(query, key, value, **options)
    backends = import_module("torch.nn.attention")
    with backends.sdpa_kernel(getattr(backends.SDPBackend, backend)):
        return function(query, key, value, **options)


def by_math(function: Callable[..., Any], query: Any, key: Any, value: Any, **options: Any) -> Any:
    """(B, H, L, d), (B, G, S, d), (B, G, S, e) -> (B, H, L, e): the output of the backend of single operations."""
    return call(function, query, key, value, backend="MATH", **options)


def by_flash(function: Callable[..., Any], query: Any, key: Any, value: Any, **options: Any) -> Any:
    """(B, H, L, d), (B, G, S, d), (B, G, S, e) -> (B, H, L, e): the output of the flash kernel."""
    return call(function, query, key, value, backend="FLASH_ATTENTION", **options)


def differentiated(run: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that gives the derivatives of what `run` computes, as `Adapter.gradient` does."""

    def gradient(
        function: Callable[..., Any], query: Any, key: Any, value: Any, cotangent: Any, **options: Any
    ) -> Any:
        places = [array.requires_grad_() for array in (query, key, value)]
        return import_module("torch").autograd.grad(run(function, *places, **options), places, cotangent)

    return gradient


ADAPTER = Adapter(
    dtypes=("float64", "float32", "float16", "bfloat16"),
    mask="keep",
    bias=True,
    is_causal=True,
    scale=True,
    zero_scale=False,
    grouped=True,
    both=False,
    names={"mask": "attn_mask", "bias": "attn_mask"},
    call=call,
    to=tensor,
    back=numbers,
    gradient=differentiated(call),
    source=SOURCE,
)
"""PyTorch chooses the backend: the flash kernel where it can be used, else single operations.

Under the causal flag the flash kernel gives NaN at the scale 0, so that this scale is left out.
"""

MATH = replace(ADAPTER, call=by_math, gradient=differentiated(by_math), source=None)
"""Single operations of PyTorch, one after the other."""

FLASH = replace(ADAPTER, call=by_flash, gradient=differentiated(by_flash), source=None, any_value_width=False)
"""The kernel that reads the keys block by block."""
