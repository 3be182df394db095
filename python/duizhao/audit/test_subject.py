"""The tests of `pytest --pyargs duizhao.audit`: one for each claim, policy and kind of conduct."""

from typing import Any

from duizhao.audit.plugin import session


def test_audit(duizhao_part: str, request: Any) -> None:
    """What is known of attention holds of the subject; what it does not take is not asked of it."""
    problem = session(request.config).problem(duizhao_part)
    if problem:
        raise AssertionError(problem)
