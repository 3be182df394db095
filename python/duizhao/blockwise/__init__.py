"""Attention that reads the keys block by block: the twin of `lean/NeuralNetworks/Blockwise.lean`.

* `OnlineState`: what such a pass keeps of the keys that it has read.
* `of_block`, `merge`, `out`: the state of a block, of two blocks together, and the output of a state.
* `blockwise_attention`: attention in which no matrix of all scores is ever made.

The order of the blocks and the grouping of the merges change nothing over the real numbers (`merge_comm`,
`merge_assoc`, `out_foldl_merge`), and little in floating point. The results that hold of these numbers are
claimed in `duizhao.claims.blockwise`. The method is that of Milakov and Gimelshein 2018, "Online normalizer
calculation for softmax", and of Dao and others 2022, "FlashAttention".
"""

from duizhao.blockwise.attention import Order, blockwise_attention
from duizhao.blockwise.state import OnlineState, merge, of_block, out

__all__ = ["OnlineState", "Order", "blockwise_attention", "merge", "of_block", "out"]
