"""The measurement of slack, and the file that keeps it."""

import json
from pathlib import Path

import pytest

from duizhao.claims import all_claims
from duizhao.claims.measure import measure
from duizhao.claims.slack import main, read_file
from duizhao.strategies import targets

CLAIMS = all_claims()


def measured(file: Path, *arguments: str) -> int:
    return main(["--output", str(file), "--workers", "1", "--cases", "5", *arguments])


def test_slack_is_the_worst_of_all_runs(tmp_path: Path) -> None:
    assert measured(tmp_path / "slack.json", "--only", "read_const", "--cases", "1100") == 0
    found = read_file(tmp_path / "slack.json")
    assert found is not None
    seeds = [
        measure(CLAIMS["read_const"], targets()[0], cases, seed_value=seed)
        for seed, cases in ((0, 1000), (1, 100))
    ]
    row = found.claims["read_const"]["float64"]
    assert row.cases == 1100
    assert row.worst == float(f"{max(run.slack or 0 for run in seeds):.4g}")


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
