"""An audit as tests, for a project's own CI: `pytest --pyargs duizhao.audit --duizhao-subject MODULE:FUNCTION`.

* `pytest_addoption`, `pytest_report_header`, `pytest_generate_tests`, `pytest_unconfigure`: what pytest calls.
* `expected_failures`: read a file of names.
* `Session`: the audit that the tests of a run share.

Every claim, policy and kind of conduct is one test. Names in the file of `--duizhao-xfail` must fail: one that passes is a
failure. pytest finds this module by its entry point and imports nothing else of the package until a subject is named.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duizhao.audit.run import Run

CONDUCT = ("raises", "hangs", "shape", "dtype", "mutates", "prints")
"""The kinds of conduct, which are judged after all claims."""


def pytest_addoption(parser: Any) -> None:
    """Add the options, all of which start with `--duizhao-`."""
    group = parser.getgroup("duizhao", "audit an attention function (with --pyargs duizhao.audit)")
    group.addoption("--duizhao-subject", metavar="MODULE:FUNCTION", help="the function to audit")
    group.addoption("--duizhao-adapter", metavar="MODULE:NAME", help="how to call it")
    group.addoption("--duizhao-policy", metavar="NAME=VALUE", action="append", default=[], help="required")
    group.addoption("--duizhao-dtype", metavar="DTYPE", action="append", help="only this dtype")
    group.addoption("--duizhao-seed", type=int, default=0, help="the seed of the cases")
    group.addoption("--duizhao-cases", type=int, help="cases for each form of a claim")
    group.addoption("--duizhao-time-limit", type=float, default=20.0, help="seconds for one call")
    group.addoption("--duizhao-xfail", metavar="FILE", help="names that are expected to fail, one a line")


def pytest_report_header(config: Any) -> str | None:
    """Print the subject and the seed."""
    subject = config.getoption("--duizhao-subject")
    seed = config.getoption("--duizhao-seed")
    return f"duizhao: {subject}, seed {seed} (--duizhao-seed)" if subject else None


def expected_failures(file: Path, known: list[str]) -> dict[str, str]:
    """Read names that are expected to fail, each with the reason after a `#`.

    Raises:
        ValueError: If the file cannot be read, or a name is not known.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ValueError(f"{file}: cannot be read: {error.strerror}") from error
    found = {}
    for number, line in enumerate(lines, start=1):
        name, _, reason = line.partition("#")
        name = name.strip()
        if name and name not in known:
            raise ValueError(f"{file}, line {number}: no claim, policy or conduct is named {name}")
        if name:
            found[name] = reason.strip()
    return found


class Session:
    """The audit that the tests of a run share: policies are found first, and each claim is run by its test."""

    def __init__(self, config: Any) -> None:
        """Load the subject and find its policies.

        Raises:
            WrongUseError: If the subject cannot be loaded or an option is wrong.
            RuntimeError: If the subject cannot be imported in a process of its own.
        """
        from duizhao.audit.policies import required
        from duizhao.audit.run import Run
        from duizhao.audit.subject import load

        subject = load(config.getoption("--duizhao-subject"), config.getoption("--duizhao-adapter"))
        self.run: Run = Run(
            subject,
            seed=config.getoption("--duizhao-seed"),
            trials=config.getoption("--duizhao-cases"),
            needed=required(config.getoption("--duizhao-policy")),
            time_limit=config.getoption("--duizhao-time-limit"),
            dtypes=config.getoption("--duizhao-dtype"),
        )
        self.run.prepare()

    def problem(self, part: str) -> str | None:
        """Run one part, and say what is wrong with it; the empty text where the subject cannot be asked."""
        from duizhao.audit.check import CHECKS

        if part in CHECKS:
            outcome = self.run.one(CHECKS[part])
            failure = outcome.failure
            if failure is not None:
                theorem = outcome.check.theorem or f"none: {outcome.check.why}"
                return f"{failure.sentence} ({failure.dtype})\ntheorem: {theorem}\n\n{failure.snippet or ''}"
            if outcome.stopped is not None:
                return f"stopped: {outcome.stopped}"
            return None if outcome.asked else ""
        if part in CONDUCT:
            fault = self.run.conducted().get(part)
            return None if fault is None else fault.sentence
        (policy,) = [policy for policy in self.run.policies if policy.name == part]
        told = [
            f"theorem: {policy.theorem}\n\n{wrong.snippet}" for _, wrong in policy.wrong() if wrong.snippet
        ]
        return None if policy.ok else "\n".join([policy.sentence(), *told])


def parts() -> list[str]:
    """Return the names of all tests: policies, claims, conduct."""
    from duizhao.audit.run import ORDER, chosen

    return [*ORDER, *(check.name for check in chosen(None)), *CONDUCT]


def session(config: Any) -> Session:
    """Return the audit of a run; start it the first time."""
    found = getattr(config, "duizhao_session", None)
    if found is None:
        found = config.duizhao_session = Session(config)
    assert isinstance(found, Session)
    return found


def pytest_generate_tests(metafunc: Any) -> None:
    """Make one test of each part; those that are expected to fail are marked so."""
    if "duizhao_part" not in metafunc.fixturenames:
        return
    import pytest

    from duizhao.wrong_use import WrongUseError

    config = metafunc.config
    if not config.getoption("--duizhao-subject"):
        raise pytest.UsageError("duizhao: name the function to audit: --duizhao-subject MODULE:FUNCTION")
    known = parts()
    file = config.getoption("--duizhao-xfail")
    try:
        expected = {} if file is None else expected_failures(Path(file), known)
        session(config)
    except (ValueError, WrongUseError, RuntimeError) as error:
        raise pytest.UsageError(f"duizhao: {error}") from error
    marked = [
        pytest.param(part, marks=pytest.mark.xfail(reason=expected[part], strict=True), id=part)
        if part in expected
        else pytest.param(part, id=part)
        for part in known
    ]
    metafunc.parametrize("duizhao_part", marked)


def pytest_unconfigure(config: Any) -> None:
    """End the subject's process."""
    found = getattr(config, "duizhao_session", None)
    if found is not None:
        found.run.outside.stop()
