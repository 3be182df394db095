"""What the build inserts into the pages: a slip in a marker, a formula or a source stops it or is shown."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import jieba
import pytest
from docs.inserts import (
    bugs,
    caught,
    chinese,
    commands,
    conditions,
    formulas,
    index,
    markers,
    navigation,
    packages,
    panel,
    redirects,
    site,
    vocabulary,
    words,
)
from docs.inserts.sources import Project, Result, read_project
from docs.typography import problems

from duizhao.breaking.drop import hypotheses
from duizhao.claims.relation import FailsInFloats, Restricted
from tests.mutants import MUTANTS
from tests.zoo import BUGS
from tests.zoo.bug import Bug

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


def shown_panel(project: Project, result: Result) -> str:
    """The panel of a result, on a page beside which there is no other."""
    return panel.render(result, project, {}, "theorems/read/")


def test_panel_under_its_heading_is_filled_in(project: Project) -> None:
    (filled,) = site.fill([page(HEADING + PANEL)], project, formulas.plain)
    assert '</h3><section class="panel"' in filled.html
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
    ],
)
def test_slip_in_a_page_stops_the_build(project: Project, html: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        site.fill([page(html)], project, formulas.plain)
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


def test_state_that_a_build_cannot_know_is_refused(project: Project) -> None:
    with pytest.raises(ValueError, match="no Chinese word for the state `proved`"):
        shown_panel(project, replace(project.results["attention_convex"], state="proved"))


def test_panel_of_a_theorem_that_was_not_run_says_that_axioms_are_not_collected(project: Project) -> None:
    shown = shown_panel(project, project.results["variance_dot"])
    assert "未运行" in shown
    assert "未收集" in shown


def test_panel_without_claim_says_so(project: Project) -> None:
    result = replace(project.results["attention_convex"], claim=None)
    assert "还没有数值检验" in shown_panel(project, result)


def test_statement_with_angle_brackets_is_escaped(project: Project) -> None:
    result = replace(project.results["attention_convex"], statement="a <b> & c")
    assert "a &lt;b&gt; &amp; c" in shown_panel(project, result)


def test_hypothesis_is_cut_from_the_statement_as_lean_writes_it() -> None:
    statement = "t (w : ℝ) (hw₁ : w ≤ f (1 + 1)) {hv : ∀ (i : ι),\n  v i ≤ 1} : P"
    assert conditions.written("hw1", statement) == "hw₁ : w ≤ f (1 + 1)"
    assert conditions.written("hv", statement) == "hv : ∀ (i : ι), v i ≤ 1"
    assert conditions.written("hz", statement) == "hz"
    assert conditions.written("Nonempty", "t {ι : Type} [Fintype ι] [Nonempty ι] : P") == "[Nonempty ι]"


def test_every_topic_state_and_relation_has_a_chinese_word(project: Project) -> None:
    for result in project.results.values():
        assert words.topic(result.topic)
        assert words.state(result.state)
        if result.claim is not None:
            assert words.relation(result.claim.relation.word)


def english_sentences(project: Project) -> dict[str, set[str]]:
    """What the panels take from the sources in English and must show in Chinese, by section."""
    found: dict[str, set[str]] = {
        "conditions": set(),
        "no counterexample": set(),
        "restrictions": set(),
        "witnesses": set(),
        "mutants": {mutant.says for mutant in MUTANTS},
        "bugs": {bug.id for bug in BUGS},
        "commands": commands.sentences(),
    }
    for result in project.results.values():
        if result.claim is not None:
            found["conditions"].update(hypotheses(result.claim).values())
            found["no counterexample"].update(result.claim.without.values())
            relation = result.claim.relation
            if isinstance(relation, Restricted):
                found["restrictions"].add(panel.first_paragraph(relation.predicate))
            if isinstance(relation, FailsInFloats):
                found["witnesses"].add(panel.first_paragraph(relation.witness))
    return found


@pytest.mark.parametrize(
    "section", ["conditions", "no counterexample", "restrictions", "witnesses", "mutants", "bugs", "commands"]
)
def test_every_sentence_in_a_panel_is_chinese_and_no_translation_is_left_over(
    project: Project, section: str
) -> None:
    """A sentence that is missing belongs into docs/inserts/chinese.json, as the source writes it."""
    wanted = english_sentences(project)[section]
    translated = set(chinese.sections()[section])
    assert sorted(wanted - translated) == []
    assert sorted(translated - wanted) == []


def test_typography_of_every_translation_is_right() -> None:
    sentences = [text for section in chinese.sections().values() for text in section.values()]
    assert sentences
    assert [what for text in sentences for _, what in problems(text)] == []


def test_sentence_without_translation_is_marked_as_english() -> None:
    assert chinese.sentence("mutants", "The `x` < 1.") == (
        '<span lang="en">The <code>x</code> &lt; 1.</span>'
    )


def test_condition_names_what_lean_proves_without_it(project: Project) -> None:
    shown = shown_panel(project, project.results["attention_convex"])
    assert shown.count("not_attention_convex_without") == 6
    assert "去掉它，Lean 里有反例" in shown


def test_navigation_shows_the_pages_that_are_there_and_no_others() -> None:
    nav = [
        {"首页": "index.md"},
        {"定理": ["theorems/softmax.md", "theorems/read.md"]},
        {"边界": ["boundaries/mask.md"]},
    ]
    pages = ["index.md", "theorems/read.md", "theorems/new.md", "other.md", "odd/page.md"]
    assert navigation.present(nav, pages) == [
        {"首页": "index.md"},
        {"定理": ["theorems/read.md", "theorems/new.md"]},
        "other.md",
        "odd/page.md",
    ]


def test_redirect_is_relative_so_that_it_works_below_any_folder() -> None:
    text = redirects.page("NeuralNetworks.attention_convex", "theorems/read/", "attention_convex")
    assert 'content="0; url=../../theorems/read/#attention_convex"' in text
    assert '<a href="../../theorems/read/#attention_convex">' in text
    assert '<link rel="canonical" href="../../theorems/read/">' in text
    assert "//" not in text.replace("../", "")


def shown(html: str) -> str:
    """A page with its formulas as TeX."""
    return formulas.replace(html, formulas.plain(list(formulas.find(html))))


def test_formula_is_replaced_with_the_punctuation_after_it_kept_on_its_line() -> None:
    text = shown(r'<p><span class="arithmatex">\(a &lt; w_i\)</span>，</p>')
    assert text.startswith('<p><span class="nobreak"><bdi class="formula" ')
    assert text.endswith("<code>a &lt; w_i</code></bdi>，</span></p>")


def test_displayed_formula_may_break_at_a_quad() -> None:
    text = shown('<div class="arithmatex">\\[\na \\quad b \\qquad c\n\\]</div>')
    assert text.count("<code>") == 3
    assert text.startswith('<section class="formula" tabindex="0"')


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"a \quad b", ["a", "b"]),
        (r"\{ a \quad b", [r"\{ a", "b"]),
        (r"\text{a \quad b} \qquad c", [r"\text{a \quad b}", "c"]),
        (r"\begin{cases} a \quad b \end{cases}", [r"\begin{cases} a \quad b \end{cases}"]),
    ],
)
def test_formula_does_not_break_in_braces_or_environments(tex: str, expected: list[str]) -> None:
    assert formulas.parts(tex) == expected


def test_formula_that_cannot_be_read_is_named_with_its_page(project: Project) -> None:
    def refuse(found: Sequence[formulas.Formula]) -> dict[formulas.Formula, str]:
        if found:
            raise ValueError(f"formula {found[0].tex}: no")
        return {}

    pages = [page("", "a/", "a.md"), page(r'<span class="arithmatex">\(\foo\)</span>', "b/", "b.md")]
    with pytest.raises(ValueError, match=r"^b\.md: formula \\foo: no$"):
        site.fill(pages, project, refuse)


def test_heading_of_a_result_shows_its_id(project: Project) -> None:
    (filled,) = site.fill([page(HEADING + PANEL)], project, formulas.plain)
    assert '<h3 id="attention_convex">标题 <code class="id">attention_convex</code></h3>' in filled.html


def test_index_gives_each_result_its_place_and_title(project: Project) -> None:
    pages = [replace(page(HEADING + PANEL), headings={"attention_convex": "标题"})]
    data = index.data(project, site.links(pages), [("读取", "theorems/read/")])
    by_id = {result["id"]: result for result in data["results"]}
    assert len(by_id) == len(project.results)
    assert by_id["attention_convex"]["page"] == "theorems/read/#attention_convex"
    assert by_id["attention_convex"]["title"] == "标题"
    assert by_id["read_zero"]["page"] is None
    assert data["pages"] == [{"title": "读取", "address": "theorems/read/"}]


def test_panel_of_a_bug_shows_both_outputs_its_reports_and_what_notices_it(project: Project) -> None:
    shown_bug = bugs.panel(project.bugs["scale_twice"], project, {}, "bugs/scale_twice/")
    assert "应有的输出</dt><dd><code>[0.9997]</code>" in shown_bug
    assert "<strong><code>[0.982]</code></strong>" in shown_bug
    assert "https://github.com/huggingface/transformers/pull/38290" in shown_bug
    assert ">log_attentionWeights_div</code>" in shown_bug
    assert "def scale_twice(" in shown_bug


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.id)
def test_page_of_a_bug_explains_it_under_its_panel(bug: Bug) -> None:
    shown = bugs.page(bug)
    assert shown.startswith(f"# {bugs.title(bug)}\n\n{bug.zh}\n\n<!-- bug: {bug.id} -->\n\n## 错在哪里\n")
    assert "\n## 怎样抓住它\n" in shown


def test_no_explanation_is_left_over() -> None:
    assert {file.stem for file in bugs.EXPLAINED.iterdir()} == {bug.id for bug in BUGS}


def test_bug_that_is_not_explained_stops_the_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bugs, "EXPLAINED", tmp_path)
    with pytest.raises(
        ValueError, match="`scale_twice` is not explained: write docs/inserts/explained/scale_t"
    ):
        bugs.page(next(bug for bug in BUGS if bug.id == "scale_twice"))


def test_table_of_bugs_shows_what_was_measured(project: Project) -> None:
    zoo = caught.read(ROOT)
    table = bugs.table(list(project.bugs.values()), project, {})
    known = {bug.id: caught.theorems(zoo, bug) for bug in BUGS}
    assert table.count("●") == sum(id_ in bug.theorems for bug in BUGS for id_ in known[bug.id])
    assert table.count("■") == sum(sum(row["differential"].values()) for row in zoo["bugs"].values())
    assert table.count("◇") == 4
    assert all(set(known[bug.id]) & set(bug.theorems) or bug.policy for bug in BUGS)
    assert "怎样都看不出的有 5 个：" in table


def test_panel_of_a_bug_says_whether_a_differential_test_sees_it() -> None:
    said = {bug.id: caught.differential(caught.read(ROOT), bug) for bug in BUGS}
    assert said["scale_twice"] == "怎样比都看得出"
    assert said["causal_dropped"] == "看得出，只要用因果遮罩"
    assert said["no_max_shift"] == "看不出（float32，相对误差 0.001，常见的输入）"


def test_zoo_that_was_not_measured_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"zoo.json is missing: `make zoo` writes it"):
        caught.read(tmp_path)


@pytest.mark.parametrize(
    ("address", "html", "message"),
    [
        ("bugs/x/", "<!-- bug: x -->", "no bug `x`"),
        ("bugs/", "<!-- bug: scale_twice -->", "belongs on the page bugs/scale_twice/"),
    ],
)
def test_slip_in_the_page_of_a_bug_is_found(project: Project, address: str, html: str, message: str) -> None:
    (found,) = site.check([page(html, address, "bugs/x.md")], project)
    assert message in found


def test_numbers_that_break_a_result_stand_beside_the_condition(project: Project) -> None:
    example = {"case": {"u": 0.0, "v": 1.0, "w": -1.0}, "outputs": {"read": [2.0]}, "amount": 1.0}
    entry = {"dropped": "hw", "hypothesis": "The weight is at least 0.", "counterexample": example}
    broken = replace(project, breaks={"attention_convex": [entry]})
    shown = shown_panel(broken, broken.results["attention_convex"])
    assert "<code>u = 0</code>，<code>v = 1</code>，<code>w = -1</code>" in shown
    assert "算出 <code>read = [2]</code>，差 1。" in shown


def test_reference_of_the_command_has_every_command_and_option() -> None:
    text = commands.markdown()
    for called, command in commands.commands():
        assert f" {called} {{#{called.replace(' ', '-')}}}" in text
        assert all(name in text for option in command.params for name in option.opts if name.startswith("-"))
    assert 'lang="en"' not in text


def test_terms_of_the_glossary_are_kept_whole() -> None:
    vocabulary.teach(vocabulary.read(ROOT / "docs"))
    cut = list(jieba.cut("因果遮罩之后的凸组合加上残差相加，再看标准单纯形"))
    assert {"因果", "遮罩", "凸组合", "残差", "相加", "标准单纯形"} <= set(cut)


def test_only_first_columns_of_tables_are_terms() -> None:
    assert list(
        vocabulary.terms("文字\n\n| 中文 | 含义 |\n| --- | --- |\n| 头、键 | 值 |\n| Lean | x |\n")
    ) == ["头", "键"]


def test_missing_package_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="node_modules/katex/dist is missing: `make docs` installs it"):
        packages.served(tmp_path)


def test_markers_in_code_are_text() -> None:
    assert markers.find("<code>&lt;!-- panel: x --&gt;</code>") == []
