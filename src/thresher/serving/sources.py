# SPDX-License-Identifier: Apache-2.0
"""Where the workbench finds pages: archives, runs and labelled files that were named when the service was started.

Runs in a worker, because strangers wrote the archives.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from thresher.address import PAGE_KEY, Address, address_of
from thresher.errors import InputError, OutputError, Refused, TransferError
from thresher.options import CaptureOptions
from thresher.page.charset import decode
from thresher.page.hosts import host_and_domain
from thresher.reading.again import Again
from thresher.reading.listing import list_files
from thresher.running.archives import archives_of
from thresher.serving.settings import Settings
from thresher.serving.tasks import to_json
from thresher.writing.run_folder import RunFolder, has_templates

if TYPE_CHECKING:
    import pyarrow.parquet as pq

    from thresher.reading.captures import Capture
    from thresher.reading.inputs import Input

LISTED: Final = 100
"""Pages in an answer."""
_SECONDS: Final = 4.0  # for searching an archive
_MAX_PAGE: Final = 16 << 20
_DIGITS: Final = 18  # of the number of a row
_OPTIONS: Final = CaptureOptions(max_payload_bytes=_MAX_PAGE, feeds=True)
_PLACE: Final = re.compile(r"(?:([0-9]{1,9}):)?([0-9]{1,18}(?:\.[0-9]{1,18})?)")
_COLUMNS: Final = ("url", "title", "language", "status", "confidence", *PAGE_KEY)


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

    A place is the number of a row; in an archive it is the record's address. A folder or a WACZ holds several archives:
    from the second one on, its number and a colon come first: "0", "0.1", "1:0", "1:81234".
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
            page = decode(row["html"] or "", max_bytes=_MAX_PAGE).utf8.decode("utf-8", "replace")
            return to_json({"html": page, "url": row.get("url"), "gold": row.get("gold"), "id": row.get("id")})
        raise Refused("no such row")
    templates = None
    if kind == "run":
        row = _row_of_run(name, _row_number(place))
        templates = _templates_of_row(name, row)
        capture = _capture_of_row(name, row)
    else:
        capture = _capture_at(name, place)
    if capture is None:
        raise Refused("there is no page at this place")
    html = decode(capture.payload, http_charset=capture.http_charset, max_bytes=_MAX_PAGE).utf8.decode()
    return to_json({"html": html, "url": capture.url, "gold": None, "templates": templates})


def _inputs(name: str) -> list[Input]:
    """The inputs that an archive, a WACZ, a list or a folder names. Raises Refused if there are none."""
    try:
        return list_files(name).inputs
    except (InputError, TransferError) as error:
        raise Refused(str(error)) from None


def _place(text: str) -> tuple[int, Address]:
    """The number of an input and the address in it. Raises Refused for a text that is no place."""
    found = _PLACE.fullmatch(text)
    address = Address.parse(found[2]) if found else None
    if found is None or address is None:
        raise Refused("a place in an archive is an offset, such as 0 or 0.12")
    return int(found[1] or 0), address


def _captures(name: str, start: str) -> Iterator[tuple[str, Capture]]:
    """The captures of an archive from a place on, with their places. Raises Refused for a text that is no place."""
    first, address = _place(start)
    for number, each in enumerate(_inputs(name)):
        if number < first:
            continue
        with closing(Again(each, _OPTIONS)) as again, _refusing(name):
            for here, capture in again.from_address(address if number == first else Address(0)):
                yield f"{number}:{here}" if number else str(here), capture


def _capture_at(name: str, place: str) -> Capture | None:
    """The capture at a place of an archive; None if there is none."""
    number, address = _place(place)
    inputs = _inputs(name)
    return _capture(inputs[number], address) if number < len(inputs) else None


def _capture(source: Input, address: Address) -> Capture | None:
    with closing(Again(source, _OPTIONS)) as again, _refusing(source.location):
        return next((capture for _, capture in again.captures([address])), None)


@contextmanager
def _refusing(name: str) -> Iterator[None]:
    """Turns what cannot be read into an answer."""
    try:
        yield
    except OSError as error:  # such as an offset that no file of this system can have
        raise Refused(f"{os.path.basename(name)} cannot be read: {error.strerror or error}") from None
    except (InputError, OutputError) as error:
        raise Refused(str(error)) from None


def _row_number(place: str) -> int:
    """The number of a row from its place. Raises Refused for a text that is none."""
    if not place.isascii() or not place.isdecimal() or len(place) > _DIGITS:
        raise Refused("a row has a number")
    return int(place)


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
        yield from _rows_in(pq.ParquetFile(file), start, columns)
    except (OSError, pa.ArrowException) as error:
        raise Refused(f"{file}: {error}") from None


def _rows_in(parquet: pq.ParquetFile, start: int, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
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


def _rows_of_run(output: str, start: int) -> Iterator[tuple[int, dict[str, Any]]]:
    first = 0
    with _refusing(output):
        tables = RunFolder(output).tables
        names = tables.files("pages")
        if not names:
            raise Refused(f"{output} holds no pages in Parquet")
        for name in names:
            with tables.open("pages", name) as parquet:
                if first + parquet.metadata.num_rows > start:
                    for number, row in _rows_in(parquet, max(0, start - first), _COLUMNS):
                        yield first + number, row
                first += parquet.metadata.num_rows


def _row_of_run(output: str, number: int) -> dict[str, Any]:
    """A row of a run's pages. Raises Refused if it has none with this number."""
    for _, row in _rows_of_run(output, number):
        return row
    raise Refused("no such row")


def _capture_of_row(output: str, row: dict[str, Any]) -> Capture | None:
    """The capture that a row of a run was made of; None if the archive does not hold it at the row's address."""
    archives, name = archives_of(RunFolder(output)), row["warc_filename"]
    if name not in archives:  # a row of somebody's run must not make the service open what it likes
        raise Refused(f"the archive {name} is not among the inputs of the run")
    return _capture(archives[name], address_of(row))


def _templates_of_row(output: str, row: dict[str, Any]) -> dict[str, float] | None:
    """For each text, by fingerprint, the share of its host's pages that have it; None if the run did not look for
    templates.
    """
    from thresher.templates.shown import templates_of

    host = host_and_domain(row["url"])[0] if row.get("url") else None
    if host is None or not has_templates(RunFolder(output).rows()):
        return None
    found = templates_of(output, host)
    shares = {str(each["fingerprint"]): each["pages"] / max(each["known"], 1) for each in found if each["fingerprint"]}
    return shares or None
