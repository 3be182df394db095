"""Every check is bound to a theorem that exists, or says why there is none; and none knows a bug."""

import re

import numpy as np
import pytest

from duizhao.audit.check import CHECKS, Reading
from duizhao.audit.judge import ratios_of, told
from duizhao.audit.run import chosen
from duizhao.audit.shrink import shrunk
from duizhao.claims import all_claims
from duizhao.strategies.audits import AXES, Asked, Form, asked, generator
from tests.repo.tree import ROOT, tracked


def test_every_check_has_a_theorem_with_a_claim_or_says_why_there_is_none() -> None:
    assert chosen(None)
    known = all_claims()
    for check in CHECKS.values():
        assert (check.theorem in known) if check.theorem else check.why, check.name
        assert check.name.split(".")[0] == check.theorem or check.theorem is None
        assert check.title[0].islower(), check.title
        assert not check.title.endswith("."), check.title


def test_no_two_checks_have_one_title() -> None:
    assert len({check.title for check in CHECKS.values()}) == len(CHECKS)


def test_neither_audit_nor_its_cases_know_a_bug() -> None:
    paths = [
        *tracked(ROOT, "python/duizhao/audit/*.py"),
        *tracked(ROOT, "python/duizhao/strategies/audits.py", "python/duizhao/rounding/stranger.py"),
    ]
    known = re.compile("|".join(re.findall(r'"id": "(\w+)"', (ROOT / "tests/zoo/bugs.json").read_text())))
    assert known.pattern
    for path in paths:
        assert not known.search((ROOT / path).read_text(encoding="utf-8")), path


@pytest.mark.parametrize("seed", range(4))
def test_cases_of_a_seed_are_the_same_each_time_and_have_the_shapes_that_are_asked_for(seed: int) -> None:
    form = Form(
        "float32", mask="some", is_causal=True, least_keys=2, least_batch=2, extras=("chosen", "bias")
    )
    first, second = (asked(generator(seed, "a claim", 0), form) for _ in range(2))
    for name, array in first.arrays.items():
        assert np.array_equal(array, second.arrays[name])
        assert array.ndim == len(AXES[name])
    assert first.query.shape[0] >= 2
    assert first.lengths[1] >= 2
    assert first.mask.any(axis=-1).all()


def test_cases_share_shapes_where_a_generator_for_shapes_is_given() -> None:
    one, other = (
        asked(generator(0, name, 0), Form("float32"), generator(0, "shapes", 0)) for name in ("one", "other")
    )
    assert one.query.shape == other.query.shape
    assert not np.array_equal(one.query, other.query)


def test_missing_numbers_are_over_every_bound_and_unknown_bounds_pass() -> None:
    amounts = np.array([np.nan, np.inf, 0.0, 1.0, 3.0, np.nan])
    bounds = np.array([1.0, 1.0, 0.0, 2.0, 0.0, np.inf])
    assert ratios_of(amounts, bounds).tolist() == [np.inf, np.inf, 0.0, 0.5, np.inf, 0.0]


def test_sentence_names_the_place_and_leaves_out_axes_of_one_entry() -> None:
    reading = Reading("a masked key still moves the output", "", 0.0, "bhle", also="key 2")
    assert told(reading, (0, 1, 0, 0), (1, 2, 1, 1), 0.404) == (
        "a masked key still moves the output: head 1, query 0, key 2, by 0.4"
    )
    assert told(reading, (0, 0, 0, 0), (1, 1, 1, 1), float("nan")).endswith("key 2, and is not a number")


def test_case_is_shrunk_as_far_as_it_still_fails() -> None:
    case = asked(generator(1, "shrinking", 0), Form("float64", least_keys=5, least_heads=2))

    def fails(other: Asked) -> bool:
        return bool(other.key.shape[-2] >= 3 and np.any(other.value > 0))

    small = shrunk(case, fails)
    assert small.key.shape == (1, 1, 3, 1)
    assert small.query.shape == (1, 1, 1, 1)
    assert small.value.ravel().tolist() in ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0] * 3)
