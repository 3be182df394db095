"""A variant: a right attention function that is written differently, or that makes another choice."""

from collections.abc import Callable
from dataclasses import dataclass, field

from duizhao.audit.subject import Adapter
from tests.zoo.bug import Attention

ADAPTER = Adapter(
    dtypes=("float16", "float32", "float64"), mask="detect", is_causal=True, scale=True, grouped=True
)
"""How the functions of the zoo are called, unless one says otherwise."""


@dataclass(frozen=True)
class Variant:
    """One right function of the zoo."""

    function: Attention
    adapter: Adapter = ADAPTER
    policies: dict[str, str] = field(default_factory=dict)
    """What the audit must report of it, by the name of the policy."""

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.__name__

    @property
    def says(self) -> str:
        """What is different about it, in one sentence."""
        return " ".join((self.function.__doc__ or "").split())


def variant(adapter: Adapter = ADAPTER, **policies: str) -> Callable[[Attention], Variant]:
    """Return a decorator that makes a function a right variant, with the policies that it must be reported to have."""

    def decorate(function: Attention) -> Variant:
        return Variant(function, adapter, policies)

    return decorate
