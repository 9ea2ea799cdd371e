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
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from thresher.errors import InputError, TransferError
from thresher.file_kinds import binary_kind
from thresher.options import CaptureOptions
from thresher.reading.captures import Capture, DeadLetter, LeftOut, Outcome, Reading, Unreadable, clean_url
from thresher.reading.files import InputFile, Seekable
from thresher.reading.folders import html_files
from thresher.reading.names import local_path, scheme_of
from thresher.reading.opening import open_input
from thresher.reading.parquet_pages import stated_pages
from thresher.reading.payload import PayloadError, gunzip
from thresher.reading.progress import PageGivenUp
from thresher.reading.text_files import content_of, split_lines

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_PIECE: Final = 64 << 10  # bytes of decompressed content that show whether lines have a key
_ROWS_AHEAD: Final = 1024  # of row groups whose sizes are looked at together
# Bytes of a Parquet page, which may hold a thousand pages of HTML, if none is too large.
_LARGE_PAGE: Final = 256 << 20
_LARGEST_PAGE: Final = 1 << 30  # bytes; pyarrow takes three times as much
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
_NUMBER: Final = "warc_record_number"  # another one, which tables of earlier versions lack


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
        return self.n_bytes

    def _count(self, number: int) -> None:
        self.n_records += 1
        if self.first_offset is None:
            self.first_offset = number

    def _lose(self, number: int, n: int, url: str | None, stage: str, error: str, message: str) -> DeadLetter:
        """A page of so many bytes that cannot be read, counted."""
        self._count(number)
        return self._lost(number, n, url, stage, error, message)

    def _lose_rest(self, why: str) -> DeadLetter:
        """What is behind the pages of a damaged file, counted."""
        self.n_records += 1
        return self._lost(self.n_records, 0, None, "read", "DamagedFile", why)

    def _url_of(self, number: int, url: str | None) -> str:
        """The address of a page, or a name for one that has none."""
        return clean_url(url) or f"{self.options.url_prefix}{os.path.basename(self.filename or '')}#{number}"

    def _take(self, number: int, body: bytes | str | None, url: str | None) -> Outcome:
        """What becomes of the page with this number, counted."""
        self._count(number)
        charset = None
        if isinstance(body, str):
            body, charset = body.encode("utf-8", "replace"), "utf-8"
        n = len(body or b"")
        self.n_bytes += n
        url = self._url_of(number, url)
        if body is None or not body.strip():
            return LeftOut(self.filename or "", number, n, url, "empty")
        limit, problem = self.options.max_payload_bytes, None
        try:
            body, problem = gunzip(body, limit)
        except PayloadError as error:
            return self._lost(number, n, url, "decode", "PayloadError", str(error))
        if binary_kind(body):
            return LeftOut(self.filename or "", number, n, url, "not_html")
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

    def _given_up(self, number: int) -> DeadLetter | None:
        """Reports a number to whoever watches, before the page is read. A dead letter if it must not be read."""
        try:
            self.progress.record(number)
        except PageGivenUp as problem:
            return self._lose(number, 0, None, "worker", type(problem).__name__, str(problem))
        return None


@dataclass(slots=True)
class FolderReading(_PageReading):
    def outcomes(self) -> Iterator[Outcome]:
        folder = local_path(os.fspath(self.source))
        names = html_files(folder)
        self.size = len(names)
        base = folder if os.path.isdir(folder) else os.path.dirname(folder)
        for number in range(self.start, min(self.end if self.end is not None else len(names), len(names))):
            self.n_done = number + 1
            yield self._given_up(number) or self._read(number, base, names[number])
        if self.end is not None and self.end < len(names):
            self.next_offset = self.end

    def _read(self, number: int, base: str, name: str) -> Outcome:
        url = self.options.url_prefix + name.replace(os.sep, "/")
        self.progress.fetch()
        try:
            with open(os.path.join(base, name), "rb") as file:
                body = file.read(self.options.max_payload_bytes + 1)
        except OSError as error:
            return self._lose(number, 0, url, "read", type(error).__name__, error.strerror or str(error))
        finally:
            self.progress.fetched()
        return self._take(number, body, url)


@dataclass(slots=True)
class JsonLinesReading(_PageReading):
    """Lines of JSON, compressed or not, each an object with HTML under the key `html_column`."""

    def outcomes(self) -> Iterator[Outcome]:
        with closing(self._open()) as file:
            check_keys(os.fspath(self.source), self.options)
            try:
                for number, line in enumerate(split_lines(content_of(file), self._longest)):
                    if self.end is not None and number >= self.end:
                        self.next_offset = number
                        break
                    self.n_done = file.tell()
                    is_blank = line is not None and not line.removeprefix(b"\xef\xbb\xbf").strip()
                    if number >= self.start and not is_blank:
                        yield self._given_up(number) or self._page(number, line)
                if file.damage:
                    yield self._lose_rest(file.damage)
            except TransferError:
                raise
            except OSError as error:
                yield self._lose_rest(str(error))

    def _page(self, number: int, line: bytes | None) -> Outcome:
        try:
            html, url = self._values(line)
        except Unreadable as problem:
            return self._lose(number, len(line or b""), None, problem.stage, problem.error, str(problem))
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
        if isinstance(url, str | None):
            return html, url
        if _is_named(self.options.url_column):
            raise Unreadable("record", "MissingUrl", f"{self.options.url_column!r} is no text")
        return html, None

    @property
    def _longest(self) -> int:
        return 2 * self.options.max_payload_bytes + _SPARE  # JSON escapes quotes


