# SPDX-License-Identifier: Apache-2.0
"""Reads the records that an index names: byte ranges of archives, instead of whole archives.

An input of this kind is a file of ranges, `NAME.ranges.parquet`, which thresher.running.indexed makes of an index: one
row for each record, in the order of archive and offset. Its *places* are those of a file in which the ranges lie one
after the other. So it is split by bytes, as an archive is, and each record has a place of its own, though two archives
may have a record at the same offset.

Ranges of one archive that lie close together are fetched in one request, and the next requests are made while the
records of the last one are worked on: as many at a time as the store's limiter allows (limits.py).

Every range ends as a capture, a skipped record or a dead letter. Where a range holds no whole record the archive is
read once more at that offset, without the index's length, to tell which of the two is wrong: stage `index` where the
archive is fine, stage `read` where it is damaged, cut off or missing.
"""

from __future__ import annotations

import os
import re
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, Self

from thresher.errors import InputError, TransferError
from thresher.reading.captures import Capture, DeadLetter, LeftOut, Reading, WarcReading, clean_url
from thresher.reading.fetching import RangeFetcher
from thresher.reading.files import InputFile
from thresher.reading.limits import limiter_of
from thresher.reading.names import scheme_of
from thresher.reading.opening import open_input
from thresher.reading.progress import PageGivenUp
from thresher.reading.records import Damage, Record, RecordReader, Retraction
from thresher.terminal import one_line

__all__ = ["COLUMNS", "Range", "RangesReading", "extent", "ranges_size", "read_ranges", "sources_in"]

COLUMNS: Final = ("place", "source", "warc_filename", "offset", "length", "url", "content_languages")
"""The columns of a file of ranges."""
SIZE_KEY: Final = b"bytes"  # in the metadata of its schema: the sum of all lengths
MAX_LENGTH: Final = 1 << 40  # bytes; a longer record is none
MAX_GAP: Final = 256 << 10  # bytes between two ranges that one request fetches: what a request takes in time
MAX_SPAN: Final = 8 << 20  # bytes fetched in one request, unless one range is longer
SECOND_LOOK: Final = 1 << 20  # bytes read at an offset where an index names a record and none was found
NOTHING_BEGINS: Final = re.compile(r"\bno (?:gzip member|record) begins here")
LONG_RANGE: Final = 64 << 20  # bytes above which a range is read piece by piece


class Range(NamedTuple):
    """One record as an index names it."""

    place: int  # bytes of the ranges before it in the file of ranges
    source: str  # path or URL of the archive, "" where the index has none
    warc_filename: str  # as the index has it
    offset: int | None  # None where the index has no usable number
    length: int | None
    url: str | None  # None where the index names none
    content_languages: str | None  # what the crawler found, where the index says so

    @property
    def is_usable(self) -> bool:
        """Whether source, offset and length can be a range at all."""
        offset, length = self.offset, self.length
        if not self.source or offset is None or length is None:
            return False
        return offset >= 0 and 0 < length <= MAX_LENGTH


@dataclass(frozen=True, slots=True)
class _Span:
    """Ranges of one archive that are fetched in one request; one that is not usable stands alone."""

    ranges: tuple[Range, ...]
    start: int
    n: int  # bytes; 0 if nothing is fetched ahead


def _spans(ranges: Iterator[Range]) -> Iterator[_Span]:
    """The requests that fetch some ranges, which come in order."""
    held: list[Range] = []
    start = end = 0
    for each in ranges:
        if each.is_usable and each.length <= LONG_RANGE:  # type: ignore[operator]
            begin, stop = each.offset or 0, (each.offset or 0) + (each.length or 0)
            near = begin <= end + MAX_GAP and max(end, stop) - start <= MAX_SPAN
            if held and held[-1].source == each.source and near:
                held.append(each)
                end = max(end, stop)
                continue
            if held:
                yield _Span(tuple(held), start, end - start)
            held, start, end = [each], begin, stop
            continue
        if held:
            yield _Span(tuple(held), start, end - start)
            held = []
        yield _Span((each,), each.offset or 0, 0)
    if held:
        yield _Span(tuple(held), start, end - start)


