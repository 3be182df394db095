"""Adapters for libraries, one module a library, found by the name of the function.

* `pytorch`: `torch.nn.functional.scaled_dot_product_attention`, with the backend that PyTorch chooses, or one of them.
* `jax_nn`: `jax.nn.dot_product_attention`.
* `onnx_runtime`: ONNX Runtime's operator `Attention`.
* `reference`: the functions of this library.
"""

from importlib.util import find_spec

REGISTERED: dict[str, str] = {
    "torch.nn.functional:scaled_dot_product_attention": "duizhao.audit.adapters.pytorch:ADAPTER",
    "torch:scaled_dot_product_attention": "duizhao.audit.adapters.pytorch:ADAPTER",
    "jax.nn:dot_product_attention": "duizhao.audit.adapters.jax_nn:ADAPTER",
    "duizhao.audit.adapters.onnx_runtime:attention": "duizhao.audit.adapters.onnx_runtime:ADAPTER",
    "duizhao.attention:attention": "duizhao.audit.adapters.reference:ATTENTION",
    "duizhao.attention:masked_attention": "duizhao.audit.adapters.reference:MASKED",
    "duizhao.attention:biased_attention": "duizhao.audit.adapters.reference:BIASED",
    "duizhao.multi_head:grouped_attention": "duizhao.audit.adapters.reference:GROUPED",
    "duizhao.blockwise.attention:blockwise_attention": "duizhao.audit.adapters.reference:BLOCKWISE",
}
"""The adapter, `module:NAME`, for a function, `module:function`: looked up when the function is audited."""

NEEDED: dict[str, tuple[str, tuple[str, ...]]] = {
    "torch": ("torch", ("torch",)),
    "duizhao.audit.adapters.pytorch": ("torch", ("torch",)),
    "jax": ("jax", ("jax",)),
    "duizhao.audit.adapters.jax_nn": ("jax", ("jax",)),
    "duizhao.audit.adapters.onnx_runtime": ("onnx", ("onnx", "onnxruntime")),
}
"""For a module, or all modules below it: the extra of this package that installs what it needs, and the libraries."""


def to_install(module: str) -> str | None:
    """Return what to install before a module can be used, as a sentence; `None` if nothing that is known is missing."""
    for top, (extra, libraries) in NEEDED.items():
        if module == top or module.startswith(f"{top}."):
            missing = [library for library in libraries if find_spec(library) is None]
            if missing:
                verb = "is" if len(missing) == 1 else "are"
                return f'{" and ".join(missing)} {verb} not installed: pip install "duizhao[{extra}]"'
    return None
