# SPDX-License-Identifier: Apache-2.0
"""Reads the records of an archive file, or of a split of it, with their exact offsets, and reports what cannot be read.

A record's address is the offset of the member in which it begins (a gzip member, or a frame of Zstandard or LZ4; in
plain files its own offset) and its number among the records that begin there, from 0. Damage counts as a record. So an
address names one record, whatever was read before it; a file can be entered at it.

Each member is read to its end and checked. After damage reading goes on at the next place that looks like a record: in
compressed files a member whose content begins with a record's header, in plain files a line. So a broken file loses
only the records that are broken. Where no such place follows, the file may go on in another compression: its first
bytes are damaged, or somebody has appended an archive of another kind.

A split reads the records that begin in [start, end). It guesses where its first record begins: at the first place that
looks like one. The guess is right when the split before it names the same place as its `next_offset`. That can be done
in plain WARC files and in files in gzip record by record; runs split the latter alone. Of other files the first split
reads everything, and the others nothing.

Time is linear in the bytes of the file and of its decompressed content. In a plain file, a long block is skipped
without being read, once as much of it as was wanted is.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, Final

from thresher.reading.files import InputFile, read_at
from thresher.reading.members import CODECS, Broken, Codec, codec_of, codec_there
from thresher.reading.streams import (
    MAX_ARC_LINE,
    Block,
    MemberStream,
    PlainStream,
    Stream,
    arc_fields,
    excerpt,
    inflate,
    inflate_start,
)

READ_SIZE: Final = 256 << 10  # bytes asked of a file at a time
MAX_HEADER: Final = 128 << 10  # bytes of a record's header
MAX_TRAILING: Final = 16  # bytes that may follow a block in its member without being damage: lengths are off by a few
FIRST_BYTES: Final = 4 << 10  # bytes of a gzip member that show whether a record begins it
# Bytes; a file of nothing but headers that claim the rest of it would be read once for each.
MAX_READ_AGAIN: Final = 1 << 30
MAX_TRIES: Final = 16  # places behind damage in zstd or lz4 that look like a frame, and that begin no record

BETWEEN: Final = "bytes between records; the Content-Length of the record before them may be too small"
TOO_LONG: Final = "Content-Length reaches into the next record"

WARC_LINE: Final = re.compile(rb"WARC/\d+\.\d+[ \t\r]*(?:\n|\Z)")
WARC_START: Final = re.compile(rb"\s*WARC/\d+\.\d+[ \t\r]*\n")
# Where a record may begin in a plain file. The patterns begin with literals, so that other bytes are passed over fast.
WARC_IN_PLAIN: Final = re.compile(rb"\nWARC/")
ARC_IN_PLAIN: Final = re.compile(rb"\n(?=(?i:[a-z][a-z0-9+.-]{1,15}):)")
WARC_HEADER: Final = re.compile(rb"WARC/\d+\.\d+[ \t\r]*\n[A-Za-z][A-Za-z0-9-]*[ \t]*:")
CONTENT_LENGTH: Final = re.compile(r"\+?(\d{1,18})\Z", re.ASCII)

KINDS: Final = (
    "warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation", "unknown",
)  # fmt: skip


@dataclass(slots=True)
class Record:
    """One record, readable until the next event is asked for."""

    kind: str  # WARC-Type
    offset: int  # where its member (in plain files its first byte) begins in the file
    length: int  # bytes of the file from there that hold it; known once the next event has come
    headers: dict[str, str]  # the first value of each, by its name in lower case
    content_length: int  # bytes of the block, as the header has it
    is_http: bool  # the block is an HTTP message
    reader: Any  # .read(n): the block's next bytes
    inside: int = 0  # bytes of its member before it
    head: bytes = b""  # its header as it stands in the archive
    number: int = 0  # among the records that begin at its offset
    place: int = 0  # a number that no other record of the reading has: the offset, and more within a member


@dataclass(frozen=True, slots=True)
class Damage:
    """A stretch of the file that holds no readable record."""

    offset: int
    length: int
    reason: str
    number: int = 0  # among the records that begin at its offset
    url: str | None = None  # of the record there whose header was read, if there is one


@dataclass(frozen=True, slots=True)
class Beyond:
    """The first record behind the split, which is another's: to be looked at, not counted. Comes last, if at all."""

    record: Record


