"""The pages as they are written: their typography, and their numbers, which are computed again."""

import ast
import doctest
import operator
import re
import textwrap
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from docs.typography import main, problems, told

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))

FORMULA = re.compile(r"\$\$(?P<display>.+?)\$\$|\$(?P<inline>[^$\n]+)\$", re.DOTALL)
PARTS = re.compile(r"[,;]?\s*\\q?quad\b")
TEX = [
    (re.compile(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}"), r"((\1)/(\2))"),
    (re.compile(r"\\(?:cdot|times)\b"), "*"),
    (re.compile(r"\\(?:left|right|bigl|bigr)(?![A-Za-z])|\\[,;: ]"), ""),
    (re.compile(r"\\le\b"), "<="),
    (re.compile(r"\\ge\b"), ">="),
    (re.compile(r"\\ne\b"), "!="),
    (re.compile(r"(?<![<>!=])=(?!=)"), "=="),
]
NUMERIC = re.compile(r"[\d+\-*/().\s<>=!]+")
DOCTEST = re.compile(r"^(?P<indent> *)```pycon\n(?P<code>.*?)^ *```$", re.DOTALL | re.MULTILINE)

BINARY: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
RELATIONS: dict[type[ast.cmpop], Callable[[Fraction, Fraction], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def value(node: ast.expr, source: str) -> Fraction:
    """The exact value of an arithmetic expression: decimals are what they say."""
    if isinstance(node, ast.Constant):
        return Fraction(ast.get_source_segment(source, node) or "")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -value(node.operand, source)
    if isinstance(node, ast.BinOp):
        return BINARY[type(node.op)](value(node.left, source), value(node.right, source))
    raise ValueError(f"{source}: not arithmetic")


def numeric_statements(markdown: str) -> Iterator[tuple[str, bool]]:
    """Formulas that relate numbers to numbers, such as `$2 + 1 = 3$`, and whether they are true."""
    formulas = (match["display"] or match["inline"] for match in FORMULA.finditer(markdown))
    for part in (part for formula in formulas for part in PARTS.split(formula)):
        tex = text = part.strip()
        for pattern, replacement in TEX:
            text = pattern.sub(replacement, text)
        if not NUMERIC.fullmatch(text):
            continue
        node = ast.parse(text, mode="eval").body
        if isinstance(node, ast.Compare):
            sides = [value(side, text) for side in (node.left, *node.comparators)]
            relations = [RELATIONS[type(relation)] for relation in node.ops]
            yield tex, all(r(a, b) for r, a, b in zip(relations, sides, sides[1:], strict=False))


def wrong_examples(markdown: str, name: str) -> list[str]:
    """What Python says of the examples of a page that do not give what the page says."""
    out: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    for block in DOCTEST.finditer(markdown):
        code = textwrap.dedent(block["code"])
        runner.run(doctest.DocTestParser().get_doctest(code, {}, name, name, 0), out=out.append)
    return out


def test_typography_of_every_page_is_right() -> None:
    assert PAGES
    assert list(told(PAGES, problems)) == []


@pytest.mark.parametrize(
    "line",
    [
        "用Lean证明",
        "共 3条",
        "权重$w$不为负",
        "运行`make`即可",
        "中文,逗号",
        "中文。 空格",
        "太好了！",
        "太好了!",
        "您好",
        '他说"好"',
        "中 文",
        "| 名称 | 用Lean证明 |",
        "见[Lean](x.md)一页",
        "**Lean**证明",
    ],
)
def test_slip_of_typography_is_found(line: str) -> None:
    assert len(problems(f"# 标题\n\n{line}\n")) >= 1


@pytest.mark.parametrize(
    "line",
    [
        "用 Lean 证明 3 条，见 `make check`。",
        "权重 $w$（不为负）加起来是 $1$。",
        "**粗体。**后面的字",
        '??? success "解答"',
        "### 标题 {#attention_convex}",
        "<!-- panel: attention_convex -->",
        "见[术语表](glossary.md)和 [Lean](x.md) 一页。",
        "1. 第一条",
        "```\n中文,code!\n```",
        "$$\na中b!\n$$",
    ],
)
def test_right_typography_is_let_through(line: str) -> None:
    assert problems(line) == []


def test_command_names_the_place_of_a_slip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("# 标题\n\n用Lean证明。\n", encoding="utf-8")
    assert main([page]) == 1
    assert capsys.readouterr().out.startswith(f"{page}:3: a space is missing")


def test_every_numeric_statement_of_the_pages_is_true() -> None:
    statements = [statement for page in PAGES for statement in numeric_statements(page.read_text("utf-8"))]
    assert statements
    assert [tex for tex, true in statements if not true] == []


@pytest.mark.parametrize(
    "markdown",
    [
        r"$(-1) \cdot 0 + (1 - (-1)) \cdot 1 = 3$",
        r"$\frac{8 - 3.5}{8 - 2} = 0.76$",
        r"$2 \cdot 1 = 2 > 3$",
        "$$0.1 + 0.2 = 0.30000000000000004$$",
        r"$$x = 1,\quad 1 + 1 = 3$$",
    ],
)
def test_false_numeric_statement_is_found(markdown: str) -> None:
    assert [true for _, true in numeric_statements(markdown)] == [False]


def test_formula_with_a_variable_is_no_numeric_statement() -> None:
    assert list(numeric_statements("$w = 3$, $0.5$ and $x$")) == []


def test_every_python_example_of_the_pages_gives_what_the_page_says() -> None:
    blocks = [page for page in PAGES if DOCTEST.search(page.read_text("utf-8"))]
    assert blocks
    assert [line for page in blocks for line in wrong_examples(page.read_text("utf-8"), page.name)] == []


def test_wrong_python_example_is_found() -> None:
    found = "".join(wrong_examples("1. 题\n\n    ```pycon\n    >>> 0.1 + 0.2\n    0.3\n    ```\n", "page"))
    assert "0.30000000000000004" in found


def test_every_block_of_python_prompts_is_run() -> None:
    prompts = re.compile(r"^ *>>> ", re.MULTILINE)
    for page in PAGES:
        text = page.read_text("utf-8")
        assert len(prompts.findall(text)) == len(
            prompts.findall("".join(m[0] for m in DOCTEST.finditer(text)))
        )


def names_that_do_not_occur(glossary: str, column: int, sources: str) -> list[str]:
    """Identifiers in code in one column of the glossary's tables that do not occur in the sources."""
    rows = [line.split("|") for line in glossary.splitlines() if line.startswith("| ")]
    code = re.findall(r"`([^`]+)`", " ".join(row[column] for row in rows))
    words = {word for text in code for word in re.findall(r"\w+", text)}
    return sorted(words - set(re.findall(r"\w+", sources)))


def test_every_name_in_the_glossary_occurs_in_the_sources() -> None:
    glossary = (ROOT / "docs/glossary.md").read_text("utf-8")
    for heading, folders, pattern in (("Lean", ["lean"], "*.lean"), ("Python", ["python", "tests"], "*.py")):
        column = next(line for line in glossary.splitlines() if heading in line and "|" in line).split("|")
        sources = [path.read_text("utf-8") for folder in folders for path in (ROOT / folder).rglob(pattern)]
        index = [cell.strip() for cell in column].index(heading)
        assert names_that_do_not_occur(glossary, index, "\n".join(sources)) == []


def test_name_in_the_glossary_that_does_not_occur_is_found() -> None:
    assert names_that_do_not_occur("| 读取 | `read w q` |\n| 头 | `head` |", 2, "def read (w") == [
        "head",
        "q",
    ]
