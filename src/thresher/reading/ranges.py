# SPDX-License-Identifier: Apache-2.0
"""Reads the records that an index names: byte ranges of archives, instead of whole archives.

An input of this kind is a file of ranges, `NAME.ranges.parquet`, which thresher.running.indexed makes of an index: one
row for each record, in the order of archive and address. Its *places* are those of a file in which the members that the
ranges name lie one after the other. So it is split by bytes, as an archive is, and each record has a place of its own,
though two archives may have a record at the same offset.

Ranges of one archive that lie close together are fetched in one request, and the next requests are made while the
records of the last one are worked on: as many at a time as the store's limiter allows (limits.py).

Several records may begin at one offset. A range names one of them by its number, where the index has the column
warc_record_number. Otherwise it names the one with its URL: of several that with its fetch time, or if none has it the
next in order. Such members are read with the archive (again.py), as are those that need its dictionary, those of files
in a WACZ, and long ones. An archive that cannot be entered at its members is read from its beginning, once for each
partition.

Every range ends as a capture, a skipped record or a dead letter. Where a range holds no whole record the archive is
read once more at that offset, without the index's length, to tell which of the two is wrong: stage `index` where the
archive is fine, stage `read` where it is damaged, cut off or missing.
"""

from __future__ import annotations

import math
import os
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from thresher.address import Address
from thresher.errors import InputError, TransferError
from thresher.reading.again import Again, addressed
from thresher.reading.captures import Capture, DeadLetter, LeftOut, Outcome, Reading, clean_url
from thresher.reading.fetching import RangeFetcher
from thresher.reading.files import Seekable, in_memory
from thresher.reading.inputs import Input
from thresher.reading.limits import limiter_of
from thresher.reading.members import CODECS
from thresher.reading.names import WACZ_MEMBER, scheme_of
from thresher.reading.opening import open_input
from thresher.reading.progress import PageGivenUp, Progress
from thresher.terminal import one_line

COLUMNS: Final = {
    "place": "int64",
    "source": "string",
    "warc_filename": "string",
    "offset": "int64",
    "length": "int64",
    "url": "string",
    "content_languages": "string",
    "number": "int64",
    "fetched": "int64",
}
"""The columns of a file of ranges, with their types in Arrow: the fields of Range. The last two may be missing."""
SIZE_KEY: Final = b"bytes"  # in the metadata of its schema: the sum of all lengths
NO_NAME: Final = "?"  # stands for the archive of an entry that names none
MAX_LENGTH: Final = 1 << 40  # bytes; a longer record is none
MAX_SPAN: Final = 8 << 20  # bytes fetched in one request, unless one range is longer
SECOND_LOOK: Final = 1 << 20  # bytes read at an offset where an index names a record and none was found
NOTHING_BEGINS: Final = re.compile(r"\bno (?:gzip member|record) begins here")
NOTHING_THERE: Final = "no record is there"
NOT_ALONE: Final = re.compile(r"\bno record begins here|\bbroken frame")  # what is wrong may be in another member
LONG_RANGE: Final = 64 << 20  # bytes above which a range is not fetched as a whole
MOST_IN_MEMBER: Final = 1 << 16  # ranges of one member in a file of ranges
MOST_HELD: Final = 64 << 20  # bytes of pages that wait until it is known whether a later one has the time that is named


class Range(NamedTuple):
    """One record as an index names it."""

    place: int  # bytes of the members before it in the file of ranges, and ranges before it in its member
    source: str  # path or URL of the archive, "" where the index has none
    warc_filename: str  # as the index has it
    offset: int | None  # None where the index has no usable number
    length: int | None
    url: str | None  # None where the index names none
    content_languages: str | None  # what the crawler found, where the index says so
    number: int | None = None  # among the records that begin at the offset; None where the index does not say
    fetched: int | None = None  # the second, since 1970; None where the index does not say

    @property
    def is_usable(self) -> bool:
        """Whether source, offset and length can be a range at all."""
        offset, length = self.offset, self.length
        if not self.source or offset is None or length is None:
            return False
        return offset >= 0 and 0 < length <= MAX_LENGTH

    @property
    def problem(self) -> str:
        """Why it is not usable."""
        if self.warc_filename == NO_NAME:
            return f"{one_line(self.url or 'an entry', 200)} names no archive"
        if not self.source:
            return f"{one_line(self.warc_filename, 100)!r} is no name of an archive"
        return f"offset {self.offset} and length {self.length} are no range of bytes"


