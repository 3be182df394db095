"""The shipped adapters call the real functions as they are, and a library that is missing is named in one line."""

import sys
from dataclasses import replace
from importlib.util import find_spec

import pytest

from duizhao.audit.adapters import NEEDED, REGISTERED, to_install
from duizhao.audit.subject import Adapter, load
from duizhao.wrong_use import WrongUseError
from tests.audit.calls import check, check_mask, check_scale
from tests.libraries import says

HERE = [name for name in REGISTERED if not name.startswith("torch")]
"""The registered functions that `make test` can call."""

TOP_LEFT = {"jax.nn:dot_product_attention", "duizhao.audit.adapters.onnx_runtime:attention"}
"""Those whose causal flag is aligned at the top left."""


@pytest.mark.parametrize("name", HERE)
def test_registered_adapter_gives_every_option_that_it_names(name: str) -> None:
    check(load(name), top_left=name in TOP_LEFT)


def test_option_that_is_not_given_is_noticed() -> None:
    subject = load("duizhao.multi_head:grouped_attention")
    deaf = replace(subject.adapter, call=lambda function, *places, **_: function(*places))
    for check_option in (check_mask, check_scale):
        check_option(subject, "float64")
        with pytest.raises(AssertionError):
            check_option(replace(subject, adapter=deaf), "float64")


def test_every_registered_adapter_is_an_adapter() -> None:
    assert HERE
    for function in HERE:
        assert isinstance(load(function).adapter, Adapter)


def test_library_that_is_missing_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    line = 'subject: jax is not installed: pip install "duizhao[jax]"'
    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.setattr(
        "duizhao.audit.adapters.find_spec", lambda name: None if name == "jax" else find_spec(name)
    )
    with pytest.raises(WrongUseError, match=says(line)):
        load("jax.nn:dot_product_attention")


def test_all_libraries_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duizhao.audit.adapters.find_spec", lambda _: None)
    line = 'onnx and onnxruntime are not installed: pip install "duizhao[onnx]"'
    assert to_install("duizhao.audit.adapters.onnx_runtime") == line
    assert to_install("torch.nn.functional") == 'torch is not installed: pip install "duizhao[torch]"'


def test_module_of_another_library_asks_for_nothing() -> None:
    assert to_install("torchlike.nn") is None
    assert to_install("numpy") is None
    assert {extra for extra, _ in NEEDED.values()} == {"torch", "jax", "onnx"}
