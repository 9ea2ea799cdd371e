# SPDX-License-Identifier: Apache-2.0
"""WACZ: a ZIP file with WARCs in its folder archive/. They are read where they lie; nothing is unpacked to disk.

A member is named `crawl.wacz!archive/data.warc.gz`, whether the WACZ is local or behind a URL. Members that are stored
(as the format recommends) can be read from anywhere, in several partitions. Compressed ones are read from their
beginning in one go.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from typing import IO, Final

from thresher.errors import InputError, TransferError
from thresher.reading.files import InputFile, ReadAt, Seekable
from thresher.reading.names import WACZ_MEMBER, WARC_SUFFIXES
from thresher.reading.transfers import DamagedMember
from thresher.terminal import one_line

_MAX_MEMBERS: Final = 100_000
_MAX_DIRECTORY: Final = 64 << 20  # bytes of the list of members
_MAX_RATIO: Final = 200  # of a compressed member; WARCs of text reach 20
_FREE: Final = 64 << 20  # bytes that a member may hold whatever its ratio is
_INFLATED: Final = 4096  # bytes that are inflated at a time: so many are lost before damage
_END_RECORD: Final = 22  # bytes of the record that ends a ZIP file, without its comment
_END: Final = _END_RECORD + (1 << 16)  # bytes at the end of a ZIP file that tell where the list of members is


def wacz_members(name: str, opened: InputFile) -> list[str]:
    """The names of the WARCs in an opened WACZ, in order, which is then closed. Raises InputError for a file that is
    none, or that plays tricks.
    """
    with _Zip(opened) as file, _open_zip(name, file) as archive:
        infos = archive.infolist()
        if len(infos) > _MAX_MEMBERS:
            raise InputError(f"{name}: lists {len(infos):,} files, more than {_MAX_MEMBERS:,}")
        if sum(info.compress_size for info in infos) > file.seek(0, io.SEEK_END):
            raise InputError(f"{name}: its files overlap; this WACZ is not to be trusted")
        seen: set[str] = set()
        for info in infos:
            _check(name, info)
            if info.filename in seen:
                raise InputError(f"{name}: lists {one_line(info.filename)} twice")
            seen.add(info.filename)
        found = sorted(each for each in seen if each.startswith("archive/") and each.lower().endswith(WARC_SUFFIXES))
    if not found:
        raise InputError(f"{name}: no WARC in its folder archive/")
    return [f"{name}!{each}" for each in found]


def open_member(name: str, opened: InputFile) -> InputFile:
    """A WARC in an opened WACZ, which is closed with it."""
    found = WACZ_MEMBER.fullmatch(name)
    if found is None:
        raise InputError(f"{name}: no member of a WACZ")
    outer = _Zip(opened)
    try:
        with _open_zip(found[1], outer) as archive:
            try:
                info = archive.getinfo(found[2])
            except KeyError:
                raise InputError(f"{name}: the WACZ has no such file") from None
            _check(found[1], info)
            if info.compress_type != zipfile.ZIP_STORED:
                return _Compressed(name, outer, info)
            with archive.open(info):  # checks the member's own header
                start = _data_start(name, outer, info)
        return _stored(outer, start, info.file_size)
    except (TransferError, InputError):
        outer.close()
        raise
    except _DAMAGE as error:
        # What is wrong with one member is no fault of the others.
        outer.close()
        raise DamagedMember(f"{name}: damaged ZIP file ({one_line(str(error), 200)})") from error


def _open_zip(name: str, file: _Zip) -> zipfile.ZipFile:
    """The ZIP file, its list of members read."""
    try:
        _check_directory(name, file)
        file.is_opening = True
        return zipfile.ZipFile(file)
    except TransferError:
        raise
    except InputError as error:
        raise error if str(error).startswith(name) else InputError(f"{name}: {error}") from None
    except (zipfile.BadZipFile, OSError, ValueError, OverflowError, EOFError, NotImplementedError) as error:
        raise InputError(f"{name}: no WACZ ({error})") from error
    finally:
        file.is_opening = False


def _check_directory(name: str, file: _Zip) -> None:
    """Raises InputError where the list of members is too large to be read into memory."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _END))
    end = file.read(_END)
    at = end.rfind(b"PK\5\6")
    if at < 0 or len(end) - at < _END_RECORD:
        raise InputError(f"{name}: no WACZ (it does not end as a ZIP file does; it may be cut off)")
    stated = int.from_bytes(end[at + 12 : at + 16], "little")
    large = end.rfind(b"PK\6\6", 0, at)
    if stated == 0xFFFFFFFF:
        stated = int.from_bytes(end[large + 40 : large + 48], "little") if large >= 0 else _MAX_DIRECTORY + 1
    if stated > _MAX_DIRECTORY:
        raise InputError(f"{name}: its list of files has {stated:,} bytes, more than {_MAX_DIRECTORY:,}")


