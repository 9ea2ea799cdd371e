# SPDX-License-Identifier: Apache-2.0
"""How fast a store is read: one limiter for each store and process.

A store is a web server, a bucket, or any other place that answers requests. Its limiter spaces requests out, bounds
bytes a second, and says how many requests may be under way at a time. When the store says that it is busy (status 429
or 503), nobody asks it again for as long as it names, and the limiter halves its rate; each second without a complaint
gives back a tenth of the limit. The worker processes of one machine share the pause through shared memory, so a store
that complains to one of them hears from none.

A store may also fail or refuse for minutes, and public archives do so in waves (statuses 403, 429 and 503). When a
request has failed for good, the limiter asks again for what it last got. If that is there, the file is at fault. If it
is not, the store is, and is waited for: all workers pause, for a minute at most, and one small request tells whether it
answers. After the patience of the run (`run.patience_minutes`) the run ends, and the same command goes on with it.
A store that never answered is not waited for: its address or the credentials may be wrong. After five refusals in a row
the run ends.

Limits are given for a whole run. Each worker process gets its share of them (`share_limits`).

Common Crawl asks for slow requests and at most one retry a second, and blocks machines that do not listen. So a web
server gets ten requests a second from a run that sets no limit, and one a second at least when it complains. Object
stores are made for many readers and have no limit until they complain. This machine's own servers have none either.
"""

from __future__ import annotations

import ctypes
import random
import threading
import time
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from thresher.errors import StoreRefused
from thresher.reading import transfers
from thresher.reading.transfers import FAILURES, LONGEST_WAIT, Fault, fault_of

WEB_REQUESTS: Final = 10.0  # a second, of a run that sets no limit, to one web server or to any store that complained
LEAST_REQUESTS: Final = 1.0  # a second, of a run, to a store that complains
STORE_CONNECTIONS: Final = 4  # requests under way from one process to an object store, of a run that sets no limit
RECOVERY: Final = 0.1  # of the limit, regained in a second without a complaint
REFUSALS: Final = 5  # answers of 403 in a row after which a store that never answered is taken at its word
REQUEST_SECONDS: Final = 0.025  # of a request to a store that is near, before its first byte comes
BYTES_PER_SECOND: Final = 10 << 20  # that come over one connection where no limit is set
MOST_GAP: Final = 1 << 20  # bytes
BURST: Final = 0.25  # seconds of the bytes allowed that may come at once
T = TypeVar("T")
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class StoreLimits:
    requests: float = 0.0  # a second; 0: WEB_REQUESTS for a web server elsewhere, no limit for anything else
    bytes: float = 0.0  # a second; 0: no limit
    share: float = 1.0  # of a run's default limits that is this process's
    connections: int = 0  # at a time; 0: one to a web server, STORE_CONNECTIONS to an object store
    patience: float = 0.0  # seconds that a store that answered before is waited for


class Pause(ctypes.Structure):
    """What the worker processes of one machine share, in shared memory."""

    _fields_ = (("until", ctypes.c_double), ("why", ctypes.c_char * 300))
    until: float  # the moment until which nobody asks any store
    why: bytes  # which store is waited for, and its fault; empty if none is


