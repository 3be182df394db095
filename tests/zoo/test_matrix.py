"""The matrix in `ledger/zoo.json` is that of this zoo and this audit: what is cheap is computed again."""

import json
from typing import Any

import pytest

from duizhao.audit.check import CHECKS
from tests.repo.tree import ROOT
from tests.zoo import BUGS, VARIANTS
from tests.zoo.audits import audited, failing, place
from tests.zoo.bug import Bug
from tests.zoo.constants import CONSTANTS
from tests.zoo.differential import RTOL, told
from tests.zoo.matrix import FILE, SCHEMA, numbers
from tests.zoo.variant import ADAPTER

MATRIX: dict[str, Any] = json.loads((ROOT / FILE).read_text(encoding="utf-8"))
AGAIN = "what make zoo writes is not what this is: run it again"


def test_matrix_has_every_check_bug_and_variant() -> None:
    assert MATRIX["schema"] == SCHEMA
    assert MATRIX["rtol"] == RTOL
    assert MATRIX["checks"] == {
        name: {"theorem": check.theorem, "title": check.title} for name, check in CHECKS.items()
    }, AGAIN
    assert list(MATRIX["bugs"]) == [bug.id for bug in BUGS], AGAIN
    assert list(MATRIX["constants"]) == list(CONSTANTS), AGAIN
    assert list(MATRIX["variants"]) == [variant.name for variant in VARIANTS], AGAIN


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.id)
def test_figures_and_differential_test_are_those_of_the_bug(bug: Bug) -> None:
    figures = bug.figures()
    row = MATRIX["bugs"][bug.id]
    assert row["figures"] == {"right": numbers(figures.right), "bug": numbers(figures.bug)}, AGAIN
    assert row["differential"] == told(bug.function, ADAPTER)._asdict(), AGAIN


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.id)
def test_matrix_says_how_the_bug_is_caught(bug: Bug) -> None:
    row = MATRIX["bugs"][bug.id]
    if bug.policy is None:
        assert not row["ok"]
        assert {CHECKS[name].theorem for name in row["fails"]} & set(bug.theorems)
        assert row["ok_if_required"] is None
    else:
        assert row["ok"]
        assert row["policies"][bug.policy.name] == bug.policy.bug
        assert row["ok_if_required"] is False


def test_matrix_accepts_every_right_variant() -> None:
    for variant in VARIANTS:
        row = MATRIX["variants"][variant.name]
        assert row["ok"]
        assert not row["fails"]
        assert row["policies"] | variant.policies == row["policies"]


@pytest.mark.parametrize("id_", ["mask_after_softmax", "scale_missing"])
def test_checks_that_fail_in_the_matrix_fail_again_and_the_others_pass(id_: str) -> None:
    bug = next(bug for bug in BUGS if bug.id == id_)
    row = MATRIX["bugs"][id_]
    first = row["fails"][0]
    passes = next(name for name in CHECKS if name not in row["fails"])
    report = audited(place(bug), only=(first, passes), seed=MATRIX["seed"], trials=MATRIX["trials"])
    assert failing(report) == [first]
