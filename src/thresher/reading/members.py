# SPDX-License-Identifier: Apache-2.0
"""The compressions of archives: how a member begins, and what decompresses it.

A member is what is compressed on its own: a member of gzip, a frame of Zstandard or LZ4. It may hold one record, many,
or a part of one.

A .warc.zst file may begin with a dictionary in a skippable frame, itself compressed or not ("Zstandard Compression for
WARC Files 1.0", IIPC; Archive Team's crawls have one). It is read within a limit.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from isal import isal_zlib

from thresher.reading.files import InputFile, read_at

if TYPE_CHECKING:
    from types import ModuleType

SKIPPABLE: Final = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18", re.DOTALL)
"""What a frame begins with that Zstandard and LZ4 pass over."""
_DICTIONARY: Final = b"\x5d\x2a\x4d\x18"
_FORMATTED: Final = b"\x37\xa4\x30\xec"  # a dictionary with tables of its own begins so
_MAX_DICTIONARY: Final = 16 << 20  # bytes; Archive Team's have 1 MiB
_MAX_SKIPPED: Final = 1000  # skippable frames at the beginning of a file
_MAX_WINDOW: Final = 27  # bits: 128 MiB, the most that zstd takes without --ultra


class Broken(Exception):
    """A file cannot be read on; raised by streams, caught by thresher.reading.records."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset = offset  # of the member, or the byte, that is broken
        self.reason = reason


class CodecError(Exception):
    """What is fed to a decompressor is not of its format."""


class Decompressor(Protocol):
    eof: bool
    """Whether the member has ended."""
    needs_input: bool
    """Whether there is nothing more to give before more comes in."""

    def feed(self, data: bytes | memoryview, most: int, /) -> tuple[bytes, int]:
        """At most so many bytes of the content, and how many bytes of `data` belong to the member and are used up; b""
        with nothing to give yet. Raises CodecError.
        """


@dataclass(frozen=True, slots=True)
class Codec:
    name: str
    magic: bytes
    """What each member begins with; b"" where a stream has one member and no signature."""
    has_frames: bool
    """Whether skippable frames may stand between members."""
    start: Callable[[], Decompressor]
    """What decompresses the next member."""
    front: bytes = b""
    """A skippable frame with the dictionary that all members need."""

    @property
    def member(self) -> str:
        """What one of its members is called."""
        return "frame" if self.has_frames else f"{self.name} member"


class _Inflater:
    """A member of gzip, or a stream of deflate, decompressed by ISA-L in half of the time that zlib takes."""

    def __init__(self, window: int = 31) -> None:
        self._inner = isal_zlib.decompressobj(window)
        self.eof = False
        self.needs_input = True

    def feed(self, data: bytes | memoryview, most: int, /) -> tuple[bytes, int]:
        inner = self._inner
        try:
            out = inner.decompress(data, most)
        except isal_zlib.IsalError as error:  # type: ignore[misc]  # its stub is wrong
            raise CodecError(str(error).split(" ", 2)[-1]) from None  # behind "Error -6"
        self.eof = inner.eof
        self.needs_input = len(out) < most
        return out, len(data) - len(inner.unused_data if self.eof else inner.unconsumed_tail)


class _Frame:
    """A frame, decompressed by an object with the interface of bz2.BZ2Decompressor."""

    def __init__(self, inner: Any, error: type[Exception]) -> None:  # noqa: ANN401 (of two libraries)
        self._inner, self._error = inner, error
        self.eof = False
        self.needs_input = True

    def feed(self, data: bytes | memoryview, most: int, /) -> tuple[bytes, int]:
        # What it holds back it gives first, so that no more than one piece is ever held.
        given = data if self.needs_input else b""
        try:
            out: bytes = self._inner.decompress(given, most)
        except self._error as error:
            raise CodecError(str(error)) from None
        self.eof, self.needs_input = self._inner.eof, self._inner.needs_input
        return out, len(given) - (len(self._inner.unused_data or b"") if self.eof else 0)


def _zstd() -> ModuleType:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def _zstd_frame(dictionary: Any = None) -> Decompressor:  # noqa: ANN401 (a ZstdDict)
    zstd = _zstd()
    options = {zstd.DecompressionParameter.window_log_max: _MAX_WINDOW}
    return _Frame(zstd.ZstdDecompressor(zstd_dict=dictionary, options=options), zstd.ZstdError)


def _lz4_frame() -> Decompressor:
    from lz4.frame import LZ4FrameDecompressor

    return _Frame(LZ4FrameDecompressor(), RuntimeError)


