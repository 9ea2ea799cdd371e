# SPDX-License-Identifier: Apache-2.0
"""Tries an installed wheel as a user would: one page, and one made-up archive. Run it outside the checkout."""

import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = b"<nav><a href=/>menu</a></nav><h1>The wheel</h1><p>" + b"It turned again on the last Sunday of October. " * 5


def run(*command: str | Path, page: bytes | None = None) -> str:
    """What a command prints; ends this script if the command fails."""
    done = subprocess.run(list(map(str, command)), input=page, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stderr.decode()}")
    return done.stdout.decode()


def main() -> None:
    """Try the wheel."""
    thresher = Path(sys.executable).parent / "thresher"
    if "last Sunday of October" not in run(thresher, "text", page=PAGE):
        sys.exit("the text of the page is missing")
    with tempfile.TemporaryDirectory() as folder:
        archive, output = Path(folder) / "demo.warc.gz", Path(folder) / "out"
        run(sys.executable, "-m", "thresher.demo", archive)
        run(thresher, "extract", archive, "-o", output, "--max-error-ratio", "1")
        if "28 pages" not in run(thresher, "inspect", output):
            sys.exit("pages of the archive are missing")
    print("the wheel works")


if __name__ == "__main__":
    main()
