"""Runs the Python lines that the figures show: `python -m tests.figures.programs`.

Standard input is a JSON list of programs; standard output a JSON list of what each prints: numbers and words in
order, or the message of the error that it ends with.
"""

import contextlib
import io
import json
import re
import sys

PART = re.compile(r"[^\s\[\](){},]+")


def number_or_word(part: str) -> float | str:
    """Return the number that a printed part is, else the part; what JSON has no number for stays a word."""
    try:
        number = float(part)
    except ValueError:
        return part
    return number if number - number == 0 else part


def printed(program: str) -> list[float | str]:
    """Run a program, and return what it prints, split at spaces, brackets and commas."""
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard):
        try:
            exec(compile(program, "<figure>", "exec"), {"__name__": "figure"})
        except ValueError as error:
            print("ValueError:", error)
    return [number_or_word(part) for part in PART.findall(heard.getvalue())]


if __name__ == "__main__":
    import numpy as np

    np.set_printoptions(precision=17, suppress=False, floatmode="unique", linewidth=10_000)
    json.dump([printed(program) for program in json.load(sys.stdin)], sys.stdout)
