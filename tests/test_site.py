"""The built site: it builds without a warning, its panels say what the sources say, its links lead on."""

import html
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from docs.inserts import markers

from duizhao.ledger.pages import page_of

ROOT = Path(__file__).resolve().parents[1]
RECORD = {entry["id"]: entry for entry in json.loads((ROOT / "ledger/lean.json").read_bytes())["theorems"]}
READ = [name for name, entry in RECORD.items() if entry["module"] == "NeuralNetworks.Read"]
PLACED = {
    page: [name for name, entry in RECORD.items() if page_of(entry["module"].partition(".")[2]) == page]
    for page in sorted({page_of(entry["module"].partition(".")[2]) for entry in RECORD.values()})
    if (ROOT / "docs" / f"{page}.md").is_file()
}
"""For each page of a topic that is there, the results of the topic."""
OUTSIDE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
CSS_LOADS = re.compile(r"""(?:url\(\s*|@import\s+)["']?(?P<address>[^"')\s;]+)""", re.IGNORECASE)

pytestmark = pytest.mark.xdist_group("site")


def mkdocs(config: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Build the site that a configuration describes."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", config, "--site-dir", site],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "DUIZHAO_WITHOUT_NODE": "1"},
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built from this repository."""
    folder = tmp_path_factory.mktemp("site")
    run = mkdocs(ROOT / "mkdocs.yml", folder)
    assert run.returncode == 0, run.stderr
    assert "WARNING" not in run.stderr
    return folder


@pytest.fixture(scope="module")
def page(site: Path) -> str:
    """The page of the topic Read."""
    return (site / "theorems/read/index.html").read_text(encoding="utf-8")


def panel(page: str, name: str) -> str:
    """The panel of one result."""
    (found,) = re.findall(rf'<section class="panel"[^>]*data-result="{name}".*?</section>', page, re.DOTALL)
    return str(found)


class Elements(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep one tag."""
        self.found.append((tag, {name: value or "" for name, value in attrs}))


def loads_from_outside(text: str, kind: str) -> list[str]:
    """Addresses on other hosts that a browser would fetch by itself from a page or a style sheet."""
    found = [match["address"] for match in CSS_LOADS.finditer(text)]
    if kind == ".html":
        for tag, attributes in Elements(text).found:
            found += [attributes[name] for name in ("src", "poster", "data", "srcset") if name in attributes]
            if tag in ("link", "use", "image") and attributes.get("rel") != "canonical":
                found.append(attributes.get("href", ""))
    return [address for address in found if OUTSIDE.match(address)]


def dead_links(folder: Path) -> Iterator[str]:
    """Links of the built pages inside the site that lead to no file or no anchor."""
    pages = {
        path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html") if path.name != "404.html"
    }
    anchors = {path: set(markers.anchors(text)) for path, text in pages.items()}
    for path, text in pages.items():
        for tag, attributes in Elements(text).found:
            link = urlsplit(attributes.get("href", ""))
            if tag != "a" or link.scheme or link.netloc:
                continue
            target = (path.parent / unquote(link.path)).resolve() if link.path else path
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(link.fragment)
            if not target.is_file() or (anchor and anchor not in anchors[target]):
                yield f"{path.relative_to(folder)}: {attributes['href']}"


def test_panel_holds_the_recorded_statement_byte_for_byte(page: str) -> None:
    for name in READ:
        codes = re.findall(r"<pre[^>]*><code[^>]*>(.*?)</code>", panel(page, name), re.DOTALL)
        assert html.unescape(codes[0]) == RECORD[name]["statement"]


def test_panel_of_a_recorded_theorem_says_so_with_date_and_versions_and_never_proved(page: str) -> None:
    record = json.loads((ROOT / "ledger/lean.json").read_bytes())
    shown = panel(page, "attention_convex")
    assert "已记录" in shown
    assert "已证明" not in page
    for fact in (record["date"], record["toolchain"], record["mathlib"]["version"]):
        assert fact in shown
    assert record["files"]["lean/NeuralNetworks/Read.lean"][:12] in shown


def test_fold_holds_the_proof_as_it_stands_in_the_source(page: str) -> None:
    codes = re.findall(r"<pre[^>]*><code[^>]*>(.*?)</code>", panel(page, "attention_convex"), re.DOTALL)
    proof = html.unescape(codes[1])
    assert proof.startswith("theorem attention_convex ")
    assert proof.endswith("nlinarith [mul_nonneg hw (sub_nonneg.mpr huv)]")
    assert proof in (ROOT / "lean/NeuralNetworks/Read.lean").read_text(encoding="utf-8")


