# SPDX-License-Identifier: Apache-2.0
"""Counters of a service, in the text format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from thresher.prometheus import metric

_BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Counters:
    """Requests by route and status, their durations, and refusals."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.failures: Counter[str] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()  # in microseconds

    def count(self, route: str, status: int, seconds: float) -> None:
        self.requests[route, status] += 1
        self._buckets.setdefault(route, [0] * (len(_BOUNDS) + 1))[bisect_left(_BOUNDS, seconds)] += 1
        self._seconds[route] += round(seconds * 1e6)

    def text(self, gauges: dict[str, tuple[str, str, float]]) -> str:
        """All counters as text. `gauges` are further values by name: kind, help and value."""
        return "\n".join(self._lines(gauges)) + "\n"

    def _lines(self, gauges: dict[str, tuple[str, str, float]]) -> Iterator[str]:
        asked = sorted(self.requests.items())
        samples: list[tuple[str, dict[str, str], float]]
        samples = [("", {"route": route, "status": str(status)}, n) for (route, status), n in asked]
        yield from metric("requests_total", "counter", "Requests answered.", samples)
        samples = [("", {"reason": reason}, n) for reason, n in sorted(self.failures.items())]
        yield from metric("failures_total", "counter", "Requests that were not done, by reason.", samples)
        samples = []
        for route, buckets in sorted(self._buckets.items()):
            sums = zip([*map(str, _BOUNDS), "+Inf"], accumulate(buckets), strict=True)
            samples += [("_bucket", {"route": route, "le": bound}, n) for bound, n in sums]
            samples += [
                ("_sum", {"route": route}, self._seconds[route] / 1e6),
                ("_count", {"route": route}, sum(buckets)),
            ]
        about = "Seconds from the head of a request to the end of its answer."
        yield from metric("request_seconds", "histogram", about, samples)
        for name, (kind, about, value) in gauges.items():
            yield from metric(name, kind, about, [("", {}, value)])
