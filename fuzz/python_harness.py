# SPDX-License-Identifier: Apache-2.0
"""atheris's entry into what is written in Python: like harness.c, with the coverage of Python's bytecode.

TARGET=payload python python_harness.py [options of libFuzzer] CORPUS
"""

import os
import sys

import atheris

with atheris.instrument_imports(include=["thresher"]):
    import targets


def main() -> None:
    """Fuzzes the target that the environment variable TARGET names."""
    atheris.Setup(sys.argv, targets.target(os.environ.get("TARGET", "payload")))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
