"""The checks of an audit, in the order in which they are run: importing this package registers them all.

* `weights`: what each query's weights are; `outputs`: what is read with them.
* `masks`, `causal`: who may read whom; `sharing`: samples, heads and groups; `gradients`: derivatives.
"""

from duizhao.audit.checks import weights  # isort: skip
from duizhao.audit.checks import outputs  # isort: skip
from duizhao.audit.checks import masks  # isort: skip
from duizhao.audit.checks import causal  # isort: skip
from duizhao.audit.checks import sharing  # isort: skip
from duizhao.audit.checks import gradients  # isort: skip

__all__ = ["causal", "gradients", "masks", "outputs", "sharing", "weights"]
