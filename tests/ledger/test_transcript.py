"""What is read from the lines that Lake prints."""

from hypothesis import given
from hypothesis import strategies as st

from duizhao.ledger.transcript import Message, is_lake_line, read_transcript

from .conftest import TRANSCRIPTS


def lines_of(transcript: str) -> list[str]:
    return (TRANSCRIPTS / transcript).read_text(encoding="utf-8").splitlines()[:-1]


def test_message_keeps_all_its_lines_and_leaves_the_trace_out() -> None:
    found = read_transcript(lines_of("build-proof-error.txt"))
    second = found.messages[1]
    assert (second.severity, second.file, second.line, second.column) == (
        "error",
        "lean/NeuralNetworks/Read.lean",
        6,
        2,
    )
    assert second.text.split("\n") == [
        "omega could not prove the goal:",
        "a possible counterexample may satisfy the constraints",
        "  d ≥ 0",
        "  c ≥ 0",
        "  c - d ≥ 1",
        "where",
        " c := ↑b",
        " d := ↑a",
    ]
    assert [message.job for message in found.messages] == [*["NeuralNetworks.Read"] * 3, None]
    assert found.failed == ("NeuralNetworks.Read",)
    assert not any("LEAN_PATH" in message.text for message in found.messages)


def test_difference_inside_a_message_is_no_message_of_its_own() -> None:
    found = read_transcript(lines_of("test-failure.txt"))
    assert len(found.messages) == 4
    assert found.messages[1].text.endswith(
        "\n\n- error: `accepted` already namez `NeuralNetworksTest.accepted`"
        "\n+ error: `accepted` already names `NeuralNetworksTest.accepted`"
    )


def test_success_has_no_messages() -> None:
    assert read_transcript(lines_of("build-success.txt")).messages == ()
    assert read_transcript(lines_of("build-success.txt")).completed
    assert not read_transcript(lines_of("test-success.txt")).completed


def test_missing_proof_is_a_failure_though_it_is_a_warning() -> None:
    (message,) = read_transcript(lines_of("build-again-sorry.txt")).messages
    assert (message.severity, message.sorry, message.failing) == ("warning", True, True)


def test_missing_proof_is_seen_with_other_quotes() -> None:
    for text in ("declaration uses `sorry`", "declaration uses sorry", "declaration uses \u2018sorry\u2019"):
        assert Message("warning", text).failing
    assert not Message("warning", "declaration uses `sorryful`").failing


def test_other_warning_is_no_failure() -> None:
    assert not Message("warning", "unused variable `x`").failing


def test_line_that_fits_nothing_is_kept_as_text() -> None:
    found = read_transcript(["what", " is this", "✔ [1/2] Built A", "trace: x", "and this"])
    assert [(message.severity, message.text) for message in found.messages] == [
        ("text", "what\n is this"),
        ("text", "and this"),
    ]


def test_file_of_windows_keeps_its_drive() -> None:
    (message,) = read_transcript([r"error: C:\p\A.lean:1:2: no"]).messages
    assert (message.file, message.line, message.column, message.text) == (r"C:\p\A.lean", 1, 2, "no")


def test_line_number_beyond_reason_stays_in_the_text() -> None:
    (message,) = read_transcript([f"error: A.lean:{'9' * 5000}:1: no"]).messages
    assert message.line is None
    assert message.text.endswith(":1: no")


def test_job_names_of_every_kind_are_read() -> None:
    for line in (
        "⚠ [3/5] Replayed A.B",
        "\u2139 [?/?] Ran a/b:c (12ms)",
        "✖ [1/9] (Optional) Fetching x y (2.1s)",
    ):
        assert read_transcript([line]).messages == ()


LAKE_LINES = st.sampled_from(
    [line for path in sorted(TRANSCRIPTS.glob("*.txt")) for line in lines_of(path.name)]
)
ANY_LINES = st.lists(LAKE_LINES | st.text(st.characters(exclude_characters="\n"), max_size=30), max_size=30)


@given(ANY_LINES)
def test_no_line_is_lost_whatever_is_printed(lines: list[str]) -> None:
    found = read_transcript(lines)
    kept = "\n".join([*(message.text for message in found.messages), *found.failed])
    for line in lines:
        if not is_lake_line(line):
            assert line.removeprefix("- ").rstrip() in kept
    severities = [
        line.partition(":")[0] for line in lines if line.startswith(("error: ", "warning: ", "info: "))
    ]
    assert [message.severity for message in found.messages if message.severity != "text"] == severities
