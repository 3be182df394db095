"""Pins: a statement that changes under an unchanged name is found, and nothing but a person pins the new one."""

import json
import re

import pytest
from tests.ledger.conftest import StandIn
from tests.ledger.project_copy import ProjectCopy
from typer.testing import CliRunner, Result

from duizhao import cli
from duizhao.ledger.lean import lean_side
from duizhao.ledger.pins import PIN_FILE, drift, read_pins, text_of
from duizhao.wrong_use import WrongUseError

READ = "lean/NeuralNetworks/Read.lean"


def pin(project: ProjectCopy, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    """Run `duizhao ledger pin` in a project."""
    monkeypatch.chdir(project.root)
    return CliRunner().invoke(cli.app, ["ledger", "pin", *arguments])


def drifted(project: ProjectCopy, mode: str = "record") -> list[str]:
    side = lean_side(project.root, mode)  # type: ignore[arg-type]
    return [str(problem) for problem in drift(project.root, side, read_pins(project.root))]


def unpin(project: ProjectCopy, id_: str) -> None:
    statements = dict(read_pins(project.root).statements)
    del statements[id_]
    project.write(PIN_FILE, text_of(statements))


def test_every_statement_of_the_record_is_pinned_as_it_stands(project: ProjectCopy) -> None:
    assert read_pins(project.root).statements == {
        entry["id"]: entry["statement"] for entry in project.record()["theorems"]
    }
    assert drifted(project) == []


def test_file_is_sorted_and_one_statement_a_line(project: ProjectCopy) -> None:
    text = (project.root / PIN_FILE).read_text(encoding="utf-8")
    ids = re.findall(r'^"(\w+)": "NeuralNetworks\.', text, re.MULTILINE)
    assert ids == sorted(json.loads(text)["statements"])
    assert text == text_of(read_pins(project.root).statements)


def test_drift_shows_both_texts(project: ProjectCopy) -> None:
    project.edit(PIN_FILE, "(hw₁ : w ≤ 1)", "(hw₁ : w ≤ 2)")
    (text,) = drifted(project)
    assert text.startswith(f"{READ}:32: the statement of `NeuralNetworks.attention_convex` has drifted")
    assert "statements.json says\n    NeuralNetworks.attention_convex" in text
    assert "(hw₁ : w ≤ 2)" in text
    assert "the record says\n    NeuralNetworks.attention_convex" in text
    assert "(hw₁ : w ≤ 1)" in text


def test_statement_that_lean_prints_is_compared_too(project: ProjectCopy, lake: StandIn) -> None:
    theorems = project.record()["theorems"]
    for entry in theorems:
        if entry["id"] == "read_zero":
            entry["statement"] += " → True"
    lake.is_good(theorems)
    (text,) = drifted(project, "auto")
    assert "Lean says\n    NeuralNetworks.read_zero" in text
    assert "→ True" in text


def test_theorem_whose_axioms_are_not_collected_is_compared_too(project: ProjectCopy) -> None:
    project.edit(PIN_FILE, "NeuralNetworks.variance_dot ", "NeuralNetworks.variance_dot  ")
    (text,) = drifted(project)
    assert "`NeuralNetworks.variance_dot` has drifted" in text


def test_theorem_without_pin_and_pin_without_theorem_are_told(project: ProjectCopy) -> None:
    project.edit(PIN_FILE, '"read_zero"', '"read_null"')
    unpinned, gone = drifted(project)
    assert "`NeuralNetworks.read_zero` has no pinned statement" in unpinned
    assert (
        gone
        == f"{PIN_FILE}: {PIN_FILE} pins a statement of 'read_null', but there is no theorem of that name"
    )


def test_ids_are_compared_even_where_no_statement_is_known(project: ProjectCopy) -> None:
    unpin(project, "read_zero")
    (text,) = drifted(project, "skip")
    assert "has no pinned statement" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value"),
        ("[]", "pins: an object is needed, got a list"),
        ('{"schema": 2, "statements": {}}', "pins.schema: this version reads schema 1, got the number 2"),
        (
            '{"schema": true, "statements": {}}',
            "pins.schema: this version reads schema 1, got the value True",
        ),
        ('{"schema": 1}', "pins: the key 'statements' is missing"),
        ('{"schema": 1, "statements": {"a": 1}}', "pins.statements['a']: a text is needed, got the number 1"),
        ('{"schema": 1, "statements": {"a": "b", "a": "c"}}', "the key 'a' stands twice in one object"),
    ],
)
def test_pins_of_another_form_are_refused_in_one_line(project: ProjectCopy, text: str, message: str) -> None:
    project.write(PIN_FILE, text)
    (told,) = drifted(project)
    assert told.startswith(f"{PIN_FILE}: {message}")