class _Bytes:
    """Bytes as an `InputFile`."""

    def __init__(self, data: bytes | memoryview) -> None:
        self.size: int | None = len(data)
        self._data = data
        self._position = 0

    def read(self, n: int = -1, /) -> bytes:
        piece = bytes(self._data[self._position : self._position + n if n >= 0 else None])
        self._position += len(piece)
        return piece

    def seek(self, position: int, /) -> int:
        self._position = position
        return position

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        """There is nothing to close."""


class _Window:
    """An archive from an offset on, up to `size` bytes of it if that is known."""

    def __init__(self, file: InputFile, start: int, size: int | None) -> None:
        self.size = size if size is not None or file.size is None else max(file.size - start, 0)
        self._file, self._start, self._position = file, start, 0
        self.close = file.close
        file.seek(start)

    def read(self, n: int = -1, /) -> bytes:
        if self.size is not None:
            left = max(self.size - self._position, 0)
            n = left if n < 0 else min(n, left)
        piece = self._file.read(n)
        self._position += len(piece)
        return piece

    def seek(self, position: int, /) -> int:
        self._position = position
        self._file.seek(self._start + position)
        return position

    def tell(self) -> int:
        return self._position


@dataclass(slots=True)
class RangesReading(Reading):
    """The records of a file of ranges. `start` and `end` are places."""

    n_wanted: int = 0  # bytes of the ranges
    only: frozenset[int] | None = None  # the places of the ranges to read; None for all

    @property
    def bytes_read(self) -> int:
        """Bytes of the ranges. What was fetched between them depends on the store, and is not counted."""
        return self.n_wanted

    def __iter__(self) -> Iterator[Capture]:
        spans = _spans(self._ranges())
        with _Ahead() as ahead:
            try:
                under_way: deque[tuple[_Span, Future[bytes]]] = deque()
                while True:
                    # One is worked on, while as many are fetched as the store may be asked for at a time.
                    while not under_way or len(under_way) <= ahead.connections(under_way[0][0].ranges[0].source):
                        if (span := next(spans, None)) is None:
                            break
                        under_way.append((span, ahead.fetch(span.ranges[0].source, span.start, span.n)))
                    if not under_way:
                        break
                    yield from self._read_span(*under_way.popleft(), ahead)
            finally:
                self.progress.fetch()  # a request that nobody waits for any more may be under way
        self.progress.fetched()

    def _ranges(self) -> Iterator[Range]:
        """The ranges that begin in [start, end); notes where the first one behind them begins."""
        for each in read_ranges(os.fspath(self.source), self.start):
            if self.end is not None and each.place >= self.end:
                self.next_offset = each.place
                return
            if self.only is not None and each.place not in self.only:
                continue
            if self.first_offset is None:
                self.first_offset = each.place
            self.n_wanted += (each.length or 0) if each.is_usable else 0
            yield each

    # -- one request --------------------------------------------------------------------------------------------------

    def _read_span(self, span: _Span, fetched: Future[bytes], ahead: _Ahead) -> Iterator[Capture]:
        try:
            data = self._wait(fetched)
        except InputError as error:
            for each in span.ranges:
                self._lose(each, "read", type(error).__name__, str(error))
            return
        view = memoryview(data)
        for each in span.ranges:
            try:
                self.progress.record(each.place)
            except PageGivenUp as problem:
                self._lose(each, "worker", type(problem).__name__, str(problem))
                continue
            if not each.is_usable:
                what = f"offset {each.offset} and length {each.length} are no range of bytes"
                if not each.source:
                    what = f"{one_line(each.warc_filename, 100)!r} is no name of an archive"
                self._lose(each, "index", "BadEntry", f"the index is wrong: {what}")
                continue
            begin = (each.offset or 0) - span.start
            if span.n:
                page = self._read_range(each, _Bytes(view[begin : begin + (each.length or 0)]), ahead)
            else:
                page = self._read_long(each, ahead)
            if page:
                yield page

    def _wait(self, fetched: Future[bytes]) -> bytes:
        self.progress.fetch()
        try:
            return fetched.result()
        finally:
            self.progress.fetched()

    def _read_long(self, each: Range, ahead: _Ahead) -> Capture | None:
        try:
            file = open_input(each.source)
        except InputError as error:
            self._lose(each, "read", type(error).__name__, str(error))
            return None
        try:
            return self._read_range(each, _Window(file, each.offset or 0, each.length), ahead)
        finally:
            file.close()

    # -- one record ---------------------------------------------------------------------------------------------------

    def _read_range(self, each: Range, file: InputFile, ahead: _Ahead) -> Capture | None:
        """The capture in a range, if it holds one. Counts what became of the range."""
        offset, length = each.offset or 0, each.length or 0
        left_out: list[LeftOut] = []
        # [0, 1): the record at the beginning of the range, and the crawler's note if that follows in it.
        inner = WarcReading(each.source, self.options, 0, 1, each.warc_filename)
        inner.on_skipped = left_out.append
        captures = list(inner.read_file(file))
        damage = [letter for letter in inner.dead_letters if letter.stage == "read"]
        if damage or not inner.n_records:
            self._bury_wrong(each, damage[0].message if damage else "no record is there", ahead)
            return None
        self.n_records += 1
        for letter in inner.dead_letters:
            self._post(replace(letter, offset=offset, length=letter.length or length))
        for reason, n in inner.skipped.items():
            self.skipped[reason] += n
        if self.on_skipped:
            for record in left_out:
                self.on_skipped(replace(record, offset=offset))
        if not captures:
            return None
        page = captures[0]
        if each.url is not None and clean_url(each.url) != page.url:
            self.n_records -= 1
            self._lose(
                each, "index", "WrongUrl", f"the index is wrong: at {offset:,} the archive has {page.url}, not this URL"
            )
            return None
        page.warc_record_offset, page.place = offset, each.place
        if page.content_languages is None:
            page.content_languages = each.content_languages or None
        self.n_captures += 1
        return page

    def _lose(self, each: Range, stage: str, error: str, message: str) -> None:
        """Counts a range as a dead letter."""
        self.n_records += 1
        self._post(
            DeadLetter(
                each.warc_filename, each.offset or 0, each.length or 0, clean_url(each.url), stage, error, message
            )
        )

    def _bury_wrong(self, each: Range, problem: str, ahead: _Ahead) -> None:
        """A dead letter for a range without a whole record, which says whether index or archive is wrong."""
        offset, length = each.offset or 0, each.length or 0
        n = min(max(2 * length, SECOND_LOOK), MAX_SPAN)
        try:
            data = self._wait(ahead.fetch(each.source, offset, n))
        except InputError as error:
            self._lose(each, "read", type(error).__name__, str(error))
            return
        found = _record_at(_Bytes(data))
        more = found.is_cut and len(data) == n > length  # the archive goes on, and so does the record
        if not data:
            self._lose(
                each,
                "read",
                "ArchiveTooShort",
                f"the archive ends before {offset:,}, where the index names a record: the archive was cut off or "
                "replaced, or the index is of another one",
            )
        elif found.length or more:
            has = f"more than {n:,}" if more else f"{found.length:,}"
            self._lose(
                each,
                "index",
                "WrongLength",
                f"the index is wrong: the record at {offset:,} has {has} bytes, not {length:,}",
            )
        elif found.begins:
            self._lose(each, "read", "DamagedFile", f"the archive is damaged: {found.problem or problem}")
        else:
            self._lose(each, "index", "NoRecord", f"the index is wrong: no record begins at {offset:,} ({problem})")