@dataclass(frozen=True, slots=True)
class Retraction:
    """The record that came last does not count: it is damaged."""


class RecordReader:
    """Iterates over the records, damaged stretches and retractions of an opened file or of its split [start, end), and
    the record behind it.

    A record's length is set when the next event is asked for. Raises TransferError if the file could not be fetched.
    """

    def __init__(self, file: InputFile, start: int = 0, end: int | None = None, *, enters: bool = False) -> None:
        """With `enters`, the file is read from the member at `start` and up to `end` alone, however it is compressed.
        Nothing comes if no record begins that member.
        """
        self.file = file
        self.start = start
        self.end = end
        self.first_offset: int | None = None  # of the first record
        self.next_offset: int | None = None  # of the first record at or after `end`; None if nothing is left for others
        self.begins_inside = False  # the member at `start` is whole as far as it was read, but begins inside a record
        self._read_again = 0
        self._inflated_again = 0
        self._shared = False  # members hold several records
        self._whole = False  # the file is read to its end, whatever `end` says
        self._entered = enters
        self._codec: Codec | None = None
        self._arc = False
        self._last_offset, self._count = -1, 0  # the address of what came last
        self._found_any = False  # record or damage
        self._last_place = -1
        self._searched = 0

    def __iter__(self) -> Iterator[Record | Damage | Retraction | Beyond]:
        try:
            begin = self._look()
        except Broken as problem:
            return iter((Damage(0, self._size(), problem.reason),))
        if begin is None:
            return iter(())
        has_frames = self._codec is not None and self._codec.has_frames
        self._whole = self._arc or has_frames
        position: int | None = begin
        if self._entered:
            position = max(begin, self.start)
        elif self.start > 0:
            position = None if self._whole else self._first_record()
        events = self._read(position) if position is not None else iter(())
        return chain(events, self._unless_found(begin)) if has_frames and not self.start else events

    def _unless_found(self, begin: int) -> Iterator[Damage]:
        """What is wrong with a file in which nothing was found."""
        if not self._found_any:
            yield Damage(begin, max(self._size() - begin, 0), "no record in the file")

    def _look(self) -> int | None:
        """Finds out what the file is; where its first record may begin, None if it is empty. Raises Broken."""
        magic = read_at(self.file, 0, 4096)
        if not magic:
            return None
        self._codec, begin = codec_of(self.file, magic)
        if self._entered and self.start > begin:  # there it may be compressed in another way
            begin = self.start
            magic = read_at(self.file, begin, 4096)
            self._codec = codec_there(magic, self._codec)
        if self._codec is not None:
            magic = inflate_start(self.file, begin, 4096, self._codec).lstrip()
        self._arc = not magic.startswith(b"WARC/") and arc_fields(magic.split(b"\n", 1)[0]) is not None
        return begin

    def _address(self, offset: int) -> int:
        """The number among the records at its offset of the record or damage that comes next."""
        self._count = self._count + 1 if offset == self._last_offset else 0
        self._last_offset, self._found_any = offset, True
        return self._count

    def _retract(self) -> Retraction:
        """Takes back the record that came last; what comes for it has its number."""
        self._count -= 1
        return Retraction()

    def _size(self) -> int:
        return self.file.size if self.file.size is not None else self.file.tell()

    def _read(self, position: int) -> Iterator[Record | Damage | Retraction | Beyond]:
        """Reads on from an offset."""
        stream: Stream | None = self._stream(position)
        before: Record | None = None  # ends where the next thing begins, members of blank lines included
        while stream is not None:
            try:
                stream.skip_blanks()
                self._shared = self._shared or not (stream.aligned or stream.ended)
                self._whole = self._whole or self._shared
                if stream.ended:
                    return
                record = self._read_header(stream)
            except Broken as problem:
                # What was read of a header holds no other: it would have ended it.
                if before and problem.offset > before.offset:
                    before.length = problem.offset - before.offset
                if self._entered and self._ends_stretch(problem, stream):
                    return
                stream = yield from self._damage(
                    problem.offset, max(problem.offset + 1, stream.position), problem.reason, stream
                )
                before = None
                continue
            if before and record.offset > before.offset:
                before.length = record.offset - before.offset
            # Only now: what is no record belongs to the split before it, wherever it lies.
            if self.end is not None and record.offset >= self.end and (self._entered or not self._whole):
                self.next_offset = record.offset
                yield Beyond(record)
                return
            if self.first_offset is None:
                self.first_offset = record.offset
            record.number = self._address(record.offset)
            self._last_place = record.place = max(record.offset, self._last_place + 1)
            yield record
            before = None
            try:
                record.reader.finish()
                n_behind = stream.finish_record()
            except Broken as problem:
                yield self._retract()
                behind = self._next_in_member(record) if self._codec and self._shared else None
                if behind is None:
                    stream = yield from self._damage(record.offset, record.offset + 1, problem.reason, record=record)
                else:
                    yield self._damaged(record.offset, behind.position, problem.reason, record)
                    stream = behind
                continue
            record.length = (record.reader.end or stream.position) - record.offset
            if record.reader.cut or n_behind:
                stream = yield from self._wrong_length(stream, record, n_behind)
            elif self._codec and record.inside == 0:
                before = record

    def _ends_stretch(self, problem: Broken, stream: Stream) -> bool:
        """Whether damage is nothing of a file that was entered: no record begins there, or it lies behind `end`."""
        if self.first_offset is None and isinstance(stream, MemberStream):
            self.begins_inside = stream.taken > 0 and not stream.failed
        return self.first_offset is None or problem.offset >= (self.end or 0)

    def _stream(self, position: int) -> Stream:
        codec = self._codec
        return MemberStream(self.file, position, codec) if codec else PlainStream(self.file, position)

    def _damaged(self, offset: int, end: int, reason: str, record: Record | None = None) -> Damage:
        url = record.headers.get("warc-target-uri") if record else None
        return Damage(offset, max(end - offset, 0), reason, self._address(offset), url)

    def _wrong_length(self, stream: Stream, record: Record, n_behind: int) -> Generator[Any, None, Stream | None]:
        """What to do about a block that its Content-Length does not fit; returns the stream to go on with, None at the
        end.
        """
        if self._codec and n_behind <= MAX_TRAILING:
            return stream
        if self._codec:
            behind = self._next_in_member(record)
            if behind is None:
                return (yield from self._damage(stream.offset, stream.offset + 1, BETWEEN))
            if behind.taken - record.inside - len(record.head) < record.content_length:
                yield self._retract()
                yield self._damaged(record.offset, behind.position, TOO_LONG, record)
            else:
                yield self._damaged(record.offset, behind.position, BETWEEN)
            return behind
        # If a header lies inside of what was read as the block, Content-Length was too large and the record is not to
        # be trusted.
        block = record.offset + len(record.head)
        inside = self._find(block, before=stream.position)
        if inside is None:
            return (yield from self._damage(stream.position, stream.position, BETWEEN))
        yield self._retract()
        return (yield from self._damage(record.offset, block, TOO_LONG, record=record))

    def _next_in_member(self, record: Record) -> MemberStream | None:
        """The next record behind one whose Content-Length is wrong, where several share a member; None if none is
        found there. The member is read once more, and what stands in the block is looked at only in a file whose
        members hold several records: a page may be about WARC.
        """
        skipped = record.inside + len(record.head) + (0 if self._shared else record.content_length)
        if not self._may_inflate_again(skipped):
            return None
        assert self._codec is not None
        stream = MemberStream(self.file, record.offset, self._codec)
        try:
            while stream.taken < skipped and stream.skip(skipped - stream.taken):
                pass
            found = stream.search(self._headers_in, one_member=not self._shared)
        except Broken:
            return None
        return stream if found else None

    def _may_inflate_again(self, n: int) -> bool:
        """True unless so many bytes were inflated more than once that the file must be made to keep its reader busy."""
        self._inflated_again += n
        return self._inflated_again <= max(MAX_READ_AGAIN, 16 * (self.file.size or 0))

    def _damage(
        self, offset: int, search_from: int, reason: str, stream: Stream | None = None, record: Record | None = None
    ) -> Generator[Any, None, Stream | None]:
        """Reports a stretch that cannot be read; returns a stream behind it, None if no further record is found.

        `stream` stands behind what was read of a header that is none; `record` is the one that is damaged.
        Where members hold several records, the next one is looked for in what the stream inflates. Nothing is damaged
        where the file goes on in another compression.
        """
        if not self._entered and self._changes_at(offset):
            return self._stream(offset)
        if isinstance(stream, MemberStream) and self._shared and not stream.failed and self._found(stream):
            yield self._damaged(offset, stream.position, reason, record)
            return stream
        # The block of a record may be an archive of another compression, which somebody offers for download.
        behind = self._behind(offset, search_from, stream, damage=None if record else offset)
        if behind is None and not (self._arc or self.start or self._entered or self._found_any):
            self._arc = self._whole = True  # it may be an ARC whose first bytes are damaged
            behind = self._behind(offset, search_from, stream, damage=offset)
        end = behind.position if behind else self.file.size if self.file.size is not None else self._searched
        yield self._damaged(offset, max(end, offset), reason, record)
        return behind

    def _behind(self, offset: int, search_from: int, stream: Stream | None, *, damage: int | None) -> Stream | None:
        """A stream at the next record behind a damaged stretch; None if none is found."""
        if not self._entered and self._may_read_again(search_from):
            found = self._find(search_from, damage=damage)
            if found is not None:
                return self._stream(found)
        if isinstance(stream, MemberStream) and not (self._shared or stream.failed):
            inner = MemberStream(self.file, offset, stream.codec)
            if self._may_inflate_again(stream.taken) and self._found(inner, behind=1):
                return inner
        return None

    def _found(self, stream: MemberStream, *, behind: int = 0) -> bool:
        """Whether a stream finds a further header, so many bytes on at least, and stands before it."""
        try:
            stream.skip(behind)
            return stream.search(self._headers_in)
        except Broken:
            return False

    def _may_read_again(self, position: int) -> bool:
        """True unless so much was read more than once already that the file must be made to keep its reader busy."""
        self._read_again += max(0, self.file.tell() - position)
        return self._read_again <= max(MAX_READ_AGAIN, 4 * (self.file.size or 0))

    def _read_header(self, stream: Stream) -> Record:
        """The record whose header is next in the stream. Raises Broken."""
        offset, aligned = stream.offset, stream.aligned
        try:
            if self._arc:
                head = stream.readline(MAX_HEADER)
                kind, headers, length = arc_header(head)
            else:
                head = stream.read_whole_head(WARC_LINE) or read_in_pieces(stream)
                kind, headers, length = warc_header(head)
        except Broken as problem:
            raise Broken(offset, problem.reason) from None
        if self._arc:
            is_http = (headers.get("warc-target-uri") or "")[:5].lower() in ("http:", "https")
        else:
            is_http = (headers.get("content-type") or "").partition(";")[0].strip().lower() == "application/http"
        block = Block(stream, length, own_member=aligned)
        return Record(kind, offset, 0, headers, length, is_http, block, stream.inside, head)

    # -- finding records ----------------------------------------------------------------------------------------------

    def _first_record(self) -> int | None:
        """Where the first record at or after `start` begins, as far as can be seen without the bytes before; None if
        none does.
        """
        candidate: int | None = self.start
        while candidate is not None:
            stream = self._stream(candidate)
            try:
                stream.skip_blanks()
                if not stream.ended and stream.offset == candidate and self._read_header(stream):
                    return candidate
            except Broken:
                if self._changes_at(candidate):
                    return candidate
            # As in _read: what was read of a header holds no other.
            behind = max(candidate + 1, min(stream.position, candidate + MAX_HEADER))
            candidate = self._find(behind if stream.offset == candidate else candidate + 1, damage=candidate)
        return None

    def _changes_at(self, position: int) -> bool:
        """Whether a record begins at an offset that is compressed in another way than the file so far; then the file
        is read on so.
        """
        here = self.file.tell()
        start = read_at(self.file, position, FIRST_BYTES)
        codec = codec_there(start, self._codec)
        self.file.seek(here)  # where a stream may read on
        if codec is self._codec:
            return False
        # Of empty members the first is where the record behind them begins.
        if codec is None:
            begins = self._seems_header(start, 0)
        else:
            begins = self._are_header(inflate_start(self.file, position, 2048, codec))
            self.file.seek(here)
        if begins:
            self._codec = codec
        return begins

    def _find(self, position: int, *, before: int | None = None, damage: int | None = None) -> int | None:
        """The first offset at or behind a position (and before another) where a record seems to begin, None if none
        does. Where none is compressed as the file so far, one that is not may be the next, already within what was
        read of a header from `damage` on.

        In plain files a record begins a line.
        """
        found = self._find_in(position, (self._codec,), before)
        if found is None and damage is not None:
            mine = self._codec.name if self._codec else ""
            others = [codec for codec in (*CODECS.values(), None) if (codec.name if codec else "") != mine]
            found = self._find_in(damage + 1, others, before)
        if found is None:
            return None
        at, self._codec = found
        return at

    def _find_in(
        self, position: int, codecs: Sequence[Codec | None], before: int | None
    ) -> tuple[int, Codec | None] | None:
        """_find() in some compressions (None: in none), and in which the record is."""
        line_start = position == 0
        if None in codecs and not line_start:
            position -= 1  # to see the end of the line before
        self.file.seek(position)
        buffer, buffer_at = b"", position
        overlap = 64 << 10
        tries = 0
        while True:
            piece = self.file.read(READ_SIZE)
            buffer += piece
            for candidate, codec in self._candidates(buffer, codecs, line_start=line_start and buffer_at == position):
                if before is not None and buffer_at + candidate >= before:
                    return None
                if piece and candidate > len(buffer) - overlap:
                    break  # judged with what follows
                if self._begins_record(codec, buffer, candidate, buffer_at):
                    return buffer_at + candidate, codec
                tries += codec is not None and codec.has_frames
                if tries > MAX_TRIES:
                    return None
            self._searched = buffer_at + len(buffer)
            if not piece or (before is not None and self._searched >= before + overlap):
                return None
            searched = max(0, len(buffer) - overlap)
            buffer, buffer_at = buffer[searched:], buffer_at + searched

    def _candidates(
        self, buffer: bytes, codecs: Sequence[Codec | None], *, line_start: bool
    ) -> Iterator[tuple[int, Codec | None]]:
        """Where in the buffer a record may begin, in order, and in which compression."""

        def of(codec: Codec | None) -> Iterator[tuple[int, Codec | None]]:
            if codec is None:
                yield from ((at, None) for at in self._headers_in(buffer, line_start))
                return
            found = buffer.find(codec.magic)
            while found >= 0:
                yield found, codec
                found = buffer.find(codec.magic, found + 1)

        return heapq.merge(*map(of, codecs), key=itemgetter(0))

    def _headers_in(self, buffer: bytes, line_start: bool) -> Iterator[int]:  # noqa: FBT001 (one fact)
        """Where lines begin in content that seem the first of a record's header."""
        if line_start and self._seems_header(buffer, 0):
            yield 0
        for match in (ARC_IN_PLAIN if self._arc else WARC_IN_PLAIN).finditer(buffer):
            if self._seems_header(buffer, match.start() + 1):
                yield match.start() + 1

    def _seems_header(self, buffer: bytes, at: int) -> bool:
        """Whether the line at this place of a plain file is the first of a record's header."""
        if not self._arc:
            return bool(WARC_HEADER.match(buffer, at))
        end = buffer.find(b"\n", at, at + MAX_ARC_LINE)
        return end >= 0 and arc_fields(buffer[at:end]) is not None

    def _begins_record(self, codec: Codec | None, buffer: bytes, at: int, buffer_at: int) -> bool:
        """Whether what is at this place of a buffer, a member unless `codec` is None, begins with a record's header.
        `buffer_at` is where the buffer stands in the file, which is read behind it next.
        """
        if codec is None:
            return self._seems_header(buffer, at)
        if codec.has_frames:  # nothing of a frame can be seen before a whole block of it is there
            start: bytes | None = inflate_start(self.file, buffer_at + at, 2048, codec)
            self.file.seek(buffer_at + len(buffer))
        else:
            start = inflate(buffer[at : at + FIRST_BYTES], 2048, codec)
        return start is not None and self._are_header(start)  # of empty members the next candidate is the record's

    def _are_header(self, start: bytes) -> bool:
        """Whether decompressed bytes begin with a record's header."""
        if self._arc:
            return arc_fields(start.lstrip().split(b"\n", 1)[0]) is not None
        return bool(WARC_START.match(start))