def test_folder_in_place_of_the_pins_is_told(project: ProjectCopy) -> None:
    (project.root / PIN_FILE).unlink()
    (project.root / PIN_FILE).mkdir()
    assert drifted(project) == [f"{PIN_FILE}: cannot be read: Is a directory"]


@pytest.mark.usefixtures("no_lake")
class TestCommand:
    def test_pins_again_and_shows_sentence_page_and_both_statements(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        right = (project.root / PIN_FILE).read_bytes()
        project.edit(PIN_FILE, "(hw₁ : w ≤ 1)", "(hw₁ : w ≤ 2)")
        result = pin(project, monkeypatch, "attention_convex", "--yes")
        assert result.exit_code == 0
        for part in ("the theorem says  If `u ≤ v`", "the claim says    If `u ≤ v`", "w ≤ 2", "w ≤ 1"):
            assert part in result.stdout
        assert result.stdout.endswith("ledger/statements.json is written.\n")
        assert (project.root / PIN_FILE).read_bytes() == right

    def test_pin_that_is_right_is_left_alone(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        result = pin(project, monkeypatch, "NeuralNetworks.read_zero", "--yes")
        assert result.exit_code == 0
        assert "the statement is pinned as it stands" in result.stdout
        assert result.stdout.endswith("ledger/statements.json is as it was.\n")

    def test_pins_where_there_is_no_file_yet(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (project.root / PIN_FILE).unlink()
        assert pin(project, monkeypatch, "read_zero", "read_const", "--yes").exit_code == 0
        assert list(read_pins(project.root).statements) == ["read_const", "read_zero"]

    def test_takes_out_the_pin_of_a_theorem_that_is_gone(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        right = (project.root / PIN_FILE).read_bytes()
        project.edit(PIN_FILE, '"read_zero"', '"a_gone": "x",\n"read_zero"')
        assert pin(project, monkeypatch, "a_gone", "--yes").exit_code == 0
        assert (project.root / PIN_FILE).read_bytes() == right

    def test_without_a_yes_nothing_is_pinned(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        unpin(project, "read_zero")
        before = (project.root / PIN_FILE).read_bytes()
        result = pin(project, monkeypatch, "read_zero")
        assert isinstance(result.exception, WrongUseError)
        assert "say so with --yes" in str(result.exception)
        monkeypatch.setattr("duizhao.ledger.writing.is_terminal", lambda: True)
        result = CliRunner().invoke(cli.app, ["ledger", "pin", "read_zero"], input="n\n")
        assert result.exit_code == 1
        assert result.stdout.endswith("Not pinned; nothing was written.\n")
        assert (project.root / PIN_FILE).read_bytes() == before
        assert CliRunner().invoke(cli.app, ["ledger", "pin", "read_zero"], input="y\n").exit_code == 0
        assert "read_zero" in read_pins(project.root).statements

    @pytest.mark.parametrize(
        ("file", "old", "new", "message"),
        [
            (READ, "nlinarith", "linarith", "differs from the record"),
            ("ledger/lean.json.sha256", "60fce", "70fce", "nothing counts as recorded"),
            (PIN_FILE, '"schema": 1', '"schema": 7', "this version reads schema 1"),
        ],
    )
    def test_refuses_where_something_is_wrong(
        self,
        project: ProjectCopy,
        monkeypatch: pytest.MonkeyPatch,
        file: str,
        old: str,
        new: str,
        message: str,
    ) -> None:
        project.edit(file, old, new)
        before = (project.root / PIN_FILE).read_bytes()
        result = pin(project, monkeypatch, "read_zero", "--yes")
        assert result.exit_code == 1
        assert message in result.stdout
        wrong = "Something is wrong on the Lean side, so no statement can be trusted"
        what = f"{PIN_FILE} cannot be read" if file == PIN_FILE else wrong
        assert result.stdout.endswith(f"{what}; nothing was written.\n")
        assert (project.root / PIN_FILE).read_bytes() == before

    def test_statement_that_nobody_gave_is_not_pinned(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        result = pin(project, monkeypatch, "read_zero", "--yes", "--lean", "skip")
        assert str(result.exception) == "read_zero: its statement is not known: Lean was not asked for"

    def test_unknown_id_is_wrong_use_and_suggests_one(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        result = pin(project, monkeypatch, "read_zeros", "--yes")
        assert isinstance(result.exception, WrongUseError)
        assert str(result.exception).startswith("no theorem `read_zeros`; did you mean read_zero")

    def test_installed_copies_are_not_written_to(
        self, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(project.root.parent)
        monkeypatch.setattr("duizhao.ledger.project.installed_copies", lambda: project.root)
        result = CliRunner().invoke(cli.app, ["ledger", "pin", "read_zero", "--yes"])
        assert str(result.exception).startswith("the copies inside the installed package are not written to")
