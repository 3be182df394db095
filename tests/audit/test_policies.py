"""Policies are found, told in words, and required."""

import pytest

from duizhao.audit.policies import required
from duizhao.audit.run import Report
from duizhao.wrong_use import WrongUseError
from tests.audit.auditing import audited


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
