# SPDX-License-Identifier: Apache-2.0
"""Where the workbench finds pages: archives, runs and labelled files that were named when the service was started.

Runs in a worker, because strangers wrote the archives.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from thresher.errors import Refused
from thresher.options import CaptureOptions
from thresher.page.charset import decode
from thresher.page.hosts import host_and_domain
from thresher.serving.settings import Settings
from thresher.serving.tasks import to_json

if TYPE_CHECKING:
    from thresher.reading.captures import Capture

LISTED: Final = 100
"""Pages in an answer."""
_SECONDS: Final = 4.0  # for searching an archive
_MAX_PAGE: Final = 16 << 20
_PLACE: Final = re.compile(r"([0-9]{1,18})(?:\.([0-9]{1,18}))?")
_COLUMNS: Final = (
    "url",
    "title",
    "language",
    "status",
    "confidence",
    "warc_filename",
    "warc_record_offset",
    "warc_record_id",
)


def describe_sources(settings: Settings) -> list[dict[str, Any]]:
    """All sources: number, kind and name."""
    named = [
        *(("archive", name) for name in settings.archives),
        *(("run", name) for name in settings.runs),
        *(("labelled", name) for name in settings.labelled),
    ]
    return [{"number": number, "kind": kind, "name": name} for number, (kind, name) in enumerate(named)]


def list_pages(kind: str, name: str, start: str, wanted: str) -> bytes:
    """Pages of a source from `start` on whose URL contains `wanted`: `pages`, and `next`, where to go on, or null.

    A place is the number of a row. In an archive it is the record's offset. Where several records share an offset,
    because one gzip member holds them, a dot and a number follow from the second one on: "0", "0.1", "0.2".
    """
    found: list[dict[str, Any]] = []
    following: str | None = None
    until = time.monotonic() + _SECONDS
    for n_seen, (place, about) in enumerate(_listed(kind, name, start)):
        # An answer covers at least one page: finding `start` again can take all the time.
        if len(found) == LISTED or (n_seen and time.monotonic() > until):
            following = place
            break
        if wanted.lower() in (about["url"] or "").lower():
            found.append({"place": place, **about})
    return to_json({"pages": found, "next": following})


def read_page(kind: str, name: str, place: str) -> bytes:
    """A page of a source: `html` as text, `url`, and `gold` where it is known. Raises Refused if it is not there."""
    if kind == "labelled":
        for _, row in _rows(Path(name), _row_number(place), ("html", "gold", "url", "id")):
            html = row["html"] or ""
            page = html if isinstance(html, str) else decode(html, http_charset=None, max_bytes=_MAX_PAGE).utf8.decode()
            return to_json({"html": page, "url": row.get("url"), "gold": row.get("gold"), "id": row.get("id")})
        raise Refused("no such row")
    templates = None
    if kind == "run":
        number = _row_number(place)
        templates = _templates_of_row(name, number)
        capture = _capture_of_row(name, number)
    else:
        capture = next((each for _, each in _captures(name, place, only=True)), None)
    if capture is None:
        raise Refused("there is no page at this place")
    html = decode(capture.payload, http_charset=capture.http_charset, max_bytes=_MAX_PAGE).utf8.decode()
    return to_json({"html": html, "url": capture.url, "gold": None, "templates": templates})


def pages_from(kind: str, name: str, start: str) -> Iterator[tuple[str, str | None, bytes]]:
    """The pages of an archive or a labelled file from `start` on: place, URL and HTML in UTF-8."""
    if kind == "labelled":
        for number, row in _rows(Path(name), _row_number(start), ("html", "url", "id")):
            html = row["html"] or b""
            page = html.encode("utf-8", "replace") if isinstance(html, str) else html
            utf8 = decode(page, http_charset=None, max_bytes=_MAX_PAGE).utf8
            yield str(number), row.get("url") or row.get("id"), utf8
        return
    if kind == "run":
        raise Refused("pages are proposed from archives and labelled files")
    for place, capture in _captures(name, start):
        html = decode(capture.payload, http_charset=capture.http_charset, max_bytes=_MAX_PAGE).utf8
        yield place, capture.url, html


def _captures(name: str, start: str, *, only: bool = False) -> Iterator[tuple[str, Capture]]:
    """The captures of an archive from a place on, or only those at its offset, with their places.

    Raises Refused for a text that is no place.
    """
    from thresher.reading.sources import reading_of

    found = _PLACE.fullmatch(start)
    if found is None:
        raise Refused("a place in an archive is an offset, such as 0 or 0.12")
    offset, skip = int(found[1]), int(found[2] or 0)
    last, number = -1, 0
    options = CaptureOptions(max_payload_bytes=_MAX_PAGE)
    try:
        for capture in reading_of(name, options, offset, offset + 1 if only else None):
            number = number + 1 if capture.warc_record_offset == last else 0
            last = capture.warc_record_offset
            if last != offset or number >= skip:
                yield f"{last}.{number}" if number else str(last), capture
    except OSError as error:  # an offset that no file of this system can have
        raise Refused(f"{os.path.basename(name)} cannot be read at {offset:,}: {error.strerror}") from None


def _row_number(place: str) -> int:
    """The number of a row from its place. Raises Refused for a text that is none."""
    found = _PLACE.fullmatch(place)
    if found is None or found[2]:
        raise Refused("a row has a number")
    return int(found[1])


def _listed(kind: str, name: str, start: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The place of each page, and what a list says of it."""
    if kind == "archive":
        for place, capture in _captures(name, start):
            yield place, {"url": capture.url, "bytes": len(capture.payload)}
    elif kind == "run":
        for number, row in _rows_of_run(name, _row_number(start)):
            yield str(number), {each: row.get(each) for each in ("url", "title", "language", "status", "confidence")}
    else:
        for number, row in _rows(Path(name), _row_number(start), ("url", "id", "lang", "page_type")):
            yield str(number), {"url": row.get("url") or row.get("id"), "language": row.get("lang")}