@dataclass(frozen=True, slots=True)
class _Span:
    """Units of one archive that are fetched in one request; one that is not fetched stands alone."""

    units: tuple[tuple[Range, ...], ...]
    start: int
    n: int  # bytes; 0 if nothing is fetched ahead

    @property
    def source(self) -> str:
        return self.units[0][0].source


def _by_member(ranges: Iterator[Range]) -> Iterator[tuple[Range, ...]]:
    """Ranges, which come in order, by the member that holds them."""
    held: list[Range] = []
    for each in ranges:
        if held and not (each.is_usable and (each.source, each.offset) == (held[0].source, held[0].offset)):
            yield tuple(held)
            held = []
        held.append(each)
    if held:
        yield tuple(held)


def _spans(
    units: Iterator[tuple[Range, ...]], is_fetched: Callable[[Range], bool], gap: Callable[[str], int]
) -> Iterator[_Span]:
    """The requests that fetch some units, which come in order. `gap` is how many bytes between two ranges of an archive
    are read through.
    """
    held: list[tuple[Range, ...]] = []
    start = end = 0
    for unit in units:
        each = unit[0]
        if len(unit) == 1 and is_fetched(each):
            begin, stop = each.offset or 0, (each.offset or 0) + (each.length or 0)
            near = begin <= end + gap(each.source) and max(end, stop) - start <= MAX_SPAN
            if held and held[-1][0].source == each.source and near:
                held.append(unit)
                end = max(end, stop)
                continue
            if held:
                yield _Span(tuple(held), start, end - start)
            held, start, end = [unit], begin, stop
            continue
        if held:
            yield _Span(tuple(held), start, end - start)
            held = []
        yield _Span((unit,), each.offset or 0, 0)
    if held:
        yield _Span(tuple(held), start, end - start)


class _Sought:
    """The ranges of a unit that wait for their records, which come in order."""

    def __init__(self, unit: Sequence[Range]) -> None:
        self._numbered = {each.number or 0: each for each in unit if each.number is not None or each.url is None}
        self._named: dict[str | None, list[Range]] = {}
        for each in unit:
            if each.number is None and each.url is not None:
                self._named.setdefault(clean_url(each.url), []).append(each)
        self._held: list[Outcome] = []  # records with a URL and a time that none of them names
        self._n_held = 0
        self._by_time = True

    @property
    def left(self) -> list[Range]:
        named = [each for waiting in self._named.values() for each in waiting]
        return sorted([*self._numbered.values(), *named])

    def take(self, number: int, outcome: Outcome) -> Iterator[tuple[Range, Outcome]]:
        """A record that has come, with the range that names it, if there is one; and what was held, if that is much."""
        if number in self._numbered:
            yield self._numbered.pop(number), outcome
            return
        waiting = self._named.get(outcome.url)
        if not waiting:
            return
        fetched = _second(outcome)
        chosen = next((each for each in waiting if not self._by_time or each.fetched in (None, fetched)), None)
        if chosen is not None:
            self._give(chosen)
            yield chosen, outcome
            return
        self._held.append(outcome)
        self._n_held += len(outcome.payload) if isinstance(outcome, Capture) else 0
        if self._n_held > MOST_HELD:
            yield from self.rest()

    def rest(self) -> Iterator[tuple[Range, Outcome]]:
        """The ranges whose time no record has, with the records of their URL in order."""
        self._by_time = False
        held, self._held = self._held, []
        for outcome in held:
            if waiting := self._named.get(outcome.url):
                chosen = waiting[0]
                self._give(chosen)
                yield chosen, outcome

    def _give(self, each: Range) -> None:
        waiting = self._named[clean_url(each.url)]
        waiting.remove(each)
        if not waiting:
            del self._named[clean_url(each.url)]


def _is_named(each: Range, outcome: Outcome) -> bool:
    """Whether a record is the one that a range names by URL and fetch time."""
    return each.url is None or (clean_url(each.url) == outcome.url and each.fetched in (None, _second(outcome)))


def _second(outcome: Outcome) -> int | None:
    """When a record was fetched, in seconds since 1970."""
    moment = None if isinstance(outcome, DeadLetter) else outcome.fetch_time
    return None if moment is None else math.floor(moment.timestamp())


def _length(outcome: Outcome) -> int:
    """Bytes of a record in its archive."""
    return outcome.warc_record_length if isinstance(outcome, Capture) else outcome.length


class _Fetches(Progress):
    """Reports what is fetched of an archive, whose records have other places than their ranges."""

    def __init__(self, watcher: Progress) -> None:
        self.fetch, self.fetched = watcher.fetch, watcher.fetched  # type: ignore[method-assign]


