# SPDX-License-Identifier: Apache-2.0
"""A survey of a run's pages: distributions, the slowest and the least certain pages, and a random sample.

Read batch by batch. Memory holds the counts and the few pages that are shown, whatever the size of the run.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from thresher.address import PAGE_KEY, page_id_of
from thresher.running.outcome import FACTS
from thresher.schemas.metrics import TOTAL
from thresher.schemas.pages import PAGE_STAGES
from thresher.writing.layout import RUN_FILE
from thresher.writing.run_folder import RunFolder, is_parquet

if TYPE_CHECKING:
    from pyarrow.dataset import Dataset

SHOWN: Final = 8
"""Pages of each kind that are shown."""
_LETTERS: Final = 3  # dead letters shown for each class
_CLASSES: Final = 1000  # of dead letters, whose names may come from strangers
_TEXT: Final = 600  # characters shown of a text
_BLOCKS: Final = 300  # blocks shown of a page
_BINS: Final = 20  # of the distribution of confidence
_GROUPS: Final = 60  # into which the partitions are grouped
_OF_BLOCKS: Final = (
    *(*PAGE_KEY, "block_order", "kind", "path", "text", "words", "link_density"),
    *("probability", "template_frequency", "kept"),
)
FIELDS: Final = (
    *FACTS,
    *("date_modified", "description", "canonical_url", "language_declared", "image", "tags", "licence"),
)
"""What the page of a report counts: how many pages have it."""
_TIMES: Final = tuple(f"{stage}_us" for stage in PAGE_STAGES)
_COLUMNS: Final = (*("url", "title", "text", "language", "confidence", "status", "n_words", *PAGE_KEY), *_TIMES)
_COUNTED: Final = ("date", "fetch_time")  # of which is counted how many pages have which year

Row = dict[str, Any]


@dataclass(slots=True)
class PartitionGroup:
    """A group of consecutive partitions."""

    first: str
    last: str
    pages: int = 0
    seconds: float = 0.0
    """Of the workers."""
    stages: dict[str, float] = field(default_factory=dict)
    """Seconds of each stage."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """What becomes of the pages that have a confidence if it must reach a threshold (route.trust)."""

    trust: float
    trusted: int
    """Pages of at least this confidence."""
    share: float
    """Of the pages that have a confidence."""
    expected_f1: float
    """Of the trusted pages: their mean confidence."""
    asked: int
    """All other pages that have a confidence."""
    asked_bytes: int
    """Of the texts of these."""


@dataclass(slots=True)
class Survey:
    """The survey of a run's pages. A page that is shown is a row of `pages` with the beginning of its text."""

    confidence: list[int] = field(default_factory=lambda: [0] * _BINS)
    """Pages by confidence, in twenty equal bins from 0 to 1."""
    thresholds: list[Threshold] = field(default_factory=list)
    """The curve of cost against expected F1: for each bin of confidence with pages, from the highest, what trusting it
    and all above it means."""
    lengths: dict[int, int] = field(default_factory=dict)
    """Pages by the length of their text: of key n those with 2^(n-1) to 2^n - 1 bytes, of 0 those without text."""
    fields: dict[str, int] = field(default_factory=dict)
    """Pages that have each of FIELDS that the run writes."""
    years: dict[int, int] = field(default_factory=dict)
    """Pages by the year that they name as their date."""
    captured: dict[int, int] = field(default_factory=dict)
    """Pages by the year in which they were captured."""
    made: float | None = None
    """When the run was begun, in seconds since 1970, as its folder has it."""
    slowest: list[Row] = field(default_factory=list)
    least_confident: list[Row] = field(default_factory=list)
    drawn: list[Row] = field(default_factory=list)
    """Pages drawn by a hash of their place: the same ones each time."""
    blocks: dict[str, list[Row]] = field(default_factory=dict)
    """Of the pages that are shown their blocks, where the run has such a table; by page_id_of()."""
    letters: dict[str, list[Row]] = field(default_factory=dict)
    """Some dead letters of each "stage: error class"."""
    groups: list[PartitionGroup] = field(default_factory=list)
    """Throughput, in the order of the inputs."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def survey_run(location: str) -> Survey:
    """The survey of an output folder. Raises OutputError if it holds no run.

    If the run's pages are not Parquet, only dead letters and throughput are known.
    """
    folder = RunFolder(location)
    survey = Survey()
    made: Any = folder.storage.fs.get_file_info(folder.storage.path(RUN_FILE)).mtime_ns
    survey.made = made / 1e9 if made else None
    if is_parquet(folder.rows()):
        _look_at_pages(folder, survey)
        _find_blocks(folder, survey)
    letters: defaultdict[str, list[Row]] = defaultdict(list)
    for row in folder.tables.rows("dead_letter"):
        name = f"{row['stage']}: {row['error_class']}"
        if (name in letters or len(letters) < _CLASSES) and len(letters[name]) < _LETTERS:
            letters[name].append(row)
    survey.letters = dict(letters)
    survey.groups = _groups(folder.tables.rows("metrics"))
    return survey


class _Best:
    """The rows with the largest values."""

    def __init__(self, value: Callable[[Row], float]) -> None:
        self._value = value
        self._heap: list[tuple[float, str, int, Row]] = []
        self._n = 0

    def add(self, row: Row) -> None:
        self._n += 1
        entry = (self._value(row), page_id_of(row), self._n, row)
        if len(self._heap) < SHOWN:
            heapq.heappush(self._heap, entry)
        elif entry[:3] > self._heap[0][:3]:
            heapq.heapreplace(self._heap, entry)

    def rows(self) -> list[Row]:
        return [row for *_, row in sorted(self._heap, key=lambda entry: entry[:3], reverse=True)]


def _draw(row: Row) -> float:
    return int.from_bytes(hashlib.blake2b(page_id_of(row).encode("utf-8", "replace"), digest_size=6).digest(), "big")


def _look_at_pages(folder: RunFolder, survey: Survey) -> None:
    dataset: Dataset = folder.tables.dataset("pages")
    schema = dataset.schema
    written = folder.tables.names_of("pages")
    facts = [name for name in FIELDS if name in written]
    survey.fields = dict.fromkeys(facts, 0)
    columns = [name for name in dict.fromkeys((*_COLUMNS, *_COUNTED, *facts)) if name in schema.names]
    slow = _Best(lambda row: row["milliseconds"])
    unsure, drawn = _Best(lambda row: -row["confidence"]), _Best(_draw)
    lengths: defaultdict[int, int] = defaultdict(int)
    years, captured = Counter[int](), Counter[int]()
    expected, n_bytes = [0.0] * _BINS, [0] * _BINS
    for batch in dataset.to_batches(columns=columns, batch_size=1024):
        for name in facts:
            survey.fields[name] += len(batch) - batch[name].null_count
        for name, counted in (("date", years), ("fetch_time", captured)):
            counted.update(value.year for value in batch[name].to_pylist() if value is not None)
        texts: Any = batch["text"]
        sizes: Any = pc.binary_length(texts.fill_null(""))
        for pair in sizes.value_counts().to_pylist():
            lengths[pair["values"].bit_length()] += pair["counts"]
        known: Any = zip(batch["confidence"].to_pylist(), sizes.to_pylist(), strict=True)
        for value, size in known:
            if value is not None:
                number = min(int(value * _BINS), _BINS - 1)
                survey.confidence[number] += 1
                expected[number] += value
                n_bytes[number] += size
        shown = batch.select([name for name in _COLUMNS if name in batch.schema.names and name != "text"])
        for row in shown.append_column("text", pc.utf8_slice_codeunits(texts, 0, _TEXT)).to_pylist():
            times = [row.pop(name) for name in _TIMES]
            row["milliseconds"] = sum(time for time in times if time is not None) / 1000
            slow.add(row)
            drawn.add(row)
            if row["confidence"] is not None:
                unsure.add(row)
    survey.years, survey.captured = dict(years), dict(captured)
    survey.thresholds = _thresholds(survey.confidence, expected, n_bytes)
    survey.lengths = dict(sorted(lengths.items()))
    survey.slowest = [row for row in slow.rows() if row["milliseconds"]]
    survey.least_confident, survey.drawn = unsure.rows(), drawn.rows()


def _thresholds(pages: Sequence[int], expected: Sequence[float], n_bytes: Sequence[int]) -> list[Threshold]:
    """The curve, from each bin's pages, the sum of their confidence, and the bytes of their texts."""
    found = []
    n_pages, all_bytes = sum(pages), sum(n_bytes)
    for number in reversed(range(_BINS)):
        trusted = sum(pages[number:])
        if pages[number]:
            mean = sum(expected[number:]) / trusted
            left = all_bytes - sum(n_bytes[number:])
            share = trusted / n_pages
            found.append(Threshold(number / _BINS, trusted, round(share, 6), round(mean, 6), n_pages - trusted, left))
    return found


