# SPDX-License-Identifier: Apache-2.0
"""The first pass's notes: for each page what the second pass decides by, without its text (schemas/staging.py has the columns)."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from thresher.native.templates.fingerprints import mix, near_duplicate_marks
from thresher.schemas.staging import BLOCKS, HOSTS, MARKS, OFFSET_BITS, PARTITION_BITS
from thresher.templates.urls import url_key

if TYPE_CHECKING:
    from thresher.captures import Capture
    from thresher.extraction import PageExtractor

# What a mark is of, so that a digest and a text are never taken for each other.
_DIGEST, _KEY, _TEXT, _BAND = range(4)
_MIN_TEXT: Final = 64  # bytes; two shorter texts that are equal are no copies: "Not found", "0 results"
_EXCERPT: Final = 80  # bytes
_LEAST_SCORE: Final = -12_400
"""Score, in 1/4096 of a logit, from which the text of a block is staged that was not kept: below the lowest threshold of decoding.pyx, .047, over which
evidence lifts no block."""


def partition_number(warc: int, partition: int) -> int:
    """The number of a partition, rising in the order of the inputs."""
    return warc << PARTITION_BITS | partition


def page_number(warc: int, offset: int) -> int:
    """The number of a page, rising in the order of the inputs."""
    return warc << OFFSET_BITS | offset


@lru_cache(maxsize=1 << 12)  # hosts come in runs
def host_hash(host: str) -> int:
    """text_hash() of a host or a domain."""
    return text_hash(host)


def text_hash(text: str | bytes) -> int:
    """A signed 64-bit number for a text."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little", signed=True)


class Stager:
    """Gathers the notes on one partition's pages, in their order."""

    def __init__(self, warc: int, partition: int) -> None:
        """Notes on partition `partition` of WARC `warc`."""
        self._warc = warc
        self._partition = partition_number(warc, partition)
        self._rows: list[tuple[Any, ...]] = []
        self._first: dict[int, int] = {}  # mark → the first page that has it
        self._hosts: Counter[int] = Counter()
        self.packed_bytes = 0
        """Bytes of packed pages since the last batch()."""

    def add(
        self, capture: Capture, host: str | None, found: PageExtractor | None, title: str | None, text: bytes | None
    ) -> None:
        """Notes on one page; `found` is None where it could not be worked on. `host` is its host name."""
        page = page_number(self._warc, capture.warc_record_offset)
        key = url_key(capture.url, title) if host else None
        if key is None or host is None:
            self._rows.append((page, None, text_hash(capture.url), [], *self._blocks(found, excerpts=False), None))
            return
        place, domain = host_hash(host), host_hash(key.domain)
        key_hash = text_hash(str(key))
        marks = [mix(mix(domain, key_hash), _KEY)]
        if capture.content_digest:
            marks.append(mix(mix(place, text_hash(capture.content_digest)), _DIGEST))
        if text is not None and len(text) >= _MIN_TEXT:
            marks.append(mix(mix(place, text_hash(text)), _TEXT))
            marks += [mix(mix(place, band), _BAND) for band in near_duplicate_marks(text)]
        for mark in marks:
            self._first.setdefault(mark, page)
        self._hosts[place] += 1
        excerpts = self._hosts[place] == 1
        packed = found.pack(_LEAST_SCORE) if found else None
        self.packed_bytes += len(packed or b"")
        self._rows.append((page, place, mix(key_hash, place), marks, *self._blocks(found, excerpts=excerpts), packed))

    def batch(self) -> pa.RecordBatch:
        """The rows of `blocks` for the pages since the last call."""
        columns = list(zip(*self._rows, strict=True)) or [()] * len(BLOCKS)
        self._rows.clear()
        self.packed_bytes = 0
        return pa.RecordBatch.from_arrays(
            [pa.array(column, field.type) for column, field in zip(columns, BLOCKS, strict=True)], schema=BLOCKS
        )

    def marks(self) -> pa.RecordBatch:
        """The rows of `marks` for the whole partition."""
        n = len(self._first)
        columns = [[self._partition] * n, list(self._first), list(self._first.values())]
        return pa.RecordBatch.from_arrays([pa.array(column, pa.int64()) for column in columns], schema=MARKS)

    def hosts(self) -> pa.RecordBatch:
        """The rows of `hosts` for the whole partition."""
        columns = [[self._partition] * len(self._hosts), list(self._hosts), list(self._hosts.values())]
        return pa.RecordBatch.from_arrays([pa.array(column, pa.int64()) for column in columns], schema=HOSTS)

    @staticmethod
    def _blocks(found: PageExtractor | None, *, excerpts: bool) -> tuple[bytes | None, ...]:
        if found is None:
            return b"", b"", None, b"", None
        return (
            found.fingerprints(),
            found.sizes(),
            found.scores(),
            found.kept(),
            found.excerpts(_EXCERPT) if excerpts else None,
        )
