"""`duizhao check`: what it prints, what it exits with, and everything that must fail it."""

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.ledger.conftest import StandIn
from tests.ledger.project_copy import REPOSITORY, ProjectCopy
from typer.testing import CliRunner, Result

from duizhao import cli
from duizhao.claims import all_claims
from duizhao.claims.claim import Claim
from duizhao.claims.relation import Budget
from duizhao.ledger import running
from duizhao.ledger.pages import Pages, page_of

HALF = 1 / 2


def check(
    project: ProjectCopy, monkeypatch: pytest.MonkeyPatch, *options: str, topic: str | None = "read"
) -> Result:
    """Run `duizhao check` in a project, with one case for each claim and dtype."""
    monkeypatch.chdir(project.root)
    chosen = [] if topic is None else ["--topic", topic]
    return CliRunner().invoke(cli.app, ["check", *chosen, "--cases", "1", *options])


def last_line(result: Result) -> str:
    return result.stdout.rstrip().splitlines()[-1]


def renamed(claim: Claim, name: str) -> Claim:
    def function(*arguments: Any, **options: Any) -> Any:
        return claim.function(*arguments, **options)

    function.__name__ = name
    function.__doc__ = claim.function.__doc__
    function.__module__ = claim.function.__module__
    return dataclasses.replace(claim, function=function)


