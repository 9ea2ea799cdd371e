# SPDX-License-Identifier: Apache-2.0
"""Rights of captured pages, with robots.txt records. Imported only where a run asks for these columns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from thresher.options import CaptureOptions
from thresher.page.rights import Rights, RobotsTxt, host_of, read_rights
from thresher.reading.captures import Capture, WarcReading
from thresher.reading.listing import list_inputs

if TYPE_CHECKING:
    from thresher.native.parsing.document import Document

__all__ = ["RightsReader"]


class RightsReader:
    """Reads the rights of pages."""

    def __init__(self, robots: Sequence[str] = ()) -> None:
        """`robots` are archives; the last robots.txt of each host in them counts. Raises InputError if one cannot be
        opened.
        """
        self._robots: dict[str, RobotsTxt] = {}
        for source in list_inputs(list(robots)) if robots else ():
            for capture in WarcReading(source, CaptureOptions(statuses=(200,), robots_only=True)):
                self._take(capture)

    def _take(self, capture: Capture) -> None:
        host = host_of(capture.url)
        if host is None:
            return
        before = self._robots.get(host)
        if before is None or _seconds(before.fetch_time) <= _seconds(capture.fetch_time):
            self._robots[host] = RobotsTxt(capture.payload, capture.fetch_time)

    def __call__(self, capture: Capture, document: Document) -> Rights:
        """The rights of a captured page that was parsed."""
        host = host_of(capture.url) if self._robots else None
        return read_rights(document, capture.url, capture.head, self._robots.get(host) if host else None)


def _seconds(moment: datetime | None) -> float:
    return moment.timestamp() if moment else 0.0
