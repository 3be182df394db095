"""Which claims kill which mutants: measured, and kept in `ledger/mutants.json` for the pages (`make matrix`).

A mutant meets every claim that calls the function that it replaces. A claim kills it if some case, in some dtype, is
over what is allowed.
"""

import json
import multiprocessing
import os
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from duizhao.claims import all_claims
from duizhao.claims.claim import Claim
from duizhao.claims.measure import keep_nothing_here, some_case
from duizhao.strategies import targets
from tests.mutants import MUTANTS
from tests.mutants.mutant import Mutant

FILE = Path(__file__).parents[2] / "ledger" / "mutants.json"
SCHEMA = 1

CASES = 1000
"""Cases in each dtype among which a kill that is listed must come. What Hypothesis draws depends on the modules that
are loaded, so a slip that shows itself in 1 case of 100 needs many more than 100."""

LOOK = 100
"""Cases in each dtype after which a mutant is taken to live: fewer, so that what is listed as killed is killed again."""


def meetings(claims: Mapping[str, Claim] | None = None) -> list[tuple[Mutant, str]]:
    """Return every mutant with every claim that calls what it replaces."""
    found = (all_claims() if claims is None else claims).items()
    return [(mutant, id_) for mutant in MUTANTS for id_, claim in found if mutant.replaces in claim.replaces]


def kills(claim: Claim, mutant: Mutant, cases: int = CASES, seed_value: int = 0) -> bool:
    """Return whether the claim kills the mutant in up to `cases` cases of some dtype."""
    functions = {mutant.replaces: mutant.function}
    return any(
        some_case(
            claim, target, cases, lambda ratio: not ratio <= 1, seed_value=seed_value, functions=functions
        )
        for target in targets()
    )


def read_matrix(file: Path = FILE) -> dict[str, dict[str, bool]]:
    """Return, by mutant and by claim, whether the claim kills the mutant."""
    data = json.loads(file.read_text(encoding="utf-8"))
    return {
        name: dict.fromkeys(row["killed_by"], True) | dict.fromkeys(row["lives"], False)
        for name, row in data["mutants"].items()
    }


def text_of(found: Iterable[tuple[Mutant, str, bool]]) -> str:
    """Return the file's text: sorted, one mutant a line."""
    rows: dict[str, dict[str, object]] = {}
    for mutant, id_, killed in sorted(found, key=lambda entry: (entry[0].name, entry[1])):
        row = rows.setdefault(
            mutant.name, {"replaces": mutant.replaces, "says": mutant.says, "killed_by": [], "lives": []}
        )
        ids = row["killed_by" if killed else "lives"]
        assert isinstance(ids, list)
        ids.append(id_)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    return f'{{"schema": {SCHEMA}, "cases": {LOOK}, "mutants": {{\n{lines}\n}}}}\n'


def killed(mutant: Mutant, id_: str) -> bool:
    """Return whether the matrix lists a kill: it must come again with other cases, but for those that are asked for."""
    claim = all_claims()[id_]
    if id_ in mutant.kills:
        return kills(claim, mutant)
    return all(kills(claim, mutant, LOOK, seed_value) for seed_value in range(3))


def _one(index: int) -> bool:
    return killed(*meetings()[index])


def main() -> int:
    """Measure the whole matrix, in parallel, and write it."""
    pairs = meetings()
    context = multiprocessing.get_context("spawn")
    columns = TextColumn("mutants"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with (
        ProcessPoolExecutor(os.cpu_count(), mp_context=context, initializer=keep_nothing_here) as pool,
        Progress(*columns, console=Console(stderr=True)) as progress,
    ):
        results = progress.track(pool.map(_one, range(len(pairs)), chunksize=16), total=len(pairs))
        found = [(mutant, id_, killed) for (mutant, id_), killed in zip(pairs, results, strict=True)]
    FILE.write_text(text_of(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
