"""Standard output that takes no more is told in one line; a pipe that is closed early is no fault."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.tree import ROOT

COMMAND = [sys.executable, "-c", "from duizhao.cli import main; main()"]
FULL = Path("/dev/full")


@pytest.mark.parametrize(
    "arguments", [("list",), ("list", "--json"), ("--version",), ("explain", "softmax_add")], ids=" ".join
)
def test_full_output_is_one_line_and_exit_code_2(arguments: tuple[str, ...]) -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr) == (2, "duizhao: standard output: No space left on device\n")


def test_pipe_that_is_closed_says_nothing_and_exits_1() -> None:
    with subprocess.Popen(
        [*COMMAND, "list"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (1, "")
