# SPDX-License-Identifier: Apache-2.0
"""What reading an input may fail with, and how often and how long it is tried again.

Two kinds of failure: `InputError`, what was asked for cannot be read at all (wrong name, no permission), which the user has to mend;
`TransferError`, the bytes exist but could not be fetched after several attempts, which another attempt may mend. Neither ever
passes for the end of a file.
"""

import random
import re
import time
from collections.abc import Callable
from typing import Final, TypeVar

ATTEMPTS: Final = 7  # 0.5 s doubled six times: about half a minute until giving up
FIRST_WAIT: Final = 0.5  # seconds
LONGEST_WAIT: Final = 60.0  # seconds
TIMEOUT: Final = 60.0  # seconds without a byte from a server


class InputError(ValueError):
    """An input that cannot be read as it was named; the message says what, where, and what to do."""


class TransferError(OSError):
    """Bytes of an input that exist but could not be fetched, after several attempts."""


# In what pyarrow says of an S3 error: what no other attempt mends.
PERMANENT: Final = re.compile(
    r"ACCESS_DENIED|NO_SUCH_|INVALID_ACCESS_KEY|INVALID_CLIENT|UNRECOGNIZED_CLIENT|SIGNATURE_DOES|MISSING_AUTH|INVALID_SIGNATURE|"
    r"HTTP status (?!408|425|429)4\d\d"
)

T = TypeVar("T")


def may_pass(error: OSError) -> bool:
    """True for a failure that another attempt may not meet: a busy server, a broken connection."""
    permanent = (FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError, NotADirectoryError)
    return not isinstance(error, permanent) and not PERMANENT.search(str(error))


def persistently(what: str, attempt: Callable[[], T], *, failure: type[OSError] = TransferError) -> T:
    """What `attempt` returns, tried up to ATTEMPTS times with growing pauses.

    Raises `failure`, which says `what` failed, after the last attempt. Errors that cannot pass are raised at once as they are.
    """
    for tried in range(1, ATTEMPTS + 1):
        try:
            return attempt()
        except OSError as error:
            if not may_pass(error):
                raise
            if tried == ATTEMPTS:
                raise failure(f"{what}: {error} ({ATTEMPTS} attempts)") from error
            time.sleep(pause_after(tried))
    raise AssertionError


def pause_after(tried: int) -> float:
    """Seconds to wait after the `tried`-th failure: doubling, with jitter so that many workers do not return as one."""
    return min(FIRST_WAIT * 2.0 ** (tried - 1), LONGEST_WAIT) * random.uniform(0.5, 1.0)
