# SPDX-License-Identifier: Apache-2.0
"""The Python in which tests run packages that this one need not have: datatrove, polars, ray and the like.

THRESHER_PYTHONS names interpreters of environments that have some of them, separated by colons. Thresher itself need
not be installed there: tests that need it set PYTHONPATH.
"""

import os
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

import pytest

import thresher

SOURCE = Path(thresher.__file__).parents[1]


@cache
def _has(python: str, package: str) -> bool:
    find = f"import importlib.util as u, sys; sys.exit(u.find_spec({package!r}) is None)"
    return subprocess.run([python, "-c", find], check=False, capture_output=True).returncode == 0


def found_with(*packages: str) -> str | None:
    """An interpreter that has all these packages; None where none has."""
    for python in (sys.executable, *filter(None, os.environ.get("THRESHER_PYTHONS", "").split(":"))):
        if all(_has(python, package) for package in packages):
            return python
    return None


def python_with(*packages: str) -> str:
    """An interpreter that has all these packages; the test fails where none has."""
    if python := found_with(*packages):
        return python
    pytest.fail(
        f"{' and '.join(packages)} not installed: the extra `test` brings what tests need (or THRESHER_PYTHONS)"
    )


def run_with(packages: tuple[str, ...], script: str, *arguments: object) -> str:
    """What a script prints in an interpreter that has these packages, with this checkout and what it depends on."""
    start = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); sys.path.append({sysconfig.get_path('purelib')!r})\n"
    done = subprocess.run(
        [python_with(*packages), "-c", start + script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stdout
