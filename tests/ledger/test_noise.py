"""A missing proof and an error are found wherever Lake prints them, and a failed test proves nothing."""

from typing import Any

import pytest
from tests.ledger.conftest import StandIn
from tests.ledger.project_copy import ProjectCopy
from tests.ledger.test_lake import MISSING_PROOF, READ, only_problem

from duizhao.ledger.lean import lean_side
from duizhao.ledger.problem import Problem


@pytest.fixture
def good(lake: StandIn, read_const: dict[str, Any]) -> StandIn:
    """A `lake` that finds nothing wrong with the small project."""
    lake.is_good([read_const])
    return lake


QUOTES = ["'sorry'", "`sorry`", "\u2018sorry\u2019", '"sorry"', "\u201csorry\u201d", "sorry"]


@pytest.mark.parametrize("quoted", QUOTES)
def test_missing_proof_is_found_between_any_quotes(
    small_project: ProjectCopy, good: StandIn, quoted: str
) -> None:
    good.says(
        "build", f"warning: {READ}:5:8: declaration uses {quoted}\nBuild completed successfully (5 jobs).\n"
    )
    assert only_problem(lean_side(small_project.root)).where == "read_const"


@pytest.mark.parametrize("before", [1, 19_000, 22_000, 40_000])
def test_missing_proof_is_found_among_very_many_lines(
    small_project: ProjectCopy, good: StandIn, before: int
) -> None:
    warning = f"warning: {READ}:5:8: declaration uses 'sorry'\n"
    noise = "trace: .> nothing to see\n"
    end = "Build completed successfully (5 jobs).\n"
    good.says("build", noise * before + warning + noise * (50_000 - before) + end)
    problem = only_problem(lean_side(small_project.root))
    assert problem == Problem(MISSING_PROOF, "read_const", READ, 5, 8)


def test_missing_proof_is_found_behind_a_line_that_was_not_ended(
    small_project: ProjectCopy, good: StandIn
) -> None:
    good.says(
        "build",
        f"downloading 99%warning: {READ}:5:8: declaration uses 'sorry'\n"
        "Build completed successfully (5 jobs).\n",
    )
    problem = only_problem(lean_side(small_project.root))
    assert "declaration uses 'sorry'" in problem.text


def test_error_among_very_many_lines_is_shown(small_project: ProjectCopy, good: StandIn) -> None:
    noise = "info: nothing to see\n" * 22_000
    good.says("build", f"{noise}error: {READ}:6:2: no\n{noise}exit code: 1")
    side = lean_side(small_project.root)
    assert (
        Problem("error: no\n  in theorem `NeuralNetworks.read_const`", "read_const", READ, 6, 2)
        in side.problems
    )


def test_failed_tests_leave_nothing_proved(small_project: ProjectCopy, good: StandIn) -> None:
    good.replays("test", "test-failure.txt")
    theorem = lean_side(small_project.root).theorems["read_const"]
    assert (theorem.state, theorem.reason) == ("not run", "`lake test` did not pass: exit code 1")


@pytest.mark.parametrize(
    "line",
    [
        "Error: what",
        "ERROR:what",
        "  error: what",
        "error(lean.name): what",
        f"{READ}:6:2: error: what",
        f"error: {READ}:6:2: what",
        "warning: mathlib: repository '.lake/packages/mathlib' has local changes",
    ],
)
def test_error_in_any_form_and_changed_package_fail_with_exit_code_0(
    line: str, small_project: ProjectCopy, good: StandIn
) -> None:
    good.says("build", f"{line}\nBuild completed successfully (5 jobs).\n")
    problem = only_problem(lean_side(small_project.root))
    assert "what" in problem.text or "has local changes" in problem.text


@pytest.mark.parametrize("beyond", ["declaration uses 'sorry'", "repository 'm' has local changes"])
def test_very_long_line_is_searched_before_it_is_cut(
    beyond: str, small_project: ProjectCopy, good: StandIn
) -> None:
    good.says(
        "build", f"warning: repository {'x ' * 99_000}{beyond}\nBuild completed successfully (5 jobs).\n"
    )
    assert not lean_side(small_project.root).ok
