"""What an audit found, in each of its forms."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from duizhao.audit.command import BETWEEN_LINES, Lines
from duizhao.cli import app
from duizhao.wrong_use import WrongUseError
from tests.audit.auditing import SUBJECTS
from tests.repo.tree import ROOT

FEW = ["--dtype", "float64", "--cases", "1"]


def duizhao(*arguments: str) -> Result:
    """Run the command in this process; the subject still runs in one of its own."""
    return CliRunner().invoke(app, ["audit", *arguments])


def test_subject_of_which_nothing_fails_exits_0_with_one_line_to_read() -> None:
    done = duizhao(f"{SUBJECTS}:right", *FEW)
    assert done.exit_code == 0, done.stdout
    assert done.stderr.startswith(f"duizhao: {SUBJECTS}:right: policies, then ")
    assert all(line.startswith("duizhao: ") for line in done.stderr.splitlines())
    assert [line for line in done.stdout.splitlines() if line != line.rstrip()] == []
    last = done.stdout.splitlines()[-1]
    assert last.startswith(f"{SUBJECTS}:right: ")
    assert last.endswith("seed 0: nothing fails.")
    assert "\x1b" not in done.stdout
    assert "· empty_row: a query without keys gives zero" in done.stdout


def test_failure_is_told_with_its_theorem_its_page_and_a_program() -> None:
    done = duizhao(f"{SUBJECTS}:leaks", *FEW)
    assert done.exit_code == 1
    assert "✗ a masked key has weight: query 0, key " in done.stdout
    assert (
        "  theorem: maskedSoftmax_of_notMem\n  page: theorems/mask/#maskedSoftmax_of_notMem\n" in done.stdout
    )
    assert f"    from {SUBJECTS} import leaks as attend\n" in done.stdout


def test_only_claims_that_do_not_hold_are_listed_unless_all_are_asked_for() -> None:
    few = duizhao(f"{SUBJECTS}:leaks", *FEW).stdout
    everything = duizhao(f"{SUBJECTS}:leaks", *FEW, "--all").stdout
    assert "✓" not in few
    assert " claims hold; " in few
    (count,) = [line for line in few.splitlines() if " claims hold; " in line]
    assert everything.count("✓") == int(count.split()[0])


def test_causal_flag_of_neither_corner_is_told_once_with_a_theorem_and_a_program() -> None:
    done = duizhao(f"{SUBJECTS}:one_too_many", "--cases", "1", "--dtype", "float32", "--dtype", "float64")
    assert done.exit_code == 1
    said = (
        "with 2 queries and 4 keys and the causal flag, query 0 fits neither corner: it reads keys 0, 1, "
        "where key 0 (top left) or keys 0, 1, 2 (bottom right) is right"
    )
    assert done.stdout.count(f"✗ causal: {said} (float32, float64)\n") == 1
    assert "  theorem: causalSoftmax_pos_iff\n  page: theorems/mask/#causalSoftmax_pos_iff\n" in done.stdout
    assert "  ✗ causal: told above\n" in done.stdout
    assert done.stdout.count("`make docs`") == 1


def test_lines_of_progress_come_at_the_start_and_now_and_then() -> None:
    times = iter([0.0, 1.0, BETWEEN_LINES, BETWEEN_LINES + 1, 2 * BETWEEN_LINES])
    lines = Lines("a:b", lambda: next(times))
    assert [lines.line(done, 9) for done in range(5)] == [
        "duizhao: a:b: policies, then 9 checks",
        None,
        "duizhao: 2 of 9 checks",
        None,
        "duizhao: 4 of 9 checks",
    ]


def test_script_without_a_guard_on_its_name_can_audit(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from tests.audit.auditing import audited\nprint(audited('right', 'attention_zero').ok)\n", "utf-8"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), *(path for path in sys.path if path)]),
    }
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr


def test_required_policy_that_is_not_met_exits_1() -> None:
    done = duizhao(f"{SUBJECTS}:right", *FEW, "--policy", "empty_row=mean")
    assert done.exit_code == 1
    assert "✗ empty_row: a query without keys gives zero; empty_row=mean is required" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("seed 0: 1 policy is wrong.")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere:attention"], "subject: nowhere cannot be imported: No module named 'nowhere'"),
        (["attention"], "subject: MODULE:NAME is needed, got attention"),
        (
            ["tests.audit.broken:attention"],
            "subject: tests.audit.broken cannot be imported: ZeroDivisionError: ",
        ),
        ([f"{SUBJECTS}:missing"], f"subject: {SUBJECTS} has no missing"),
        ([f"{SUBJECTS}:botom_right"], f"subject: {SUBJECTS} has no botom_right; did you mean bottom_right"),
        ([f"{SUBJECTS}:NOT_CALLABLE"], f"subject: {SUBJECTS}:NOT_CALLABLE cannot be called"),
        ([f"{SUBJECTS}:two_arguments"], "subject: must take query, key and value; give an --adapter"),
        ([f"{SUBJECTS}:right", "--adapter", f"{SUBJECTS}:right"], f"adapter: {SUBJECTS}:right is no Adapter"),
        ([f"{SUBJECTS}:right", "--policy", "rows=zero"], "policy: NAME=VALUE with one of empty_row, "),
        (
            [f"{SUBJECTS}:right", "--dtype", "int8"],
            "dtype: one of float64, float32, float16, bfloat16 is needed",
        ),
        ([f"{SUBJECTS}:right", *FEW, "--html", "no/such/folder"], "no/such/folder: cannot be written: "),
    ],
)
def test_wrong_use_is_one_line(arguments: list[str], says: str) -> None:
    done = duizhao(*arguments)
    assert isinstance(done.exception, WrongUseError)
    assert str(done.exception).startswith(says)
    assert "\n" not in str(done.exception)


def test_json_html_and_junit_say_the_same(tmp_path: Path) -> None:
    page, suite = tmp_path / "a.html", tmp_path / "a.xml"
    done = duizhao(f"{SUBJECTS}:leaks", *FEW, "--json", "--html", str(page), "--junit", str(suite))
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert found["schema"] == 1
    failing = {claim["name"]: claim["failure"] for claim in found["claims"] if claim["state"] == "fails"}
    assert "maskedSoftmax_of_notMem" in failing
    cases = ET.parse(suite).getroot().findall("testcase")
    told = {case.get("name"): case.find("failure") for case in cases}
    assert {name for name, failure in told.items() if failure is not None} >= set(failing)
    text = page.read_text(encoding="utf-8")
    for name, failure in failing.items():
        assert failure["sentence"].replace("'", "&#x27;") in text, name
        assert failure["case"]["arrays"]["query"]
    assert text.count("<svg") >= 4 * len(failing)
    assert "src=" not in text
    assert "http" not in text
    assert "<script" not in text


def test_same_seed_gives_the_same_report_and_another_gives_other_cases() -> None:
    def slack(seed: str) -> object:
        found = json.loads(duizhao(f"{SUBJECTS}:plain", *FEW, "--json", "--seed", seed).stdout)
        return [claim["slack"] for claim in found["claims"]]

    assert slack("1") == slack("1")
    assert slack("1") != slack("2")


def run_pytest(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest as a project would in its CI, with the plugin whether it is installed or not."""
    command = [sys.executable, "-m", "pytest", "-p", "duizhao.audit.plugin", "-p", "no:cacheprovider", "-rA"]
    command += ["--pyargs", "duizhao.audit", "--duizhao-dtype", "float64", "--duizhao-cases", "1", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.run(command, cwd=ROOT / "docs", env=environment, capture_output=True, text=True)


def test_plugin_makes_one_test_of_each_claim_and_prints_the_seed() -> None:
    done = run_pytest("--duizhao-subject", f"{SUBJECTS}:right", "--duizhao-seed", "7")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"duizhao: {SUBJECTS}:right, seed 7 (--duizhao-seed)" in done.stdout
    for name in ("sum_softmax_eq_one", "causalSoftmax_pos_iff", "empty_row", "mutates"):
        assert f"::test_audit[{name}]" in done.stdout


def test_names_in_the_xfail_file_must_fail_and_all_others_must_pass(tmp_path: Path) -> None:
    file = tmp_path / "expected.txt"
    subject = ("--duizhao-subject", f"{SUBJECTS}:unscaled", "--duizhao-xfail", str(file))
    file.write_text("attention_zero\n", encoding="utf-8")
    done = run_pytest(*subject)
    assert done.returncode == 1
    assert "FAILED" in done.stdout
    assert "the logarithm of a ratio of weights is not the difference of the scores" in done.stdout
    failed = {
        line.split("[")[1].split("]")[0]
        for line in done.stdout.splitlines()
        if line.startswith("FAILED ") and "[" in line
    }
    assert "attention_zero" in failed
    file.write_text("\n".join(f"{name}  # known" for name in failed - {"attention_zero"}), encoding="utf-8")
    assert run_pytest(*subject).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "duizhao: name the function to audit: --duizhao-subject MODULE:FUNCTION"),
        (["--duizhao-subject", "nowhere:attention"], "duizhao: subject: nowhere cannot be imported"),
    ],
)
def test_wrong_use_of_the_plugin_is_told(arguments: list[str], says: str) -> None:
    done = run_pytest(*arguments)
    assert done.returncode != 0
    assert says in done.stdout + done.stderr


def test_name_that_is_not_known_in_the_xfail_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "expected.txt"
    file.write_text("# none yet\nno_such_claim\n", encoding="utf-8")
    done = run_pytest("--duizhao-subject", f"{SUBJECTS}:right", "--duizhao-xfail", str(file))
    assert f"{file}, line 2: no claim, policy or conduct is named no_such_claim" in done.stdout + done.stderr