class Limiter:
    """Spaces out the requests of this process to one store. Threads may share it."""

    def __init__(self, store: str, limits: StoreLimits, pause: Pause) -> None:
        self._store = store
        self._limits = limits
        self._most = limits.requests or (WEB_REQUESTS * limits.share if _is_remote_web(store) else 0.0)
        self._rate = self._most  # 0: no limit
        self._pause = pause
        self._next = 0.0  # the moment of the next request
        self._paid = 0.0  # the moment when the bytes that came are within the limit
        self._changed = 0.0  # when the rate was last changed
        self._refused = 0  # answers of 403 in a row
        self._look: Callable[[], object] | None = None  # asks for what the store last gave; None if it never answered
        self._down = 0.0  # since when it does not answer; 0: it does
        self._lock = threading.Lock()
        self.n_requests = 0
        self.n_bytes = 0

    @property
    def connections(self) -> int:
        """How many requests to the store may be under way at a time."""
        return self._limits.connections or (1 if self._store.startswith("http") else STORE_CONNECTIONS)

    @property
    def gap(self) -> int:
        """Bytes that come in the time that another request would take."""
        seconds = max(1.0 / self._most if self._most else 0.0, REQUEST_SECONDS)
        return min(int(seconds * (self._limits.bytes or BYTES_PER_SECOND)), MOST_GAP)

    def wait(self) -> None:
        """Waits until the next request may be made, and counts it."""
        with self._lock:
            now = time.monotonic()
            if self._rate < self._most:
                regained = RECOVERY * self._most * max(0.0, now - self._changed)
                self._rate = min(self._most, self._rate + regained)
                self._changed = max(now, self._changed)
            moment = max(now, self._next, self._paid)
            self._next = moment + (1.0 / self._rate if self._rate else 0.0)
            self.n_requests += 1
        while (left := max(moment, self._pause.until) - time.monotonic()) > 0:
            time.sleep(min(left, 1.0))

    def received(self, n: int) -> None:
        """Counts n bytes from the store. Waits if they came too fast."""
        with self._lock:
            self._refused = 0
            self.n_bytes += n
            if not self._limits.bytes:
                return
            now = time.monotonic()
            self._paid = max(self._paid, now) + n / self._limits.bytes
            left = self._paid - now - BURST
        if left > 0:
            time.sleep(left)

    def complained(self, seconds: float = 0.0) -> None:
        """The store is busy: nobody asks it for so many seconds, which it named, and from then on less often."""
        with self._lock:
            now = time.monotonic()
            self._pause.until = max(self._pause.until, now + max(seconds, transfers.FIRST_WAIT))
            if now < self._changed:
                return  # about requests that were under way before the rate was lowered
            share = self._limits.share
            self._most = self._most or WEB_REQUESTS * share
            self._rate = max((self._rate or self._most) / 2, min(LEAST_REQUESTS * share, self._most))
            self._changed = self._pause.until

    def answered(self, look: Callable[[], object] | None) -> None:
        """A request succeeded; `look` asks for little of the same."""
        with self._lock:
            self._refused = 0
            self._look = look or self._look
            self._down = 0.0
            if self._pause.why.startswith(f"{self._store} ".encode()):
                self._pause.why = b""

    def failed(self, fault: Fault, pause: float) -> None:
        """An attempt failed, after which `pause` is due. Raises StoreRefused for the last of REFUSALS."""
        if fault.busy:
            self.complained(pause)
        elif fault.refused and (self._look is None or not self._limits.patience):
            self.refused()

    def outlasts(self, fault: Fault, began: float) -> bool:
        """Waits while the store, which answered before, does not. True once it does again.

        False if the store is not at fault, or may not be: what it last gave is still there, or it never answered. False
        too for what has failed for so long, since `began`, that it must be the file. Raises StoreRefused when the
        store is not waited for any longer.
        """
        look, patience = self._look, self._limits.patience
        if look is None or not patience or time.monotonic() - began > patience or self._answers(look):
            return False
        pause = transfers.FIRST_WAIT
        while True:
            with self._lock:
                now = time.monotonic()
                self._down = self._down or now
                left = self._down + patience - now
                minutes = f"{patience / 60:g} minutes"
                if left <= 0:
                    raise StoreRefused(
                        f"{self._store} has not answered for {minutes} ({fault.message}). The same command goes on "
                        "from here; --set run.patience_minutes=N waits longer"
                    )
                self._pause.why = f"{self._store} does not answer any more: {fault.message}".encode()[:299]
                self._pause.until = max(self._pause.until, now + min(pause * random.uniform(0.5, 1.0), left))
            self.wait()
            if self._answers(look):
                self.answered(None)
                return True
            pause = min(2 * pause, LONGEST_WAIT)

    def _answers(self, look: Callable[[], object]) -> bool:
        """Whether the store gives what it gave before, or says that it is gone."""
        self.wait()
        try:
            look()
        except FAILURES as error:
            return not fault_of(error).may_be_the_store
        return True

    def refused(self) -> None:
        """The store answered 403. Raises StoreRefused if it does nothing else."""
        with self._lock:
            self._refused += 1
            if self._refused >= REFUSALS:
                raise StoreRefused(
                    f"{self._store} refused {self._refused} requests in a row (403 Forbidden). Check address and "
                    "credentials. A public archive refuses machines that asked too often: wait a day, then lower "
                    "--max-requests-per-second"
                )


def _is_remote_web(store: str) -> bool:
    try:
        url = urllib.parse.urlsplit(store)
    except ValueError:
        return False
    return url.scheme in ("http", "https") and url.hostname not in _LOOPBACK


class _Limiters:
    def __init__(self) -> None:
        self.limits = StoreLimits()
        self.pause = Pause()
        self.by_store: dict[str, Limiter] = {}
        self.lock = threading.Lock()


_ours = _Limiters()


def share_limits(
    requests: float,
    bytes_: float,
    workers: int,
    pause: Pause | None = None,
    *,
    connections: int = 0,
    patience: float = 0.0,
) -> None:
    """Sets the limits of this process: those of a run, divided among its workers. Forgets earlier limiters."""
    n = max(workers, 1)
    with _ours.lock:
        most = connections and max(connections // n, 1)
        _ours.limits = StoreLimits(requests / n, bytes_ / n, 1.0 / n, most, patience)
        _ours.pause = pause if pause is not None else Pause()
        _ours.by_store.clear()


def limiter_of(url: str) -> Limiter:
    """This process's limiter of the store behind a URL."""
    try:
        parts = urllib.parse.urlsplit(url)
        store = f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        store = url  # whoever opens it says what is wrong
    with _ours.lock:
        if store not in _ours.by_store:
            _ours.by_store[store] = Limiter(store, _ours.limits, _ours.pause)
        return _ours.by_store[store]


def ask(name: str, attempt: Callable[[], T], look: Callable[[], object] | None = None) -> T:
    """What `attempt` returns, which asks the store of a file or object: at the store's pace, tried again as
    transfers.keep_trying() says.
    """
    limiter = limiter_of(name)

    def paced() -> T:
        limiter.wait()
        return attempt()

    return transfers.persistently(name, paced, pace=limiter, look=look)


def traffic() -> tuple[int, int]:
    """Requests that this process made so far to all stores, and bytes that it received."""
    with _ours.lock:
        found = list(_ours.by_store.values())
    return sum(each.n_requests for each in found), sum(each.n_bytes for each in found)
