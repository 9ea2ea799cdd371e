# SPDX-License-Identifier: Apache-2.0
"""An input as a value: where it lies, what it is, how it is split, and how it is read.

It is made once, where a command or a function of the API takes it (listing.py), and asked from then on. again.py reads
its records again, by their addresses.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Final

from thresher.errors import InputError, TransferError
from thresher.options import CaptureOptions
from thresher.reading.captures import Reading, WarcReading
from thresher.reading.files import InputFile
from thresher.reading.folders import html_files
from thresher.reading.kinds import FOLDER, JSON_LINES, PARQUET, RANGES, WARC, WET, codec_by_name, kind_of
from thresher.reading.names import WACZ_MEMBER, absolute, local_path, scheme_of
from thresher.reading.opening import open_input

# Where the readers other than that of archives are, which are imported when an input needs them.
_READINGS: Final = {
    FOLDER: ("pages", "FolderReading"),
    JSON_LINES: ("pages", "JsonLinesReading"),
    PARQUET: ("pages", "ParquetReading"),
    RANGES: ("ranges", "RangesReading"),
}
_FILES: Final = 1000  # of a folder in one partition


@dataclass(frozen=True, slots=True)
class Input:
    location: str
    """A path or URL; of a WARC in a WACZ both names, "crawl.wacz!archive/data.warc.gz"."""
    kind: str
    """What it is: a kind of thresher.reading.kinds."""
    codec: str = ""
    """How it is compressed: gzip, zstd, lz4, bz2, or "" where it is not."""

    @classmethod
    def of(cls, location: str) -> Input:
        """The input at a path or URL, known by its name, or where that does not tell by the beginning of a local file.

        Raises InputError for a file that holds no pages, such as an image, or that cannot be opened.
        """
        return cls(location, *kind_of(location))

    @classmethod
    def named(cls, location: str) -> Input:
        """The same, and where it cannot be opened a WARC: whoever reads it says what is wrong."""
        try:
            return cls.of(location)
        except (InputError, TransferError):
            return cls(location, WARC, codec_by_name(location))

    def __str__(self) -> str:
        return self.location

    @property
    def is_remote(self) -> bool:
        """Whether it lies on another machine, so that opening it is a request."""
        return bool(scheme_of(self.location))

    @property
    def is_archive(self) -> bool:
        """Whether its records have offsets."""
        return self.kind in (WARC, WET)

    def absolute(self) -> Input:
        """The input, named so that processes in other working folders find it."""
        return replace(self, location=absolute(self.location))

    def open(self) -> InputFile:
        return open_input(self.location)

    def read(
        self, options: CaptureOptions, start: int = 0, end: int | None = None, *, filename: str | None = None
    ) -> Reading:
        """One reading of it; see Reading for `start`, `end` and `filename`."""
        if self.kind not in _READINGS:
            return self.archive(options, start, end, filename=filename)
        module, name = _READINGS[self.kind]
        reading: type[Reading] = getattr(import_module(f"thresher.reading.{module}"), name)
        return reading(self.location, options, start, end, filename)

    def archive(
        self,
        options: CaptureOptions,
        start: int = 0,
        end: int | None = None,
        *,
        filename: str | None = None,
        enters: bool = False,
    ) -> WarcReading:
        """The same of an archive. In a WET, records of type `conversion` are pages of plain text."""
        if self.kind == WET:
            options = replace(options, record_types=options.record_types | {"conversion"})
        return WarcReading(self.location, options, start, end, filename, enters=enters)

    def size(self) -> int | None:
        """The size by which it is split: bytes, or the number of files in a folder; None if unknown.

        Asks the server of a remote input, so only workers call it for those. Raises InputError or TransferError.
        """
        if self.kind == FOLDER:
            return len(html_files(local_path(self.location)))
        if self.kind == RANGES:
            return int(import_module("thresher.reading.ranges").ranges_size(self.location))
        with closing(self.open()) as file:
            return file.size

    def known_size(self) -> int | None:
        """size(), None if it cannot be found out: the worker that opens the input says what is wrong."""
        try:
            return self.size()
        except (InputError, TransferError):
            return None

    def names_digest(self) -> str | None:
        """A digest of the names of a folder's HTML files, by whose order they are numbered; None of any other input."""
        if self.kind != FOLDER:
            return None
        names = "\n".join(html_files(local_path(self.location)))
        return hashlib.sha256(names.encode("utf-8", "surrogateescape")).hexdigest()

    def local_bytes(self) -> int | None:
        """Bytes of a local input; of a folder those of its HTML files. None for one that cannot be read."""
        path = local_path(self.location)
        try:
            if WACZ_MEMBER.fullmatch(self.location):
                return self.known_size()
            if self.kind == FOLDER and os.path.isdir(path):
                return sum(os.path.getsize(os.path.join(path, name)) for name in html_files(path))
            return os.path.getsize(path)
        except (OSError, InputError):
            return None

    def step(self, split_bytes: int) -> tuple[int | None, bool]:
        """(how much of it a partition has, None if it is not split; whether that is counted in bytes).

        Only gzip archives are split, one member for each record, ranges of archives, and folders.
        """
        if self.kind == FOLDER:
            return _FILES, False
        is_split = self.kind == RANGES or (self.is_archive and self.codec == "gzip")
        return (split_bytes if is_split else None), True
