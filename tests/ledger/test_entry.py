"""What is refused in data from Lean or of a record, and how it is said."""

from typing import Any

import pytest

from duizhao.ledger.entry import Entry, UnreadableError, axiom_problems, read_entries, read_json

GOOD = {
    "id": "a",
    "name": "N.a",
    "module": "N",
    "line": 1,
    "statement": "N.a : True",
    "sentence": "A.",
    "axioms": ["propext"],
}


def refusal(value: object) -> str:
    with pytest.raises(UnreadableError) as caught:
        read_entries(value)
    return str(caught.value)


def test_good_entry_is_read_whole() -> None:
    assert read_entries([GOOD]) == (Entry("a", "N.a", "N", 1, "N.a : True", "A.", ("propext",)),)
    assert read_entries([GOOD | {"axioms": None}])[0].axioms is None


@pytest.mark.parametrize("key", GOOD)
def test_missing_key_is_named(key: str) -> None:
    entry = {name: value for name, value in GOOD.items() if name != key}
    assert refusal([entry]) == f"theorems[0]: the key {key!r} is missing"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": 3}, "theorems[0].id: a text is needed, got the number 3"),
        (
            {"id": "a'", "name": "N.a'", "statement": "N.a'"},
            'theorems[0].id: a plain identifier is needed, got "a\'"',
        ),
        ({"name": "N.b"}, "theorems[0].id: 'a' is not the last component of the name 'N.b'"),
        ({"module": " "}, "theorems[0].module: a text is needed, got the text ' '"),
        ({"line": 0}, "theorems[0].line: a whole number from 1 is needed, got the number 0"),
        ({"line": True}, "theorems[0].line: a whole number from 1 is needed, got the value True"),
        ({"line": None}, "theorems[0].line: a whole number from 1 is needed, got null"),
        ({"statement": "N.b : True"}, "theorems[0].statement: does not begin with the name 'N.a'"),
        ({"sentence": ["A."]}, "theorems[0].sentence: a text is needed, got a list"),
        ({"sentence": "\ud800"}, r"theorems[0].sentence: holds half of a character: '\ud800'"),
        (
            {"axioms": "propext"},
            "theorems[0].axioms: a list of names or null is needed, got the text 'propext'",
        ),
        ({"axioms": ["propext", None]}, "theorems[0].axioms[1]: a text is needed, got null"),
    ],
)
def test_wrong_value_is_named_with_its_place(change: dict[str, Any], message: str) -> None:
    assert refusal([GOOD | change]) == message


def test_list_must_be_a_list_of_objects_with_something_in_it() -> None:
    assert refusal({"a": GOOD}) == "theorems: a list is needed, got an object"
    assert refusal([]) == "theorems: the list is empty"
    assert refusal([GOOD, 7]) == "theorems[1]: an object is needed, got the number 7"


def test_id_twice_is_refused() -> None:
    assert (
        refusal([GOOD, GOOD | {"name": "M.a", "statement": "M.a"}])
        == "theorems: `M.a` and `N.a` share the id 'a'"
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not JSON: Expecting value: line 1 column 1 (char 0)"),
        (b'{"a": [1, 2', "not JSON: Expecting ',' delimiter: line 1 column 12 (char 11)"),
        (
            b"\xef\xbb\xbf[]",
            "not JSON: Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)",
        ),
        (b'["\xff"]', "not UTF-8: byte 2 is 0xff"),
        (b'{"a": 1, "a": 2}', "the key 'a' stands twice in one object"),
        (b"[NaN]", "not JSON: NaN is no JSON number"),
        (b"[" * 100_000, "not readable: nested too deeply"),
    ],
)
def test_json_is_read_strictly(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        read_json(data)
    assert str(caught.value) == message


def test_every_axiom_but_leans_own_three_is_told_with_its_theorem() -> None:
    bad = GOOD | {"id": "b", "name": "N.b", "statement": "N.b", "axioms": ["sorryAx", "propext", "N.cheat"]}
    good = GOOD | {"axioms": ["propext", "Classical.choice", "Quot.sound"]}
    (problem,) = axiom_problems(read_entries([good, bad]), "the list")
    assert (problem.where, problem.file, problem.line) == ("b", "lean/N.lean", 1)
    assert problem.text.startswith("`N.b` rests on `sorryAx`, `N.cheat` (the list), so it is neither proved")
