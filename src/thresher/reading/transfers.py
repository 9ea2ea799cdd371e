# SPDX-License-Identifier: Apache-2.0
"""The errors of reading an input, and how often and how long a transfer is tried again.

There are two kinds of failure. An `InputError` means that an input cannot be read as it was named (wrong name, no
permission); the user has to mend it. A `TransferError` means that the bytes exist but could not be fetched after
several attempts; running again may succeed. Neither ever passes for the end of a file.
"""

import random
import re
import time
from collections.abc import Callable
from typing import Final, Protocol, TypeVar

from thresher.errors import InputError, TransferError

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

T = TypeVar("T")


class DamagedMember(InputError):
    """A file in a WACZ does not lie where the WACZ says; its other files may be whole."""


def may_pass(error: OSError) -> bool:
    """True for a failure that another attempt may not meet: a busy server, a broken connection."""
    permanent = (
        FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError, NotADirectoryError, TransferError
    )  # fmt: skip
    return not isinstance(error, permanent) and not PERMANENT.search(str(error))


class Pace(Protocol):
    """What is told of each attempt, and may make it wait: a store's limiter (limits.py)."""

    def wait(self) -> None: ...
    def complained(self) -> None: ...
    def refused(self) -> None: ...


def persistently(
    what: str, attempt: Callable[[], T], *, failure: type[OSError] = TransferError, pace: Pace | None = None
) -> T:
    """What `attempt` returns, tried up to ATTEMPTS times with growing pauses.

    Raises `failure`, which says `what` failed, after the last attempt. Errors that cannot pass are raised at once as
    they are.
    """
    for tried in range(1, ATTEMPTS + 1):
        if pace:
            pace.wait()
        try:
            return attempt()
        except OSError as error:
            if pace and BUSY.search(str(error)):
                pace.complained()
            elif pace and REFUSED.search(str(error)):
                pace.refused()
            if not may_pass(error):
                raise
            if tried == ATTEMPTS:
                raise failure(f"{what}: {error} ({ATTEMPTS} attempts)") from error
            time.sleep(pause_after(tried))
    raise AssertionError


def pause_after(tried: int) -> float:
    """Seconds to wait after the `tried`-th failure: doubling, with jitter so that workers do not return together."""
    return min(FIRST_WAIT * 2.0 ** (tried - 1), LONGEST_WAIT) * random.uniform(0.5, 1.0)
