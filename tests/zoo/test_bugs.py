"""Every bug of the zoo is cited, shows the figures of its report, and is a slip, not nonsense."""

import inspect
import re

import numpy as np
import pytest

from duizhao.claims import all_claims
from tests.zoo import BUGS, steps
from tests.zoo.bug import Bug, figures_shown

SHOWN = {
    "empty_row_nan": ("0", "nan"),
    "empty_row_uniform": ("0", "2"),
    "mask_polarity": ("1 2", "3 0"),
    "mask_added_as_01": ("1 2", "1.54 2"),
    "mask_after_softmax": ("1 1", "0.5 1"),
    "mask_times_score": ("1", "2.46"),
    "infinity_times_zero": ("1 2", "nan nan"),
    "scale_twice": ("0.99966", "0.98201"),
    "scale_missing": ("3.4e-4", "1.1e-7"),
    "scale_model_width": ("0.99966 0.99966 0.99966 0.99966", "0.98201 0.98201 0.98201 0.98201"),
    "softmax_axis": ("1 1", "0.77 1.23"),
    "causal_top_left": ("2.5", "1"),
    "causal_dropped": ("1 2 4", "4 4 4"),
    "causal_sees_next": ("1 2 4", "2 4 4"),
    "overflow_half": ("1", "nan"),
    "no_max_shift": ("1", "nan"),
    "gqa_tile": ("10 10 20 20", "10 20 10 20"),
    "batch_mask_first": ("1 3", "1 1"),
    "blockwise_no_rescale": ("0.0067", "0.9933"),
}
"""What right and wrong functions give on the examples, to the digits given. Dropout has no figures of its own."""


@pytest.mark.parametrize("bug", [bug for bug in BUGS if bug.id in SHOWN], ids=lambda bug: bug.id)
def test_example_shows_the_figures_of_the_bug(bug: Bug) -> None:
    right, wrong = SHOWN[bug.id]
    figures = bug.figures()
    assert figures_shown(figures.right, right) == right
    assert figures_shown(figures.bug, wrong) == wrong


def test_every_bug_but_dropout_has_figures() -> None:
    assert {bug.id for bug in BUGS} - set(SHOWN) == {"dropout_in_eval"}


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.id)
def test_example_tells_the_bug_from_the_right_function(bug: Bug) -> None:
    right, wrong = bug.figures()
    assert np.isfinite(right).all()
    assert right.shape == wrong.shape
    assert not np.array_equal(right, wrong)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.id)
def test_bug_is_right_on_some_input(bug: Bug) -> None:
    """With one query, one key and a width of one there is nothing to get wrong but a weight of one."""
    one = np.ones((1, 1, 1, 1))
    if bug.id == "dropout_in_eval":
        one = np.repeat(one, 64, axis=2)  # Some query keeps every key.
        assert (bug.function(one, one[:, :, :1], one[:, :, :1], rate=0.5) > 0).any()
    else:
        assert np.array_equal(bug.function(one, one, one), steps.attention(one, one, one))


def test_bugs_cite_public_reports() -> None:
    for bug in BUGS:
        for report in bug.reports:
            owner, name, number = re.fullmatch(r"([\w.-]+)/([\w.-]+)#(\d+)", report.name).groups()  # type: ignore[union-attr]
            assert re.fullmatch(rf"https://github\.com/{owner}/{name}/(issues|pull)/{number}", report.url)
    assert [bug.id for bug in BUGS if not bug.reports] == ["no_max_shift"]


def test_bugs_name_theorems_that_are_claimed() -> None:
    assert {theorem for bug in BUGS for theorem in bug.theorems} <= set(all_claims())
    assert all(bug.theorems for bug in BUGS)


def test_bugs_say_what_is_wrong_in_both_languages() -> None:
    for bug in BUGS:
        assert bug.says.endswith(".")
        assert bug.en.endswith(".")
        assert bug.zh.endswith("。")
    assert len({bug.id for bug in BUGS}) == len(BUGS)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.id)
def test_bug_is_called_as_the_right_function_is(bug: Bug) -> None:
    right = list(inspect.signature(steps.attention).parameters)
    assert list(inspect.signature(bug.function).parameters)[: len(right)] == right
