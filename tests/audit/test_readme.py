"""The example of the README is what a new user would make of it: it fails as told, and passes as mended."""

import importlib
import sys
from pathlib import Path

import pytest

from duizhao.audit.run import Report
from tests.audit.auditing import audited
from tests.repo.test_readme import blocks
from tests.repo.tree import ROOT


def example() -> str:
    """The function that the README shows."""
    (text,) = [block for block in blocks(ROOT / "README.md", "python") if "def attention(" in block]
    return text


def audit_of(text: str, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    """Audit a function that was saved in a folder, from that folder."""
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    importlib.invalidate_caches()
    report = audited(f"{name}:attention", dtypes=("float32",))
    sys.modules.pop(name)
    return report


def test_function_of_the_readme_fails_as_the_readme_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = audit_of(example(), "my_attention", tmp_path, monkeypatch)
    told = {
        outcome.check.theorem: outcome.failure.sentence
        for outcome in report.outcomes
        if outcome.failure is not None
    }
    for readme in ("README.md", "README.zh.md"):
        (sample,) = blocks(ROOT / readme, "console")
        sentence, theorem = (line.strip(" ✗") for line in sample.splitlines())
        assert f"{told[theorem.removeprefix('theorem: ')]} (float32)" == sentence
    assert "the weights of a query do not sum to one" not in " ".join(told.values())


def test_function_of_the_readme_passes_when_it_is_mended_as_the_readme_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = "    powers = ", "    scores = np.where(allowed, scores, -np.inf)\n    powers = "
    mended = (
        example()
        .replace(before, after, 1)
        .replace("np.where(allowed, weights, 0) @ value", "weights @ value")
    )
    report = audit_of(mended, "my_mended_attention", tmp_path, monkeypatch)
    assert report.ok
    (row,) = [policy for policy in report.policies if policy.name == "empty_row"]
    assert row.value == "nan"
