"""What samples, heads and groups of heads share, and that the same call gives the same numbers."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from duizhao.audit.check import Ask, Facts, Reading, check, plain
from duizhao.audit.subject import Adapter
from duizhao.rounding.masks import whole_number
from duizhao.rounding.stranger import compared, together
from duizhao.strategies.audits import AXES, Asked, Form


def taken(case: Asked, axis: str, index: int) -> Asked:
    """Return the part of a case with one index of an axis that all arrays have first or second, "b" or "h"."""
    letters = {"b": "b", "h": "hg"}[axis]
    arrays = {}
    for name, array in case.arrays.items():
        for place, letter in enumerate(AXES[name]):
            if letter in letters:
                array = np.take(array, [index], axis=place)
        arrays[name] = array
    return replace(case, arrays=arrays)


def _samples(adapter: Adapter, _facts: Facts, form: Form) -> Sequence[Form]:
    if not form.has_batch:
        return []
    bare = replace(form, least_batch=2)
    found = [bare]
    if adapter.mask:
        found += [replace(bare, mask="some"), replace(bare, mask="some", least_keys=2)]
    if adapter.bias:
        found.append(replace(bare, extras=("bias",)))
    return found


@check(
    "a sample alone gives what it gives in a batch",
    _samples,
    why="batches have no counterpart in Lean: a theorem speaks of one sample",
    name="batch_is_single",
)
def batch(ask: Ask, case: Asked) -> Reading:
    """Ask for each sample alone."""
    return _one_by_one(ask, case, "b", "a sample gives something else in a batch than alone")


def _heads(adapter: Adapter, _facts: Facts, form: Form) -> Sequence[Form]:
    if not form.has_heads:
        return []
    bare = replace(form, least_heads=2)
    return [bare, replace(bare, mask="some")] if adapter.mask else [bare]


@check("a head alone gives what it gives beside others", _heads, theorem="multiHead_congr")
def heads(ask: Ask, case: Asked) -> Reading:
    """Ask for each head alone."""
    return _one_by_one(ask, case, "h", "a head gives something else beside others than alone")


def _one_by_one(ask: Ask, case: Asked, axis: str, says: str) -> Reading:
    place = "bh".index(axis)
    together_ = ask(case)
    alone = [ask(taken(case, axis, index)) for index in range(case.query.shape[place])]
    names = ", ".join(out.name for out in alone)
    return Reading(
        says,
        f"abs({together_.name} - np.concatenate([{names}], axis={place}))",
        together(ask.off(case), ask.off(case), compared([together_.numbers])),
        "bhle",
    )


def _grouped(adapter: Adapter, facts: Facts, form: Form) -> Sequence[Form]:
    if not adapter.grouped or facts.heads is None:
        return []
    bare = replace(form, grouped=True)
    return [bare, replace(bare, mask="some")] if adapter.mask else [bare]


@check(
    "query heads that share keys and values give what they give with keys and values of their own",
    _grouped,
    theorem="multiHead_congr",
    name="multiHead_congr.groups",
)
def groups(ask: Ask, case: Asked) -> Reading:
    """Give every query head its own copy of the keys and values that it shares."""
    own = ask.spread_out(case)
    first, second = ask(case), ask(own)
    return Reading(
        "query heads that share keys and values give something else than with keys and values of their own",
        f"abs({first.name} - {second.name})",
        together(ask.off(own), ask.off(own), compared([first.numbers])),
        "bhle",
    )


@check(
    "the same call gives the same numbers",
    plain(),
    why="a function of real numbers has one value; nothing is left to prove",
    name="deterministic",
)
def deterministic(ask: Ask, case: Asked) -> Reading:
    """Ask three times."""
    first, second, third = ask(case), ask(case), ask(case)
    formula = f"(({first.name} != {second.name}) | ({first.name} != {third.name})) & ~np.isnan({first.name})"
    return Reading("the same call gives other numbers", f"({formula}).astype(float)", whole_number(), "bhle")
