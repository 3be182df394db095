"""What the record is worth: each tampering by itself is found and named."""

import json
from collections import Counter
from typing import Any

import pytest
from tests.ledger.project_copy import SETTINGS, ProjectCopy

from duizhao.ledger.lean import LeanSide, lean_side

READ = "lean/NeuralNetworks/Read.lean"


def states(side: LeanSide) -> dict[str, int]:
    return dict(Counter(theorem.state for theorem in side.theorems.values()))


def recorded(project: ProjectCopy) -> LeanSide:
    side = lean_side(project.root, "record")
    assert side.source == "record"
    return side


def one_problem(side: LeanSide) -> str:
    (problem,) = side.problems
    assert not side.ok
    return str(problem)


def unreadable(project: ProjectCopy) -> str:
    """The problem of a record that cannot be read, after which nothing is recorded and nothing vanishes."""
    side = lean_side(project.root, "record")
    assert (side.source, states(side), side.ok) == ("none", {"not run": 149}, False)
    return str(side.problems[-1])


def test_unchanged_sources_are_recorded_and_null_axioms_are_not_run(project: ProjectCopy) -> None:
    side = recorded(project)
    assert (states(side), side.problems, side.ok) == ({"recorded": 145, "not run": 4}, (), True)
    assert {t.module for t in side.theorems.values() if t.state == "not run"} == {"NeuralNetworks.Scaling"}
    assert side.theorems["variance_dot"].statement is not None
    assert side.headline() == "145 recorded on 2026-11-30 with Lean v4.27.0 and Mathlib v4.27.0, 4 not run"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("nlinarith [mul_nonneg hw", "nlinarith  [mul_nonneg hw"),
        ("(hw₁ : w ≤ 1) (huv : u ≤ v)", "(hw₁ : w ≤ 2) (huv : u ≤ v)"),
        ("Zero values give a zero output", "Zero values give a zero outcome"),
    ],
    ids=["proof", "statement", "docstring"],
)
def test_changed_source_makes_stale_what_rests_on_it_and_nothing_else(
    project: ProjectCopy, old: str, new: str
) -> None:
    project.edit(READ, old, new)
    side = recorded(project)
    assert one_problem(side) == (
        f"{READ}: differs from the record; 118 of 149 theorems of the record rest on it and are stale: "
        "attention_convex, attention_convex_uIcc, read_mem_of_convex and 115 more"
    )
    assert side.theorems["attention_convex"].reason == f"{READ} differs from the record"
    unchanged = {theorem.topic for theorem in side.theorems.values() if theorem.state != "stale"}
    assert unchanged == {"Scaling", "Softmax", "Temperature"}


@pytest.mark.parametrize("file", SETTINGS)
def test_changed_setting_makes_everything_stale(project: ProjectCopy, file: str) -> None:
    with (project.root / file).open("a") as setting:
        setting.write("\n")
    side = recorded(project)
    assert states(side) == {"stale": 149}
    assert one_problem(side).startswith(
        f"{file}: differs from the record; all 149 theorems of the record rest on it"
    )


@pytest.mark.parametrize("file", [*SETTINGS, READ])
def test_missing_file_makes_stale_what_rests_on_it(project: ProjectCopy, file: str) -> None:
    (project.root / file).unlink()
    side = recorded(project)
    assert side.theorems["attention_convex"].state == "stale"
    assert side.theorems["attention_convex"].reason == f"{file} is missing or cannot be read"
    assert any(str(problem).startswith(f"{file}: is missing") for problem in side.problems)
    assert len(side.theorems) == 149


@pytest.mark.parametrize("file", [*SETTINGS, READ])
def test_file_that_the_record_does_not_list_makes_stale_what_rests_on_it(
    project: ProjectCopy, file: str
) -> None:
    project.edit_record(lambda record: record["files"].pop(file), fix_hash=True)
    side = recorded(project)
    assert side.theorems["attention_convex"].state == "stale"
    assert one_problem(side).startswith(f"{file}: is not listed in the record")


def test_theorem_with_null_axioms_is_stale_when_its_sources_change(project: ProjectCopy) -> None:
    project.edit("lean/NeuralNetworks/Scaling.lean", "norm_num", "norm_num1")
    side = recorded(project)
    assert states(side) == {"recorded": 145, "stale": 4}
    assert not side.ok


def test_new_toolchain_disagrees_with_the_record_by_name(project: ProjectCopy) -> None:
    project.edit("lean-toolchain", "v4.27.0", "v4.28.0")
    assert [str(problem) for problem in recorded(project).problems][1] == (
        "ledger/lean.json: the record's toolchain is leanprover/lean4:v4.27.0, but lean-toolchain says "
        "leanprover/lean4:v4.28.0"
    )


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("toolchain", "the record's toolchain is x, but lean-toolchain says leanprover/lean4:v4.27.0"),
        ("version", "the record's Mathlib version is x, but lake-manifest.json says v4.27.0"),
        (
            "rev",
            "the record's Mathlib commit is x, but lake-manifest.json says "
            "a3a10db0e9d66acbebf76c5e6a135066525ac900",
        ),
    ],
)
def test_record_with_other_versions_than_the_project_is_a_problem(
    project: ProjectCopy, key: str, text: str
) -> None:
    def change(record: Any) -> None:
        (record if key == "toolchain" else record["mathlib"])[key] = "x"

    project.edit_record(change, fix_hash=True)
    assert one_problem(recorded(project)) == f"ledger/lean.json: {text}"


