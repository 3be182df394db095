"""The numbers of the three lessons: printed digits, closed forms, and what Lean states of them."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.examples.lean import literals, statement

from duizhao.exact import ends, precision
from duizhao.examples import Example, Form, constants, example, examples, parse

POINTS = [
    Fraction(p, q) for p, q in ((1, 3), (1, 1), (7, 5), (2, 1), (-3, 7), (5, 1), (9, 4), (11, 1), (13, 6))
]
"""Values to put for r: two quotients of polynomials of degree at most 4 that agree at nine points are equal."""
S = Fraction(5, 8)
"""What to put for s, which only scores contain."""
NAMES = list(examples())


def at(form: Form, r: Fraction) -> Fraction:
    """Return the value of a form with a fraction put for r."""
    return form.over(Fraction, r=r, s=S)


def values(matrix: str, of: Example, r: Fraction) -> Any:
    """Return a matrix of an example as an array of fractions, with a fraction put for r."""
    forms = of.matrices[matrix].forms
    array = np.empty(forms.shape, dtype=np.object_)
    for index in np.ndindex(forms.shape):
        array[index] = at(of.matrices[matrix].form(index), r)
    return array


def printed() -> Iterator[tuple[str, str, tuple[int, ...], Form, str, bool]]:
    """Yield everything that is printed: example, matrix, index, form, decimals, and whether it is a misprint."""
    for name, constant in constants().items():
        yield name, "", (), constant.form, constant.printed, False
    for name, one in examples().items():
        for matrix in one.matrices.values():
            for index in np.ndindex(matrix.shape):
                if matrix.printed[index] is not None:
                    misprint = index in matrix.misprints
                    yield name, matrix.name, index, matrix.form(index), str(matrix.printed[index]), misprint


# What is printed


def test_as_many_numbers_are_printed_as_the_lessons_have() -> None:
    counts = {name: sum(found[0] == name for found in printed()) for name in NAMES}
    assert counts == {
        "red-key": 16,
        "one-query": 6,
        "one-query-larger-value": 0,
        "two-values": 3,
        "two-values-exercise": 3,
        "zero-query": 0,
        "zero-values": 0,
        "shifted-values": 2,
        "shifted-first-value": 1,
        "column-sums": 0,
    }
    assert len(constants()) == 14


@pytest.mark.parametrize(("name", "matrix", "index", "form", "decimals", "misprint"), list(printed()))
def test_printed_decimals_are_within_half_a_unit_unless_they_are_a_known_misprint(
    name: str, matrix: str, index: tuple[int, ...], form: Form, decimals: str, misprint: bool
) -> None:
    half = Fraction(1, 2) / 10 ** len(decimals.partition(".")[2])
    with precision(200):
        low, high = ends(form.ball())
    if misprint:
        assert high < Fraction(decimals) - half or low > Fraction(decimals) + half, (name, matrix, index)
    else:
        assert Fraction(decimals) - half <= low <= high <= Fraction(decimals) + half, (name, matrix, index)


def test_the_one_misprint_is_off_by_one_in_its_last_digit() -> None:
    misprints = [(name, matrix, index) for name, matrix, index, _, _, misprint in printed() if misprint]
    assert misprints == [("shifted-values", "O", (0, 1))]
    was, true = example("shifted-values").matrices["O"].decimals((0, 1))
    assert was == "0.1977758146404283"
    assert true is not None
    assert Fraction(was) - Fraction(true) == Fraction(1, 10**16)


def test_digits_of_everything_else_are_as_printed() -> None:
    assert all(constant.digits() == constant.printed for constant in constants().values())
    for one in examples().values():
        for matrix in one.matrices.values():
            for index in np.ndindex(matrix.shape):
                was, true = matrix.decimals(index)
                assert was == true or index in matrix.misprints


# Closed forms


@pytest.mark.parametrize("name", NAMES)
def test_forms_follow_from_what_is_given_by_rational_arithmetic(name: str) -> None:
    one = example(name)
    for r in POINTS:
        known = {key: values(key, one, r) for key in one.matrices}
        for key, parameters in (("Q", "W_Q"), ("K", "W_K"), ("V", "W_V")):
            if parameters in known:
                assert (known[key] == known["X"] @ known[parameters]).all()
        if "D" in known:
            assert (known["D"] == known["Q"] @ known["K"].T).all()
            assert (known["S"] == known["D"] * S).all()
            powers = np.array([[r ** int(dot) for dot in row] for row in known["D"].tolist()])
            assert (known["A"] * powers.sum(axis=-1, keepdims=True) == powers).all()
        assert np.all(known["O"] == known["A"] @ known["V"])


def test_scores_are_whole_multiples_of_s() -> None:
    for name in NAMES:
        if "S" in example(name).matrices:
            scores = [form.text for form in example(name).matrices["S"].forms.ravel().tolist()]
            assert set(scores) <= {"0", "s", "2*s", "3*s"}


def test_shifting_every_value_shifts_every_output() -> None:
    for r in POINTS:
        shift = values("O", example("shifted-values"), r) - values("O", example("red-key"), r)
        assert shift.tolist() == [[2, -1]] * 3


def test_shifting_the_first_value_shifts_outputs_by_its_share() -> None:
    for r in POINTS:
        shift = values("O", example("shifted-first-value"), r) - values("O", example("red-key"), r)
        share = values("A", example("red-key"), r)[:, :1]
        assert (shift == share * np.array([[2, -1]])).all()


# Lean


@pytest.mark.parametrize(
    ("theorem", "name", "matrices"),
    [
        ("redKey_queries", "red-key", ["Q"]),
        ("redKey_keys", "red-key", ["K"]),
        ("redKey_values", "red-key", ["V"]),
        ("redKey_dots", "red-key", ["D"]),
        ("redKey_weights", "red-key", ["A"]),
        ("redKey_output", "red-key", ["O"]),
        ("oneQuery_weights", "one-query", ["Q", "K", "A"]),
        ("oneQuery_output", "one-query", ["Q", "K", "V", "O"]),
        ("def x", "red-key", ["X"]),
        ("def wQ", "red-key", ["W_Q"]),
        ("def wK", "red-key", ["W_K"]),
        ("def wV", "red-key", ["W_V"]),
    ],
)
def test_forms_are_those_that_lean_states(theorem: str, name: str, matrices: list[str]) -> None:
    stated = literals(statement(theorem))
    assert len(stated) == len(matrices)
    for rows, key in zip(stated, matrices, strict=True):
        ours = example(name).matrices[key]
        assert (len(rows), len(rows[0])) == ours.shape
        for index in np.ndindex(ours.shape):
            theirs = parse(rows[index[0]][index[1]])
            assert all(at(theirs, r) == at(ours.form(index), r) for r in POINTS)
            with precision(200):
                assert (theirs.ball() - ours.form(index).ball()).contains(0)
                assert ours.form(index).ball().rel_accuracy_bits() > 190


@pytest.mark.parametrize(
    ("theorem", "matrix"), [("abs_redKey_weights_sub_le", "A"), ("abs_redKey_output_sub_le", "O")]
)
def test_decimals_are_those_that_lean_bounds(theorem: str, matrix: str) -> None:
    (stated,) = literals(statement(theorem))
    assert stated == example("red-key").matrices[matrix].printed.tolist()


def test_decimals_of_one_query_are_those_that_lean_bounds() -> None:
    stated = re.findall(r"(\d) (\d) - ([\d.]+)\|", statement("abs_oneQuery_sub_le"))
    one = example("one-query")
    printed_there = [one.matrices[key].printed[0, column] for key in ("A", "O") for column in (0, 1)]
    assert [decimals for *_, decimals in stated] == printed_there
    assert [(row, column) for row, column, _ in stated] == [("0", "0"), ("0", "1")] * 2


def test_r_lies_where_lean_says() -> None:
    found = re.search(r"Set\.Ioo ([\d.]+) ([\d.]+)", statement("r_mem_Ioo"))
    assert found is not None
    with precision(200):
        low, high = ends(constants()["exponential"].form.ball())
    assert Fraction(found[1]) < low < high < Fraction(found[2])


@pytest.mark.parametrize(
    ("theorem", "name"), [("twoValues", "two-values"), ("twoValues_exercise", "two-values-exercise")]
)
def test_two_values_are_those_of_lean(theorem: str, name: str) -> None:
    found = re.search(r": (\S+) \* (\S+) \+ \(1 - (\S+)\) \* (\S+) = (\S+)$", statement(theorem))
    assert found is not None
    w, u, again, v, output = (Fraction(number) for number in found.groups())
    one = example(name)
    assert w == again
    assert values("A", one, Fraction(1)).tolist() == [w, 1 - w]
    assert values("V", one, Fraction(1)).tolist() == [u, v]
    assert values("O", one, Fraction(1)).item() == output


def test_theorems_that_are_named_are_stated_in_lean() -> None:
    named = {theorem for constant in constants().values() for theorem in constant.theorems}
    for one in examples().values():
        named |= {theorem for matrix in one.matrices.values() for theorem in matrix.theorems}
    assert len(named) > 15
    assert all(statement(theorem) for theorem in named)


# By name


def test_an_unknown_example_gives_the_nearest_name() -> None:
    with pytest.raises(ValueError, match="no example `red-kay`; did you mean red-key\\?"):
        example("red-kay")
    with pytest.raises(ValueError, match="no example `xyz`; there are red-key, one-query, "):
        example("xyz")


def test_an_unknown_matrix_gives_the_names() -> None:
    with pytest.raises(ValueError, match="matrix: two-values has A, V, O, got 'Q'"):
        example("two-values").exact("Q")


def test_labels_name_every_row_and_column() -> None:
    assert example("red-key").matrices["A"].labels == (("red", "key", "."), ("red", "key", "."))
    for one in examples().values():
        for matrix in one.matrices.values():
            assert tuple(map(len, matrix.labels)) == matrix.shape


def test_exact_gives_balls_at_the_precision_around() -> None:
    for bits in (53, 300):
        with precision(bits):
            weights = example("red-key").exact("A")
        assert weights.shape == (3, 3)
        assert bits - 10 < weights[0, 0].rel_accuracy_bits() < bits + 10
