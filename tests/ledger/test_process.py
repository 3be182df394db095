"""What is said of a command that does not behave."""

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from duizhao.ledger import process
from duizhao.ledger.process import Run, printable, run

Runner = Callable[..., Run]
SHELL = shutil.which("sh")


@pytest.fixture
def run_python(tmp_path: Path) -> Runner:
    """Run a Python program in place of Lake."""
    return _runner(tmp_path, sys.executable)


@pytest.fixture
def run_shell(tmp_path: Path) -> Runner:
    """Run a shell program in place of Lake: it starts at once."""
    assert SHELL is not None
    return _runner(tmp_path, SHELL)


def _runner(tmp_path: Path, program: str) -> Runner:
    def runner(
        code: str,
        *,
        silence: float = 30,
        on_line: Callable[[str], None] = lambda _: None,
        keep_output: bool = False,
    ) -> Run:
        return run(
            ("lake", "-c", code),
            program=program,
            folder=tmp_path,
            silence=silence,
            on_line=on_line,
            keep_output=keep_output,
        )

    return runner


def test_lines_come_as_they_are_printed_errors_included(run_python: Runner) -> None:
    seen: list[str] = []
    ran = run_python(
        "import sys; print('a', flush=True); print('b', file=sys.stderr, flush=True); print('c', end='')",
        on_line=seen.append,
    )
    assert seen == ["a", "b", "c"]
    assert (ran.lines, ran.exit_code, ran.trouble, ran.ended) == (("a", "b", "c"), 0, None, "exit code 0")


def test_output_is_kept_apart_byte_for_byte(run_python: Runner) -> None:
    ran = run_python(
        r"import sys; sys.stdout.buffer.write(b'\xff\r\n'); print('b', file=sys.stderr)", keep_output=True
    )
    assert (ran.output, ran.lines) == (b"\xff\r\n", ("b",))


def test_standard_input_is_empty(run_python: Runner) -> None:
    assert run_python("import sys; print(sys.stdin.read() == '')").lines == ("True",)


def test_exit_code_is_given(run_python: Runner) -> None:
    assert run_python("raise SystemExit(3)").ended == "exit code 3"


def test_signal_is_named(run_python: Runner) -> None:
    ran = run_python("import os; print('a', flush=True); os.kill(os.getpid(), 9)")
    assert (ran.exit_code, ran.ended, ran.lines) == (-9, "killed by SIGKILL", ("a",))


def test_silence_is_hanging_and_what_was_said_is_kept(run_shell: Runner) -> None:
    ran = run_shell("echo started; sleep 60", silence=0.5)
    assert ran.exit_code is None
    assert ran.trouble == "hangs: no output for 0.5 seconds, so it was stopped"
    assert ran.lines == ("started",)


def test_slow_output_is_not_hanging(run_shell: Runner) -> None:
    ran = run_shell("for i in 0 1 2 3 4; do echo $i; sleep 0.3; done", silence=1)
    assert (ran.lines, ran.exit_code) == (tuple("01234"), 0)


def test_closed_output_without_an_end_is_hanging(run_shell: Runner) -> None:
    ran = run_shell("exec >&- 2>&-; sleep 60", silence=0.5)
    assert ran.trouble == "hangs: it closed its output and did not end for 0.5 seconds, so it was stopped"


# A child that is alive as long as the file `beat` grows.
HEARTBEAT = """
while :; do echo >> beat; sleep 0.05; done &
until [ -e beat ]; do sleep 0.05; done
echo alive
"""


def beats(folder: Path) -> bool:
    before = (folder / "beat").stat().st_size
    time.sleep(0.3)
    return (folder / "beat").stat().st_size > before


def test_everything_that_it_started_is_stopped_with_it(run_shell: Runner, tmp_path: Path) -> None:
    ran = run_shell(HEARTBEAT + "sleep 60", silence=0.5)
    assert (ran.trouble or "").startswith("hangs")
    assert not beats(tmp_path)


def test_end_is_seen_though_a_child_holds_the_output(
    run_shell: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_AFTER_EXIT", 0.2)
    ran = run_shell(HEARTBEAT)
    assert (ran.exit_code, ran.lines) == (0, ("alive",))
    assert not beats(tmp_path)


def test_interrupt_stops_the_command_and_goes_on(run_shell: Runner, tmp_path: Path) -> None:
    def interrupt(line: str) -> None:
        raise KeyboardInterrupt(line)

    with pytest.raises(KeyboardInterrupt, match="alive"):
        run_shell(HEARTBEAT + "sleep 60", on_line=interrupt)
    assert not beats(tmp_path)


def test_file_that_cannot_be_run_is_told(tmp_path: Path) -> None:
    program = tmp_path / "lake"
    program.write_bytes(b"\x00\x01")

    def start() -> Run:
        return run(("lake",), program=str(program), folder=tmp_path, silence=5, on_line=lambda _: None)

    assert start().trouble == f"{program} could not be started: Permission denied"
    program.chmod(0o755)
    assert start().trouble == f"{program} could not be started: Exec format error"
    program.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    assert start().trouble == f"{program} could not be started: No such file or directory"


def test_garbage_is_shown_and_cannot_steer_the_terminal() -> None:
    assert (
        printable(b"\x1b[31mred\x1b[0m\t\xff\x00\x1b]0;t\x07\x9b\xc2\x85\r")
        == r"red	\xff\x00\x1b]0;t\x07\x9b\x85"
    )


def test_gigantic_line_is_cut_and_says_so(run_python: Runner) -> None:
    (line,) = run_python("print('x' * 3_000_000)").lines
    assert line == "x" * process.LONGEST_LINE + f" (… {3_000_000 - process.LONGEST_LINE} bytes more)"


def test_very_many_lines_keep_the_first_and_the_last(run_python: Runner) -> None:
    lines = run_python("for i in range(30_000): print(i)").lines
    assert (lines[0], lines[-1]) == ("0", "29999")
    assert lines[process.FIRST_LINES] == "(… 5000 lines left out)"


def test_output_without_end_is_stopped(run_python: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MOST_BYTES", 2**20)
    ran = run_python("while True: print('y' * 1000)")
    assert (ran.exit_code, ran.trouble) == (None, "printed more than 1 MiB, so it was stopped")
