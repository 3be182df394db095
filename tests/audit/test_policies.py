"""Policies are found, told in words, and required."""

import subprocess
import sys

import numpy as np
import pytest

from duizhao.audit.policies import POLICIES, grouped, required
from duizhao.audit.probes import neither_corner, seen_scales
from duizhao.audit.run import Report
from duizhao.wrong_use import WrongUseError
from tests.audit.auditing import audited
from tests.repo.tree import ROOT


def found(report: Report) -> dict[str, str | None]:
    """The value of every policy that was seen."""
    return {policy.name: policy.value for policy in report.policies if policy.values}


def test_policies_of_a_plain_function_are_found() -> None:
    assert found(audited("right", "attention_zero")) == {
        "mask": "keep",
        "scale": "1/sqrt(d)",
        "causal": "top_left",
        "empty_row": "zero",
        "masked_nan": "leaks",
        "overflow": "nan",
    }


@pytest.mark.parametrize(
    ("name", "policy", "value"),
    [
        ("drops", "mask", "drop"),
        ("adds", "mask", "additive"),
        ("bottom_right", "causal", "bottom_right"),
        ("repeats", "heads", "repeat"),
        ("tiles", "heads", "tile"),
    ],
)
def test_each_policy_is_found_and_can_be_required(name: str, policy: str, value: str) -> None:
    report = audited(name, "attention_zero", needed={policy: value})
    assert found(report)[policy] == value
    assert report.ok


@pytest.mark.parametrize(
    ("name", "policy", "other"),
    [
        ("right", "empty_row", "mean"),
        ("right", "causal", "bottom_right"),
        ("right", "masked_nan", "blocked"),
        ("drops", "mask", "keep"),
        ("tiles", "heads", "repeat"),
        ("plain", "empty_row", "zero"),
    ],
)
def test_policy_that_is_not_met_is_wrong(name: str, policy: str, other: str) -> None:
    report = audited(name, "attention_zero", needed={policy: other})
    (wrong,) = [item for item in report.policies if not item.ok]
    assert wrong.name == policy
    assert wrong.sentence().endswith(f"{policy}={other} is required")
    assert not report.ok


def test_keys_repeated_and_values_tiled_are_inconsistent() -> None:
    report = audited("repeats_and_tiles", "attention_zero")
    (wrong,) = [item for item in report.policies if not item.ok]
    assert wrong.sentence() == "float64: the keys of 4 query heads are shared by repeat, their values by tile"


@pytest.mark.parametrize(("name", "value"), [("by_width", "1/d"), ("unscaled", "1"), ("right", "1/sqrt(d)")])
def test_scale_is_named_where_it_has_a_name_and_dtypes_are_told_once(name: str, value: str) -> None:
    report = audited(name, "attention_zero", dtypes=("float32", "float64", "float16"))
    (scale,) = [policy for policy in report.policies if policy.name == "scale"]
    assert scale.value == value
    assert scale.sentence() == POLICIES["scale"][value]


def test_scale_at_more_heads_is_told_only_where_it_differs() -> None:
    assert seen_scales([(1, 1, "1"), (4, 1, "0.25"), (4, 2, "0.25")]) == "1 at width 1, 0.25 at width 4"
    assert seen_scales([(4, 1, "0.25"), (4, 2, "0.5")]) == "0.25 at width 4, 0.5 at width 4 with 2 heads"


def test_dtypes_with_one_text_are_told_once() -> None:
    assert grouped({"float32": "a", "float64": "b", "float16": "a"}) == [
        ("float32, float16", "a"),
        ("float64", "b"),
    ]


@pytest.mark.parametrize(
    ("reads", "says"),
    [
        (
            [[1, 0, 0, 1], [1, 1, 0, 0]],
            "query 0 reads key 3 though neither corner lets it: it reads keys 0, 3,",
        ),
        (
            [[0, 0, 0, 0], [1, 1, 0, 0]],
            "query 0 does not read key 0 though both corners let it: it reads no key,",
        ),
        ([[1, 0, 0, 0], [1, 1, 1, 0]], "query 1 fits neither corner: it reads keys 0, 1, 2,"),
        ([[1, 0, 0, 0], [1, 1, 1, 1]], "query 1 fits the bottom right corner alone, and another query"),
    ],
)
def test_what_fits_neither_corner_is_told_by_query_and_key(reads: list[list[int]], says: str) -> None:
    top, bottom = (np.tri(2, 4, offset, dtype=np.bool_) for offset in (0, 2))
    told = neither_corner(np.array(reads, dtype=np.bool_), top, bottom, np.ones(2, dtype=np.bool_))
    assert told.startswith(f"with 2 queries and 4 keys and the causal flag, {says}")


def test_program_of_a_wrong_policy_shows_it() -> None:
    for name, policy in (("one_too_many", "causal"), ("repeats_and_tiles", "heads")):
        (wrong,) = audited(name, "attention_zero").wrong_policies
        assert wrong.name == policy
        ((_, fault),) = wrong.wrong()
        assert fault.snippet is not None
        done = subprocess.run([sys.executable, "-c", fault.snippet], cwd=ROOT, capture_output=True, text=True)
        assert "AssertionError" in done.stderr, fault.snippet + done.stderr


def test_another_scale_fails_unless_it_is_required() -> None:
    claim = "log_attentionWeights_div"
    assert not audited("unscaled", claim).ok
    assert audited("unscaled", claim, needed={"scale": "1"}).ok
    assert not audited("unscaled", claim, needed={"scale": "0.5"}).ok


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "empty_row",
            "policy: NAME=VALUE with one of empty_row, causal, mask, heads, masked_nan, scale, overflow ",
        ),
        ("row=zero", "policy: NAME=VALUE with one of"),
        ("empty_row=one", "policy: empty_row must be one of zero, mean, nan, error, got one"),
        ("scale=0", "policy: scale must be one of 1/sqrt(d), a number, got 0"),
    ],
)
def test_wrong_requirement_is_refused(text: str, says: str) -> None:
    with pytest.raises(WrongUseError) as caught:
        required([text])
    assert str(caught.value).startswith(says)


def test_policy_that_is_required_twice_is_refused() -> None:
    with pytest.raises(WrongUseError, match="policy: heads is given twice"):
        required(["heads=tile", "heads=tile"])
