# SPDX-License-Identifier: Apache-2.0
"""Waiting for what must happen, and clocks that tests hand in: no test depends on how fast a machine is."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

LIMIT: Final = 600.0
"""Seconds after which a command hangs. No test that passes waits so long, on whatever machine."""
_PATIENCE: Final = 60.0
"""Seconds in which something that is waited for happens."""


def wait_for(condition: Callable[[], T], what: str = "") -> T:
    """What `condition` returns as soon as that is true. Fails if it never is."""
    end = time.monotonic() + _PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, f"waited {_PATIENCE:g} s in vain {what}"
        time.sleep(0.005)
    return found


class Clock:
    """Stands in for the module `time`: stands still until somebody sleeps."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def monotonic(self) -> float:
        return self.now

    time = monotonic

    def sleep(self, seconds: float) -> None:
        self.now += seconds
