"""What the functions of blocks say to arguments that do not fit."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from duizhao.blockwise import merge, of_block, out
from tests.libraries import says


def test_what_is_no_state_is_named() -> None:
    good = of_block(np.zeros((1, 2)), np.ones((2, 1)))
    wrong: Any = 3
    calls: dict[str, tuple[Callable[..., object], list[Any]]] = {
        "a": (merge, [wrong, good]),
        "b": (merge, [good, wrong]),
        "state": (out, [wrong]),
    }
    for name, (function, arguments) in calls.items():
        with pytest.raises(TypeError, match=says(f"{name}: an OnlineState is needed, got int; see of_block")):
            function(*arguments)


@pytest.mark.parametrize("keys", [0, 3])
def test_values_whose_batch_axes_do_not_fit_are_named(keys: int) -> None:
    message = "values: batch axes (3,) do not broadcast with those of scores, (2,)"
    with pytest.raises(ValueError, match=says(message)):
        of_block(np.zeros((2, 2, keys)), np.zeros((3, keys, 1)))
