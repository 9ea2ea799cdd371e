# SPDX-License-Identifier: Apache-2.0
"""The body of a worker process that dies, as by the kernel's hand when memory is out, over every page with /deadly in its URL."""

import os
import signal
from typing import Any

from thresher.captures import Capture
from thresher.pipeline import Worker
from thresher.result import Clock, PageResult
from thresher.workers import _work


def work(*args: Any) -> None:
    """thresher.workers._work, with pages that kill."""
    whole = Worker.extract_page

    def extract_page(self: Worker, capture: Capture, *, give_up: bool, clock: Clock) -> PageResult:
        if "/deadly" in capture.url and not give_up:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(self, capture, give_up=give_up, clock=clock)

    Worker.extract_page = extract_page
    _work(*args)
