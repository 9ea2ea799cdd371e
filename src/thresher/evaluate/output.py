# SPDX-License-Identifier: Apache-2.0
"""What a system did with a page."""

from typing import NamedTuple


class Output(NamedTuple):
    """`status` is ok, timeout, crash, or the name of an exception; the text of a failure is empty."""

    status: str
    milliseconds: float  # CPU time of the process, not wall time: the machine may be shared
    text: str
