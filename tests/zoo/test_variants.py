"""Right variants are right, and the same bugs with other constants are still wrong."""

import numpy as np
import pytest

from duizhao.strategies.differential import usual
from tests.zoo import BUGS, VARIANTS, steps
from tests.zoo.constants import CONSTANTS
from tests.zoo.differential import Told, apart, told
from tests.zoo.variant import ADAPTER, Variant

WITH_THE_SAME_CHOICES = [
    variant
    for variant in VARIANTS
    if variant.policies.get("mask") != "drop" and variant.policies.get("heads") != "tile"
]


@pytest.mark.parametrize("variant", WITH_THE_SAME_CHOICES, ids=lambda variant: variant.name)
def test_variant_passes_a_plain_differential_test(variant: Variant) -> None:
    assert told(variant.function, variant.adapter) == Told(False, False, False, False)


def test_variants_that_choose_otherwise_are_told_from_the_first_by_their_choice_alone() -> None:
    told_of = {
        variant.name: told(variant.function, variant.adapter)
        for variant in VARIANTS
        if variant not in WITH_THE_SAME_CHOICES
    }
    assert told_of == {
        "drops_where_true": Told(False, True, False, False),
        "tiles_the_heads": Told(False, False, False, True),
    }


def test_both_choices_of_each_policy_are_among_the_variants() -> None:
    chosen = {(name, choice) for variant in VARIANTS for name, choice in variant.policies.items()}
    assert {("empty_row", choice) for choice in ("zero", "mean", "nan", "error")} <= chosen
    assert {
        ("causal", "top_left"),
        ("causal", "bottom_right"),
        ("heads", "repeat"),
        ("heads", "tile"),
    } <= chosen
    assert {("mask", choice) for choice in ("keep", "drop", "additive")} <= chosen
    assert {("masked_nan", "blocked"), ("masked_nan", "leaks")} <= chosen


def test_variant_says_what_is_different() -> None:
    assert all(variant.says.endswith(".") for variant in VARIANTS)
    assert len({variant.name for variant in VARIANTS}) == len(VARIANTS)


@pytest.mark.parametrize("name", CONSTANTS)
def test_bug_with_other_constants_is_still_a_bug(name: str) -> None:
    bug = next(bug for bug in BUGS if name.split("__")[0] == bug.id)
    function = CONSTANTS[name]
    assert function.func is bug.function
    query, key, value, mask = usual(0)
    mask[0, 0, 3] = False
    different = [
        apart(function(query, key, value, mask), steps.attention(query, key, value, mask)),
        apart(
            function(query[..., :3, :], key, value, is_causal=True),
            steps.attention(query[..., :3, :], key, value, is_causal=True),
        ),
    ]
    assert any(different) or name == "blockwise_no_rescale__in_sixteens"


def test_bug_in_blocks_shows_itself_from_the_second_block_on() -> None:
    query, key, value, _ = usual(0, length=17)
    function = CONSTANTS["blockwise_no_rescale__in_sixteens"]
    assert apart(function(query, key, value), steps.attention(query, key, value))


def test_differential_test_sees_what_is_not_a_number() -> None:
    assert apart(np.asarray([np.nan, 1.0]), np.asarray([1.0, 1.0]))
    assert not apart(np.asarray([1.0005, 1.0]), np.asarray([1.0, 1.0]))


def test_differential_test_misses_some_bugs_whatever_it_is_given() -> None:
    """It asks for no empty rows, no other lengths and no large scores."""
    unseen = {bug.id for bug in BUGS if not any(told(bug.function, ADAPTER))}
    assert unseen == {
        "empty_row_nan",
        "empty_row_uniform",
        "causal_top_left",
        "overflow_half",
        "no_max_shift",
    }
