"""Files that somebody else wrote: whatever is wrong with one, it takes one line, exit code 2 and no traceback."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.trace.running import refused

LABELS = ": labels: holds characters that do not exist"
NO_NAMES = "a file holds numbers alone, with commas between columns and no line of names"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder with two values in a file."""
    monkeypatch.chdir(tmp_path)
    Path("v.csv").write_text("1,2\n3,4\n")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"1,2,3,4,5\n1,2,3,4,5\n1,2,3,4\n", ", line 3: 4 columns, the lines above have 5"),
        (b"1\n1,2\n", ", line 2: 2 columns, the line above has 1"),
        (b"1,2\n3\n", ", line 2: 1 column, the line above has 2"),
        (b"", ": the file is empty"),
        (b" \r\n\n", ": the file is empty"),
        (b"red,key\n1,0\n", f', line 1, column 1: "red" is not a number; {NO_NAMES}'),
        (b"1;2\n3;4\n", f', line 1, column 1: "1;2" is not a number; {NO_NAMES}'),
        (b"1,0x10\n", f', line 1, column 2: "0x10" is not a number; {NO_NAMES}'),
        (b"1_0,1\n", f', line 1, column 1: "1_0" is not a number; {NO_NAMES}'),
        ("\uff11,2\n".encode(), f', line 1, column 1: "\uff11" is not a number; {NO_NAMES}'),
        (b"1,\0\n", f", line 1, column 2: '\\x00' is not a number; {NO_NAMES}"),
        (b"\x1b[31m,1\n", f", line 1, column 1: '\\x1b[31m' is not a number; {NO_NAMES}"),
        (b"x" * 99, f', line 1, column 1: "{"x" * 39}…" is not a number; {NO_NAMES}'),
        (b"1,2,\n", ", line 1, column 3: empty; a number is needed"),
        (b"1,2\n\n3,4\n", ", line 2: empty, though line 3 is not"),
        (b"1,2\n3,nan\n", ", line 2, column 2: nan is not finite; every number must be"),
        (b"1,-Infinity\n", ", line 1, column 2: -Infinity is not finite; every number must be"),
        (b"1e999,0\n", ', line 1, column 1: "1e999" is larger than any float64'),
        (b"0.5,0.5\xe9", ": not text in UTF-8 (byte 0xe9 at offset 7); save it as UTF-8"),
        ("1,2".encode("utf-16"), ": not text in UTF-8 (byte 0xff at offset 0); save it as UTF-8"),
        (bytes(range(256)), ": not text in UTF-8 (byte 0x80 at offset 128); save it as UTF-8"),
        (b"1," * 600_000 + b"1\n", ": more than 1 MiB; a trace is for small matrices"),
        (b"1," * 4096 + b"1\n", ": 1 × 4097 elements; a trace shows at most 4,096 a matrix"),
        (b'"1,2\n3,4\n', ", line 1: not CSV (unexpected end of data)"),
        (b'1,2\n"1"x,2\n', ", line 2: not CSV (',' expected after '\"')"),
    ],
)
def test_csv_that_is_no_matrix_is_refused(content: bytes, problem: str) -> None:
    Path("weights.csv").write_bytes(content)
    assert refused("--weights", "weights.csv", "--values", "v.csv") == f"weights.csv{problem}"


def test_csv_that_is_not_there_or_is_a_folder_is_refused() -> None:
    assert refused("--weights", "w.csv", "--values", "v.csv") == "w.csv: there is no such file"
    Path("folder").mkdir()
    line = refused("--weights", "folder", "--values", "v.csv")
    assert line == "folder: this is a folder; name a file in it"


def test_name_of_a_file_is_safe_to_print() -> None:
    assert (
        refused("--weights", "\x1b[31m.csv", "--values", "v.csv") == "'\\x1b[31m.csv': there is no such file"
    )


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("1,0\n2,1\n", 'mask.csv, line 2, column 1: 1 or true (keep), 0 or false (drop) is needed, got "2"'),
        ("1,yes\n", 'mask.csv, line 1, column 2: 1 or true (keep), 0 or false (drop) is needed, got "yes"'),
        ("1,0\n", "mask.csv: 1 × 2, but the scores are 2 × 2 (queries × keys)"),
    ],
)
def test_mask_that_is_none_is_refused(content: str, problem: str) -> None:
    Path("mask.csv").write_text(content)
    values = ("--query", "v.csv", "--key", "v.csv", "--values", "v.csv")
    assert refused(*values, "--mask", "mask.csv") == problem