def _rows(file: Path, start: int, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a Parquet file from `start` on, with their numbers."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        parquet = pq.ParquetFile(file)
        names = [name for name in columns if name in parquet.schema_arrow.names]
        first = 0
        for group in range(parquet.num_row_groups):
            n = parquet.metadata.row_group(group).num_rows
            if first + n > start:
                for batch in parquet.iter_batches(16, row_groups=[group], columns=names):
                    rows = batch.to_pylist() if first + batch.num_rows > start else [{}] * batch.num_rows
                    for row in rows:
                        if first >= start:
                            yield first, row
                        first += 1
            else:
                first += n
    except (OSError, pa.ArrowException) as error:
        raise Refused(f"{file}: {error}") from None


def _rows_of_run(folder: str, start: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a run's pages, in the order of its files."""
    first = 0
    pages = sorted(Path(folder, "pages").glob("*.parquet"))
    if not pages:
        raise Refused(f"{folder} holds no pages in Parquet")
    for file in pages:
        if file.name.startswith("_"):
            continue
        n = 0
        for number, row in _rows(file, max(0, start - first), _COLUMNS):
            yield first + number, row
            n = number + 1
        first += n or _n_rows(file)


def _n_rows(file: Path) -> int:
    import pyarrow.parquet as pq

    return int(pq.read_metadata(file).num_rows)


def _capture_of_row(folder: str, number: int) -> Capture | None:
    """The capture that a row of a run was made of; None if the archive does not hold it at the row's offset.

    All records of one gzip member have its offset, so the record's name or else its URL decides.
    """
    import json

    row = next((row for place, row in _rows_of_run(folder, number) if place == number), None)
    if row is None:
        raise Refused("no such row")
    inputs = json.loads(Path(folder, "_inputs.json").read_text("utf-8"))["inputs"]
    wanted = row.get("warc_filename") or ""
    for each in inputs:
        if each == wanted or os.path.basename(each) == os.path.basename(wanted):
            path = each if "://" in each or os.path.isabs(each) else _local(folder, each)
            for _, capture in _captures(path, str(row["warc_record_offset"] or 0), only=True):
                name, seen = row.get("warc_record_id"), capture.warc_record_id
                if name == seen if name and seen else row.get("url") in (None, capture.url):
                    return capture
            return None
    raise Refused(f"the archive {wanted} is not among the inputs of the run")


def _templates_of_row(folder: str, number: int) -> dict[str, float] | None:
    """For each text, by fingerprint, the share of its host's pages that have it; None if the run did not look for
    templates.
    """
    from thresher.templates.shown import templates_of

    row = next((row for place, row in _rows_of_run(folder, number) if place == number), None)
    host = host_and_domain(row["url"])[0] if row is not None and row.get("url") else None
    if host is None:
        return None
    found = templates_of(folder, host)
    shares = {str(each["fingerprint"]): each["pages"] / max(each["known"], 1) for each in found if each["fingerprint"]}
    return shares or None


def _local(folder: str, name: str) -> str:
    """An archive with a relative name: relative to the working directory of the service, or to the run."""
    beside = os.path.join(os.path.dirname(os.path.abspath(folder)), name)
    return name if os.path.exists(name) or not os.path.exists(beside) else beside
