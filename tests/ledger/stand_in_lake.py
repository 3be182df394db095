"""Stands in for `lake` in tests: prints what a folder of files says, and exits as they say.

The folder is given in the environment variable `STAND_IN_LAKE`. For `lake build` the file is `build`, for
`lake exe ledger` it is `exe-ledger`, and so on. Its bytes go to standard output, `<root>` replaced by the
current folder. A last line `exit code: N` is not printed: N is the exit code, else that is 0. What the file
`exe-ledger.stderr` holds goes to standard error first. Each call is noted in the file `calls`. A missing
file is a mistake in the test: exit code 97.
"""

import os
import re
import sys
from pathlib import Path

folder = Path(os.environ["STAND_IN_LAKE"])
name = "-".join(sys.argv[1:])
with (folder / "calls").open("a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\n")
if (folder / f"{name}.stderr").exists():
    sys.stderr.buffer.write((folder / f"{name}.stderr").read_bytes())
    sys.stderr.flush()
if not (folder / name).exists():
    sys.exit(97)
output, code = (folder / name).read_bytes(), 0
if match := re.search(rb"exit code: (\d+)\n?\Z", output):
    output, code = output[: match.start()], int(match[1])
sys.stdout.buffer.write(output.replace(b"<root>", os.fsencode(Path.cwd())))
sys.stdout.flush()
sys.exit(code)
