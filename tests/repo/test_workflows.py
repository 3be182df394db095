"""The GitHub workflows: pinned, bounded, and made of commands that exist here."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.repo.make import targets
from tests.repo.tree import ROOT, plant, tracked

TAG = re.compile(r"^[\w.-]+/[\w./-]+@v\d+(?:\.\d+\.\d+)?$")


def workflows(root: Path) -> dict[str, dict[Any, Any]]:
    """Each workflow, parsed, by its path."""
    found = {}
    for path in tracked(root, ".github/workflows/*.yml", ".github/workflows/*.yaml"):
        found[str(path)] = yaml.safe_load((root / path).read_text(encoding="utf-8"))
    return found


def jobs(root: Path) -> list[tuple[str, dict[str, Any]]]:
    """Each job with its place, `path: job`."""
    return [
        (f"{path}: {name}", job)
        for path, flow in workflows(root).items()
        for name, job in flow["jobs"].items()
    ]


def not_pinned(root: Path) -> list[str]:
    """Actions that are used without a release tag."""
    used = [(place, step["uses"]) for place, job in jobs(root) for step in job["steps"] if "uses" in step]
    if not used:
        raise LookupError(f"no workflow in {root} uses an action")
    return [f"{place}: {action}" for place, action in used if not TAG.match(action)]


def not_bounded(root: Path) -> list[str]:
    """Workflows that may write or run twice at once; jobs without a time limit or that pass over failures."""
    found = []
    for path, flow in workflows(root).items():
        if flow.get("permissions") != {"contents": "read"}:
            found.append(f"{path}: permissions")
        if not flow.get("concurrency", {}).get("cancel-in-progress"):
            found.append(f"{path}: concurrency")
    for place, job in jobs(root):
        if not isinstance(job.get("timeout-minutes"), int):
            found.append(f"{place}: timeout-minutes")
        passes_over = "continue-on" + "-error"
        if passes_over in job or any(passes_over in step for step in job["steps"]):
            found.append(f"{place}: {passes_over}")
    return found


def commands(root: Path) -> list[str]:
    """Every line that a step of a workflow runs."""
    runs = [step["run"] for _, job in jobs(root) for step in job["steps"] if "run" in step]
    return [line for run in runs for line in run.splitlines()]


def flow(**changes: object) -> str:
    """A workflow in which nothing is wrong but what is changed: `uses`, a key of the job or of the whole."""
    step = {"uses": changes.pop("uses", "actions/checkout@v6.0.2")}
    job = {"runs-on": "ubuntu-latest", "timeout-minutes": 5, "steps": [step]}
    whole = {"permissions": {"contents": "read"}, "concurrency": {"group": "a", "cancel-in-progress": True}}
    for key, value in changes.items():
        (whole if key in whole else job)[key.replace("_", "-")] = value
    return yaml.safe_dump({"on": "push", **whole, "jobs": {"build": job}})


def test_every_action_is_pinned_to_a_release_tag() -> None:
    assert not_pinned(ROOT) == []


def test_every_workflow_is_bounded() -> None:
    assert not_bounded(ROOT) == []


def test_workflow_in_which_nothing_is_wrong_is_let_through(tmp_path: Path) -> None:
    plant(tmp_path, {".github/workflows/a.yml": flow()})
    assert not_pinned(tmp_path) == []
    assert not_bounded(tmp_path) == []


@pytest.mark.parametrize(
    "action", ["actions/checkout", "actions/checkout@main", "a/b@v1.2", "./local", "a/b@1a2b3c"]
)
def test_action_without_release_tag_is_found(tmp_path: Path, action: str) -> None:
    plant(tmp_path, {".github/workflows/a.yml": flow(uses=action)})
    assert not_pinned(tmp_path) == [f".github/workflows/a.yml: build: {action}"]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"permissions": {"contents": "write"}}, "permissions"),
        ({"permissions": None}, "permissions"),
        ({"concurrency": {}}, "concurrency"),
        ({"timeout_minutes": None}, "build: timeout-minutes"),
        ({"continue_on" + "_error": True}, "build: continue-on" + "-error"),
    ],
)
def test_workflow_without_a_bound_is_found(tmp_path: Path, change: dict[str, object], what: str) -> None:
    plant(tmp_path, {".github/workflows/a.yml": flow(**change)})
    assert not_bounded(tmp_path) == [f".github/workflows/a.yml: {what}"]


def test_scan_without_workflows_or_without_actions_fails(tmp_path: Path) -> None:
    plant(tmp_path, {"README.md": ""})
    with pytest.raises(LookupError, match="no tracked file"):
        not_bounded(tmp_path)
    plant(tmp_path, {".github/workflows/a.yml": "jobs: {}"})
    with pytest.raises(LookupError, match="uses an action"):
        not_pinned(tmp_path)


def test_workflows_and_gates_run_targets_and_scripts_that_exist() -> None:
    gates = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    called = [line.removeprefix("gate ").split() for line in (*commands(ROOT), *gates)]
    made = {words[1] for words in called if words[:1] == ["make"]}
    scripts = {words[1] for words in called if words[:1] == ["python3"]}
    wanted = {"test", "test-torch", "check", "types", "lint", "docs", "test-site"}
    assert wanted <= made <= set(targets(ROOT / "Makefile"))
    assert scripts == {"scripts/same_theorems.py"}
    assert all((ROOT / script).is_file() for script in scripts)


def test_lean_workflow_builds_tests_lists_and_compares_in_this_order() -> None:
    run = "\n".join(commands(ROOT))
    steps = [
        "lake exe cache get",
        "lake build --wfail",
        "lake test",
        "lake exe ledger",
        "same_theorems.py",
        "require",
    ]
    places = [run.index(step) for step in steps]
    assert places == sorted(places)


def test_python_workflow_runs_three_versions_on_two_systems() -> None:
    matrix = workflows(ROOT)[".github/workflows/python.yml"]["jobs"]["tests"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13"]
    assert {name.split("-")[0] for name in matrix["system"]} == {"ubuntu", "macos"}


def run_steps(path: str, job: str) -> list[tuple[str, str]]:
    """The commands of a job with the folder that each is run in."""
    steps = workflows(ROOT)[path]["jobs"][job]["steps"]
    found = [(step["run"], step.get("working-directory", ".")) for step in steps if "run" in step]
    if not found:
        raise LookupError(f"{path}: {job} runs nothing")
    return found


def bash(command: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a step as GitHub does: by bash, which stops at the first command that fails."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command],
        cwd=folder,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


LAKE = """#!/bin/sh
echo "$@" >> "$CALLS"
[ "$1 $2" != 'exe ledger' ] || cat "$LISTED"
[ "$*" != "$FAILS" ]
"""


class LeanJob:
    """The Lean workflow's job in a copy of this project, with a stand-in for Lake."""

    def __init__(self, folder: Path) -> None:
        """Copy the Lean side below `folder`; the stand-in lists the theorems of the record."""
        self.root = folder / "project"
        for name in ("lean", "ledger", "scripts"):
            shutil.copytree(ROOT / name, self.root / name)
        (folder / "bin").mkdir()
        (folder / "bin/lake").write_text(LAKE, encoding="utf-8")
        if shutil.which("sha256sum") is None:
            shim = '#!/bin/sh\nexec shasum -a 256 "$@"\n'
            (folder / "bin/sha256sum").write_text(shim, encoding="utf-8")
        for program in (folder / "bin").iterdir():
            program.chmod(0o755)
        (folder / "temp").mkdir()
        self.calls, self.listed = folder / "calls", folder / "listed.json"
        theorems = json.loads((ROOT / "ledger/lean.json").read_text(encoding="utf-8"))["theorems"]
        self.list([theorem | {"axioms": theorem["axioms"] or ["propext"]} for theorem in theorems])
        self.environment = {
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(folder / "temp"),
            "CALLS": str(self.calls),
            "LISTED": str(self.listed),
            "FAILS": "",
        }

    def list(self, theorems: list[dict[str, Any]]) -> None:
        """Let `lake exe ledger` list these theorems."""
        self.listed.write_text(json.dumps(theorems), encoding="utf-8")

    def run(self) -> str | None:
        """Run every step but those of make, which are looked at below; the first that fails."""
        for command, folder in run_steps(".github/workflows/lean.yml", "proofs"):
            by_make = command.startswith("make ")
            if not by_make and bash(command, self.root / folder, self.environment).returncode != 0:
                return command
        return None


