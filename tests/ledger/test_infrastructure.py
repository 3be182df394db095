"""A run of Lake fails by name where what it reports with, or runs on, is not what was recorded."""

import pytest
from tests.ledger.conftest import StandIn
from tests.ledger.project_copy import ProjectCopy

from duizhao.ledger.lean import lean_side

INFRASTRUCTURE = {
    "lean/Ledger.lean": "it is what reports the axioms",
    "lean/NeuralNetworks/Meta/Companion.lean": "it makes the list of theorems",
    "lean/NeuralNetworksTest/Companion.lean": "it tests the list of theorems",
    "lean/NeuralNetworksTest/Headline.lean": "it tests the list of theorems",
    "lakefile.lean": "it says what Lake builds",
    "lean-toolchain": "it names the Lean that runs",
    "lake-manifest.json": "it names the Mathlib that the proofs use",
}


def problems(project: ProjectCopy, lake: StandIn) -> list[str]:
    lake.is_good(project.record()["theorems"])
    return [str(problem) for problem in lean_side(project.root).problems]


@pytest.mark.parametrize("file", INFRASTRUCTURE)
def test_infrastructure_that_differs_fails_a_run_of_lake(
    file: str, project: ProjectCopy, lake: StandIn
) -> None:
    with (project.root / file).open("a", encoding="utf-8") as opened:
        opened.write("\n")
    assert problems(project, lake) == [
        f"{file}: differs from the record, and {INFRASTRUCTURE[file]}: "
        "read the change, then `duizhao ledger record`"
    ]


@pytest.mark.parametrize("file", [file for file in INFRASTRUCTURE if "/Meta/" not in file])
def test_infrastructure_that_is_missing_fails_a_run_of_lake(
    file: str, project: ProjectCopy, lake: StandIn
) -> None:
    (project.root / file).unlink()
    said = f"{file}: is missing or cannot be read, and {INFRASTRUCTURE[file]}: read the change"
    assert any(text.startswith(said) for text in problems(project, lake))


def test_new_file_that_holds_no_listed_theorem_fails_a_run_of_lake(
    project: ProjectCopy, lake: StandIn
) -> None:
    project.write("lean/Extra.lean", "theorem extra : True := trivial\n")
    (text,) = problems(project, lake)
    assert text.startswith(
        "lean/Extra.lean: is not listed in the record, and no theorem that is listed is in it: "
    )


def test_source_of_theorems_may_differ_since_lake_built_it(project: ProjectCopy, lake: StandIn) -> None:
    project.edit("lean/NeuralNetworks/Read.lean", "nlinarith", "nlinarith ")
    assert problems(project, lake) == []


def test_without_a_record_there_is_nothing_to_compare(
    small_project: ProjectCopy, lake: StandIn, read_const: dict[str, object]
) -> None:
    lake.is_good([read_const])
    small_project.write("lean/Ledger.lean", "-- another\n")
    assert lean_side(small_project.root).problems == ()
