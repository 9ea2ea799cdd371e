# SPDX-License-Identifier: Apache-2.0
"""The first failure of a run of all tests is shown when it happens."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("processes", [pytest.param("0", marks=pytest.mark.nightly), "1"])
def test_the_first_failure_is_shown_before_the_other_tests(tmp_path: Path, processes: str) -> None:
    for name in ("conftest.py", "in_process.py", "s3_store.py", "shared_data.py"):
        shutil.copy(TESTS / name, tmp_path / name)
    (tmp_path / "unit").mkdir()
    later = "def test_later():\n    print('the later one ran')\n    assert 0, 'second'\n"
    (tmp_path / "unit" / "test_a.py").write_text(f"def test_early():\n    assert 1 == 2, 'broken'\n{later}")
    command = [sys.executable, "-m", "pytest", "-p", "xdist.plugin", "-n", processes, "--dist", "loadfile"]
    command += ["-p", "no:cacheprovider", "-q"]
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]),
    }
    done = subprocess.run(
        [*command, "-c", os.devnull, "--rootdir", tmp_path, tmp_path / "unit"],
        capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip
    early, found, rest = done.stdout.partition("the first failure; the tests go on")
    assert found, done.stdout + done.stderr
    assert "FAILURES" not in early
    shown, _, summary = rest.partition("FAILURES")
    assert "AssertionError: broken" in shown
    assert "the later one ran" not in shown
    assert "second" in summary
    assert done.stdout.count("the first failure") == 1