GOOD = {"Q": [[1, 0]], "K": [[1, 0], [0, 1]], "V": [[1], [2]]}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", ", line 1: not JSON (Expecting property name enclosed in double quotes, column 2)"),
        ('{"A":\n[[1 2]]}', ", line 2: not JSON (Expecting ',' delimiter, column 5)"),
        ("[1]", ": an object with the matrices by name is needed, got a list"),
        ('"hi"', ': an object with the matrices by name is needed, got the text "hi"'),
        ('{"A": [[1]], "A": [[1]]}', ': "A" is there twice'),
        ('{"A": [["0.5", 1]]}', ': A, row 1, column 1: a number is needed, got the text "0.5"'),
        ('{"A": [[true, 1]]}', ": A, row 1, column 1: a number is needed, got a truth value"),
        ('{"A": [[null, 1]]}', ": A, row 1, column 1: a number is needed, got null"),
        ('{"A": [[[1]]]}', ": A, row 1, column 1: a number is needed, got a list"),
        ('{"A": [1, [2]]}', ": A, number 2: a number is needed, got a list"),
        ('{"A": {"a": 1}}', ": A: a list of rows is needed, got an object"),
        ('{"Q": [1, 0]}', ": Q, row 1: a list is needed, got 1"),
        ('{"A": [[1, 2], [3]]}', ": A, row 2: 1 column, the row above has 2"),
        ('{"A": [[1], [3], [1, 2]]}', ": A, row 3: 2 columns, the rows above have 1"),
        ('{"A": []}', ": A: no numbers (shape 0 × 0); at least one row and one column are needed"),
        ('{"A": [[]]}', ": A: no numbers (shape 1 × 0); at least one row and one column are needed"),
        ('{"A": [[NaN, 1]]}', ": NaN is not finite; every number must be"),
        ('{"A": [[-Infinity, 1]]}', ": -Infinity is not finite; every number must be"),
        ('{"A": [[1e999, 1]]}', ": A, row 1, column 1: a number is larger than any float64"),
        ('{"A": [[' + "9" * 400 + "]]}", ": A, row 1, column 1: a number is larger than any float64"),
        ('{"A": [[' + "9" * 5000 + "]]}", ": a number is larger than any float64"),
        ("[" * 100_000, ": lists in lists in lists, too deep to be matrices"),
        ('{"w_q": [[1]]}', ': nothing is called "w_q"; did you mean W_Q?'),
        ('{"temprature": 1}', ': nothing is called "temprature"; did you mean temperature?'),
        (json.dumps({**GOOD, "temperature": "2"}), ': temperature: a number is needed, got the text "2"'),
        (json.dumps({**GOOD, "mask": [[1, 0]]}), ": mask, row 1, column 1: true (keep) or false (drop) is needed, got 1"),
        (json.dumps({**GOOD, "mask": "casual"}), ': mask: "causal" or a list of rows is needed, got "casual"'),
        (json.dumps({**GOOD, "mask": "causal"}),
         ": mask: causal needs as many queries as keys, got 1 and 2; write the mask out"),
        (json.dumps({**GOOD, "labels": "ab"}), ': labels: a list of texts is needed, got the text "ab"'),
        (json.dumps({**GOOD, "labels": ["a", "\x1b"]}),
         ": labels, label 2: a label has 1 to 40 printable characters, got '\\x1b'"),
        (json.dumps({**GOOD, "labels": ["a", 1]}), ": labels, label 2: a text is needed, got 1"),
        (json.dumps({**GOOD, "V": [1, 2]}), ": V: a matrix with one row a key is needed, got a plain list"),
        (json.dumps({**GOOD, "V": [[1]]}), ": V: 1 row, but K has 2 rows (V and K are 1 × 1 and 2 × 2)"),
        (json.dumps({**GOOD, "K": [[1], [2]]}), ": K: 1 column, but Q has 2 columns (K and Q are 2 × 1 and 1 × 2)"),
        ("\udcff", ": not text in UTF-8 (byte 0xff at offset 0); save it as UTF-8"),
    ],
)  # fmt: skip
def test_json_that_is_no_input_is_refused(content: str, problem: str) -> None:
    Path("in.json").write_text(content, encoding="utf-8", errors="surrogateescape")
    assert refused("--input", "in.json") == f"in.json{problem}"


@pytest.mark.parametrize(
    ("arrays", "problem"),
    [
        ({"A": np.array([[1, "x"]], dtype=object)}, ": A: holds pickled objects, which are never opened; save numbers"),
        ({"A": np.ones((2, 2, 2))}, ": A: a matrix is needed, got shape (2, 2, 2); save one head of one sample"),
        ({"A": np.array([[1j]])}, ": A: float64, float32, float16 or whole numbers are needed, got complex128"),
        ({"A": np.array([["a"]])}, ": A: float64, float32, float16 or whole numbers are needed, got <U1"),
        ({"A": np.array([[True]])}, ": A: float64, float32, float16 or whole numbers are needed, got bool"),
        ({"A": np.array([[1, np.nan]])}, ": A[1, 2] is nan, which is not finite; every number must be"),
        ({"A": np.array([[1], [np.inf]])}, ": A[2, 1] is inf, which is not finite; every number must be"),
        ({"A": np.ones((0, 2))}, ": A: no numbers (shape 0 × 2); at least one row and one column are needed"),
        ({"A": np.ones((65, 64))}, ": A: 65 × 64 elements; a trace shows at most 4,096 a matrix"),
        ({"A": np.array([[2**63 - 1]])}, ": A[1, 1] is 9223372036854775807, which no float64 is"),
        ({"A": np.zeros(2, dtype=[("a", "f8")])}, ": A: plain numbers are needed, got [('a', '<f8')]"),
        ({"Q": np.ones(2)}, ": Q: a matrix is needed, got shape (2,)"),
        ({"mask": np.ones((1, 1))}, ": mask: a matrix of truth values (True keeps) is needed, got float64 of shape (1, 1)"),
        ({"temperature": np.ones(2)}, ": temperature: one number is needed, got shape (2,)"),
        ({"labels": np.ones(2)}, ": labels: a list of texts is needed, got float64 of shape (2,)"),
        ({}, ": no arrays"),
    ],
)  # fmt: skip
def test_npz_that_is_no_input_is_refused(arrays: dict[str, NDArray[Any]], problem: str) -> None:
    np.savez("in.npz", **arrays)  # type: ignore[arg-type]
    assert refused("--input", "in.npz") == f"in.npz{problem}"


