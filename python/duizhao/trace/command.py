"""The command `duizhao trace`.

* `trace`: the whole calculation for a worked example or for the user's own numbers.
"""

import io
import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

from duizhao.examples import example
from duizhao.trace import csv_file, data, listing, render
from duizhao.trace.calculation import Calculation, calculate
from duizhao.trace.entry import Position, check_entry, position
from duizhao.trace.files import InputError, Raw, label, name_of
from duizhao.trace.json_file import read_json
from duizhao.trace.notation import DIGITS, MOST_DIGITS
from duizhao.trace.npz_file import read_npz
from duizhao.trace.plot import plot, plot_format
from duizhao.trace.problem import Problem, of_example, of_input

READERS = {".json": read_json, ".npz": read_npz}


class DType(StrEnum):
    """What to compute in."""

    float64 = "float64"
    float32 = "float32"
    float16 = "float16"


def _matrix(option: str, what: str) -> Any:
    return typer.Option(option, metavar="FILE.csv", help=what, rich_help_panel="Your own numbers in CSV")


def trace(
    name: Annotated[
        str | None,
        typer.Argument(metavar="EXAMPLE", help="A worked example of the lessons; --list names them."),
    ] = None,
    input_file: Annotated[
        Path | None,
        typer.Option(
            "--input",
            "-i",
            metavar="FILE",
            help="Your own numbers: a .json object or .npz archive with A and V; or Q, K and V; or X, W_Q, W_K and "
            "W_V. Also mask (True keeps; in JSON also the word causal), temperature, scale, labels (of the positions) "
            "and query_labels.",
        ),
    ] = None,
    x: Annotated[Path | None, _matrix("--x", "X, one row a position; needs --wq, --wk, --wv.")] = None,
    wq: Annotated[Path | None, _matrix("--wq", "W_Q, one row a coordinate of X.")] = None,
    wk: Annotated[Path | None, _matrix("--wk", "W_K.")] = None,
    wv: Annotated[Path | None, _matrix("--wv", "W_V.")] = None,
    query: Annotated[Path | None, _matrix("--query", "Q, one row a query; needs --key and --values.")] = None,
    key: Annotated[Path | None, _matrix("--key", "K, one row a key.")] = None,
    values: Annotated[Path | None, _matrix("--values", "V, one row a key.")] = None,
    weights: Annotated[
        Path | None, _matrix("--weights", "A, one row a query, one column a key; needs --values.")
    ] = None,
    mask: Annotated[
        Path | None,
        _matrix("--mask", "The mask, one row a query, one column a key: 1 or true keeps, 0 or false drops."),
    ] = None,
    causal: Annotated[bool, typer.Option("--causal", help="Let no position read a later one.")] = False,
    temperature: Annotated[
        float | None, typer.Option(help="T in softmax(S/T), more than 0; 1 if not given.", metavar="T")
    ] = None,
    scale: Annotated[
        float | None, typer.Option(help="The factor of the dot products; 1/√d if not given.", metavar="C")
    ] = None,
    labels: Annotated[
        str | None, typer.Option(help="Labels of the positions, with commas: red,key,.", metavar="A,B,…")
    ] = None,
    dtype: Annotated[
        DType, typer.Option(help="What to compute in; given numbers are rounded to it.")
    ] = DType.float64,
    digits: Annotated[
        int, typer.Option(min=0, max=MOST_DIGITS, help="Decimals of the numbers on the terminal.")
    ] = DIGITS,
    entry: Annotated[
        str | None,
        typer.Option(
            metavar="ROW,COLUMN", help="The entry to write out, counted from 1, as the lessons count."
        ),
    ] = None,
    plot_file: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="Draw the weights, and the outputs in the hull of the values: .png, .svg or .pdf. Needs "
            "matplotlib, which the extra plot brings.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the same as JSON.")] = False,
    list_examples: Annotated[bool, typer.Option("--list", help="List the worked examples and exit.")] = False,
    list_constants: Annotated[
        bool,
        typer.Option("--constants", help="Print the numbers that the lessons print on the way, and exit."),
    ] = False,
) -> None:
    """Trace attention step by step: each matrix, how an entry comes about, its closed form, its rigorous error.

    duizhao trace red-key: a worked example of the lessons.
    duizhao trace --input FILE: your own numbers in JSON or NumPy's npz.
    duizhao trace --weights a.csv --values v.csv: in CSV, one matrix a file.

    CSV has commas between columns and no line of names.
    At most 64 queries and keys, 4,096 elements a matrix.
    Exact values are those of the numbers as the dtype holds them, enclosed.
    An error is an upper bound on the distance of a computed entry from that.

    Exits 0 if every error is within the bound derived for it (its budget),
    1 if one is not, 2 for wrong use or a file that cannot be read.
    """
    tables = {
        "X": x, "W_Q": wq, "W_K": wk, "W_V": wv, "Q": query, "K": key, "A": weights, "V": values,
    }  # fmt: skip
    chosen = {matrix: path for matrix, path in tables.items() if path is not None}
    _spell_out_what_the_terminal_lacks()
    try:
        if list_examples or list_constants:
            _alone(name, input_file, chosen, list_examples and list_constants)
            _list(list_examples, as_json, digits)
            return
        asked = None if entry is None else position(entry)
        if plot_file is not None:
            plot_format(plot_file)
        options = Raw(
            mask="causal" if causal else None if mask is None else csv_file.mask(mask),
            mask_origin="--causal" if causal else "mask" if mask is None else name_of(mask),
            temperature=temperature,
            scale=scale,
            labels=None
            if labels is None
            else tuple(label(part.strip(), "--labels") for part in labels.split(",")),
        )
        if causal and mask is not None:
            raise InputError("--causal and --mask: give one of them")
        problem = _problem(name, input_file, chosen, options)
        calculation = calculate(problem, dtype.value)
        if asked is not None:
            check_entry(calculation, asked)
        note = None if plot_file is None else plot(calculation, plot_file)
    except (InputError, ValueError) as error:
        _wrong(str(error))
    _print(calculation, as_json, digits, asked)
    for text in () if note is None else note:
        print(f"duizhao: {text}", file=sys.stderr)
    if calculation.over_budget:
        raise typer.Exit(1)


