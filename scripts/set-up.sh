#!/bin/sh
# Makes .venv in the project's folder, from the pinned requirements.txt and an editable install of the
# project. Does nothing if .venv is complete already: the stamps in it, written last, say what it was made
# from. Makes it anew if requirements.txt changed, the folder moved, or its Python no longer runs.
set -eu
cd "$(dirname "$0")/.."
unset PYTHONHOME PYTHONPATH
export PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1

packages_stamp=.venv/packages.stamp
project_stamp=.venv/project.stamp

say() {
    printf 'duizhao: %s\n' "$*" >&2
}

# What the packages in .venv depend on; a virtual environment holds its own path, so that is part of it.
packages_inputs() {
    pwd -P
    cat requirements.txt
}

packages_are_current() {
    [ -f "$packages_stamp" ] && packages_inputs | cmp -s - "$packages_stamp"
}

project_is_current() {
    [ -f "$project_stamp" ] && cmp -s pyproject.toml "$project_stamp"
}

python_runs() {
    .venv/bin/python - "$(pwd -P)/.venv" <<'PYTHON' >/dev/null 2>&1
import importlib.util as find
import os
import sys

wanted = ("duizhao", "mkdocs", "mypy", "numpy", "pytest")
sys.exit(os.path.realpath(sys.prefix) != sys.argv[1] or not all(map(find.find_spec, wanted)))
PYTHON
}

# Nothing asked for, or .venv was made by the Python that is asked for.
python_is_the_one_asked_for() {
    [ -z "${PYTHON:-}" ] || [ "$(identity "$PYTHON")" = "$(identity .venv/bin/python)" ]
}

identity() {
    "$1" -c 'import sys; print(sys.base_prefix, sys.version)' 2>/dev/null || echo "$1 does not run"
}

install_project() {
    rm -f "$project_stamp"
    .venv/bin/python -m pip install --no-deps --no-build-isolation --editable . >&2
    cp pyproject.toml "$project_stamp"
}

if packages_are_current && python_runs && python_is_the_one_asked_for; then
    if ! project_is_current; then
        say "pyproject.toml changed: installing the project again in .venv"
        install_project
    fi
    exit 0
fi

python=$(sh scripts/find-python.sh)
say "setting up .venv with $("$python" --version 2>&1) (once; it downloads about 60 packages)"
say "1 of 3: a new virtual environment"
rm -rf .venv
"$python" -m venv .venv
say "2 of 3: the packages pinned in requirements.txt"
.venv/bin/python -m pip install --require-hashes --only-binary :all: --requirement requirements.txt >&2
say "3 of 3: the project itself"
install_project
packages_inputs > .venv/packages.new
mv .venv/packages.new "$packages_stamp"
say ".venv is ready"
