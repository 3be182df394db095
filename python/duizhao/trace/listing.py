"""What there is to trace, and the lessons' other numbers, for a reader.

* `show_examples`: the worked examples by name.
* `show_constants`: the numbers that the lessons print on the way.
"""

from itertools import groupby

from rich.console import Console

from duizhao.examples import Constant, constants, examples
from duizhao.trace.closed_forms import readable


def show_examples(console: Console) -> None:
    """Print the names of the worked examples, with what they are."""
    width = max(len(name) for name in examples())
    for (lesson, place), group in groupby(examples().values(), key=lambda one: (one.lesson, one.place)):
        _line(console, f"{lesson}, {place}", "bold")
        for one in group:
            _line(console, f"  {one.name.ljust(width)}  {one.title}")


def show_constants(console: Console, digits: int) -> None:
    """Print the numbers that the lessons print on the way, to so many decimals, with where they come from."""
    everything = constants().values()
    width = max(len(one.name) for one in everything)
    for (lesson, place), group in groupby(everything, key=lambda one: (one.lesson, one.place)):
        _line(console, f"{lesson}, {place}", "bold")
        for one in group:
            _line(console, f"  {one.name.ljust(width)}  {_value(one, digits)}")
    _line(console, "s = 1/√2 and r = exp(1/√2).")
    wrong = [one.name for one in everything if one.printed != one.digits()]
    outcome = "all are right to the last digit" if not wrong else f"wrong are {', '.join(wrong)}"
    _line(console, f"The lessons print {len(everything)} numbers on the way: {outcome}.", "bold")


def _value(constant: Constant, digits: int) -> str:
    form, printed = readable(constant.form), constant.printed
    is_whole = constant.form.is_rational() and constant.form.fraction().denominator == 1
    value = constant.form.digits(0 if is_whole else digits)
    parts = [value] if form == value else [form, value]
    said = "" if printed == value else f" (printed {printed})"
    return " = ".join(parts) + said


def _line(console: Console, text: str, style: str = "") -> None:
    console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)