class _BrotliStream:
    """A stream of Brotli."""

    def __init__(self) -> None:
        import brotli

        self._inner, self._error = brotli.Decompressor(), brotli.error
        self.eof = False
        self.needs_input = True

    def feed(self, data: bytes | memoryview, most: int, /) -> tuple[bytes, int]:
        given = data if self.needs_input else b""
        try:
            out: bytes = self._inner.process(given, output_buffer_limit=most)
        except self._error as error:
            raise CodecError(str(error)) from None
        self.eof = self._inner.is_finished()
        self.needs_input = not out and self._inner.can_accept_more_data()  # it accepts more before it has given all
        return out, len(given)


def _bz2_stream() -> Decompressor:
    from bz2 import BZ2Decompressor

    return _Frame(BZ2Decompressor(), OSError)


GZIP: Final = Codec("gzip", b"\x1f\x8b\x08", has_frames=False, start=_Inflater)
ZSTD: Final = Codec("zstd", b"\x28\xb5\x2f\xfd", has_frames=True, start=_zstd_frame)
LZ4: Final = Codec("lz4", b"\x04\x22\x4d\x18", has_frames=True, start=_lz4_frame)
CODECS: Final = {each.name: each for each in (GZIP, ZSTD, LZ4)}
"""Those that archives have."""
BZ2: Final = Codec("bz2", b"BZh", has_frames=False, start=_bz2_stream)
# What only bodies of HTTP have.
ZLIB: Final = Codec("deflate", b"", has_frames=False, start=partial(_Inflater, 15))
RAW_DEFLATE: Final = Codec("deflate", b"", has_frames=False, start=partial(_Inflater, -15))
BROTLI: Final = Codec("br", b"", has_frames=False, start=_BrotliStream)


def codec_of(file: InputFile, magic: bytes) -> tuple[Codec | None, int]:
    """The compression of a file that begins with `magic`, None if it has none; and where its first member begins.

    Raises Broken for a dictionary that cannot be read.
    """
    if magic.startswith(GZIP.magic):
        return GZIP, 0
    if magic.startswith(LZ4.magic):
        return LZ4, 0
    if not magic.startswith(ZSTD.magic) and not SKIPPABLE.match(magic):
        return None, 0
    front, dictionary, position = _dictionary_of(file)
    if read_at(file, position, len(LZ4.magic)) == LZ4.magic:
        return LZ4, position
    return _with_dictionary(front, dictionary), position


def codec_there(start: bytes, codec: Codec | None) -> Codec | None:
    """The compression of what begins with `start` in a file that was compressed with `codec` before."""
    if codec is None or not (start.startswith(codec.magic) or (codec.has_frames and SKIPPABLE.match(start))):
        for other in CODECS.values():
            if start.startswith(other.magic):
                return other
    return None if start.startswith(b"WARC/") else codec


def _with_dictionary(front: bytes, dictionary: bytes) -> Codec:
    if not front:
        return ZSTD
    zstd = _zstd()
    try:
        known = zstd.ZstdDict(dictionary, is_raw=not dictionary.startswith(_FORMATTED))
        _zstd_frame(known)  # its tables are read only now
    except (zstd.ZstdError, ValueError) as error:
        raise Broken(0, f"broken dictionary: {error}") from None
    return replace(ZSTD, front=front, start=partial(_zstd_frame, known))


def _dictionary_of(file: InputFile) -> tuple[bytes, bytes, int]:
    """The dictionary of a file of Zstandard, as a skippable frame and as it is (b"" where it has none), and the offset
    of the first frame that is not skippable. Raises Broken for a dictionary that cannot be read, or is too large.
    """
    frame, dictionary, position = b"", b"", 0
    for _ in range(_MAX_SKIPPED):
        head = read_at(file, position, 8)
        if not SKIPPABLE.match(head) or len(head) < 8:
            break
        size = int.from_bytes(head[4:], "little")
        if head.startswith(_DICTIONARY) and not frame:
            if size > _MAX_DICTIONARY:
                raise Broken(0, f"a dictionary of {size:,} bytes, more than {_MAX_DICTIONARY:,}")
            dictionary = _decompressed(read_at(file, position + 8, size))
            frame = _DICTIONARY + len(dictionary).to_bytes(4, "little") + dictionary
        position += 8 + size
    return frame, dictionary, position


def _decompressed(dictionary: bytes) -> bytes:
    if not dictionary.startswith(ZSTD.magic):
        return dictionary
    try:
        found, _ = _zstd_frame().feed(dictionary, _MAX_DICTIONARY + 1)
    except CodecError as error:
        raise Broken(0, f"broken dictionary: {error}") from None
    if len(found) > _MAX_DICTIONARY:
        raise Broken(0, f"a dictionary of more than {_MAX_DICTIONARY:,} bytes")
    return found
