# SPDX-License-Identifier: Apache-2.0
"""The records of a WARC with their exact places in the file, and the stretches that could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

from fastwarc.warc import ArchiveIterator, WarcRecordType

from thresher.inputs import InputFile, TransferError

__all__ = ["Damage", "Record", "read_records"]

KINDS: Final = (
    "warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation", "unknown",
)  # fmt: skip
READ_SIZE: Final = 256 << 10  # bytes that FastWARC asks the file for at a time
NAMES: Final = {int(getattr(WarcRecordType, kind)): kind for kind in KINDS}


class Headers(Protocol):
    """WARC headers by name, in any case."""

    def get(self, name: str, default: str | None = None, /) -> str | None: ...


@dataclass(slots=True)
class Record:
    """One record, readable until the next is asked for."""

    kind: str  # WARC-Type
    offset: int  # where the record's compressed member (or its first byte, in a plain WARC) begins in the file
    length: int  # bytes in the file, known once the next event has come
    headers: Headers
    content_length: int  # bytes of the block as the header has it
    is_http: bool
    reader: Any  # .read(n): the block's next bytes


@dataclass(frozen=True, slots=True)
class Damage:
    """A stretch of the file that holds no readable record."""

    offset: int
    length: int
    reason: str


def read_records(file: InputFile) -> Iterator[Record | Damage]:
    """Every record of an opened WARC in order, and every damaged stretch.

    A record's length is set when the next event is asked for. Raises TransferError where the file could not be fetched.
    """
    previous: Record | None = None
    iterator = iter(ArchiveIterator(file, parse_http=False, buffer_size=READ_SIZE))
    while True:
        try:
            raw = next(iterator, None)
        except TransferError:
            raise
        except (OSError, ValueError) as error:
            start = previous.offset if previous else 0
            size = file.size if file.size is not None else file.tell()
            if previous:
                previous.length = size - start
            yield Damage(start, size - start, str(error))
            return
        if raw is None:
            if previous:
                previous.length = (file.size if file.size is not None else file.tell()) - previous.offset
            return
        offset = raw.stream_pos
        if previous:
            previous.length = offset - previous.offset
        previous = Record(
            NAMES.get(int(raw.record_type), "unknown"),
            offset,
            0,
            raw.headers,
            raw.content_length,
            raw.is_http,
            raw.reader,
        )
        yield previous
