"""One name on every side: theorem, claim, page, pinned statement and mutant; and one sentence."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.mutants import MUTANTS
from tests.repo.tree import ROOT

from duizhao.claims import all_claims
from duizhao.ledger.pages import Pages
from duizhao.ledger.pins import read_pins
from duizhao.ledger.sources import read_sources

LEAN, CLAIM, PAGE, PIN, MUTANT = "theorem", "claim", "page", "pin", "mutant"
SIDES = (LEAN, CLAIM, PAGE, PIN, MUTANT)


def unpaired(sides: Mapping[str, set[str]]) -> list[str]:
    """Ids that a side lacks or has alone.

    Raises:
        LookupError: a side has no id at all; a scan that saw nothing has shown nothing.
    """
    for side, ids in sides.items():
        if not ids:
            raise LookupError(f"no id was found on the side of the {side}")
    everything = set().union(*sides.values())
    return [
        f"{id_}: no {side}" for id_ in sorted(everything) for side, ids in sides.items() if id_ not in ids
    ]


def sides_of(root: Path) -> dict[str, set[str]]:
    """The ids of this repository on each side. A page's other anchors are headings and name no result."""
    theorems = read_sources(root).theorems
    pages = Pages.of(root)
    return {
        LEAN: set(theorems),
        CLAIM: set(all_claims()),
        PAGE: {id_ for id_, theorem in theorems.items() if pages.address(theorem.topic, id_) is not None},
        PIN: set(read_pins(root).statements),
        MUTANT: {id_ for mutant in MUTANTS for id_ in mutant.kills},
    }


def other_sentences(said: Mapping[str, str], theorems: Mapping[str, str]) -> list[str]:
    """Ids whose claim says another sentence than the theorem, white space apart.

    Raises:
        LookupError: no id is on both sides.
    """
    both = said.keys() & theorems.keys()
    if not both:
        raise LookupError("no id has both a claim and a theorem")
    return sorted(id_ for id_ in both if said[id_].split() != theorems[id_].split())


def test_every_id_is_on_every_side() -> None:
    assert unpaired(sides_of(ROOT)) == []


@pytest.mark.parametrize("side", SIDES)
def test_id_that_one_side_lacks_or_has_alone_is_found(side: str) -> None:
    whole = {each: {"read_zero", "read_const"} for each in SIDES}
    assert unpaired(whole) == []
    assert unpaired(whole | {side: {"read_zero"}}) == [f"read_const: no {side}"]
    alone = unpaired(whole | {side: {"read_zero", "read_const", "read_null"}})
    assert alone == [f"read_null: no {each}" for each in SIDES if each != side]


@pytest.mark.parametrize("side", SIDES)
def test_side_without_any_id_fails(side: str) -> None:
    with pytest.raises(LookupError, match=f"no id was found on the side of the {side}"):
        unpaired({each: {"read_zero"} for each in SIDES} | {side: set()})


def test_every_claim_says_the_sentence_of_its_theorem() -> None:
    claims = {id_: claim.sentence for id_, claim in all_claims().items()}
    theorems = {id_: theorem.sentence or "" for id_, theorem in read_sources(ROOT).theorems.items()}
    assert other_sentences(claims, theorems) == []


def test_sentence_that_differs_is_found_and_white_space_is_none() -> None:
    claims = {"a": "One  sentence.", "b": "One sentence.", "c": "Alone."}
    theorems = {"a": "One\nsentence.", "b": "One sentence", "d": "Alone."}
    assert other_sentences(claims, theorems) == ["b"]
    with pytest.raises(LookupError, match="no id has both a claim and a theorem"):
        other_sentences({"c": ""}, {"d": ""})


def names_of_no_result(root: Path) -> list[str]:
    """Pages of a project that name a result which there is not, or lack one which there is."""
    topics = {id_: theorem.topic for id_, theorem in read_sources(root).theorems.items()}
    return [str(problem) for problem in Pages.of(root).problems(topics)]


def test_no_page_names_a_missing_id_or_lacks_one() -> None:
    assert names_of_no_result(ROOT) == []


def test_page_that_names_a_missing_id_or_lacks_one_is_found(tmp_path: Path) -> None:
    lean = tmp_path / "lean/NeuralNetworks"
    lean.mkdir(parents=True)
    (lean.parent / "NeuralNetworks.lean").write_text("import NeuralNetworks.Read\n", encoding="utf-8")
    (lean / "Read.lean").write_text(
        "/-- Said. -/\n@[companion]\ntheorem kept : True := trivial\n", encoding="utf-8"
    )
    page = tmp_path / "docs/theorems/read.md"
    page.parent.mkdir(parents=True)
    page.write_text("### 标题 {#kept}\n\n<!-- panel: kept -->\n", encoding="utf-8")
    assert names_of_no_result(tmp_path) == []
    page.write_text("### 标题 {#keptt}\n\n<!-- panel: keptt -->\n", encoding="utf-8")
    assert names_of_no_result(tmp_path) == [
        "docs/theorems/read.md: unpaired: the page has no heading with {#kept}",
        "docs/theorems/read.md: names `keptt`, but there is no result of that name",
    ]
