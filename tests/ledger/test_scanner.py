"""What the scanner sees in the text of one Lean file."""

from hypothesis import given
from hypothesis import strategies as st

from duizhao.ledger.scanner import Declaration, scan


def only(text: str) -> Declaration:
    (declaration,) = scan(text).declarations
    return declaration


def companions(text: str) -> list[str | None]:
    return [declaration.name for declaration in scan(text).declarations if declaration.companion]


def test_declaration_begins_at_its_docstring_and_ends_with_its_proof() -> None:
    found = only("/-- Two\nlines. -/\n@[companion]\ntheorem a : x :=\n  by\n\n  simp\n\nend\n")
    assert (found.first, found.line, found.last) == (1, 4, 7)
    assert (found.name, found.id, found.sentence, found.companion) == ("a", "a", "Two\nlines.", True)


def test_declaration_without_docstring_begins_at_its_attribute() -> None:
    found = only("open Real\n\n@[companion]\ntheorem a : x := y\n")
    assert (found.first, found.line, found.last, found.sentence) == (3, 4, 4, None)


def test_docstring_of_something_else_is_not_taken() -> None:
    first, second = scan("/-- One. -/\ndef a := 1\n\ntheorem b : x := y\n").declarations
    assert (first.sentence, second.sentence) == ("One.", None)


def test_namespaces_sections_and_dotted_names_make_the_full_name() -> None:
    text = """
namespace A.B
section S
@[companion] theorem C.one : x := y
end S
noncomputable section
@[companion] theorem two : x := y
end
namespace D
@[companion] theorem three : x := y
end D
@[companion] theorem _root_.four : x := y
end A.B
@[companion] theorem five.{u} : x := y
"""
    assert companions(text) == ["A.B.C.one", "A.B.two", "A.B.D.three", "four", "five"]


def test_comments_and_strings_hold_no_theorems() -> None:
    text = """
/- @[companion] theorem a : x := y
/- nested -/ @[companion]
theorem b : x := y -/
-- @[companion] theorem c : x := y
def s := "
@[companion]
theorem d : x := y"
def q := '"'
def r := r#"
@[companion] theorem e : "x" := y"#
@[companion] theorem f : x := y
"""
    assert companions(text) == ["f"]


def test_attribute_may_share_its_brackets_and_its_line() -> None:
    text = """
@[simp, companion] theorem a : x := y
@[companion,
  simp]
protected theorem b : x := y
@[companion, simps (config := [c])] theorem c : x := y
set_option autoImplicit true in @[companion] theorem d : x := y
open Real in
@[companion]
theorem e : x := y
"""
    assert companions(text) == ["a", "b", "c", "d", "e"]


def test_other_attribute_is_no_mark() -> None:
    assert not only("@[companions, my.companion]\ntheorem a : x := y\n").companion


def test_mark_on_no_theorem_is_told_with_its_line() -> None:
    text = "@[companion]\ndef a := 1\n\ntheorem b : x := y\nattribute [local companion] b\n@[companion]\n"
    assert scan(text).unattached == (1, 5, 6)


def test_broken_code_gives_what_can_be_seen() -> None:
    text = "namespace A\n@[companion]\ntheorem a (x : Nat) : x = x := end\nend A\nend B\n"
    text += "theorem b : x := y /- open\n"
    assert [(d.name, d.first, d.last) for d in scan(text).declarations] == [("A.a", 2, 3), ("b", 6, 6)]


def test_imports_are_read_past_comments_and_no_further_than_the_header() -> None:
    text = (
        "/- Licence -/\nimport A\npublic import B.C -- why\nimport all D\n\n/-! Docs -/\nopen A\nimport E\n"
    )
    assert scan(text).imports == (("A", 2), ("B.C", 3), ("D", 4))


def test_unnamed_declarations_have_no_name() -> None:
    assert [d.name for d in scan("example (x : Nat) : x = x := rfl\ninstance : Foo := x\n").declarations] == [
        None,
        None,
    ]


WORDS = st.sampled_from(
    [
        "/-",
        "-/",
        "/--",
        "--",
        '"',
        "«",
        "»",
        "@[companion]",
        "theorem",
        "a",
        "namespace N",
        "end",
        "end A.B",
        "\n",
        " ",
        "[",
    ]
)


@given(st.lists(WORDS | st.text(max_size=3)).map("".join))
def test_any_text_is_read_with_lines_in_order(text: str) -> None:
    last = text.count("\n") + 1
    for declaration in scan(text).declarations:
        assert 1 <= declaration.first <= declaration.line <= declaration.last <= last
