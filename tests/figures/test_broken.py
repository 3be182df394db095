"""What the figure of hypotheses is given."""

import json
from pathlib import Path

import pytest
from docs.inserts import chinese
from docs.inserts.broken import in_chinese

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = [
    entry
    for theorem in json.loads((ROOT / "ledger/breaks.json").read_text(encoding="utf-8"))["theorems"].values()
    for entry in theorem["without"]
]


def test_everything_that_goes_wrong_is_said_in_chinese() -> None:
    said = {in_chinese(entry["counterexample"]["says"]) for entry in ENTRIES if entry["counterexample"]}
    assert {"离结论差 1", "结论落空"} <= said


def test_what_has_no_translation_stops_the_build() -> None:
    with pytest.raises(ValueError, match="no translation of 'the statement is odd'"):
        in_chinese("the statement is odd")


def test_every_condition_and_every_reason_has_a_translation() -> None:
    known = chinese.sections()
    assert [entry["hypothesis"] for entry in ENTRIES if entry["hypothesis"] not in known["conditions"]] == []
    reasons = [entry["reason"] for entry in ENTRIES if entry["reason"]]
    assert reasons
    assert [reason for reason in reasons if reason not in known["no counterexample"]] == []
