#!/bin/sh
# Prints the Python to make .venv with: $PYTHON if it is set, else python3 if it is new enough, else the
# first of python3.13, python3.12 and python3.11 that is. Exits 2, saying what to install, if there is none.
set -eu

makes_venv() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

if [ -n "${PYTHON:-}" ]; then
    set -- "$PYTHON"
else
    set -- python3 python3.13 python3.12 python3.11
fi
for candidate in "$@"; do
    if makes_venv "$candidate"; then
        printf '%s\n' "$candidate"
        exit 0
    fi
done

echo "duizhao: no Python that can be used was found. Needed: Python 3.11 or newer with the modules venv and" >&2
echo "ensurepip (on Debian and Ubuntu they are in a package of their own: apt install python3-venv)." >&2
for candidate in "$@"; do
    version=$("$candidate" --version 2>&1 | tail -n 1) || version="does not run"
    if command -v "$candidate" >/dev/null 2>&1; then
        echo "  $candidate: $version" >&2
    else
        echo "  $candidate: not found" >&2
    fi
done
echo "Install one, or name it: make check PYTHON=/path/to/python3" >&2
exit 2
