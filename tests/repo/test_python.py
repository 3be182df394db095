"""The package: what is public is documented, what is imported is declared, one place draws at random."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from tests.repo.tree import ROOT, lines, plant, tracked

PACKAGE = "python/duizhao"
DRAWS = re.compile(r"^(?:random|secrets|numpy\.random|hypothesis\.(?:strategies|extra))(?:\.|$)")
ONLY_A_TYPE = {"hypothesis.strategies.SearchStrategy"}
DRAWS_BY_ATTRIBUTE = re.compile(r"\b(?:np|numpy|xp)\.random\b")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def modules(root: Path) -> Iterator[tuple[Path, ast.Module]]:
    """Each tracked module of the package, parsed."""
    for path in tracked(root, f"{PACKAGE}/*.py"):
        yield path, ast.parse((root / path).read_text(encoding="utf-8"), filename=str(path))


def public(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Definition]]:
    """Public functions and classes of a module, with the public methods of the classes."""
    for node in body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{prefix}{node.name}.")


def is_overload(node: Definition) -> bool:
    """Whether a function is one of the signatures of an overloaded one, which carries the docstring."""
    return any(ast.unparse(decorator).endswith("overload") for decorator in node.decorator_list)


def without_docstring(root: Path) -> list[str]:
    """Public modules, classes, functions and methods of the package that have no docstring."""
    missing = []
    for path, tree in modules(root):
        if ast.get_docstring(tree) is None:
            missing.append(str(path))
        for name, node in public(tree.body):
            if not is_overload(node) and ast.get_docstring(node) is None:
                missing.append(f"{path}:{node.lineno}: {name}")
    return missing


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every module that is imported anywhere below a node, with the line; `from a import b` gives `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def canonical(distribution: str) -> str:
    """The name of a distribution as registries compare names."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", distribution, maxsplit=1)[0]).lower()


def not_declared(root: Path) -> list[str]:
    """Imports of the package that neither Python, the package nor a declared dependency provides.

    What is imported inside a function only may be an optional dependency.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {canonical(requirement) for requirement in project["dependencies"]}
    extras = project.get("optional-dependencies", {}).values()
    optional = {canonical(requirement) for extra in extras for requirement in extra}
    provided = packages_distributions()
    found = []
    for path, tree in modules(root):
        functions = [
            node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        late = {place for function in functions for place in imports(function)}
        for line, name in imports(tree):
            top = name.split(".")[0]
            if top == "duizhao" or top in sys.stdlib_module_names:
                continue
            declared = needed | optional if (line, name) in late else needed
            if not declared & {canonical(distribution) for distribution in provided.get(top, [])}:
                found.append(f"{path}:{line}: {top}")
    return found


def draws_at_random(root: Path) -> list[str]:
    """Places of the package that draw at random outside of `strategies`."""
    strategies = (f"{PACKAGE}/strategies.py", f"{PACKAGE}/strategies/")
    found = {
        f"{path}:{line}": name
        for path, tree in modules(root)
        for line, name in imports(tree)
        if DRAWS.match(name) and name not in ONLY_A_TYPE
    }
    found |= {
        place: line.strip()
        for place, line in lines(root, f"{PACKAGE}/*.py")
        if DRAWS_BY_ATTRIBUTE.search(line)
    }
    return [f"{place}: {what}" for place, what in found.items() if not place.startswith(strategies)]


def test_everything_public_has_a_docstring() -> None:
    assert without_docstring(ROOT) == []


def test_public_names_without_docstring_are_found(tmp_path: Path) -> None:
    method = "class C:\n    '''A class.'''\n    def m(self): ...\n    def _hidden(self): ...\n"
    plant(tmp_path, {f"{PACKAGE}/a.py": f"def f(): ...\n{method}def _g(): ...\n"})
    assert without_docstring(tmp_path) == [
        f"{PACKAGE}/a.py",
        f"{PACKAGE}/a.py:1: f",
        f"{PACKAGE}/a.py:4: C.m",
    ]


def test_every_import_is_a_declared_dependency() -> None:
    assert not_declared(ROOT) == []


@pytest.mark.parametrize(
    "statement",
    ["import pytest", "import pytest.mark", "from pytest import mark", "def f():\n  import nowhere"],
)
def test_import_that_is_not_declared_is_found(tmp_path: Path, statement: str) -> None:
    project = "[project]\ndependencies = ['NumPy>=2.0; python_version > \"3\"', 'python_flint']\n"
    module = f"import os\nimport numpy.linalg\nfrom flint import arb\nfrom . import b\n{statement}\n"
    plant(tmp_path, {"pyproject.toml": project, f"{PACKAGE}/a.py": module})
    (found,) = not_declared(tmp_path)
    assert found.startswith(f"{PACKAGE}/a.py:")
    assert found.endswith(("pytest", "nowhere"))


def test_optional_dependency_may_be_imported_inside_a_function_only(tmp_path: Path) -> None:
    project = "[project]\ndependencies = []\noptional-dependencies = { test = ['pytest'] }\n"
    module = "import pytest\ndef f():\n    import pytest\n"
    plant(tmp_path, {"pyproject.toml": project, f"{PACKAGE}/a.py": module})
    assert not_declared(tmp_path) == [f"{PACKAGE}/a.py:1: pytest"]


def test_only_strategies_draws_at_random() -> None:
    assert draws_at_random(ROOT) == []


@pytest.mark.parametrize(
    "statement",
    [
        "import random",
        "from random import gauss",
        "from numpy import random",
        "from numpy.random import default_rng",
        "import numpy as np; np.random.default_rng()",
        "from hypothesis import strategies as st",
        "from hypothesis.extra.numpy import arrays",
    ],
)
def test_draw_outside_of_strategies_is_found(tmp_path: Path, statement: str) -> None:
    plant(
        tmp_path,
        {f"{PACKAGE}/strategies/reads.py": statement, f"{PACKAGE}/read.py": f"import numpy\n{statement}\n"},
    )
    (found,) = draws_at_random(tmp_path)
    assert found.startswith(f"{PACKAGE}/read.py:2: ")


def test_type_of_a_strategy_may_be_named_anywhere(tmp_path: Path) -> None:
    plant(tmp_path, {f"{PACKAGE}/claim.py": "from hypothesis.strategies import SearchStrategy\n"})
    assert draws_at_random(tmp_path) == []


def test_scan_of_a_package_without_modules_fails(tmp_path: Path) -> None:
    plant(tmp_path, {"README.md": "", "pyproject.toml": "[project]\ndependencies = []\n"})
    for scan in (without_docstring, not_declared, draws_at_random):
        with pytest.raises(LookupError, match="no tracked file"):
            scan(tmp_path)


def test_package_is_marked_as_typed() -> None:
    assert tracked(ROOT, f"{PACKAGE}/py.typed") == [Path(f"{PACKAGE}/py.typed")]
