"""The state of a result, what `--topic` shows, and what is said once."""

import dataclasses
import re
from typing import Any

import pytest
from tests.ledger.conftest import StandIn
from tests.ledger.project_copy import REPOSITORY, ProjectCopy
from tests.ledger.test_check import check, last_line, renamed
from typer.testing import CliRunner, Result

from duizhao import cli
from duizhao.claims import all_claims
from duizhao.ledger import running


class TestState:
    """The state of a result is that of its weakest side."""

    def state(self, result: Result, id_: str) -> str:
        """The state that the table shows of a result."""
        (line,) = [line for line in result.stdout.splitlines() if re.match(rf"  {id_} ", line)]
        return re.split(r"  +", line.strip())[1]

    def test_claim_that_fails_makes_a_proved_theorem_failing(
        self, lake: StandIn, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lake.is_good(project.record()["theorems"])
        claims = dict(all_claims())
        claims["read_const"] = dataclasses.replace(
            claims["read_const"], relation=claims["read_zero"].relation
        )
        monkeypatch.setattr(running, "all_claims", lambda: claims)
        result = check(project, monkeypatch, "--cases", "12")
        assert result.exit_code == 1
        assert result.stdout.splitlines()[0] == "20 proved now with Lean v4.27.0, 1 failing"
        assert self.state(result, "read_const") == "failing"

    @pytest.mark.usefixtures("no_lake")
    def test_theorem_without_claim_is_unpaired_and_one_with_another_sentence_failing(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        claims = dict(all_claims())
        del claims["read_const"]
        claims["read_zero"] = renamed(claims["read_zero"], "read_zero")
        claims["read_zero"].function.__doc__ = "Zero values give a zero."
        monkeypatch.setattr(running, "all_claims", lambda: claims)
        result = check(project, monkeypatch)
        assert result.stdout.splitlines()[0].startswith("19 recorded on ")
        assert result.stdout.splitlines()[0].endswith(", 1 failing, 1 unpaired")
        assert self.state(result, "read_const") == "unpaired"
        assert self.state(result, "read_zero") == "failing"

    @pytest.mark.usefixtures("no_lake")
    def test_forbidden_axiom_makes_it_failing_not_just_not_run(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def change(record: Any) -> None:
            next(t for t in record["theorems"] if t["id"] == "read_zero")["axioms"].append("sorryAx")

        project.edit_record(change, fix_hash=True)
        assert self.state(check(project, monkeypatch), "read_zero") == "failing"

    @pytest.mark.usefixtures("no_lake")
    def test_result_without_page_is_unpaired_where_its_topic_has_one(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = (REPOSITORY / "docs/theorems/read.md").read_text(encoding="utf-8")
        project.write("docs/theorems/read.md", page.replace("{#read_zero}", ""))
        result = check(project, monkeypatch)
        assert result.exit_code == 1
        assert self.state(result, "read_zero") == "unpaired"
        assert "✗ read_zero: docs/theorems/read.md: unpaired: the page has no heading with {#read_zero}" in (
            result.stdout
        )


@pytest.mark.usefixtures("no_lake")
class TestTopic:
    def test_group_of_topics_shows_and_counts_all_of_them(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        result = check(project, monkeypatch, topic="counterexample")
        assert result.exit_code == 0
        assert result.stdout.splitlines()[0].startswith("16 recorded on ")
        assert "Only Counterexample.Hypotheses, Counterexample.Mask, " in result.stdout
        assert "133 other theorems not shown." in result.stdout
        assert last_line(result).startswith("16 results, 16 claims measured")

    def test_file_that_changed_is_told_once(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.edit("lean/NeuralNetworks/Read.lean", "nlinarith", "nlinarith ")
        result = check(project, monkeypatch)
        assert result.stdout.count("lean/NeuralNetworks/Read.lean") == 1
        assert last_line(result).endswith("1 problem, listed above.")

    def test_failure_in_another_topic_is_told_all_the_same(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.edit("lean/NeuralNetworks/Temperature.lean", "theorem", "theorem ")
        result = check(project, monkeypatch, topic="scaling")
        assert result.exit_code == 1
        assert "✗ NeuralNetworks.Temperature: lean/NeuralNetworks/Temperature.lean: differs" in result.stdout

    def test_reasons_that_nobody_told_are_told_once_for_all_results(
        self, lake: StandIn, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lake.is_good(project.record()["theorems"])
        result = check(project, monkeypatch, "--lean", "require", topic="scaling")
        assert result.exit_code == 1
        assert (
            "✗ ledger: 4 results are not run: `lake exe ledger` does not say what it rests on ("
            in result.stdout
        )
        assert " and 1 more)" in result.stdout


def test_claims_of_another_place_than_the_lean_files_are_said_in_one_line(
    project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def notes() -> list[str]:
        shown = check(project, monkeypatch, "--lean", "record")
        return [line for line in shown.stdout.splitlines() if line.startswith("The Lean files, pins")]

    package = REPOSITORY / "python/duizhao"
    assert notes() == [
        f"The Lean files, pins and pages are those of {project.root}; the claims are those of {package}."
    ]
    for own in (project.root / "python/duizhao", project.root.parent):
        monkeypatch.setattr("duizhao.ledger.project.package_folder", lambda own=own: own)
        assert notes() == []


def test_fewer_cases_are_drawn_of_one_topic_and_the_number_is_printed(
    project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.root)
    result = CliRunner().invoke(cli.app, ["check", "--lean", "record", "--topic", "counterexample.mask"])
    assert "This run draws up to 5 cases" in result.stdout
    assert last_line(result).startswith("3 results, 3 claims measured on 45 cases")
