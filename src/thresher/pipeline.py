# SPDX-License-Identifier: Apache-2.0
"""What runs over one partition of a WARC: read, decode, parse, metrics, extract, render, language, write.

`extract_partition` is called in a worker process of the command line and in a task of Spark alike. Memory is bounded by the
row group (write.batch_rows, write.batch_bytes) and the largest page; nothing grows with the WARC.
"""

from __future__ import annotations

import datetime as dt
import itertools
import os
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from thresher._version import __version__
from thresher.captures import Capture, CaptureOptions, DeadLetter, WarcReading
from thresher.charset import Decoded, decode
from thresher.config import COMMENTS, Configuration, Write
from thresher.extraction import Limits, Output, PageExtractor
from thresher.hosts import host_and_domain
from thresher.inputs import InputError, TransferError, open_input, scheme_of
from thresher.language import UNDETERMINED, language_of
from thresher.metadata import Metadata
from thresher.native.characters import first_letters
from thresher.schemas import TABLES
from thresher.schemas.dead_letter import WORKER
from thresher.schemas.metrics import STAGES, TOTAL
from thresher.schemas.pages import PAGE_STAGES, text_column
from thresher.sinks import OutputFolder, PartitionEntry, PartitionWriter

if TYPE_CHECKING:
    from thresher.templates.staging import Stager

_SEGMENT: Final = re.compile(r"/segments/([^/]+)/")
_LARGE_PAGE: Final = (
    8 << 20
)  # bytes; after such a page the workspace is given back, so that it does not hold its memory for ever
_MICROSECOND: Final = 1000  # nanoseconds
_ONE_DAY: Final = dt.timedelta(days=1)
_WHERE: Final = ("warc_filename", "warc_record_offset", "warc_record_length", "url")
NO_PAGE: Final = -1  # for Progress.page()
_PLAIN: Final = Write("zstd", 3, 1, 1, False)


@dataclass(frozen=True, slots=True)
class Warc:
    """One input of a run."""

    number: int  # its place among the inputs
    source: str  # path or URL
    filename: str  # for warc_filename: relative to the base URL where one was given


@dataclass(frozen=True, slots=True)
class Partition:
    """A stretch of a WARC: the records that begin in [start, end), to the WARC's end where `end` is None."""

    warc: Warc
    number: int
    start: int
    end: int | None

    @property
    def name(self) -> str:
        """The name of its files: a function of the inputs and read.split_bytes alone."""
        return f"{self.warc.number:05d}-{self.number:04d}"


@dataclass(slots=True)
class PartitionResult:
    """What came of a partition. Its files lie under temporary names until they are committed."""

    partition: Partition
    first_offset: int | None  # of the first record; None where there was none
    next_offset: int | None  # of the first record at or after the end; None where the WARC ended or broke
    files: dict[str, str]  # table → temporary path
    rows: dict[str, int]
    errors: int  # dead letters

    def entry(self) -> PartitionEntry:
        """What the ledger keeps of it."""
        return PartitionEntry(self.partition.name, self.next_offset, self.rows)


class Progress:
    """Where a worker stands, for whoever watches it; the base class tells nobody."""

    def page(self, offset: int) -> None:
        """The page at this offset of the WARC is about to be worked on; none with NO_PAGE."""

    def done(self, position: int) -> None:
        """It is finished; the WARC was read up to `position`."""


@dataclass(slots=True)
class StageTotals:
    """Sums of one stage over a partition."""

    pages: int = 0
    nodes: int = 0
    bytes: int = 0
    nanoseconds: int = 0
    errors: Counter[str] = field(default_factory=Counter)