@dataclass(slots=True)
class RangesReading(Reading):
    """The records of a file of ranges. `start` and `end` are places."""

    n_wanted: int = 0  # bytes of the ranges
    _archive: tuple[tuple[str, str], Again] | None = None  # the last one; by its source and name
    _inputs: dict[str, Input] = field(default_factory=dict)  # by source
    _settled: set[int] = field(default_factory=set)  # places in the unit at hand whose records came

    @property
    def bytes_read(self) -> int:
        """Bytes of the ranges. What was fetched between them depends on the store, and is not counted."""
        return self.n_wanted

    def outcomes(self) -> Iterator[Outcome]:
        spans = _spans(self._units(), self._is_fetched, lambda source: limiter_of(source).gap)
        with _Ahead() as ahead:
            try:
                under_way: deque[tuple[_Span, Future[bytes]]] = deque()
                while True:
                    # One is worked on, while as many are fetched as the store may be asked for at a time.
                    while not under_way or len(under_way) <= ahead.connections(under_way[0][0].source):
                        if (span := next(spans, None)) is None:
                            break
                        under_way.append((span, ahead.fetch(span.source, span.start, span.n)))
                    if not under_way:
                        break
                    yield from self._read_span(*under_way.popleft(), ahead)
            finally:
                self.progress.fetch()  # a request that nobody waits for any more may be under way
                if self._archive is not None:
                    self._archive[1].close()
        self.progress.fetched()

    def _wants(self, each: Range) -> bool:
        """Whether a range is to be read, and not only belongs to the unit of one that is."""
        inside = self.start <= each.place and (self.end is None or each.place < self.end)
        return inside and (self.only is None or each.place in self.only)

    def _units(self) -> Iterator[tuple[Range, ...]]:
        """The ranges that begin in [start, end) by the member that holds them; notes where the first one behind them
        begins. Ranges that are known by their URLs come with all of their member, so that it does not depend on the
        others that are wanted which record is whose.
        """
        for unit in _by_member(read_ranges(os.fspath(self.source), self.start - MOST_IN_MEMBER)):
            if self.end is not None and unit[-1].place >= self.end:
                self.next_offset = next(each.place for each in unit if each.place >= self.end)
            if wanted := [each for each in unit if self._wants(each)]:
                if self.first_offset is None:
                    self.first_offset = wanted[0].place
                self.n_wanted += max((each.length or 0) if each.is_usable else 0 for each in wanted)
                yield tuple(each for each in unit if each.number is None or self._wants(each))
            if self.next_offset is not None:
                return

    # -- one request --------------------------------------------------------------------------------------------------

    def _read_span(self, span: _Span, fetched: Future[bytes], ahead: _Ahead) -> Iterator[Outcome]:
        try:
            view = memoryview(self._wait(fetched))
        except InputError as error:
            for unit in span.units:
                for each in filter(self._wants, unit):
                    yield self._lose(each, "read", type(error).__name__, str(error))
            return
        for unit in span.units:
            sought = []
            for each in unit:
                if self._wants(each) and (given_up := self._given_up(each)):
                    yield given_up
                else:
                    sought.append(each)
            if not any(map(self._wants, sought)):
                continue
            each = sought[0]
            if not each.is_usable:
                yield self._lose(each, "index", "BadEntry", f"the index is wrong: {each.problem}")
                continue
            try:
                if span.n:
                    begin = (each.offset or 0) - span.start
                    yield from self._read_first(each, view[begin : begin + (each.length or 0)], ahead)
                else:
                    yield from self._read_member(sought, lambda each: [self._what_is_wrong(each, NOTHING_THERE, ahead)])
            except InputError as error:
                for each in filter(self._wants, sought):
                    if each.place not in self._settled:
                        yield self._lose(each, "read", type(error).__name__, str(error))
            self._settled.clear()

    def _input(self, source: str) -> Input:
        if source not in self._inputs:
            self._inputs[source] = Input.named(source)
        return self._inputs[source]

    def _is_fetched(self, each: Range) -> bool:
        """Whether the bytes of a range are fetched as they lie, because a record of an archive begins with them."""
        if not each.is_usable or each.number or (each.length or 0) > LONG_RANGE or WACZ_MEMBER.fullmatch(each.source):
            return False
        return self._input(each.source).is_archive

    def _given_up(self, each: Range) -> DeadLetter | None:
        """Reports a range to whoever watches. A dead letter if it must not be read again."""
        try:
            self.progress.record(each.place)
        except PageGivenUp as problem:
            return self._lose(each, "worker", type(problem).__name__, str(problem))
        return None

    def _wait(self, fetched: Future[bytes]) -> bytes:
        self.progress.fetch()
        try:
            return fetched.result()
        finally:
            self.progress.fetched()

    # -- one record ---------------------------------------------------------------------------------------------------

    def _read_first(self, each: Range, data: memoryview, ahead: _Ahead) -> Iterator[Outcome]:
        """The record at the beginning of a range, if that is the one which the index names; or else that one."""
        first, damage = self._first_in(each, data)
        if first is not None and (each.number == 0 or _is_named(each, first)):
            yield from self._settle(each, first)
            return

        def otherwise(each: Range) -> Iterator[Outcome]:
            if first is None:
                yield self._what_is_wrong(each, damage or NOTHING_THERE, ahead)
            elif isinstance(first, Capture):
                yield self._lose_named(each, first.url)
            else:
                yield from self._settle(each, first)

        # A member may hold several records, begin inside one, or need a dictionary.
        is_member = any(bytes(data[: len(codec.magic)]) == codec.magic for codec in CODECS.values())
        if is_member and (first is not None or NOT_ALONE.search(damage)):
            yield from self._read_member([each], otherwise)
        elif isinstance(first, Capture) and clean_url(each.url) == first.url:
            yield from self._settle(each, first)  # of a plain file, which has one record at an offset
        else:
            yield from otherwise(each)

    def _first_in(self, each: Range, data: memoryview) -> tuple[Outcome | None, str]:
        """(what becomes of the record with which some bytes begin, None if they hold no whole one; their damage)."""
        # [0, 1): the record at the beginning, and the crawler's note if that follows.
        inner = self._input(each.source).archive(self.options, 0, 1, filename=each.warc_filename)
        inner.pass_on = self.pass_on
        found = list(addressed(inner, inner.read_file(in_memory(data))))
        damage = [each for _, each in found if isinstance(each, DeadLetter) and each.stage == "read"]
        first = next((outcome for address, outcome in found if address == Address(0)), None)
        return None if first in damage else first, damage[0].message if damage else ""

    def _read_member(self, unit: Sequence[Range], otherwise: Callable[[Range], Iterable[Outcome]]) -> Iterator[Outcome]:
        """The records of a unit, read with the archive; `otherwise` says what becomes of a range if none is there."""
        sought = _Sought(unit)
        seen = ""  # the URL of the first record
        damage = ""
        n_seen = 0
        for address, outcome in self._archive_of(unit[0]).at(unit[0].offset or 0):
            n_seen += 1
            seen = seen or outcome.url or ""
            if isinstance(outcome, DeadLetter) and outcome.stage == "read":
                damage = outcome.message
            for each, found in sought.take(address.number, outcome):
                yield from self._settle(each, found)
            if not sought.left:
                return
        for each, found in sought.rest():
            yield from self._settle(each, found)
        for each in filter(self._wants, sought.left):
            if not n_seen or (damage and n_seen == 1):
                yield from otherwise(each)
            elif damage:
                yield self._lose(each, "read", "DamagedFile", f"the archive is damaged: {damage}")
            elif each.number is not None:
                at = f"at {each.offset:,} the archive has {n_seen:,} records, and none of number {each.number:,}"
                yield self._lose(each, "index", "NoRecord", f"the index is wrong: {at}")
            else:
                yield self._lose_named(each, seen)

    def _archive_of(self, each: Range) -> Again:
        """The archive of a range; the last one stays open."""
        key = each.source, each.warc_filename
        if self._archive is None or self._archive[0] != key:
            if self._archive is not None:
                self._archive[1].close()
            archive = Again(
                self._input(each.source), self.options, filename=each.warc_filename, progress=_Fetches(self.progress)
            )
            archive.pass_on = self.pass_on
            self._archive = key, archive
        return self._archive[1]

    def _settle(self, each: Range, outcome: Outcome) -> Iterator[Outcome]:
        """What became of a range, with where the index says that it is, counted."""
        if not self._wants(each):
            return
        self._settled.add(each.place)
        self.n_records += 1
        offset = each.offset or 0
        if isinstance(outcome, DeadLetter):
            yield replace(outcome, offset=offset, length=outcome.length or each.length or 0)
        elif isinstance(outcome, LeftOut):
            yield replace(outcome, offset=offset)
        else:
            capture = outcome if isinstance(outcome, Capture) else outcome.capture
            capture.warc_record_offset, capture.place = offset, each.place
            if outcome is capture and capture.content_languages is None:
                capture.content_languages = each.content_languages or None
            yield outcome

    def _lose(self, each: Range, stage: str, error: str, message: str) -> DeadLetter:
        """What becomes of a range that cannot be read, counted."""
        self.n_records += 1
        at = each.warc_filename, each.offset or 0, each.length or 0
        return DeadLetter(*at, clean_url(each.url), stage, error, message)

    def _lose_named(self, each: Range, url: str) -> DeadLetter:
        """What becomes of a range where no record has the URL that the index names."""
        at = f"at {each.offset:,} the archive has {url}, not this URL"
        return self._lose(each, "index", "WrongUrl", f"the index is wrong: {at}")

    def _what_is_wrong(self, each: Range, problem: str, ahead: _Ahead) -> DeadLetter:
        """A dead letter for a range without a whole record, which says whether index or archive is wrong."""
        offset, length = each.offset or 0, each.length or 0
        n = min(max(2 * length, SECOND_LOOK), MAX_SPAN)
        try:
            data = self._wait(ahead.fetch(each.source, offset, n))
        except InputError as error:
            return self._lose(each, "read", type(error).__name__, str(error))
        found, damage = self._first_in(each, memoryview(data))
        more = "ends inside" in damage and len(data) == n > length  # the archive goes on, and so does the record
        if not data:
            why = f"the archive ends before {offset:,}, where the index names a record: the archive was cut off or "
            return self._lose(each, "read", "ArchiveTooShort", f"{why}replaced, or the index is of another one")
        if found is not None or more:
            has = f"{_length(found):,}" if found is not None else f"more than {n:,}"
            why = f"the index is wrong: the record at {offset:,} has {has} bytes, not {length:,}"
            return self._lose(each, "index", "WrongLength", why)
        if damage and not NOTHING_BEGINS.search(damage):
            return self._lose(each, "read", "DamagedFile", f"the archive is damaged: {damage}")
        why = f"the index is wrong: no record begins at {offset:,} ({problem})"
        return self._lose(each, "index", "NoRecord", why)


