"""The adapters for PyTorch call the real function, with the backend that they name."""

from importlib import import_module

import pytest
from tests.audit.calls import check
from tests.zoo.audits import failing, found

from duizhao.audit.adapters import REGISTERED
from duizhao.audit.run import audit
from duizhao.audit.subject import Subject, load

pytestmark = pytest.mark.torch

NAME = "torch.nn.functional:scaled_dot_product_attention"


def subject(adapter: str) -> Subject:
    return load(NAME, f"duizhao.audit.adapters.pytorch:{adapter}")


@pytest.mark.parametrize("adapter", ["ADAPTER", "MATH"])
def test_adapter_gives_every_option_that_it_names(adapter: str) -> None:
    check(subject(adapter), top_left=True)


def test_flash_kernel_is_given_every_option_that_its_adapter_names() -> None:
    check(subject("FLASH"), top_left=True)


def test_adapter_is_found_by_the_name_of_the_function() -> None:
    assert load(NAME).adapter_name == REGISTERED[NAME] == "duizhao.audit.adapters.pytorch:ADAPTER"


@pytest.mark.parametrize("adapter", ["ADAPTER", "MATH", "FLASH"])
def test_each_backend_is_accepted_with_its_policies(adapter: str) -> None:
    report = audit(subject(adapter), trials=1, dtypes=("float32", "bfloat16"))
    assert report.ok, failing(report)
    wanted = {
        "mask": "keep",
        "scale": "1/sqrt(d)",
        "causal": "top_left",
        "heads": "repeat",
        "empty_row": "zero",
        "masked_nan": "leaks",
    }
    assert found(report) | wanted == found(report)


def test_flash_kernel_gives_nan_at_the_scale_zero_under_the_causal_flag() -> None:
    """Why the adapter leaves this scale out."""
    torch = import_module("torch")
    ones = torch.ones((1, 1, 2, 8))
    function = torch.nn.functional.scaled_dot_product_attention
    assert not function(ones, ones, ones, scale=0.0).isnan().any()
    assert function(ones, ones, ones, is_causal=True, scale=0.0).isnan().any()
