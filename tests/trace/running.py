"""`duizhao trace` as a test runs it, and the tables that it prints."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from duizhao.cli import app


@dataclass(frozen=True)
class Outcome:
    """What one run gave."""

    code: int
    out: str
    err: str

    def table(self, matrix: str) -> list[list[str]]:
        """The numbers that were printed of a matrix, row by row, as text."""
        lines = self.out.splitlines()
        (start,) = (
            number for number, line in enumerate(lines) if line.startswith((f"{matrix} =", f"{matrix} given"))
        )
        rows: list[list[str]] = []
        for line in lines[start + 2 :]:
            if "│" not in line:
                return rows
            rows.append(line.partition("│")[2].split())
        return rows

    def step(self, matrix: str) -> dict[str, Any]:
        """What was printed of a matrix as JSON."""
        (found,) = (step for step in json.loads(self.out)["steps"] if step["matrix"] == matrix)
        return dict(found)


def trace(*arguments: str | Path, width: int = 200) -> Outcome:
    """Run `duizhao trace` in a terminal of some width; an exception that it lets through fails the test."""
    done = CliRunner().invoke(app, ["trace", *map(str, arguments)], env={"COLUMNS": str(width)})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Outcome(done.exit_code, done.stdout, done.stderr)


def refused(*arguments: str | Path) -> str:
    """The one line that a run with wrong input says."""
    outcome = trace(*arguments)
    assert (outcome.code, outcome.out) == (2, ""), outcome
    (line,) = outcome.err.splitlines()
    assert line.startswith("duizhao: ")
    return line.removeprefix("duizhao: ")
