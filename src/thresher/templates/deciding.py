# SPDX-License-Identifier: Apache-2.0
"""The second pass over one partition: finding copies, counting fingerprints, and deciding pages from all counts."""

from __future__ import annotations

import sys
import time
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from thresher.address import PAGE_KEY, Address, page_id
from thresher.native.base.characters import first_letters
from thresher.native.templates.evidence import other_page_counts
from thresher.native.templates.fingerprints import mix, node_keys
from thresher.native.templates.packed import PackedPage
from thresher.reading.again import Again
from thresher.reading.captures import DeadLetter, LeftOut, Rejection
from thresher.reading.progress import NO_PAGE, Progress
from thresher.rows.answers import KeptAnswers
from thresher.rows.block_rows import as_flags, numbers, with_decisions
from thresher.rows.notes import COPIES, kind_of_mark, name_of_earlier, partition_number, place_of
from thresher.rows.selection import PLAIN_TEXT
from thresher.rows.tables import after_second_pass, batch_of, dead_letter_batch, skipped_batch
from thresher.running.pipeline import PartitionMaker
from thresher.schemas import PARTS
from thresher.schemas.dead_letter import TEMPLATES
from thresher.schemas.metrics import FILTER
from thresher.schemas.pages import OUTLINKS
from thresher.schemas.skipped import PASSED_ON
from thresher.schemas.staging import COUNTS, FIRST, OFFSET_BITS
from thresher.templates.evidence import Decision, decide, default_model, is_taken
from thresher.writing.run_folder import RunFolder
from thresher.writing.staging import StagingFolder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from thresher.config import Configuration
    from thresher.page.parts import PageParts
    from thresher.rows.selection import Selection
    from thresher.running.partitions import RunInput
    from thresher.writing.tables import PartitionWriter

_SPACE: Final = 1 << 64
_HALF: Final = 1 << 63
_NO_PRINT: Final = 0
_COUNTED: Final = ("page", "host", "identity", *FIRST, "fingerprints")  # what counting reads of the notes
_DECIDED: Final = (*_COUNTED, "sizes", "scores", "kept")  # beside what is looked up of a few pages, see _Group


@dataclass(frozen=True, slots=True)
class NewChoice:
    """The columns of `pages` that a second decision replaces, and the blocks that it keeps."""

    text: bytes
    confidence: float | None
    language: str
    language_score: float | None
    kept: bytes  # a byte for each block
    plain_text: bytes | None = None  # of a text that is markup, if columns are derived from it
    outlinks: list[str] | None = None  # the links of the text, if the run writes them
    parts: PageParts | None = None  # the parts that the run writes as tables of their own