def has_key(name: str, key: str) -> bool:
    """Whether the first lines of JSON Lines have a key. True if that cannot be said."""
    start = _first_lines(name)
    return start is None or _holds(start, key)


def check_keys(name: str, options: CaptureOptions) -> None:
    """Raises InputError for JSON Lines whose first lines lack the key of URLs, if the options name another than the
    usual one.
    """
    key = options.url_column
    start = _first_lines(name) if _is_named(key) else None
    if not start or _holds(start, key):
        return
    keys: object = None
    with suppress(ValueError, RecursionError):
        keys = json.loads(start.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0])
    shown = _shown(keys) if isinstance(keys, dict) else "the first line is no object"
    raise InputError(f"{name}: no key {key!r} in the first lines; name one with --url-column: {shown}")


def _first_lines(name: str) -> bytes | None:
    """The beginning of JSON Lines, decompressed; None for a damaged file, and if the first line is longer than that."""
    start = b""
    with closing(open_input(name)) as file:
        try:
            for piece in content_of(file):
                start += piece
                if len(start) >= _PIECE:
                    break
        except OSError:
            return None
    return start if b"\n" in start or len(start) < _PIECE else None


def _holds(lines: bytes, key: str) -> bool:
    return json.dumps(key).encode() in lines or json.dumps(key, ensure_ascii=False).encode() in lines


def _is_named(url_column: str) -> bool:
    """Whether the column of URLs was named, so that pages must have it."""
    return url_column != CaptureOptions().url_column


def _shown(names: Iterable[str]) -> str:
    return ", ".join(map(repr, islice(names, 20)))


@dataclass(slots=True)
class ParquetReading(_PageReading):
    """Rows of a Parquet file with HTML, text or binary, in the column `html_column`."""

    def outcomes(self) -> Iterator[Outcome]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        options, source = self.options, self._open()
        try:
            seeking: Any = Seekable(source)
            file = pq.ParquetFile(pa.PythonFile(seeking, mode="r"))
            names = file.schema_arrow.names
            _check_columns(os.fspath(self.source), file.schema_arrow, options)
            kept = options.html_column == _HTML and _are_kept(file.schema_arrow)
            others = [each for each in (_columns_kept() if kept else [options.url_column]) if each in names]
            number = 0
            for groups, n_lost in self._groups(file.metadata, source, [options.html_column, *others]):
                if n_lost:
                    yield from self._lose_rows(number, n_lost)
                    number += n_lost
                    continue
                # Row by row: a large value that is repeated is then in memory once. It costs .04 ms a page.
                for batch in file.iter_batches(1, groups, [options.html_column, *others]):
                    self.n_done = (self.size or 0) * (number + 1) // file.metadata.num_rows
                    if self.end is not None and number >= self.end:
                        self.next_offset = number
                        return
                    if number >= self.start:
                        yield self._given_up(number) or self._cell(number, batch, others, kept=kept)
                    number += 1
        except TransferError:
            raise
        except (pa.ArrowException, OSError) as error:
            yield self._lose_rest(str(error).splitlines()[0])
        finally:
            source.close()

    def _groups(
        self, metadata: pq.FileMetaData, file: InputFile, columns: list[str]
    ) -> Iterator[tuple[list[int], int]]:
        """The row groups in order, as many at a time as have _ROWS_AHEAD rows: (their numbers, 0), or for one with a
        value too large to be read ([], its rows).
        """
        held: list[int] = []
        n_rows = 0
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            if self._is_too_large(group, file, columns):
                if held:
                    yield held, 0
                held, n_rows = [], 0
                yield [], group.num_rows
                continue
            held.append(number)
            n_rows += group.num_rows
            if n_rows >= _ROWS_AHEAD:
                yield held, 0
                held, n_rows = [], 0
        if held:
            yield held, 0

    def _is_too_large(self, group: pq.RowGroupMetaData, file: InputFile, columns: list[str]) -> bool:
        """Whether a page of a row group would take more memory than pages of HTML do.

        The headers of local files are read, because the footer may understate; of remote ones, where each would be a
        request, only those of columns that are large by the footer.
        """
        for number in range(group.num_columns):
            column = group.column(number)
            if column.path_in_schema not in columns:
                continue
            if scheme_of(os.fspath(self.source)) and column.total_uncompressed_size <= _LARGE_PAGE:
                continue
            for page in stated_pages(file, column):
                of_values = page.n_bytes > page.n_values * self.options.max_payload_bytes
                if page.n_bytes > _LARGEST_PAGE or (page.n_bytes > _LARGE_PAGE and of_values):
                    return True
        return False

    def _lose_rows(self, number: int, n_rows: int) -> Iterator[DeadLetter]:
        """A dead letter for each row of a row group that cannot be read."""
        end = number + n_rows if self.end is None else min(number + n_rows, self.end)
        for each in range(max(number, self.start), end):
            message = "in a row group with a value too large to be read"
            yield self._lose(each, 0, None, "record", "ValueTooLarge", message)

    def _cell(self, number: int, batch: pa.RecordBatch, others: list[str], *, kept: bool) -> Outcome:
        """What becomes of the page in a batch of one row."""
        html = batch[self.options.html_column][0]
        try:
            row = batch.select(others).to_pylist()[0]
        except (ValueError, OverflowError) as error:
            return self._lose(number, 0, None, "record", "BadCell", f"a value cannot be read: {type(error).__name__}")
        if kept:
            return self._take_kept(number, html, row)
        try:
            body, url = _body(html.as_py()), _url(row.get(self.options.url_column))
        except ValueError as error:
            return self._lose(number, 0, None, "record", "BadCell", f"a value is no UTF-8: {type(error).__name__}")
        return self._take(number, body, url)

    def _take_kept(self, number: int, html: Any, row: dict[str, Any]) -> Capture:  # noqa: ANN401 (a scalar)
        """The page of a row that a run wrote, as it was read then. One that could not be decoded fails again."""
        from thresher.schemas.pages import RIGHTS

        self._count(number)
        charset, source = row.pop("content_charset"), row.pop("charset_source")
        row["url"] = self._url_of(number, row["url"])
        row["warc_filename"] = row["warc_filename"] or ""
        row["warc_record_offset"] = row["warc_record_offset"] or 0
        row[_NUMBER] = row.get(_NUMBER) or 0
        row["warc_record_length"] = row["warc_record_length"] or 0
        body = html.as_buffer().to_pybytes() if html.is_valid and charset and source else None
        self.n_bytes += len(body or b"")
        rights = {name: row.pop(name) for name in RIGHTS if name in row}
        return Capture(
            **row,
            record_type="response",
            mime_source="warc",
            http_charset=None,
            payload=body or b"",
            decoded_from=(charset, source) if body is not None else ("", ""),
            rights=rights or None,
            place=number,
        )


