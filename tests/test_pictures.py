"""Pictures and worked examples in the pages: made from numbers, told in words, coloured by the page."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from docs.inserts import formulas, lessons, site
from docs.inserts.pictures import PICTURES, figure
from docs.inserts.pictures.drawing import WIDTH, Scale, short
from docs.inserts.sources import Project, read_project
from docs.typography import problems

from duizhao.examples import constants, examples
from duizhao.trace.printed import printed_numbers

ROOT = Path(__file__).resolve().parents[1]
MARKER = re.compile(r"<!-- (?P<kind>picture|printed|trace): (?P<id>\S+) -->")
LESSONS = sorted({one.lesson for one in examples().values()} | {one.lesson for one in constants().values()})


@pytest.fixture(scope="module")
def project() -> Project:
    """What this repository says."""
    return read_project(ROOT)


def filled(project: Project, marker: str) -> str:
    """A page with one marker, filled in."""
    (page,) = site.fill(
        [site.Page("lessons/a.md", "lessons/a/", f"<!-- {marker} -->")], project, formulas.plain
    )
    return page.html


def on_pages(kind: str) -> set[str]:
    """The ids of the markers of one kind on all pages."""
    pages = [path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md")]
    return {found["id"] for page in pages for found in MARKER.finditer(page) if found["kind"] == kind}


def elements(name: str) -> Iterator[ElementTree.Element]:
    """The elements of a picture."""
    picture = PICTURES[name]()
    return ElementTree.fromstring(picture.drawing.svg(picture.alt)).iter()


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_picture_is_told_in_words_that_hold_its_numbers(name: str) -> None:
    picture = PICTURES[name]()
    assert re.search(r"\d", picture.alt)
    assert problems(picture.alt) + problems(picture.caption) == []


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_picture_has_classes_and_no_colours_of_its_own(name: str) -> None:
    root, *parts = elements(name)
    assert root.get("role") == "img"
    assert root.get("aria-label")
    assert parts
    for part in parts:
        assert part.get("class"), part.attrib
        assert not {"fill", "stroke", "style", "color"} & set(part.attrib)


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_everything_in_a_picture_is_inside_of_it(name: str) -> None:
    root, *parts = elements(name)
    height = PICTURES[name]().drawing.height
    for part in parts:
        for key, end in (("x", WIDTH), ("cx", WIDTH), ("y", height), ("cy", height)):
            assert 0 <= float(part.get(key, "0")) <= end, (part.attrib, root.attrib["viewBox"])


def test_every_class_of_a_picture_has_a_style() -> None:
    style = (ROOT / "docs/assets/site.css").read_text("utf-8")
    used = {kind for name in PICTURES for part in elements(name) for kind in part.get("class", "").split()}
    assert {kind for kind in used - {"ink"} if not re.search(rf"\.{kind}\b", style)} == set()


def test_every_picture_is_on_a_page() -> None:
    assert on_pages("picture") == set(PICTURES)


def test_unknown_picture_is_named_with_those_that_there_are(project: Project) -> None:
    with pytest.raises(ValueError, match=r"^lessons/a\.md: no picture `cod`; there are .*\bcold\b"):
        filled(project, "picture: cod")
    assert figure("cold", project, {}, "").startswith('<figure class="picture"')


def test_scale_takes_ends_to_ends() -> None:
    scale = Scale(-1, 3, 10, 50)
    assert [scale(-1), scale(1), scale(3)] == [10, 30, 50]


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, "0.5"), (-0.0, "0"), (-1.25, "−1.25"), (2.0, "2"), (-0.0001, "0")]
)
def test_number_of_a_label_has_no_zeros_at_its_end(value: float, text: str) -> None:
    assert short(value) == text


def starts_with_a_marker(markdown: str) -> list[str]:
    """Lines of text that start with a marker: Markdown takes it for HTML, and the text after it for no paragraph."""
    return re.findall(r"^<!-- .+? -->[^\n]+$", markdown, re.MULTILINE)


def test_no_line_of_text_starts_with_a_marker() -> None:
    pages = [path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md")]
    assert [line for page in pages for line in starts_with_a_marker(page)] == []
    assert starts_with_a_marker("<!-- panel: a -->\n\n<!-- entry: a.B.1.2 -->。\n") != []


# Worked examples


def test_every_lesson_and_every_example_is_on_a_page() -> None:
    assert on_pages("printed") == set(LESSONS)
    assert on_pages("trace") == set(examples())


def test_matrix_shows_decimals_forms_and_theorems(project: Project) -> None:
    shown = filled(project, "matrix: red-key.A")
    assert "0.401112<br>" in shown
    assert "r²/(r + 1 + r²)" in shown
    assert "教程印出其中 9 个数，末位都对" in shown
    assert "abs_redKey_weights_sub_le" in shown


@pytest.mark.parametrize("name", sorted(examples()))
def test_no_english_sentence_is_above_a_matrix(project: Project, name: str) -> None:
    for which in lessons.calculated(name).results:
        (label,) = re.findall(r'<p class="label">(.*?)</p>', filled(project, f"matrix: {name}.{which}"))
        assert set(re.findall(r"[a-z]{2,}", re.sub(r"<[^>]*>", "", label))) <= {"softmax", "exp"}


def test_misprint_is_shown_beside_the_truth(project: Project) -> None:
    shown = filled(project, "printed: self-attention-qkv")
    assert "<mark>0.1977758146404283</mark>" in shown
    assert "<strong>0.1977758146404282</strong>（末位不同）" in shown
    assert shown.count("<mark>") == 1


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_printed_number_of_a_lesson_is_in_its_table(project: Project, lesson: str) -> None:
    numbers = [one.printed for one in constants().values() if one.lesson == lesson]
    for name, one in examples().items():
        if one.lesson == lesson:
            results = lessons.calculated(name).results.values()
            numbers += [number.printed for result in results for number in printed_numbers(result)]
    shown = filled(project, f"printed: {lesson}")
    assert numbers
    assert shown.count("<tr>") == len(numbers) + 1
    assert all(number in shown for number in numbers)


def test_index_of_the_lessons_says_how_many_numbers_they_print() -> None:
    results = [result for name in examples() for result in lessons.calculated(name).results.values()]
    count = len(constants()) + sum(len(printed_numbers(result)) for result in results)
    assert f"一共印出 {count} 个数" in (ROOT / "docs/lessons/index.md").read_text("utf-8")


def test_number_without_a_chinese_name_stops_the_build(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(lessons.CONSTANTS) == set(constants())
    monkeypatch.delitem(lessons.CONSTANTS, "score")
    with pytest.raises(ValueError, match=r"no Chinese for the number `score`"):
        filled(project, "printed: self-attention-qkv")


def test_entry_is_written_out(project: Project) -> None:
    assert filled(project, "entry: red-key.D.3.2") == "<code>D[3, 2] = 1×0 + 1×1 = 1</code>"


def test_whole_output_of_the_command_is_folded(project: Project) -> None:
    shown = filled(project, "trace: red-key")
    assert shown.startswith('<details class="fold trace"')
    assert "63 entries computed in float64" in shown


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        ("matrix: red-kay.A", "no example `red-kay`; did you mean red-key?"),
        ("matrix: red-key.B", "red-key has the matrices X, "),
        ("matrix: red-key", "red-key has the matrices X, "),
        ("entry: red-key.A", "an entry is named like red-key.A.1.2"),
        ("entry: red-key.A.4.1", "A has no entry [4, 1] that is computed"),
        ("entry: red-key.X.1.1", "X has no entry [1, 1] that is computed"),
        ("trace: red", "no example `red`"),
        ("printed: nothing", "no lesson `nothing` prints a number"),
    ],
)
def test_slip_in_a_marker_stops_the_build(project: Project, marker: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"^lessons/a\.md: ") as error:
        filled(project, marker)
    assert message in str(error.value)
