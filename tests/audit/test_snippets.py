"""Every failure comes with a program that needs NumPy and the subject alone, and shows it."""

import subprocess
import sys

import pytest

from tests.audit.auditing import SUBJECTS, audited
from tests.repo.tree import ROOT


@pytest.mark.parametrize("name", ["leaks", "unscaled"])
def test_snippet_of_every_failure_shows_it(name: str) -> None:
    report = audited(name, dtypes=("float32",), trials=2)
    failures = [outcome.failure for outcome in report.outcomes if outcome.failure is not None]
    assert failures
    for failure in failures:
        assert failure.snippet is not None
        assert "duizhao" not in failure.snippet
        done = subprocess.run(
            [sys.executable, "-c", failure.snippet], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 1, failure.snippet
        assert "AssertionError" in done.stderr, failure.snippet + done.stderr


@pytest.mark.parametrize(
    ("name", "adapter"),
    [("in_rows", "IN_ROWS"), ("leaks", "HEADS"), ("leaks", "ROWS"), ("in_columns", "IN_COLUMNS")],
)
def test_snippet_calls_a_function_of_any_layout_as_its_adapter_says(name: str, adapter: str) -> None:
    claims = ("maskedSoftmax_of_notMem", "read_maskedSoftmax_congr", "sum_softmax_eq_one")
    report = audited(name, *claims, adapter=f"{SUBJECTS}:{adapter}")
    assert report.conduct == {}
    sums, *masked = report.outcomes
    assert sums.state == "passes"
    for outcome in masked:
        assert outcome.failure is not None
        assert outcome.failure.snippet is not None
        done = subprocess.run(
            [sys.executable, "-c", outcome.failure.snippet], cwd=ROOT, capture_output=True, text=True
        )
        assert "AssertionError" in done.stderr, outcome.failure.snippet + done.stderr


def test_failing_case_is_shrunk_to_one_masked_key() -> None:
    report = audited("leaks", "read_maskedSoftmax_congr")
    (outcome,) = report.outcomes
    assert outcome.failure is not None
    case = outcome.failure.case
    assert case is not None
    assert case.query.shape == (1, 1, 1, 1)
    assert case.key.shape[2] == 2
    assert outcome.failure.sentence.startswith("a masked key still moves the output: query 0, key ")
