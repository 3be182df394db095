"""The words of the pages: terms from the glossary alone, no empty phrases, formulas and links as they should be."""

from pathlib import Path

import pytest
from docs.inserts import chinese
from docs.prose import OTHER_NAMES, main, problems
from docs.typography import told

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))


def test_words_of_every_page_are_right() -> None:
    assert PAGES
    assert list(told(PAGES, problems)) == []


def test_words_of_every_translation_are_right() -> None:
    sentences = [text for section in chinese.sections().values() for text in section.values()]
    assert [what for text in sentences for _, what in problems(text)] == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("用掩码规定哪些键许读。", "the glossary says 遮罩"),
        ("| 名称 | 权值 |", "the glossary says 权重"),
        ("值得注意的是，输出不变。", "an empty phrase"),
        ("## 权重 $w$ 的和", "a formula in a heading"),
        ("权重 $w 不为负。", "a dollar sign without its pair"),
        ("见 https://example.org/x 一页。", "an address for a link's text"),
        ("见 [https://example.org](https://example.org)。", "an address for a link's text"),
    ],
)
def test_slip_of_words_is_found_with_its_line(text: str, what: str) -> None:
    (found,) = problems(f"# 标题\n\n{text}\n")
    assert found[0] == 3
    assert what in found[1]


@pytest.mark.parametrize(
    "text",
    [
        "遮罩规定哪些键许读。权重 $w$ 不为负，见[一页](https://example.org/x)。",
        "代码里写作 `掩码` 和 `$HOME`。",
        "```sh\necho $HOME 掩码 https://example.org\n```",
        "$$\na + b\n$$",
        "<!-- panel: attention_convex -->",
    ],
)
def test_right_words_are_let_through(text: str) -> None:
    assert list(problems(text)) == []


def test_every_other_name_stands_for_a_term_of_the_glossary() -> None:
    glossary = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    assert [term for term in OTHER_NAMES.values() if f"| {term} |" not in glossary] == []


def test_no_other_name_is_part_of_a_term_of_the_glossary() -> None:
    glossary = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    terms = [line.split("|")[1].strip() for line in glossary.splitlines() if line.startswith("| ")]
    assert [(other, term) for other in OTHER_NAMES for term in terms if other in term] == []


def test_command_names_the_place_of_a_slip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("# 标题\n\n用掩码。\n", encoding="utf-8")
    assert main([page]) == 1
    assert capsys.readouterr().out.startswith(f"{page}:3: 掩码: the glossary says 遮罩")
