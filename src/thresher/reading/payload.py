# SPDX-License-Identifier: Apache-2.0
"""What an HTTP response says and carries: its head, its body without transfer and content codings, its kind.

Archives hold bodies that no server would send: lengths are wrong, chunks are broken or were removed while the header
stayed, the header says gzip and the body is plain. This module reads what can be read.

Time and memory are bounded whatever a body holds. Each coding takes time linear in the bytes it reads and writes,
nothing is decoded beyond `limit`, and a body may have at most `MAX_CODINGS` codings. Decoding holds the body, the input
and the output of one coding, and the window of its decompressor. At the default limit of 16 MiB the worst body tried
took 160 MB (eight codings).
"""

from __future__ import annotations

import io
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Final

from thresher.reading.members import BROTLI, GZIP, RAW_DEFLATE, SKIPPABLE, ZLIB, ZSTD, Codec, CodecError

INPUT_STEP: Final = 64 << 10  # compressed bytes given to one call
MEMBER_STEP: Final = 256  # bytes of the first call for each further member; doubled from call to call
OUTPUT_STEP: Final = 1 << 20  # bytes that one call may give
MAX_MEMBERS: Final = 1 << 20  # gzip members of a body; an empty one is 20 bytes, so that 16 MiB hold fewer
MAX_CODINGS: Final = 8  # codings of a body; real bodies have one, rarely two
MAX_HEAD: Final = 64 << 10  # bytes of an HTTP head; servers accept 8 to 32 KiB

HTML_TYPES: Final = frozenset(
    {
        "text/html",
        "application/xhtml+xml",
        "application/vnd.wap.xhtml+xml",
        "application/x-httpd-php",
        "text/x-server-parsed-html",
    }
)
PLAIN_TYPE: Final = "text/plain"
UNKNOWN_TYPES: Final = frozenset(
    {"", "unknown/unknown", "application/unknown", "*/*", "application/octet-stream", "no-type"}
)

HEAD_END: Final = re.compile(rb"\n\r{0,2}\n")
STATUS_LINE: Final = re.compile(rb"\s{0,8}HTTP/\d{1,3}(?:\.\d{1,3})?[ \t]+(\d{3})(?!\d)", re.IGNORECASE)
MEDIA_TYPE: Final = re.compile(r"[\s,;\"']*([!#$%&*+.^_`|~0-9A-Za-z-]+/[!#$%&*+.^_`|~0-9A-Za-z-]+)")
CHARSET: Final = re.compile(r"charset\s*=\s*(?:\"([^\"]*)\"?|'([^']*)'?|([^\s;,\"']+))", re.IGNORECASE)
CHUNK_SIZE: Final = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]{0,4096})?\r?\n")

# WHATWG MIME Sniffing, section 7.1, the patterns for text/html: each followed by white space, "/" or ">".
HTML_START: Final = re.compile(
    rb"<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ \t\n\x0c\r/>])",
    re.IGNORECASE,
)


class PayloadError(ValueError):
    """A body that cannot be decoded at all."""


@dataclass(frozen=True, slots=True)
class HttpHead:
    """An HTTP response's head; header values are decoded as Latin-1, "" where a header is missing."""

    status: int | None  # None for a record without HTTP
    content_type: str
    content_encoding: str
    transfer_encoding: str
    raw: bytes = b""  # all of it


def parse_head(head: bytes) -> HttpHead | None:
    """The head of an HTTP response, None if the bytes do not begin with an HTTP status line.

    `head` is everything before the empty line; lines may end in LF alone, folded lines are joined (RFC 9112, section
    5.2).
    """
    status = STATUS_LINE.match(head)
    if not status:
        return None
    if b"\n " in head or b"\n\t" in head:
        head = re.sub(rb"\r?\n[ \t]+", b" ", head)
    found: dict[bytes, str] = {}
    for name, value in HEADERS.findall(head):
        found.setdefault(name.lower(), value.decode("latin-1").strip())
    return HttpHead(
        int(status[1]),
        found.get(b"content-type", ""),
        found.get(b"content-encoding", ""),
        found.get(b"transfer-encoding", ""),
        head,
    )


HEADERS: Final = re.compile(
    rb"\n(content-type|content-encoding|transfer-encoding)[ \t]*:[ \t]*([^\r\n]*)", re.IGNORECASE
)


def media_type(content_type: str) -> str:
    """The media type of a Content-Type value in lower case without its parameters, "" where there is none."""
    found = MEDIA_TYPE.match(content_type)
    return found[1].lower() if found else ""


