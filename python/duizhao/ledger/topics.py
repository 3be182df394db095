"""The topics of the ledger, by the names that readers give them.

* `topics_named`: the topics that a name stands for.
* `result_named`: the id of a result, with a hint where it is mistyped.
"""

import difflib
from collections.abc import Iterable, Mapping, Sequence

from duizhao.claims.claim import Claim
from duizhao.ledger.lean import LeanSide


def topics_of(lean: LeanSide, claims: Mapping[str, Claim]) -> list[str]:
    """Return all topics, of theorems and of claims, in order."""
    return sorted(
        {theorem.topic for theorem in lean.theorems.values()} | {claim.topic for claim in claims.values()}
    )


def topics_named(name: str, topics: Sequence[str]) -> list[str]:
    """Return the topics of a name as written in Lean (`Counterexample.Mask`) or in Python (`counterexample.mask`).

    The name of a group, `Counterexample`, stands for all of its topics.

    Raises:
        ValueError: If there is no such topic; the message suggests close ones.
    """
    folded = {_folded(topic): [topic] for topic in topics}
    for topic in topics:
        if "." in topic:
            folded.setdefault(_folded(topic.split(".")[0]), []).append(topic)
    key = _folded(name)
    if key in folded:
        return folded[key]
    names = {
        **{key: known[0].split(".")[0] for key, known in folded.items()},
        **{_folded(t): t for t in topics},
    }
    close = difflib.get_close_matches(key, names, n=1)
    hint = f"; did you mean {names[close[0]]}?" if close else f"; there are {', '.join(sorted(topics))}"
    raise ValueError(f"no topic `{name}`{hint}")


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def result_named(name: str, ids: Iterable[str]) -> str:
    """Return the id of a result, given that or its full Lean name.

    Raises:
        ValueError: If there is no such result; the message suggests close ones.
    """
    known = list(ids)
    for candidate in (name, name.rpartition(".")[2]):
        if candidate in known:
            return candidate
    close = difflib.get_close_matches(name.rpartition(".")[2], known, n=3)
    hint = f"; did you mean {' or '.join(close)}?" if close else "; `duizhao list` shows all"
    raise ValueError(f"no theorem `{name}`{hint}")
