"""`ledger/breaks.json`: counterexamples to every theorem without each hypothesis, judged anew."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from duizhao import exact
from duizhao.breaking.all import FILE, breaks_of, read_breaks, text_of
from duizhao.breaking.beyond import BEYOND
from duizhao.breaking.built import described, rebuilt
from duizhao.breaking.drop import Counterexample, hypotheses, judged
from duizhao.claims import all_claims
from duizhao.claims.claim import proofs
from duizhao.claims.measure import PRECISION
from duizhao.ledger.lean import lean_side
from duizhao.strategies import Target
from duizhao.strategies.random_variables import TwoVariables
from duizhao.strategies.samples import two_variables
from duizhao.strategies.search import Clock, smallest

ROOT = Path(__file__).parents[1]
CLAIMS = all_claims()
LEAN = lean_side(ROOT, "record")
BREAKS = read_breaks(ROOT)
PAIRS = [(id_, entry) for id_, theorem in BREAKS["theorems"].items() for entry in theorem["without"]]


def judge(id_: str, entry: dict[str, Any]) -> Counterexample | None:
    with exact.precision(PRECISION):
        return judged(CLAIMS[id_], rebuilt(entry["built"]), entry["dropped"])


def test_file_has_every_hypothesis_of_every_theorem_in_order() -> None:
    kept = {
        id_: [entry["dropped"] for entry in theorem["without"]] for id_, theorem in BREAKS["theorems"].items()
    }
    wanted = {id_: list(hypotheses(claim)) for id_, claim in CLAIMS.items() if claim.predicates}
    assert list(kept.items()) == list(wanted.items())


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{id_}-{entry['dropped']}" for id_, entry in PAIRS])
def test_counterexample_is_one_or_it_is_said_why_there_is_none(pair: tuple[str, dict[str, Any]]) -> None:
    id_, entry = pair
    claim, name = CLAIMS[id_], entry["dropped"]
    assert entry["hypothesis"] == hypotheses(claim)[name]
    assert entry["proved_needed_by"] == [LEAN.theorems[other].name for other in proofs(CLAIMS, id_, name)]
    if entry["counterexample"] is None:
        assert entry["reason"] == claim.without.get(name)
        assert entry["reason"]
        return
    found = judge(id_, entry)
    assert found is not None
    assert json.loads(json.dumps(dict(found.case))) == entry["counterexample"]["case"]
    assert json.loads(json.dumps(dict(found.outputs))) == entry["counterexample"]["outputs"]
    assert (found.amount, found.says) == (entry["counterexample"]["amount"], entry["counterexample"]["says"])


def test_names_and_sentences_are_those_of_the_theorems() -> None:
    for id_, theorem in BREAKS["theorems"].items():
        assert theorem["name"] == LEAN.theorems[id_].name
        assert theorem["sentence"] == CLAIMS[id_].sentence


def test_every_step_after_a_read_is_there() -> None:
    assert [step["then"] for step in BREAKS["beyond"]] == list(BEYOND)
    assert all(step["outside_by"] > 0 for step in BREAKS["beyond"])


def test_numbers_that_are_no_counterexample_are_found_out() -> None:
    entry = copy.deepcopy(BREAKS["theorems"]["attention_convex"]["without"][0])
    assert judge("attention_convex", entry) is not None
    entry["built"]["fields"]["weight"] = 0.5
    assert judge("attention_convex", entry) is None
    assert judge("attention_convex", entry | {"dropped": "hw1"}) is None


def test_file_that_was_searched_anew_says_the_same() -> None:
    theorem = breaks_of(CLAIMS["attention_convex"], CLAIMS, LEAN, ROOT)
    assert theorem == BREAKS["theorems"]["attention_convex"]
    assert text_of(BREAKS["theorems"], BREAKS["beyond"]) == (ROOT / FILE).read_text(encoding="utf-8")


def test_theorem_without_hypotheses_has_no_entry() -> None:
    assert breaks_of(CLAIMS["read_zero"], CLAIMS, LEAN, ROOT) is None


def test_a_case_is_rebuilt_from_data() -> None:
    case = smallest(two_variables()(Target("float64")), lambda _: True, cases=1, seed=0, clock=Clock(5.0))
    assert isinstance(case, TwoVariables)
    again = rebuilt(json.loads(json.dumps(described(case))))
    assert isinstance(again, TwoVariables)
    assert described(again) == described(case)


@pytest.mark.parametrize("kind", ["case.Target", "case.nothing", "nowhere.Case"])
def test_type_that_is_no_case_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match=r"^type: "):
        rebuilt({"type": kind, "fields": {}})


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 0}'])
def test_file_that_is_something_else_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "ledger").mkdir()
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^ledger/breaks\.json: not what `make breaks` writes"):
        read_breaks(tmp_path)