def charset_parameter(content_type: str) -> str | None:
    """The charset parameter of a Content-Type value as it stands there, None if there is none."""
    found = CHARSET.search(content_type)
    return (found[1] or found[2] or found[3] or "").strip() or None if found else None


def is_html_type(kind: str) -> bool:
    """True for media types whose content a browser shows as an HTML page."""
    return kind in HTML_TYPES


def is_xml(body: bytes) -> bool:
    return body[:256].removeprefix(b"\xef\xbb\xbf").lstrip(b"\t\n\x0c\r ").startswith(b"<?xml")


def sniff_html(body: bytes) -> str:
    """Return "text/html" or "application/xhtml+xml" where a body begins like such a page, else ""."""
    start = body[:4096]
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        start = start.decode("utf-16", "replace").encode("utf-8", "replace")
    start = start.removeprefix(b"\xef\xbb\xbf").lstrip(b"\t\n\x0c\r ")
    kind = "text/html"
    if start[:5] == b"<?xml":
        start = start.partition(b">")[2].lstrip()
        while start[:4] == b"<!--":
            start = start.partition(b"-->")[2].lstrip()
        if not re.match(rb"<(?:!doctype\s+html|html)[\s>]", start, re.IGNORECASE):
            return ""
        kind = "application/xhtml+xml"
    return kind if HTML_START.match(start) else ""


def decode_body(body: bytes, transfer_encoding: str, content_encoding: str, limit: int) -> tuple[bytes, str]:
    """A body without its codings, at most `limit` bytes, and what is wrong with it.

    The second value is "" (whole), "limit" (cut at `limit`) or "encoding" (chunks or compression were broken; the part
    before the damage is there). Raises PayloadError if nothing can be decoded.
    """
    transfer_encoding = transfer_encoding.lower()
    codings = [coding.strip() for coding in content_encoding.lower().split(",")]
    codings += [coding for coding in map(str.strip, transfer_encoding.split(",")) if coding in DECODERS]
    codings = [coding for coding in codings if coding in DECODERS or coding in UNREADABLE_CODINGS]
    if len(codings) > MAX_CODINGS:
        raise PayloadError(f"{len(codings):,} content codings, more than {MAX_CODINGS}")
    problem = ""
    if "chunked" in transfer_encoding:
        body, problem = dechunk(body)
    for coding in reversed(codings):
        if coding in UNREADABLE_CODINGS:
            raise PayloadError(f"content coding {coding!r} cannot be decoded")
        body, damage = DECODERS[coding](body, limit)
        problem = problem or damage
    if body[:3] == b"\x1f\x8b\x08":  # compressed though no header says so
        body, damage = gunzip(body, limit)
        problem = problem or damage
    if len(body) > limit:
        return body[:limit], problem or "limit"
    return body, problem


def dechunk(body: bytes) -> tuple[bytes, str]:
    """A body without HTTP chunks (RFC 9112, section 7.1), and "encoding" where they were broken.

    A body that does not begin with a chunk was stored without them and is returned as it is. Where a later chunk is
    broken the rest is kept unchanged: a stray length in the text does less harm than the loss of half a page.
    """
    size = CHUNK_SIZE.match(body)
    if not size:
        return body, ""
    out = io.BytesIO()  # not a list of pieces: a chunk of one byte would cost two objects
    view = memoryview(body)
    position = 0
    while size:
        length = int(size[1], 16)
        start = size.end()
        if length == 0:
            return out.getvalue(), ""
        end = start + length
        if end > len(body):
            out.write(view[start:])
            return out.getvalue(), "encoding"
        out.write(view[start:end])
        position = end + (2 if body[end : end + 2] == b"\r\n" else 1 if body[end : end + 1] == b"\n" else 0)
        size = CHUNK_SIZE.match(body, position)
    out.write(view[position:])
    return out.getvalue(), "encoding"


def looks_like_text(body: bytes) -> bool:
    """Whether a body begins as markup does, so that it cannot have been compressed."""
    return body.lstrip(b"\xef\xbb\xbf\t\n\x0c\r ")[:1] == b"<"


