"""What is made of everything that Lake can print: each transcript is replayed, failures included."""

import json
import shutil
from typing import Any

import pytest
from tests.ledger.conftest import TRANSCRIPTS, StandIn
from tests.ledger.project_copy import ProjectCopy

from duizhao.ledger.lean import LeanSide, lean_side
from duizhao.ledger.problem import Problem

READ = "lean/NeuralNetworks/Read.lean"
TEST = "lean/NeuralNetworksTest/Companion.lean"
REFUSED = "error: `NeuralNetworks.read_const` rests on `sorryAx`\n  in theorem `NeuralNetworks.read_const`"
MISSING_PROOF = "warning: declaration uses 'sorry'\n  in theorem `NeuralNetworks.read_const`"
EXITED = "error: Lean exited with code 1"
FAILED = Problem("error: build failed", "build")

REPLAYED = {
    "build-success.txt": [],
    "build-again.txt": [],
    "build-proof-error.txt": [
        Problem(REFUSED, "read_const", READ, 4, 2),
        Problem(
            "error: omega could not prove the goal:\n"
            "a possible counterexample may satisfy the constraints\n"
            "  d ≥ 0\n  c ≥ 0\n  c - d ≥ 1\nwhere\n c := ↑b\n d := ↑a\n"
            "  in theorem `NeuralNetworks.read_const`",
            "read_const",
            READ,
            6,
            2,
        ),
        Problem(EXITED, "NeuralNetworks.Read"),
        FAILED,
    ],
    "build-companion-sorry.txt": [
        Problem(REFUSED, "read_const", READ, 4, 2),
        Problem(MISSING_PROOF, "read_const", READ, 5, 8),
        Problem(EXITED, "NeuralNetworks.Read"),
        FAILED,
    ],
    "build-warning-sorry.txt": [Problem(MISSING_PROOF, "read_const", READ, 5, 8)],
    "build-again-sorry.txt": [Problem(MISSING_PROOF, "read_const", READ, 5, 8)],
    "build-syntax-error.txt": [
        Problem(
            "error: unexpected token 'end'; expected term\n  in theorem `NeuralNetworks.read_const`",
            "read_const",
            READ,
            5,
            45,
        ),
        Problem(EXITED, "NeuralNetworks.Read"),
        FAILED,
    ],
    "build-missing-module.txt": [
        Problem(
            "error: no such file or directory (error code: 2)\n"
            "  file: <root>/lean/NeuralNetworks/Missing.lean",
            "NeuralNetworks.Missing",
            "lean/NeuralNetworks/Missing.lean",
        ),
        FAILED,
    ],
    "build-unknown-target.txt": [Problem("error: unknown target `Nothing`", "build")],
    "test-success.txt": [],
    "test-failure.txt": [
        Problem(
            "error: `accepted` already names `NeuralNetworksTest.accepted`\n"
            "  in theorem `NeuralNetworksTest.Other.accepted`",
            "NeuralNetworksTest.Companion",
            TEST,
            41,
            2,
        ),
        Problem(
            "error: ❌️ Docstring on `#guard_msgs` does not match generated message:\n\n"
            "- error: `accepted` already namez `NeuralNetworksTest.accepted`\n"
            "+ error: `accepted` already names `NeuralNetworksTest.accepted`",
            "NeuralNetworksTest.Companion",
            TEST,
            39,
            0,
        ),
        Problem(EXITED, "NeuralNetworksTest.Companion"),
        FAILED,
    ],
}


@pytest.fixture
def good(lake: StandIn, read_const: dict[str, Any]) -> StandIn:
    """A `lake` that finds nothing wrong with the small project."""
    lake.is_good([read_const])
    return lake


def only_problem(side: LeanSide) -> Problem:
    (problem,) = side.problems
    assert not side.ok
    assert all(theorem.state == "not run" for theorem in side.theorems.values())
    return problem


def test_every_transcript_is_replayed() -> None:
    assert sorted(REPLAYED) == sorted(path.name for path in TRANSCRIPTS.glob("*.txt"))


