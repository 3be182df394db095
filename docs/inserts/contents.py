"""What the pages say of many results at once, and of the record.

* `mention`: one result by its id and state, in a sentence.
* `topics`: the table of topics, and the results of each.
* `record`: when and with what Lean last ran, and how many results are in which state.
"""

# ruff: noqa: RUF001 (Chinese punctuation)

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape

from docs.inserts import words
from docs.inserts.sources import Project, Result

Links = Mapping[str, tuple[str, str]]
"""For each id with a panel, the address of its page and its heading."""


def relative(address: str, here: str) -> str:
    """Return the way from the page at `here` to the one at `address`, both ending with a slash or empty."""
    return posixpath.relpath(address or ".", here or ".") + "/"


def link(result: Result, links: Links, here: str, text: str) -> str:
    """Return `text` as a link from the page at `here` to the result, or as it is if that has no page."""
    if result.id not in links:
        return text
    address, _ = links[result.id]
    path = "" if address == here else relative(address, here)
    return f'<a href="{escape(path)}#{escape(result.id)}">{text}</a>'


def mention(result: Result, links: Links, here: str) -> str:
    """Return a result by its id, the full Lean name as the title, with its state."""
    name, meaning = words.state(result.state)
    code = link(result, links, here, f'<code title="{escape(result.name)}">{escape(result.id)}</code>')
    return f'<span class="mention">{code}（<span title="{escape(meaning)}">{name}</span>）</span>'


def states(results: Iterable[Result]) -> str:
    """Return how many of the results are in which state."""
    count = Counter(result.state for result in results)
    return "，".join(f"{words.state(state)[0]} {count[state]}" for state in words.STATES if count[state])


def topics(project: Project, links: Links, here: str) -> str:
    """Return the table of topics, and under it the ids, sentences and states of each topic, folded.

    Raises:
        ValueError: If a topic or a state has no Chinese word.
    """
    by_topic: dict[str, list[Result]] = {}
    for result in project.results.values():
        by_topic.setdefault(result.topic, []).append(result)
    order = sorted(by_topic, key=lambda topic: list(words.TOPICS).index(topic) if words.topic(topic) else 0)
    rows = []
    folds = []
    for topic in order:
        results = by_topic[topic]
        name = escape(words.topic(topic))
        first = next((links[result.id][0] for result in results if result.id in links), None)
        label = (
            name
            if first is None
            else f'<a href="{escape(posixpath.relpath(first, here or "."))}/">{name}</a>'
        )
        rows.append(
            f"<tr><td>{label}</td><td><code>{escape(topic)}</code></td>"
            f"<td>{len(results)}</td><td>{states(results)}</td></tr>"
        )
        folds.append(
            f'<details class="results"><summary>{name}：{len(results)} 条</summary>'
            f"{_results(results, links, here)}</details>"
        )
    return (
        "<table><thead><tr><th>专题</th><th>Lean 模块</th><th>条数</th><th>Lean 状态</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>{''.join(folds)}"
    )


def _results(results: Iterable[Result], links: Links, here: str) -> str:
    rows = []
    for result in results:
        code = link(result, links, here, f"<code>{escape(result.id)}</code>")
        if result.id in links:
            sentence = link(result, links, here, links[result.id][1])
        else:
            sentence = f'<span lang="en">{escape(result.sentence)}</span>'
        rows.append(f"<tr><td>{code}</td><td>{sentence}</td><td>{words.state(result.state)[0]}</td></tr>")
    head = "<tr><th>名称</th><th>内容</th><th>Lean 状态</th></tr>"
    return f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def record(project: Project) -> str:
    """Return what is known of the last run of Lean, with the axioms that the results rest on."""
    axioms = sorted({axiom for result in project.results.values() for axiom in result.axioms or ()})
    listed = "、".join(f"<code>{escape(axiom)}</code>" for axiom in axioms)
    lean = project.lean
    rows = [
        ("日期", escape(lean.date or "没有记录")),
        ("Lean", f"<code>{escape(lean.toolchain or '未知')}</code>"),
        ("Mathlib", escape(lean.mathlib or "未知")),
        ("怎样得到", f'<span lang="en">{escape(lean.how or "–")}</span>'),
        ("结果", f"{len(project.results)} 条：{states(project.results.values())}"),
        ("用到的公理", listed or "无"),
    ]
    return f'<dl class="facts">{"".join(f"<dt>{term}</dt><dd>{fact}</dd>" for term, fact in rows)}</dl>'
