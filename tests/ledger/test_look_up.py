"""`duizhao explain` and `duizhao list`: all that is known of one result, and which results there are."""

import json
from typing import Any

import pytest
from tests.ledger.project_copy import REPOSITORY, ProjectCopy
from typer.testing import CliRunner, Result

from duizhao import cli
from duizhao.ledger.row import STATES
from duizhao.wrong_use import WrongUseError


def run(*arguments: str) -> Result:
    """Run the command in this repository."""
    return CliRunner().invoke(cli.app, [*arguments])


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work on this repository, whatever the tests are started from."""
    monkeypatch.chdir(REPOSITORY)


def explained(id_: str) -> dict[str, Any]:
    result = run("explain", id_, "--json")
    assert result.exit_code == 0
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_explain_says_everything_of_a_result() -> None:
    lines = run("explain", "attention_convex").stdout.splitlines()
    assert lines[0] == "attention_convex (Read, recorded)"
    assert lines[1].startswith("  If `u ≤ v` and `0 ≤ w ≤ 1`, then")
    for part in (
        r"Formula, in TeX: 0 \le w \le 1,",
        "Lean: lean/NeuralNetworks/Read.lean:32, recorded: recorded on 2026-11-30; every file",
        "    NeuralNetworks.attention_convex (u v w : ℝ)",
        "Axioms: Classical.choice, Quot.sound, propext",
        "  hw: ",
        "    needed, as Lean proves: not_attention_convex_without_nonneg",
        "    the smallest numbers without it: duizhao break attention_convex --drop hw",
        "Claim: duizhao/claims/read.py:",
        "Budget: duizhao.rounding.",
        "Slack float64: worst 0.",
        "Page: theorems/read/#attention_convex",
    ):
        assert any(line.startswith(part) for line in lines), part


def test_json_says_the_same_as_the_sources() -> None:
    found = explained("attention_convex")
    entry = next(
        entry
        for entry in json.loads((REPOSITORY / "ledger/lean.json").read_bytes())["theorems"]
        if entry["id"] == "attention_convex"
    )
    slack = json.loads((REPOSITORY / "ledger/slack.json").read_bytes())["claims"]["attention_convex"]
    assert found["lean"]["statement"] == entry["statement"]
    assert found["lean"]["axioms"] == entry["axioms"]
    assert {name: row["worst"] for name, row in found["claim"]["slack"].items()} == {
        name: row["slack"] for name, row in slack.items()
    }
    assert found["claim"]["relation"] == "budget"
    assert found["problems"] == []
    file = REPOSITORY / "python" / found["claim"]["file"]
    assert "def attention_convex" in "".join(
        file.read_text(encoding="utf-8").splitlines(keepends=True)[found["claim"]["line"] - 1 :][:12]
    )


def test_counterexample_says_what_it_refutes_and_a_statement_without_budget_says_so() -> None:
    assert {"id": "attention_convex", "hypothesis": "hw"} in explained("not_attention_convex_without_nonneg")[
        "refutes"
    ]
    shown = run("explain", "not_attention_convex_without_nonneg").stdout
    assert "Proves that hw is needed in attention_convex\n" in shown
    assert "Slack: none, since there is no budget to compare with\n" in shown


def test_theorem_whose_axioms_are_not_collected_says_so() -> None:
    shown = run("explain", "variance_dot").stdout
    assert "Axioms: not collected\n" in shown
    assert "(Scaling, not run)" in shown


def test_full_lean_name_will_do() -> None:
    assert run("explain", "NeuralNetworks.read_zero").stdout == run("explain", "read_zero").stdout


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("attention_convx", "; did you mean attention_convex"),
        ("NeuralNetworks.read_zeroo", "; did you mean read_zero"),
        ("qqqqqq", "; `duizhao list` shows all"),
    ],
)
def test_mistyped_id_is_wrong_use_with_close_matches(name: str, hint: str) -> None:
    result = run("explain", name)
    assert isinstance(result.exception, WrongUseError)
    assert str(result.exception).startswith(f"no theorem `{name}`{hint}")


def test_result_that_is_not_well_says_what_is_wrong(
    project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.edit("ledger/statements.json", '"read_zero"', '"read_null"')
    monkeypatch.chdir(project.root)
    lines = run("explain", "read_zero").stdout.splitlines()
    assert lines[0].startswith(f"The Lean files, pins and pages are those of {project.root}; the claims are")
    assert lines[1] == "read_zero (Read, failing)"
    assert any(line.startswith("✗ ") and "has no pinned statement" in line for line in lines)
    assert "Page: none here" in lines


def ids(*options: str) -> list[str]:
    result = run("list", *options, "--json")
    assert result.exit_code == 0
    return [row["id"] for row in json.loads(result.stdout)]


def test_list_without_filters_shows_every_result() -> None:
    assert len(ids()) == 149
    assert run("list").stdout.endswith("149 of 149 results.\n")


def test_filters_leave_what_they_name() -> None:
    assert len(ids("--topic", "read")) == 21
    assert ids("--state", "not run") == ids("--topic", "scaling")
    everything = ids()
    assert ids("--relation", "exact") == [id_ for id_ in everything if explained_relation(id_) == "exact"]
    assert "read_zero" in ids("--containing", "ZERO VALUES give")
    assert ids("--topic", "read", "--containing", "no such words") == []


def explained_relation(id_: str) -> str:
    from duizhao.claims import all_claims

    return all_claims()[id_].relation.word


def test_group_of_topics_is_all_of_its_topics() -> None:
    rows = json.loads(run("list", "--topic", "Counterexample", "--json").stdout)
    assert len({row["topic"] for row in rows}) == 5
    assert all(row["topic"].startswith("Counterexample.") for row in rows)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--state", "fine"), f"--state: must be one of {', '.join(STATES)}, got 'fine'"),
        (("--relation", "close"), "--relation: must be one of budget, exact, fails in floats"),
        (("--topic", "Counterexampel"), "no topic `Counterexampel`; did you mean Counterexample?"),
        (("--topic", "maks"), "no topic `maks`; did you mean Mask?"),
        (("--topic", "qqqqq"), "no topic `qqqqq`; there are Attention, Blockwise,"),
    ],
)
def test_filter_that_names_nothing_is_wrong_use(options: tuple[str, ...], message: str) -> None:
    result = run("list", *options)
    assert isinstance(result.exception, WrongUseError)
    assert str(result.exception).startswith(message)
