"""The files that say what Lean checks and what it reports, compared with the record when Lean itself runs.

* `infrastructure_problems`: those of them that are not as recorded.

A run of Lake vouches for the theorems that it built, not for the program that reports their axioms, the attribute
that makes the list, its tests, or the versions: these must be the ones that somebody read and recorded.
"""

from __future__ import annotations

from duizhao.ledger.problem import RECORD, Problem
from duizhao.ledger.record import SETTINGS, Loaded, hash_of
from duizhao.ledger.sources import ROOT, SOURCE_DIR, Sources, module_name

_WHAT = {
    "lean-toolchain": "it names the Lean that runs",
    "lake-manifest.json": "it names the Mathlib that the proofs use",
    "lakefile.lean": "it says what Lake builds",
    f"{SOURCE_DIR}/Ledger.lean": "it is what reports the axioms",
}


def infrastructure_problems(loaded: Loaded, sources: Sources) -> list[Problem]:
    """Say which files that hold no theorem differ from the record, are missing, or are not listed in it.

    Without a record there is nothing to compare with. The sources of theorems may differ: Lake builds them.
    """
    if loaded.record is None:
        return []
    recorded = loaded.record.files
    found = []
    for file in dict.fromkeys([*SETTINGS, *recorded, *sources.files]):
        digest = hash_of(sources.root / file)
        if _holds_theorems(file) or (file in recorded and digest == recorded[file]):
            continue
        how = "is missing or cannot be read" if digest is None else "differs from the record"
        if file not in recorded:
            how = "is not listed in the record"
        text = f"{how}, and {_what(file)}: read the change, then `duizhao ledger record`"
        found.append(Problem(text, RECORD, file))
    return found


def _holds_theorems(file: str) -> bool:
    name = module_name(file)
    result = file.startswith(SOURCE_DIR + "/") and (name == ROOT or name.startswith(ROOT + "."))
    return result and not name.startswith(f"{ROOT}.Meta.")


def _what(file: str) -> str:
    if file.startswith(f"{SOURCE_DIR}/{ROOT}/Meta/"):
        return "it makes the list of theorems"
    if file.startswith(f"{SOURCE_DIR}/{ROOT}Test"):
        return "it tests the list of theorems"
    return _WHAT.get(file, "no theorem that is listed is in it")
