"""Balls and distances of PyTorch's tensors: exact in every dtype, whatever the layout and the gradients."""

from importlib import import_module
from typing import Any

import flint
import numpy as np
import pytest
from tests.libraries import says

from duizhao.exact import balls, distance

pytestmark = pytest.mark.torch

torch: Any = import_module("torch")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_each_number_of_a_sixteen_bit_dtype_comes_back_from_its_ball(dtype: str) -> None:
    patterns = np.arange(2**16, dtype=np.uint16)
    every = torch.from_numpy(patterns.view(np.int16)).view(getattr(torch, dtype))
    in_bfloat16, in_float16 = (patterns.astype(np.uint32) << 16).view(np.float32), patterns.view(np.float16)
    wide = in_bfloat16 if dtype == "bfloat16" else in_float16
    back = np.asarray([float(ball) for ball in balls(every)])
    assert np.array_equal(back, wide, equal_nan=True)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("number", [0.1, -3.0, 1e-45, 1e38])
def test_balls_of_wide_floats_are_exact(dtype: str, number: float) -> None:
    (ball,) = balls(torch.tensor([number], dtype=getattr(torch, dtype)))
    assert ball == flint.arb(float(np.dtype(dtype).type(number)))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
def test_whole_numbers_are_exact(dtype: str) -> None:
    limits = torch.iinfo(getattr(torch, dtype))
    (low, high) = balls(torch.tensor([limits.min, limits.max], dtype=getattr(torch, dtype)))
    assert (low, high) == (limits.min, limits.max)


@pytest.mark.parametrize("dtype", ["bool", "complex64"])
def test_what_is_no_real_number_is_refused(dtype: str) -> None:
    name = {"bool": "bool", "complex64": "complex64"}[dtype]
    with pytest.raises(TypeError, match=says(f"array: real numbers are needed, got {name}")):
        balls(torch.zeros(2, dtype=getattr(torch, dtype)))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_leading_axes_views_and_gradients_change_no_number(dtype: str) -> None:
    tensor = torch.arange(24, dtype=getattr(torch, dtype)).reshape(2, 3, 4).requires_grad_()
    assert balls(tensor).tolist() == np.arange(24).reshape(2, 3, 4).tolist()
    assert balls(tensor.mT).tolist() == np.arange(24).reshape(2, 3, 4).swapaxes(-1, -2).tolist()
    assert balls(tensor[:, ::2, None]).shape == (2, 2, 1, 4)
    assert balls((2 * tensor)[0, 0]).tolist() == [0, 2, 4, 6]
    assert balls(tensor[0, 1, 2]).shape == ()
    assert tensor.requires_grad


def test_lazily_negated_and_conjugated_tensors_are_read_with_their_sign() -> None:
    negated = torch.tensor([1 + 2j]).conj().imag
    assert negated.is_neg()
    assert balls(negated).tolist() == [-2]


def test_distance_of_tensors_is_exact_and_infinite_where_nothing_is_known() -> None:
    computed = torch.tensor([1.5, float("nan")], dtype=torch.bfloat16, requires_grad=True)
    near, far = distance(computed, torch.tensor([1.0, 1.0], dtype=torch.float16))
    assert near == flint.arb(0.5)
    assert far > 0
    assert not far.is_finite()