def decompress(body: bytes, codec: Codec, limit: int) -> tuple[bytes, str]:
    """The content of a compressed body, all its members, and what is wrong with it. Trailing bytes count for nothing.

    The content is cut at limit + 1 bytes, so that the caller sees that there was more. A broken member gives what comes
    before the damage.
    Raises PayloadError where not even the beginning can be decompressed.
    """
    view, out, reason = memoryview(body), io.BytesIO(), "it ends too early"
    position = 0
    for step in chain((INPUT_STEP,), repeat(MEMBER_STEP, MAX_MEMBERS)):
        before = out.tell()
        try:
            position, is_whole = _decompress_member(view, position, codec, out, limit, step)
        except _Damaged as damage:
            # What the failing call gave is lost, so the member is decompressed again, and there byte by byte.
            reason = str(damage)
            out.seek(before)
            out.truncate()
            with suppress(_Damaged):
                _decompress_member(view, position, codec, out, limit, step, damaged_at=damage.position)
            break
        if out.tell() > limit or not is_whole:
            break
        behind = _next_member(view, position, codec)
        if behind is None:
            return out.getvalue(), ""
        position = behind
    if body and not out.tell():
        raise PayloadError(f"broken {codec.name} body: {reason}")
    return out.getvalue(), "limit" if out.tell() > limit else "encoding" if body else ""


class _Damaged(Exception):
    def __init__(self, position: int, reason: str) -> None:
        super().__init__(reason)
        self.position = position  # of what the decompressor was given last


def _decompress_member(
    view: memoryview,
    position: int,
    codec: Codec,
    out: io.BytesIO,
    limit: int,
    step: int,
    damaged_at: int = sys.maxsize,
) -> tuple[int, bool]:
    """Decompresses one member into `out` until its end, the end of the input or `limit`; the offset behind it, and
    whether it ended. Raises _Damaged.

    A call copies what it leaves unused. The calls therefore begin small: given the whole rest of a body each time, a
    million small members would copy it a million times.
    """
    decompressor, last = codec.start(), position
    while not decompressor.eof and out.tell() <= limit:
        given = view[position : position + (step if position < damaged_at else 1)]
        if not given and decompressor.needs_input:
            break
        if decompressor.needs_input:
            last = position
        try:
            piece, n_used = decompressor.feed(given, min(OUTPUT_STEP, limit + 1 - out.tell()))
        except CodecError as error:
            raise _Damaged(last, str(error)) from None
        out.write(piece)
        position += n_used
        step = min(2 * step, INPUT_STEP)
    return position, decompressor.eof


def _next_member(view: memoryview, position: int, codec: Codec) -> int | None:
    """Where a further member begins behind one that ended, None if none does."""
    while codec.has_frames and SKIPPABLE.match(view, position) and len(view) >= position + 8:
        position += 8 + int.from_bytes(view[position + 4 : position + 8], "little")
    return position if codec.magic and view[position : position + len(codec.magic)] == codec.magic else None


def gunzip(body: bytes, limit: int) -> tuple[bytes, str]:
    """A gzip body decompressed; one that is not gzip is returned as it is: archives decode and keep the header."""
    return decompress(body, GZIP, limit) if body[:2] == GZIP.magic[:2] else (body, "")


def undeflate(body: bytes, limit: int) -> tuple[bytes, str]:
    """A decompressed "deflate" body, with the zlib header that the standard requires, or raw as some servers send."""
    if body[:2] == GZIP.magic[:2]:
        return gunzip(body, limit)
    try:
        return decompress(body, ZLIB, limit)
    except PayloadError:
        return decompress_or_keep(body, RAW_DEFLATE, limit)


def unbrotli(body: bytes, limit: int) -> tuple[bytes, str]:
    """A Brotli body decompressed."""
    return decompress_or_keep(body, BROTLI, limit)


def unzstd(body: bytes, limit: int) -> tuple[bytes, str]:
    """A Zstandard body decompressed. pzstd and others begin one with a skippable frame."""
    first = _next_member(memoryview(body), 0, ZSTD)
    return decompress(body[first:], ZSTD, limit) if first is not None else (body, "")


def decompress_or_keep(body: bytes, codec: Codec, limit: int) -> tuple[bytes, str]:
    """A body of a coding without a signature: one that fails from its first byte and begins like markup counts as
    stored plain.
    """
    try:
        return decompress(body, codec, limit)
    except PayloadError:
        if looks_like_text(body):
            return body, ""
        raise


DECODERS: Final = {
    "gzip": gunzip,
    "x-gzip": gunzip,
    "deflate": undeflate,
    "x-deflate": undeflate,
    "br": unbrotli,
    "zstd": unzstd,
}
UNREADABLE_CODINGS: Final = frozenset({"compress", "x-compress", "dcb", "dcz", "sdch", "exi", "pack200-gzip"})
