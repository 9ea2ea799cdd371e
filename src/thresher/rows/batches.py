# SPDX-License-Identifier: Apache-2.0
"""The pages of a reading as Arrow record batches: decode, parse, metrics, extract, render, language.

Nothing here opens an archive or writes a file. Workers of a run (running/pipeline.py) and thresher.page_batches()
(running/page_batches.py) consume the same generator. Memory is bounded by the row group (write.batch_rows,
write.batch_bytes) and the largest page; nothing grows with the archive.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from thresher.config import Configuration
from thresher.file_kinds import plain_text_page
from thresher.native.base.characters import first_letters
from thresher.page.charset import Decoded, decode
from thresher.page.columns import PageRow
from thresher.page.hosts import host_and_domain
from thresher.page.language import language_of
from thresher.page.page_extractor import PageExtractor
from thresher.page.result import NOT_EXTRACTED, UNDETERMINED, Clock, PageResult
from thresher.reading.captures import Capture, DeadLetter, Document, Reading, Rejection
from thresher.reading.progress import NO_PAGE, PageGivenUp, Progress
from thresher.rows.selection import Selection
from thresher.rows.tables import (
    StageTotals,
    further_columns,
    group_columns,
    metrics_batch,
    page_batch,
    page_sources,
)
from thresher.schemas.dead_letter import PARTS, WORKER
from thresher.schemas.metrics import FILTER, STAGES
from thresher.schemas.pages import HTML, OUTLINKS, RENDERED
from thresher.schemas.skipped import PASSED_ON
from thresher.schemas.staging import MAX_SIZE

if TYPE_CHECKING:
    from thresher.page.parts import PartsReader
    from thresher.rows.block_rows import BlockRows
    from thresher.rows.hosts import RightsReader
    from thresher.rows.notes import Stager
    from thresher.rows.part_rows import PartRows

_SEGMENT: Final = re.compile(r"/segments/([^/]+)/")
# Bytes; after such a page the workspace is given back, so that it does not keep its memory.
_LARGE_PAGE: Final = 8 << 20
_UNDECODED: Final = frozenset(("read", "decode"))  # stages in which a page that fails is not decoded
_ONE_DAY: Final = dt.timedelta(days=1)


def decode_capture(capture: Capture, max_bytes: int) -> Decoded:
    """The page of a capture as it is parsed, if it has no more than `max_bytes`. Raises ValueError for one that was
    kept by a run that could not decode it.
    """
    if capture.decoded_from is not None:  # kept by an earlier run, which decoded it
        charset, source = capture.decoded_from
        if not charset:
            raise ValueError("the run that read this page could not decode it")
        return Decoded(capture.payload, charset, source)
    # One byte more than the limit, so that the parser sees that the page goes over it.
    decoded = decode(capture.payload, http_charset=capture.http_charset, max_bytes=max_bytes + 1)
    return decoded._replace(utf8=plain_text_page(decoded.utf8)) if capture.plain_text else decoded


class RowMaker:
    """Extracts pages under one configuration. Its workspace is reused: each process and thread needs its own maker."""

    def __init__(self, configuration: Configuration, robots: Iterable[Capture] = ()) -> None:
        """`robots` are captures of robots.txt and tdmrep.json, taken only if the rights of pages are asked for."""
        self.configuration = configuration
        self.options = configuration.extract
        self.capture_options = configuration.read
        self.rights_columns = group_columns(configuration, "rights")
        self.structure_columns = group_columns(configuration, "structure")
        self._rights: RightsReader | None = None
        if self.rights_columns:
            from thresher.rows.hosts import RightsReader

            self._rights = RightsReader(robots)
            self.capture_options = replace(configuration.read, keep_head=True)
        self.parts: PartsReader | None = None
        """Reads the parts of the last page that the run writes as tables of their own; None if it writes none."""
        if configuration.write.also:
            from thresher.page.parts import PartsReader

            self.parts = PartsReader(configuration.write.also, configuration.extract.limits)
        further = further_columns(configuration)
        self.sources = page_sources(further, timings=configuration.write.page_timings)
        self.keeps_html, self.reads_outlinks = HTML in further, OUTLINKS in further
        self.selection = Selection(configuration)
        self.page_extractor = PageExtractor(options=self.options)
        self._large = False  # whether the last page was, see _LARGE_PAGE

    def extract_page(
        self,
        capture: Capture,
        *,
        clock: Clock | None = None,
        evidence: bytes | None = None,
        unwanted: bytes | None = None,
    ) -> PageResult:
        """What is found on a page; `evidence` and `unwanted` are for PageExtractor.classify().

        The language is not identified yet: the result has the letters that identify() takes, which costs a third as
        much when many texts are identified in a row. `clock` times the stages, and names the stage that failed when
        this raises.
        """
        clock = clock or Clock("read")
        clock.stage("decode")
        if self._large:
            self.recover()
        extractor = self.page_extractor
        decoded = decode_capture(capture, self.options.limits.max_bytes)
        clock.stage("parse")
        extractor.parse(decoded.utf8, capture.url)
        clock.stage("metrics")
        extractor.measure()
        clock.stage("extract")
        extractor.classify(evidence=evidence, unwanted=unwanted)
        clock.stage("render")
        extractor.render()
        clock.stage("language")
        result = extractor.result(decoded)
        if self.keeps_html:
            result.html = decoded.utf8
        if self.reads_outlinks:
            result.outlinks = self._outlinks(capture.url)
        # The names of elements are in no language, nor is the punctuation of markup.
        plain = result.text if self.options.format == "text" else extractor.render_text()
        if self.selection.needs_plain_text:
            result.plain = plain
        result.letters = first_letters(plain or b"", self.options.language_options.max_letters)
        clock.stage("metadata")
        # The first pass has the metadata of a page that is decided again.
        if evidence is None and unwanted is None:
            result.metadata = extractor.metadata(capture.url, not_after=_day_after(capture.fetch_time))
            if self._rights is not None:
                result.rights = self._rights(capture, extractor.workspace.document)
            if self.structure_columns:
                from thresher.page.structured_data import read_structured_data

                result.structured_data = read_structured_data(
                    extractor.workspace.document,
                    capture.url,
                    wanted=self.structure_columns,
                    types=self.configuration.write.structure_types,
                    page=decoded.utf8,
                )
        clock.stop()
        result.nanoseconds = clock.nanoseconds
        self._large = result.n_bytes > _LARGE_PAGE
        return result

    def _outlinks(self, url: str) -> list[str] | None:
        """The addresses that the main text of the last page links to; None for the text of a Python extractor."""
        if self.page_extractor.text_source == "python":
            return None
        from thresher.page.outlinks import addresses_in

        return addresses_in(self.page_extractor.render_html(links=True), url)

    def recover(self) -> None:
        """Makes a new workspace after an exception, since the state of the old one is unknown."""
        self.page_extractor = PageExtractor(options=self.options)
        self._large = False

    def identify(self, letters: str) -> tuple[str, float | None]:
        """Language and its score of a page with these letters."""
        language, score = language_of(letters, self.options.language_options)
        return language, score if language != UNDETERMINED else None


def _day_after(moment: dt.datetime | None) -> dt.date | None:
    """The latest possible date on a page captured at that moment: further east it is already tomorrow."""
    return None if moment is None or moment.year == dt.MAXYEAR else (moment + _ONE_DAY).date()


@lru_cache(maxsize=64)
def _segment(warc_filename: str) -> str | None:
    found = _SEGMENT.search(warc_filename)
    return found[1] if found else None


def _post_record(read: StageTotals, post: Callable[[DeadLetter], None], letter: DeadLetter) -> None:
    read.errors[letter.error_class] += 1
    post(letter)


class ReadingBatches:
    """Iterates over one reading of an archive as (table, record batch): `pages`, on request their `blocks` and parts of
    their main text, and the notes of `stager` on them.

    A batch must be used before the next one is asked for. A page that fails, whatever it does, becomes a row of status
    `error`. `post` is told of each dead letter, be it of a page or of a record that cannot be read. `give_up` holds the
    offsets of pages that killed a worker before: they are not tried again.
    """

    def __init__(
        self,
        maker: RowMaker,
        reading: Reading,
        post: Callable[[DeadLetter], None],
        *,
        stager: Stager | None = None,
        give_up: frozenset[int] = frozenset(),
        progress: Progress | None = None,
    ) -> None:
        self.statuses: Counter[str] = Counter()
        self.totals = {stage: StageTotals() for stage in STAGES}
        self._begun = time.perf_counter_ns(), time.process_time()
        self._maker = maker
        self._reading, self._post = reading, post
        self.post_record = reading.on_dead_letter = partial(_post_record, self.totals["read"], post)
        """Takes the dead letter of a record, or of the archive. No method: the reading would hold what holds it."""
        self._stager = stager
        self._give_up = give_up
        self._progress = progress or Progress()
        self._rows: list[PageRow] = []
        self._row_bytes = 0
        configuration = maker.configuration
        self._beside: list[BlockRows | PartRows] = []  # of pages, the rows of other tables
        if configuration.write.blocks:
            from thresher.rows.block_rows import BlockRows  # imports pyarrow.compute

            languages = configuration.extract.language_options
            self._beside.append(BlockRows(languages if languages.blocks else None))
        if maker.parts is not None:
            from thresher.rows.part_rows import PartRows

            self._beside.append(PartRows(configuration.write.also, maker.parts))
        self._extractor = configuration.extract.extractors[0]
        self._rendered: Mapping[str, str] = {}
        if RENDERED in further_columns(configuration):
            from thresher.reading.rendered import rendered_texts

            self._rendered = rendered_texts(os.fspath(reading.source))

    def __iter__(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        write, selection = self._maker.configuration.write, self._maker.selection
        captures = iter(self._reading)
        while True:
            clock = Clock("read")
            capture = next(captures, None)
            if capture is None:
                clock.stop()
                self.totals["read"].nanoseconds += clock.nanoseconds["read"]
                break
            host, domain = host_and_domain(capture.url)
            segment = _segment(capture.warc_filename)
            reason = selection.reject(capture, host, domain, segment)
            if reason:
                clock.stop()
                self.totals["read"].nanoseconds += clock.nanoseconds["read"]
                self._reading.reject(capture, reason)
                self._progress.passed(self._reading.behind(capture))
                continue
            self._progress.page(capture.place)
            self._add(PageRow(capture, NOT_EXTRACTED, self._extractor, host, domain, segment), clock)
            self._progress.done(self._reading.behind(capture))
            beside = sum(each.n_bytes for each in (self._stager, *self._beside) if each)
            if len(self._rows) >= write.batch_rows or self._row_bytes + beside >= write.batch_bytes:
                yield from self._flush()
        yield from self._flush()
        if self._stager and self.statuses:
            yield "marks", self._stager.marks()
            yield "host_pages", self._stager.host_pages()
            if (addresses := self._stager.addresses()).num_rows:
                yield "addresses", addresses

    def metrics(self, partition: str) -> pa.RecordBatch:
        """The rows of `metrics`, when all batches were used."""
        elapsed, cpu = time.perf_counter_ns() - self._begun[0], time.process_time() - self._begun[1]
        self.totals["read"].bytes = min(max(self._reading.bytes_read, 0), MAX_SIZE)
        return metrics_batch(partition, self._reading, self.totals, self.statuses, elapsed, cpu)

    def pass_on(self, document: Document, write: Callable[[Document], None]) -> Rejection:
        """Writes a document, unless a filter on what is known of it leaves it out; as what it counts."""
        capture = document.capture
        found = (*host_and_domain(capture.url), _segment(capture.warc_filename))
        why = self._maker.selection.reject(capture, *found)
        with document.block:
            if why is None:
                write(document)
        return why or Rejection(PASSED_ON, document.kind)

    def _add(self, row: PageRow, clock: Clock) -> None:
        """Extracts the page of a row, counts it, and keeps the row."""
        capture = row.capture
        beside: list[Any] = [None] * len(self._beside)
        n_payload = len(capture.payload)
        try:
            if capture.place in self._give_up:
                clock.stage("decode")  # it was read
                message = "two worker processes died or hung over this page"
                raise PageGivenUp(message)
            result = self._maker.extract_page(capture, clock=clock)
            beside = self._read_beside(capture)
        except Exception as error:  # noqa: BLE001 (whatever a page does, the run goes on)
            self._bury(capture, clock.running, error)
            result = PageResult.failed(clock)
            if self._maker.keeps_html and clock.running not in _UNDECODED:
                with suppress(MemoryError):
                    decoded = decode_capture(capture, self._maker.options.limits.max_bytes)
                    result.html, result.charset, result.charset_source = decoded.utf8, decoded.charset, decoded.source
            self._maker.recover()
        result.text_rendered = self._rendered.get(capture.url, capture.text_rendered)
        row.result = result
        capture.payload = b""  # a row needs none, and a batch of them would hold all its pages
        self._count(capture.warc_record_length, n_payload, result)
        if self._stager:
            found = self._maker.page_extractor if result.status != "error" else None
            self._stager.add(capture, row.host, found, result.metadata.title, result.text)
        self._row_bytes += result.n_row_bytes
        self._rows.append(row)
        for collector, of_page in zip(self._beside, beside, strict=True):
            collector.add(of_page)

    def _read_beside(self, capture: Capture) -> list[Any]:
        """The rows of other tables of the page that was extracted. One that cannot be read has none; the page keeps its
        own row.
        """
        found: list[Any] = []
        for each in self._beside:
            before = time.perf_counter_ns()
            try:
                found.append(each.read(self._maker.page_extractor))
            except Exception as error:  # noqa: BLE001 (whatever a page does, the run goes on)
                self._bury(capture, PARTS, error)
                found.append(None)
            self.totals[PARTS].nanoseconds += time.perf_counter_ns() - before
        self.totals[PARTS].pages += bool(found)
        return found

    def _count(self, n_record: int, n_payload: int, result: PageResult) -> None:
        """Add a page to the sums of the stages that it finished."""
        n_nodes, n_bytes, n_text = result.n_nodes or 0, result.n_bytes, result.n_text_bytes
        sizes = {"read": n_record, "decode": n_payload, "render": n_text, "language": n_text}
        for stage, nanoseconds in result.nanoseconds.items():
            totals = self.totals[stage]
            totals.pages += 1
            totals.nodes += n_nodes
            totals.bytes += sizes.get(stage, n_bytes)
            totals.nanoseconds += nanoseconds

    def _bury(self, capture: Capture, stage: str, error: Exception) -> None:
        name = type(error).__name__
        self.totals[stage].errors[name] += 1
        self._post(
            DeadLetter(
                capture.warc_filename,
                capture.warc_record_offset,
                capture.warc_record_length,
                capture.url,
                WORKER if isinstance(error, PageGivenUp) else stage,
                name,
                str(error),
                capture.warc_record_number,
            )
        )

    def _identify(self) -> None:
        """Name the languages of the rows held."""
        totals = self.totals["language"]
        before = time.perf_counter_ns()
        for row in self._rows:
            result = row.result
            self._progress.page(row.capture.place)
            try:
                result.language, result.language_score = self._maker.identify(result.letters)
            except Exception as error:  # noqa: BLE001 (whatever a page does, the run goes on)
                self._bury(row.capture, "language", error)
            now = time.perf_counter_ns()
            totals.nanoseconds += now - before
            if "language" in result.nanoseconds:
                result.nanoseconds["language"] += now - before
            before = now
        self._progress.page(NO_PAGE)

    def _flush(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The rows held as one row group, with the stager's notes on them."""
        if not self._rows:
            return
        self._identify()
        totals = self.totals["write"]
        started = time.perf_counter_ns()
        batch = self._maker.selection.with_plain_text(page_batch(self._rows, self._maker.sources), self._rows)
        kept = self._rows
        reasons: list[Rejection | None] = [None] * len(kept)
        if self._stager is None and self._maker.selection.changes_rows:
            before = time.perf_counter_ns()
            batch, reasons = self._maker.selection.finish(batch)
            if self._maker.selection.reads_rows:
                filtering, took = self.totals[FILTER], time.perf_counter_ns() - before
                filtering.pages += len(kept)
                filtering.nanoseconds += took
                started += took
            for row, reason in zip(self._rows, reasons, strict=True):
                if reason:
                    self._reading.reject(row.capture, reason)
            kept = [row for row, reason in zip(self._rows, reasons, strict=True) if reason is None]
        self.statuses.update(row.result.status for row in kept)
        totals.pages += batch.num_rows
        totals.bytes += batch.nbytes
        if kept:
            yield "pages", batch
        for each in self._beside:
            yield from each.batches(self._rows, reasons, staged=self._stager is not None)
        if self._stager:
            yield "notes", self._stager.batch()
            self._stager.clear()
        self._rows.clear()
        self._row_bytes = 0
        totals.nanoseconds += time.perf_counter_ns() - started  # what the consumer spent on the batches included