def test_panel_shows_relation_slack_mutant_and_hypotheses(page: str) -> None:
    from duizhao.claims import all_claims
    from tests.mutants import MUTANTS

    claim = all_claims()["attention_convex"]
    shown = html.unescape(panel(page, "attention_convex"))
    assert claim.budget is not None
    assert claim.budget.bound.__name__ in shown
    assert "hw₁ : w ≤ 1" in shown
    assert [mutant.name for mutant in MUTANTS if "attention_convex" in mutant.kills and mutant.name in shown]
    slack = json.loads((ROOT / "ledger/slack.json").read_bytes())["claims"]["attention_convex"]
    for dtype, row in slack.items():
        assert f"<td>{dtype}</td><td>{row['cases']:,}</td><td>{row['slack']:.3g}</td>" in shown


def test_command_in_the_panel_runs_the_tests_of_its_claim_and_no_others(page: str) -> None:
    shown = html.unescape(panel(page, "attention_convex"))
    (arguments,) = re.findall(r"^\.venv/bin/python (-m pytest .*?)</code>", shown, re.MULTILINE)
    run = subprocess.run(
        [sys.executable, *shlex.split(arguments), "--collect-only", "-q"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    tests = re.findall(r"\[(.*)\]", run.stdout)
    assert "attention_convex-float64" in tests
    assert {test.partition("-")[0] for test in tests} == {"attention_convex"}


def test_every_page_of_a_topic_has_all_its_results_each_with_anchor_and_panel(site: Path) -> None:
    assert PLACED
    for address, names in PLACED.items():
        text = (site / address / "index.html").read_text(encoding="utf-8")
        placed = re.findall(r'data-result="(\w+)"', text)
        assert sorted(placed) == sorted(names), address
        assert [name for name in markers.anchors(text) if name in RECORD] == placed, address


def test_every_full_lean_name_leads_to_its_anchor_and_no_other_has_a_redirect(site: Path) -> None:
    expected = {RECORD[name]["name"]: (page, name) for page, names in PLACED.items() for name in names}
    assert {path.name for path in (site / "lean").iterdir()} == set(expected)
    for full_name, (page, name) in expected.items():
        redirect = site / "lean" / full_name / "index.html"
        (address,) = re.findall(
            r'http-equiv="refresh" content="0; url=([^"]+)"', redirect.read_text(encoding="utf-8")
        )
        path, _, anchor = address.partition("#")
        assert anchor == name
        target = (redirect.parent / path).resolve() / "index.html"
        assert target == (site / page / "index.html").resolve()
        assert name in markers.anchors(target.read_text(encoding="utf-8"))


def test_home_page_lists_every_result(site: Path) -> None:
    home = (site / "index.html").read_text(encoding="utf-8")
    assert [name for name in RECORD if f"<code>{name}</code>" not in home] == []


def test_no_link_inside_the_site_is_dead(site: Path) -> None:
    assert list(dead_links(site)) == []


def test_dead_links_and_anchors_are_found(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<p id="a"><a href="#a">1</a><a href="#b">2</a><a href="c/">3</a></p>'
    )
    assert list(dead_links(tmp_path)) == ["index.html: #b", "index.html: c/"]


def test_no_page_or_style_sheet_loads_from_another_host(site: Path) -> None:
    files = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    assert files
    found = {
        str(path.relative_to(site)): loads_from_outside(path.read_text(encoding="utf-8"), path.suffix)
        for path in files
    }
    assert {path: addresses for path, addresses in found.items() if addresses} == {}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('<script src="https://example.org/x.js"></script>', ".html"),
        ('<link rel="stylesheet" href="//example.org/x.css">', ".html"),
        ('<p style="background: url(http://example.org/x.png)">', ".html"),
        ("@import 'https://example.org/x.css';", ".css"),
        ("a { background: url( 'https://example.org/x.png') }", ".css"),
    ],
)
def test_load_from_another_host_is_found(text: str, kind: str) -> None:
    assert len(loads_from_outside(text, kind)) == 1


def test_build_leaves_no_marker_and_no_tex_behind(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "<!-- " not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL), path
        assert "arithmatex" not in text, path


def test_unknown_id_stops_the_build_and_names_page_and_id(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# 页\n\n<!-- panel: attention_convexx -->\n", encoding="utf-8")
    shutil.copytree(ROOT / "docs/theme", tmp_path / "docs/theme")
    (tmp_path / "mkdocs.yml").write_text(
        f"INHERIT: {ROOT}/mkdocs.yml\nnav: [index.md]\nextra_css: []\nhooks: ['{ROOT}/docs/hooks.py']\n",
        encoding="utf-8",
    )
    run = mkdocs(tmp_path / "mkdocs.yml", tmp_path / "site")
    assert run.returncode == 1
    assert "index.md: no theorem `attention_convexx`; did you mean attention_convex?" in run.stderr
    assert "Traceback" not in run.stderr
