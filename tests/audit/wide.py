"""Adapters with a dtype that the shipped ones leave out."""

from dataclasses import replace

from duizhao.audit.adapters import jax_nn, onnx_runtime

JAX = replace(jax_nn.ADAPTER, dtypes=("float64",))
ONNX_RUNTIME = replace(onnx_runtime.ADAPTER, dtypes=("float64",))
