# SPDX-License-Identifier: Apache-2.0
"""The errors of reading an input, and how often and how long a transfer is tried again.

There are two kinds of failure. An `InputError` means that an input cannot be read as it was named (wrong name, no
permission); the user has to mend it. A `TransferError` means that the bytes exist but could not be fetched after
several attempts; running again may succeed. Neither ever passes for the end of a file.

keep_trying() is the one loop of all transfers. After ATTEMPTS failures it asks the store's limiter (limits.py) whether
the store or the file is at fault: a run waits for a store that answered before, for as long as run.patience_minutes
says.
"""

import email.utils
import http.client
import random
import re
import threading
import time
import urllib.error
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Final, NamedTuple, Protocol, TypeVar

from thresher.errors import InputError, ThresherError, TransferError
from thresher.terminal import one_line

ATTEMPTS: Final = 7  # 0.5 s doubled six times: about half a minute until giving up
FIRST_WAIT: Final = 0.5  # seconds
LONGEST_WAIT: Final = 60.0  # seconds
TIMEOUT: Final = 60.0  # seconds without a byte from a server


# How pyarrow's messages name those errors of S3 that no further attempt mends.
PERMANENT: Final = re.compile(
    r"ACCESS_DENIED|NO_SUCH_|INVALID_ACCESS_KEY|INVALID_CLIENT|UNRECOGNIZED_CLIENT|SIGNATURE_DOES|INVALID_SIGNATURE|"
    r"MISSING_AUTH|HTTP status (?!408|425|429)4\d\d"
)

BUSY: Final = re.compile(
    r"SLOW_DOWN|SERVICE_UNAVAILABLE|THROTTLING|REQUEST_LIMIT|HTTP status (?:429|503)", re.IGNORECASE
)
REFUSED: Final = re.compile(r"ACCESS_DENIED|HTTP status 403")

RETRIED_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
BUSY_STATUSES: Final = (429, 503)
DELAY_SECONDS: Final = re.compile(r"\s*(\d{1,9})(?:\.\d*)?\s*", re.ASCII)
FAILURES: Final = (OSError, http.client.HTTPException, ValueError)
"""What a failed transfer raises: HTTPException and ValueError where the standard library speaks HTTP."""

T = TypeVar("T")


class DamagedMember(InputError):
    """A file in a WACZ does not lie where the WACZ says; its other files may be whole."""


class Fault(NamedTuple):
    """What a failed attempt says."""

    message: str
    passes: bool = False  # another attempt may succeed
    busy: bool = False  # the store asks to be left alone for a while
    refused: bool = False  # status 403
    wait: float = 0.0  # seconds that the store asks for

    @property
    def may_be_the_store(self) -> bool:
        """Whether the store may be at fault, and not what it was asked for."""
        return self.passes or self.refused


def fault_of(error: Exception) -> Fault:
    """What a failure says; `passes` for a busy server and a broken connection."""
    if isinstance(error, urllib.error.HTTPError):
        message = f"HTTP status {error.code} {one_line(str(error.reason), 60)}".rstrip()
        wait = asked_wait(error.headers.get("Retry-After"))
        error.close()
        busy, refused = error.code in BUSY_STATUSES, error.code == http.client.FORBIDDEN
        return Fault(message, error.code in RETRIED_STATUSES, busy, refused, wait)
    text = str(getattr(error, "reason", None) or error or type(error).__name__)
    message = one_line(text, 200)
    if isinstance(error, http.client.InvalidURL | ValueError):
        return Fault(message)
    permanent = (
        FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError, NotADirectoryError, TransferError
    )  # fmt: skip
    passes = not isinstance(error, permanent) and not PERMANENT.search(text)
    busy = bool(BUSY.search(text))
    return Fault(message, passes, busy, not busy and bool(REFUSED.search(text)))


def asked_wait(retry_after: str | None) -> float:
    """Seconds that a Retry-After header asks for, at most LONGEST_WAIT; 0 if it makes no sense."""
    if not retry_after:
        return 0.0
    number = DELAY_SECONDS.fullmatch(retry_after)
    if number:
        return min(float(number[1]), LONGEST_WAIT)
    try:
        moment = email.utils.parsedate_to_datetime(retry_after)
        seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - datetime.now(UTC)
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return min(max(seconds.total_seconds(), 0.0), LONGEST_WAIT)


class Pace(Protocol):
    """A store's limiter (limits.py), which is told how each attempt ended."""

    def answered(self, look: Callable[[], object] | None) -> None: ...
    def failed(self, fault: Fault, pause: float) -> None: ...
    def outlasts(self, fault: Fault, began: float) -> bool: ...


def keep_trying(
    attempt: Callable[[], T],
    give_up: Callable[[Exception, Fault], Exception],
    *,
    pace: Pace | None = None,
    look: Callable[[], object] | None = None,
) -> T:
    """What `attempt` returns, tried up to ATTEMPTS times with growing pauses, and again after each time that its store
    did not answer at all.

    Raises what `give_up` makes of the last failure, and of one that cannot pass. Errors of Thresher's own are raised as
    they are. `look` asks the store for as little as possible of what was asked for, to learn later whether it answers.
    """
    tried, began = 0, time.monotonic()
    while True:
        try:
            result = attempt()
        except ThresherError:
            raise
        except FAILURES as error:
            fault, tried = fault_of(error), tried + 1
            pause = max(pause_after(tried), fault.wait)
            if pace:
                pace.failed(fault, pause)
            if fault.passes and tried < ATTEMPTS:
                if not (pace and fault.busy):  # else the limiter waits
                    time.sleep(pause)
            elif pace and fault.may_be_the_store and pace.outlasts(fault, began):
                tried = 0
            else:
                raised = give_up(error, fault)
                if raised is error:
                    raise
                raise raised from error
        else:
            if pace:
                pace.answered(look)
            return result


def persistently(
    what: str,
    attempt: Callable[[], T],
    *,
    failure: type[OSError] = TransferError,
    pace: Pace | None = None,
    look: Callable[[], object] | None = None,
) -> T:
    """keep_trying() for a library's file systems: raises `failure`, which says `what` failed, after the last attempt.
    Errors that cannot pass are raised as they are.
    """

    def give_up(error: Exception, fault: Fault) -> Exception:
        return failure(f"{what}: {error} ({ATTEMPTS} attempts)") if fault.passes else error

    return keep_trying(attempt, give_up, pace=pace, look=look)


def within(seconds: float, attempt: Callable[[], T]) -> T:
    """What `attempt` returns or raises. The time is bounded in total: a socket's timeout starts again with every byte,
    so a server that sends one now and then never reaches it.

    Raises TimeoutError after so many seconds. The attempt is left to a thread that ends with the process.
    """
    done: Future[T] = Future()

    def work() -> None:
        try:
            done.set_result(attempt())
        except BaseException as error:  # noqa: BLE001 (raised again where it is waited for)
            done.set_exception(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if not done.done():
        raise TimeoutError(f"no whole answer within {seconds:g} seconds")
    return done.result()


def pause_after(tried: int) -> float:
    """Seconds to wait after the `tried`-th failure: doubling, with jitter so that workers do not return together."""
    return min(FIRST_WAIT * 2.0 ** (tried - 1), LONGEST_WAIT) * random.uniform(0.5, 1.0)