class _Ahead(AbstractContextManager["_Ahead"]):
    """Fetches ranges in threads of its own, as many at a time as a store may be asked for."""

    def __init__(self) -> None:
        self._threads: dict[str, ThreadPoolExecutor] = {}  # by kind of store
        self._idle: list[RangeFetcher] = []
        self._lock = threading.Lock()

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


# ---------------------------------------------------------------------------------------------------------------------
# Files of ranges
# ---------------------------------------------------------------------------------------------------------------------


def extent(length: int | None) -> int:
    """The places that a range takes up: its bytes, and one if they make no sense."""
    return length if length is not None and 0 < length <= MAX_LENGTH else 1


def ranges_size(source: str) -> int:
    """The bytes of all ranges in a file of ranges."""
    with _opened(source) as parquet:
        return int((parquet.schema_arrow.metadata or {}).get(SIZE_KEY, b"0"))


def read_ranges(source: str, start: int = 0) -> Iterator[Range]:
    """The ranges in a file that begin at or after the place `start`."""
    with _opened(source) as parquet:
        names = [name for name in COLUMNS if name in parquet.schema_arrow.names]
        for number in range(parquet.num_row_groups):
            statistics = parquet.metadata.row_group(number).column(0).statistics
            if statistics is not None and statistics.has_min_max and statistics.max < start:
                continue
            columns = [column.to_pylist() for column in parquet.read_row_group(number, columns=names).columns]
            for values in zip(*columns, strict=True):
                if values[0] >= start:
                    yield Range(*values)


def sources_in(source: str) -> dict[str, str]:
    """The path or URL of each archive that a file of ranges names, by its name in the index."""
    with _opened(source) as parquet:
        pairs = parquet.read(columns=["warc_filename", "source"]).group_by(["warc_filename", "source"]).aggregate([])
        return dict(zip(pairs["warc_filename"].to_pylist(), pairs["source"].to_pylist(), strict=True))


@contextmanager
def _opened(source: str) -> Iterator[Any]:
    """A file of ranges as a ParquetFile. Raises InputError for a damaged file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with closing(open_input(source)) as file:
        try:
            parquet = pq.ParquetFile(pa.PythonFile(Seekable(file), mode="r"))
        except TransferError:
            raise
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{source}: no file of ranges ({str(error).splitlines()[0]})") from None
        yield parquet
