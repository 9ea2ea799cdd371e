# SPDX-License-Identifier: Apache-2.0
"""The workers of the service and of evaluation: whoever waits for an answer gets one."""

import time

import pytest
from waiting import LIMIT

from thresher.running.pool import NotBegun, Pool


def slept(seconds: float) -> bytes:
    time.sleep(seconds)
    return b"slept"


def test_jobs_that_wait_when_the_workers_end_are_told_so() -> None:
    with Pool(1, dict) as pool:
        assert pool.submit(slept, 0.0).result(LIMIT) == b"slept"
        running, *waiting = [pool.submit(slept, 3600.0) for _ in range(3)]
        while not running.running():
            time.sleep(0.01)
    waiting.append(pool.submit(slept, 0.0))
    for job in waiting:
        with pytest.raises(NotBegun, match="all of them are ending"):
            job.result(LIMIT)
    assert running.exception(LIMIT) is not None
