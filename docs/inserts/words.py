"""The Chinese words for what the sources say in English.

* `state`, `relation`, `topic`: the words, or an error that names the missing one.
"""

from collections.abc import Mapping
from typing import TypeVar

STATES = {
    "recorded": ("已记录", "以前由 Lean 检查过，它依据的文件此后没有变过；生成本页时没有重新运行 Lean。"),
    "stale": ("过期", "以前由 Lean 检查过，但它依据的文件后来变了。"),
    "not run": ("未运行", "没有可用的记录，或者证明所依据的公理没有收集。"),
}
"""Name and meaning of each Lean state. `proved` is missing on purpose: building the pages never runs Lean."""

RELATIONS = {
    "exact": ("完全相等", "浮点结果与定理说的数相等（−0 算作 0）。"),
    "budget": ("在误差预算之内", "浮点结果与定理之差不超过一个推导出来的上限。"),
    "restricted": ("在一部分输入上成立", "在写明的那部分输入上，差不超过一个推导出来的上限。"),
    "fails in floats": ("在浮点数里不成立", "严格的说法在浮点数里有反例；较弱的说法仍受检验。"),
    "witness": ("反例", "定理给出的反例，用数算出来。"),
    "statistical": ("统计检验", "在有限的分布上精确计算，或用抽样检验。"),
}
"""Name and meaning of each relation of numbers to a theorem."""

TOPICS = {
    "Softmax": "softmax 权重",
    "Read": "读取",
    "Mask": "遮罩",
    "Attention": "注意力",
    "Temperature": "温度",
    "Blockwise": "分块计算",
    "Sensitivity": "灵敏度",
    "Scaling": "缩放",
    "Rounding": "舍入",
    "MultiHead": "多头",
    "Examples": "例题",
    "Counterexample.Hypotheses": "边界：条件",
    "Counterexample.Mask": "边界：遮罩",
    "Counterexample.Projection": "边界：投影与残差",
    "Counterexample.Scaling": "边界：缩放",
    "Counterexample.Weights": "边界：权重",
}
"""Name of each topic, in the order of the home page."""


Word = TypeVar("Word")


def _look_up(kind: str, words: Mapping[str, Word], key: str) -> Word:
    if key not in words:
        raise ValueError(f"no Chinese word for the {kind} `{key}`: add it to docs/inserts/words.py")
    return words[key]


def state(key: str) -> tuple[str, str]:
    """Return the name and the meaning of a Lean state.

    Raises:
        ValueError: If there is no word for it.
    """
    return _look_up("state", STATES, key)


def relation(key: str) -> tuple[str, str]:
    """Return the name and the meaning of a relation.

    Raises:
        ValueError: If there is no word for it.
    """
    return _look_up("relation", RELATIONS, key)


def topic(key: str) -> str:
    """Return the name of a topic.

    Raises:
        ValueError: If there is no word for it.
    """
    return _look_up("topic", TOPICS, key)
