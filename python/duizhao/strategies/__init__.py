"""The only place that builds random inputs.

* `duizhao.strategies.case`: for which library and dtype (`Target`), and what every case knows (`Case`).
* `duizhao.strategies.scores`: rows of scores, and what is done to them.
* `duizhao.strategies.reads`: weights with values, and what is done to them.
* `duizhao.strategies.masks`: masked scores, values behind them, and causal sequences.
* `duizhao.strategies.temperatures`: rows of scores at temperatures.
* `duizhao.strategies.attentions`, `self_attentions`: queries, keys and values, and what is done to them.
* `duizhao.strategies.multi_heads`: the same for several heads.
* `duizhao.strategies.sensitivities`: rows of scores at which bounds on the derivative of softmax are attained.

Every strategy says what it shrinks towards. Inputs that hurt are drawn as often as others: equal values, ties, gaps that
underflow or saturate, huge common shifts, subnormals, signed zeros, one key.
"""

from duizhao.strategies.case import Case, Target, targets

__all__ = ["Case", "Target", "targets"]
