"""The picture: a valid file, Chinese that can be read, the hull of the values."""

import io
import json
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from fontTools.pens.boundsPen import BoundsPen  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from hypothesis import given
from matplotlib import font_manager
from PIL import Image
from scripts.subset_font import TARGET, reduced
from tests.trace.running import refused, trace

from duizhao.examples import example, examples
from duizhao.trace import fonts
from duizhao.trace.calculation import calculate
from duizhao.trace.hull import hull
from duizhao.trace.plot import plot
from duizhao.trace.problem import of_example

font_manager.findfont(
    "DejaVu Sans"
)  # matplotlib lists the fonts of a machine once, and says so: not in a test
LICENCE = TARGET.with_name("duizhao-sans-licence.txt")


# The font


def test_font_has_a_glyph_with_an_outline_for_every_character_of_a_plot() -> None:
    font = TTFont(TARGET)
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    for character in fonts.CHARACTERS:
        name = names[ord(character)]
        assert name != ".notdef"
        pen = BoundsPen(glyphs)
        glyphs[name].draw(pen)
        assert (pen.bounds is None) == (character == " "), character


def test_font_has_every_character_of_every_word_and_no_others() -> None:
    assert set("".join(fonts.WORDS.values())) <= set(fonts.CHARACTERS)
    assert {chr(code) for code in TTFont(TARGET).getBestCmap()} == set(fonts.CHARACTERS)


def test_font_is_small_and_bears_a_name_of_its_own() -> None:
    assert TARGET.stat().st_size < 200_000
    assert TTFont(TARGET)["name"].getDebugName(1) == fonts.FAMILY


def test_font_is_what_the_script_makes_of_its_characters() -> None:
    assert reduced(TARGET.read_bytes()) == TARGET.read_bytes()


def test_licence_of_the_font_is_there_in_full() -> None:
    text = LICENCE.read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1 - 26 February 2007" in text
    assert "© 2014-2021 Adobe" in text
    assert text.rstrip().endswith("OTHER DEALINGS IN THE FONT SOFTWARE.")


def test_character_that_only_another_font_has_is_looked_up_there() -> None:
    with fonts.bundled() as path:
        assert fonts.choose(path, ["查询", "key"]) == (["Duizhao Sans", "DejaVu Sans"], "")
        assert fonts.choose(path, ["ж"]) == (["Duizhao Sans", "DejaVu Sans"], "")
        assert fonts.choose(path, ["\U00013000b"])[1] == "\U00013000"


# The file; a glyph that is missing would be a warning, and so an error here


@pytest.mark.parametrize("name", list(examples()))
def test_every_example_is_drawn_without_a_missing_glyph(name: str, tmp_path: Path) -> None:
    outcome = trace(name, "--plot", tmp_path / "a.png")
    assert (outcome.code, outcome.err) == (0, "")
    with Image.open(tmp_path / "a.png") as picture:
        picture.load()
        assert picture.format == "PNG"
        assert picture.width > 1000
        assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 50


def test_svg_is_a_drawing_with_outlines_for_its_letters(tmp_path: Path) -> None:
    assert trace("red-key", "--plot", tmp_path / "a.svg").code == 0
    root = ET.parse(tmp_path / "a.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.findall(".//{http://www.w3.org/2000/svg}text") == []
    comments = (tmp_path / "a.svg").read_text(encoding="utf-8")
    for word in ("weights", "query", "key", "outputs_in_hull", "value", "output", "hull"):
        assert f"<!-- {fonts.WORDS[word]} -->" in comments


def test_pdf_holds_the_bundled_font(tmp_path: Path) -> None:
    assert trace("red-key", "--causal", "--plot", tmp_path / "a.PDF").code == 0
    content = (tmp_path / "a.PDF").read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    assert b"DuizhaoSans" in content


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_same_calculation_gives_the_same_bytes(kind: str, tmp_path: Path) -> None:
    calculation = calculate(of_example(example("red-key")), "float64")
    files = [tmp_path / f"{number}.{kind}" for number in range(2)]
    for file in files:
        assert plot(calculation, file) == []
    assert files[0].read_bytes() == files[1].read_bytes()


def test_trace_is_printed_as_without_a_plot(tmp_path: Path) -> None:
    assert trace("one-query", "--plot", tmp_path / "a.svg").out == trace("one-query").out


def test_title_names_what_is_drawn_and_wider_values_say_which_coordinates(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"Q": [[1]], "K": [[1], [2]], "V": [[1, 2, 3], [4, 5, 6]], "temperature": 2}))
    assert trace("-i", file, "--plot", tmp_path / "a.svg").code == 0
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "<!-- float64 · T = 2 -->" in text
    assert "（3 个坐标中的前两个）" in text
    assert "值的凸包" in text


