"""Bounds on several heads.

* `projected_heads`: the output projection of concatenated heads against the sum of projections head by head.
"""

import numpy as np
from numpy.typing import NDArray

from duizhao.rounding.attention import Scored, projection_error, reordered_attention

Numbers = NDArray[np.float64]


def projected_heads(
    u: float,
    scored: Scored,
    value_size: Numbers,
    projection: Numbers,
    exp_ulp: float,
    tiny: float,
    accumulator: float | None = None,
) -> Numbers:
    """Bound on the distance of computed projections of several heads from the exact sum over heads, `(L, f)`.

    Each of `h` heads is computed twice, side by side and alone, with one true output: `reordered_attention`, passed on by
    the magnitudes of its rows of the `projection`, `(h e, f)`. The projection is `projection_error`
    (`abs_roundedRead_sub_read_le`) of computed outputs, which are no larger than the true weights' sum of magnitudes and
    that distance.
    """
    matrix = np.abs(projection)
    apart = reordered_attention(u, scored, value_size, exp_ulp, tiny, accumulator)
    sizes = side_by_side(np.asarray(scored.weight @ value_size) + apart)
    return side_by_side(apart) @ matrix + projection_error(u, sizes, matrix, tiny, accumulator)


def side_by_side(heads: Numbers) -> Numbers:
    """Return `(h, L, e)` as `(L, h e)`, head 0 first."""
    count, lines, width = heads.shape
    return np.moveaxis(heads, 0, 1).reshape(lines, count * width)
