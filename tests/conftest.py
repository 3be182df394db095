"""Test-wide settings: how many examples Hypothesis tries, and how; that JAX has float64 and needs no accelerator.

What is in `with_torch` is collected only where PyTorch is installed, as it is in .venv-torch.

The environment variable `DUIZHAO_PROFILE` chooses: `ci` (the default: the same examples in every run), `dev`
(new examples in every run, failures remembered) or `thorough` (the same with 100 times the examples).
"""

import os
from importlib.util import find_spec

from hypothesis import HealthCheck, settings

# JAX reads these when it is imported first.
os.environ["JAX_ENABLE_X64"] = "true"
os.environ["JAX_PLATFORMS"] = "cpu"

collect_ignore = [] if find_spec("torch") else ["with_torch"]

EXAMPLES = 100

# A slow machine is no fault of the code: neither a deadline nor a slow draw fails a test.
settings.register_profile(
    "ci",
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "dev",
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("dev"), max_examples=100 * EXAMPLES)

settings.load_profile(os.environ.get("DUIZHAO_PROFILE", "ci"))
