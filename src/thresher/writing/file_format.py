# SPDX-License-Identifier: Apache-2.0
"""How the files of each table are written: format, codec, and the suffix that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from thresher.address import PAGE_KEY
from thresher.config import JSON_LINES
from thresher.schemas import ASKED, TABLES
from thresher.schemas.hosts import TABLE as HOSTS
from thresher.schemas.skipped import PASSED_ON

if TYPE_CHECKING:
    from thresher.config import Configuration

_NAMED: Final = ("url", "fetch_time", *PAGE_KEY, "text")  # what the id of a page is made of
COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "wet": (*_NAMED, "warc_record_id", "language"),
    **dict.fromkeys(("dolma", "datatrove"), (*_NAMED, "date")),
}
"""The columns that a file of a format is made of, where these are not simply those that are written."""

_SUFFIXES: Final = {**dict.fromkeys(JSON_LINES, "jsonl"), "csv": "csv", "wet": "warc.wet", "warc": "warc"}
_CODECS: Final = {"wet": "gzip", "csv": "none"}  # of formats that are not compressed with Zstandard by default
_ENDINGS: Final = {"zstd": ".zst", "gzip": ".gz"}


@dataclass(frozen=True, slots=True)
class FileFormat:
    format: str  # a key of _FORMATS in tables.py
    codec: str | None
    level: int | None = None
    text_format: str = "text"  # what the column `text` holds
    columns: tuple[str, ...] = ()  # as they were asked for

    @property
    def suffix(self) -> str:
        return _SUFFIXES.get(self.format, self.format) + (_ENDINGS.get(self.codec or "", "") if self.is_text else "")

    @property
    def is_text(self) -> bool:
        """Whether the files are text that is compressed as a whole, not tables with a schema."""
        return self.format in _SUFFIXES


class TextFile:
    def __init__(self, stream: Any, form: FileFormat) -> None:  # noqa: ANN401 (pyarrow's streams)
        import pyarrow as pa

        codec: Any = form.codec
        self._stream = pa.CompressedOutputStream(stream, codec) if codec else stream
        self._close = bool(codec)

    def close(self) -> None:
        """Writes what a compressed stream ends with."""
        if self._close:
            self._stream.close()


def formats_of(configuration: Configuration | None) -> dict[str, FileFormat]:
    """How the files of each table that a run has, and of documents that it passes on, are written; of all tables, if
    the configuration is not known.
    """
    if configuration is None:
        return dict.fromkeys(TABLES, FileFormat("parquet", "zstd"))
    write = configuration.write
    codec = write.compression if write.compression != "auto" else _CODECS.get(write.to, "zstd")
    level = write.compression_level if codec in {"zstd", "gzip"} else None
    tables = FileFormat("parquet", codec if write.to == "parquet" else "zstd", level)
    pages = FileFormat(write.to, None if codec == "none" else codec, level, configuration.extract.format, write.columns)
    asked = (*write.also, *((HOSTS.name,) if configuration.read.robots else ()))
    formats = {table: tables for table in TABLES if table not in ASKED or table in asked}
    if write.to != "parquet":
        formats["pages"] = pages
    if write.to == "jsonl":
        formats |= dict.fromkeys(asked, pages)
    if write.pass_on:
        formats[PASSED_ON] = FileFormat("warc", None if codec == "none" else "gzip", write.compression_level)
    return formats