def test_every_step_of_the_lean_job_runs_and_lake_is_asked_for_warnings_as_failures(tmp_path: Path) -> None:
    job = LeanJob(tmp_path)
    assert job.run() is None
    assert job.calls.read_text(encoding="utf-8").splitlines() == [
        "exe cache get",
        "build --wfail",
        "test --wfail",
        "exe ledger",
    ]


@pytest.mark.parametrize("command", ["exe cache get", "build --wfail", "test --wfail", "exe ledger"])
def test_step_of_the_lean_job_in_which_lake_fails_fails(tmp_path: Path, command: str) -> None:
    job = LeanJob(tmp_path)
    job.environment["FAILS"] = command
    failed = job.run()
    assert failed is not None
    assert f"lake {command}" in failed


def test_record_that_lean_does_not_confirm_fails_the_comparison(tmp_path: Path) -> None:
    job = LeanJob(tmp_path)
    theorems = json.loads(job.listed.read_text(encoding="utf-8"))
    theorems[0]["statement"] += " → True"
    job.list(theorems)
    assert "same_theorems.py" in (job.run() or "")


def test_record_with_another_hash_fails_the_job(tmp_path: Path) -> None:
    job = LeanJob(tmp_path)
    record = job.root / "ledger/lean.json"
    record.write_text(record.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert "sha256sum" in (job.run() or "")


@pytest.mark.parametrize(
    ("path", "job"),
    [
        (".github/workflows/lean.yml", "proofs"),
        (".github/workflows/python.yml", "tests"),
        (".github/workflows/python.yml", "style"),
        (".github/workflows/docs.yml", "site"),
    ],
)
def test_every_make_step_is_one_that_make_would_run(path: str, job: str) -> None:
    made = [command for command, _ in run_steps(path, job) if command.startswith("make ")]
    assert made
    for command in made:
        environment = {name: "" for name in os.environ if name.startswith(("MAKE", "MFLAGS"))}
        done = bash(command.replace("make ", "make -n ", 1), ROOT, environment)
        assert done.returncode == 0, done.stderr
        options = re.search(r'ARGS="(.+)"', command)
        assert options is None or options[1] in done.stdout
