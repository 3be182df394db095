"""What is read from the Lean sources of a project."""

import json
from pathlib import Path

import pytest
from tests.ledger.project_copy import REPOSITORY, ProjectCopy

from duizhao.ledger.sources import read_sources


def texts(root: Path) -> list[str]:
    return [str(problem) for problem in read_sources(root).problems]


def test_scan_of_this_repository_is_the_list_that_lean_gave() -> None:
    record = json.loads((REPOSITORY / "ledger" / "lean.json").read_text(encoding="utf-8"))
    sources = read_sources(REPOSITORY)
    keys = ("id", "name", "module", "line", "sentence")
    assert len(sources.theorems) == 149
    assert sources.problems == ()
    assert [tuple(getattr(theorem, key) for key in keys) for theorem in sources.theorems.values()] == [
        tuple(entry[key] for key in keys) for entry in record["theorems"]
    ]


def test_line_is_where_the_docstring_begins_and_the_keyword_has_its_own() -> None:
    theorem = read_sources(REPOSITORY).theorems["attention_convex"]
    lines = (REPOSITORY / theorem.file).read_text(encoding="utf-8").split("\n")
    assert lines[theorem.line - 1].startswith("/-- If `u ≤ v`")
    assert lines[theorem.keyword_line - 1].startswith("theorem attention_convex ")
    assert lines[theorem.last_line - 1].startswith("  · nlinarith [mul_nonneg hw ")
    assert theorem.topic == "Read"


def test_closure_follows_imports_of_imports_inside_the_project() -> None:
    assert read_sources(REPOSITORY).closure("NeuralNetworks.Blockwise") == {
        f"NeuralNetworks.{name}" for name in ("Blockwise", "Mask", "Read", "Softmax", "Meta.Companion")
    }


def test_line_lies_in_the_theorem_from_its_docstring_to_its_end(small_project: ProjectCopy) -> None:
    sources = read_sources(small_project.root)
    held = [sources.holding("lean/NeuralNetworks/Read.lean", line) for line in range(1, 9)]
    assert [d.id if d else None for d in held] == [None, None, *["read_const"] * 4, None, None]
    assert sources.holding("lean/NeuralNetworks/Absent.lean", 5) is None


def test_marked_theorems_of_the_tests_are_no_results(small_project: ProjectCopy) -> None:
    assert list(read_sources(small_project.root).theorems) == ["read_const"]


def test_import_of_a_missing_module_is_a_problem_with_its_line(small_project: ProjectCopy) -> None:
    small_project.write(
        "lean/NeuralNetworks.lean", "import NeuralNetworks.Read\nimport NeuralNetworks.Missing\n"
    )
    assert texts(small_project.root) == [
        "lean/NeuralNetworks.lean:2: imports NeuralNetworks.Missing, "
        "but there is no lean/NeuralNetworks/Missing.lean"
    ]


def test_module_that_is_not_built_is_a_problem_and_keeps_its_theorems(small_project: ProjectCopy) -> None:
    small_project.write("lean/NeuralNetworks.lean", "import NeuralNetworks.Meta.Companion\n")
    assert list(read_sources(small_project.root).theorems) == ["read_const"]
    assert texts(small_project.root) == [
        "lean/NeuralNetworks/Read.lean: lean/NeuralNetworks.lean does not import NeuralNetworks.Read, "
        "so Lake does not build it"
    ]


def test_id_used_twice_is_a_problem(small_project: ProjectCopy) -> None:
    small_project.edit(
        "lean/NeuralNetworks/Read.lean",
        "end Neu",
        "/-- Again. -/\n@[companion]\ntheorem A.read_const : x := y\nend Neu",
    )
    assert texts(small_project.root) == [
        "lean/NeuralNetworks/Read.lean:7: `NeuralNetworks.A.read_const` and `NeuralNetworks.read_const` "
        "share the id `read_const`"
    ]


def test_mark_on_a_definition_is_a_problem(small_project: ProjectCopy) -> None:
    small_project.edit("lean/NeuralNetworks/Read.lean", "theorem", "def")
    assert texts(small_project.root) == [
        "lean/NeuralNetworks/Read.lean:4: this mark stands on no theorem that can be found: "
        "write `@[companion]` right before it",
        "no theorem marked `@[companion]` was found below lean/",
    ]


def test_theorem_without_docstring_is_a_problem(small_project: ProjectCopy) -> None:
    small_project.edit(
        "lean/NeuralNetworks/Read.lean", "/-- Two numbers in this order are also in the other. -/", ""
    )
    assert texts(small_project.root) == [
        "lean/NeuralNetworks/Read.lean:4: `NeuralNetworks.read_const` has no docstring: "
        "it is the sentence that readers see"
    ]


def test_file_that_is_no_text_is_a_problem_and_hides_nothing_else(small_project: ProjectCopy) -> None:
    path = small_project.root / "lean" / "NeuralNetworks" / "Broken.lean"
    path.write_bytes(b"theorem \xff")
    (problem,) = read_sources(small_project.root).problems
    assert (problem.where, problem.file) == ("NeuralNetworks.Broken", "lean/NeuralNetworks/Broken.lean")
    assert problem.text.startswith("cannot be read: 'utf-8' codec")
    assert list(read_sources(small_project.root).theorems) == ["read_const"]


def test_empty_scan_is_a_problem(tmp_path: Path) -> None:
    assert texts(tmp_path) == [
        "lean/NeuralNetworks.lean: there is no lean/NeuralNetworks.lean, which imports all theorems",
        "no theorem marked `@[companion]` was found below lean/",
    ]


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("theorem a : x := by sorry", "sorry"),
        ("theorem a : x := (sorry).1", "sorry"),
        ("theorem a : x := by\n  admit", "admit"),
        ("theorem a : x := by native_decide", "native_decide"),
        ("private axiom a : False", "axiom"),
        ("open Finset in axiom a : False", "axiom"),
    ],
)
@pytest.mark.parametrize("file", ["lean/NeuralNetworks/Read.lean", "lean/Ledger.lean"])
def test_word_that_stands_in_for_a_proof_is_told_with_its_line(
    file: str, code: str, word: str, small_project: ProjectCopy
) -> None:
    small_project.write(file, f"/- sorry -/\n{code}\n")
    line = 2 + code.count("\n")
    assert f"{file}:{line}: `{word}` stands in the code, where a proof must be" in texts(small_project.root)


def test_word_in_a_comment_a_text_or_a_name_stands_in_for_no_proof(small_project: ProjectCopy) -> None:
    small_project.write(
        "lean/Ledger.lean",
        '-- sorry\n/-- axiom /- admit -/ -/\ndef sorryful := "native_decide"\n#check Lean.sorry\n',
    )
    assert texts(small_project.root) == []
