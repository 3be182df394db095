"""The command `duizhao`.

Exit codes: 0, all is well; 1, something was found; 2, wrong use or unreadable input.
"""

import atexit
import contextlib
import errno
import gc
import io
import os
import signal
import sys
from types import FrameType
from typing import Annotated

import typer

from duizhao import __version__
from duizhao.audit.command import audit_command
from duizhao.breaking.command import break_command
from duizhao.claims.measure import keep_nothing_here
from duizhao.ledger.check_command import check_command
from duizhao.ledger.look_up import explain_command, list_command
from duizhao.ledger.writing import app as ledger_app
from duizhao.trace.command import trace
from duizhao.wrong_use import WrongUseError

app = typer.Typer(
    name="duizhao",
    help="One fact, three places: a Lean theorem, a test on floats, a page.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def top(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """One fact, three places: a Lean theorem, a test on floats, a page."""
    if version:
        typer.echo(f"duizhao {__version__}")
        raise typer.Exit


app.command("trace")(trace)
app.command("break")(break_command)
app.command("audit")(audit_command)
app.command("check")(check_command)
app.command("explain")(explain_command)
app.command("list")(list_command)
app.add_typer(ledger_app, name="ledger")


def _stop(number: int, _frame: FrameType | None) -> None:
    """End the command on Ctrl-C or a signal to end: once, so that nothing interrupts the cleaning up."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


def _write_no_more() -> None:
    """Lose what standard output still holds, which it does not take, so that it is not tried again at the end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def main() -> None:
    """Run the command: what goes wrong in use is one line and exit code 2."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    keep_nothing_here()
    atexit.register(gc.freeze)  # else the end of the process looks through all that was ever loaded
    if (
        os.environ.get("COLUMNS", "").strip("0") == ""
    ):  # a terminal without columns is one whose width is not known
        os.environ.pop("COLUMNS", None)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        try:
            app()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except WrongUseError as error:
        print(f"duizhao: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        _write_no_more()
        if error.errno == errno.EPIPE:
            sys.exit(1)
        print(f"duizhao: {error.filename or 'standard output'}: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)
