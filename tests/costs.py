# SPDX-License-Identifier: Apache-2.0
"""What work costs, compared with other work that is done beside it: no test knows how many seconds anything may take.

Costs are CPU time, which other processes only ever add to, and by much less than a fault of growth does. So what seems
too dear is measured again, and the least of each cost counts.
"""

import math
import time
from collections.abc import Callable
from typing import Final

TRIES: Final = 12
LEAST: Final = 0.002  # seconds; what costs less is not judged
GROWTH: Final = 3.0  # times as much for each byte, of caches and allocation


def seconds_of(run: Callable[[], object]) -> float:
    """The CPU time that `run` takes, of all threads of this process."""
    started = time.process_time()
    run()
    return time.process_time() - started


def assert_cheap(run: Callable[[], object], other: Callable[[], object], times: float) -> None:
    """Fails if `run` costs more than so many times what `other` costs, every time."""
    least = least_other = math.inf
    for _ in range(TRIES):
        least_other = min(least_other, seconds_of(other))
        least = min(least, seconds_of(run))
        if least < max(times * least_other, LEAST):
            return
    raise AssertionError(f"{least:.3f} s, {least / least_other:.0f} times as much as {least_other:.4f} s")


def assert_linear(work: Callable[[int], Callable[[], object]], n: int, *, by: int = 8) -> None:
    """Fails if `work(n)`, called, costs more than in proportion to what `work(n // by)` does.

    `n` should be so large that a quadratic share of the cost, where there is one, is most of it.
    """
    small, large = work(n // by), work(n)
    assert_cheap(large, small, by * GROWTH)


def ordinary_page(size: int) -> bytes:
    """A page of an article with links and headings, to compare others of its size with."""
    unit = (
        "<h2>A heading of words</h2><p>The harvest of the northern fields was brought in <a href=/rain>before the rain"
        "</a> came over the hills, and nobody had seen so much of it since the year of the flood.</p>\n"
    )
    head = "<!doctype html><title>A page</title><article>"
    return (head + unit * max(1, (size - len(head)) // len(unit))).encode()