def _check(name: str, info: zipfile.ZipInfo) -> None:
    """Raises InputError for a member that is a trick, or that cannot be read."""
    inside = info.orig_filename
    shown = f"{name}: {one_line(inside)}"
    parts = re.split(r"[/\\]", inside)
    if ".." in parts or inside.startswith(("/", "\\")) or ":" in inside or "\0" in inside or "\\" in inside:
        raise InputError(f"{shown} lies outside the archive; this WACZ is not to be trusted")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(f"{shown} is compressed with method {info.compress_type}, which WACZ does not use")
    if info.flag_bits & 1:
        raise InputError(f"{shown} is encrypted")
    if info.file_size > _FREE + _MAX_RATIO * info.compress_size:
        raise InputError(
            f"{shown} is said to grow from {info.compress_size:,} to {info.file_size:,} bytes; this WACZ is not to be "
            "trusted"
        )


def _data_start(name: str, file: _Zip, info: zipfile.ZipInfo) -> int:
    """Where a member's bytes begin: behind its own header, whose two lengths may differ from those in the list."""
    file.seek(info.header_offset)
    header = file.read(30)
    if len(header) < 30 or header[:4] != b"PK\3\4":
        raise DamagedMember(f"{name}: damaged ZIP file (no header at {info.header_offset:,})")
    return info.header_offset + 30 + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")


_DAMAGE: Final = (
    zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, OSError, struct.error
)  # fmt: skip


class _Zip(Seekable):
    """An opened WACZ as Python's zipfile reads it. Raises InputError if its size is not known."""

    def __init__(self, file: InputFile) -> None:
        super().__init__(file, file.close)
        if file.size is None:
            self.close()
            raise InputError("a WACZ can only be read where its size is known; download it first")
        self.is_opening = False  # the list of members is being read, whose length several records state

    def read(self, n: int | None = -1, /) -> bytes:
        if self.is_opening and n is not None and min(n, self._size - self.tell()) > _MAX_DIRECTORY:
            raise InputError(f"its list of files has {n:,} bytes, more than {_MAX_DIRECTORY:,}")
        return super().read(n)


def _stored(outer: _Zip, start: int, size: int) -> InputFile:
    """A member that is not compressed: a stretch of the WACZ."""

    def fetch(position: int, n: int) -> bytes:
        outer.seek(start + position)
        return outer.read(n)

    return ReadAt(size, fetch, outer.close)


class _Compressed:
    """A compressed member: seeking backwards begins anew. A damaged one ends where the damage is, and says so."""

    def __init__(self, name: str, outer: _Zip, info: zipfile.ZipInfo) -> None:
        self.size: int | None = None  # so that nobody splits it
        self._name, self._outer, self._info = name, outer, info
        self._position = 0
        self.damage: str | None = None
        """What is wrong with it, as far as it was read."""
        self._file = self._open()

    def _open(self) -> IO[bytes]:
        self._archive = _open_zip(self._name, self._outer)
        return self._archive.open(self._info)

    def read(self, n: int = -1, /) -> bytes:
        left = self._info.file_size - self._position
        wanted = left if n < 0 else min(n, left)
        pieces = []
        while wanted > 0 and not self.damage:
            try:
                piece = self._file.read(min(wanted, _INFLATED))
            except (zipfile.BadZipFile, zlib.error, EOFError) as error:
                self.damage = f"{self._name}: damaged ZIP file ({one_line(str(error), 200)})"
                break
            if not piece:
                break
            pieces.append(piece)
            wanted -= len(piece)
            self._position += len(piece)
        return b"".join(pieces)

    def seek(self, position: int, /) -> int:
        if position < self._position:
            self._file = self._open()
            self._position, self.damage = 0, None
        while self._position < position and self.read(min(position - self._position, 1 << 20)):
            pass
        return self._position

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        self._outer.close()
