# SPDX-License-Identifier: Apache-2.0
"""Archive files, plain or compressed, as streams of bytes that know where in the file they come from.

thresher.reading.records reads from these. A compressed file is read member by member (members.py
says what a member is); the stream knows where each begins and ends, and trusts none before its checksum.

Reading takes time linear in the bytes of the file and of its content. Of a plain file a block that is not wanted is not
read at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from thresher.reading.files import InputFile
from thresher.reading.members import SKIPPABLE, Broken, Codec, CodecError, Decompressor

PIECE_SIZE: Final = 64 << 10  # bytes read or decompressed at a time
FIRST_STEP: Final = 16 << 10  # compressed bytes given to the first call for a member; what it leaves is copied
TINY_MEMBER: Final = 256  # compressed bytes; a record has more
MANY_TINY: Final = 1000  # tiny members in a row
SKIP_BY_SEEKING: Final = 8 << 20  # bytes; a shorter stretch is read, which costs a web server no new request
MAX_ARC_LINE: Final = 16 << 10  # bytes of an ARC header line that is searched for
OVERLAP: Final = MAX_ARC_LINE  # bytes behind the beginning of a header that show whether it is one
MAX_BLANK: Final = 64  # blanks that an empty line may hold
NO_BLANK: Final = re.compile(rb"\S")
LAST_LINE: Final = re.compile(rb"\n[ \t\r]{0,64}\n")  # of a header: the end of the one before it, and an empty one
WARC: Final = b"WARC/"
MAX_PADDING: Final = 64 << 10  # zeros behind a member; blocks of tapes are smaller
ZEROS: Final = re.compile(rb"\0+")
# What an ARC header line begins with: URL, IP address, date. Nothing here can match in two ways, so a line costs linear
# time.
ARC_START: Final = re.compile(rb"(?i:[a-z][a-z0-9+.-]{1,15}):[^\n]*? (\S+) (\d{8,20}) ")
ARC_SCHEME: Final = re.compile(rb"(?i:[a-z][a-z0-9+.-]{0,15})(?::|\Z)")  # what may become one
USUAL_SCHEMES: Final = (b"http://", b"https://", b"ftp://", b"dns:", b"filedesc:")
MAX_LENGTH_DIGITS: Final = 18  # of a block's length


class ArcFields(NamedTuple):
    url: bytes
    date: bytes
    media_type: bytes
    length: int  # may be negative, as some crawlers wrote it; then there is no record


def arc_fields(line: bytes) -> ArcFields | None:
    """What an ARC header line says, None if the line is none.

    The fields are URL, IP address, date, media type, in version 2 further ones, and the length of the block.
    """
    start = ARC_START.match(line)
    if not start:
        return None
    rest = line.removesuffix(b"\n").removesuffix(b"\r").rstrip(b" \t")
    digits = len(rest) - len(rest.rstrip(b"0123456789"))
    end = len(rest) - digits
    if not 0 < digits <= MAX_LENGTH_DIGITS or end < start.end() or b"\n" in rest:
        return None
    if end > start.end() and rest[end - 1 : end] == b"-":
        end -= 1
    return ArcFields(line[: start.start(1) - 1], start[2], rest[start.end() : end].removesuffix(b" "), int(rest[end:]))


def begins_record(start: bytes) -> bool:
    """Whether decompressed bytes begin with the header of a WARC or ARC record."""
    return start.startswith(WARC) or arc_fields(start[:MAX_ARC_LINE].split(b"\n", 1)[0]) is not None


def may_become_warc(start: bytes) -> bool:
    """Whether bytes are too few to tell, and more of them could begin a WARC header."""
    return len(start) < len(WARC) and WARC.startswith(start)


def may_become_record(start: bytes) -> bool:
    """Whether bytes are too few to tell, and more of them could begin the header of a WARC or ARC record."""
    if may_become_warc(start):
        return True
    return len(start) < MAX_ARC_LINE and b"\n" not in start and ARC_SCHEME.match(start) is not None


def excerpt(data: bytes) -> str:
    """The beginning of bytes that should have been the header of a record or of HTTP, for a message.

    A message may end in tables and logs that more people read than the file, and the file may be any file at all. So a
    line is quoted only where it is such a header's; of anything else four bytes are, enough to know a file format by.
    """
    line = data.split(b"\n", 1)[0].rstrip()
    return repr(line[:40] if line.startswith((b"WARC/", b"HTTP")) else data[:4])


class Stream:
    """The decompressed bytes of a file from an offset on, and where in the file they come from."""

    position: int
    """In the file, of the first byte that was not needed yet."""

    def __init__(self, file: InputFile, offset: int) -> None:
        file.seek(offset)
        self.file = file
        self.out = b""  # decompressed; never of two members
        self.at = 0  # bytes of it that were taken
        self.before = 0  # bytes that were taken before it
        self.offset = offset  # of the record that begins with the next byte: of its member, where it has one
        self.inside = 0  # bytes of its member before that record
        self.aligned = True  # nothing but white space of this member was taken before
        self.ended = False

    def fill(self) -> bool:
        """True when at least a byte is at hand; False at the end of the file. Raises Broken."""
        raise NotImplementedError

    def take(self, n: int) -> bytes:
        """Up to n of the bytes at hand."""
        piece = self.out[self.at : self.at + n]
        self.at += len(piece)
        self.aligned = False
        return piece

    def add(self, piece: bytes) -> None:
        """Has a piece at hand too, and lets go of what was taken."""
        self.before += self.at
        self.out, self.at = self.out[self.at :] + piece, 0

    def ahead(self, most: int = MAX_ARC_LINE) -> bytes:
        """Up to so many of the bytes at hand, which are not taken."""
        return self.out[self.at : self.at + most]

    def skip(self, n: int) -> int:
        """Passes over up to n bytes; how many, 0 only at the end of the file. Raises Broken."""
        if self.at >= len(self.out) and not self.fill():
            return 0
        n = min(n, len(self.out) - self.at)
        self.at += n
        self.aligned = False
        return n

    def skip_blanks(self) -> None:
        """Passes over white space; `ended`, `offset`, `inside` and `aligned` then tell what follows."""
        while self.at < len(self.out) or self.fill():
            behind = NO_BLANK.search(self.out, self.at)
            self.at = behind.start() if behind else len(self.out)
            if behind:
                self.settle()
                return
        self.ended = True

    def settle(self) -> None:
        """Sets `offset` and `inside` to where a record that begins with the next byte begins."""
        raise NotImplementedError

    def extend(self) -> bool:
        """Adds bytes to `out`; False where none follow, at the end of the file or of the member. Raises Broken."""
        raise NotImplementedError

    def at_warc_record(self) -> bool:
        """Whether the next bytes begin a WARC header. A piece may end inside its first word, so more is read."""
        while may_become_warc(self.ahead(len(WARC))) and self.extend():
            pass
        return self.out.startswith(WARC, self.at)

    def at_record(self) -> bool:
        """Whether the next bytes begin a WARC header or are an ARC header, which is read to the end of its line."""
        while may_become_record(self.ahead()) and self.extend():
            pass
        return begins_record(self.ahead())

    def finish_record(self) -> int:
        """Passes over white space behind a block; the number of bytes that follow and begin no record, 0 if all is
        well.
        """
        raise NotImplementedError

    def read_whole_head(self, first_line: re.Pattern[bytes]) -> bytes:
        """A header whose first line is of a form, with the empty line behind it; b"" where not all of it is at hand."""
        first = first_line.match(self.out, self.at)
        last = LAST_LINE.search(self.out, first.end() - 1) if first else None
        if not last:
            return b""
        head = self.out[self.at : last.end()]
        self.at, self.aligned = last.end(), False
        return head

    def readline(self, most: int) -> bytes:
        """The next line with its end, or what there is of it in `most` bytes or before the end of the file."""
        pieces: list[bytes] = []
        total = 0
        while total < most and (self.at < len(self.out) or self.fill()):
            end = self.out.find(b"\n", self.at) + 1
            piece = self.take(min((end or len(self.out)) - self.at, most - total))
            pieces.append(piece)
            total += len(piece)
            if end and piece.endswith(b"\n"):
                break
        return b"".join(pieces)

    def read_head(self, line: bytes, most: int) -> bytes | None:
        """A header whose first line was read, with the empty line behind it; None if there is none in `most` bytes
        behind the first line or before the end of the file.
        """
        head = bytearray(line)
        searched = len(line) - 1
        while len(head) - len(line) < most and self.fill():
            head += self.take(len(self.out))
            if last := LAST_LINE.search(head, searched):
                self.at -= len(head) - last.end()
                return bytes(head[: last.end()])
            searched = max(searched, len(head) - MAX_BLANK)
        return None


class PlainStream(Stream):
    def __init__(self, file: InputFile, offset: int) -> None:
        super().__init__(file, offset)
        self.before = offset

    @property
    def position(self) -> int:  # type: ignore[override]
        return self.before + self.at

    def fill(self) -> bool:
        return self.at < len(self.out) or self.extend()

    def skip(self, n: int) -> int:
        behind = self.position + n
        if n < SKIP_BY_SEEKING or self.file.size is None or behind > self.file.size:
            return super().skip(n)
        self.file.seek(behind)
        self.before, self.out, self.at = behind, b"", 0
        return n

    def settle(self) -> None:
        self.offset = self.position
        self.aligned = True

    def finish_record(self) -> int:
        self.skip_blanks()
        if self.ended:
            self.ended = False
            return 0
        return 0 if self.at_record() else len(self.out) - self.at

    def extend(self) -> bool:
        piece = self.file.read(PIECE_SIZE)
        self.add(piece)
        return bool(piece)


class MemberStream(Stream):
    """A compressed file, member by member, each checked to its last byte."""

    def __init__(self, file: InputFile, offset: int, codec: Codec) -> None:
        super().__init__(file, offset)
        self.codec = codec
        self.position = offset
        self.raw = b""  # compressed, as read from the file
        self.used = 0  # bytes of it that are decompressed; the next lies at `position` in the file
        self.member = offset  # where the member of `out` begins; empty members before it belong to it
        self.decompressor: Decompressor | None = None  # None between members
        self.empty = False  # the member has given nothing yet
        self.begin = offset  # of the member that is being read
        self.failed = False  # the member that is being read is broken
        self.taken_before = 0  # bytes of the content before the member of `out`
        self.tiny = 0  # members before it, in a row, that were tiny
        self.step = 0  # compressed bytes to be decompressed in one call; doubled from call to call

    @property
    def taken(self) -> int:
        """Bytes of the content that were taken."""
        return self.before + self.at

    @property
    def is_between(self) -> bool:
        """Whether the next byte is of another member."""
        return self.at >= len(self.out) and self.decompressor is None

    def more(self) -> bool:
        """Reads on in the file when nothing compressed is at hand; False at its end."""
        if self.used >= len(self.raw):
            self.raw, self.used = self.file.read(self.to_read()), 0
        return bool(self.raw)

    def to_read(self) -> int:
        """How many compressed bytes are read next, up to a multiple of PIECE_SIZE in the file: where a record ends
        within a member is known to a piece, so the pieces must be the same wherever reading began.
        """
        return PIECE_SIZE - (self.position + len(self.raw) - self.used) % PIECE_SIZE

    def use(self, n: int) -> None:
        """Passes over n compressed bytes."""
        self.used += n
        self.position += n

    def inflate(self) -> None:
        """Adds the next bytes of the member, where it gives any yet; `decompressor` is None after its end. Raises
        Broken.

        A call copies what it leaves unused. After many tiny members each further one is therefore given in steps that
        begin small: a file of empty members would otherwise be copied a thousand times.
        """
        decompressor = self.decompressor
        assert decompressor is not None
        if decompressor.needs_input and self.used >= len(self.raw) and not self.more():
            self.failed = True
            raise Broken(self.member, f"the file ends inside a {self.codec.member}")
        try:
            piece, n_used = decompressor.feed(memoryview(self.raw)[self.used : self.used + self.step], PIECE_SIZE)
        except CodecError as error:
            self.failed = True
            raise Broken(self.member, f"broken {self.codec.member}: {error}") from None
        self.used += n_used
        self.position += n_used
        self.step = min(2 * self.step, PIECE_SIZE)
        if decompressor.eof:
            self.decompressor = None
            self.tiny = self.tiny + 1 if self.position - self.begin <= TINY_MEMBER else 0
        if piece:
            self.empty = False
            self.add(piece)

    def fill(self) -> bool:
        while self.at >= len(self.out):
            if self.decompressor is None and not self.open():
                return False
            self.inflate()
        return True

    def open(self) -> bool:
        """Begins the next member; False at the end of the file. Raises Broken."""
        while not self.raw.startswith(self.codec.magic, self.used):
            if not self._pass_over_padding():
                return False
        if not self.empty:
            self.member, self.taken_before = self.position, self.before + self.at
        self.decompressor = self.codec.start()
        self.begin = self.position
        self.step = TINY_MEMBER if self.tiny >= MANY_TINY else FIRST_STEP
        self.empty = True
        self.aligned = True
        return True

    def _pass_over_padding(self) -> bool:
        """Passes over what may stand before a member: zeros, which pad a file or a tape, or a skippable frame; False at
        the end of the file. Raises Broken, also for more zeros, as stand where a file was never written.
        """
        behind = self.position
        while self.used < len(self.raw) or self.more():
            zeros = ZEROS.match(self.raw, self.used)
            if not zeros:
                break
            self.use(len(zeros[0]))
        if (n := self.position - behind) > MAX_PADDING:
            self.failed = True
            raise Broken(behind, f"{n:,} bytes of zeros behind a record: a part of the file is missing")
        if self.used >= len(self.raw) and not self.more():
            return False
        self._look(len(self.codec.magic))
        if self.codec.has_frames and SKIPPABLE.match(self.raw, self.used):
            self._pass_over_frame()
        elif not self.raw.startswith(self.codec.magic, self.used):
            self.failed = True
            begins = self.raw[self.used : self.used + 4]
            raise Broken(self.position, f"no {self.codec.member} begins here: {excerpt(begins)}")
        return True

    def _look(self, n: int) -> None:
        """Has n compressed bytes at hand, fewer only at the end of the file."""
        while len(self.raw) - self.used < n and (piece := self.file.read(self.to_read())):
            self.raw, self.used = self.raw[self.used :] + piece, 0

    def _pass_over_frame(self) -> None:
        """Passes over a skippable frame, in small ones without copying what follows. Raises Broken."""
        self._look(8)
        n = 8 + int.from_bytes(self.raw[self.used + 4 : self.used + 8], "little")
        if len(self.raw) - self.used < 8:
            raise Broken(self.position, "the file ends inside a skippable frame")
        while n > 0 and self.more():
            piece = min(n, len(self.raw) - self.used)
            self.use(piece)
            n -= piece
        if n > 0:
            raise Broken(self.position, "the file ends inside a skippable frame")

    def settle(self) -> None:
        self.offset, self.inside = self.member, self.before + self.at - self.taken_before

    def search(self, headers: Callable[[bytes, bool], Iterator[int]], *, one_member: bool = False) -> bool:
        """Passes over bytes up to what seems the header of a record, in this member or (unless `one_member`) in those
        behind it; False where there is none. Raises Broken.

        `headers` gives the places in a buffer where one seems to begin; it is told whether the buffer begins a line. A
        header over the end of a member is not seen.
        """
        while self.fill():
            begins_line = self.aligned
            self.add(b"")
            while len(self.out) < 2 * OVERLAP and self.extend():
                pass
            settled = len(self.out) if self.decompressor is None else len(self.out) - OVERLAP
            found = next((at for at in headers(self.out, begins_line) if at < max(settled, 1)), None)
            if found is not None:
                self.take(found)
                self.aligned = begins_line and not found
                self.settle()
                return True
            self.take(settled)
            if one_member and self.at >= len(self.out):
                return False
        return False

    def finish_record(self) -> int:
        """Also reads the member to its end, so that its checksum is known to be right."""
        trailing = 0
        while self.at < len(self.out) or self.decompressor is not None:
            if self.at >= len(self.out):
                self.inflate()  # of this member only: a broken next one is not this record's fault
                continue
            if not trailing:
                behind = NO_BLANK.search(self.out, self.at)
                self.at = behind.start() if behind else len(self.out)
                if not behind:
                    continue
                if self.at_record():
                    return 0
            rest = self.take(len(self.out))
            trailing += len(rest.rstrip()) if self.decompressor is None else len(rest)
        return trailing

    def extend(self) -> bool:
        """Adds bytes of this member only."""
        n = len(self.out) - self.at
        while self.decompressor is not None and len(self.out) - self.at == n:
            self.inflate()
        return len(self.out) - self.at > n

    def at_record(self) -> bool:
        """Looks into the next members too where this one ends inside what may be a header; they are not consumed."""
        if super().at_record():
            return True
        seen, behind = self.ahead(), b""
        if self.decompressor is not None or not may_become_record(seen):
            return False
        for piece in self._members_ahead():
            seen += piece
            behind += piece
            if not may_become_record(seen):
                break
        # A next member that begins with a record of its own shows that the bytes at hand belong to none. But what
        # follows the h of http:// looks like an ARC header too.
        return begins_record(seen) and (seen.startswith(USUAL_SCHEMES) or not begins_record(behind))

    def _members_ahead(self) -> Iterator[bytes]:
        """What the members behind this one hold, as far as it lies in the next piece of the file."""
        self.raw, self.used = self.raw[self.used :] + self.file.read(PIECE_SIZE), 0
        rest = self.raw
        while rest.startswith(self.codec.magic):
            decompressor = self.codec.start()
            try:
                out, n_used = decompressor.feed(rest, PIECE_SIZE)
            except CodecError:
                return
            yield out
            rest = rest[n_used:] if decompressor.eof else b""


class Block:
    """The block of a record."""

    __slots__ = ("_failure", "_own_member", "_rest", "_stream", "cut", "end")

    def __init__(self, stream: Stream, length: int, *, own_member: bool) -> None:
        self._stream = stream
        self._own_member = own_member  # the record began its gzip member, which therefore says better where it ends
        self._rest = length
        self._failure: Broken | None = None
        self.cut = False  # the member ended before the block did: Content-Length was too large
        self.end: int | None = None  # of a block that was cut, where the stream was read on into the next member

    def read(self, n: int, before: bytes = b"") -> bytes:
        """The next bytes behind those that were read before; fewer than n at the end of the block or where it is
        damaged.
        """
        pieces, stream = [before], self._stream
        while n > 0 and self._rest > 0:
            if stream.at >= len(stream.out):
                try:
                    if self._has_ended():
                        break
                except Broken as problem:
                    self._failure = problem
                    self._rest = 0
                    break
            piece = stream.take(min(n, self._rest))
            pieces.append(piece)
            self._rest -= len(piece)
            n -= len(piece)
        return b"".join(pieces)  # the only copy of a block

    def _has_ended(self) -> bool:
        """Whether the block ends before its Content-Length says so: with its member, or at another header."""
        stream = self._stream
        between = self._own_member and isinstance(stream, MemberStream) and stream.is_between
        if not stream.fill():
            if between:
                self.cut, self._rest = True, 0
                return True
            raise Broken(stream.offset, "the file ends inside a record")
        if between and stream.at_warc_record():
            stream.settle()
            self.cut, self._rest, self.end = True, 0, stream.offset
            return True
        return False

    def finish(self) -> None:
        """Passes over what was not read; raises Broken where the block is damaged."""
        stream = self._stream
        while self._rest > 0 and (stream.at < len(stream.out) or not self._has_ended()):
            self._rest -= stream.skip(self._rest)
        if self._failure:
            raise self._failure


def inflate(raw: bytes, most: int, codec: Codec) -> bytes | None:
    """The first bytes of a member, None if it is none."""
    try:
        return codec.start().feed(raw, most)[0]
    except CodecError:
        return None


def inflate_start(file: InputFile, offset: int, most: int, codec: Codec) -> bytes:
    """The first bytes that the members from an offset on hold, empty members passed over; b"" where there are none."""
    stream = MemberStream(file, offset, codec)
    out = b""
    try:
        while len(out) < most and stream.fill():
            out += stream.take(most - len(out))
    except Broken:
        pass
    return out
