"""The panel of one result: what Lean proves, what the numbers do, and how to see it oneself.

* `render`: the panel as HTML.
* `statement`, `source`, `claimed`: its Lean statement, its lines of the Lean file with the proof, and its numerical
  counterpart, for pages without a panel.
* `first_paragraph`: what it takes from a docstring.
"""

# ruff: noqa: RUF001 (Chinese punctuation)

import inspect
from collections.abc import Iterable
from html import escape

from docs.inserts import conditions, words
from docs.inserts.chinese import english, sentence
from docs.inserts.contents import Links
from docs.inserts.sources import Project, Result

from duizhao.claims.claim import Claim
from duizhao.claims.relation import FailsInFloats, Restricted

HASH_DIGITS = 12
"""How many digits of a file's SHA-256 a panel shows."""


def render(result: Result, project: Project, links: Links, here: str) -> str:
    """Return the panel of a result for the page at `here`.

    Raises:
        ValueError: If a state or relation has no Chinese word.
    """
    claim = result.claim
    facts = [
        _lean(result, project),
        *_numbers(result),
        *_conditions(result, project, links, here),
        *_mutants(result),
    ]
    rows = "".join(f"<dt>{term}</dt><dd>{fact}</dd>" for term, fact in facts)
    parts = [
        f'<dl class="facts">{rows}</dl>',
        _statement(result),
        _fold(
            "proof",
            f"Lean 证明（<code>{escape(result.file)}</code>，第 {result.first} – {result.last} 行）",
            source(result),
        ),
    ]
    if claim is not None:
        parts.append(_fold("measured", "误差预算与测量", _measurements(claim, result, project)))
    parts.append(_fold("commands", "自己运行", _commands(result)))
    name = escape(result.id)
    return (
        f'<section class="panel" aria-label="对照栏：{name}" data-result="{name}" data-search-exclude="true">'
        f"{''.join(parts)}</section>"
    )


def _fold(kind: str, summary: str, body: str) -> str:
    return f'<details class="fold {kind}"><summary>{summary}</summary>{body}</details>'


def _code(text: str, language: str) -> str:
    return f'<pre tabindex="0"><code class="language-{language}">{escape(text, quote=False)}</code></pre>'


def first_paragraph(function: object) -> str:
    """Return the first paragraph of a docstring, with single spaces."""
    return " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())


def _lean(result: Result, project: Project) -> tuple[str, str]:
    name, meaning = words.state(result.state)
    lean = project.lean
    when = f"{lean.date}，{lean.toolchain}，Mathlib {lean.mathlib}；" if lean.date else ""
    if result.axioms is None:
        axioms = "未收集"
    else:
        axioms = "、".join(f"<code>{escape(axiom)}</code>" for axiom in result.axioms) or "无"
    digest = f'<code title="SHA-256：{result.sha256}">{result.sha256[:HASH_DIGITS]}</code>'
    return (
        "Lean",
        f'<strong class="state {result.state.replace(" ", "-")}">{name}</strong>'
        f'<span class="detail">{escape(when)}{meaning}依据的公理：{axioms}。源文件散列值 {digest}。</span>',
    )


def _statement(result: Result) -> str:
    if result.statement is None:
        return '<p class="label">记录里没有这条命题。</p>'
    return f'<p class="label">Lean 命题</p>{statement(result)}'


def statement(result: Result) -> str:
    """Return the Lean statement of a result.

    Raises:
        ValueError: If the record has none.
    """
    if result.statement is None:
        raise ValueError(f"the record has no statement of `{result.id}`")
    return _code(result.statement, "lean").replace("<pre", '<pre class="statement"', 1)


def source(result: Result) -> str:
    """Return the lines of the Lean file that state and prove a result."""
    return _code(result.source, "lean")


def claimed(result: Result) -> str:
    """Return the function that measures how far numbers are from a result.

    Raises:
        ValueError: If there is none.
    """
    if result.claim is None:
        raise ValueError(f"`{result.id}` has no claim")
    return _code(inspect.getsource(result.claim.function).rstrip(), "python")


def _numbers(result: Result) -> Iterable[tuple[str, str]]:
    if result.claim is None:
        yield "浮点数", "<strong>还没有数值检验</strong>"
        return
    name, meaning = words.relation(result.claim.relation.word)
    worst = "，".join(
        f"{escape(dtype)} <strong>{slack.worst:.2g}</strong>" for dtype, slack in result.slack.items()
    )
    measured = f'<span class="detail">预算占用：{worst}</span>' if worst else ""
    yield "浮点数", f'<strong>{name}</strong>{measured}<span class="detail">{meaning}</span>'


def _conditions(result: Result, project: Project, links: Links, here: str) -> Iterable[tuple[str, str]]:
    rows = conditions.rows(result, project, links, here)
    if rows:
        yield "条件", f"<ul>{rows}</ul>"


def _mutants(result: Result) -> Iterable[tuple[str, str]]:
    if result.mutants:
        rows = "".join(
            f"<li><code>{escape(mutant.name)}</code>：{sentence('mutants', mutant.says)}</li>"
            for mutant in result.mutants
        )
        yield "抓得住的错误", f"<ul>{rows}</ul>"


def _measurements(claim: Claim, result: Result, project: Project) -> str:
    parts = []
    relation = claim.relation
    if isinstance(relation, Restricted):
        parts.append(f"<p>限定的输入：{sentence('restrictions', first_paragraph(relation.predicate))}</p>")
    if isinstance(relation, FailsInFloats):
        parts.append(f"<p>浮点反例：{sentence('witnesses', first_paragraph(relation.witness))}</p>")
    if claim.budget is not None:
        bound = claim.budget.bound
        weak = "较弱说法的" if isinstance(relation, FailsInFloats) else ""
        parts.append(
            f"<p>{weak}误差预算 <code>{escape(bound.__module__)}.{escape(bound.__qualname__)}</code>："
            f"{sentence('budgets', first_paragraph(bound))}</p>"
        )
    if claim.notes:
        parts.append(f"<p>怎样测量：{english(' '.join(claim.notes.split()))}</p>")
    if project.slack is not None and result.slack:
        rows = "".join(
            f"<tr><td>{escape(dtype)}</td><td>{slack.cases:,}</td><td>{slack.worst:.3g}</td></tr>"
            for dtype, slack in result.slack.items()
        )
        versions = "，".join(
            f"{escape(name)} {escape(version)}" for name, version in project.slack.versions.items()
        )
        parts.append(
            "<table><thead><tr><th>类型</th><th>试过的组数</th><th>预算占用</th></tr></thead>"
            f"<tbody>{rows}</tbody></table><p>测量于 {escape(project.slack.date)}，{versions}。"
            "预算占用是测到的最大误差除以误差预算，超过 1 就是不合格。</p>"
        )
    elif claim.has_slack:
        parts.append("<p>还没有测量记录。</p>")
    else:
        parts.append("<p>预算占用只为结论本身带误差预算的结果测量。这一条没有：检验只看它成立与否。</p>")
    return "".join(parts)


def _commands(result: Result) -> str:
    lines = [f".venv/bin/duizhao check --topic {result.topic.lower()}"]
    if result.claim is not None:
        lines.append(f'.venv/bin/python -m pytest tests/test_claims.py -k "[{result.id}-"')
    once = "<p>在项目文件夹里，先运行一次 <code>make check</code>，它会装好所需的一切。</p>"
    return once + _code("\n".join(lines), "sh")