def partitions_of(warc: Warc, configuration: Configuration) -> list[Partition]:
    """The partitions of a WARC: stretches of read.split_bytes, the last two of them in quarters, so that workers end at the same time.

    One where the WARC is small or cannot be cut. Only gzip files are cut (one member for each record, as the WARC standard recommends);
    where exactly a stretch begins is found by reading, see WarcReading. Raises InputError where the WARC does not exist.
    """
    size = input_size(warc.source) if warc.source.lower().endswith(".gz") else None
    step = configuration.read.split_bytes
    starts = [0]
    if size:
        quarter = max(step // 4, 1)
        whole = max(0, round(size / step) - 2)
        # Rounded, so that the last stretch is between half and one and a half times as long as the others.
        quarters = max(1, round((size - whole * step) / quarter))
        starts = [k * step for k in range(whole)] + [whole * step + k * quarter for k in range(quarters)]
    ends = [*starts[1:], None]
    return [Partition(warc, k, start, end) for k, (start, end) in enumerate(zip(starts, ends, strict=True))]


@lru_cache(maxsize=1 << 16)
def input_size(source: str) -> int | None:
    """Bytes of an input, None where its server does not say."""
    if not scheme_of(source):
        try:
            return os.stat(source.removeprefix("file://")).st_size
        except OSError:
            pass  # open_input says what is wrong
    file = open_input(source)
    try:
        return file.size
    finally:
        file.close()


class Worker:
    """What one process needs to work on partitions: a workspace for pages, the configuration, the output folder."""

    def __init__(self, configuration: Configuration, output: str) -> None:
        self.configuration = configuration
        self.folder = OutputFolder(output, staging=configuration.templates.mode != "off")
        self.capture_options = CaptureOptions(
            statuses=frozenset(configuration.read.statuses),
            max_payload_bytes=configuration.read.max_payload_bytes,
        )
        self._limits = Limits(
            max_bytes=configuration.limits.max_bytes,
            max_nodes=configuration.limits.max_nodes,
            max_depth=configuration.limits.max_depth,
            max_attributes=configuration.limits.max_attributes,
        )
        self.further = further_extractors(configuration)
        self._extractor = self._new_extractor()
        self._large = False  # whether the last page was, see _LARGE_PAGE
        self._stager: Stager | None = None

    def _new_extractor(self) -> PageExtractor:
        knobs = self.configuration.extract
        first, *further = knobs.extractors
        output = Output(knobs.format, COMMENTS[knobs.comments], knobs.tables, knobs.links, knobs.images)
        return PageExtractor(first, further=further, mode=knobs.mode, output=output, limits=self._limits)

    def extract_partition(
        self, partition: Partition, *, progress: Progress | None = None, give_up: frozenset[int] = frozenset()
    ) -> PartitionResult:
        """Work on one partition and write its files under temporary names.

        `give_up` holds offsets of pages that killed a worker before: they become rows of status `error`. Whatever a page
        does otherwise, the partition goes on. Raises InputError or TransferError where the WARC cannot be read, OSError
        where the output cannot be written.
        """
        progress = progress or Progress()
        started, cpu_started = time.perf_counter_ns(), time.process_time()
        reading = WarcReading(
            partition.warc.source, self.capture_options, partition.start, partition.end, partition.warc.filename
        )
        with self.folder.start_partition(partition.name, self.configuration.write) as writer:
            pages = _Pages(self, partition, writer, reading, give_up)
            pages.run(progress)
            totals = pages.totals
            totals["read"].bytes = (reading.next_offset or input_size(partition.warc.source) or 0) - (
                reading.first_offset or 0
            )
            letters = [*reading.dead_letters, *pages.dead_letters]
            for letter in reading.dead_letters:
                totals["read"].errors[letter.error_class] += 1
            if letters:
                writer.write("dead_letter", dead_letter_batch(letters))
            elapsed, cpu = time.perf_counter_ns() - started, time.process_time() - cpu_started
            writer.write("metrics", metrics_batch(partition, totals, pages.statuses, reading, elapsed, cpu))
            files = writer.close()
        return PartitionResult(partition, reading.first_offset, reading.next_offset, files, writer.rows, len(letters))

    def extract_page(
        self,
        capture: Capture,
        *,
        give_up: bool = False,
        clock: list[int],
        evidence: bytes | None = None,
        unwanted: bytes | None = None,
    ) -> tuple[Any, ...]:
        """The part of a `pages` row that comes out of the page itself; `evidence` and `unwanted` are for PageExtractor.classify().

        Of the language it has the letters that identify() takes, which costs a third as much when it is asked for many pages in a row.
        Appends the time after each stage to `clock`, so that whoever catches an exception knows the stage by its length.
        """
        if give_up:
            message = "this page ended the worker process twice"
            raise PageGivenUp(message)
        if self._large:
            self.recover()
        extractor = self._extractor
        now = time.perf_counter_ns
        decoded: Decoded = decode(
            capture.payload, http_charset=capture.http_charset, max_bytes=self._limits.max_bytes + 1
        )
        page = decoded.utf8
        clock.append(now())
        extractor.parse(page, capture.url)
        clock.append(now())
        extractor.measure()
        clock.append(now())
        extractor.classify(evidence=evidence, unwanted=unwanted)
        clock.append(now())
        text = extractor.render()
        clock.append(now())
        # Names of elements are no language, nor is punctuation that markup needs.
        plain = text if extractor.output.format == "text" else extractor.render_text()
        letters = first_letters(plain, self.configuration.language.max_letters)
        clock.append(now())
        # A page that is decided again has said what it says of itself the first time.
        again = evidence is not None or unwanted is not None
        says = Metadata() if again else extractor.metadata(capture.url, not_after=_day_after(capture.fetch_time))
        clock.append(now())
        found = (
            says,
            text,
            letters,
            decoded.charset,
            decoded.source,
            extractor.n_nodes,
            extractor.n_words,
            extractor.text_density,
            extractor.link_density,
            extractor.status,
            len(page),
            extractor.confidence,
            [extractor.further_texts[name] for name in self.further],
        )
        self._large = len(page) > _LARGE_PAGE
        return found

    def stager(self, partition: Partition) -> Stager | None:
        """What takes notes on the pages of a partition for the second of two passes; None where there is one pass."""
        if self.configuration.templates.mode == "off":
            return None
        if self._stager is None:
            from thresher.templates.staging import Stager

            self._stager = Stager()
        self._stager.begin(partition.warc.number, partition.number)
        return self._stager

    @property
    def page_extractor(self) -> PageExtractor:
        """The workspace with the last page in it."""
        return self._extractor

    def recover(self) -> None:
        """Take a new workspace after an exception: what the old one holds is not known."""
        self._extractor = self._new_extractor()
        self._large = False

    def identify(self, letters: str) -> tuple[str, float | None]:
        """Language and its score of a page with these letters."""
        knobs = self.configuration.language
        language, score = language_of(letters, min_letters=knobs.min_letters, min_score=knobs.min_score)
        return language, score if language != UNDETERMINED else None


def _day_after(moment: dt.datetime | None) -> dt.date | None:
    """The last day that can be there when a page is captured at that moment: in the east it is tomorrow already."""
    return None if moment is None or moment.year == dt.MAXYEAR else (moment + _ONE_DAY).date()


class PageGivenUp(RuntimeError):
    """A page that is not tried again, because worker processes died over it."""


class _Pages:
    """The rows of one partition on their way from the WARC to the writer."""

    def __init__(
        self,
        worker: Worker,
        partition: Partition,
        writer: PartitionWriter,
        reading: WarcReading,
        give_up: frozenset[int],
    ) -> None:
        self.statuses: Counter[str] = Counter()
        self.dead_letters: list[DeadLetter] = []
        self.totals = {stage: StageTotals() for stage in STAGES}
        self._worker = worker
        self._partition = partition
        self._writer = writer
        self._reading = reading
        self._give_up = give_up
        self._rows: list[tuple[Any, ...]] = []
        self._text_bytes = 0
        configuration = worker.configuration
        self._extractor_name = configuration.extract.extractors[0]
        self._columns = further_columns(configuration)
        self._stager = worker.stager(partition)
        segment = _SEGMENT.search(partition.warc.filename)
        self._segment = segment[1] if segment else None

    def run(self, progress: Progress) -> None:
        """Work on every capture of the partition."""
        write = self._worker.configuration.write
        captures = iter(self._reading)
        now = time.perf_counter_ns
        read = self.totals["read"]
        while True:
            clock = [now()]
            capture = next(captures, None)
            clock.append(now())
            if capture is None:
                read.nanoseconds += clock[1] - clock[0]
                break
            progress.page(capture.warc_record_offset)
            self._add(capture, clock)
            progress.done(capture.warc_record_offset + capture.warc_record_length)
            staged = self._stager.n_bytes if self._stager else 0
            if len(self._rows) >= write.batch_rows or self._text_bytes + staged >= write.batch_bytes:
                self._flush(progress)
        self._flush(progress)
        if self._stager and self.statuses:
            self._writer.write("marks", self._stager.marks())
            self._writer.write("hosts", self._stager.hosts())

    def _add(self, capture: Capture, clock: list[int]) -> None:
        """One page: work on it, count it, keep its row."""
        offset = capture.warc_record_offset
        try:
            found = self._worker.extract_page(capture, give_up=offset in self._give_up, clock=clock)
        except Exception as error:  # noqa: BLE001 (whatever a page does, the run goes on)
            # `clock` has a time for the start and one for the end of each stage that was finished.
            stage = PAGE_STAGES[min(len(clock) - 1, len(PAGE_STAGES) - 1)]
            self._bury(capture, stage, error)
            nothing = [None] * 6
            found = (Metadata(), None, "", *nothing, "error", 0, None, [None] * len(self._worker.further))
        (
            says, text, letters, charset, source, nodes, words, text_density, link_density, status, size,
            confidence, further,
        ) = found  # fmt: skip
        n_text = sum(len(each) for each in (text, *further) if each is not None)
        self.statuses[status] += 1
        self._count(
            clock,
            nodes or 0,
            (capture.warc_record_length, len(capture.payload), size, size, size, n_text, n_text, size),
        )
        host, domain = host_and_domain(capture.url)
        if self._stager:
            self._stager.add(
                capture, host, self._worker.page_extractor if status != "error" else None, says.title, text
            )
        timings = self._timings(clock)
        self._text_bytes += n_text
        self._rows.append(
            (
                capture.url,
                host,
                domain,
                capture.fetch_time,
                capture.fetch_status,
                capture.content_digest,
                capture.content_mime_type,
                capture.content_mime_detected,
                charset,
                capture.content_languages,
                capture.content_truncated,
                capture.warc_filename,
                offset,
                capture.warc_record_length,
                self._segment,
                capture.warc_record_id,
                says.title,
                text,
                letters,  # language, once it is identified
                None,
                source,
                nodes,
                words,
                text_density,
                link_density,
                None,  # template_share
                confidence,
                status,
                self._extractor_name,
                __version__,
                says.date,
                says.author,
                says.description,
                says.site_name,
                says.canonical_url,
                says.language,
                *timings,
                None,  # duplicate_of
                *further,
            )
        )

    def _count(self, clock: list[int], nodes: int, sizes: Sequence[int]) -> None:
        for place in range(len(clock) - 1):
            totals = self.totals[PAGE_STAGES[place]]
            totals.pages += 1
            totals.nodes += nodes
            totals.bytes += sizes[place]
            totals.nanoseconds += clock[place + 1] - clock[place]

    def _timings(self, clock: list[int]) -> list[int | None]:
        if not self._worker.configuration.write.page_timings:
            return [None] * len(PAGE_STAGES)
        times: list[int | None] = [(b - a) // _MICROSECOND for a, b in itertools.pairwise(clock)]
        return times + [None] * (len(PAGE_STAGES) - len(times))

    def _bury(self, capture: Capture, stage: str, error: Exception) -> None:
        place = capture.warc_filename, capture.warc_record_offset, capture.warc_record_length, capture.url
        self._add_dead_letter(place, stage, error)
        self._worker.recover()

    def _add_dead_letter(self, place: tuple[str, int, int, str], stage: str, error: Exception) -> None:
        name = type(error).__name__
        self.totals[stage].errors[name] += 1
        given_up = isinstance(error, PageGivenUp)
        self.dead_letters.append(DeadLetter(*place, WORKER if given_up else stage, name, str(error)))

    def _identify(self, columns: list[Sequence[Any]], progress: Progress) -> None:
        """Name the languages of the rows held, whose letters stand in the column `language`."""
        place = {name: number for number, name in enumerate(TABLES["pages"].names())}
        languages, scores, times = [], [], []
        where = zip(*(columns[place[name]] for name in _WHERE), strict=True)
        before = time.perf_counter_ns()
        for letters, spot in zip(columns[place["language"]], where, strict=True):
            progress.page(spot[1])
            try:
                language, score = self._worker.identify(letters)
            except Exception as error:  # noqa: BLE001 (whatever a page does, the run goes on)
                self._add_dead_letter(spot, "language", error)
                language, score = UNDETERMINED, None
            languages.append(language)
            scores.append(score)
            now = time.perf_counter_ns()
            times.append(now - before)
            before = now
        progress.page(NO_PAGE)
        self.totals["language"].nanoseconds += sum(times)
        columns[place["language"]], columns[place["language_score"]] = languages, scores
        spent = columns[place["language_us"]]
        columns[place["language_us"]] = [
            us if us is None else us + time // _MICROSECOND for us, time in zip(spent, times, strict=True)
        ]

    def _flush(self, progress: Progress) -> None:
        """Write the rows held as one row group."""
        n = len(self._rows)
        columns: list[Sequence[Any]] = list(zip(*self._rows, strict=True))
        if n:
            self._identify(columns, progress)
        started = time.perf_counter_ns()
        if n:
            batch = _batch("pages", columns, self._columns)
            self._writer.write("pages", batch)
            self.totals["write"].bytes += batch.nbytes
            if self._stager:
                self._stager.write(self._writer)
            self._rows.clear()
            self._text_bytes = 0
        totals = self.totals["write"]
        totals.pages += n
        totals.nanoseconds += time.perf_counter_ns() - started


def extract_warc(worker: Worker, warc: Warc) -> Iterator[PartitionResult]:
    """Work on a WARC from where its ledger ends to its end, each partition committed before it is yielded.

    Partitions follow one another, so that each begins exactly where the one before it ended. Used by tasks of Spark; the
    command line works on the partitions of a WARC at the same time (thresher.workers) with the same rows. A WARC that cannot
    be read, tried twice, leaves a dead letter and no entry in the ledger. Raises OSError where the output cannot be written.
    """
    folder = worker.folder
    entries = folder.read_ledger(warc.number)
    try:
        partitions = partitions_of(warc, worker.configuration)
    except (InputError, TransferError) as error:
        yield lost_partition(folder, warc, len(entries), error)
        return
    start = entries[-1].next_offset if entries else 0
    for partition in partitions[len(entries) :]:
        result = empty_result(partition, start)
        if start is not None and (partition.end is None or start < partition.end):
            exact = Partition(warc, partition.number, start, partition.end)
            try:
                result = _try_twice(worker, exact)
            except (InputError, TransferError, MemoryError) as error:
                yield lost_partition(folder, warc, partition.number, error)
                return
        folder.commit(partition.name, result.files)
        entries.append(result.entry())
        folder.write_ledger(warc.number, warc.source, entries, done=partition is partitions[-1])
        start = result.next_offset
        yield result


def _try_twice(worker: Worker, partition: Partition) -> PartitionResult:
    try:
        return worker.extract_partition(partition)
    except (TransferError, MemoryError):
        worker.recover()
        return worker.extract_partition(partition)


def empty_result(partition: Partition, next_offset: int | None) -> PartitionResult:
    """The result of a partition in which no record begins: one record is longer than it, or the WARC broke before it."""
    return PartitionResult(partition, None, next_offset, {}, dict.fromkeys(TABLES, 0), 0)


# --- rows into Arrow ---


def metrics_batch(
    partition: Partition,
    totals: dict[str, StageTotals],
    statuses: Counter[str],
    reading: WarcReading,
    elapsed: int,
    cpu_seconds: float,
) -> pa.RecordBatch:
    """The `metrics` rows of a partition; `elapsed` in nanoseconds."""
    nodes = totals["parse"].nodes
    totals["write"].nodes = nodes
    everything = StageTotals(totals["write"].pages, nodes, totals["read"].bytes, elapsed)
    rows = []
    for stage, sums in [*totals.items(), (TOTAL, everything)]:
        seconds = sums.nanoseconds / 1e9
        is_read, is_total = stage == "read", stage == TOTAL
        rows.append(
            (
                partition.name,
                partition.warc.filename,
                reading.first_offset,
                stage,
                sums.pages,
                sums.nodes,
                sums.bytes,
                seconds,
                sums.nodes / seconds if seconds else None,
                peak_memory() if is_total else None,
                reading.n_records if is_read else None,
                sorted(statuses.items()) if is_total else None,
                sorted(reading.skipped.items()) if is_read else None,
                sorted(sums.errors.items()) if sums.errors else None,
                cpu_seconds if is_total else None,
            )
        )
    return _batch("metrics", zip(*rows, strict=True))


def dead_letter_batch(letters: Sequence[DeadLetter]) -> pa.RecordBatch:
    """Dead letters as rows of `dead_letter`, in the order of the WARC."""
    rows = [
        (
            letter.warc_filename,
            letter.offset,
            letter.length or None,
            letter.url,
            letter.stage,
            letter.error_class,
            letter.message,
        )
        for letter in sorted(letters, key=lambda letter: letter.offset)
    ]
    return _batch("dead_letter", zip(*rows, strict=True))


def _batch(table: str, columns: Iterable[Sequence[Any]], optional: tuple[str, ...] = ()) -> pa.RecordBatch:
    schema = _arrow_schema(table, optional)
    return pa.RecordBatch.from_arrays(
        [_array(column, schema_field.type) for column, schema_field in zip(columns, schema, strict=True)], schema=schema
    )


@cache
def _arrow_schema(table: str, optional: tuple[str, ...]) -> pa.Schema:
    return TABLES[table].written(optional).to_arrow()


def further_extractors(configuration: Configuration) -> tuple[str, ...]:
    """The extractors beside the first one, in the order of their columns."""
    order = TABLES["pages"].names()
    return tuple(sorted(configuration.extract.extractors[1:], key=lambda name: order.index(text_column(name))))


def further_columns(configuration: Configuration) -> tuple[str, ...]:
    """The optional columns of `pages` that a run writes: one for each further extractor."""
    return tuple(text_column(name) for name in further_extractors(configuration))


def _array(values: Sequence[Any], type_: pa.DataType) -> pa.Array[Any]:
    """Values as an Arrow array; text may be bytes. What Arrow cannot take (half of a surrogate pair in a URL, a number
    too large) becomes what it can take: a question mark, U+FFFD, or null.
    """
    try:
        return pa.array(values, type_)
    except (pa.ArrowException, UnicodeError, OverflowError, ValueError):
        return pa.array([_tame(value, type_) for value in values], type_)


def _tame(value: object, type_: pa.DataType) -> object:
    if isinstance(value, str):
        value = value.encode("utf-8", "replace").decode("utf-8")
    elif isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    try:
        pa.scalar(value, type_)
    except (pa.ArrowException, OverflowError, ValueError):
        return None
    return value


def peak_memory() -> int:
    """The largest resident size of this process so far, in bytes."""
    try:
        # ru_maxrss begins with the size of the process that started this one, which VmHWM does not.
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def lost_partition(folder: OutputFolder, warc: Warc, number: int, error: Exception) -> PartitionResult:
    """Write the dead letter of a partition that could not be worked on, under the partition's name.

    It is not entered in the ledger: the same run started again tries the partition once more, and replaces this.
    """
    partition = Partition(warc, number, 0, None)
    letter = DeadLetter(warc.filename, 0, 0, None, WORKER, type(error).__name__, str(error))
    with folder.start_partition(partition.name, _PLAIN) as writer:
        writer.write("dead_letter", dead_letter_batch([letter]))
        files = writer.close()
    folder.commit(partition.name, files)
    return PartitionResult(partition, None, None, files, writer.rows, 1)