def _spell_out_what_the_terminal_lacks() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _wrong(message: str) -> NoReturn:
    print(f"duizhao: {message}", file=sys.stderr)
    raise typer.Exit(2)


def _alone(name: str | None, input_file: Path | None, tables: dict[str, Path], both: bool) -> None:
    if both or name is not None or input_file is not None or tables:
        raise InputError("--list and --constants stand alone; leave the example or the input out")


def _list(list_examples: bool, as_json: bool, digits: int) -> None:
    if as_json:
        _json(data.examples_data() if list_examples else data.constants_data(digits))
    elif list_examples:
        listing.show_examples(Console(emoji=False))
    else:
        listing.show_constants(Console(emoji=False), digits)


def _problem(name: str | None, input_file: Path | None, tables: dict[str, Path], options: Raw) -> Problem:
    """Return what to trace, from the one source that is given.

    Raises:
        InputError: If there is none or more than one, or it cannot be used.
        ValueError: If there is no example of that name.
    """
    sources = sum((name is not None, input_file is not None, bool(tables)))
    if sources != 1:
        what = "name an example (--list lists them), or give --input FILE or matrices in CSV"
        raise InputError(f"nothing to trace: {what}" if not sources else f"one thing at a time: {what}")
    if name is not None:
        if Path(name).suffix.lower() in READERS:
            raise InputError(f"no example is a file: did you mean --input {name}?")
        if options.labels is not None:
            raise InputError("--labels: an example has labels of its own")
        return of_example(
            example(name), mask=options.mask, temperature=options.temperature, scale=options.scale
        )
    if input_file is not None:
        reader = READERS.get(input_file.suffix.lower())
        if reader is None:
            raise InputError(_no_reader(input_file))
        return of_input(_merged(reader(input_file), options, input_file), name_of(input_file))
    for matrix, path in tables.items():
        options.matrices[matrix] = csv_file.matrix(path)
    files = [name_of(path) for path in tables.values()]
    if options.mask is not None and options.mask_origin != "--causal":
        files.append(options.mask_origin)
    return of_input(options, ", ".join(files))


def _no_reader(path: Path) -> str:
    if path.suffix.lower() == ".csv":
        return (
            f"{name_of(path)}: a CSV file holds one matrix; say which, such as --weights FILE --values FILE"
        )
    return f"{name_of(path)}: .json or .npz is needed; matrices in CSV are given by --weights, --values and so on"


def _merged(raw: Raw, options: Raw, path: Path) -> Raw:
    """Return what a file gives with what options add.

    Raises:
        InputError: If something is given twice.
    """
    for what in ("mask", "temperature", "scale", "labels"):
        added = getattr(options, what)
        if added is None:
            continue
        if getattr(raw, what) is not None:
            raise InputError(f"{what}: given in {name_of(path)} and as an option; give it once")
        setattr(raw, what, added)
    if options.mask is not None:
        raw.mask_origin = options.mask_origin
    return raw


def _print(calculation: Calculation, as_json: bool, digits: int, asked: Position | None) -> None:
    if as_json:
        _json(data.calculation_data(calculation, digits=digits, entry=asked))
    else:
        render.show(calculation, Console(emoji=False), digits=digits, entry=asked)


def _json(values: dict[str, Any]) -> None:
    typer.echo(json.dumps(values, ensure_ascii=False, indent=1, allow_nan=False))
