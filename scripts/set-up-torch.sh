#!/bin/sh
# Makes .venv-torch: PyTorch on top of .venv, which stays without it. What PyTorch needs besides is pinned and
# hashed in requirements-torch.txt. PyTorch itself has the version that pyproject.toml names and no hash, since
# its builds differ from system to system: which one is taken is left to pip. Does nothing if .venv-torch is
# complete already: the stamp in it, written last, says what it was made from.
set -eu
cd "$(dirname "$0")/.."
unset PYTHONHOME PYTHONPATH
export PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1

say() {
    printf 'duizhao: %s\n' "$*" >&2
}

wanted=$(.venv/bin/python -c 'import tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["torch"])')

inputs() {
    pwd -P
    .venv/bin/python -c 'import sys; print(sys.base_prefix, sys.version)'
    printf '%s\n' "$wanted"
    cat requirements-torch.txt
}

works() {
    .venv-torch/bin/python - <<'PYTHON' >/dev/null 2>&1
import importlib.util as find
import sys

sys.exit(not all(map(find.find_spec, ("duizhao", "pytest", "torch"))))
PYTHON
}

if [ -f .venv-torch/stamp ] && inputs | cmp -s - .venv-torch/stamp && works; then
    exit 0
fi

say "setting up .venv-torch with $wanted (once; the ordinary build for Linux brings about 3 GB)"
rm -rf .venv-torch
.venv/bin/python -m venv .venv-torch
.venv-torch/bin/python - <<'PYTHON'
import sys
import sysconfig
from pathlib import Path

beside = Path(sys.prefix).with_name(".venv")
packages = beside / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
line = f"import site; site.addsitedir({str(packages)!r})\n"
Path(sysconfig.get_path("purelib"), "beside.pth").write_text(line, encoding="utf-8")
PYTHON
.venv-torch/bin/python -m pip install --require-hashes --only-binary :all: --requirement requirements-torch.txt >&2
.venv-torch/bin/python -m pip install --only-binary :all: "$wanted" >&2
inputs > .venv-torch/stamp.new
mv .venv-torch/stamp.new .venv-torch/stamp
say ".venv-torch is ready"
