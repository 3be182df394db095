"""What the build inserts into the pages: a slip in a marker, a formula or a source stops it or is shown."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from docs.inserts import formulas, markers, panel, redirects, site, words
from docs.inserts.sources import Project, read_project

ROOT = Path(__file__).resolve().parents[1]
HEADING = '<h3 id="attention_convex">标题</h3>'
PANEL = "<!-- panel: attention_convex -->"


@pytest.fixture(scope="module")
def project() -> Project:
    """What this repository says."""
    return read_project(ROOT)


def page(html: str, address: str = "theorems/read/", source: str = "theorems/read.md") -> site.Page:
    """A page of the topic Read, unless said otherwise."""
    return site.Page(source, address, html)


def test_panel_under_its_heading_is_filled_in(project: Project) -> None:
    (filled,) = site.fill([page(HEADING + PANEL)], project)
    assert filled.html.startswith(f"{HEADING}<section ")
    assert "<!--" not in filled.html


@pytest.mark.parametrize(
    ("html", "message"),
    [
        (HEADING + PANEL + PANEL, "theorems/read.md: the panel of `attention_convex` stands twice"),
        (PANEL, "needs one heading with {#attention_convex}, there are 0"),
        (HEADING * 2 + PANEL, "needs one heading with {#attention_convex}, there are 2"),
        ("<!-- panel: attention_convx -->", "no theorem `attention_convx`; did you mean attention_convex?"),
        ("<!-- result: qqq -->", "theorems/read.md: no theorem `qqq`"),
        ("<!-- pannel: attention_convex -->", "is no marker"),
        ("<!-- panel -->", "is no marker"),
        ("<!-- topics: attention_convex -->", "is no marker"),
        ("<!-- a remark -->", "is no marker"),
        (r'<span class="arithmatex">\(\foo\)</span>', "theorems/read.md: formula '\\\\foo'"),
    ],
)
def test_slip_in_a_page_stops_the_build(project: Project, html: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        site.fill([page(html)], project)
    assert message in str(error.value)


def test_panel_on_two_pages_or_on_the_page_of_another_topic_stops_the_build(project: Project) -> None:
    other = page(HEADING + PANEL, "theorems/softmax/", "theorems/softmax.md")
    found = list(site.check([page(HEADING + PANEL), replace(other, html=HEADING + PANEL)], project))
    assert found == [
        "theorems/softmax.md: the panel of `attention_convex` stands twice, first in theorems/read.md"
    ]
    assert list(site.check([other], project)) == [
        "theorems/softmax.md: the panel of `attention_convex` belongs on the page theorems/read/"
    ]


def test_only_results_with_a_panel_are_led_to(project: Project) -> None:
    pages = [page(HEADING + PANEL + "<!-- result: read_zero -->")]
    assert site.targets(pages, project) == {
        "NeuralNetworks.attention_convex": ("theorems/read/", "attention_convex")
    }


def test_stale_theorem_is_shown_as_stale(tmp_path: Path) -> None:
    for name in ("lean", "ledger"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("lakefile.lean", "lean-toolchain", "lake-manifest.json"):
        shutil.copy(ROOT / name, tmp_path)
    source = tmp_path / "lean/NeuralNetworks/Read.lean"
    source.write_text(
        source.read_text(encoding="utf-8").replace("Between the values", "between"), encoding="utf-8"
    )
    changed = read_project(tmp_path)
    shown = panel.render(changed.results["attention_convex"], changed)
    assert "过期" in shown
    assert "已记录" not in shown


def test_state_that_a_build_cannot_know_is_refused(project: Project) -> None:
    with pytest.raises(ValueError, match="no Chinese word for the state `proved`"):
        panel.render(replace(project.results["attention_convex"], state="proved"), project)


def test_panel_of_a_theorem_that_was_not_run_says_that_axioms_are_not_collected(project: Project) -> None:
    shown = panel.render(project.results["variance_dot"], project)
    assert "未运行" in shown
    assert "未收集" in shown


def test_panel_without_claim_says_so(project: Project) -> None:
    result = replace(project.results["attention_convex"], claim=None)
    assert "还没有数值检验" in panel.render(result, project)


def test_statement_with_angle_brackets_is_escaped(project: Project) -> None:
    result = replace(project.results["attention_convex"], statement="a <b> & c")
    assert "a &lt;b&gt; &amp; c" in panel.render(result, project)


def test_hypothesis_is_cut_from_the_statement_as_lean_writes_it() -> None:
    statement = "t (w : ℝ) (hw₁ : w ≤ f (1 + 1)) {hv : ∀ (i : ι),\n  v i ≤ 1} : P"
    assert panel.hypothesis("hw1", statement) == "hw₁ : w ≤ f (1 + 1)"
    assert panel.hypothesis("hv", statement) == "hv : ∀ (i : ι), v i ≤ 1"
    assert panel.hypothesis("hz", statement) == "hz"
    assert panel.hypothesis("Nonempty", "t {ι : Type} [Fintype ι] [Nonempty ι] : P") == "[Nonempty ι]"


def test_every_topic_state_and_relation_has_a_chinese_word(project: Project) -> None:
    for result in project.results.values():
        assert words.topic(result.topic)
        assert words.state(result.state)
        if result.claim is not None:
            assert words.relation(result.claim.relation.word)


def test_redirect_is_relative_so_that_it_works_below_any_folder() -> None:
    text = redirects.page("NeuralNetworks.attention_convex", "theorems/read/", "attention_convex")
    assert 'content="0; url=../../theorems/read/#attention_convex"' in text
    assert '<a href="../../theorems/read/#attention_convex">' in text
    assert '<link rel="canonical" href="../../theorems/read/">' in text
    assert "//" not in text.replace("../", "")


def test_formula_becomes_mathml_and_keeps_its_tex() -> None:
    text = formulas.convert(r'<p><span class="arithmatex">\(a &lt; w_i\)</span>，</p>')
    assert text.startswith('<p><span class="nobreak"><math')
    assert 'alttext="a &lt; w_i"' in text
    assert "<msub><mi>w</mi><mi>i</mi></msub>" in text
    assert text.endswith("</math>，</span></p>")


def test_displayed_formula_may_break_at_a_quad() -> None:
    text = formulas.convert('<div class="arithmatex">\\[\na \\quad b \\qquad c\n\\]</div>')
    assert text.count("<math") == 3
    assert text.startswith('<div class="formula" tabindex="0">')


def test_sign_is_no_binary_operator_and_function_no_operator() -> None:
    assert '<mo form="prefix">−</mo><mn>1</mn>' in formulas.to_mathml("(-1) - 2", display=False)
    assert "<mo>−</mo><mn>2</mn>" in formulas.to_mathml("(-1) - 2", display=False)
    assert "<mi>max</mi>" in formulas.to_mathml(r"\max(u, v)", display=False)


@pytest.mark.parametrize(
    "tex", [r"\foo", "x^{", r"\frac{a}{b", "}", "{a", r"\begin{foo} a \end{foo}", "a & b", r"a \\ b \bar"]
)
def test_formula_that_does_not_convert_is_refused(tex: str) -> None:
    with pytest.raises(ValueError, match=r"^formula "):
        formulas.to_mathml(tex, display=False)


def test_markers_in_code_are_text() -> None:
    assert markers.find("<code>&lt;!-- panel: x --&gt;</code>") == []
