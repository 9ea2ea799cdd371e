# SPDX-License-Identifier: Apache-2.0
"""The body of a worker process with pages that misbehave, by their URL.

/deadly ends the process, as the kernel does when memory runs out; /hanging never ends, and writes the process's number
into the folder THRESHER_TEST_HANGING; /executor ends the Spark
executor too, as a cluster does when a container takes too much memory. Spark's workers are made to run
it by tests/deadly_site/sitecustomize.py.
"""

import errno
import os
import signal
import time
from pathlib import Path
from typing import Any

from waiting import Clock

from thresher.reading import limits
from thresher.reading.captures import Capture
from thresher.running.pipeline import PartitionMaker
from thresher.running.worker_process import work as whole_work
from thresher.writing.run_folder import RunFolder


def misbehave() -> None:
    """Make PartitionMaker.extract_page of this process kill or hang at pages that are called so."""
    whole = PartitionMaker.extract_page

    def extract_page(self: PartitionMaker, capture: Capture, **options: Any) -> Any:
        if not options.get("give_up"):
            if "/deadly" in capture.url:
                os.kill(os.getpid(), signal.SIGKILL)
            if "/executor" in capture.url:
                end_executor()
            if "/hanging" in capture.url:
                if folder := os.environ.get("THRESHER_TEST_HANGING"):
                    Path(folder, str(os.getpid())).touch()
                time.sleep(600)
        return whole(self, capture, **options)

    PartitionMaker.extract_page = extract_page  # type: ignore[method-assign]


def end_executor() -> None:
    """Kill the Java process that this process is a descendant of."""
    process = os.getpid()
    while Path(f"/proc/{process}/comm").read_text() != "java\n":
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(process, signal.SIGKILL)
    time.sleep(600)


def fill_the_disk() -> None:
    """Let no file of this process's partitions come into the output folder."""

    def commit(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    RunFolder.commit = commit  # type: ignore[method-assign]


def work(*args: Any) -> None:
    """thresher.running.worker_process.work, with pages that misbehave."""
    misbehave()
    whole_work(*args)


def work_by_its_own_clock(*args: Any) -> None:
    """thresher.running.worker_process.work with a limiter whose clock moves when it sleeps. The moments of requests go
    into a file of the folder THRESHER_TEST_REQUESTS.
    """
    limits.time = clock = Clock()  # type: ignore[assignment]
    wait = limits.Limiter.wait

    def wait_and_log(self: limits.Limiter) -> None:
        wait(self)
        with Path(os.environ["THRESHER_TEST_REQUESTS"], str(os.getpid())).open("a") as file:
            file.write(f"{clock.now}\n")

    limits.Limiter.wait = wait_and_log  # type: ignore[method-assign]
    whole_work(*args)