def _columns_kept() -> list[str]:
    """The columns that a capture is made of again, those included that only some runs write."""
    from thresher.schemas.pages import RENDERED, RIGHTS  # imports pyarrow

    return [*sorted({*_KEPT, _NUMBER}), *RIGHTS, RENDERED]


def _are_kept(schema: pa.Schema) -> bool:
    """Whether a Parquet file of this schema is a table `pages` with the pages themselves."""
    from thresher.schemas import TABLES  # imports pyarrow

    table = TABLES["pages"].to_arrow()
    names = Counter(schema.names)
    return all(names[each] == 1 and schema.field(each).type == table.field(each).type for each in (_HTML, *_KEPT))


def check_columns(name: str, options: CaptureOptions) -> None:
    """Raises InputError for a local Parquet file whose columns cannot be those of pages."""
    if (schema := _schema_of(name)) is not None:
        _check_columns(name, schema, options)


def check_html_column(name: str, options: CaptureOptions) -> None:
    """Raises InputError for a local Parquet file without a column of HTML."""
    if (schema := _schema_of(name)) is not None:
        _check_column(name, schema, options.html_column, "--html-column")


def _schema_of(name: str) -> pa.Schema | None:
    """The columns of a local Parquet file; None for a damaged one, which is a dead letter of the run."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with suppress(OSError, pa.ArrowException):
        return pq.read_schema(local_path(name))
    return None


def _check_columns(name: str, schema: pa.Schema, options: CaptureOptions) -> None:
    _check_column(name, schema, options.html_column, "--html-column")
    if options.url_column in schema.names or _is_named(options.url_column):
        _check_column(name, schema, options.url_column, "--url-column")


def _check_column(name: str, schema: pa.Schema, column: str, option: str) -> None:
    import pyarrow as pa

    n = schema.names.count(column)
    if not n:
        raise InputError(f"{name}: no column {column!r}; name one with {option}: {_shown(schema.names)}")
    if n > 1:
        raise InputError(f"{name}: several columns {column!r}; name another with {option}")
    is_: Any = pa.types
    kinds = (
        *(is_.is_string, is_.is_large_string, is_.is_string_view, is_.is_null),
        *(is_.is_binary, is_.is_large_binary, is_.is_binary_view, is_.is_fixed_size_binary),
    )
    kind = schema.field(column).type
    if is_.is_dictionary(kind):
        kind = kind.value_type
    if not any(is_kind(kind) for is_kind in kinds):
        raise InputError(f"{name}: column {column!r} is no text but {kind}; name another with {option}")


def _body(value: object) -> bytes | str | None:
    return value if isinstance(value, bytes | str) else None


def _url(value: object) -> str | None:
    """Raises ValueError for bytes that are no UTF-8."""
    return value.decode() if isinstance(value, bytes) else value if isinstance(value, str) else None
