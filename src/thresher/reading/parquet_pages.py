# SPDX-License-Identifier: Apache-2.0
"""The sizes that the pages of a Parquet column state, read before pyarrow allocates them.

A column is stored in pages, each with a header in Thrift's compact encoding that states its size after decompression.
A reader allocates that much, and the footer need not say so. Only the fields that tell the sizes are decoded here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from thresher.reading.files import InputFile

_FIRST_READ: Final = 256  # bytes; a page's header has 20 to 200
_MAX_HEADER: Final = 1 << 20  # bytes; statistics may hold values
_MAX_DEPTH: Final = 8  # of structs in a header; the format has 3
_HEADERS_OF_KINDS: Final = frozenset((5, 7, 8))  # of data, of a dictionary, of data in version 2; field 1: values


class StatedPage(NamedTuple):
    """What the header of a page says."""

    length: int  # of the header
    n_bytes: int  # decompressed
    compressed: int
    n_values: int


def stated_pages(file: InputFile, column: Any) -> Iterator[StatedPage]:  # noqa: ANN401 (pyarrow's ColumnChunkMetaData)
    """The pages of a column in a row group. They end where a header makes no sense, which the reader then reports."""
    position = column.data_page_offset
    if column.has_dictionary_page and column.dictionary_page_offset:
        position = min(position, column.dictionary_page_offset)
    end = position + column.total_compressed_size
    while position < end:
        header = _header_at(file, position, end)
        if header is None or header.compressed < 0 or header.n_bytes < 0:
            return
        yield header
        position += header.length + header.compressed


def _header_at(file: InputFile, position: int, end: int) -> StatedPage | None:
    n = _FIRST_READ
    while True:
        n = min(n, end - position)
        file.seek(position)
        data = file.read(n)
        try:
            return _Decoder(data).header()
        except IndexError:  # it goes on
            if n >= min(_MAX_HEADER, end - position) or len(data) < n:
                return None
            n *= 16
        except ValueError:
            return None


class _Decoder:
    """Decodes the numbers of a page's header. Raises IndexError where the bytes end, ValueError for nonsense."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def header(self) -> StatedPage:
        numbers = dict.fromkeys((2, 3), 0)
        n_values = 0
        for field, kind in self._fields():
            if field in numbers and kind in (4, 5, 6):
                numbers[field] = self._number()
            elif field in _HEADERS_OF_KINDS and kind == 12:
                for inner, inner_kind in self._fields():
                    if inner == 1 and inner_kind in (4, 5, 6):
                        n_values = self._number()
                    else:
                        self._skip(inner_kind, 2)
            else:
                self._skip(kind, 1)
        if self._at > len(self._data):
            raise IndexError
        return StatedPage(self._at, numbers[2], numbers[3], n_values)

    def _fields(self) -> Iterator[tuple[int, int]]:
        """(number, type) of the fields of a struct; the caller passes over their values."""
        field = 0
        while byte := self._byte():
            field = field + (byte >> 4) if byte >> 4 else self._number()
            yield field, byte & 15

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError

    def _number(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def _skip(self, kind: int, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise ValueError
        if kind in (1, 2):
            return
        if kind == 3:
            self._at += 1
        elif kind in (4, 5, 6):
            self._varint()
        elif kind == 7:
            self._at += 8
        elif kind == 8:
            self._at += self._varint()
        elif kind == 12:
            for _, inner in self._fields():
                self._skip(inner, depth + 1)
        else:
            raise ValueError  # a list or map, which no page header has
