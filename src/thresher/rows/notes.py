# SPDX-License-Identifier: Apache-2.0
"""The first pass's notes: for each page what the second pass decides by, and of what its new text is written
(schemas/staging.py has the columns).
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from thresher.address import PAGE_KEY, Address, page_id
from thresher.native.templates.fingerprints import (
    block_excerpts,
    block_fingerprints,
    block_sizes,
    mix,
    near_duplicate_marks,
)
from thresher.page.url_keys import url_key
from thresher.schemas.staging import ADDRESSES, FIRST, HOST_PAGES, MARKS, NOTES, OFFSET_BITS, PARTITION_BITS

if TYPE_CHECKING:
    from thresher.page.page_extractor import PageExtractor
    from thresher.reading.captures import Capture

# What a mark is of, so that a digest and a text are never taken for each other.
_DIGEST, _ADDRESS, _TEXT, _BAND = range(4)
COPIES: Final = ("text", "near_text", "address")
"""In which way two pages with a mark in common are copies, by the mark's last two bits; the surest first."""
_SAME_TEXT, _NEAR_TEXT, _SAME_ADDRESS = range(len(COPIES))
_KIND: Final = 3  # the bits of a mark that say in which way
_MIN_TEXT: Final = 64  # bytes; two shorter texts that are equal are no copies: "Not found", "0 results"
_EXCERPT: Final = 80  # bytes
_OF_BLOCKS: Final = ("fingerprints", "sizes", "scores", "kept")  # columns with a number for each block
_LONG: Final = frozenset(("excerpts", "packed"))  # columns of long values, see _LongColumn
_LEAST_SCORE: Final = -12_400
"""Score, in 1/4096 of a logit, from which the text of a block is staged that was not kept: below the lowest threshold
of decoding.pyx, .047, over which evidence lifts no block.
"""


def partition_number(run_input: int, partition: int) -> int:
    """The number of a partition, rising in the order of the inputs."""
    return run_input << PARTITION_BITS | partition


def page_number(run_input: int, place: int) -> int:
    return run_input << OFFSET_BITS | place


def place_of(page: int) -> int:
    """Where a page is in its input, by the page's number."""
    return page & ((1 << OFFSET_BITS) - 1)


def earlier_page(run: int, warc_filename: str, address: Address) -> str:
    """A name for a page of the n-th of several earlier runs; the first page of the first run comes first in order."""
    return f"{run:06d} {warc_filename}#{address.offset:016d}.{address.number:010d}"


def name_of_earlier(page: str) -> str:
    """The id of such a page, as in the column duplicate_of."""
    filename, _, address = page[7:].rpartition("#")
    return page_id(filename, *map(int, address.split(".")))


def kind_of_mark(mark: int) -> int:
    """In which way the pages that have a mark are copies: a place in COPIES."""
    return mark & _KIND


def _mark(number: int, kind: int) -> int:
    return number & ~_KIND | kind


@lru_cache(maxsize=1 << 12)  # hosts come in runs
def host_hash(host: str) -> int:
    return text_hash(host)


