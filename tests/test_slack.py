"""The measurement of slack, and the file that keeps it."""

import inspect
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import strategies as st

from duizhao import exact
from duizhao.claims import all_claims
from duizhao.claims.measure import PRECISION, judge
from duizhao.claims.relation import Budget
from duizhao.claims.slack import Slack, SlackRecord, main, read_file, read_slack, sample
from duizhao.strategies import Target, targets
from duizhao.strategies.sampling import draws
from duizhao.strategies.scores import numbers

ROOT = Path(__file__).parents[1]
CLAIMS = all_claims()
NEEDED = 10_000


def measured(file: Path, *arguments: str) -> int:
    return main(["--output", str(file), "--workers", "1", "--cases", "5", *arguments])


def test_slack_of_the_project_was_measured_over_ten_thousand_cases_of_every_claim_with_a_budget() -> None:
    found = read_slack(ROOT)
    assert found is not None
    assert set(found.claims) == {id_ for id_, claim in CLAIMS.items() if claim.has_slack}
    for id_, rows in found.claims.items():
        assert set(rows) == {target.name for target in targets()}, id_
        assert min(row.cases for row in rows.values()) >= NEEDED, id_


SHARP = 0.02
"""A slack below this says that the budget is far too large, or that hardly a case comes near it: then why is said."""


def unexplained(record: SlackRecord) -> list[str]:
    """Return the claims with a slack below `SHARP` whose docstring, or that of their bound, says nothing of slack."""
    found = []
    for id_, rows in record.claims.items():
        claim = CLAIMS[id_]
        budget = claim.budget
        said = claim.notes + (inspect.getdoc(budget.bound) or "" if budget else "")
        if any(row.worst < SHARP for row in rows.values()) and "slack" not in said:
            found.append(id_)
    return found


def test_slack_is_at_most_1_and_where_it_is_near_0_the_docstring_says_why() -> None:
    found = read_slack(ROOT)
    assert found is not None
    assert all(0 <= row.worst <= 1 for rows in found.claims.values() for row in rows.values())
    assert unexplained(found) == []


def test_slack_near_0_without_a_word_is_found() -> None:
    record = SlackRecord(
        "", {}, {id_: {"float64": Slack(10_000, 0.01)} for id_ in ("softmax_const", "read_const")}
    )
    assert unexplained(record)


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
    assert row.cases == 300
    assert 0 < row.worst <= 1


def test_case_over_budget_ends_the_measurement() -> None:
    claim = CLAIMS["read_const"]
    strict = replace(claim, relation=Budget(lambda u: u / 1000))
    found = sample(strict, targets()[0], 300)
    assert found.cases < 300
    assert found.failure is not None
    assert "times its budget from the theorem: values = " in found.failure or "weights = " in found.failure


def test_draws_of_a_process_are_the_same_for_a_seed_and_others_for_another() -> None:
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
