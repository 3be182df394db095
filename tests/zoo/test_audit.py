"""The audit catches every bug of the zoo without a reference, and accepts every right variant."""

import pytest

from tests.zoo import BUGS, VARIANTS
from tests.zoo.audits import audited, audited_variant, failing, found, of_theorems, place
from tests.zoo.bug import Bug
from tests.zoo.constants import CONSTANTS
from tests.zoo.variant import Variant

PLAIN = [bug for bug in BUGS if bug.policy is None]
CHOICES = [bug for bug in BUGS if bug.policy is not None]
DTYPES = ("float64", "float16")
TRIALS = 3


@pytest.mark.parametrize("bug", PLAIN, ids=lambda bug: bug.id)
def test_bug_is_caught_by_a_check_of_its_theorems(bug: Bug) -> None:
    checks = of_theorems(bug.theorems)
    report = audited(place(bug), only=checks, dtypes=DTYPES, trials=TRIALS)
    assert not report.ok
    assert failing(report)


@pytest.mark.parametrize("bug", CHOICES, ids=lambda bug: bug.id)
def test_choice_is_reported_and_fails_where_another_is_required(bug: Bug) -> None:
    assert bug.policy is not None
    name = bug.policy.name
    report = audited(place(bug), only=(), dtypes=DTYPES)
    assert report.ok
    assert found(report)[name] == bug.policy.bug
    assert audited(place(bug), only=(), dtypes=DTYPES, needed={name: bug.policy.bug}).ok
    assert not audited(place(bug), only=(), dtypes=DTYPES, needed={name: bug.policy.right}).ok


@pytest.mark.parametrize(
    "name", [name for name in CONSTANTS if name.split("__")[0] in {bug.id for bug in PLAIN}]
)
def test_bug_with_other_constants_is_caught(name: str) -> None:
    bug = next(bug for bug in PLAIN if name.split("__")[0] == bug.id)
    checks = of_theorems(bug.theorems)
    report = audited(f"tests.zoo.constants:{name}", only=checks, dtypes=("float32",), trials=2 * TRIALS)
    assert not report.ok
    assert failing(report)


def test_choice_with_another_constant_is_reported() -> None:
    name = "tests.zoo.constants:empty_row_uniform__less_low"
    report = audited(name, only=(), dtypes=("float32", "float64"))
    assert report.ok
    assert found(report)["empty_row"] == "mean"


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_right_variant_is_accepted_with_its_policies(variant: Variant) -> None:
    report = audited_variant(variant, trials=1)
    assert report.ok, failing(report)
    assert found(report) | variant.policies == found(report)
    assert sum(outcome.state == "passes" for outcome in report.outcomes) >= 25


def test_keys_repeated_and_values_tiled_are_inconsistent() -> None:
    report = audited("tests.zoo.heads:keys_repeated_values_tiled", only=(), dtypes=("float64",))
    (wrong,) = [policy for policy in report.policies if not policy.ok]
    assert wrong.name == "heads"
    ((dtypes, fault),) = wrong.wrong()
    assert dtypes == "float64"
    assert "repeat" in fault.sentence
    assert "tile" in fault.sentence


def test_fill_that_is_too_high_is_caught_where_scores_are_low() -> None:
    """Where scores are ordinary, it is a policy on empty rows and nothing else."""
    name = "tests.zoo.constants:empty_row_uniform__too_high"
    report = audited(name, only=of_theorems(("maskedSoftmax_of_notMem",)), dtypes=("float32",), trials=1)
    assert failing(report) == ["maskedSoftmax_of_notMem.low_scores"]
    assert found(report)["empty_row"] == "mean"