def text_hash(text: str | bytes) -> int:
    """A signed 64-bit number for a text."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little", signed=True)


class _LongColumn:
    """A column of long binary values in memory that is reused: fresh pages from the system for each group of rows cost
    more than what is written into them.
    """

    def __init__(self) -> None:
        self._memory = bytearray(1 << 20)
        self._ends = array("i", (0,))

    @property
    def n_bytes(self) -> int:
        return self._ends[-1]

    def add(self, value: bytes) -> None:
        start = self._ends[-1]
        end = start + len(value)
        if end > len(self._memory):
            self._memory.extend(bytes(max(end - len(self._memory), len(self._memory) // 2)))
        self._memory[start:end] = value
        self._ends.append(end)

    def array(self) -> pa.Array[Any]:
        """The values; they are there until the next one after clear()."""
        offsets = pa.py_buffer(self._ends.tobytes())
        values = pa.py_buffer(memoryview(self._memory)[: self.n_bytes])
        return pa.Array.from_buffers(pa.binary(), len(self._ends) - 1, [None, offsets, values])

    def clear(self) -> None:
        del self._ends[1:]


class Stager:
    """Collects the notes on one partition's pages, in order. Reused from partition to partition."""

    def __init__(self, *, packs: bool = True) -> None:
        """Without `packs`, a page that is decided again is read and parsed again."""
        self._packs = packs
        self._warc = self._partition = 0
        self._filename = ""
        self._addresses: list[tuple[int, str, int, int]] = []
        # The short columns of `notes` by name, a value for each page since the last batch.
        self._columns: dict[str, list[Any]] = {name: [] for name in NOTES.names if name not in _LONG}
        self._first: dict[int, int] = {}  # mark → the first page that has it
        self._hosts: Counter[int] = Counter()
        self._excerpts = _LongColumn()
        self._packed = _LongColumn()

    def begin(self, run_input: int, filename: str, partition: int) -> None:
        """Notes on a partition of an input from here on."""
        self._warc, self._filename = run_input, filename
        self._addresses.clear()
        self._partition = partition_number(run_input, partition)
        self._first.clear()
        self._hosts.clear()
        self.clear()

    def clear(self) -> None:
        """Forgets the pages since the last batch."""
        for column in self._columns.values():
            column.clear()
        self._excerpts.clear()
        self._packed.clear()

    @property
    def n_bytes(self) -> int:
        return self._packed.n_bytes + self._excerpts.n_bytes

    def add(
        self, capture: Capture, host: str | None, found: PageExtractor | None, title: str | None, text: bytes | None
    ) -> None:
        """Takes notes on one page of the host `host`; `found` is None if its extraction failed."""
        page = page_number(self._warc, capture.place)
        address = tuple(getattr(capture, name) for name in PAGE_KEY)
        if address != (self._filename, capture.place, 0):
            self._addresses.append((capture.place, *address))
        key = url_key(capture.url, title) if host else None
        if key is None or host is None:
            self._add(page, None, text_hash(capture.url), [], found)
            return
        place, domain = host_hash(host), host_hash(key.domain)
        # Not by the key: of a query that the rules do not know it keeps nothing, and other pages would be copies.
        marks = [_mark(mix(mix(domain, text_hash(key.address(capture.url))), _ADDRESS), _SAME_ADDRESS)]
        if capture.content_digest:
            marks.append(_mark(mix(mix(place, text_hash(capture.content_digest)), _DIGEST), _SAME_TEXT))
        if text is not None and len(text) >= _MIN_TEXT:
            marks.append(_mark(mix(mix(place, text_hash(text)), _TEXT), _SAME_TEXT))
            marks += [_mark(mix(mix(place, band), _BAND), _NEAR_TEXT) for band in near_duplicate_marks(text)]
        first = [page] * len(COPIES)
        for mark in marks:
            kind = mark & _KIND
            first[kind] = min(first[kind], self._first.setdefault(mark, page))
        self._hosts[place] += 1
        identity = mix(text_hash(str(key)), place)
        self._add(page, place, identity, marks, found, first=first, is_first=self._hosts[place] == 1)

    def _add(
        self,
        page: int,
        host: int | None,
        identity: int,
        marks: list[int],
        found: PageExtractor | None,
        *,
        first: Sequence[int] | None = None,
        is_first: bool = False,
    ) -> None:
        columns = self._columns
        columns["page"].append(page)
        columns["host"].append(host)
        columns["identity"].append(identity)
        columns["marks"].append(marks)
        for name, other in zip(FIRST, first or [page] * len(COPIES), strict=True):
            columns[name].append(other)
        of_blocks: tuple[bytes | None, ...] = (b"", b"", None, b"")
        excerpts = packed = b""
        if found:
            workspace = found.workspace
            page_of_blocks = workspace.document, workspace.metrics, workspace.blocks
            fingerprints, sizes = block_fingerprints(*page_of_blocks), block_sizes(workspace.blocks)
            of_blocks = fingerprints, sizes, workspace.scores(), workspace.kept_bytes()
            excerpts = block_excerpts(*page_of_blocks, _EXCERPT) if is_first else b""
            packed = (found.pack(_LEAST_SCORE) if host is not None and self._packs else None) or b""
        for name, value in zip(_OF_BLOCKS, of_blocks, strict=True):
            columns[name].append(value)
        self._excerpts.add(excerpts)
        self._packed.add(packed)

    def batch(self) -> pa.RecordBatch:
        """The rows of `notes` for the pages since clear(). They share its memory: use them before the next page is
        added.
        """
        long = {"excerpts": self._excerpts.array(), "packed": self._packed.array()}
        arrays = [
            long[field.name] if field.name in long else pa.array(self._columns[field.name], field.type)
            for field in NOTES
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=NOTES)

    def marks(self) -> pa.RecordBatch:
        n = len(self._first)
        columns = [[self._partition] * n, list(self._first), list(self._first.values())]
        return pa.RecordBatch.from_arrays([pa.array(column, pa.int64()) for column in columns], schema=MARKS)

    def addresses(self) -> pa.RecordBatch:
        columns = zip(*self._addresses, strict=True) if self._addresses else [()] * len(ADDRESSES)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, ADDRESSES, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=ADDRESSES)

    def host_pages(self) -> pa.RecordBatch:
        columns = [[self._partition] * len(self._hosts), list(self._hosts), list(self._hosts.values())]
        return pa.RecordBatch.from_arrays([pa.array(column, pa.int64()) for column in columns], schema=HOST_PAGES)
