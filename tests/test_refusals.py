"""What is refused deep inside, with a message that names it: misuse that the other tests have no reason to try."""

import dataclasses
import math

import numpy as np
import pytest
from flint import arb

from duizhao.audit.command import _checked
from duizhao.audit.subject import Adapter, Subject, guessed, loaded
from duizhao.audit.worker import answered
from duizhao.breaking import beyond
from duizhao.breaking.built import rebuilt
from duizhao.claims import all_claims
from duizhao.claims.measure import judge
from duizhao.claims.relation import Budget, gap
from duizhao.exact.conversion import balls
from duizhao.rounding.arithmetic import gamma
from duizhao.strategies import Target
from duizhao.strategies.random_variables import Space
from duizhao.strategies.readings import Weighed
from duizhao.strategies.rows import Compared
from duizhao.trace import truth
from duizhao.wrong_use import WrongUseError
from tests.trace.running import trace

FLOAT64 = Target("float64")


def of_two(query: object, key: object) -> tuple[object, ...]:
    return query, key


def with_dropout(query: object, key: object, value: object, dropout: float) -> tuple[object, ...]:
    return query, key, value, dropout


def test_audit_refuses_a_dtype_that_the_adapter_does_not_take() -> None:
    with pytest.raises(WrongUseError, match="dtype: the adapter takes float32, float64, not float16"):
        _checked(["float16"], ("float32", "float64"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("module", "subject: MODULE:NAME is needed, got module"),
        (":name", "subject: MODULE:NAME is needed, got :name"),
        (
            "no_such_module:name",
            "subject: no_such_module cannot be imported: No module named 'no_such_module'",
        ),
    ],
)
def test_audit_refuses_a_name_that_leads_nowhere(name: str, message: str) -> None:
    with pytest.raises(WrongUseError) as error:
        loaded(name, "subject")
    assert str(error.value) == message


def test_audit_does_not_guess_how_to_call_a_function_that_it_cannot_know() -> None:
    with pytest.raises(WrongUseError, match="subject: must take query, key and value; give an --adapter"):
        guessed(of_two)
    with pytest.raises(
        WrongUseError, match=r"subject: what is dropout\? give an --adapter that says how to call it"
    ):
        guessed(with_dropout)


def test_audit_answers_that_an_adapter_without_gradient_has_none() -> None:
    subject = Subject("module:f", Adapter(), None, with_dropout)
    arrays = {name: np.zeros((1, 1, 1, 1)) for name in ("query", "key", "value", "cotangent")}
    assert "gradient: the adapter has none" in str(
        answered(subject, "gradient", arrays, {}, "float64", {}).error
    )


def test_break_says_that_nothing_was_found_after_a_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beyond, "CASES", 0)
    with pytest.raises(ArithmeticError, match="residual: no numbers were found that leave the range"):
        beyond.go_on("residual")


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("rows.NoSuchRow", "type: no case 'rows.NoSuchRow'"),
        ("nowhere.Row", "type: no case 'nowhere.Row'"),
        ("rows.largest", "type: 'rows.largest' is no case"),
    ],
)
def test_case_of_no_known_type_is_not_rebuilt(kind: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"^type: ") as error:
        rebuilt({"type": kind, "fields": {}})
    assert str(error.value) == message


def test_case_that_violates_a_hypothesis_is_not_judged() -> None:
    claim = all_claims()["read_mem_Icc"]
    refusing = dataclasses.replace(claim, predicates={"hw": lambda _: False})
    with pytest.raises(ValueError, match=r"read_mem_Icc: the case violates hw: counts = \[1\.0\], seed = 0"):
        judge(refusing, Space(FLOAT64, np.ones(1), 0))


def test_gap_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="amounts: a gap without elements says nothing"):
        gap()


@pytest.mark.parametrize("bound", [0.0, -1.0, math.inf, math.nan])
def test_bound_that_would_pass_anything_or_nothing_is_refused(bound: float) -> None:
    def allowed(seed: int) -> float:
        return bound + seed

    with pytest.raises(ValueError, match=r"allowed: \[.*\] is not a bound, for \{'seed': 0\}"):
        Budget(allowed).ratio(Space(FLOAT64, np.ones(1), 0), gap(arb(0)))


class Ragged:
    """An object that NumPy takes for a sequence whose parts have different shapes."""

    def __array__(self, dtype: object = None, copy: object = None) -> None:
        """Refuse, as NumPy does for ragged lists."""
        raise ValueError("inhomogeneous shape")


def test_ragged_numbers_are_no_array() -> None:
    with pytest.raises(ValueError, match="array: ragged, a list stands where others have a number"):
        balls([1.0, [2.0]])
    with pytest.raises(ValueError, match="array: ragged, its parts have different shapes"):
        balls(Ragged())


def test_negative_number_of_roundings_is_refused() -> None:
    with pytest.raises(ValueError, match="k: a number of roundings is needed, got -1"):
        gamma(2.0**-53, -1)


def test_case_says_which_fact_it_lacks() -> None:
    with pytest.raises(AttributeError, match="Space has no score"):
        _ = Space(FLOAT64, np.ones(1), 0).score
    with pytest.raises(AttributeError, match="Weighed has no weights"):
        _ = Weighed(FLOAT64).weights
    with pytest.raises(AttributeError, match="Weighed has no values"):
        _ = Weighed(FLOAT64).values
    with pytest.raises(AttributeError, match="Compared has no second row"):
        _ = Compared(FLOAT64, np.ones(1)).others


def test_trace_says_that_no_precision_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truth, "BITS", ())
    found = trace("red-key")
    assert "the scores are too large for the weights to be enclosed; use smaller numbers" in found.err
    assert (found.code, found.out) == (2, "")
