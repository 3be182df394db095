"""Input of one's own: what is read, what is asked for, and what does not go together."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.trace.running import Outcome, refused, trace

from duizhao.attention import attention, masked_attention

X = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
WEIGHTS = {"W_Q": [[1.0, 0.0], [0.0, 1.0]], "W_K": [[1.0, 1.0], [0.0, 1.0]], "W_V": [[1.0, 0.0], [1.0, 2.0]]}
Q, K, V = [[1.0, 0.5]], [[1.0, 0.25], [0.0, -1.5]], [[10.0, 0.0], [0.0, 20.0]]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


def csv(name: str, rows: list[list[float]]) -> str:
    """Write a matrix as CSV; the name of the file."""
    Path(name).write_text("".join(",".join(map(repr, row)) + "\n" for row in rows))
    return name


def outputs(outcome: Outcome) -> list[list[float]]:
    """The outputs in a trace as JSON."""
    assert outcome.code == 0, outcome.err
    return list(outcome.step("O")["computed"])


def test_json_npz_and_csv_with_the_same_numbers_give_the_same_trace() -> None:
    given = {"X": X, **WEIGHTS}
    Path("in.json").write_text(json.dumps(given))
    np.savez("in.npz", **{name: np.array(rows) for name, rows in given.items()})  # type: ignore[arg-type]
    files = {name: csv(f"{name}.csv", rows) for name, rows in given.items()}
    options = ("--x", files["X"], "--wq", files["W_Q"], "--wk", files["W_K"], "--wv", files["W_V"])
    texts = [trace(*which).out.splitlines()[2:] for which in (("-i", "in.json"), ("-i", "in.npz"), options)]
    assert texts[0] == texts[1] == texts[2]
    assert "A = E/Z = softmax(S)    3 × 3, queries × keys" in texts[0]


def test_numbers_of_the_lesson_give_the_numbers_of_the_lesson() -> None:
    Path("in.json").write_text(json.dumps({"X": X, **WEIGHTS, "labels": ["red", "key", "."]}))
    own, lesson = trace("-i", "in.json"), trace("red-key")
    for matrix in ("Q", "K", "V", "D", "S", "E", "Z", "A", "O"):
        assert own.table(matrix) == lesson.table(matrix)
    assert "closed form" not in own.out
    assert "the lesson prints" not in own.out


def test_queries_keys_and_values_in_csv_are_attended() -> None:
    found = outputs(trace("--query", csv("q", Q), "--key", csv("k", K), "--values", csv("v", V), "--json"))
    assert found == attention(np.array(Q), np.array(K), np.array(V)).tolist()


def test_scale_and_mask_are_those_of_the_reference_function() -> None:
    Path("in.json").write_text(json.dumps({"Q": Q, "K": K, "V": V, "scale": -0.5, "mask": [[False, True]]}))
    expected = masked_attention(np.array(Q), np.array(K), np.array(V), np.array([[False, True]]), scale=-0.5)
    assert outputs(trace("-i", "in.json", "--json")) == expected.tolist()


def test_temperature_of_two_is_half_the_scale() -> None:
    files = ("--query", csv("q", Q), "--key", csv("k", K), "--values", csv("v", V), "--json")
    assert (
        trace(*files, "--scale", "1", "--temperature", "4").step("A")["computed"]
        == (trace(*files, "--scale", "0.25").step("A")["computed"])
    )


def test_causal_mask_leaves_the_first_position_itself_alone() -> None:
    outcome = trace("red-key", "--causal")
    assert outcome.table("A")[0] == ["1", "0", "0"]
    assert outcome.table("M")[0] == ["0.707107", "-∞", "-∞"]
    assert outcome.table("A")[2] == trace("red-key").table("A")[2]
    assert (
        "· Not as in the lesson: a causal mask; what follows from that has no closed form here.\n"
        in outcome.out
    )


@pytest.mark.parametrize(
    ("option", "kept"),
    [
        (("--temperature", "2"), ["D", "K", "Q", "S", "V", "W_K", "W_Q", "W_V", "X"]),
        (("--causal",), ["D", "K", "Q", "S", "V", "W_K", "W_Q", "W_V", "X"]),
        (("--scale", "2"), ["D", "K", "Q", "V", "W_K", "W_Q", "W_V", "X"]),
        (("--temperature", "1"), ["A", "D", "E", "K", "O", "Q", "S", "V", "W_K", "W_Q", "W_V", "X", "Z"]),
    ],
)
def test_changed_example_keeps_the_closed_forms_that_still_hold(
    option: tuple[str, ...], kept: list[str]
) -> None:
    steps = json.loads(trace("red-key", *option, "--json").out)["steps"]
    assert sorted(step["matrix"] for step in steps if step["closed_form"] is not None) == kept


def test_query_that_may_read_no_key_gets_zero_and_a_note() -> None:
    mask = csv("m", [[0, 0]])
    outcome = trace("--query", csv("q", Q), "--key", csv("k", K), "--values", csv("v", V), "--mask", mask)
    assert outcome.code == 0
    assert outcome.table("O") == [["0", "0"]]
    assert "· Nothing may be read by query 1: no weight but 0, and the output is 0.\n" in outcome.out
    assert "A[1, 1] = no key to read = 0\n" in outcome.out


def test_mask_in_csv_may_say_true_and_false() -> None:
    Path("m").write_text("TRUE,false\n")
    files = ("--query", csv("q", Q), "--key", csv("k", K), "--values", csv("v", V))
    assert trace(*files, "--mask", "m").table("A") == [["1", "0"]]


def test_csv_may_have_a_byte_order_mark_carriage_returns_quotes_and_blank_ends() -> None:
    Path("a.csv").write_bytes(b'\xef\xbb\xbf"0.5", +5e-1\r\n\r\n')
    Path("v.csv").write_bytes(b"1.\r\n.5\r\n")
    outcome = trace("--weights", "a.csv", "--values", "v.csv")
    assert (outcome.code, outcome.table("O")) == (0, [["0.750000"]])


def test_json_may_have_a_byte_order_mark_and_plain_lists_of_weights_and_values() -> None:
    Path("in.json").write_text(json.dumps({"A": [0.75, 0.25], "V": [2, 10]}), encoding="utf-8-sig")
    assert trace("-i", "in.json").table("O") == trace("two-values").table("O") == [["4"]]


def test_npz_may_hold_smaller_floats_whole_numbers_any_byte_order_and_labels() -> None:
    np.savez(
        "in.npz",
        A=np.array([[0.1, 0.9]], dtype=np.float32),
        V=np.array([[1], [3]], dtype=">i4"),
        labels=np.array(["甲", "乙"]),
        query_labels=np.array(["问"]),
    )
    outcome = trace("-i", "in.npz", "--json")
    step = outcome.step("A")
    assert (step["rows"], step["columns"]) == (["问"], ["甲", "乙"])
    assert step["computed"] == np.array([[0.1, 0.9]], dtype=np.float32).tolist()
    assert step["error"] == [[0.0, 0.0]]


def test_labels_name_queries_too_where_there_are_as_many() -> None:
    files = ("--query", csv("q", V), "--key", csv("k", K), "--values", csv("v", V), "--json")
    step = trace(*files, "--labels", "甲,乙").step("A")
    assert step["rows"] == step["columns"] == ["甲", "乙"]
    files = ("--query", csv("q", Q), *files[2:])
    step = trace(*files, "--labels", "甲,乙").step("A")
    assert (step["rows"], step["columns"]) == (["1"], ["甲", "乙"])


def test_weights_that_are_no_distribution_are_traced_with_a_note() -> None:
    files = ("--weights", csv("a", [[0.25, 0.75], [1, 1], [-1, 2]]), "--values", csv("v", V))
    outcome = trace(*files)
    assert outcome.code == 0
    assert "· Weights below 0, or that do not sum to 1: those of queries 2, 3." in outcome.out
    assert "Weights below 0" not in trace("two-values-exercise").out


def test_decimals_that_are_rounded_to_the_dtype_are_counted() -> None:
    files = ("--weights", csv("a", [[0.5, 0.1]]), "--values", csv("v", [[3.0], [0.3]]))
    note = "· 2 of the 4 given numbers are not float16 numbers and were rounded to the nearest"
    assert note in trace(*files, "--dtype", "float16").out
    assert note not in trace(*files).out


def test_sixty_four_positions_are_traced_and_sixty_five_are_not() -> None:
    many = csv("many", [[1.0]] * 64)
    assert trace("--query", many, "--key", many, "--values", many).code == 0
    many = csv("more", [[1.0]] * 65)
    line = refused("--query", many, "--key", csv("k", [[1.0]]), "--values", csv("v", [[1.0]]))
    assert line == "more, k, v: 65 queries; a trace shows at most 64"


WANTED = "the matrices X, W_Q, W_K, W_V; or Q, K, V; or A, V are needed, got "
WAYS = "name an example (--list lists them), or give --input FILE or matrices in CSV"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), f"nothing to trace: {WAYS}"),
        (("red-key", "--values", "v"), f"one thing at a time: {WAYS}"),
        (("own.json",), "no example is a file: did you mean --input own.json?"),
        (("red-key", "-i", "in.json"), f"one thing at a time: {WAYS}"),
        (("--values", "v"), f"{WANTED}V"),
        (("--weights", "v", "--values", "v", "--x", "v"), f"{WANTED}X, V, A"),
        (("-i", "v.csv"), "v.csv: a CSV file holds one matrix; say which, such as --weights FILE --values FILE"),
        (("-i", "v"), "v: .json or .npz is needed; matrices in CSV are given by --weights, --values and so on"),
        (("two-values", "--causal"), "mask: of no use where the weights are given; give queries and keys instead"),
        (("two-values", "--scale", "2"), "scale: of no use where the weights are given; give queries and keys instead"),
        (("--weights", "v", "--values", "v", "--temperature", "2"),
         "temperature: of no use where the weights are given; give queries and keys instead"),
        (("red-key", "--labels", "a,b,c"), "--labels: an example has labels of its own"),
        (("red-key", "--temperature", "0"), "temperature: must be positive, got 0.0"),
        (("red-key", "--temperature", "-1"), "temperature: must be positive, got -1.0"),
        (("red-key", "--temperature", "nan"), "temperature: must be positive and finite, got nan"),
        (("red-key", "--scale", "inf"), "scale: must be finite, got inf"),
        (("red-key", "--entry", "0,1"), '--entry: ROW,COLUMN counted from 1 is needed, such as 3,2, got "0,1"'),
        (("red-key", "--entry", "3"), '--entry: ROW,COLUMN counted from 1 is needed, such as 3,2, got "3"'),
        (("two-values", "--entry", "2,1"), "--entry: no computed matrix has 2,1 (O 1 × 1)"),
        (("red-key", "--causal", "--mask", "v"), "--causal and --mask: give one of them"),
        (("--list", "red-key"), "--list and --constants stand alone; leave the example or the input out"),
        (("--list", "--constants"), "--list and --constants stand alone; leave the example or the input out"),
        (("red-key", "--plot", "a.gif"), "--plot: a name that ends in .png, .svg or .pdf is needed, got a.gif"),
        (("--query", "v", "--key", "v", "--values", "v", "--labels", "a"), "labels: 1 for 2 keys"),
        (("--x", "v", "--wq", "one", "--wk", "v", "--wv", "v"),
         "one: 1 row, but X has 2 columns (W_Q and X are 1 × 3 and 2 × 2)"),
        (("--query", "large", "--key", "large", "--values", "v"),
         "D: a number is too large for float64; use smaller numbers"),
        (("--query", "large", "--key", "v", "--values", "v", "--dtype", "float16"),
         "Q[1, 2] = 1e+300 is too large for float16"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_line(arguments: tuple[str, ...], problem: str) -> None:
    csv("v", [[1, 0], [0, 1]])
    csv("v.csv", [[1, 0], [0, 1]])
    csv("one", [[1, 2, 3]])
    csv("large", [[1, 1e300], [1, 1]])
    assert refused(*arguments) == problem


def test_what_a_file_and_an_option_both_give_is_refused() -> None:
    Path("in.json").write_text(json.dumps({"Q": Q, "K": K, "V": V, "temperature": 2}))
    line = refused("-i", "in.json", "--temperature", "3")
    assert line == "temperature: given in in.json and as an option; give it once"
    assert trace("-i", "in.json", "--scale", "3").code == 0


@pytest.mark.parametrize("option", [("--dtype", "int8"), ("--digits", "41"), ("--temperature", "warm")])
def test_option_with_a_value_that_it_cannot_have_exits_2(option: tuple[str, str]) -> None:
    outcome = trace("red-key", *option)
    assert (outcome.code, outcome.out) == (2, "")
    assert option[0] in outcome.err