@dataclass(frozen=True, slots=True)
class SecondPass:
    """Everything that the second pass over a partition needs. It is pickled and sent to workers and tasks."""

    configuration: Configuration
    output: str
    inputs: tuple[RunInput, ...]

    @property
    def staging(self) -> StagingFolder:
        """The first pass's folder."""
        return StagingFolder(RunFolder(self.output).staging)

    def count(self, name: str, progress: Progress | None = None) -> int:
        """Counts the fingerprints of a partition's pages by host, writes the sums, and returns their number."""
        staging = self.staging
        partition = _Partition(self, staging, name)
        counted: list[bytes] = []
        asked: list[bytes] = []  # of pages that are not counted, but are to know what the others have
        progress = progress or Progress()
        for group in partition.groups(_COUNTED):
            progress.beat()
            for page in group.pages:
                if page.host is not None:
                    keys = counted if page.counted else asked
                    keys += (node_keys(page.fingerprints, page.host, distinct=True), _page_key_bytes(page.host))
        ones, zeros = numbers(pa.int64(), b"".join(counted)), numbers(pa.int64(), b"".join(asked))
        pages_of = pa.concat_arrays(
            [pa.repeat(pa.scalar(1, pa.int64()), len(ones)), pa.repeat(pa.scalar(0, pa.int64()), len(zeros))]
        )
        found = (
            pa.table({"key": pa.concat_arrays([ones, zeros]), "pages": pages_of})
            .group_by("key")
            .aggregate([("pages", "sum")])
        )
        of_partition = pa.repeat(pa.scalar(partition.number, pa.int64()), found.num_rows)
        rows = pa.Table.from_arrays([of_partition, found["key"], found["pages_sum"]], schema=COUNTS)
        staging.write("counts", name, rows)
        return found.num_rows

    def decide(self, name: str, progress: Progress | None = None) -> int:
        """Decides each page of a partition, writes its rows, and returns the number of pages whose decision changed."""
        staging, mode = self.staging, self.configuration.templates.mode
        if staging.storage.has(f"_decided/{name}"):
            return 0
        partition = _Partition(self, staging, name)
        known = _Known(staging.read("evidence", str(partition.number)), own_crawl=mode != "apply")
        templates: list[pa.RecordBatch] = []
        out = RunFolder(self.output, self.configuration)
        answers = KeptAnswers(self.configuration, out.storage)
        maker = PartitionMaker(self.configuration, self.output)
        changed, costs = 0, _Costs()
        maker.progress = progress = progress or Progress()
        run_input = self.inputs[partition.run_input]
        again = Again(run_input.input, maker.capture_options, filename=run_input.filename, progress=progress)
        with out.start_partition(name) as writer, closing(again):
            failed: list[DeadLetter] = []
            self._take_over(writer)
            rejected: list[Rejection] = []
            statuses: Counter[str | None] = Counter()
            # The first pass wrote the row groups of the tables together.
            tables = [table for table in ("blocks", *PARTS) if table in (*self.configuration.write.also, "blocks")]
            staged = {table: staging.read_groups(table, name) for table in tables}
            for rows, group in zip(staging.read_groups("pages", name), partition.groups(_DECIDED), strict=True):
                progress.beat()
                beside = {table: next(groups, None) for table, groups in staged.items()}
                known.look_up(group.pages)
                if mode != "apply":
                    templates.append(self._templates(known, rows, group))
                if mode != "learn":
                    decisions = [known.decide(page) for page in group.pages]
                    new = self._again(maker, again, rows, group, decisions, failed)
                    changed += len(new)
                    decided = self._decided(rows, group.pages, decisions, new)
                    kept, why = costs.finish(maker.selection, decided)
                    if kept.num_rows:
                        writer.write("pages", answers.put_in("pages", kept))
                    blocks = beside.pop("blocks")
                    if blocks is not None:
                        beside["blocks"] = self._judged(blocks, known, group.pages, new, why)
                    for table, batch in _with_parts(beside, decided, new, why):
                        writer.write(table, answers.put_in(table, batch))
                    if kept.num_rows < decided.num_rows:
                        left_out = _left_out(decided, why)
                        rejected += filter(None, why)
                        pairs = zip(decided["status"].to_pylist(), why, strict=True)
                        statuses.update(status for status, reason in pairs if reason)
                        if self.configuration.write.skipped == "list":
                            writer.write("skipped", skipped_batch(left_out))
            if failed:
                writer.write("dead_letter", dead_letter_batch(failed))
            for table, batch in self._templates_and_keys(partition, templates):
                writer.write(table, batch)
            for batch in staging.read_groups("metrics", name):
                writer.write("metrics", after_second_pass(batch, rejected, statuses, *costs.of(maker.selection)))
            out.commit(name, writer.close())
        staging.storage.mark(f"_decided/{name}")
        return changed

    def _take_over(self, writer: PartitionWriter) -> None:
        """Writes what the first pass wrote of a partition and the second does not change."""
        for table in ("dead_letter", "skipped"):
            for batch in self.staging.read_groups(table, writer.partition):
                writer.write(table, batch)
        if self.configuration.write.pass_on:
            writer.take_over(PASSED_ON, self.staging.storage)

    def _templates_and_keys(
        self, partition: _Partition, templates: Sequence[pa.RecordBatch]
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The rows of `templates`, in order, and those of `keys` of a partition, of each table if it has any."""
        if any(batch.num_rows for batch in templates):
            yield "templates", _in_order(templates)
        marks = self.staging.read("marks", partition.name)
        if marks is not None:
            columns: dict[str, Any] = {"key": marks["mark"].combine_chunks()}
            addresses = self._addresses(marks["page"].combine_chunks())
            yield "keys", batch_of("keys", columns | dict(zip(PAGE_KEY, addresses, strict=True)))

    def _templates(self, known: _Known, rows: pa.RecordBatch, group: _Group) -> pa.RecordBatch:
        pages = group.pages
        found, fingerprints, counts = known.first_seen(pages, self.configuration.templates.min_pages)
        lines = {place: group.excerpts(place) for place in {place for place, _ in found}}
        examples = [lines[place][block].decode("utf-8", "replace") if lines[place] else None for place, block in found]
        columns: dict[str, Any] = {
            "node": rows["url_host_name"].take(pa.array([place for place, _ in found], pa.int32())),
            "fingerprint": fingerprints,
            "pages": counts,
            "known": [pages[place].known for place, _ in found],
            "example": examples,
        }
        return batch_of("templates", columns)

    def _again(
        self,
        maker: PartitionMaker,
        again: Again,
        rows: pa.RecordBatch,
        group: _Group,
        decisions: Sequence[Decision | None],
        failed: list[DeadLetter],
    ) -> dict[int, NewChoice]:
        """The new choice for each page that is decided again, by its place in the group."""
        found: dict[int, NewChoice] = {}
        unread: dict[int, Decision] = {}  # what has to be read and parsed again
        texts: dict[int, tuple[bytes, float | None, bytes]] = {}
        expected = rows["confidence"].to_pylist()
        sources = rows["text_source"].to_pylist()  # a text that is not of the page's blocks is not chosen again
        packed, letters = PackedPage(), self.configuration.extract.language_options.max_letters
        for place, (page, decision) in enumerate(zip(group.pages, decisions, strict=True)):
            if decision is None or not decision.changes or sources[place] != "dom":
                continue
            staged = group.packed(place)
            if not staged:
                unread[place] = decision
                continue
            packed.load(staged)
            if decision.evidence is None:
                packed.keep(page.kept, decision.unwanted)
            elif page.scores is None or not maker.page_extractor.choose_packed(packed, page.scores, decision.evidence):
                continue  # nothing would be left of it
            if not is_taken(expected[place], packed.confidence):
                continue
            text = packed.render()
            if text is None:
                unread[place] = decision
                continue
            texts[place] = text, packed.confidence, packed.kept_bytes()
        # One after the other, as the model's tables stay in the processor's cache then.
        for place, (text, confidence, kept) in texts.items():
            beginning = first_letters(text, letters)
            before: Any = rows["text"][place].as_buffer()
            if before is not None and beginning == first_letters(before.to_pybytes(), letters):  # so are most
                known: Any = rows["language"][place].as_py(), rows["language_score"][place].as_py()
                language: tuple[str, float | None] = known
            else:
                language = maker.identify(beginning)
            found[place] = NewChoice(text, confidence, *language, kept)
        read = self._read_again(maker, again, rows, group.pages, unread, failed)
        return found | {place: new for place, new in read.items() if is_taken(expected[place], new.confidence)}

    def _read_again(
        self,
        maker: PartitionMaker,
        again: Again,
        rows: pa.RecordBatch,
        pages: Sequence[_Page],
        wanted: Mapping[int, Decision],
        failed: list[DeadLetter],
    ) -> dict[int, NewChoice]:
        """Second decisions for pages that must be read and parsed again, given by their rows. Of one that cannot be
        read any more the row of the first pass stays, and a dead letter is added to `failed`.
        """
        found: dict[int, NewChoice] = {}
        if not wanted:
            return found
        addresses: dict[Address, int] = {}
        for row in wanted:
            at = [rows[name][row].as_py() for name in PAGE_KEY[1:]]
            addresses[Address(pages[row].place) if again.is_indexed else Address(*at)] = row
        lost = dict.fromkeys(wanted, "the record is not there any more")
        for row in [row for row in wanted if pages[row].place in maker.progress.skipped]:
            lost[row] = "two worker processes died or hung over this page"
            del addresses[next(address for address, each in addresses.items() if each == row)]
        n_between = max(wanted) - min(wanted) + 1
        for address, capture in again.captures(addresses, among=n_between):
            row = addresses[address]
            maker.progress.page(pages[row].place)
            decision = wanted[row]
            try:
                result = maker.extract_page(capture, evidence=decision.evidence, unwanted=decision.unwanted)
                language = maker.identify(result.letters)
                kept = maker.page_extractor.workspace.kept_bytes()
                parts = maker.parts(maker.page_extractor) if maker.parts else None
            except Exception as error:  # noqa: BLE001 (whatever a page does, the run goes on)
                lost[row] = f"{type(error).__name__}: {error}"
                maker.recover()
                continue
            del lost[row]
            found[row] = NewChoice(
                result.text or b"", result.confidence, *language, kept, result.plain, result.outlinks, parts
            )
            maker.progress.page(NO_PAGE)
        for row, why in lost.items():
            filename, offset, number, length, url = (
                rows[name][row].as_py() for name in (*PAGE_KEY, "warc_record_length", "url")
            )
            message = f"not decided again: {why}"
            failed.append(DeadLetter(filename, offset, length, url, TEMPLATES, "NotDecidedAgain", message, number))
        return found

    def _decided(
        self,
        rows: pa.RecordBatch,
        pages: Sequence[_Page],
        decisions: Sequence[Decision | None],
        new: Mapping[int, NewChoice],
    ) -> pa.RecordBatch:
        """The rows of `pages`, with what is new in them."""
        copies = [page.copy for page in pages]
        ours = pa.array({copy.page for copy in copies if copy and isinstance(copy.page, int)}, pa.int64())
        addresses = zip(*(column.to_pylist() for column in self._addresses(ours)), strict=True)
        names: dict[Any, str] = dict(zip(ours.to_pylist(), starmap(page_id, addresses), strict=True))
        originals = [
            None if copy is None else name_of_earlier(copy.page) if isinstance(copy.page, str) else names[copy.page]
            for copy in copies
        ]
        shares = [decision and decision.template_share for decision in decisions]
        columns: dict[str, pa.Array[Any]] = {
            "template_share": pa.array(shares, rows["template_share"].type),
            "duplicate_of": pa.array(originals, rows["duplicate_of"].type),
            "duplicate_reason": pa.array([copy and copy.reason for copy in copies], pa.string()),
        }
        if new:
            order = sorted(new)
            flags = bytearray(len(pages))
            for place in order:
                flags[place] = 1
            mask: Any = as_flags(bytes(flags))
            replaced = ("text", "confidence", "language", "language_score", PLAIN_TEXT)
            for name in (each for each in replaced if each in rows.schema.names):
                values: list[Any] = [getattr(new[place], name) for place in order]
                if name in ("text", PLAIN_TEXT):
                    values = [(value or b"").decode("utf-8", "replace") for value in values]
                columns[name] = pc.replace_with_mask(rows[name], mask, pa.array(values, rows[name].type))
            if OUTLINKS in rows.schema.names:  # replace_with_mask() knows no lists
                links = rows[OUTLINKS].to_pylist()
                for place in order:
                    links[place] = new[place].outlinks
                columns[OUTLINKS] = pa.array(links, rows[OUTLINKS].type)
        arrays = [columns[field.name] if field.name in columns else rows[field.name] for field in rows.schema]
        return pa.RecordBatch.from_arrays(arrays, schema=rows.schema)

    def _addresses(self, pages: pa.Array[Any]) -> tuple[pa.Array[Any], ...]:
        """What names each of these pages: the columns PAGE_KEY."""
        of_pages: list[Any] = pages.to_pylist()
        of_input: dict[int, list[int]] = defaultdict(list)  # rows
        for row, page in enumerate(of_pages):
            of_input[page >> OFFSET_BITS].append(row)
        found: list[tuple[str, int, int]] = [("", 0, 0)] * len(of_pages)
        for number, rows in of_input.items():
            filename, known = self.inputs[number].filename, _addresses_in(self.staging.location, number)
            places = [place_of(of_pages[row]) for row in rows]
            for row, place in zip(rows, places, strict=True):
                found[row] = filename, place, 0
            if known is None:
                continue
            at: Any = pc.index_in(pa.array(places, pa.int64()), value_set=known["place"].combine_chunks())
            named = [known.select(PAGE_KEY).take(at)[name].to_pylist() for name in PAGE_KEY]
            for row, *address in zip(rows, *named, strict=True):
                if address[0] is not None:
                    found[row] = tuple(address)
        types = (pa.string(), pa.int64(), pa.int32())
        return tuple(pa.array([each[n] for each in found], type_) for n, type_ in enumerate(types))

    def _judged(
        self,
        blocks: pa.RecordBatch,
        known: _Known,
        pages: Sequence[_Page],
        new: Mapping[int, NewChoice],
        left_out: Sequence[Rejection | None],
    ) -> pa.RecordBatch:
        """The rows of `blocks` of the pages that are written, as they were decided."""
        frequencies: list[pa.Array[Any]] = [pa.nulls(0, pa.float32())]
        kept, written = [], []
        for place, page in enumerate(pages):
            frequencies.append(known.frequencies(page))
            kept.append(new[place].kept if place in new else page.kept)
            written.append((b"\0" if left_out[place] else b"\1") * len(page.kept))
        rows = with_decisions(blocks, pa.concat_arrays(frequencies), b"".join(kept))
        return rows.filter(as_flags(b"".join(written))) if any(left_out) else rows


def _with_parts(
    staged: Mapping[str, pa.RecordBatch | None],
    pages: pa.RecordBatch,
    new: Mapping[int, NewChoice],
    left_out: Sequence[Rejection | None],
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """The rows of the tables beside `pages` that have some: those with parts of the main text as it was decided."""
    for table, rows in staged.items():
        if rows is not None and table in PARTS:
            from thresher.rows.part_rows import decided_parts

            parts = {place: choice.parts for place, choice in new.items()}
            rows = decided_parts(table, rows, pages, parts, left_out)  # noqa: PLW2901
        if rows is not None and rows.num_rows:
            yield table, rows


def _left_out(rows: pa.RecordBatch, reasons: Sequence[Rejection | None]) -> list[LeftOut]:
    names = (*PAGE_KEY, "warc_record_length", "url", "fetch_time")
    columns = [rows[name].to_pylist() for name in names]
    return [
        LeftOut(file, offset, length, url, why.reason, fetch_time, rule=why.rule, value=why.value, number=number)
        for file, offset, number, length, url, fetch_time, why in zip(*columns, reasons, strict=True)
        if why
    ]


@lru_cache(maxsize=32)  # copies of pages come in runs, and an index's input has 65,536 pages at most: 2 MB
def _addresses_in(staging: str, number: int) -> pa.Table | None:
    """The rows of `addresses` of an input; None if the places of its pages are all their offsets."""
    folder, names = StagingFolder(staging), _address_files(staging).get(number, ())
    tables = [table for name in names if (table := folder.read("addresses", name)) is not None]
    return pa.concat_tables(tables).combine_chunks() if tables else None


@lru_cache(maxsize=1)
def _address_files(staging: str) -> dict[int, list[str]]:
    """The partitions with rows in `addresses`, by number of their input, as the first pass left them."""
    found: dict[int, list[str]] = {}
    for name in StagingFolder(staging).files("addresses"):
        found.setdefault(int(name.partition("-")[0]), []).append(name.removesuffix(".parquet"))
    return found


def _in_order(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """Rows of `templates`, by host and then from the most frequent on."""
    rows = pa.Table.from_batches(batches)
    ordered = rows.sort_by([("node", "ascending"), ("pages", "descending"), ("fingerprint", "ascending")])
    return ordered.combine_chunks().to_batches()[0]


def node_key(fingerprint: int, host: int) -> int:
    """The key under which the pages of a host that have a fingerprint are counted."""
    return int.from_bytes(node_keys(_as_bytes(fingerprint), host), sys.byteorder, signed=True)


def page_key(host: int) -> int:
    """The key under which all pages of a host are counted."""
    return mix(host, _NO_PRINT)


@lru_cache(maxsize=1 << 12)  # hosts come in runs
def _page_key_bytes(host: int) -> bytes:
    """page_key() as it stands beside the keys of fingerprints."""
    return _as_bytes(page_key(host))


class _Copy(NamedTuple):
    """What a page is a copy of, and in which way."""

    page: int | str  # of this run its number, of an earlier run its name as in earlier_page()
    reason: str  # one of COPIES


@dataclass(slots=True)
class _Page:
    """What the first pass noted of a page, and what is known of it since.

    The fields from `fingerprints` to `kept` are columns of the notes, in the order of _DECIDED.
    """

    page: int
    host: int | None
    original: int | None  # the first page of this run that shares a mark with it
    copy: _Copy | None  # what it is a copy of
    counted: bool
    fingerprints: bytes
    sizes: bytes = b""
    scores: bytes | None = None
    kept: bytes = b""
    totals: bytes = b""  # pages of the host that have each block, int32
    known: int = 0  # pages of the host that were counted

    @property
    def place(self) -> int:
        """Where the page is in its input."""
        return place_of(self.page)


@dataclass(frozen=True, slots=True)
class _Group:
    """The first pass's notes on one group of rows."""

    pages: list[_Page]
    notes: pa.RecordBatch

    def excerpts(self, place: int) -> list[bytes]:
        """The beginning of the text of each block; empty where the page was not its host's first."""
        text: Any = self.notes["excerpts"][place].as_py()
        return text.split(b"\n") if text else []

    def packed(self, place: int) -> bytes:
        """The packed page; empty where there is none."""
        value: Any = self.notes["packed"][place].as_py()
        return bytes(value)


class _Partition:
    """The first pass's notes on one partition."""

    def __init__(self, work: SecondPass, staging: StagingFolder, name: str) -> None:
        run_input, _, number = name.partition("-")
        self.run_input = int(run_input)
        self.number = partition_number(self.run_input, int(number))
        self.name = name
        self._staging = staging
        self._limit = work.configuration.templates.known_pages
        _addresses_in.cache_clear()  # another run of this process may have had its notes in the same folder
        self._originals = staging.read("originals", str(self.number))
        self._of_earlier_runs = staging.read("known_pages", str(self.number))
        large: Any = staging.read("large_hosts", "0")
        self._large: dict[int, int] = {}
        if large is not None:
            self._large = dict(zip(large["host"].to_pylist(), large["pages"].to_pylist(), strict=True))

    def groups(self, columns: Sequence[str]) -> Iterator[_Group]:
        """The pages in order, group of rows by group of rows, with `columns` of the notes (_COUNTED or _DECIDED).

        The first page that has a mark is the original of all others that have it.
        """
        for batch in self._staging.read_groups("notes", self.name):
            pages: list[_Page] = []
            elsewhere = _least_by_mark(batch["marks"], self._originals)
            earlier = _least_by_mark(batch["marks"], self._of_earlier_runs)
            rows = zip(*(batch[column].to_pylist() for column in columns), strict=True)
            n = len(FIRST)
            for row, (page, host, identity, *noted) in enumerate(rows):
                firsts = list(noted[:n])
                for kind, other in elsewhere.get(row, {}).items():
                    firsts[kind] = min(firsts[kind], other)
                original = min(firsts)
                is_copy = original < page
                copy = _copy_of(page, firsts, earlier.get(row, {})) if is_copy or row in earlier else None
                counted = host is not None and not is_copy and self._is_chosen(host, identity)
                pages.append(_Page(page, host, original if is_copy else None, copy, counted, *noted[n:]))
            yield _Group(pages, batch)

    def _is_chosen(self, host: int, identity: int) -> bool:
        """Whether a page is counted. Of a large host, about `templates.known_pages` are, chosen by hash."""
        pages = self._large.get(host)
        return pages is None or (identity + _HALF) * pages < self._limit * _SPACE


class _Costs:
    """What the second pass over a partition costs."""

    def __init__(self) -> None:
        self._started, self._cpu_started, self._filtering = time.perf_counter_ns(), time.process_time(), 0

    def finish(self, selection: Selection, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, list[Rejection | None]]:
        """selection.finish(), timed."""
        before = time.perf_counter_ns()
        try:
            return selection.finish(batch)
        finally:
            self._filtering += time.perf_counter_ns() - before

    def of(self, selection: Selection) -> tuple[dict[str, int], float]:
        """The nanoseconds of its stages until now, and the seconds of the processor."""
        filtering = {FILTER: self._filtering} if selection.changes_rows else {}
        rest = time.perf_counter_ns() - self._started - sum(filtering.values())
        return {**filtering, TEMPLATES: rest}, time.process_time() - self._cpu_started


class _Known:
    """What is known from all partitions of the keys of one."""

    def __init__(self, rows: pa.Table | None, *, own_crawl: bool) -> None:
        """From the rows of `evidence`; `own_crawl` where the pages to be decided are among those that were counted."""
        if rows is None:
            rows = pa.schema([*COUNTS, pa.field("is_first", pa.bool_())]).empty_table()
        self._keys = rows["key"].combine_chunks()
        self._totals = rows["pages"].combine_chunks().cast(pa.int32())
        self._firsts = pc.if_else(rows["is_first"].combine_chunks(), self._totals, pa.scalar(0, pa.int32()))
        self._told: set[int] = set()
        self._own_crawl = own_crawl
        self._model = default_model()

    def look_up(self, pages: Sequence[_Page]) -> None:
        """Looks up what is known of each page."""
        keys = [
            part
            for page in pages
            for part in (node_keys(page.fingerprints, page.host or 0), _page_key_bytes(page.host or 0))
        ]
        self._places = pc.index_in(numbers(pa.int64(), b"".join(keys)), value_set=self._keys)
        zero: Any = pa.scalar(0, pa.int32())
        totals = _int32_bytes(pc.coalesce(self._totals.take(self._places), zero))
        start = 0
        for page in pages:
            n = len(page.fingerprints) // 8
            if page.host is not None:
                page.totals = totals[4 * start : 4 * (start + n)]
                page.known = int.from_bytes(totals[4 * (start + n) : 4 * (start + n + 1)], sys.byteorder)
            start += n + 1

    def first_seen(
        self, pages: Sequence[_Page], least: int
    ) -> tuple[list[tuple[int, int]], pa.Array[Any], pa.Array[Any]]:
        """What at least so many pages have, this partition as the first, and its counted pages here as the first: in
        the order of the pages the place of the page among those that were looked up last, and the block; their
        fingerprints; how many pages have each. Nothing is told twice.
        """
        flags: list[bytes] = []
        prints: list[bytes] = []
        starts = [0]  # of each page's keys among those that were looked up
        for page in pages:
            n = len(page.fingerprints) // 8
            flags.append((b"\1" if page.counted and page.host is not None else b"\0") * n + b"\0")
            prints += (page.fingerprints, bytes(8))
            starts.append(starts[-1] + n + 1)
        mask: Any = as_flags(b"".join(flags))
        none: Any = pa.scalar(None, self._places.type)
        firsts = self._firsts.take(self._places)
        places = pc.if_else(pc.and_(mask, pc.greater_equal(firsts, pa.scalar(least, pa.int32()))), self._places, none)
        wanted: Any = [each for each in pc.unique(places).to_pylist() if each is not None and each not in self._told]
        self._told.update(wanted)
        keys = pa.array(wanted, places.type)
        flat: Any = pc.index_in(keys, value_set=places)
        fingerprints = numbers(pa.int64(), b"".join(prints)).take(flat)
        of_pages = ((bisect_right(starts, each) - 1, each) for each in flat.to_pylist())
        return [(place, each - starts[place]) for place, each in of_pages], fingerprints, self._totals.take(keys)

    def decide(self, page: _Page) -> Decision | None:
        """The decision for a page, or None if no other page of its host is known."""
        known, counts = self._others(page)
        return decide(page.scores, page.sizes, page.kept, counts, known, self._model) if known else None

    def frequencies(self, page: _Page) -> pa.Array[Any]:
        """For each block the share of the other pages of the host that have it; null where that is unknown."""
        known, counts = self._others(page)
        if not known:
            return pa.nulls(len(page.kept), pa.float32())
        return pa.array([n / known if n >= 0 else None for n in memoryview(counts).cast("i")], pa.float32())

    def _others(self, page: _Page) -> tuple[int, bytes]:
        """How many other pages of its host are known, and how many of them have each block."""
        # A page that was counted, or is a copy of one that was, is not to be counted against itself.
        own = int(self._own_crawl and (page.counted or page.original is not None))
        known = page.known - own
        if page.host is None or known < 1:
            return 0, b""
        return known, other_page_counts(page.totals, page.fingerprints, own)


def _copy_of(page: int, firsts: Sequence[int], earlier: Mapping[int, str]) -> _Copy | None:
    """What a page is a copy of: in the surest way that there is, and in that way of an earlier run's page before one of
    this run.
    """
    for kind, (reason, first) in enumerate(zip(COPIES, firsts, strict=True)):
        if kind in earlier:
            return _Copy(earlier[kind], reason)
        if first < page:
            return _Copy(first, reason)
    return None


def _least_by_mark(marks: Any, known: pa.Table | None) -> dict[int, dict[int, Any]]:  # noqa: ANN401 (a column of lists)
    """For each row that has a mark of `known` (columns mark and page): the least page of its marks there, by the kind
    of mark.
    """
    if known is None:
        return {}
    places = pc.index_in(marks.flatten(), value_set=known["mark"].combine_chunks())
    shared = pc.is_valid(places)
    rows: list[Any] = pc.list_parent_indices(marks).filter(shared).to_pylist()
    pages: list[Any] = known["page"].combine_chunks().take(places.filter(shared)).to_pylist()
    found: dict[int, dict[int, Any]] = {}
    for row, page, mark in zip(rows, pages, marks.flatten().filter(shared).to_pylist(), strict=True):
        of_row, kind = found.setdefault(row, {}), kind_of_mark(mark)
        of_row[kind] = min(page, of_row.get(kind, page))
    return found


def _as_bytes(number: int) -> bytes:
    """A signed 64-bit integer of the machine's byte order."""
    return number.to_bytes(8, sys.byteorder, signed=True)


def _int32_bytes(numbers: pa.Array[Any]) -> bytes:
    """The 32-bit integers of an array without nulls."""
    data = numbers.buffers()[1]
    assert data is not None
    return data.to_pybytes()[numbers.offset * 4 : (numbers.offset + len(numbers)) * 4]