@pytest.mark.parametrize("transcript", REPLAYED)
def test_transcript_is_reported_as_what_it_is(
    small_project: ProjectCopy, good: StandIn, transcript: str
) -> None:
    good.replays(transcript.partition("-")[0], transcript)
    side = lean_side(small_project.root)
    expected = [
        Problem(p.text.replace("<root>", str(small_project.root)), p.where, p.file, p.line, p.column)
        for p in REPLAYED[transcript]
    ]
    assert list(side.problems) == expected
    assert side.ok == (not expected)
    assert side.theorems["read_const"].state == ("not run" if expected else "proved")


def test_good_project_is_proved_but_for_axioms_that_are_not_listed(
    project: ProjectCopy, lake: StandIn
) -> None:
    lake.is_good(project.record()["theorems"])
    side = lean_side(project.root)
    assert (side.source, side.headline(), side.ok) == (
        "lake",
        "145 proved now with Lean v4.27.0, 4 not run",
        True,
    )
    assert lake.calls() == ["build", "test", "exe ledger"]
    assert not lean_side(project.root, "require").ok


def test_axioms_of_a_library_without_proofs_prove_nothing(project: ProjectCopy, lake: StandIn) -> None:
    lake.is_good(json.loads((TRANSCRIPTS / "ledger-sorry.json").read_text(encoding="utf-8")))
    side = lean_side(project.root)
    assert {theorem.state for theorem in side.theorems.values()} == {"not run"}
    told = [problem.where for problem in side.problems if "rests on `sorryAx`" in problem.text]
    assert told == ["softmax_pos", "attention_convex", "read_mem_Icc", "not_scores_le"]
    assert not side.ok


def test_theorem_that_lean_does_not_list_is_told_and_kept(project: ProjectCopy, lake: StandIn) -> None:
    lake.is_good([])
    lake.replays("exe ledger", "ledger.json")
    side = lean_side(project.root)
    assert side.headline() == "4 proved now with Lean v4.27.0, 145 not run"
    assert len(side.problems) == 145
    assert side.problems[0].text == (
        "`NeuralNetworks.attentionWeights_mem_stdSimplex` is marked `@[companion]`, "
        "but `lake exe ledger` does not list it"
    )


def test_theorem_that_the_sources_do_not_mark_is_told(
    small_project: ProjectCopy, lake: StandIn, read_const: dict[str, Any]
) -> None:
    other = read_const | {"id": "b", "name": "NeuralNetworks.b", "statement": "NeuralNetworks.b"}
    lake.is_good([read_const, other])
    side = lean_side(small_project.root)
    assert {id_: theorem.state for id_, theorem in side.theorems.items()} == {
        "read_const": "proved",
        "b": "not run",
    }
    assert side.problems[0].where == "b"


@pytest.mark.parametrize(("key", "value"), [("line", 5), ("sentence", "Else."), ("module", "NeuralNetworks")])
def test_list_that_says_something_else_than_the_sources_proves_nothing(
    small_project: ProjectCopy, lake: StandIn, read_const: dict[str, Any], key: str, value: object
) -> None:
    lake.is_good([read_const | {key: value}])
    problem = only_problem(lean_side(small_project.root))
    assert problem.text.startswith(f"the {key} of `NeuralNetworks.read_const` is ")


def test_missing_proof_of_a_lemma_names_the_lemma(small_project: ProjectCopy, good: StandIn) -> None:
    small_project.edit(READ, "end Neu", "lemma step : x := by\n  sorry\nend Neu")
    good.says(
        "build", f"warning: {READ}:7:6: declaration uses 'sorry'\nBuild completed successfully (5 jobs).\n"
    )
    stands, problem = lean_side(small_project.root).problems
    assert stands.text == "`sorry` stands in the code, where a proof must be"
    assert problem.text == "warning: declaration uses 'sorry'\n  in lemma `NeuralNetworks.step`"
    assert (problem.where, problem.file, problem.line) == ("NeuralNetworks.Read", READ, 7)


