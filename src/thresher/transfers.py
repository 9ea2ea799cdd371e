# SPDX-License-Identifier: Apache-2.0
"""What reading an input may fail with, and how often and how long it is tried again.

Two kinds of failure: `InputError`, what was asked for cannot be read at all (wrong name, no permission), which the user has to mend;
`TransferError`, the bytes exist but could not be fetched after several attempts, which another attempt may mend. Neither ever
passes for the end of a file.
"""

import random
from typing import Final

from thresher.errors import InputError, TransferError

__all__ = ["InputError", "TransferError", "pause_after"]

ATTEMPTS: Final = 7  # 0.5 s doubled six times: about half a minute until giving up
FIRST_WAIT: Final = 0.5  # seconds
LONGEST_WAIT: Final = 60.0  # seconds
TIMEOUT: Final = 60.0  # seconds without a byte from a server


def pause_after(tried: int) -> float:
    """Seconds to wait after the `tried`-th failure: doubling, with jitter so that many workers do not return as one."""
    return min(FIRST_WAIT * 2.0 ** (tried - 1), LONGEST_WAIT) * random.uniform(0.5, 1.0)