def read_in_pieces(stream: Stream) -> bytes:
    """The header of a WARC record that comes in several pieces. Raises Broken."""
    line = stream.readline(MAX_HEADER)
    if not WARC_LINE.match(line):
        raise Broken(0, f"no record begins here: {excerpt(line)}")
    head = stream.read_head(line, MAX_HEADER)
    if head is None:
        raise Broken(0, f"a header that does not end within {MAX_HEADER:,} bytes or the file")
    return head


def warc_header(head: bytes) -> tuple[str, dict[str, str], int]:
    """Type, headers and block length of the WARC record with that header. Raises Broken."""
    headers: dict[str, str] = {}
    name: str | None = None  # of the field that a line may continue; None for one that came before
    for line in head.decode("utf-8", "replace").split("\n"):
        if line[:1] in (" ", "\t"):
            if name is not None:
                headers[name] += " " + line.strip()
            continue
        key, colon, value = line.partition(":")
        if colon:
            key = key.strip().lower()
            name = None if key in headers else key
            headers.setdefault(key, value.strip())
    length = CONTENT_LENGTH.match(headers.get("content-length") or "")
    if not length:
        raise Broken(0, f"Content-Length is {(headers.get('content-length') or '')[:40]!r}")
    kind = (headers.get("warc-type") or "").lower()
    return kind if kind in KINDS else "unknown", headers, int(length[1])


def arc_header(line: bytes) -> tuple[str, dict[str, str], int]:
    """Type, headers and block length of the ARC record with that header line, under the names that WARC has. Raises
    Broken.
    """
    found = arc_fields(line)
    if not found or found.length < 0:
        raise Broken(0, f"no record begins here: {excerpt(line)}")
    url = found.url.decode("utf-8", "replace")
    media = found.media_type.split(b" ")[0].decode("latin-1")
    headers = {"warc-target-uri": url, "warc-date": found.date.decode(), "content-type": media}
    return "warcinfo" if url.startswith("filedesc:") else "response", headers, found.length
