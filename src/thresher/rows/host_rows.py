# SPDX-License-Identifier: Apache-2.0
"""Rows of `hosts`: what the robots.txt and tdmrep.json records of archives say of their hosts.

Imported only where a run names such archives (read.robots).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pyarrow as pa

from thresher.address import address_of
from thresher.page.hosts import host_and_domain
from thresher.page.rights import RobotsTxt, TdmRep, host_of, of_robots_txt, of_tdmrep
from thresher.rows.rights_reader import is_tdmrep, robots_captures, seconds
from thresher.rows.tables import batch_of
from thresher.schemas import TABLES
from thresher.schemas.hosts import ROBOTS_TXT, TDMREP_JSON

_ROWS: Final = 10_000  # of a row group

Row = dict[str, Any]


def host_batches(robots: Sequence[str]) -> list[pa.RecordBatch]:
    """The rows of `hosts` by origin, kind and time; one batch without rows if the archives `robots` hold none.

    Raises InputError if an archive is missing or cannot be opened.
    """
    rows: list[Row] = []
    last: dict[tuple[str, str], Row] = {}
    for capture in robots_captures(robots):
        origin = host_of(capture.url)
        if origin is None:
            continue
        if is_tdmrep(capture):
            kind, said = TDMREP_JSON, of_tdmrep(TdmRep(capture.payload))
        else:
            kind, said = ROBOTS_TXT, of_robots_txt(RobotsTxt(capture.payload))
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
        if before is None or _time(before) <= _time(row):  # as RightsReader chooses
            last[origin, kind] = row
    for row in last.values():
        row["used"] = True
    rows.sort(key=lambda row: (row["origin"], row["kind"], _time(row), row["warc_filename"], address_of(row)))
    return [_batch(rows[first : first + _ROWS]) for first in range(0, max(len(rows), 1), _ROWS)]


def _time(row: Row) -> float:
    return seconds(row["fetch_time"])


def _batch(rows: Sequence[Row]) -> pa.RecordBatch:
    return batch_of("hosts", {name: [row.get(name) for row in rows] for name in TABLES["hosts"].names()})
