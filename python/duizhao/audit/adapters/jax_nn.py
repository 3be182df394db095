"""An adapter for JAX's `jax.nn.dot_product_attention` on a CPU.

Its arrays are (batch, length, heads, width), and `is_causal` is aligned at the top left. Products of float16 and
bfloat16 are added up in float32, and the softmax is computed in float32 whatever the dtype. Hence float64 is not among
the dtypes: there, JAX's output has the accuracy of float32, and an audit that asks for more fails it. The function is
compiled as a whole, which takes less time than each of its steps; but for float16, of which XLA for CPUs compiles each
step and refuses the whole.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao.audit.subject import Adapter

SOURCE = """\
import jax
import numpy as np

def attend(query, key, value, mask=None, bias=None, is_causal=False, scale=None):
    query, key, value = (jax.numpy.swapaxes(array, 1, 2) for array in (query, key, value))
    output = jax.nn.dot_product_attention(query, key, value, bias, mask, is_causal=is_causal, scale=scale)
    return np.swapaxes(np.asarray(output), 1, 2)
"""


def on_device(array: NDArray[Any], dtype: str) -> Any:
    """(...) -> (...): an array of JAX, of a dtype by name."""
    import jax.numpy as jnp

    return jnp.asarray(array, dtype=dtype)


def numbers(output: Any) -> tuple[NDArray[Any], str]:
    """(...) -> (...): the numbers of an array in float64, and the name of its dtype."""
    return np.asarray(output).astype(np.float64), output.dtype.name


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is compiled as a whole for each shape."""
    import jax

    found: Callable[..., Any] = jax.jit(function, static_argnames=("is_causal", "scale"))
    return found


def call(function: Callable[..., Any], query: Any, key: Any, value: Any, **options: Any) -> Any:
    """(B, L, H, d), (B, S, G, d), (B, S, G, d) -> (B, L, H, d): the output."""
    if query.dtype == "float16":
        return function(query, key, value, **options)
    return compiled(function)(query, key, value, **options)


def pulled_back(
    function: Callable[..., Any], query: Any, key: Any, value: Any, cotangent: Any, **options: Any
) -> Any:
    """(B, L, H, d), (B, S, G, d), (B, S, G, d), (B, L, H, d) -> the derivatives by query, key and value."""
    import jax

    _, backwards = jax.vjp(lambda *places: function(*places, **options), query, key, value)
    return backwards(cotangent)


@cache
def compiled_gradient() -> Callable[..., Any]:
    """Return `pulled_back`, compiled as a whole for each function and shape."""
    import jax

    found: Callable[..., Any] = jax.jit(pulled_back, static_argnums=0, static_argnames=("is_causal", "scale"))
    return found


def gradient(
    function: Callable[..., Any], query: Any, key: Any, value: Any, cotangent: Any, **options: Any
) -> Any:
    """(B, L, H, d), (B, S, G, d), (B, S, G, d), (B, L, H, d) -> the derivatives by query, key and value."""
    run = pulled_back if query.dtype == "float16" else compiled_gradient()
    return run(function, query, key, value, cotangent, **options)


ADAPTER = Adapter(
    layout="blhd",
    dtypes=("float32", "float16", "bfloat16"),
    mask="keep",
    bias=True,
    is_causal=True,
    scale=True,
    grouped=True,
    any_value_width=False,
    call=call,
    to=on_device,
    back=numbers,
    gradient=gradient,
    compiles=True,
    source=SOURCE,
)
"""The implementation by XLA, the one that a CPU has."""