def test_replayed_warning_is_told_once(small_project: ProjectCopy, good: StandIn) -> None:
    for command in ("build", "test"):
        good.replays(command, "build-again-sorry.txt")
    assert only_problem(lean_side(small_project.root)).where == "read_const"


def test_other_warning_is_shown_and_fails_nothing(small_project: ProjectCopy, good: StandIn) -> None:
    good.says(
        "build",
        f"⚠ [3/5] Built NeuralNetworks.Read\nwarning: {READ}:6:2: unused\nnote: it\n"
        "Build completed successfully (5 jobs).\n",
    )
    side = lean_side(small_project.root)
    assert (side.ok, side.headline()) == (True, "1 proved now with Lean v4.27.0")
    assert side.notes == (Problem("warning: unused\nnote: it", "read_const", READ, 6, 2),)


def test_module_that_imports_a_broken_one_says_so(project: ProjectCopy, lake: StandIn) -> None:
    lake.says(
        "build",
        "✖ [3/5] Building NeuralNetworks.Softmax\n"
        "error: lean/NeuralNetworks/Softmax.lean:1:0: no\nexit code: 1",
    )
    theorems = lean_side(project.root).theorems
    assert theorems["softmax_pos"].reason == "NeuralNetworks.Softmax has an error (`lake build`)"
    assert theorems["read_zero"].reason == "NeuralNetworks.Softmax has an error (`lake build`)"
    assert theorems["variance_dot"].reason == "`lake build`: exit code 1"


def test_test_that_names_a_theorem_leaves_it_not_proved(small_project: ProjectCopy, good: StandIn) -> None:
    good.says("test", "error: A.lean:1:0: 'NeuralNetworks.read_const' depends on axioms: [x]\nexit code: 1")
    problem = only_problem(lean_side(small_project.root))
    assert problem.where == "read_const"


def test_failed_job_without_a_message_is_a_problem(small_project: ProjectCopy, good: StandIn) -> None:
    good.says("build", "✖ [3/5] Building NeuralNetworks.Read\nBuild completed successfully (5 jobs).\n")
    problem = only_problem(lean_side(small_project.root))
    assert problem == Problem("`lake build`: the job `NeuralNetworks.Read` failed", "NeuralNetworks.Read")


def test_failed_build_without_a_word_says_its_exit_code(small_project: ProjectCopy, good: StandIn) -> None:
    good.says("build", "exit code: 7")
    assert only_problem(lean_side(small_project.root)) == Problem("`lake build`: exit code 7", "build")


def test_success_without_saying_so_proves_nothing(small_project: ProjectCopy, good: StandIn) -> None:
    good.says("build", b"\xff\x00 garbage\n")
    side = lean_side(small_project.root)
    assert only_problem(side).text == (
        "`lake build` ended with exit code 0, but without saying that the build was completed"
    )
    assert side.notes == (Problem("\\xff\\x00 garbage", "build"),)


def test_garbage_of_a_failed_run_is_kept_under_the_build(small_project: ProjectCopy, good: StandIn) -> None:
    good.says("build", b"{]\xfe\n<html>\n\nexit code: 1")
    assert list(lean_side(small_project.root).problems) == [
        Problem("{]\\xfe\n<html>", "build"),
        Problem("`lake build`: exit code 1", "build"),
    ]


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (b"", "not JSON: Expecting value: line 1 column 1 (char 0); it printed:\nnothing"),
        (b"[]", "theorems: the list is empty; it printed:\n[]"),
        (b"{}", "theorems: a list is needed, got an object; it printed:\n{}"),
        (b"[{}]", "theorems[0]: the key 'id' is missing; it printed:\n[{}]"),
        (b'["\xff"]', 'not UTF-8: byte 2 is 0xff; it printed:\n["\\xff"]'),
        (
            b"Segmentation fault",
            "not JSON: Expecting value: line 1 column 1 (char 0); it printed:\nSegmentation fault",
        ),
    ],
)
def test_list_of_another_form_proves_nothing(
    small_project: ProjectCopy, good: StandIn, output: bytes, message: str
) -> None:
    good.says("exe ledger", output)
    assert only_problem(lean_side(small_project.root)).text == f"`lake exe ledger`: {message}"


