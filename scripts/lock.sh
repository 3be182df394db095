#!/bin/sh
# Writes requirements.txt and requirements-torch.txt from pyproject.toml with uv, which is installed for this alone
# in a folder that is removed at the end. Pins that still fit are kept; options go on to uv (--upgrade,
# --upgrade-package NAME). requirements-torch.txt holds what PyTorch needs besides, as its build for macOS names
# it: that one asks for no CUDA libraries.
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
"$python" -c 'import tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["torch"])' > "$folder/torch.in"
MACOSX_DEPLOYMENT_TARGET=14.0 "$folder/venv/bin/uv" pip compile - --constraint requirements.txt --no-emit-package torch \
    --python-platform macos --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet \
    -o requirements-torch.txt "$@" < "$folder/torch.in"
echo "requirements.txt and requirements-torch.txt are written; read the difference before you commit it" >&2
