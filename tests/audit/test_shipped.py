"""Every function with a shipped adapter that is installed is accepted, and its policies are those that are known."""

import pytest

from duizhao.audit.run import audit
from duizhao.audit.subject import load
from tests.zoo.audits import audited, failing, found

OWN = {
    "duizhao.attention:attention": {},
    "duizhao.attention:masked_attention": {"mask": "keep", "empty_row": "zero", "masked_nan": "blocked"},
    "duizhao.attention:biased_attention": {"mask": "keep", "empty_row": "zero", "masked_nan": "blocked"},
    "duizhao.multi_head:grouped_attention": {
        "heads": "repeat",
        "empty_row": "zero",
        "causal": "bottom_right",
    },
    "duizhao.blockwise.attention:blockwise_attention": {"empty_row": "zero", "masked_nan": "blocked"},
}


@pytest.mark.parametrize("name", OWN)
def test_own_function_is_accepted(name: str) -> None:
    report = audit(load(name), trials=1)
    assert report.ok, failing(report)
    wanted = {"scale": "1/sqrt(d)", "overflow": "error"} | OWN[name]
    assert found(report) | wanted == found(report)


def test_onnx_runtime_is_accepted() -> None:
    report = audit(load("duizhao.audit.adapters.onnx_runtime:attention"), trials=1)
    assert report.ok, failing(report)
    assert found(report) == {
        "mask": "keep",
        "scale": "1/sqrt(d)",
        "causal": "top_left",
        "heads": "repeat",
        "empty_row": "zero",
        "masked_nan": "leaks",
        "overflow": "nan",
    }


def test_onnx_runtime_has_a_scale_of_float32_in_float64() -> None:
    """Why its adapter does not have float64."""
    report = audited(
        "duizhao.audit.adapters.onnx_runtime:attention",
        "tests.audit.wide:ONNX_RUNTIME",
        only=("sum_softmax_eq_one", "log_attentionWeights_div"),
        trials=2,
    )
    assert failing(report) == ["log_attentionWeights_div"]


@pytest.mark.xdist_group("jax")
def test_jax_is_accepted_in_float32() -> None:
    """A few claims: every shape and every option is compiled."""
    some = (
        "attentionWeights_mem_stdSimplex",
        "log_attentionWeights_div",
        "maskedSoftmax_of_notMem",
        "causalSoftmax_of_lt",
        "softmax_add",
    )
    report = audit(load("jax.nn:dot_product_attention"), only=some, dtypes=("float32",), trials=1)
    assert report.ok, failing(report)
    assert [outcome.state for outcome in report.outcomes] == ["passes"] * len(some)
    assert found(report) == {
        "mask": "keep",
        "scale": "1/sqrt(d)",
        "causal": "top_left",
        "heads": "repeat",
        "empty_row": "mean",
        "masked_nan": "leaks",
        "overflow": "nan",
    }


@pytest.mark.xdist_group("jax")
def test_jax_has_the_accuracy_of_float32_in_float64() -> None:
    """Why its adapter does not have float64."""
    some = ("sum_softmax_eq_one",)
    report = audited("jax.nn:dot_product_attention", "tests.audit.wide:JAX", only=some, trials=1)
    assert failing(report) == list(some)
