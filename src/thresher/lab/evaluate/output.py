# SPDX-License-Identifier: Apache-2.0
"""What a system did with a page."""

from typing import NamedTuple


class Output(NamedTuple):
    """`status` is ok, timeout, crash or the name of an exception. A failure has an empty text."""

    status: str
    milliseconds: float  # CPU time of the process; the machine may be shared
    text: str
    reason: str = ""  # the message of the exception
