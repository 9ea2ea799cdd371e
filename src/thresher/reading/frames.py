# SPDX-License-Identifier: Apache-2.0
"""Archives in Zstandard and LZ4 as FastWARC reads them: their dictionary, and where their frames begin.

A .warc.zst file may begin with a dictionary in a skippable frame, itself compressed or not ("Zstandard Compression for
WARC Files 1.0", IIPC; Archive Team's crawls have one). FastWARC takes a dictionary from the beginning of what it reads,
however much that is decompressed. Here it is read within a limit, and given to FastWARC again wherever reading begins.
"""

from __future__ import annotations

import io
import re
from typing import Final

from thresher.reading.files import InputFile
from thresher.reading.streams import Broken, read_at

__all__ = ["FRAMES", "LZ4", "SKIPPABLE", "ZSTD", "FramesFrom", "dictionary_of", "next_frame"]

ZSTD: Final = b"\x28\xb5\x2f\xfd"
LZ4: Final = b"\x04\x22\x4d\x18"
FRAMES: Final = (ZSTD, LZ4)
SKIPPABLE: Final = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18", re.DOTALL)
DICTIONARY: Final = b"\x5d\x2a\x4d\x18"
MAX_DICTIONARY: Final = 16 << 20  # bytes; Archive Team's have 1 MiB
MAX_SKIPPED: Final = 1000  # skippable frames at the beginning of a file
PIECE: Final = 256 << 10  # bytes read at a time


def dictionary_of(file: InputFile) -> tuple[bytes, int]:
    """The skippable frame with the dictionary of a file, decompressed (b"" where it has none), and the offset of the
    first frame that is not skippable. Raises Broken for a dictionary that cannot be read, or is over MAX_DICTIONARY.
    """
    frame, position = b"", 0
    for _ in range(MAX_SKIPPED):
        head = read_at(file, position, 8)
        if not SKIPPABLE.match(head) or len(head) < 8:
            break
        size = int.from_bytes(head[4:], "little")
        if head.startswith(DICTIONARY) and not frame:
            if size > MAX_DICTIONARY:
                raise Broken(0, f"a dictionary of {size:,} bytes, more than {MAX_DICTIONARY:,}")
            content = _decompressed(read_at(file, position + 8, size))
            frame = DICTIONARY + len(content).to_bytes(4, "little") + content
        position += 8 + size
    return frame, position


def _decompressed(dictionary: bytes) -> bytes:
    if not dictionary.startswith(ZSTD):
        return dictionary
    from fastwarc.stream_io import ZstdReader

    reader = ZstdReader(io.BytesIO(dictionary))
    out = io.BytesIO()
    try:
        while out.tell() <= MAX_DICTIONARY and (piece := reader.read(PIECE)):
            out.write(piece)
    except (OSError, ValueError) as error:
        raise Broken(0, f"broken dictionary: {error}") from None
    if out.tell() > MAX_DICTIONARY:
        raise Broken(0, f"a dictionary of more than {MAX_DICTIONARY:,} bytes")
    return out.getvalue()


def next_frame(file: InputFile, magic: bytes, position: int) -> int | None:
    """Where the next bytes that begin a frame are, at or after a position; None where there are none."""
    file.seek(position)
    kept = b""
    while piece := file.read(PIECE):
        data = kept + piece
        found = data.find(magic)
        if found >= 0:
            return position + found
        kept = data[-len(magic) + 1 :]
        position += len(data) - len(kept)
    return None


class FramesFrom:
    """A file from a frame on, with the frame of its dictionary in front; FastWARC reads it as a whole file."""

    def __init__(self, file: InputFile, dictionary: bytes, position: int) -> None:
        file.seek(position)
        self._file = file
        self._front = dictionary
        self._position = 0
        self.shift = position - len(dictionary)
        """From a position here to the one in the file."""

    def read(self, n: int = -1) -> bytes:
        """The next bytes."""
        if self._front:
            piece, self._front = (self._front[:n], self._front[n:]) if n >= 0 else (self._front, b"")
        else:
            piece = self._file.read(n)
        self._position += len(piece)
        return piece

    def tell(self) -> int:
        """Bytes read, the dictionary's included."""
        return self._position
