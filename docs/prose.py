"""Checks the words of the Chinese pages: `python docs/prose.py` names what is wrong, and exits 1.

* `problems`: what is wrong in one page.
* `main`: the command.

What counts: a term of the glossary under another name, a phrase that says nothing, a formula in a heading, a dollar sign
without its pair, and a link written with its own address. Code, formulas and comments are not looked at.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(
    0, str(Path(__file__).resolve().parents[1])
)  # for `docs.typography` where this is run as a program

from docs import typography

OTHER_NAMES = {
    "掩码": "遮罩",
    "掩膜": "遮罩",
    "蒙版": "遮罩",
    "屏蔽": "遮罩",
    "注意力机制": "注意力",
    "打分": "分数",
    "评分": "分数",
    "权值": "权重",
    "残差连接": "残差相加",
    "跳跃连接": "残差相加",
    "温度系数": "温度",
    "温度参数": "温度",
    "误差界": "误差预算",
    "容差": "误差预算",
    "断言": "数值检验",
    "哈希": "散列值",
    "突变": "变异体",
    "总账": "总表",
    "单纯型": "标准单纯形",
    "凸性组合": "凸组合",
    "浮点数字": "浮点数",
    "查询向量": "查询",
    "键向量": "键",
    "值向量": "值",
}
"""Names that a term of the glossary also has elsewhere, and that term."""

EMPTY = (
    "众所周知",
    "值得注意的是",
    "值得一提",
    "毫无疑问",
    "显而易见",
    "不难看出",
    "不难发现",
    "让我们",
    "综上所述",
    "总而言之",
    "简而言之",
    "简单来说",
    "换句话说",
    "事实上",
    "在本节中",
    "在这一节中",
    "非常重要",
    "至关重要",
    "起着重要",
    "扮演",
    "赋能",
    "助力",
    "优雅",
    "完美",
    "强大的",
    "轻松",
    "进行了",
)
"""Phrases that can be left out, or that plain Chinese does not use."""

RULES = (
    *((re.compile(other), f"the glossary says {term}") for other, term in OTHER_NAMES.items()),
    *((re.compile(phrase), "an empty phrase") for phrase in EMPTY),
)
FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1 *$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"(`+)(?:.+?)\1")
HEADING = re.compile(r"^#+ .*\$", re.MULTILINE)
BARE = re.compile(r"\[(https?://[^\]]+)\]\(\1\)|(?<![(<\"'\]`])\bhttps?://\S+")
UNPAIRED = re.compile(r"(?<!\\)\$")


def problems(markdown: str) -> Iterator[tuple[int, str]]:
    """Yield what is wrong in a page: line number and sentence."""
    for number, line in typography.text_lines(markdown):
        for rule, what in RULES:
            for match in rule.finditer(line):
                yield number, f"{match[0]}: {what}"
    text = CODE.sub("", FENCE.sub(lambda block: "\n" * block[0].count("\n"), markdown))
    for match in HEADING.finditer(text):
        yield _line(text, match.start()), "a formula in a heading, where search and links cannot show it"
    for match in BARE.finditer(text):
        yield _line(text, match.start()), f"{match[0]}: an address for a link's text"
    start = 0
    for paragraph in text.split("\n\n"):
        if len(UNPAIRED.findall(paragraph)) % 2:
            yield _line(text, start), "a dollar sign without its pair"
        start += len(paragraph) + 2


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def main(pages: list[Path]) -> int:
    """Check pages, all of `docs/` where none is given; print each problem; return the exit code."""
    return typography.main(pages, problems)


if __name__ == "__main__":
    sys.exit(main([Path(argument) for argument in sys.argv[1:]]))
