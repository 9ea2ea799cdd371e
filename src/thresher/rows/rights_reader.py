# SPDX-License-Identifier: Apache-2.0
"""Rights of captured pages, with records of robots.txt and tdmrep.json.

Imported only where a run asks for these columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from thresher.options import CaptureOptions
from thresher.page.rights import Rights, RobotsTxt, TdmRep, host_of, read_rights
from thresher.reading.captures import TDMREP, Capture
from thresher.reading.listing import read_captures

if TYPE_CHECKING:
    from thresher.native.parsing.document import Document

_Said = TypeVar("_Said", RobotsTxt, TdmRep)


class RightsReader:
    """Reads the rights of pages."""

    def __init__(self, robots: Sequence[str] = ()) -> None:
        """`robots` are archives; the last robots.txt and the last tdmrep.json of each host in them count. Raises
        InputError if one cannot be opened.
        """
        self._robots: dict[str, RobotsTxt] = {}
        self._reservations: dict[str, TdmRep] = {}
        for capture in robots_captures(robots):
            if is_tdmrep(capture):
                _take(self._reservations, TdmRep, capture)
            else:
                _take(self._robots, RobotsTxt, capture)

    def __call__(self, capture: Capture, document: Document) -> Rights:
        """The rights of a captured page that was parsed."""
        if not self._robots and not self._reservations:
            return read_rights(document, capture.url, capture.head)
        host = host_of(capture.url) or ""
        return read_rights(document, capture.url, capture.head, self._robots.get(host), self._reservations.get(host))


def robots_captures(robots: Sequence[str]) -> Iterator[Capture]:
    """The captures of robots.txt and tdmrep.json in archives, in their order. Raises InputError if one is missing or
    cannot be opened.
    """
    if robots:
        yield from read_captures(list(robots), capture_options=CaptureOptions(statuses=(200,), robots_only=True))


def is_tdmrep(capture: Capture) -> bool:
    """Whether a capture of robots_captures() is a tdmrep.json."""
    return bool(TDMREP.match(capture.url))


def _take(known: dict[str, _Said], kind: Callable[[bytes, datetime | None], _Said], capture: Capture) -> None:
    """Keep the last file of each host."""
    host = host_of(capture.url)
    if host is not None:
        before = known.get(host)
        if before is None or seconds(before.fetch_time) <= seconds(capture.fetch_time):
            known[host] = kind(capture.payload, capture.fetch_time)


def seconds(moment: datetime | None) -> float:
    """A time to compare; one that is not known comes before all others."""
    return moment.timestamp() if moment else 0.0