class _Ahead:
    """Fetches ranges in threads of its own, as many at a time as a store may be asked for."""

    def __init__(self) -> None:
        self._threads: dict[str, ThreadPoolExecutor] = {}  # by kind of store
        self._idle: list[RangeFetcher] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._threads.values():
            each.shutdown(wait=True, cancel_futures=True)
        for fetcher in self._idle:
            fetcher.close()

    def connections(self, source: str) -> int:
        """How many ranges of an archive may be fetched at a time."""
        return limiter_of(source).connections if scheme_of(source) else 1

    def fetch(self, source: str, start: int, n: int) -> Future[bytes]:
        """The n bytes of an archive from `start` on, being fetched."""
        kind = scheme_of(source)
        if kind not in self._threads:
            self._threads[kind] = ThreadPoolExecutor(self.connections(source), "thresher-fetch")
        return self._threads[kind].submit(self._fetch, source, start, n) if n else self._threads[kind].submit(bytes)

    def _fetch(self, source: str, start: int, n: int) -> bytes:
        with self._lock:
            # Preferably one that has the archive open: opening an object is a request.
            chosen = next((each for each in reversed(self._idle) if each.has_open(source)), None)
            if chosen is not None:
                self._idle.remove(chosen)
            else:
                chosen = self._idle.pop() if self._idle else RangeFetcher()
        try:
            return chosen.fetch(source, start, n)
        finally:
            with self._lock:
                self._idle.append(chosen)


