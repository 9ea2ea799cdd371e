# SPDX-License-Identifier: Apache-2.0
"""What the robots.txt and tdmrep.json of hosts say: rights of captured pages, and the rows of `hosts`.

Imported only where a run asks for these columns, or names archives with such files (read.robots).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from thresher.address import address_of
from thresher.page.hosts import host_and_domain
from thresher.page.rights import Rights, RobotsTxt, TdmRep, host_of, of_robots_txt, of_tdmrep, read_rights
from thresher.reading.captures import TDMREP, Capture
from thresher.rows.tables import batch_of
from thresher.schemas import TABLES
from thresher.schemas.hosts import ROBOTS_TXT, TDMREP_JSON

if TYPE_CHECKING:
    from thresher.native.parsing.document import Document

_ROWS: Final = 10_000  # of a row group

Row = dict[str, Any]


class RightsReader:
    """Reads the rights of pages. Of the captures of robots.txt and tdmrep.json the last one of each host counts."""

    def __init__(self, robots: Iterable[Capture]) -> None:
        last: dict[tuple[str, str], Capture] = {}
        for origin, kind, capture in _of_hosts(robots):
            before = last.get((origin, kind))
            if before is None or _seconds(before.fetch_time) <= _seconds(capture.fetch_time):
                last[origin, kind] = capture
        self._robots: dict[str, RobotsTxt] = {}
        self._reservations: dict[str, TdmRep] = {}
        for (origin, kind), each in last.items():
            if kind == ROBOTS_TXT:
                self._robots[origin] = RobotsTxt(each.payload, each.fetch_time)
            else:
                self._reservations[origin] = TdmRep(each.payload, each.fetch_time)

    def __call__(self, capture: Capture, document: Document) -> Rights:
        """The rights of a captured page that was parsed; those that an earlier run found, if that kept them."""
        if capture.rights is not None:
            return Rights(**capture.rights)
        if not self._robots and not self._reservations:
            return read_rights(document, capture.url, capture.head)
        host = host_of(capture.url) or ""
        return read_rights(document, capture.url, capture.head, self._robots.get(host), self._reservations.get(host))


def host_batches(robots: Iterable[Capture]) -> list[pa.RecordBatch]:
    """The rows of `hosts` by origin, kind and time; one batch without rows if there are no captures."""
    rows: list[Row] = []
    last: dict[tuple[str, str], Row] = {}
    for origin, kind, capture in _of_hosts(robots):
        said = of_robots_txt(RobotsTxt(capture.payload)) if kind == ROBOTS_TXT else of_tdmrep(TdmRep(capture.payload))
        row = said | {
            "origin": origin,
            "url_host_name": host_and_domain(capture.url)[0],
            "fetch_time": capture.fetch_time,
            "kind": kind,
            "used": False,
            "url": capture.url,
            "warc_filename": capture.warc_filename,
            "warc_record_offset": capture.warc_record_offset,
            "warc_record_number": capture.warc_record_number,
        }
        rows.append(row)
        before = last.get((origin, kind))
        if before is None or _seconds(before["fetch_time"]) <= _seconds(row["fetch_time"]):  # as RightsReader chooses
            last[origin, kind] = row
    for row in last.values():
        row["used"] = True
    rows.sort(
        key=lambda row: (row["origin"], row["kind"], _seconds(row["fetch_time"]), row["warc_filename"], address_of(row))
    )
    return [_batch(rows[first : first + _ROWS]) for first in range(0, max(len(rows), 1), _ROWS)]


def _of_hosts(robots: Iterable[Capture]) -> Iterator[tuple[str, str, Capture]]:
    """The origin and kind of each capture; those without a host are passed over."""
    for capture in robots:
        origin = host_of(capture.url)
        if origin is not None:
            yield origin, TDMREP_JSON if TDMREP.match(capture.url) else ROBOTS_TXT, capture


def _seconds(moment: datetime | None) -> float:
    """A time to compare; one that is not known comes before all others."""
    return moment.timestamp() if moment else 0.0


def _batch(rows: Sequence[Row]) -> pa.RecordBatch:
    return batch_of("hosts", {name: [row.get(name) for row in rows] for name in TABLES["hosts"].names()})
