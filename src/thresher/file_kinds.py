# SPDX-License-Identifier: Apache-2.0
"""What kind of file a body is, from its first bytes: HTML, something that is never a web page, a document."""

from __future__ import annotations

import re
from typing import Final

PLAIN_TEXT: Final = b"<!DOCTYPE html><plaintext>"
"""What turns plain text into a page: the parser takes everything after this tag as it is."""

KIND_BYTES: Final = 1024  # at the beginning of a body, which are looked at
_LEAST: Final = 64  # bytes; a shorter body is too short for statistics
_MOST_CONTROLS: Final = 0.04  # share of control characters in text; compressed data has .1

# MIME Sniffing, section 3: the bytes that text does not hold. Without ESC, which ISO-2022-JP uses.
_CONTROLS: Final = bytes(code for code in range(0x20) if code not in b"\t\n\x0c\r\x1b")
_NOT_CONTROLS: Final = bytes(code for code in range(0x100) if code not in _CONTROLS)

# MIME Sniffing, section 6, and further formats that servers send as text/html by mistake. A signature of letters alone
# is followed by bytes that text does not have in that place.
_SIGNATURES: Final = {
    "a PDF document": rb"%PDF-\d|%FDF-\d",
    "a PostScript file": rb"%!PS-Adobe-",
    "an RTF document": rb"\{\\rtf\d",
    "a PNG image": rb"\x89PNG\r\n\x1a\n",
    "a GIF image": rb"GIF8[79]a",
    "a JPEG image": rb"\xff\xd8\xff",
    "a WebP image": rb"RIFF....WEBP",
    "a TIFF image": rb"II\*\0|MM\0\*",
    "a BMP image": rb"BM....\0\0\0\0",
    "an icon": rb"\0\0[\1\2]\0[^\0]",
    "a Photoshop image": rb"8BPS\0",
    "a JPEG 2000 image": rb"\0\0\0\x0cjP  |\xff\x4f\xff\x51",
    "a DjVu document": rb"AT&TFORM",
    "an MP4 or HEIF file": rb"\0\0..ftyp",
    "an audio or video file": (
        rb"RIFF....(?:WAVE|AVI |RMID|ACON)|ID3[\1-\5]|OggS\0|fLaC\0|\x1aE\xdf\xa3|FLV\1|MThd\0|\0\0\1[\xba\xb3]"
        rb"|\xff[\xfb\xf3\xf2\xf1\xf9][\0-\xff]\0|FORM....AIFF|\x30\x26\xb2\x75|\.RMF\0"
    ),
    "a Flash file": rb"[FCZ]WS[\1-\x40]",
    "a font": rb"wOF[F2][\0\1]|\0\1\0\0[\0-\x40]|OTTO\0|ttcf\0",
    "a ZIP archive": rb"PK(?:\x03\x04|\x05\x06|\x07\x08)",
    "a RAR archive": rb"Rar!\x1a\x07",
    "a 7z archive": rb"7z\xbc\xaf\x27\x1c",
    "a bzip2 file": rb"BZh[1-9](?:1AY&SY|\x17\x72\x45)",
    "an xz file": rb"\xfd7zXZ\0",
    "a gzip file": rb"\x1f\x8b\x08",
    "a Zstandard file": rb"\x28\xb5\x2f\xfd",
    "an LZ4 file": rb"\x04\x22\x4d\x18",
    "an old Office document": rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "a program": rb"MZ[\0-\xff]\0|\x7fELF|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|\0asm",
    "an SQLite database": rb"SQLite format 3\0",
    "a Parquet file": rb"PAR1[\x15\x2c\0-\x20]",
    "an Arrow file": rb"ARROW1\0\0",
}
_SIGNATURE: Final = re.compile(
    b"|".join(b"(?P<k%d>%b)" % (number, pattern) for number, pattern in enumerate(_SIGNATURES.values())), re.DOTALL
)
_KINDS: Final = tuple(_SIGNATURES)

_OFFICE: Final = "application/vnd.openxmlformats-officedocument."
_OPEN: Final = "application/vnd.oasis.opendocument."
DOCUMENTS: Final[dict[str, tuple[str, ...]]] = {
    "pdf": ("application/pdf", "application/x-pdf"),
    "ps": ("application/postscript",),
    "rtf": ("application/rtf", "text/rtf", "application/x-rtf"),
    "djvu": ("image/vnd.djvu", "image/x-djvu", "image/x.djvu"),
    "docx": (f"{_OFFICE}wordprocessingml.document",),
    "pptx": (f"{_OFFICE}presentationml.presentation",),
    "xlsx": (f"{_OFFICE}spreadsheetml.sheet",),
    "odt": (f"{_OPEN}text",),
    "odp": (f"{_OPEN}presentation",),
    "ods": (f"{_OPEN}spreadsheet",),
    "epub": ("application/epub+zip",),
    "doc": ("application/msword",),
    "ppt": ("application/vnd.ms-powerpoint",),
    "xls": ("application/vnd.ms-excel",),
    "feed": ("application/rss+xml", "application/atom+xml", "application/rdf+xml"),
}
"""Kinds of documents that are no web pages, with the media types that name them."""

