#!/bin/sh
# Writes requirements.txt from pyproject.toml with uv, which is installed for this alone in a folder that is
# removed at the end. Pins that still fit are kept; options go on to uv (--upgrade, --upgrade-package NAME).
set -eu
cd "$(dirname "$0")/.."

uv_version=0.13.9
python=$(sh scripts/find-python.sh)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

"$python" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check "uv==$uv_version"
"$folder/venv/bin/uv" pip compile pyproject.toml --group docs --group test --universal --python-version 3.11 \
    --generate-hashes --no-header --quiet -o requirements.txt "$@"
echo "requirements.txt is written; read the difference before you commit it" >&2
