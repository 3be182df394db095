"""A subject that does something else than answer is reported as exactly that, and the other claims still run."""

import errno
import subprocess

import pytest

from tests.audit.auditing import audited, states

PLAIN = ("sum_softmax_eq_one", "attention_zero", "deterministic")
MASKED = ("sum_softmax_eq_one", "maskedSoftmax_of_notMem", "attention_zero")


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("raises", "raises", "it raises ZeroDivisionError: no mask today"),
        ("dies", "raises", "the process ends (exit code 3)"),
        ("interrupts", "raises", "it raises KeyboardInterrupt: enough"),
        ("says_half_a_letter", "raises", "it raises ValueError: no \\ud800 today"),
    ],
)
def test_subject_that_raises_or_dies_on_a_mask_is_reported_and_the_rest_still_runs(
    name: str, kind: str, says: str
) -> None:
    report = audited(name, *MASKED)
    assert report.conduct[kind].sentence == says
    assert states(report) == {
        "sum_softmax_eq_one": "passes",
        "maskedSoftmax_of_notMem": "stopped",
        "attention_zero": "passes",
    }
    assert not report.ok


def test_subject_that_hangs_on_a_mask_is_reported_and_the_rest_still_runs() -> None:
    report = audited("hangs", *MASKED, time_limit=1.0)
    assert report.conduct["hangs"].sentence == "no answer within 1 s"
    assert states(report)["maskedSoftmax_of_notMem"] == "stopped"
    assert states(report)["attention_zero"] == "passes"
    assert not report.ok


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("wrong_dtype", "dtype", "its output is float64, where the input is float32"),
        ("mutates", "mutates", "it changes the array that it is given as query"),
        ("turns", "mutates", "it changes the array that it is given as query"),
        ("prints", "prints", "it prints to standard output: attending"),
    ],
)
def test_subject_that_answers_but_misbehaves_is_judged_all_the_same(name: str, kind: str, says: str) -> None:
    report = audited(name, *PLAIN, dtypes=("float32",))
    assert list(report.conduct) == [kind]
    assert report.conduct[kind].sentence == says
    assert set(states(report).values()) == {"passes"}
    assert not report.ok


def test_process_that_cannot_be_started_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(RuntimeError, match="no process can be started: Resource temporarily unavailable"):
        audited("right", *PLAIN)


def test_wrong_shape_is_reported_with_both_shapes() -> None:
    report = audited("wrong_shape", *PLAIN)
    assert "its output has the shape (2, 2, 2, 4), where (2, 2, 3, 4) is right" in (
        report.conduct["shape"].sentence
    )


def test_output_that_is_no_array_is_reported() -> None:
    report = audited("no_array", *PLAIN)
    assert report.conduct["shape"].sentence.startswith("what it returns is no array of numbers")
    assert set(states(report).values()) == {"stopped"}


def test_subject_that_is_not_deterministic_is_told_so() -> None:
    report = audited("changes_its_mind", "deterministic")
    (outcome,) = report.outcomes
    assert outcome.failure is not None
    assert outcome.failure.sentence.startswith("the same call gives other numbers")


def test_well_behaved_subject_has_no_fault() -> None:
    report = audited("right", *PLAIN, dtypes=("float32", "float64", "float16"))
    assert report.conduct == {}
    assert report.ok


def test_keys_past_128_are_asked_for_in_each_run() -> None:
    claim = "log_attentionWeights_div"
    assert states(audited("drops_late_keys", claim, trials=1)) == {claim: "fails"}


def test_scale_0_is_asked_for() -> None:
    assert not audited("zero_is_none", "log_attentionWeights_div", trials=30).ok
