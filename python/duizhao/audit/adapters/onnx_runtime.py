"""ONNX Runtime's operator `Attention` (opset 23) as a function, and its adapter.

* `attention`: a model of one node, run on the CPU.
* `ADAPTER`: how the audit calls it.

The operator's type for a mask says what it is: a boolean one keeps where True, a floating-point one is added. The flag
`is_causal` is aligned at the top left, as no earlier keys are kept. Its scale must be positive. There is no bfloat16 on
a CPU. float64 is not among the dtypes: there, the scale is a number of float32, even the default one, and an audit
that asks for the accuracy of float64 fails it. See https://onnx.ai/onnx/operators/onnx__Attention.html.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duizhao.audit.subject import Adapter

Array = NDArray[Any]

OPSET = 23
IR_VERSION = 11
"""The version of the model's format that came with the opset."""

QUIET = 4
"""Only what ends the program is written to standard error; all else comes as an exception."""


@lru_cache(maxsize=256)
def session(dtype: str, masked_by: str | None, is_causal: bool, scale: float | None) -> Any:
    """Return a session for a model of one `Attention` node, with a mask of a dtype if there is one.

    Raises:
        Exception: of ONNX Runtime's own types, if it does not have the operator for these.
    """
    import onnxruntime
    from onnx import helper

    attributes: dict[str, Any] = {"is_causal": int(is_causal)}
    if scale is not None:
        attributes["scale"] = scale
    inputs = {"query": dtype, "key": dtype, "value": dtype}
    if masked_by is not None:
        inputs["mask"] = masked_by

    def described(name: str, dtype: str) -> Any:
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return helper.make_tensor_value_info(name, kind, None)

    graph = helper.make_graph(
        [helper.make_node("Attention", list(inputs), ["output"], **attributes)],
        "attention",
        [described(name, kind) for name, kind in inputs.items()],
        [described("output", dtype)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = QUIET
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def attention(
    query: Array,
    key: Array,
    value: Array,
    mask: Array | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Array:
    """(B, H, L, d), (B, G, S, d), (B, G, S, e) -> (B, H, L, e): what ONNX Runtime's `Attention` gives.

    Args:
        query: float16, float32 or float64.
        key: of the same dtype; H is a multiple of G.
        value: of the same dtype.
        mask: broadcastable to (B, H, L, S): boolean, True keeps; or of the same dtype, added to the scores.
        is_causal: whether no query reads the future.
        scale: positive; 1 / √d if not given.

    Raises:
        Exception: of ONNX Runtime's own types, if it refuses.
    """
    arrays = {"query": query, "key": key, "value": value}
    if mask is not None:
        arrays["mask"] = mask
    kind = None if mask is None else mask.dtype.name
    (output,) = session(query.dtype.name, kind, is_causal, scale).run(None, arrays)
    return np.asarray(output)


ADAPTER = Adapter(
    dtypes=("float32", "float16"),
    mask="keep",
    bias=True,
    is_causal=True,
    scale=True,
    zero_scale=False,
    grouped=True,
    names={"bias": "mask"},
)
"""Grouped heads, masks of both kinds, and the flag."""
