# SPDX-License-Identifier: Apache-2.0
"""The content of text files, local or remote, compressed or not: whole, in pieces, or line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager

from thresher.errors import InputError, TransferError
from thresher.reading.files import InputFile, read_at
from thresher.reading.members import BZ2, GZIP, LZ4, Broken, codec_of
from thresher.reading.opening import open_input
from thresher.reading.streams import MemberStream

_READ_SIZE = 1 << 20  # bytes


def content_of(file: InputFile) -> Iterator[bytes]:
    """The decompressed content of a file, piece by piece, up to the damage of a broken one, and then OSError."""
    try:
        magic = read_at(file, 0, len(LZ4.magic))
        codec, begin = codec_of(file, magic)
        if magic.startswith(GZIP.magic[:2]):  # whatever follows is damage, and no text
            codec = GZIP
        elif magic.startswith(BZ2.magic) and magic[3:].isdigit():
            codec = BZ2
        file.seek(begin)
        if codec is None:
            while piece := file.read(_READ_SIZE):
                yield piece
            return
        stream = MemberStream(file, begin, codec)
        while stream.fill():
            yield stream.take(len(stream.out))
    except Broken as problem:
        raise OSError(problem.reason) from None


def read_text(name: str, most: int) -> bytes:
    """The decompressed content of a file. Raises InputError for a damaged one, and for one of more bytes than that."""
    pieces: list[bytes] = []
    n = 0
    with _opened(name) as file:
        for piece in content_of(file):
            pieces.append(piece)
            n += len(piece)
            if n > most:
                raise InputError(f"{name}: more than {most >> 20:,} MiB")
    return b"".join(pieces)


@contextmanager
def _opened(name: str) -> Iterator[InputFile]:
    """An opened input whose damage is an InputError."""
    with closing(open_input(name)) as file:
        try:
            yield file
        except TransferError:
            raise
        except OSError as error:
            raise InputError(f"{name}: {error}") from None
        if problem := getattr(file, "damage", None):  # of a compressed file in a WACZ, which ends there
            raise InputError(f"{name}: {problem}")


def split_lines(pieces: Iterable[bytes], longest: int) -> Iterator[bytes | None]:
    """The lines in pieces of a file, None for one that is too long. They end as the pieces end."""
    held, too_long = bytearray(), False  # appended to in place: a line may come in a million pieces
    for piece in pieces:
        *lines, rest = piece.split(b"\n")
        for line in lines:
            yield None if too_long or len(held) + len(line) > longest else bytes(held) + line
            held.clear()
            too_long = False
        held += rest
        if len(held) > longest:
            held.clear()
            too_long = True
    if held or too_long:
        yield None if too_long else bytes(held)


def lines_of(name: str, longest: int, *, instead: bytes | None = None) -> Iterator[bytes]:
    """The lines of a text file; `instead` of those that are too long.

    Raises InputError for a file that is damaged, and for a line that is too long if there is nothing instead of it.
    """
    with _opened(name) as file:
        for number, line in enumerate(split_lines(content_of(file), longest), 1):
            if line is None and instead is None:
                raise InputError(f"{name}, line {number:,}: more than {longest:,} bytes")
            yield line if line is not None else instead or b""
