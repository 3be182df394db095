"""The matrix of bugs and checks, computed and kept in `ledger/zoo.json`.

`python -m tests.zoo.matrix` (`make zoo`) audits every bug, every bug with other constants and every right variant, and
writes what fails on each, beside what a plain differential test tells. It prints how long it takes to catch each.

* `computed`: what the file holds. `rows`: the part about each function.
* `caught_after`: the seconds until something is wrong.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from duizhao.audit.check import CHECKS
from duizhao.audit.run import TRIALS, Report, Run
from duizhao.audit.subject import load
from tests.zoo import BUGS, VARIANTS
from tests.zoo.audits import ADAPTER, audited, audited_variant, failing, found, place
from tests.zoo.bug import Bug
from tests.zoo.constants import CONSTANTS
from tests.zoo.differential import RTOL, told
from tests.zoo.variant import ADAPTER as CALLED
from tests.zoo.variant import Variant

FILE = Path("ledger") / "zoo.json"
SCHEMA = 1
SEED = 0


def numbers(output: Any) -> list[str]:
    """The entries of an output, to six digits."""
    return [format(float(entry), ".6g") for entry in output.flat]


def said(report: Report) -> dict[str, Any]:
    """What a report says: whether all is well, which checks fail, and what was found of policies."""
    return {
        "ok": report.ok,
        "fails": failing(report),
        "conduct": sorted(report.conduct),
        "policies": found(report),
        "inconsistent": [policy.name for policy in report.policies if not policy.ok],
    }


def row(bug: Bug, trials: int) -> dict[str, Any]:
    """What is computed of a bug: its figures, what the audit says, and what a differential test tells."""
    figures = bug.figures()
    report = audited(place(bug), seed=SEED, trials=trials)
    required = None
    if bug.policy is not None:
        required = audited(place(bug), only=(), needed={bug.policy.name: bug.policy.right}).ok
    return {
        "figures": {"right": numbers(figures.right), "bug": numbers(figures.bug)},
        **said(report),
        "ok_if_required": required,
        "differential": told(bug.function, CALLED)._asdict(),
    }


def variant_row(variant: Variant, trials: int) -> dict[str, Any]:
    """What is computed of a right variant."""
    report = audited_variant(variant, seed=SEED, trials=trials)
    return {
        "says": variant.says,
        **said(report),
        "differential": told(variant.function, variant.adapter)._asdict(),
    }


def computed(trials: int) -> dict[str, Any]:
    """Return what the file holds."""
    bugs, constants, variants = {}, {}, {}
    for bug in BUGS:
        print(bug.id, file=sys.stderr)
        bugs[bug.id] = row(bug, trials)
    for name in CONSTANTS:
        print(name, file=sys.stderr)
        constants[name] = said(audited(f"tests.zoo.constants:{name}", seed=SEED, trials=trials))
    for variant in VARIANTS:
        print(variant.name, file=sys.stderr)
        variants[variant.name] = variant_row(variant, trials)
    checks = {name: {"theorem": check.theorem, "title": check.title} for name, check in CHECKS.items()}
    return {
        "schema": SCHEMA,
        "seed": SEED,
        "trials": trials,
        "rtol": RTOL,
        "checks": checks,
        "bugs": bugs,
        "constants": constants,
        "variants": variants,
    }


def caught_after(bug: Bug) -> tuple[float, str]:
    """Return the seconds until an audit finds something wrong with a bug, and what: a check or a policy."""
    needed = {bug.policy.name: bug.policy.right} if bug.policy else {}
    begun = time.monotonic()
    run = Run(load(place(bug), ADAPTER), seed=SEED, needed=needed)
    try:
        run.prepare()
        wrong = [policy.name for policy in run.policies if not policy.ok]
        for check in [] if wrong else CHECKS.values():
            if not run.one(check).ok:
                wrong.append(check.name)
                break
    finally:
        run.outside.stop()
    return time.monotonic() - begun, wrong[0] if wrong else "nothing"


def main() -> None:
    """Write the file, or print how long each catch takes."""
    parser = argparse.ArgumentParser(prog="python -m tests.zoo.matrix")
    parser.add_argument("--times", action="store_true", help="print the seconds until each bug is caught")
    parser.add_argument("--trials", type=int, default=TRIALS, help="cases for each form of a check")
    options = parser.parse_args()
    if options.times:
        for bug in BUGS:
            seconds, what = caught_after(bug)
            print(f"{bug.id:22} {seconds:5.1f} s  {what}")
        return
    text = json.dumps(computed(options.trials), indent=1, ensure_ascii=False)
    FILE.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
