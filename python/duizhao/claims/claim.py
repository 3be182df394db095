"""A claim: one theorem as a measurement on floating-point numbers.

`claim` turns a function into a `Claim`. The function is named by the theorem's id and measures how far one case is from
the theorem; the relation says how far is allowed; `duizhao.claims.measure` runs it. `proofs` says which theorems prove a
hypothesis to be needed.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hypothesis.strategies import SearchStrategy

from duizhao.claims.relation import (
    Budget,
    FailsInFloats,
    Gap,
    Hypotheses,
    Relation,
    Restricted,
    Statistical,
    budget_of,
)
from duizhao.strategies import Case, Target

Cases = Callable[[Target], SearchStrategy[Any]]


@dataclass(frozen=True)
class Claim:
    """One theorem's numerical counterpart."""

    function: Callable[..., Gap]
    relation: Relation
    cases: Cases
    predicates: Hypotheses
    outside: bool
    """Whether the claim is visible through `attention(query, key, value)` alone."""
    without: Mapping[str, str]
    """For hypotheses that no counterexample shows to be needed: why none exists."""
    refutes: tuple[tuple[str, str], ...]
    """For counterexamples: the id and the hypothesis that this theorem proves to be needed."""

    @property
    def id(self) -> str:
        """The last component of the theorem's Lean name."""
        return self.function.__name__

    @property
    def topic(self) -> str:
        """The topic: the Lean module without its prefix, such as `Softmax` or `Counterexample.Mask`."""
        parts = self.function.__module__.removeprefix("duizhao.claims.").split(".")
        return ".".join("".join(word.capitalize() for word in part.split("_")) for part in parts)

    @cached_property
    def sentence(self) -> str:
        """The theorem's sentence: the docstring's first paragraph, with single spaces."""
        return " ".join((inspect.getdoc(self.function) or "").split("\n\n")[0].split())

    @cached_property
    def notes(self) -> str:
        """The rest of the docstring: what is measured, and how."""
        return "\n\n".join((inspect.getdoc(self.function) or "").split("\n\n")[1:])

    @cached_property
    def replaces(self) -> Mapping[str, Callable[..., Any]]:
        """The reference functions that the claim calls, by the name of its parameter."""
        parameters = list(inspect.signature(self.function).parameters.values())[1:]
        return {parameter.name: parameter.default for parameter in parameters}

    @property
    def hypotheses(self) -> dict[str, str]:
        """The hypotheses, by Lean's names, each with the sentence of its predicate."""
        return {
            name: " ".join((inspect.getdoc(test) or "").split()) for name, test in self.predicates.items()
        }

    @property
    def budget(self) -> Budget | None:
        """The budget that the amounts are judged by, if they need not be 0."""
        return budget_of(self.relation)

    @property
    def has_slack(self) -> bool:
        """Whether the worst gap over the budget says how sharp the budget is."""
        return self.budget is not None and not isinstance(self.relation, FailsInFloats | Statistical)

    def admits(self, case: Case) -> str | None:
        """Return the name of a hypothesis or restriction that the case violates, or `None`."""
        for name, test in self.predicates.items():
            if not test(case):
                return name
        if isinstance(self.relation, Restricted) and not self.relation.predicate(case):
            return "the restriction"
        return None

    def measure(self, case: Case, **functions: Callable[..., Any]) -> Gap:
        """Return how far `case` is from the theorem, with `functions` in place of the reference functions."""
        return self.function(case, **functions)

    def ratio(self, case: Case, **functions: Callable[..., Any]) -> float:
        """Return the gap of `case` over what is allowed: over 1, the claim fails."""
        return self.relation.ratio(case, self.measure(case, **functions))


def proofs(claims: Mapping[str, Claim], id_: str, hypothesis: str) -> list[str]:
    """Return the ids of the theorems that prove a hypothesis of a theorem to be needed, or a part of it."""
    named = {hypothesis, f"{hypothesis}.1", f"{hypothesis}.2"}
    return [
        claim.id
        for claim in claims.values()
        for known, name in claim.refutes
        if known == id_ and name in named
    ]


def claim(
    *,
    relation: Relation,
    cases: Cases,
    hypotheses: Hypotheses | None = None,
    outside: bool = False,
    without: Mapping[str, str] | None = None,
    refutes: Sequence[tuple[str, str]] = (),
) -> Callable[[Callable[..., Gap]], Claim]:
    """Return a decorator that makes a function a claim.

    Args:
        relation: How far the numbers may be from the theorem.
        cases: For a library and dtype, the strategy that draws cases.
        hypotheses: The theorem's hypotheses by their Lean names (`hw₁` is `hw1`), each a predicate on a case.
        outside: Whether the claim is visible through `attention(query, key, value)` alone.
        without: For hypotheses without which no counterexample exists: why, in one sentence each.
        refutes: For a counterexample, the ids and hypotheses that it proves to be needed.
    """

    def decorate(function: Callable[..., Gap]) -> Claim:
        return Claim(
            function, relation, cases, dict(hypotheses or {}), outside, dict(without or {}), tuple(refutes)
        )

    return decorate
