# SPDX-License-Identifier: Apache-2.0
"""Every benchmark starts: what it imports is there. (What it measures takes minutes, and no test asserts a time.)"""

import subprocess
import sys
from pathlib import Path

import pytest
from waiting import LIMIT

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"
HELPERS = {"measure", "downstream_lines", "downstream_report"}
DAILY = ("extract", "whole_way")
NAMES = sorted(file.stem for file in BENCHMARKS.glob("*.py") if file.stem not in HELPERS)


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in DAILY else pytest.mark.nightly) for each in NAMES]
)
def test_every_benchmark_starts(name: str) -> None:
    command = [sys.executable, str(BENCHMARKS / f"{name}.py"), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    assert "usage:" in done.stdout