def test_record_with_one_changed_byte_is_not_believed(project: ProjectCopy) -> None:
    project.edit("ledger/lean.json", "Every softmax weight is positive.", "Every softmax weight is positive!")
    side = recorded(project)
    assert states(side) == {"not run": 149}
    assert "its hash is " in str(side.problems[0])
    assert "but ledger/lean.json.sha256 says 60fce903" in str(side.problems[0])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0" * 64 + "  lean.json\n", "ledger/lean.json: its hash is 60fce903"),
        ("60fce903  lean.json\n", "ledger/lean.json.sha256: must hold one line"),
        (None, "ledger/lean.json.sha256: the record's own hash cannot be read (No such file or directory)"),
    ],
)
def test_wrong_own_hash_leaves_nothing_recorded(
    project: ProjectCopy, content: str | None, message: str
) -> None:
    if content is None:
        (project.root / "ledger" / "lean.json.sha256").unlink()
    else:
        project.write("ledger/lean.json.sha256", content)
    side = recorded(project)
    assert states(side) == {"not run": 149}
    assert one_problem(side).startswith(message)


@pytest.mark.parametrize("fix_hash", [True, False])
@pytest.mark.parametrize("mode", ["auto", "record", "skip", "require"])
def test_forbidden_axiom_in_the_record_fails_in_every_mode(
    project: ProjectCopy, no_lake: object, mode: Any, fix_hash: bool
) -> None:
    del no_lake

    def change(record: Any) -> None:
        next(t for t in record["theorems"] if t["id"] == "read_zero")["axioms"].append("sorryAx")

    project.edit_record(change, fix_hash=fix_hash)
    side = lean_side(project.root, mode)
    assert not side.ok
    assert side.theorems["read_zero"].state == "not run"
    (problem,) = (problem for problem in side.problems if problem.where == "read_zero")
    assert problem.text.startswith("`NeuralNetworks.read_zero` rests on `sorryAx` (ledger/lean.json)")


def test_removed_axioms_with_the_old_hash_are_found(project: ProjectCopy) -> None:
    project.edit_record(lambda record: record["theorems"][0].update(axioms=[]), fix_hash=False)
    assert one_problem(recorded(project)).startswith("ledger/lean.json: its hash is ")


def test_lean_file_that_is_not_listed_fails_by_name(project: ProjectCopy) -> None:
    project.write("lean/Extra.lean", "theorem extra : True := trivial\n")
    side = recorded(project)
    assert one_problem(side) == (
        "lean/Extra.lean: is not listed in the record; "
        "no theorem rests on it, but the record no longer describes this project"
    )
    assert states(side) == {"recorded": 145, "not run": 4}


@pytest.mark.parametrize("file", ["lean/Ledger.lean", "lean/NeuralNetworksTest/Headline.lean"])
def test_listed_file_that_no_theorem_rests_on_fails_by_name_when_it_changes(
    project: ProjectCopy, file: str
) -> None:
    with (project.root / file).open("a") as source:
        source.write("-- more\n")
    assert one_problem(recorded(project)).startswith(
        f"{file}: differs from the record; no theorem rests on it"
    )


def test_theorem_dropped_from_the_record_is_found_and_does_not_vanish(project: ProjectCopy) -> None:
    def change(record: Any) -> None:
        record["theorems"] = [t for t in record["theorems"] if t["id"] != "attention_convex"]

    project.edit_record(change, fix_hash=True)
    side = recorded(project)
    assert side.theorems["attention_convex"].state == "not run"
    assert one_problem(side) == (
        f"{READ}:32: `NeuralNetworks.attention_convex` is marked `@[companion]`, "
        "but ledger/lean.json does not list it"
    )


def test_theorem_that_only_the_record_knows_is_not_recorded(project: ProjectCopy) -> None:
    invented = "NeuralNetworks.all_is_well"

    def change(record: Any) -> None:
        record["theorems"].append(
            record["theorems"][0] | {"id": "all_is_well", "name": invented, "statement": invented}
        )

    project.edit_record(change, fix_hash=True)
    side = recorded(project)
    assert side.theorems["all_is_well"].state == "stale"
    assert (
        f"ledger/lean.json lists `{invented}`, but no theorem marked `@[companion]` has that id"
        in one_problem(side)
    )


