"""The ledger as data and as an HTML page: both say what the terminal says, and the data keep their form."""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.ledger.conftest import StandIn
from tests.ledger.project_copy import REPOSITORY, ProjectCopy
from typer.testing import CliRunner, Result

from duizhao import cli
from duizhao.ledger import data
from duizhao.wrong_use import WrongUseError


def check(project: ProjectCopy, monkeypatch: pytest.MonkeyPatch, *options: str) -> Result:
    monkeypatch.chdir(project.root)
    return CliRunner().invoke(cli.app, ["check", "--topic", "read", "--cases", "1", *options])


def validate(found: Any) -> None:
    jsonschema.Draft202012Validator(data.schema()).validate(found)


def test_schema_is_a_schema_of_this_version() -> None:
    jsonschema.Draft202012Validator.check_schema(data.schema())
    assert data.schema()["properties"]["schema"] == {
        "const": data.SCHEMA,
        "description": "The version of this form.",
    }


def keys(value: Any, at: str = "") -> Iterator[str]:
    """Every key of the described objects in some data, by its place."""
    if isinstance(value, list):
        for item in value:
            yield from keys(item, f"{at}[]")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield f"{at}.{key}"
            yield from keys(item, f"{at}.{key}")


def described(schema: dict[str, Any], whole: dict[str, Any], at: str = "") -> Iterator[str]:
    """Every key that a schema describes, by its place."""
    if "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].rpartition("/")[2]]
    for key, inner in schema.get("properties", {}).items():
        yield f"{at}.{key}"
        yield from described(inner, whole, f"{at}.{key}")
    if "items" in schema:
        yield from described(schema["items"], whole, f"{at}[]")


@pytest.mark.usefixtures("no_lake")
@pytest.mark.parametrize("mode", ["record", "skip", "require"])
def test_json_of_every_mode_has_the_form_that_is_described(
    mode: str, project: ProjectCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = json.loads(check(project, monkeypatch, "--json", "--lean", mode).stdout)
    validate(found)
    assert found["topics"] == ["Read"]
    assert found["lean"]["mode"] == mode


def test_json_with_lean_and_of_a_failing_project_has_it_too(
    project: ProjectCopy, lake: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake.is_good(project.record()["theorems"])
    lake.says(
        "build",
        "warning: lean/NeuralNetworks/Read.lean:33:2: unused\nBuild completed successfully (5 jobs).\n",
    )
    found = json.loads(check(project, monkeypatch, "--json").stdout)
    validate(found)
    assert (found["lean"]["source"], len(found["lean"]["notes"])) == ("lake", 1)
    lake.replays("build", "build-proof-error.txt")
    result = check(project, monkeypatch, "--json")
    failing = json.loads(result.stdout)
    validate(failing)
    assert (result.exit_code, failing["ok"], bool(failing["problems"])) == (1, False, True)


def test_every_key_of_the_json_is_described(project: ProjectCopy, monkeypatch: pytest.MonkeyPatch) -> None:
    found = json.loads(check(project, monkeypatch, "--json", "--lean", "record").stdout)
    free = (".states.", ".slack.versions.", ".results[].hypotheses.", ".results[].worst_slack.")
    known = set(described(data.schema(), data.schema()))
    assert [key for key in keys(found) if key not in known and not key.startswith(free)] == []


@pytest.mark.parametrize(
    ("key", "value"), [("schema", 2), ("ok", "yes"), ("results", [{}]), ("states", {"fine": 1}), ("cases", 0)]
)
def test_data_of_another_form_are_refused(
    project: ProjectCopy, monkeypatch: pytest.MonkeyPatch, key: str, value: object
) -> None:
    found = json.loads(check(project, monkeypatch, "--json", "--lean", "record").stdout)
    with pytest.raises(jsonschema.ValidationError):
        validate(found | {key: value})


class Page(HTMLParser):
    """The text and the attributes of a page; complains of tags that do not close."""

    VOID = ("meta", "br")

    def __init__(self, text: str) -> None:
        """Read a page."""
        super().__init__()
        self.words: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag's attributes."""
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the tag that is open."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep text."""
        if self.open[-1:] != ["style"]:
            self.words += data.split()


def test_html_says_what_the_terminal_says_and_loads_nothing(
    project: ProjectCopy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "ledger.html"
    result = check(project, monkeypatch, "--lean", "record", "--html", str(file))
    assert result.exit_code == 0
    text = file.read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    shown = " ".join(page.words)
    lines = result.stdout.splitlines()
    for line in (lines[0], lines[-1]):
        assert " ".join(line.split()) in shown
    for line in lines:
        if line.startswith("  "):
            cells = line.split()
            assert cells[0] in page.words
            assert cells[-1] in page.words
    assert not {name for name, _ in page.attributes} & {"src", "href", "srcset", "onclick"}
    assert "url(" not in text
    assert "<script" not in text


def test_html_of_a_failing_project_says_what_is_wrong_and_takes_no_markup_from_lake(
    project: ProjectCopy, lake: StandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lake.is_good(project.record()["theorems"])
    lake.says("build", "error: <script>alert(1)</script> & [bold]x[/bold]\nexit code: 1")
    file = tmp_path / "ledger.html"
    assert check(project, monkeypatch, "--html", str(file)).exit_code == 1
    text = file.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; [bold]x[/bold]" in text
    assert "<script" not in text
    assert Page(text).open == []
    assert "What is wrong" in text


def test_html_that_cannot_be_written_is_wrong_use(
    project: ProjectCopy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    result = check(project, monkeypatch, "--lean", "record", "--html", str(tmp_path))
    assert isinstance(result.exception, WrongUseError)
    assert str(result.exception) == f"--html {tmp_path}: cannot be written: Is a directory"


def test_pages_that_describe_the_json_name_every_key_of_the_top() -> None:
    text = (REPOSITORY / "docs/guides/ledger.md").read_text(encoding="utf-8")
    assert [key for key in data.schema()["properties"] if f"`{key}`" not in text] == []
