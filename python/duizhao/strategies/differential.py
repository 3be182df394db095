"""Inputs as a differential test has them: numbers drawn from a bell curve, of one usual shape.

* `usual`: queries, keys and values, with a mask.
"""

import numpy as np
from numpy.typing import NDArray

SEED = 20170612
"""Any number; the same inputs in every run."""


def usual(
    trial: int,
    *,
    dtype: str = "float32",
    batch: int = 2,
    heads: int = 4,
    groups: int = 4,
    length: int = 16,
    width: int = 16,
) -> tuple[NDArray[np.floating], NDArray[np.floating], NDArray[np.floating], NDArray[np.bool_]]:
    """() -> (B, H, L, d), (B, G, L, d), (B, G, L, d), (B, H, L, L): arrays, and a mask that keeps most keys.

    Every query may read the first key.
    """
    draw = np.random.default_rng([SEED, trial])
    query, key, value = (
        draw.standard_normal((batch, count, length, width)).astype(dtype) for count in (heads, groups, groups)
    )
    mask = draw.random((batch, heads, length, length)) < 0.75
    mask[..., 0] = True
    return query, key, value, mask
