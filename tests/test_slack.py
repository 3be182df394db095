"""The measurement of slack, and the file that keeps it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import strategies as st

from duizhao import exact
from duizhao.claims import all_claims
from duizhao.claims.measure import PRECISION, judge
from duizhao.claims.relation import Budget
from duizhao.claims.slack import main, read_file, sample
from duizhao.strategies import Target, targets
from duizhao.strategies.sampling import draws
from duizhao.strategies.scores import numbers

CLAIMS = all_claims()


def measured(file: Path, *arguments: str) -> int:
    return main(["--output", str(file), "--workers", "1", "--cases", "5", *arguments])


def test_slack_is_the_worst_of_the_cases(tmp_path: Path) -> None:
    claim, target = CLAIMS["read_const"], targets()[0]
    with exact.precision(PRECISION):
        ratios = [judge(claim, case) for case in draws(claim.cases(target), 300, seed=0)]
    assert 0 < max(ratios) <= 1
    assert sample(claim, target, 300).slack == max(ratios)
    assert sample(claim, target, 3).slack == max(ratios[:3])
    assert measured(tmp_path / "slack.json", "--only", "read_const", "--cases", "300") == 0
    found = read_file(tmp_path / "slack.json")
    assert found is not None
    row = found.claims["read_const"]["float64"]
    assert (row.cases, row.worst) == (300, float(f"{max(ratios):.4g}"))


def test_case_over_budget_ends_the_measurement() -> None:
    claim = CLAIMS["read_const"]
    strict = replace(claim, relation=Budget(lambda u: u / 1000))
    found = sample(strict, targets()[0], 300)
    assert found.cases < 300
    assert found.failure is not None
    assert "times its budget from the theorem: values = " in found.failure or "weights = " in found.failure


def test_draws_are_the_same_for_a_seed_and_others_for_another() -> None:
    drawn = st.floats(0, 1)
    assert list(draws(drawn, 20, seed=1)) == list(draws(drawn, 20, seed=1))
    assert list(draws(drawn, 20, seed=1)) != list(draws(drawn, 20, seed=2))


def test_draws_go_on_after_what_a_strategy_rejects() -> None:
    assert all(number % 2 for number in draws(st.integers().filter(lambda number: number % 2), 50, seed=0))


def test_strategy_that_rejects_everything_is_an_error() -> None:
    with pytest.raises(ValueError, match="none of 100 draws in a row came to something"):
        list(draws(st.integers().filter(lambda _: False), 1, seed=0))


def test_no_draws_are_an_error() -> None:
    with pytest.raises(ValueError, match="count: must be at least 1, got 0"):
        list(draws(st.integers(), 0, seed=0))


def test_measuring_one_claim_keeps_the_others(tmp_path: Path) -> None:
    file = tmp_path / "slack.json"
    assert measured(file, "--only", "read_const", "softmax_const") == 0
    before = json.loads(file.read_text())["claims"]
    assert measured(file, "--only", "read_const", "--cases", "7") == 0
    after = json.loads(file.read_text())["claims"]
    assert after["softmax_const"] == before["softmax_const"]
    assert (before["read_const"]["float64"]["cases"], after["read_const"]["float64"]["cases"]) == (5, 7)


def test_date_is_that_of_the_oldest_measurement(tmp_path: Path) -> None:
    file = tmp_path / "slack.json"
    assert measured(file, "--only", "read_const") == 0
    file.write_text(json.dumps(json.loads(file.read_text()) | {"date": "2020-01-01"}))
    assert measured(file, "--only", "softmax_const") == 0
    assert json.loads(file.read_text())["date"] == "2020-01-01"


def test_claims_measured_with_other_versions_are_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slack.json"
    assert measured(file, "--only", "read_const") == 0
    file.write_text(json.dumps(json.loads(file.read_text()) | {"versions": {"numpy": "1.0"}}))
    with pytest.raises(SystemExit, match="2"):
        measured(file, "--only", "softmax_const")
    assert "was measured with other versions" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--cases", "0"], "--cases: must be at least 1, got 0"),
        (["--workers", "-1"], "--workers: must be at least 1, got -1"),
        (["--only", "nonsense"], "no claim with a budget is named nonsense"),
        (["--only", "read_zero"], "no claim with a budget is named read_zero"),
    ],
)
def test_wrong_use_is_said(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("target", targets(dtypes=["float32", "float16"]), ids=lambda target: target.name)
def test_no_number_is_above_its_limit_where_the_limit_is_no_float(target: Target) -> None:
    """A limit that were rounded up would let a few cases violate their restriction."""
    limits = [limit for limit in (42 - 0.0741, 0.1, 11 / 3) if target.rounded(limit) > limit]
    assert limits
    for limit in limits:
        assert max(abs(number) for number in draws(numbers(target, limit), 500, seed=0)) <= limit