def saved(array: NDArray[Any]) -> bytes:
    """An array in NumPy's format."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


@pytest.mark.parametrize(
    ("member", "content", "problem"),
    [
        ("A.npy", b"\x93NUMPY\x01\x00\x10\x00garbage", ": A: not an array as NumPy saves it"),
        ("A.npy", b"\x93NUMPY\x09\x00\x10\x00garbage", ": A: not an array as NumPy saves it"),
        ("A.npy", saved(np.ones((2, 2))).replace(b"}", b"("), ": A: not an array as NumPy saves it"),
        ("A.npy", saved(np.ones((2, 2))).replace(b"{'de", b"{',,"), ": A: not an array as NumPy saves it"),
        ("A.npy", saved(np.ones((2, 2))).replace(b"'<f8'", b"'<f0'"), ": A: not an array as NumPy saves it"),
        ("A.npy", saved(np.ones((2, 2))).replace(b"(2, 2)", b"(-2, )"), ": A: shorter than its header says"),
        (
            "labels.npy",
            saved(np.asarray(["a"])).replace(b"a\0\0\0", b"\xff" * 4),
            LABELS,
        ),
        ("A.npy", saved(np.ones((2, 2)))[:-8], ": A: shorter than its header says"),
        ("A.npy", bytes(2 << 20), ": A: more than 1 MiB"),
        ("A.txt", b"1,2", ": 'A.txt' is not an array"),
    ],
)
def test_archive_with_something_else_in_it_is_refused(member: str, content: bytes, problem: str) -> None:
    with zipfile.ZipFile("in.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, content)
    assert refused("--input", "in.npz") == f"in.npz{problem}"


def test_archive_in_another_packing_that_is_damaged_is_refused() -> None:
    with zipfile.ZipFile("in.npz", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("A.npy", saved(np.ones((2, 2))))
    raw = bytearray(Path("in.npz").read_bytes())
    raw[raw.index(b"A.npy") + 9] ^= 0xFF  # the settings of LZMA
    Path("in.npz").write_bytes(raw)
    line = refused("--input", "in.npz")
    assert line == "in.npz: an archive that cannot be unpacked (damaged, or encrypted)"


def test_damaged_archive_is_refused() -> None:
    np.savez("whole.npz", A=np.ones((1, 2)), V=np.ones((2, 1)))
    whole = Path("whole.npz").read_bytes()
    Path("cut.npz").write_bytes(whole[: len(whole) // 2])
    assert refused("--input", "cut.npz") == "cut.npz: not an .npz file, or a damaged one"
    flipped = bytearray(whole)
    flipped[whole.index(b"NUMPY") + 1] ^= 1
    Path("flipped.npz").write_bytes(flipped)
    assert refused("--input", "flipped.npz") == "flipped.npz: not an .npz file, or a damaged one"
    Path("junk.npz").write_bytes(b"junk")
    assert refused("--input", "junk.npz") == "junk.npz: not an .npz file, or a damaged one"


def test_objects_in_an_archive_are_not_unpickled() -> None:
    class Bomb:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (Path("exploded"),)

    array = np.empty((1, 2), dtype=object)
    array[0] = [Bomb(), Bomb()]
    np.savez("in.npz", A=array)
    assert "never opened" in refused("--input", "in.npz")
    assert not Path("exploded").exists()


@pytest.mark.parametrize(
    ("at", "value"), [(6, 1), (8, 99)]
)  # the flag of encryption, an unknown way to compress
def test_archive_that_cannot_be_unpacked_is_refused(at: int, value: int) -> None:
    np.savez("in.npz", A=np.ones((1, 2)))
    raw = bytearray(Path("in.npz").read_bytes())
    start = raw.rindex(
        b"PK\x01\x02"
    )  # the entry in the directory, where the same fields stand two bytes later
    raw[at], raw[start + at + 2] = value, value
    Path("in.npz").write_bytes(raw)
    line = refused("--input", "in.npz")
    assert line == "in.npz: an archive that cannot be unpacked (damaged, or encrypted)"
