"""The adapters for PyTorch call the real function, with the backend that they name."""

import pytest
from tests.audit.calls import check

from duizhao.audit.adapters import REGISTERED
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