@pytest.mark.usefixtures("no_lake")
class TestWithoutLean:
    def test_says_recorded_with_date_and_versions_and_never_proved(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        result = check(project, monkeypatch)
        assert result.exit_code == 0
        assert result.stdout.splitlines()[0] == (
            "21 recorded on 2026-11-30 with Lean v4.27.0 and Mathlib v4.27.0"
        )
        assert "proved" not in result.stdout
        assert last_line(result) == "21 results, 21 claims measured on 63 cases: nothing is wrong."

    def test_theorem_with_null_axioms_is_not_run(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        result = check(project, monkeypatch, topic="scaling")
        assert result.exit_code == 0
        states = [line.split()[1:3] for line in result.stdout.splitlines() if line.startswith("  variance")]
        assert states == [["not", "run"]] * 4
        assert last_line(result).startswith("4 results (4 not run by Lean), 4 claims measured")

    def test_record_without_any_axioms_is_not_run_and_well(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def forget(record: Any) -> None:
            for theorem in record["theorems"]:
                theorem["axioms"] = None

        project.edit_record(forget, fix_hash=True)
        result = check(project, monkeypatch)
        assert result.exit_code == 0
        assert result.stdout.splitlines()[0] == "21 not run"
        assert "recorded" not in result.stdout

    def test_one_changed_character_is_stale_and_names_the_file(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.edit("lean/NeuralNetworks/Read.lean", "nlinarith", "nlinarith ")
        result = check(project, monkeypatch)
        assert result.exit_code == 1
        assert result.stdout.splitlines()[0] == "21 stale"
        assert "lean/NeuralNetworks/Read.lean" in result.stdout

    def test_required_lean_that_is_missing_fails(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        result = check(project, monkeypatch, "--lean", "require")
        assert result.exit_code == 1
        assert "`lake` is not on PATH" in result.stdout
        assert result.stdout.splitlines()[0] == "21 not run"

    def test_lean_that_is_not_asked_for_is_not_run(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        result = check(project, monkeypatch, "--lean", "skip")
        assert result.exit_code == 0
        assert result.stdout.splitlines()[0] == "21 not run"

    def test_renamed_claim_leaves_two_ids_unpaired(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        claims = dict(all_claims())
        claims["read_constant"] = renamed(claims.pop("read_const"), "read_constant")
        monkeypatch.setattr(running, "all_claims", lambda: claims)
        result = check(project, monkeypatch)
        assert result.exit_code == 1
        assert "✗ read_const: unpaired: the theorem NeuralNetworks.read_const has no claim" in result.stdout
        assert "✗ read_constant: unpaired: the claim read_constant (Read) has no theorem" in result.stdout
        assert last_line(result).endswith("2 problems, listed above.")

    def test_module_of_claims_that_is_gone_leaves_each_id_unpaired(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        claims = {id_: claim for id_, claim in all_claims().items() if claim.topic != "Read"}
        monkeypatch.setattr(running, "all_claims", lambda: claims)
        result = check(project, monkeypatch)
        assert result.exit_code == 1
        assert result.stdout.count("unpaired: the theorem") == 21

    def test_claim_that_tells_another_sentence_fails_with_both(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        claims = dict(all_claims())
        claims["read_zero"] = renamed(claims["read_zero"], "read_zero")
        claims["read_zero"].function.__doc__ = "Zero values give a zero."
        monkeypatch.setattr(running, "all_claims", lambda: claims)
        result = check(project, monkeypatch)
        assert result.exit_code == 1
        assert "the claim says “Zero values give a zero.”" in result.stdout
        assert "the theorem says “Zero values give a zero output, whatever the weights.”" in result.stdout

    def test_claim_over_its_budget_fails_with_the_smallest_case(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def much_too_small(tiny: float) -> float:
            return tiny * HALF if tiny * HALF > 0 else tiny

        claims = dict(all_claims())
        claims["softmax_const"] = dataclasses.replace(
            claims["softmax_const"], relation=Budget(much_too_small)
        )
        monkeypatch.setattr(running, "all_claims", lambda: claims)
        result = check(project, monkeypatch, "--cases", "12", topic="softmax")
        assert result.exit_code == 1
        assert "✗ softmax_const: float64:" in result.stdout
        assert "times its budget from the theorem: scores = [0.0, 0.0, 0.0]" in result.stdout

    def test_empty_list_of_results_fails(self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch) -> None:
        for file in sorted((project.root / "lean").rglob("*.lean")):
            file.unlink()
        (project.root / "ledger" / "lean.json").unlink()
        (project.root / "ledger" / "lean.json.sha256").unlink()
        monkeypatch.setattr(running, "all_claims", dict)
        result = check(project, monkeypatch, topic=None)
        assert result.exit_code == 1
        assert "no results: the list of theorems and claims is empty" in result.stdout

    def test_json_says_the_same(self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch) -> None:
        shown = check(project, monkeypatch)
        data = json.loads(check(project, monkeypatch, "--json").stdout)
        assert data["schema"] == 1
        assert data["ok"] is True
        assert data["verdict"] == last_line(shown)
        assert data["headline"] == shown.stdout.splitlines()[0]
        assert [row["id"] for row in data["results"]] == [
            line.split()[0]
            for line in shown.stdout.splitlines()
            if " recorded " in line and line.startswith("  ")
        ]
        first = data["results"][0]
        assert first["id"] == "attention_convex"
        assert first["lean"]["state"] == "recorded"
        assert first["relation"] == "budget"
        assert set(first["hypotheses"]) == {"hw", "hw1", "huv"}

    @pytest.mark.parametrize(
        "topic", ["read", "Read", "counterexample.mask", "Counterexample.Mask", "multi_head"]
    )
    def test_topic_is_known_by_either_name(
        self, topic: str, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert check(project, monkeypatch, topic=topic).exit_code == 0


def test_missing_slack_is_said(project: ProjectCopy, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.root / "ledger/slack.json").unlink(missing_ok=True)
    assert "ledger/slack.json is missing" in check(project, monkeypatch).stdout
    project.write("ledger/slack.json", SLACK.replace("X", "0.5"))
    assert "ledger/slack.json is missing" not in check(project, monkeypatch).stdout


def run(folder: Path, *arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command as a user does."""
    return subprocess.run(
        [sys.executable, "-c", "from duizhao.cli import main; main()", *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_unknown_topic_is_wrong_use_and_suggests_one(project: ProjectCopy) -> None:
    done = run(project.root, "check", "--topic", "reed")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "duizhao: no topic `reed`; did you mean Read?\n"


@pytest.mark.parametrize("arguments", [("check", "--cases", "0"), ("check", "--lean", "maybe"), ("prove",)])
def test_wrong_use_exits_2(arguments: tuple[str, ...], project: ProjectCopy) -> None:
    done = run(project.root, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


SLACK = '{"schema": 1, "date": "", "versions": {}, "claims": {"read_const": {"float64": {"cases": 1, "slack": X}}}}'


@pytest.mark.parametrize(
    "text",
    [
        '{"schema": 7}',
        "[" * 100_000,
        *(SLACK.replace("X", slack) for slack in ("5.0", "-3.0", "NaN", "true", '"abc"', "[1]")),
    ],
    ids=lambda text: text[-12:],
)
def test_unreadable_slack_is_one_line_and_exits_2(text: str, project: ProjectCopy) -> None:
    project.write("ledger/slack.json", text)
    done = run(project.root, "check", "--topic", "read", "--cases", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("duizhao: ledger/slack.json: not what `make slack` writes")


class TestWithLean:
    def test_good_run_says_proved_now(
        self, lake: StandIn, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lake.is_good(project.record()["theorems"])
        result = check(project, monkeypatch)
        assert result.exit_code == 0
        assert result.stdout.splitlines()[0] == "21 proved now with Lean v4.27.0"
        assert "recorded" not in result.stdout
        assert re.search(r"^  attention_convex +proved +budget ", result.stdout, re.MULTILINE)
        assert lake.calls() == ["build", "test", "exe ledger"]

    def test_failing_proof_is_shown_with_file_and_line(
        self, lake: StandIn, small_project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lake.replays("build", "build-proof-error.txt")
        monkeypatch.setattr(running, "all_claims", dict)
        result = check(small_project, monkeypatch, topic=None)
        assert result.exit_code == 1
        assert (
            "✗ read_const: lean/NeuralNetworks/Read.lean:6:2: error: omega could not prove the goal"
            in result.stdout
        )
        assert "c - d ≥ 1" in result.stdout
        assert " proved" not in result.stdout.splitlines()[0]

    def test_sorry_with_exit_code_0_fails(
        self, lake: StandIn, small_project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lake.is_good([])
        lake.replays("build", "build-warning-sorry.txt")
        monkeypatch.setattr(running, "all_claims", dict)
        result = check(small_project, monkeypatch, topic=None)
        assert result.exit_code == 1
        assert "declaration uses 'sorry'" in result.stdout

    def test_lake_that_hangs_is_reported_as_hanging(
        self, lake: StandIn, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lake.runs("import time\ntime.sleep(600)\n")
        result = check(project, monkeypatch, "--lake-silence", "1")
        assert result.exit_code == 1
        assert "hang" in result.stdout

    def test_garbage_from_lake_is_shown_without_a_traceback(
        self, lake: StandIn, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lake.says("build", b"\xff\xfe [bold]garbage[/bold] [/]\n")
        result = check(project, monkeypatch)
        assert result.exit_code == 1
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert "[bold]garbage[/bold] [/]" in result.stdout


def test_pages_of_this_repository_speak_of_read() -> None:
    pages = Pages.of(REPOSITORY)
    assert pages.address("Read", "attention_convex") == "theorems/read/#attention_convex"
    assert pages.address("Read", "attention_convexx") is None


def test_every_result_of_a_page_that_is_there_has_an_anchor() -> None:
    pages = Pages(
        {"theorems/mask": frozenset({"a"}), "index": frozenset()}, {"index": ("a", "b")}, expected=True
    )
    topics = {"a": "Mask", "c": "Mask", "d": "Read", "e": "Nowhere"}
    found = [(problem.where, problem.file) for problem in pages.problems(topics)]
    assert found == [
        ("c", "docs/theorems/mask.md"),
        ("d", "docs/theorems/read.md"),
        ("e", "docs/theorems/nowhere.md"),
        ("index", "docs/index.md"),
    ]
    assert [problem.where for problem in Pages({}).problems(topics)] == []


def test_no_topic_may_be_without_a_page() -> None:
    pages = Pages({}, expected=True)
    for topic in "Read", "Counterexample.Mask":
        assert [problem.where for problem in pages.problems({"a": topic})] == ["a"]


def test_page_of_a_topic_follows_its_name() -> None:
    assert page_of("MultiHead") == "theorems/multi_head"
    assert page_of("Counterexample.Mask") == "boundaries/mask"


def test_claims_that_cannot_be_loaded_fail_in_one_line(
    project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> dict[str, Claim]:
        raise SyntaxError("invalid syntax (read.py, line 3)")

    monkeypatch.setattr(running, "all_claims", broken)
    result = check(project, monkeypatch)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "the claims cannot be loaded: SyntaxError: invalid syntax (read.py, line 3)" in result.stderr


def test_pages_that_are_no_text_are_passed_over(project: ProjectCopy) -> None:
    project.write("docs/theorems/read.md", "# x {#read_const}\n")
    (project.root / "docs/junk.md").write_bytes(b"\xff")
    (project.root / "docs/folder.md").mkdir()
    assert Pages.of(project.root).address("Read", "read_const") == "theorems/read/#read_const"


def test_terminal_without_our_letters_gets_the_ledger_all_the_same(project: ProjectCopy) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from duizhao.cli import main; main()",
            "check",
            "--topic",
            "read",
            "--cases",
            "1",
        ],
        cwd=project.root,
        env={**os.environ, "PATH": "", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.endswith("nothing is wrong.\n")