def test_one_coordinate_is_drawn_as_an_interval(tmp_path: Path) -> None:
    assert trace("two-values", "--plot", tmp_path / "a.svg").code == 0
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert f"<!-- {fonts.WORDS['interval']} -->" in text
    assert f"<!-- {fonts.WORDS['outputs_in_interval']} -->" in text
    assert "<!-- two-values · float64 -->" in text


@pytest.mark.parametrize(
    "given_parts",
    [
        {"A": [[0.5, 0.5]], "V": [[1e-320, 5e-324], [2e-320, 0]]},
        {"A": [[1e5, -3e7]], "V": [[1e90, 5], [2, 0]]},
        {"A": [[1]], "V": [[3]]},
        {"A": [[1]], "V": [[3, 3]]},
        {"A": [[0.5, 0.5], [1, 0]], "V": [[3, 3], [3, 3]]},
        {"A": [[1 / 64] * 64] * 64, "V": [[i, i * i] for i in range(64)]},
        {"A": [[0.5, 0.5]], "V": [[1, 2], [3, 4]], "labels": ["$x$", "\\frac"]},
        {"A": [[0.1] * 10], "V": [[i, i * i] for i in range(10)], "labels": [f"{'w' * 39}{i}" for i in range(10)]},
    ],
)  # fmt: skip
def test_awkward_numbers_and_labels_are_drawn(given_parts: dict[str, object], tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps(given_parts))
    outcome = trace("-i", file, "--plot", tmp_path / "a.png")
    assert (outcome.code, outcome.err) == (0, "")


def test_label_that_no_font_has_becomes_a_number_and_a_note(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"A": [[0.5, 0.5]], "V": [[1, 2], [3, 4]], "labels": ["\U00013000", "b"]}))
    outcome = trace("-i", file, "--plot", tmp_path / "a.svg")
    assert outcome.code == 0
    assert outcome.err == (
        "duizhao: no font here has \U00013000; the picture numbers the positions instead\n"
    )
    assert "\U00013000" not in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_without_matplotlib_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    line = refused("red-key", "--plot", tmp_path / "a.png")
    assert line == '--plot needs matplotlib; install it with pip install "duizhao[plot]"'
    assert trace("red-key").code == 0


def test_file_that_cannot_be_written_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = refused("red-key", "--plot", "nowhere/a.png")
    assert line == "--plot: nowhere/a.png cannot be written (No such file or directory)"


def test_numbers_that_no_picture_can_hold_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"A": [[1]], "V": [[1e200, 0]]}))
    assert refused("-i", file, "--plot", tmp_path / "a.png") == "--plot: numbers beyond 1e+100 are not drawn"
    assert not (tmp_path / "a.png").exists()


# The hull

POINTS = st.lists(st.tuples(*[st.integers(-4, 4).map(float)] * 2), min_size=1, max_size=12)


def inside(corners: list[tuple[Fraction, Fraction]], x: Fraction, y: Fraction) -> bool:
    """Whether a point lies in a polygon that is given anticlockwise, its border included."""
    sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
    return all((bx - ax) * (y - ay) >= (by - ay) * (x - ax) for (ax, ay), (bx, by) in sides)


@given(points=POINTS)
def test_hull_holds_every_point_and_has_no_corner_too_many(points: list[tuple[float, float]]) -> None:
    corners = [(Fraction(x), Fraction(y)) for x, y in hull(np.array(points)).tolist()]
    assert set(corners) <= {(Fraction(x), Fraction(y)) for x, y in points}
    if len(corners) > 2:
        assert all(inside(corners, Fraction(x), Fraction(y)) for x, y in points)
        for left_out in range(len(corners)):
            others = corners[:left_out] + corners[left_out + 1 :]
            assert len(others) < 3 or not inside(others, *corners[left_out])


def test_hull_of_points_on_a_line_has_its_two_ends() -> None:
    points = np.array([[1.0, 1.0], [0.0, 0.0], [3.0, 3.0], [2.0, 2.0], [3.0, 3.0]])
    assert hull(points).tolist() == [[0, 0], [3, 3]]
    assert hull(points[:1]).tolist() == [[1, 1]]


def test_hull_of_the_lesson_is_the_triangle_of_its_values() -> None:
    buffer = io.StringIO()
    print(sorted(hull(np.array([[1.0, 0.0], [1.0, 2.0], [2.0, 2.0]])).tolist()), file=buffer)
    assert buffer.getvalue() == "[[1.0, 0.0], [1.0, 2.0], [2.0, 2.0]]\n"
