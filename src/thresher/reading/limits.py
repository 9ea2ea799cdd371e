# SPDX-License-Identifier: Apache-2.0
"""How fast a store is read: one limiter for each store and process.

A store is a web server, a bucket, or any other place that answers requests. Its limiter spaces requests out, bounds
bytes a second, and slows down when the store says that it is busy (status 429 or 503). It then waits as long as the
store asks, for every request of this process, and halves its rate; answers raise the rate again, a tenth of the
limit for each second without a complaint. The worker processes of one machine share the pause through shared memory, so
a store that complains to one of them hears from none until the pause is over.

Limits are given for a whole run. Each worker process gets its share of them (`share_limits`).

Common Crawl asks its readers to retry at most once a second and to slow down on 503, and blocks those who do not.
"""

from __future__ import annotations

import threading
import time
import urllib.parse
from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Final

from thresher.errors import StoreRefused

__all__ = ["Limits", "limiter_of", "share_limits"]

WEB_REQUESTS: Final = 10.0  # a second, to one web server, where the user sets no limit
LEAST_REQUESTS: Final = 0.1  # a second: a store that complains is asked at least so often
FIRST_PAUSE: Final = 1.0  # seconds after a complaint that names no time
RECOVERY: Final = 0.1  # of the limit, regained in a second without a complaint
REFUSALS: Final = 5  # answers of 403 in a row after which the store is taken at its word
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one process may ask of one store."""

    requests: float = 0.0  # a second; 0: WEB_REQUESTS for a web server elsewhere, no limit for anything else
    bytes: float = 0.0  # a second; 0: no limit
    share: float = 1.0  # of the run's default limits that is this process's


class Limiter:
    """Spaces out the requests of this process to one store. Safe to share between threads."""

    def __init__(self, store: str, limits: Limits, pause: MutableSequence[float] | None = None) -> None:
        """`pause` holds the moment until which nobody asks any store; worker processes share it."""
        self._store = store
        self._limits = limits
        self._most = limits.requests or (WEB_REQUESTS * limits.share if _is_remote_web(store) else 0.0)
        self._rate = self._most
        self._pause = pause if pause is not None else [0.0]
        self._next = 0.0  # the moment of the next request
        self._changed = 0.0  # when the rate was last changed
        self._refused = 0  # answers of 403 in a row
        self._lock = threading.Lock()
        self.n_requests = 0
        self.n_bytes = 0
        self.n_complaints = 0

    def wait(self) -> None:
        """Waits until the next request may be made."""
        with self._lock:
            now = time.monotonic()
            if self._rate and self._rate < self._most:
                self._rate = min(self._most, self._rate + RECOVERY * self._most * max(0.0, now - self._changed))
                self._changed = max(now, self._changed)
            moment = max(now, self._next)
            self._next = moment + (1.0 / self._rate if self._rate else 0.0)
            self.n_requests += 1
        while (left := max(moment, self._pause[0]) - time.monotonic()) > 0:
            time.sleep(min(left, 1.0))

    def received(self, n: int) -> None:
        """Counts n bytes from the store; the next request is made later if these came too fast."""
        with self._lock:
            self._refused = 0
            self.n_bytes += n
            if self._limits.bytes:
                self._next = max(self._next, time.monotonic()) + n / self._limits.bytes

    def complained(self, seconds: float = 0.0) -> None:
        """The store is busy. Nobody asks it again for so many seconds, which it named, and then less often."""
        with self._lock:
            now = time.monotonic()
            self.n_complaints += 1
            self._pause[0] = max(self._pause[0], now + max(seconds, FIRST_PAUSE))
            # Requests that were under way together are one complaint.
            if now >= self._changed:
                self._rate = max((self._rate or WEB_REQUESTS * self._limits.share) / 2, LEAST_REQUESTS)
                self._most = self._most or WEB_REQUESTS * self._limits.share
                self._changed = self._pause[0]

    def refused(self) -> None:
        """The store answered 403. Raises StoreRefused when it does nothing else."""
        with self._lock:
            self._refused += 1
            if self._refused >= REFUSALS:
                raise StoreRefused(
                    f"{self._store} refused {self._refused} requests in a row (403 Forbidden): check the credentials "
                    "and the address; a public archive may have blocked this machine for asking too often, then wait "
                    "a day and lower --max-requests-per-second"
                )


def _is_remote_web(store: str) -> bool:
    url = urllib.parse.urlsplit(store)
    return url.scheme in ("http", "https") and url.hostname not in _LOOPBACK


class _Limiters:
    """The limiters of this process."""

    def __init__(self) -> None:
        self.limits = Limits()
        self.pause: MutableSequence[float] = [0.0]
        self.by_store: dict[str, Limiter] = {}
        self.lock = threading.Lock()


_ours = _Limiters()


def share_limits(requests: float, bytes_: float, workers: int, pause: MutableSequence[float] | None = None) -> None:
    """Sets the limits of this process: those of a run, divided among its workers. Forgets earlier limiters."""
    n = max(workers, 1)
    with _ours.lock:
        _ours.limits = Limits(requests / n, bytes_ / n, 1.0 / n)
        _ours.pause = pause if pause is not None else [0.0]
        _ours.by_store.clear()


def limiter_of(url: str) -> Limiter:
    """This process's limiter of the store behind a URL."""
    parts = urllib.parse.urlsplit(url)
    store = f"{parts.scheme}://{parts.netloc}"
    with _ours.lock:
        if store not in _ours.by_store:
            _ours.by_store[store] = Limiter(store, _ours.limits, _ours.pause)
        return _ours.by_store[store]


def traffic() -> tuple[int, int]:
    """Requests made by this process so far, and bytes received."""
    with _ours.lock:
        found = list(_ours.by_store.values())
    return sum(each.n_requests for each in found), sum(each.n_bytes for each in found)
