"""The profiles of Hypothesis, and that one of them is in use here."""

import os

from hypothesis import settings


def test_profile_of_ordinary_runs_tries_the_same_examples_in_every_run() -> None:
    profile = settings.get_profile("ci")
    assert profile.derandomize
    assert profile.database is None
    assert profile.deadline is None


def test_thorough_profile_tries_100_times_the_examples() -> None:
    examples = settings.get_profile("ci").max_examples
    assert settings.get_profile("thorough").max_examples == 100 * examples


def test_profile_of_this_run_is_the_one_that_is_asked_for() -> None:
    assert settings.get_current_profile_name() == os.environ.get("DUIZHAO_PROFILE", "ci")
