"""Ctrl-C, twice as well, and a signal to end: the command ends soon, and so does everything that it started."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.ledger.conftest import StandIn
from tests.ledger.project_copy import ProjectCopy

from duizhao.claims.parallel import _no_interrupt

SOON = 20
"""Seconds: much more than it takes, much less than the measuring would."""

LONG = ("check", "--lean", "record", "--cases", "100000")


PS = shutil.which("ps")
PROGRAM = "import os; os.cpu_count = lambda: 2; from duizhao.cli import main; main()"
"""The command, as on a machine with two cores."""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start the command in a group of processes of its own, as a terminal does."""
    processes: list[subprocess.Popen[str]] = []

    def starter(folder: Path, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        processes.append(process)
        return process

    yield starter
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def table(columns: str) -> list[list[str]]:
    """Columns of the table of all processes."""
    assert PS is not None
    done = subprocess.run([PS, "-A", "-o", columns], capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


def descendants(pid: int) -> set[int]:
    """The processes that a process started, directly or not."""
    pairs = [(int(child), int(parent)) for child, parent in table("pid=,ppid=")]
    found: set[int] = set()
    ahead = [pid]
    while ahead:
        parent_id = ahead.pop()
        children = {child for child, parent in pairs if parent == parent_id} - found
        found |= children
        ahead += children
    return found


def alive(pids: set[int]) -> set[int]:
    """Those of the processes that still run; one that ended and was not waited for does not."""
    return pids & {int(pid) for pid, state in table("pid=,stat=") if not state.startswith("Z")}


def started(process: subprocess.Popen[str], least: int) -> set[int]:
    """Wait until a process has started so many others, and return them."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if len(found := descendants(process.pid)) >= least:
            return found
        time.sleep(0.1)
    raise AssertionError(f"{least} processes were not started")


def ended(pids: set[int]) -> bool:
    """Whether processes have ended, soon."""
    end = time.monotonic() + SOON
    while alive(pids) and time.monotonic() < end:
        time.sleep(0.1)
    return not alive(pids)


@pytest.mark.parametrize(
    ("signals", "code"),
    [
        ([signal.SIGINT], 130),
        ([signal.SIGINT, signal.SIGINT], 130),
        ([signal.SIGTERM], 143),
        ([signal.SIGKILL], -signal.SIGKILL),
    ],
    ids=["Ctrl-C", "Ctrl-C twice", "SIGTERM", "SIGKILL"],
)
def test_measuring_in_parallel_ends_and_leaves_no_process(
    signals: list[signal.Signals], code: int, project: ProjectCopy, start: Start
) -> None:
    process = start(project.root, *LONG)
    workers = started(process, 2)
    for number in signals:
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        time.sleep(0.2)
    _, errors = process.communicate(timeout=SOON)
    assert process.returncode == code
    assert "Traceback" not in errors
    assert ended(workers)


def test_interrupt_waits_until_processes_are_started() -> None:
    """Also where another thread is given the signal, in which it is not blocked."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    started, sent = threading.Event(), threading.Event()

    def interrupt() -> None:
        started.wait()
        signal.raise_signal(signal.SIGINT)
        sent.set()

    went_on = []

    def start_processes() -> None:
        with _no_interrupt():
            started.set()
            sent.wait()
            time.sleep(0.1)
            went_on.append(True)

    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        start_processes()
    other.join()
    assert went_on
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_lake_is_stopped_with_the_command(
    number: signal.Signals, code: int, project: ProjectCopy, lake: StandIn, start: Start
) -> None:
    lake.runs("import time\ntime.sleep(600)\n")
    process = start(project.root, "check", "--topic", "read")
    lakes = started(process, 1)
    time.sleep(0.5)
    process.send_signal(number)
    _, errors = process.communicate(timeout=SOON)
    assert process.returncode == code
    assert "Traceback" not in errors
    assert ended(lakes)