@pytest.mark.parametrize(
    ("key", "value", "there"),
    [
        ("sentence", "Something else.", "If `u ≤ v` and `0 ≤ w ≤ 1`, then `w * u + (1 - w) * v` lies"),
        ("line", 33, "32"),
        ("module", "NeuralNetworks.Softmax", "NeuralNetworks.Read"),
    ],
)
def test_record_that_says_something_else_than_the_sources_is_found(
    project: ProjectCopy, key: str, value: object, there: str
) -> None:
    def change(record: Any) -> None:
        next(t for t in record["theorems"] if t["id"] == "attention_convex")[key] = value

    project.edit_record(change, fix_hash=True)
    side = recorded(project)
    assert side.theorems["attention_convex"].state == "stale"
    assert f"the {key} of `NeuralNetworks.attention_convex` is `{there}" in one_problem(side)


def test_record_that_names_a_quieter_module_hides_no_change(project: ProjectCopy) -> None:
    def change(record: Any) -> None:
        next(t for t in record["theorems"] if t["id"] == "read_zero")["module"] = "NeuralNetworks.Softmax"

    project.edit_record(change, fix_hash=True)
    project.edit(READ, "nlinarith", "linarith")
    side = recorded(project)
    assert side.theorems["read_zero"].state == "stale"
    assert any(
        problem.text.startswith("the module of `NeuralNetworks.read_zero` is ") for problem in side.problems
    )


def test_renamed_theorem_is_told_on_both_sides(project: ProjectCopy) -> None:
    project.edit(READ, "theorem read_zero", "theorem read_null")
    side = recorded(project)
    assert {problem.where for problem in side.problems} == {"NeuralNetworks.Read", "read_zero", "read_null"}
    assert (side.theorems["read_zero"].state, side.theorems["read_null"].state) == ("stale", "not run")


def forget_axioms(record: Any) -> None:
    for theorem in record["theorems"]:
        theorem["axioms"] = None


def test_record_without_any_axioms_is_not_run_and_no_failure(project: ProjectCopy) -> None:
    project.edit_record(forget_axioms, fix_hash=True)
    side = recorded(project)
    assert (side.headline(), side.ok) == ("149 not run", True)


def test_missing_record_is_not_run_and_no_failure(project: ProjectCopy) -> None:
    for name in ("lean.json", "lean.json.sha256"):
        (project.root / "ledger" / name).unlink()
    side = lean_side(project.root, "record")
    assert (side.source, side.headline(), side.ok) == ("none", "149 not run", True)
    assert side.theorems["read_zero"].reason == "there is no record"
    assert side.theorems["read_zero"].statement is None


def test_record_that_left_its_hash_behind_is_a_problem(project: ProjectCopy) -> None:
    (project.root / "ledger" / "lean.json").unlink()
    assert unreadable(project) == "ledger/lean.json: cannot be read: No such file or directory"


def test_record_cut_short_is_told_with_its_place(project: ProjectCopy) -> None:
    path = project.root / "ledger" / "lean.json"
    path.write_bytes(path.read_bytes()[:4000])
    project.fix_hash()
    assert unreadable(project).startswith(
        "ledger/lean.json: not JSON: Unterminated string starting at: line "
    )


def test_record_with_a_byte_order_mark_is_refused(project: ProjectCopy) -> None:
    path = project.root / "ledger" / "lean.json"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    project.fix_hash()
    assert unreadable(project).startswith("ledger/lean.json: not JSON: Unexpected UTF-8 BOM")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "record.schema: this version reads schema 1, got the number 2"),
        ({"schema": "1"}, "record.schema: this version reads schema 1, got the text '1'"),
        ({"date": "yesterday"}, "record.date: a date such as 2026-11-30 is needed, got 'yesterday'"),
        ({"mathlib": "v4.27.0"}, "record.mathlib: an object is needed, got the text 'v4.27.0'"),
        ({"files": []}, "record.files: an object is needed, got a list"),
        ({"files": {"../x": "0" * 64}}, "record.files: '../x' is no path inside the project"),
        ({"files": {"x": "0"}}, "record.files['x']: a SHA-256 in lower case is needed, got '0'"),
        ({"theorems": []}, "record.theorems: the list is empty"),
        ({"theorems": [{}]}, "record.theorems[0]: the key 'id' is missing"),
    ],
)
def test_record_of_another_form_is_refused(
    project: ProjectCopy, change: dict[str, Any], message: str
) -> None:
    project.edit_record(lambda record: record.update(change), fix_hash=True)
    assert unreadable(project) == f"ledger/lean.json: {message}"


@pytest.mark.parametrize("key", ["schema", "date", "how", "toolchain", "mathlib", "files", "theorems"])
def test_record_without_one_of_its_keys_is_refused(project: ProjectCopy, key: str) -> None:
    project.edit_record(lambda record: record.pop(key), fix_hash=True)
    assert unreadable(project) == f"ledger/lean.json: record: the key {key!r} is missing"


def test_record_that_is_no_object_is_refused(project: ProjectCopy) -> None:
    project.write("ledger/lean.json", json.dumps([1]))
    project.fix_hash()
    assert unreadable(project) == "ledger/lean.json: record: an object is needed, got a list"
