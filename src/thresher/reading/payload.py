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
import zlib
from dataclasses import dataclass
from typing import Any, Final

SALVAGE_STEP: Final = 16 << 10  # bytes
INPUT_STEP: Final = 64 << 10  # bytes of a deflate stream decompressed in one call
MEMBER_STEP: Final = 256  # bytes of the first call for each further gzip member; doubled from call to call
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
ZSTD_FRAME: Final = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", re.DOTALL)
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

    status: int
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


def inflate(body: bytes, window: int, limit: int) -> tuple[bytes, str]:
    """The content of a zlib, raw deflate or gzip stream, all its members, and what is wrong with it.

    The content is cut at limit + 1 bytes, so that the caller sees that there was more.
    Raises zlib.error where not even the beginning can be decompressed.
    """
    view = memoryview(body)
    out = io.BytesIO()
    position = 0
    for member in range(MAX_MEMBERS):
        stream = zlib.decompressobj(window)
        begin, before = position, out.tell()
        try:
            position = inflate_member(stream, view, position, MEMBER_STEP if member else INPUT_STEP, out, limit)
        except zlib.error:
            out.seek(before)
            out.truncate()
            out.write(salvage(view[begin:], window, limit + 1 - before))
            if not member and not out.tell():
                raise
            return out.getvalue(), "encoding"
        if out.tell() > limit:
            return out.getvalue(), "limit"
        if not stream.eof:
            return out.getvalue(), "encoding" if view else ""
        if window != 31 or body[position : position + 2] != b"\x1f\x8b":  # the end, or trailing zeros and the like
            return out.getvalue(), ""
    return out.getvalue(), "encoding"


def inflate_member(
    stream: Any,  # noqa: ANN401 (zlib names no type)
    view: memoryview,
    position: int,
    step: int,
    out: io.BytesIO,
    limit: int,
) -> int:
    """Decompresses one member into `out` until its end, the end of the input or `limit`; returns the offset behind it.

    zlib copies what a call leaves unused. The calls therefore begin small: given the whole rest of a body each time, a
    million small members would copy it a million times.
    """
    full = False  # more output may be waiting though all input was taken
    while not stream.eof and (position < len(view) or full):
        most = min(OUTPUT_STEP, limit + 1 - out.tell())
        given = view[position : position + step]
        piece = stream.decompress(given, most)
        out.write(piece)
        if out.tell() > limit:
            break
        full = len(piece) == most
        position += len(given) - len(stream.unused_data if stream.eof else stream.unconsumed_tail)
        step = min(2 * step, INPUT_STEP)
    return position


def salvage(body: memoryview, window: int, limit: int) -> bytes:
    """What a broken deflate stream gives before its damage: fed in steps, the failing one once more byte by byte."""
    stream = zlib.decompressobj(window)
    out = io.BytesIO()
    for start in range(0, len(body), SALVAGE_STEP):
        step = body[start : start + SALVAGE_STEP]
        before = stream.copy()
        try:
            out.write(stream.decompress(step, limit - out.tell()))
        except zlib.error:
            try:
                for byte in step:
                    out.write(before.decompress(bytes((byte,)), max(limit - out.tell(), 1)))
            except zlib.error:
                pass
            break
        if out.tell() >= limit or stream.eof:
            break
    return out.getvalue()[:limit]


def gunzip(body: bytes, limit: int) -> tuple[bytes, str]:
    """A gzip body decompressed; one that is not gzip is returned as it is: archives decode and keep the header."""
    if body[:2] != b"\x1f\x8b":
        return body, ""
    try:
        return inflate(body, 31, limit)
    except zlib.error as error:
        raise PayloadError(f"broken gzip body: {error}") from None


def undeflate(body: bytes, limit: int) -> tuple[bytes, str]:
    """A decompressed "deflate" body, with the zlib header that the standard requires, or raw as some servers send."""
    if body[:2] == b"\x1f\x8b":
        return gunzip(body, limit)
    for window in (15, -15):
        try:
            return inflate(body, window, limit)
        except zlib.error as error:
            problem = error
    if looks_like_text(body):
        return body, ""
    raise PayloadError(f"broken deflate body: {problem}")


def unbrotli(body: bytes, limit: int) -> tuple[bytes, str]:
    """A Brotli body decompressed.

    Brotli has no signature, so a body that fails from its first byte and begins like markup counts as stored plain.
    """
    return read_stream("BrotliReader", body, limit)


def unzstd(body: bytes, limit: int) -> tuple[bytes, str]:
    """A Zstandard body decompressed. pzstd and others begin one with a skippable frame."""
    return read_stream("ZstdReader", body, limit) if ZSTD_FRAME.match(body) else (body, "")


def read_stream(reader: str, body: bytes, limit: int) -> tuple[bytes, str]:
    """A body decompressed by one of FastWARC's stream readers."""
    from fastwarc import stream_io

    make = getattr(stream_io, reader)
    problem: Exception | None = None
    out = io.BytesIO()
    # A read that fails loses what it had read, so a broken stream is read again in small steps.
    for step in (1 << 18, 256):
        stream = make(io.BytesIO(body))
        out = io.BytesIO()
        try:
            while out.tell() <= limit and (piece := stream.read(min(step, limit + 1 - out.tell()))):
                out.write(piece)
        except (OSError, ValueError) as error:
            problem = error
            continue
        return out.getvalue(), "encoding" if problem else "limit" if out.tell() > limit else ""
    if out.tell():
        return out.getvalue(), "encoding"
    if looks_like_text(body):
        return body, ""
    raise PayloadError(f"broken body ({reader.removesuffix('Reader').lower()}): {problem}")


DECODERS: Final = {
    "gzip": gunzip,
    "x-gzip": gunzip,
    "deflate": undeflate,
    "x-deflate": undeflate,
    "br": unbrotli,
    "zstd": unzstd,
}
UNREADABLE_CODINGS: Final = frozenset({"compress", "x-compress", "dcb", "dcz", "sdch", "exi", "pack200-gzip"})
