"""No way of tampering with a project passes `duizhao check`, each by itself, and each is told by name."""

from pathlib import Path

import pytest
from tests.ledger import tampering
from tests.ledger.project_copy import ProjectCopy
from tests.ledger.tampering import TAMPERINGS, Tampering
from typer.testing import CliRunner

from duizhao import cli

WITH_CLAIMS = [one for one in TAMPERINGS if one.changes_claims]
OTHERS = [one for one in TAMPERINGS if not one.changes_claims]


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> ProjectCopy:
    """A copy of everything, in which nothing is changed."""
    return tampering.copy_of_everything(tmp_path_factory.mktemp("untouched") / "project")


@pytest.fixture
def copy(tmp_path: Path) -> ProjectCopy:
    """A copy of everything, to be tampered with."""
    return tampering.copy_of_everything(tmp_path / "project")


@pytest.mark.parametrize("one", OTHERS, ids=lambda one: one.what)
def test_tampering_fails_and_is_told(
    one: Tampering, copy: ProjectCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    one.do(copy)
    monkeypatch.chdir(copy.root)
    command = ["check", "--lean", "record", "--topic", "Counterexample.Projection", "--cases", "1"]
    result = CliRunner().invoke(cli.app, command)
    assert result.exit_code == 1, result.stdout
    failures = [line for line in result.stdout.splitlines() if line.startswith("✗")]
    assert any(one.says in line for line in failures), failures


@pytest.mark.parametrize("one", WITH_CLAIMS, ids=lambda one: one.what)
def test_tampering_with_a_claim_fails_and_is_told(one: Tampering, copy: ProjectCopy) -> None:
    one.do(copy)
    done = tampering.check(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    assert any(one.says in line for line in done.stdout.splitlines() if line.startswith("✗")), done.stdout


def test_copy_that_nobody_tampered_with_passes(untouched: ProjectCopy) -> None:
    done = tampering.check(untouched)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "✗" not in done.stdout
    assert "the claims are those of" not in done.stdout