def test_list_that_ended_badly_is_not_used(
    small_project: ProjectCopy, good: StandIn, read_const: dict[str, Any]
) -> None:
    good.says("exe ledger", json.dumps([read_const]) + "\nexit code: 1")
    side = lean_side(small_project.root)
    assert [problem.text for problem in side.problems][-1] == "`lake exe ledger`: exit code 1"
    assert side.theorems["read_const"].state == "not run"


def test_progress_around_the_list_is_no_part_of_it(
    small_project: ProjectCopy, good: StandIn, read_const: dict[str, Any]
) -> None:
    text = (
        "✔ [4/5] Built ledger:exe (1.2s)\n"
        + json.dumps([read_const], indent=1)
        + "\nBuild completed successfully.\n"
    )
    good.says("exe ledger", text, stderr="✔ [1/5] Built Ledger (2s)\n")
    assert lean_side(small_project.root).headline() == "1 proved now with Lean v4.27.0"


def test_error_beside_the_list_is_not_lost(
    small_project: ProjectCopy, good: StandIn, read_const: dict[str, Any]
) -> None:
    good.says("exe ledger", json.dumps([read_const]), stderr="error: what\n")
    assert only_problem(lean_side(small_project.root)).text == "error: what"


def test_progress_is_given_line_by_line_and_the_list_is_not(
    small_project: ProjectCopy, good: StandIn
) -> None:
    seen: list[str] = []
    lean_side(small_project.root, on_line=seen.append)
    assert seen[0].startswith(
        "lake build: the first time, this builds Mathlib, for hours; `lake exe cache get`"
    )
    assert seen[1] == "✔ [2/5] Built NeuralNetworks.Meta.Companion (875ms)"
    assert seen[-1] == "lake exe ledger: lists the theorems with their axioms"
    assert good.calls() == ["build", "test", "exe ledger"]


@pytest.mark.parametrize(("command", "calls"), [("build", 1), ("test", 2), ("exe", 3)])
def test_lake_that_hangs_is_stopped_and_told(
    small_project: ProjectCopy, good: StandIn, command: str, calls: int
) -> None:
    shell = shutil.which("sleep", path="/bin:/usr/bin")
    script = good.program.read_text(encoding="utf-8").replace(
        "\n", f'\n[ "$1" = {command} ] && exec "{shell}" 60\n', 1
    )
    good.program.write_text(script, encoding="utf-8")
    side = lean_side(small_project.root, silence=3)
    name = "exe ledger" if command == "exe" else command
    assert only_problem(side) == Problem(
        f"`lake {name}`: hangs: no output for 3 seconds, so it was stopped", "build"
    )
    assert len(good.calls()) == calls - 1


def test_lake_that_is_killed_is_told(small_project: ProjectCopy, good: StandIn) -> None:
    good.runs("import os; os.kill(os.getpid(), 11)")
    assert only_problem(lean_side(small_project.root)).text == "`lake build`: killed by SIGSEGV"


def test_lake_that_cannot_be_run_is_told(small_project: ProjectCopy, good: StandIn) -> None:
    good.program.chmod(0o644)
    problem = only_problem(lean_side(small_project.root))
    assert problem.text == f"`lake build`: {good.program} could not be started: Permission denied"


def test_sources_that_change_while_lake_runs_are_not_proved(
    small_project: ProjectCopy, good: StandIn, read_const: dict[str, Any]
) -> None:
    program = f"""
import sys
if sys.argv[1] == "build":
    print("Build completed successfully (5 jobs).")
if sys.argv[1] == "exe":
    print({json.dumps([read_const])!r})
    open({str(small_project.root / READ)!r}, "a").write("-- more")
"""
    good.runs(program)
    assert (
        only_problem(lean_side(small_project.root)).text
        == "the sources changed while Lake was running: run it again"
    )
