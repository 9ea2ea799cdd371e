# SPDX-License-Identifier: Apache-2.0
"""What runs over one partition of a WARC: read, decode, parse, metrics, extract, render, language, write.

`extract_partition` is called in a worker process of the command line and in a task of Spark alike. Memory is bounded by the
row group (write.batch_rows, write.batch_bytes) and the largest page; nothing grows with the WARC.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from thresher._version import __version__
from thresher.captures import Capture, CaptureOptions, DeadLetter, WarcReading
from thresher.charset import Decoded, decode
from thresher.config import COMMENTS, Configuration
from thresher.extraction import Limits, Output, PageExtractor
from thresher.hosts import host_and_domain
from thresher.language import UNDETERMINED, language_of
from thresher.metadata import Metadata
from thresher.native.characters import first_letters
from thresher.partitions import MAX_SIZE, Partition, PartitionResult
from thresher.progress import NO_PAGE, PageGivenUp, Progress
from thresher.rows import StageTotals, batch_of, dead_letter_batch, further_columns, further_extractors, metrics_batch
from thresher.run_folder import RunFolder
from thresher.schemas import TABLES
from thresher.schemas.dead_letter import WORKER
from thresher.schemas.metrics import STAGES
from thresher.schemas.pages import PAGE_STAGES
from thresher.staging import StagingFolder
from thresher.tables import PartitionWriter

if TYPE_CHECKING:
    from thresher.templates.staging import Stager

_SEGMENT: Final = re.compile(r"/segments/([^/]+)/")
_LARGE_PAGE: Final = (
    8 << 20
)  # bytes; after such a page the workspace is given back, so that it does not hold its memory for ever
_MICROSECOND: Final = 1000  # nanoseconds
_ONE_DAY: Final = dt.timedelta(days=1)
_WHERE: Final = ("warc_filename", "warc_record_offset", "warc_record_length", "url")


class Worker:
    """What one process needs to work on partitions: a workspace for pages, the configuration, the output folder."""

    def __init__(self, configuration: Configuration, output: str) -> None:
        self.configuration = configuration
        self.folder = (StagingFolder if configuration.templates.mode != "off" else RunFolder)(output)
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
        self.progress = Progress()  # of whoever reads pages again
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
        reading.progress = progress
        with self.folder.start_partition(partition.name, self.configuration.write) as writer:
            pages = _Pages(self, partition, writer, reading, give_up)
            pages.run(progress)
            totals = pages.totals
            totals["read"].bytes = (reading.next_offset or min(reading.size or 0, MAX_SIZE)) - (
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
            message = "two worker processes died or hung over this page"
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
            batch = batch_of("pages", columns, self._columns)
            self._writer.write("pages", batch)
            self.totals["write"].bytes += batch.nbytes
            if self._stager:
                self._stager.write(self._writer)
            self._rows.clear()
            self._text_bytes = 0
        totals = self.totals["write"]
        totals.pages += n
        totals.nanoseconds += time.perf_counter_ns() - started
