"""The worst slack of every claim with a budget, measured over many cases and kept in `ledger/slack.json`.

* `measure_slack`: measure, in parallel; `python -m duizhao.claims.slack` writes the file, with progress (`make slack`).
* `read_slack`, `read_file`: the file, as `SlackRecord`.
"""

import argparse
import datetime
import gc
import json
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from duizhao import exact
from duizhao.claims import all_claims
from duizhao.claims.claim import Claim
from duizhao.claims.measure import PRECISION, Measurement, describe, judge, keep_nothing_here
from duizhao.claims.parallel import in_parallel
from duizhao.strategies import Target, targets
from duizhao.strategies.sampling import draws

FILE = Path("ledger") / "slack.json"
SCHEMA = 1
CASES = 10_000

LIBRARIES = ("numpy", "hypothesis", "python-flint")


@dataclass(frozen=True)
class Slack:
    """The worst gap of a claim over its budget, in one dtype."""

    cases: int
    worst: float


@dataclass(frozen=True)
class SlackRecord:
    """What `ledger/slack.json` holds."""

    date: str
    """The day of the oldest measurement in it."""
    versions: Mapping[str, str]
    claims: Mapping[str, Mapping[str, Slack]]
    """By id, then by dtype."""

    @property
    def least(self) -> int:
        """The smallest number of cases of any claim and dtype."""
        return min((slack.cases for dtypes in self.claims.values() for slack in dtypes.values()), default=0)

    def worst(self, id_: str, dtype: str) -> float | None:
        """Return the worst slack of a claim in a dtype, or `None` if there is none."""
        found = self.claims.get(id_, {}).get(dtype)
        return None if found is None else found.worst


def read_slack(root: Path) -> SlackRecord | None:
    """Return the measured slack of a project, or `None` if it has no `ledger/slack.json`.

    Raises:
        ValueError: If the file cannot be read as what `make slack` writes.
    """
    return read_file(root / FILE)


def read_file(file: Path) -> SlackRecord | None:
    """Return the measured slack in a file, or `None` if there is no such file.

    Raises:
        ValueError: If the file cannot be read as what `make slack` writes.
    """
    if not file.is_file():
        return None
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise ValueError(f"schema {data['schema']!r}, known is {SCHEMA}")
        claims = {
            str(id_): {
                str(dtype): Slack(int(row["cases"]), _slack(row["slack"])) for dtype, row in rows.items()
            }
            for id_, rows in data["claims"].items()
        }
        return SlackRecord(str(data["date"]), dict(data["versions"]), claims)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{FILE.as_posix()}: not what `make slack` writes: {error!r}") from error


def _slack(value: Any) -> float:
    """Return a slack as it is kept: a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"a slack from 0 to 1 is needed, got {value!r}")
    return float(value)


def sample(claim: Claim, target: Target, cases: int) -> Measurement:
    """Measure a claim on many cases, as they are drawn: a case that fails is not made small, and ends it."""
    worst = 0.0
    with exact.precision(PRECISION):
        for number, case in enumerate(draws(claim.cases(target), cases, seed=0), start=1):
            ratio = judge(claim, case)
            if not ratio <= 1:
                failure = f"{ratio:.3g} times its budget from the theorem: {describe(case)}"
                return Measurement(claim.id, target.name, number, ratio, failure)
            worst = max(worst, ratio)
    return Measurement(claim.id, target.name, cases, worst)


def _sample_by_id(job: tuple[str, Target, int]) -> Measurement:
    """Measure a claim in a worker: claims are looked up by name there."""
    claim_id, target, cases = job
    return sample(all_claims()[claim_id], target, cases)


def _prepare() -> None:
    """Collect garbage more seldom: draws leave much of it, none of it large."""
    gc.set_threshold(100_000, 20, 100)
    keep_nothing_here()


def measure_slack(claims: Sequence[Claim], cases: int, workers: int) -> Iterator[Measurement]:
    """Measure claims over `cases` cases each and dtype, in parallel, and yield each measurement as it is there.

    Raises:
        ValueError: If a claim fails.
    """
    jobs = [(claim.id, target, cases) for claim in claims for target in targets()]
    for measurement in in_parallel(_sample_by_id, jobs, min(workers, len(jobs)), _prepare):
        if measurement.failure is not None:
            raise ValueError(f"{measurement.id}, {measurement.target}: {measurement.failure}")
        yield measurement


def _versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: version(name) for name in LIBRARIES}


def text_of(measurements: Iterable[Measurement], date: str, kept: SlackRecord | None = None) -> str:
    """Return the file's text, sorted, one claim a line: the measurements, and the claims of `kept` that have none."""
    claims: dict[str, dict[str, Any]] = {
        id_: {dtype: {"cases": row.cases, "slack": row.worst} for dtype, row in rows.items()}
        for id_, rows in (kept.claims.items() if kept else ())
    }
    for measurement in measurements:
        row = {"cases": measurement.cases, "slack": float(f"{measurement.slack:.4g}")}
        claims.setdefault(measurement.id, {})[measurement.target] = row
    head = {"schema": SCHEMA, "date": date, "versions": _versions()}
    lines = ",\n".join(f"{json.dumps(id_)}: {json.dumps(claims[id_])}" for id_ in sorted(claims))
    return json.dumps(head)[:-1] + ', "claims": {\n' + lines + "\n}}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every claim with a budget, or those that are named, and write `ledger/slack.json`; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m duizhao.claims.slack", description=main.__doc__)
    parser.add_argument("--cases", type=int, default=CASES, help="cases for each claim and dtype")
    parser.add_argument("--output", type=Path, default=FILE, help="the file to write")
    parser.add_argument("--workers", type=int, help="processes; one for each core if not given")
    parser.add_argument(
        "--only", nargs="+", metavar="ID", help="claims to measure anew; the others stay as they are"
    )
    options = parser.parse_args(arguments)
    for name in "cases", "workers":
        value = getattr(options, name)
        if value is not None and value < 1:
            parser.error(f"--{name}: must be at least 1, got {value}")
    claims = [claim for claim in all_claims().values() if claim.has_slack]
    kept = None
    if options.only is not None:
        unknown = set(options.only) - {claim.id for claim in claims}
        if unknown:
            parser.error(f"--only: no claim with a budget is named {', '.join(sorted(unknown))}")
        claims = [claim for claim in claims if claim.id in options.only]
        kept = read_file(options.output)
        if kept is not None and kept.versions != _versions():
            parser.error(f"--only: {options.output} was measured with other versions; measure all of it")
    columns = TextColumn("slack"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True, emoji=False)) as progress:
        running = measure_slack(claims, options.cases, options.workers or os.cpu_count() or 1)
        try:
            measured = list(progress.track(running, total=len(claims) * len(targets())))
        except ValueError as error:
            print(f"duizhao: {error}", file=sys.stderr)
            return 1
    today = datetime.date.today().isoformat()
    date = min(today, kept.date) if kept else today
    options.output.write_text(text_of(measured, date, kept), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
