"""Bugs with other constants: each must be caught as the bug itself is.

The name is that of the bug and what is different, after two underscores.
"""

from functools import partial

from tests.zoo import blocks, causal, empty_rows, masking, scaling, weighing

empty_row_uniform__less_low = partial(empty_rows.empty_row_uniform, fill=-1e30)
empty_row_uniform__too_high = partial(empty_rows.empty_row_uniform, fill=-1e4)
mask_added_as_01__strong = partial(masking.mask_added_as_01, strength=10.0)
mask_added_as_01__weak = partial(masking.mask_added_as_01, strength=0.125)
batch_mask_first__last = partial(masking.batch_mask_first, sample=-1)
scale_missing__eighth = partial(scaling.scale_missing, always=0.125)
scale_missing__rounded = partial(scaling.scale_missing, always=0.18)
scale_model_width__wide = partial(scaling.scale_model_width, model_width=768)
softmax_axis__heads = partial(weighing.softmax_axis, axis=1)
softmax_axis__samples = partial(weighing.softmax_axis, axis=0)
dropout_in_eval__half = partial(weighing.dropout_in_eval, rate=0.5)
dropout_in_eval__new_in_every_call = partial(weighing.dropout_in_eval, rate=0.2, seed=None)
causal_dropped__from_four_keys_on = partial(causal.causal_dropped, shortest=4)
causal_sees_next__two = partial(causal.causal_sees_next, ahead=2)
causal_sees_next__one_less = partial(causal.causal_sees_next, ahead=-1)
blockwise_no_rescale__in_fours = partial(blocks.blockwise_no_rescale, block=4)
blockwise_no_rescale__in_sixteens = partial(blocks.blockwise_no_rescale, block=16)
blockwise_no_rescale__nor_the_total = partial(blocks.blockwise_no_rescale, total_too=True)

CONSTANTS = {name: value for name, value in vars().items() if isinstance(value, partial)}
"""All of them, by name."""
