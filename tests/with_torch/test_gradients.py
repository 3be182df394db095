"""Gradients through the reference functions, and PyTorch's masks in exact ones."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from tests.libraries import NAN, numbers

from duizhao import exact
from duizhao.attention import masked_attention
from duizhao.blockwise import blockwise_attention
from duizhao.exact import enclose
from duizhao.softmax import softmax

pytestmark = pytest.mark.torch

torch: Any = import_module("torch")


def leaf(entries: object) -> Any:
    """A float64 tensor whose gradient is asked for."""
    return torch.tensor(entries, dtype=torch.float64, requires_grad=True)


@pytest.mark.parametrize("is_blockwise", [False, True])
def test_gradient_does_not_flow_to_a_masked_nan(is_blockwise: bool) -> None:
    query, key, value = leaf([[0]]), leaf([[0], [2], [NAN]]), leaf([[0], [2], [NAN]])
    mask = torch.tensor([[True, True, False]])
    if is_blockwise:
        output = blockwise_attention(query, key, value, mask=mask, blocks=2)
    else:
        output = masked_attention(query, key, value, mask)
    output.sum().backward()
    # d/dq of (0·e^0 + 2·e^(2q)) / (e^0 + e^(2q)) at q = 0 is 1; the keys have no part in it at q = 0.
    gradients = [numbers(tensor.grad) for tensor in (query, key, value)]
    assert gradients == [[[1.0]], [[0.0]] * 3, [[0.5], [0.5], [0.0]]]


def test_gradient_of_two_equal_weights_is_plus_and_minus_one_quarter() -> None:
    scores = leaf([3.0, 3.0])
    softmax(scores)[0].backward()
    assert numbers(scores.grad) == [0.25, -0.25]


def test_vmap_which_has_no_values_to_check_says_so() -> None:
    with pytest.raises(RuntimeError, match="vmap"):
        torch.vmap(softmax)(torch.zeros(2, 3))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_exact_functions_take_masks_and_leading_axes_of_tensors(dtype: str) -> None:
    generator = np.random.default_rng(0)
    query, key, value = (
        torch.tensor(generator.normal(size=(2, 3, 4)), dtype=getattr(torch, dtype), requires_grad=True)
        for _ in range(3)
    )
    mask = torch.tensor([[True, False, True], [True, True, False], [False, True, True]])
    truth = enclose(exact.masked_attention, query, key, value, mask)
    wide = [tensor.detach().double().numpy() for tensor in (query, key, value)]
    same = enclose(exact.masked_attention, *wide, mask.numpy())
    assert [exact.ends(ball) for ball in truth.ravel()] == [exact.ends(ball) for ball in same.ravel()]
    assert truth.shape == (2, 3, 4)
