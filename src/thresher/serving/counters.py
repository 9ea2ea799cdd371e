# SPDX-License-Identifier: Apache-2.0
"""Counters of a service, in the text format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import Final

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
        yield "# HELP thresher_requests_total Requests answered."
        yield "# TYPE thresher_requests_total counter"
        for (route, status), n in sorted(self.requests.items()):
            yield f'thresher_requests_total{{route="{route}",status="{status}"}} {n}'
        yield "# HELP thresher_failures_total Requests that were not done, by reason."
        yield "# TYPE thresher_failures_total counter"
        for reason, n in sorted(self.failures.items()):
            yield f'thresher_failures_total{{reason="{reason}"}} {n}'
        yield "# HELP thresher_request_seconds Seconds from the head of a request to the end of its answer."
        yield "# TYPE thresher_request_seconds histogram"
        for route, buckets in sorted(self._buckets.items()):
            total = 0
            for bound, n in zip([*map(str, _BOUNDS), "+Inf"], buckets, strict=True):
                total += n
                yield f'thresher_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}'
            yield f'thresher_request_seconds_sum{{route="{route}"}} {self._seconds[route] / 1e6}'
            yield f'thresher_request_seconds_count{{route="{route}"}} {total}'
        for name, (kind, about, value) in gauges.items():
            yield f"# HELP thresher_{name} {about}"
            yield f"# TYPE thresher_{name} {kind}"
            yield f"thresher_{name} {value:g}"
