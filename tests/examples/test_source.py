"""A file of examples with a fault gives one clear error that names the place."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from duizhao.examples import load

ONE: dict[str, Any] = {
    "constants": {"root": {"form": "2*s", "printed": "1.414", "lesson": "l", "place": "p"}},
    "examples": {
        "tiny": {
            "title": "t",
            "lesson": "l",
            "place": "p",
            "labels": {"query": ["q"], "key": ["k", "."], "coordinate": ["1"]},
            "given": ["Q", "K"],
            "matrices": {
                "Q": {"axes": ["query", "coordinate"], "forms": [["1"]]},
                "K": {"axes": ["key", "coordinate"], "forms": [["1/2"], ["2"]]},
                "D": {"axes": ["query", "key"], "forms": [["1/2", "2"]], "printed": [["0.5", None]]},
            },
        }
    },
}


def written(folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """Write the example with a change into a file."""
    content = copy.deepcopy(ONE)
    change(content)
    path = folder / "own.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def matrices(content: dict[str, Any]) -> dict[str, Any]:
    """Return the matrices of the example."""
    found: dict[str, Any] = content["examples"]["tiny"]["matrices"]
    return found


def test_a_file_of_this_layout_is_read(tmp_path: Path) -> None:
    found = load(written(tmp_path, copy.copy)).example("tiny")
    assert found.given == ("Q", "K")
    assert found.matrices["D"].labels == (("q",), ("k", "."))
    assert found.matrices["D"].decimals((0, 0)) == ("0.5", "0.5")
    assert found.matrices["D"].decimals((0, 1)) == (None, None)


def tiny(**changes: Any) -> Callable[[dict[str, Any]], object]:
    """Return a change of the example's own fields."""
    return lambda content: content["examples"]["tiny"].update(changes)


def of(matrix: str, **changes: Any) -> Callable[[dict[str, Any]], object]:
    """Return a change of the fields of one matrix."""
    return lambda content: matrices(content)[matrix].update(changes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            of("D", forms=[["1/2"]]),
            "examples, tiny, matrices, D, forms: nested lists of shape (1, 2) are needed, as the labels have it",
        ),
        (
            of("D", forms=[["1/2", "2"], ["1", "1"]]),
            "examples, tiny, matrices, D, forms: nested lists of shape (1, 2) are needed, as the labels have it",
        ),
        (
            of("D", forms="1/2"),
            "examples, tiny, matrices, D, forms: nested lists of shape (1, 2) are needed, as the labels have it",
        ),
        (
            of("D", forms=[["1/2", "r//2"]]),
            "examples, tiny, matrices, D: [0, 1]: 'r//2' contains 'r//2'; only whole numbers, r, s, + - * / ** are read",
        ),
        (
            of("D", forms=[["1/2", 2]]),
            "examples, tiny, matrices, D: [0, 1]: a closed form as text is needed, got 2",
        ),
        (
            of("D", forms=[["1/2", ["2"]]]),
            "examples, tiny, matrices, D: [0, 1]: a closed form as text is needed, got ['2']",
        ),
        (
            of("D", forms=[["1/2", "1/(1 - 1)"]]),
            "examples, tiny, matrices, D: [0, 1]: '1/(1 - 1)' is no finite number",
        ),
        (
            of("D", printed=[["0.5"]]),
            "examples, tiny, matrices, D, printed: nested lists of shape (1, 2) are needed, as the labels have it",
        ),
        (
            of("D", printed=[["0.5", "two"]]),
            "examples, tiny, matrices, D: [0, 1]: a decimal number as text is needed, got 'two'",
        ),
        (
            of("D", printed=[[0.5, None]]),
            "examples, tiny, matrices, D: [0, 0]: a decimal number as text is needed, got 0.5",
        ),
        (
            of("D", printed=[["5.", None]]),
            "examples, tiny, matrices, D: [0, 0]: a decimal number as text is needed, got '5.'",
        ),
        (of("D", misprints=[[0, 1]]), "examples, tiny, matrices, D: misprints: nothing is printed at [0, 1]"),
        (of("D", misprints=[[0, 7]]), "examples, tiny, matrices, D: misprints: nothing is printed at [0, 7]"),
        (of("D", misprints=0), "examples, tiny, matrices, D, misprints: a list is needed, got 0"),
        (of("D", theorems="t"), "examples, tiny, matrices, D, theorems: a list is needed, got 't'"),
        (of("D", theorems=[1]), "examples, tiny, matrices, D, theorems: a list of texts is needed, got [1]"),
        (of("D", axes=["query", "value"]), "examples, tiny, matrices, D: axis 'value' has no labels"),
        (
            of("D", axes=["key", "query"], forms=[["1/2"], ["2"]], printed=[["0.5"], [None]]),
            "examples, tiny: D has shape (2, 1), but Q (1, 1) and K (2, 1) give (1, 2)",
        ),
        (
            of("K", axes=["key", "key"], forms=[["1", "1"], ["1", "1"]]),
            "examples, tiny: D has shape (1, 2), but Q (1, 1) and K (2, 2) do not fit",
        ),
        (
            of("K", axes=["key"], forms=["1", "1"]),
            "examples, tiny: D has shape (1, 2), but Q (1, 1) and K (2,) do not fit",
        ),
        (of("K", forms=[["s"], ["2"]]), "examples, tiny: K[0, 0]: 's' is given and must be rational"),
        (tiny(given=["Q", "K", "V"]), "examples, tiny: V is given but not among the matrices"),
        (tiny(given=["Q"]), "examples, tiny: K is neither given nor can it be computed without X, W_K"),
        (tiny(title=None), "examples, tiny, title: a text is needed, got None"),
        (tiny(matrices=[]), "examples, tiny, matrices: an object is needed, got []"),
        (
            lambda content: matrices(content).update(P=matrices(content)["D"]),
            "examples, tiny: P is neither given nor one of Q, K, V, D, S, A, O",
        ),
        (
            lambda content: matrices(content)["D"].pop("forms"),
            "examples, tiny, matrices, D: `forms` is missing",
        ),
        (lambda content: content["examples"].update(tiny=[]), "examples, tiny: an object is needed, got []"),
        (lambda content: content.pop("examples"), "the whole: `examples` is missing"),
        (
            lambda content: content["constants"]["root"].update(form="2s"),
            "constants, root, form: '2s' is no arithmetic expression",
        ),
        (
            lambda content: content["constants"]["root"].update(printed="-"),
            "constants, root, printed: a decimal number as text is needed, got '-'",
        ),
    ],
)
def test_a_fault_is_named_with_its_place(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    with pytest.raises(ValueError, match=r"own\.json") as caught:
        load(written(tmp_path, change))
    assert str(caught.value) == f"own.json: {message}"


@pytest.mark.parametrize("content", [b"{", b"\xff", b""])
def test_a_file_that_is_not_json_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "own.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"own\.json: not JSON: "):
        load(path)


def test_a_file_that_is_no_object_is_named(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(ValueError, match=r"own\.json: the whole: an object is needed, got \[\]"):
        load(path)


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "own.json")
