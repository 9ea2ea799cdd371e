# SPDX-License-Identifier: Apache-2.0
"""The checks of the core (native/base/check.h): off in a release, on in those of `make debug` and `make sanitize`."""

import os
import subprocess
import sys

from thresher.native.base import check


def violate() -> subprocess.CompletedProcess[str]:
    """A process in which a check of the core fails."""
    code = "from thresher.native.base import check; check.require(True); check.require(False); print('survived')"
    return subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=False)


def test_the_build_has_the_checks_that_it_was_asked_for():
    """`make debug` and `make sanitize` set THRESHER_EXPECT_CHECKS: without checks their suites would prove little."""
    assert bool(int(os.environ.get("THRESHER_EXPECT_CHECKS", "0"))) == check.CHECKS


def test_a_failed_check_ends_the_process_and_names_its_line():
    done = violate()
    if check.CHECKS:
        assert done.returncode < 0
        assert "check.pyx:" in done.stderr
        assert "check failed" in done.stderr
        assert "survived" not in done.stdout
    else:
        assert (done.returncode, done.stdout) == (0, "survived\n")