FEED_TYPES: Final = frozenset((*DOCUMENTS["feed"], "application/xml", "text/xml"))
"""The media types that feeds are sent with, beside those of pages and plain text."""
_KIND_OF_TYPE: Final = {media_type: kind for kind, types in DOCUMENTS.items() for media_type in types}
_BEGINNINGS: Final = {
    "pdf": re.compile(rb".{0,1019}?%PDF-\d", re.DOTALL),  # readers look for it in the first 1,024 bytes
    "ps": re.compile(rb"%!PS-Adobe-"),
    "rtf": re.compile(rb"\{\\rtf\d"),
    "djvu": re.compile(rb"AT&TFORM....DJV[UM]", re.DOTALL),
    "feed": re.compile(rb"[\xef\xbb\xbf\s]*<(?:.{0,4096}?<)??(?:rss|feed|rdf:RDF)[\s>]", re.DOTALL),
}
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_CONTAINERS: Final = {
    _ZIP: frozenset(("docx", "pptx", "xlsx", "odt", "odp", "ods", "epub")),
    _OLE: frozenset(("doc", "ppt", "xls")),
}
_STATED_IN_ZIP: Final = re.compile(rb"PK\x03\x04.{26}mimetype(?:.{0,64}?)(application/[a-z.+-]+)", re.DOTALL)
_FOLDER_IN_ZIP: Final = re.compile(rb"PK\x03\x04.{26}(word|ppt|xl)/", re.DOTALL)
_KIND_OF_FOLDER: Final = {b"word": "docx", b"ppt": "pptx", b"xl": "xlsx"}
_ENDING: Final = re.compile(r"\.([a-z]{2,4})(?:[?#]|$)", re.IGNORECASE)


def document_kind(start: bytes, media_type: str, url: str) -> str | None:
    """Which of DOCUMENTS a body that begins so is; None if it is none of them.

    The content decides. What the server says, or else the end of the address, tells only formats apart that share a
    container: an error page that is served as PDF is none.
    """
    for kind, beginning in _BEGINNINGS.items():
        if beginning.match(start):
            return kind
    kinds = next((kinds for magic, kinds in _CONTAINERS.items() if start.startswith(magic)), None)
    if kinds is None:
        return None
    if stated := _STATED_IN_ZIP.match(start):
        return _KIND_OF_TYPE.get(stated[1].decode("ascii"))
    if folder := _FOLDER_IN_ZIP.search(start):
        return _KIND_OF_FOLDER[folder[1]]
    ending = _ENDING.search(url)
    named = (_KIND_OF_TYPE.get(media_type), ending[1].lower() if ending else None)
    return next((kind for kind in named if kind in kinds), None)


def is_feed(body: bytes) -> bool:
    """Whether a body begins as RSS or Atom does."""
    return _BEGINNINGS["feed"].match(body[: 8 * KIND_BYTES]) is not None


def binary_kind(body: bytes) -> str | None:
    """What a body is if it is never a web page, for a sentence ("a PDF document"); None if it may be one."""
    if body[:KIND_BYTES].lstrip()[:1] == b"<":  # no signature begins with this, or with white space
        return None
    found = _SIGNATURE.match(body)
    if found:
        return _KINDS[int((found.lastgroup or "k0")[1:])]
    start = body[:KIND_BYTES]
    n_controls = len(start.translate(None, _NOT_CONTROLS))
    if n_controls <= len(start) * _MOST_CONTROLS or len(start) < _LEAST:
        return None
    return None if _may_be_utf16(start) else "binary data"


def plain_text_page(utf8: bytes) -> bytes:
    """Plain text as a page: its markup is text, and its lines and blanks stay."""
    return PLAIN_TEXT + utf8


def _may_be_utf16(start: bytes) -> bool:
    """Whether the control characters may be halves of UTF-16: zeros, nearly all at even or at odd places."""
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return True
    even, odd = start[::2].count(0), start[1::2].count(0)
    few, many = sorted((even, odd))
    return many > len(start) // 8 and few * 16 <= many