class _Found(NamedTuple):
    """What an archive has at an offset."""

    begins: bool  # a record begins there
    length: int  # of the whole record; 0 if it is not whole
    is_cut: bool  # the bytes at hand end inside it
    problem: str


def _record_at(file: InputFile) -> _Found:
    """What a file begins with."""
    record: Record | None = None
    for event in RecordReader(file, 0, 1):
        if isinstance(event, Record):
            record = event
        elif isinstance(event, Retraction):
            record = None
        elif isinstance(event, Damage):
            begins = event.offset == 0 and not NOTHING_BEGINS.search(event.reason)
            return _Found(begins, 0, "ends inside" in event.reason, event.reason)
        else:
            break
    return _Found(record is not None, record.length if record else 0, is_cut=False, problem="")


# ---------------------------------------------------------------------------------------------------------------------
# Files of ranges
# ---------------------------------------------------------------------------------------------------------------------


def extent(length: int | None) -> int:
    """The places that a range takes up: its bytes, and one if they make no sense."""
    return length if length is not None and 0 < length <= MAX_LENGTH else 1


def ranges_size(source: str) -> int:
    """The bytes of all ranges in a file of ranges."""
    file, parquet = _open(source)
    try:
        return int((parquet.schema_arrow.metadata or {}).get(SIZE_KEY, b"0"))
    finally:
        file.close()


def read_ranges(source: str, start: int = 0) -> Iterator[Range]:
    """The ranges in a file that begin at or after the place `start`."""
    file, parquet = _open(source)
    try:
        for number in range(parquet.num_row_groups):
            statistics = parquet.metadata.row_group(number).column(0).statistics
            if statistics is not None and statistics.has_min_max and statistics.max < start:
                continue
            columns = [column.to_pylist() for column in parquet.read_row_group(number, columns=list(COLUMNS)).columns]
            for values in zip(*columns, strict=True):
                if values[0] >= start:
                    yield Range(*values)
    finally:
        file.close()


def sources_in(source: str) -> dict[str, str]:
    """The path or URL of each archive that a file of ranges names, by its name in the index."""
    file, parquet = _open(source)
    try:
        pairs = parquet.read(columns=["warc_filename", "source"]).group_by(["warc_filename", "source"]).aggregate([])
        return dict(zip(pairs["warc_filename"].to_pylist(), pairs["source"].to_pylist(), strict=True))
    finally:
        file.close()


def _open(source: str) -> tuple[InputFile, Any]:
    """A file of ranges, opened. Raises InputError for a damaged file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from thresher.reading.pages import seekable

    file = open_input(source)
    try:
        return file, pq.ParquetFile(pa.PythonFile(seekable(file), mode="r"))
    except TransferError:
        file.close()
        raise
    except (pa.ArrowException, OSError) as error:
        file.close()
        raise InputError(f"{source}: no file of ranges ({str(error).splitlines()[0]})") from None