def _find_blocks(folder: RunFolder, survey: Survey) -> None:
    """Find the blocks of the pages that are shown. Reads only row groups that may hold them."""
    shown = (*survey.least_confident, *survey.drawn)
    wanted = set(map(page_id_of, shown))
    offsets = {row["warc_record_offset"] for row in shown if row["warc_record_offset"] is not None}
    names = folder.tables.files("blocks")
    for name in names if offsets else ():
        with folder.tables.open("blocks", name) as file:
            columns = [each for each in _OF_BLOCKS if each in file.schema_arrow.names]
            place = file.schema_arrow.get_field_index("warc_record_offset")
            for number in range(file.num_row_groups):
                range_ = file.metadata.row_group(number).column(place).statistics
                if range_ and range_.has_min_max and not any(range_.min <= each <= range_.max for each in offsets):
                    continue
                rows = file.read_row_group(number, columns=columns)
                found: Any = pc.is_in(rows["warc_record_offset"], value_set=pa.array(offsets, pa.int64()))
                for row in rows.filter(found).to_pylist():
                    page = page_id_of(row)
                    kept = survey.blocks.setdefault(page, []) if page in wanted else []
                    if len(kept) < _BLOCKS:
                        kept.append(row | {"text": (row["text"] or "")[:_TEXT]})


def _groups(metrics: Iterable[Row]) -> list[PartitionGroup]:
    partitions: dict[str, PartitionGroup] = {}
    for row in metrics:
        name = row["partition"]
        each = partitions.setdefault(name, PartitionGroup(name, name))
        if row["stage"] == TOTAL:
            each.pages, each.seconds = row["pages"], row["seconds"]
        else:
            each.stages[row["stage"]] = row["seconds"]
    ordered = [partitions[name] for name in sorted(partitions)]
    size = -(-len(ordered) // _GROUPS) or 1
    found = []
    for start in range(0, len(ordered), size):
        group = ordered[start : start + size]
        stages: defaultdict[str, float] = defaultdict(float)
        for each in group:
            for stage, seconds in each.stages.items():
                stages[stage] += seconds
        pages, seconds = sum(each.pages for each in group), sum(each.seconds for each in group)
        found.append(PartitionGroup(group[0].first, group[-1].last, pages, seconds, dict(stages)))
    return found
