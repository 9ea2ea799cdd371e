# SPDX-License-Identifier: Apache-2.0
"""Pages that are not in a WARC: a folder of HTML files, and rows of JSON Lines or Parquet with a column of HTML.

They are captures like any other. Where a WARC has an offset, they have a number: of the file in its folder, of the
line, of the row, each from 0.

A table `pages` that a run wrote with its column `html` is such a Parquet file too. Its rows become the captures that
they were made of, under their names and offsets in the WARC.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from thresher.errors import InputError, TransferError
from thresher.file_kinds import binary_kind
from thresher.reading.captures import Capture, Reading, Unreadable, WatchedFile, clean_url
from thresher.reading.files import InputFile
from thresher.reading.names import HTML_SUFFIXES, local_path
from thresher.reading.opening import open_input
from thresher.reading.payload import PayloadError, gunzip
from thresher.reading.progress import PageGivenUp

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FolderReading", "JsonLinesReading", "ParquetReading", "html_files", "lines_of", "seekable"]

_READ_SIZE: Final = 1 << 20  # bytes
_ROWS: Final = 16  # of a Parquet file at a time
_FIRST_STEP: Final = 256  # bytes of a gzip member that are decompressed first
_SPARE: Final = 1 << 20  # bytes of a line beside its HTML
_HTML: Final = "html"  # the column of pages that a run kept
_KEPT: Final = frozenset(
    (
        *("url", "fetch_time", "fetch_status", "warc_filename", "warc_record_offset", "warc_record_length"),
        *("warc_record_id", "content_digest", "content_mime_type", "content_mime_detected", "content_charset"),
        *("content_languages", "content_truncated", "charset_source"),
    )
)
"""The columns, beside `html`, that a capture is made of again."""


@dataclass(slots=True)
class _PageReading(Reading):
    """Pages that are numbered from 0. With `start` and `end`, only those with these numbers are read."""

    n_bytes: int = 0  # of the pages read
    n_done: int = 0  # of the input: its bytes, or the files of a folder

    def behind(self, capture: Capture) -> int:
        """How far the input was read when this capture came, in the unit of `size`."""
        del capture  # its number says how many pages came before it, not how much was read
        return self.n_done

    @property
    def bytes_read(self) -> int:
        """Bytes of the pages read."""
        return self.n_bytes

    def _take(self, number: int, body: bytes | str | None, url: str | None) -> Capture | None:
        """The page with this number, counted; None if it is none."""
        self.n_records += 1
        if self.first_offset is None:
            self.first_offset = number
        charset = None
        if isinstance(body, str):
            body, charset = body.encode("utf-8", "replace"), "utf-8"
        n = len(body or b"")
        self.n_bytes += n
        url = clean_url(url) or f"{self.options.url_prefix}{os.path.basename(self.filename or '')}#{number}"
        if body is None or not body.strip():
            self._skip(number, n, "empty", url)
            return None
        limit, problem = self.options.max_payload_bytes, None
        try:
            body, problem = gunzip(body, limit)
        except PayloadError as error:
            self._bury(number, n, url, "decode", "PayloadError", str(error))
            return None
        if binary_kind(body):
            self._skip(number, n, "not_html", url)
            return None
        self.n_captures += 1
        return Capture(
            url=url,
            warc_record_id=None,
            record_type="resource",
            warc_filename=self.filename or "",
            warc_record_offset=number,
            warc_record_length=n,
            fetch_time=None,
            fetch_status=None,
            content_mime_type=None,
            content_mime_detected=None,
            mime_source="sniffed",
            http_charset=charset,
            content_digest=None,
            content_truncated="limit" if len(body) > limit else problem or None,
            payload=body[:limit],
        )

    def _numbered(self, number: int) -> bool:
        """Whether a number lies in this stretch; reports it to whoever watches, before the page is read."""
        if number < self.start:
            return False
        try:
            self.progress.record(number)
        except PageGivenUp as problem:
            self.n_records += 1
            self._bury(number, 0, None, "worker", type(problem).__name__, str(problem))
            return False
        return True


@lru_cache(maxsize=4)
def html_files(folder: str) -> list[str]:
    """The HTML files below a folder, relative to it, in order; or of a file itself its name."""
    if not os.path.isdir(folder):
        return [os.path.basename(folder)]
    found = []
    for here, folders, files in os.walk(folder):
        folders.sort()
        found += [os.path.relpath(os.path.join(here, name), folder) for name in files if is_html_name(name)]
    return sorted(found)


def is_html_name(name: str) -> bool:
    """Whether a file name has a suffix of HTML files."""
    return name.lower().endswith(HTML_SUFFIXES)


@dataclass(slots=True)
class FolderReading(_PageReading):
    """The HTML files below a folder, or one HTML file."""

    def __iter__(self) -> Iterator[Capture]:
        folder = local_path(os.fspath(self.source))
        if self.filename is None:
            self.filename = folder
        names = html_files(folder)
        self.size = len(names)
        base = folder if os.path.isdir(folder) else os.path.dirname(folder)
        for number in range(self.start, min(self.end if self.end is not None else len(names), len(names))):
            self.n_done = number + 1
            if self._numbered(number) and (page := self._read(number, base, names[number])):
                yield page
        if self.end is not None and self.end < len(names):
            self.next_offset = self.end

    def _read(self, number: int, base: str, name: str) -> Capture | None:
        url = self.options.url_prefix + name.replace(os.sep, "/")
        self.progress.fetch()
        try:
            with open(os.path.join(base, name), "rb") as file:
                body = file.read(self.options.max_payload_bytes + 1)
        except OSError as error:
            self.n_records += 1
            self.first_offset = number if self.first_offset is None else self.first_offset
            self._bury(number, 0, url, "read", type(error).__name__, error.strerror or str(error))
            return None
        finally:
            self.progress.fetched()
        return self._take(number, body, url)


@dataclass(slots=True)
class JsonLinesReading(_PageReading):
    """Lines of JSON, compressed or not, each an object with HTML under the key `html_column`."""

    def __iter__(self) -> Iterator[Capture]:
        name = os.fspath(self.source)
        if self.filename is None:
            self.filename = name
        self.progress.fetch()
        file = open_input(name)
        self.progress.fetched()
        self.size = file.size
        try:
            for number, line in enumerate(self._lines(WatchedFile(file, self.progress))):
                if self.end is not None and number >= self.end:
                    self.next_offset = number
                    break
                self.n_done = file.tell()
                if line is not None and not line.removeprefix(b"\xef\xbb\xbf").strip():
                    continue
                if self._numbered(number) and (page := self._page(number, line)):
                    yield page
        finally:
            file.close()

    def _page(self, number: int, line: bytes | None) -> Capture | None:
        try:
            html, url = self._values(line)
        except Unreadable as problem:
            self.n_records += 1
            self.first_offset = number if self.first_offset is None else self.first_offset
            self._bury(number, len(line or b""), None, problem.stage, problem.error, str(problem))
            return None
        return self._take(number, html, url)

    def _values(self, line: bytes | None) -> tuple[str | None, str | None]:
        """HTML and URL of a line. Raises Unreadable."""
        if line is None:
            raise Unreadable("read", "LineTooLong", f"a line of more than {self._longest:,} bytes")
        try:
            row = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise Unreadable("record", "BadJson", f"no JSON: {str(error)[:200]}") from None
        column = self.options.html_column
        if not isinstance(row, dict) or column not in row:
            raise Unreadable("record", "MissingHtml", f"no key {column!r}; name another with --html-column")
        html, url = row[column], row.get(self.options.url_column)
        if html is not None and not isinstance(html, str):
            raise Unreadable("record", "MissingHtml", f"{column!r} is no text")
        return html, url if isinstance(url, str) else None

    @property
    def _longest(self) -> int:
        return 2 * self.options.max_payload_bytes + _SPARE  # JSON escapes quotes

    def _lines(self, file: InputFile) -> Iterator[bytes | None]:
        """The lines of a file, None for one that is too long; a damaged file ends in a dead letter."""
        try:
            yield from _split(_content(file), self._longest)
        except TransferError:
            raise
        except OSError as error:
            self.n_records += 1
            self.broken = True
            self._bury(self.n_records, 0, None, "read", "DamagedFile", str(error))


def _split(pieces: Iterable[bytes], longest: int) -> Iterator[bytes | None]:
    """The lines in pieces of a file, None for one that is too long. They end as the pieces end."""
    held, too_long = b"", False
    for piece in pieces:
        *lines, rest = piece.split(b"\n")
        for line in lines:
            yield None if too_long or len(held) + len(line) > longest else held + line
            held, too_long = b"", False
        held += rest
        if len(held) > longest:
            held, too_long = b"", True
    if held or too_long:
        yield None if too_long else held


def lines_of(name: str, longest: int) -> Iterator[bytes]:
    """The lines of a text file, local or remote, compressed or not. Raises InputError for one that is damaged."""
    file = open_input(name)
    try:
        for line in _split(_content(file), longest):
            if line is None:
                raise InputError(f"{name}: a line of more than {longest:,} bytes")
            yield line
    except TransferError:
        raise
    except OSError as error:
        raise InputError(f"{name}: {error}") from None
    finally:
        file.close()


def _content(file: InputFile) -> Iterator[bytes]:
    """The decompressed content of a file, piece by piece. Raises OSError for a damaged one."""
    import pyarrow as pa

    start = file.read(4)
    file.seek(0)
    codecs = {b"\x1f\x8b": "gzip", b"\x28\xb5": "zstd", b"BZ": "bz2", b"\x04\x22": "lz4"}
    codec: Any = codecs.get(start[:2])
    if codec == "gzip":
        yield from _gunzip(file)
        return
    if codec is None:
        while piece := file.read(_READ_SIZE):
            yield piece
        return
    plain: Any = _Plain(file)
    with pa.CompressedInputStream(pa.PythonFile(plain, mode="r"), codec) as stream:
        while piece := stream.read(_READ_SIZE):
            yield piece


def _gunzip(file: InputFile) -> Iterator[bytes]:
    """The content of a gzip file, all its members; what came before the damage of a broken one, and then OSError.

    pyarrow loses what it has decompressed before an error.
    """
    stream, begun, step = zlib.decompressobj(31), False, _FIRST_STEP
    while piece := file.read(_READ_SIZE):
        view, position = memoryview(piece), 0
        while position < len(view):
            if not begun and view[position] == 0:  # padding
                position += 1
                continue
            begun = True
            # zlib copies what a call leaves over, so the calls begin small: a million tiny members stay cheap.
            given = view[position : position + step]
            try:
                content = stream.decompress(given, _READ_SIZE)
            except zlib.error as error:
                raise OSError(str(error)) from error
            if content:
                yield content
            position += len(given) - len(stream.unused_data if stream.eof else stream.unconsumed_tail)
            step = min(2 * step, _READ_SIZE)
            if stream.eof:
                stream, begun, step = zlib.decompressobj(31), False, _FIRST_STEP
    if begun:
        raise OSError("the file ends inside a gzip member")


class _Plain:
    """An input as pyarrow reads one in order."""

    closed = False

    def __init__(self, file: InputFile) -> None:
        self.read = file.read

    def close(self) -> None:
        """The reading closes the file."""


@dataclass(slots=True)
class ParquetReading(_PageReading):
    """Rows of a Parquet file with HTML, text or binary, in the column `html_column`."""

    def __iter__(self) -> Iterator[Capture]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        name = os.fspath(self.source)
        if self.filename is None:
            self.filename = name
        options = self.options
        self.progress.fetch()
        source = open_input(name)
        try:
            self.size = source.size
            seeking = seekable(WatchedFile(source, self.progress))
            file = pq.ParquetFile(pa.PythonFile(seeking, mode="r"))
            names = file.schema_arrow.names
            if options.html_column not in names:
                shown = ", ".join(map(repr, names[:20]))
                raise InputError(f"{name}: no column {options.html_column!r}; name one with --html-column: {shown}")
            kept = options.html_column == _HTML and _are_kept(file.schema_arrow)
            if not kept:
                # As a dictionary, so that a value that is repeated takes its memory once. Of pages that a run kept
                # none is repeated, and a dictionary of them takes longer than all other reading.
                file = pq.ParquetFile(
                    pa.PythonFile(seeking, mode="r"), metadata=file.metadata, read_dictionary=[options.html_column]
                )
            others = [each for each in (sorted(_KEPT) if kept else [options.url_column]) if each in names]
            number = 0
            for batch in file.iter_batches(batch_size=_ROWS, columns=[options.html_column, *others]):
                rows = batch.select(others).to_pylist()
                for row, html in zip(rows, batch[options.html_column], strict=True):
                    self.n_done = (self.size or 0) * (number + 1) // file.metadata.num_rows
                    if self.end is not None and number >= self.end:
                        self.next_offset = number
                        return
                    if self._numbered(number):
                        page = self._take_kept(number, html, row) if kept else self._take_row(number, html, row)
                        if page:
                            yield page
                    number += 1
        except TransferError:
            raise
        except (pa.ArrowException, OSError) as error:
            self.n_records += 1
            self.broken = True
            self._bury(self.n_records, 0, None, "read", "DamagedFile", str(error).splitlines()[0])
        finally:
            source.close()

    def _take_row(self, number: int, html: Any, row: dict[str, Any]) -> Capture | None:  # noqa: ANN401 (a scalar)
        return self._take(number, _body(html.as_py()), _url(row.get(self.options.url_column)))

    def _take_kept(self, number: int, html: Any, row: dict[str, Any]) -> Capture:  # noqa: ANN401 (a scalar)
        """The page of a row that a run wrote, as it was read then. One that could not be decoded fails again."""
        self.n_records += 1
        self.n_captures += 1
        if self.first_offset is None:
            self.first_offset = number
        charset, source = row.pop("content_charset"), row.pop("charset_source")
        row["url"] = (
            clean_url(row["url"]) or f"{self.options.url_prefix}{os.path.basename(self.filename or '')}#{number}"
        )
        row["warc_filename"] = row["warc_filename"] or ""
        row["warc_record_offset"] = row["warc_record_offset"] or 0
        row["warc_record_length"] = row["warc_record_length"] or 0
        body = html.as_buffer().to_pybytes() if html.is_valid and charset and source else None
        self.n_bytes += len(body or b"")
        return Capture(
            **row,
            record_type="response",
            mime_source="warc",
            http_charset=None,
            payload=body or b"",
            decoded_from=(charset, source) if body is not None else ("", ""),
            place=number,
        )


def _are_kept(schema: pa.Schema) -> bool:
    """Whether a Parquet file of this schema is a table `pages` with the pages themselves."""
    from thresher.schemas import TABLES  # imports pyarrow

    table = TABLES["pages"].to_arrow()
    names = set(schema.names)
    return all(each in names and schema.field(each).type == table.field(each).type for each in (_HTML, *_KEPT))


def _body(value: object) -> bytes | str | None:
    return value if isinstance(value, bytes | str) else None


def _url(value: object) -> str | None:
    return value if isinstance(value, str) else None


def seekable(file: InputFile) -> Any:  # noqa: ANN401 (what pyarrow.PythonFile takes)
    """An opened input as pyarrow reads one from anywhere."""
    return _Seeking(file)


class _Seeking:
    """An input as pyarrow reads one from anywhere."""

    closed = False

    def __init__(self, file: InputFile) -> None:
        self._file = file
        self.tell = file.tell

    def read(self, n: int = -1, /) -> bytes:
        """The next n bytes, fewer only at the end: pyarrow asks once for what it needs."""
        wanted = (self._file.size or 0) - self._file.tell() if n < 0 else n
        pieces: list[bytes] = []
        while wanted > 0 and (piece := self._file.read(wanted)):
            pieces.append(piece)
            wanted -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def close(self) -> None:
        """The reading closes the file."""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to an offset from the beginning, from here, or from the end."""
        base = (0, self._file.tell(), self._file.size or 0)[whence]
        return self._file.seek(base + offset)

    def seekable(self) -> bool:
        return True
