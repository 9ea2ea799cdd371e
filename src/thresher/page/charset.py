# SPDX-License-Identifier: Apache-2.0
"""UTF-8 out of a page in any encoding, and how the encoding was known.

The order of evidence is the HTML standard's (13.2.3, "Determining the character encoding"): byte order mark, HTTP
header, a prescan of the first 1,024 bytes for meta. Then the bytes are asked whether they agree: archives hold many
pages whose header names another encoding than they are written in, and nobody is there to choose another one in a menu.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final, NamedTuple

from thresher.native.parsing.prescan import charset_metas
from thresher.native.parsing.utf8 import (
    ASCII,
    OTHER,
    UTF8_WITH_C1,
    double_utf8,
    encoded_once,
    repaired_sequences,
    utf8_state,
)
from thresher.page.legacy_encodings import decode_as, encoding_of

__all__ = ["Decoded", "declared_in_page", "decode"]

PRESCAN_BYTES: Final = 1024
# What the detector of last resort is shown: more changes its answer on no labelled page.
DETECTOR_BYTES: Final = 64 << 10
ESCAPES: Final = ("iso-2022-jp", "replacement")  # ASCII bytes may stand for other characters

SURE: Final = 3  # weight of evidence, see double_utf8: one sequence that no text holds, or three that it hardly does
MOST_REPAIRS: Final = 3  # pages encoded three times are found too (a shop in SWDE)
BOMS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))


class Decoded(NamedTuple):
    """A page in UTF-8."""

    utf8: bytes
    """Valid UTF-8; the very object that was given if nothing had to be changed."""
    charset: str
    """The encoding it was in: a name of the Encoding standard in lower case."""
    source: str
    """`bom`, `http`, `meta`, `utf8` (it is valid), `detected` or `default`. `utf8-over-http` and the like: the header
    or meta named another encoding, and the bytes proved it wrong."""
    n_replaced: int = 0
    """Malformed sequences that became U+FFFD."""
    repaired: bool = False
    """It was encoded as UTF-8 twice."""


def decode(payload: bytes | str, *, http_charset: str | None = None, max_bytes: int | None = None) -> Decoded:
    """`payload` in UTF-8 with the encoding it was in. Text that somebody else decoded may be as wrong as bytes are, and
    is repaired as they are.

    `http_charset` is the charset of the Content-Type header as it stands there. Payloads are cut at `max_bytes`.
    """
    if isinstance(payload, str):
        payload = payload.encode("utf-8", "replace")[:max_bytes]
        return utf8_page(payload, utf8_state(payload), "default")
    return _decoded(payload[:max_bytes], http_charset)


def _decoded(payload: bytes, http_charset: str | None) -> Decoded:
    for mark, encoding in BOMS:
        if payload.startswith(mark):
            return transcode(payload[len(mark) :], encoding, "bom")
    declared, source = encoding_of(http_charset), "http"
    if declared is None:
        declared, source = declared_in_page(payload), "meta"
    state = utf8_state(payload)
    if state == OTHER:
        return decide(payload, declared, source)
    if declared is None:
        if state == ASCII and b"\x1b" in payload and detect(payload) == "iso-2022-jp":
            return transcode(payload, "iso-2022-jp", "detected")
        return utf8_page(payload, state, "utf8")
    if declared == "utf-8":
        return utf8_page(payload, state, source)
    if declared in ("utf-16le", "utf-16be"):
        if b"\0" in payload[:PRESCAN_BYTES]:
            return transcode(payload, declared, source)
        return utf8_page(payload, state, f"utf8-over-{source}")
    if state != ASCII:
        return utf8_page(payload, state, f"utf8-over-{source}")
    if declared not in ESCAPES or not re.search(rb"\x1b|~\{|\x0e", payload):
        return Decoded(payload, declared, source)  # ASCII is the same in all others
    return transcode(payload, declared, source)


def utf8_page(payload: bytes, state: int, source: str) -> Decoded:
    """A page that is valid UTF-8, repaired where it is so twice over.

    Somewhere on its way such a page, or a field pasted into it, was read as windows-1252 or ISO-8859-1 and encoded
    again. The whole is taken back where every single character beyond ASCII fits that story and some of them are never
    found in text; otherwise those sequences of three and four characters are that have a C1 control inside, which no
    text has.
    """
    if state == ASCII:
        return Decoded(payload, "utf-8", source)
    repaired = payload
    times = 0
    while times < MOST_REPAIRS and double_utf8(repaired) >= SURE:
        once = encoded_once(repaired)
        state = utf8_state(once) if once is not None else OTHER
        if once is None or state == OTHER:
            break
        repaired, times = once, times + 1
    if state == UTF8_WITH_C1 and times == 0:
        repaired = repaired_sequences(payload)
    return Decoded(payload if repaired == payload else repaired, "utf-8", source, repaired=repaired != payload)


def transcode(payload: bytes, encoding: str, source: str) -> Decoded:
    """`payload` taken from `encoding` to UTF-8."""
    if encoding == "utf-8" and (state := utf8_state(payload)) != OTHER:
        return utf8_page(payload, state, source)
    text = decode_as(encoding, payload)
    return encode(text, payload, encoding, source)


def encode(text: str, payload: bytes, encoding: str, source: str) -> Decoded:
    """A decoded page, its U+FFFD counted (a genuine one in a UTF-8 page is no error)."""
    n_replaced = text.count("\ufffd")
    if encoding == "utf-8" and n_replaced:
        n_replaced -= payload.count(b"\xef\xbf\xbd")
    return Decoded(text.encode("utf-8", "replace"), encoding, source, n_replaced)


def decide(payload: bytes, declared: str | None, source: str) -> Decoded:
    """A page that is not valid UTF-8: as declared where the bytes allow it, else as the detector says."""
    first: Decoded | None = None
    if declared is None:
        declared = late_meta(payload)
    if declared is not None:
        first = transcode(payload, declared, source)
        if tolerable(first):
            return first
    if declared != "utf-8":
        damaged = transcode(payload, "utf-8", "utf8" if declared is None else f"utf8-over-{source}")
        if tolerable(damaged):
            return damaged
    name = detect(payload)
    detected = transcode(payload, name or "windows-1252", "detected" if name else "default")
    if first is None:
        return detected
    n_right = len(first.utf8.translate(None, BELOW_LEADS)) - first.n_replaced if first.charset == "utf-8" else 0
    if (
        name
        and detected.charset != first.charset
        and detected.n_replaced * 4 < first.n_replaced
        and n_right <= first.n_replaced
    ):
        return Decoded(detected.utf8, detected.charset, f"detected-over-{source}", detected.n_replaced)
    return first


BELOW_C1: Final = bytes(range(0x80))
BELOW_LEADS: Final = bytes(range(0xC0))
NOT_C1: Final = bytes(range(0x80)) + bytes(range(0xA0, 0x100))


def tolerable(page: Decoded) -> bool:
    """Whether malformed sequences are so few that the encoding is right and the page merely damaged.

    One in ten of the characters beyond ASCII: text in a wrong multi-byte encoding has one in two to three; a page cut
    in the middle of a character, or with one field of another encoding pasted in, has a handful.
    """
    if page.n_replaced == 0:
        return True
    beyond = len(page.utf8.translate(None, BELOW_LEADS))
    return page.n_replaced * 10 <= beyond


# What chardetng's Python package calls otherwise than the Encoding standard: names of Python's codecs.
PYTHON_CODECS: Final = {
    "cp874": "windows-874",
    "cp949": "euc-kr",
    "iso2022_jp": "iso-2022-jp",
    "mac_cyrillic": "x-mac-cyrillic",
}
SINGLE_BYTES: Final = ("iso-8859-", "windows-", "ibm866")
PIECE: Final = 4 << 10  # bytes, of a page whose damage hides its encoding
CHARACTERS: Final = re.compile(rb"[\x80-\xff]{4,}")
# Runs of ASCII between other bytes, of which chardetng reads the ends alone: on 4,062 pages in nineteen encodings its
# answer is the same without the middle, in a fifth of the time.
MIDDLE: Final = re.compile(rb"([\x00-\x7f]{16})[\x00-\x7f]{16,}([\x00-\x7f]{16})")


def detect(payload: bytes) -> str | None:
    """The encoding that chardetng, Firefox's detector, takes a page for; None if it has no opinion.

    One malformed sequence rules an encoding out for chardetng. A page whose characters beyond ASCII stand together, as
    in Chinese, is asked about in pieces if it is said to be Latin.
    """
    start = payload[:DETECTOR_BYTES]
    shortened = start if b"\x1b" in start else MIDDLE.sub(rb"\1\2", start)  # ISO-2022-JP is ASCII with escapes
    name = guess(shortened)
    together = sum(map(len, CHARACTERS.findall(shortened)))
    if name in LANGUAGES_OF and together * 2 > len(shortened.translate(None, BELOW_C1)):
        pieces = Counter(guess(start[place : place + PIECE]) for place in range(0, len(start), PIECE))
        wider = [found for found, _ in pieces.most_common() if found not in LANGUAGES_OF and found is not None]
        name = next((found for found in wider if tolerable(transcode(start, found, ""))), name)
    if name is not None and name.startswith(SINGLE_BYTES):
        return likelier(start, name)
    if name in ESCAPES or len(start.translate(None, BELOW_C1)) >= FEW_BYTES:
        return name
    return "windows-1252" if name else None


def guess(payload: bytes) -> str | None:
    """What chardetng says of some bytes; None of plain ASCII."""
    from chardetng_py import EncodingDetector

    detector = EncodingDetector()
    if not detector.feed(payload, last=True) and b"\x1b" not in payload:
        return None
    found = detector.guess(tld=None, allow_utf8=False).lower()
    return PYTHON_CODECS.get(found) or encoding_of(found)


# Where an ISO set was detected and C1 controls are in the page, it is its Windows sibling.
WINDOWS_SIBLINGS: Final = {
    "iso-8859-2": "windows-1250", "iso-8859-5": "windows-1251", "iso-8859-6": "windows-1256",
    "iso-8859-7": "windows-1253",
    "iso-8859-8": "windows-1255", "iso-8859-13": "windows-1257", "iso-8859-15": "windows-1252",
}  # fmt: skip
OTHER_SCRIPTS: Final = frozenset(
    f"windows-{number}" for number in (1251, 1253, 1255, 1256, 874)
) | {"iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8"}  # fmt: skip
CENTRAL_EUROPE: Final = frozenset(
    ("ces", "slk", "pol", "hrv", "bos", "slv", "hun", "ron", "sqi", "hsb", "dsb", "hbs", "srp")
)
BALTIC: Final = frozenset(("est", "lit", "lav", "ltg", "sgs"))
LANGUAGES_OF: Final = {
    "windows-1250": CENTRAL_EUROPE, "iso-8859-2": CENTRAL_EUROPE, "iso-8859-16": CENTRAL_EUROPE,
    "windows-1254": frozenset(("tur", "aze", "kur")), "iso-8859-3": frozenset(("mlt", "epo")),
    "windows-1257": BALTIC, "iso-8859-4": BALTIC, "iso-8859-13": BALTIC,
    "windows-1258": frozenset(("vie",)), "windows-1252": frozenset[str](),
    "ibm866": frozenset(("rus", "ukr", "bel", "bul", "mkd")),
}  # fmt: skip
"""Sets that others are taken for, and the languages that are written in each and not in windows-1252."""
FEW_BYTES: Final = 6  # beyond ASCII, below which a page is not said to be Chinese, Japanese or Korean
FEW_LETTERS: Final = 20  # accented letters in a page, below which guesses between Latin sets need its language as well
TAGS: Final = re.compile(rb"(?is)<(?:script|style)\b[^<]*|<[^<>]*>|&[a-z0-9#]+;")


def likelier(payload: bytes, name: str) -> str:
    """What a page detected as a single-byte encoding is in more likely: windows-1252 where it has hardly a letter
    beyond ASCII, unless its language says that it is in another set.

    English pages with a few curly quotes, bullets and names in them are taken for windows-1250, ISO-8859-7 and others:
    28 of the 87 labelled pages that declare nothing and are not UTF-8. Fitted on those pages.
    """
    n_letters = len(payload.translate(None, BELOW_LEADS))  # bytes C0 to FF, letters in all of these sets
    n_high = len(payload.translate(None, BELOW_C1))
    if name in OTHER_SCRIPTS:
        if n_letters * 2 < n_high:
            return "windows-1252"
    elif n_letters < FEW_LETTERS or name == "ibm866":
        language = language_in(payload, name)
        sets = [each for each, languages in LANGUAGES_OF.items() if language in languages]
        name = name if name in sets else next(iter(sets), "windows-1252")
    has_c1 = len(payload.translate(None, NOT_C1)) > 0
    return WINDOWS_SIBLINGS.get(name, name) if has_c1 else name


def language_in(payload: bytes, encoding: str) -> str:
    """The language of what stands between a page's tags, read in an encoding."""
    from thresher.page.language import identify_language

    return identify_language(decode_as(encoding, TAGS.sub(b" ", payload)))[0]


# ---------------------------------------------------------------------------------------------------------------------
# Prescan (HTML standard, 13.2.3.2)
# ---------------------------------------------------------------------------------------------------------------------

LATE_META_BYTES: Final = 256 << 10  # heads full of inline style and script are seldom longer
ATTRIBUTE: Final = re.compile(
    rb"[\t\n\x0c\r /]*(?:>|(?P<name>[^\t\n\x0c\r />][^\t\n\x0c\r />=]*)(?:[\t\n\x0c\r ]*=[\t\n\x0c\r ]*"
    rb"(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<plain>[^\t\n\x0c\r >\"'][^\t\n\x0c\r >]*)|(?=>)))?)"
)
XML_DECLARATION: Final = re.compile(rb"<\?xml[^>]*?encoding[\x00-\x20]*=[\x00-\x20]*([\"'])([^\"'\x00-\x20>]+)\1")
CONTENT_CHARSET: Final = re.compile(
    r"charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))", re.IGNORECASE
)


def declared_in_page(payload: bytes) -> str | None:
    """The encoding declared in a page's first 1,024 bytes, by meta or an XML declaration, or None."""
    head = payload[:PRESCAN_BYTES]
    if head[:6] == b"<\0?\0x\0":
        return "utf-16le"
    if head[:6] == b"\0<\0?\0x":
        return "utf-16be"
    return prescan(head) or xml_declaration(head)


def xml_declaration(head: bytes) -> str | None:
    """The encoding of an XML declaration ("get an XML encoding")."""
    found = XML_DECLARATION.match(head)
    name = encoding_of(found[2].decode("latin-1")) if found else None
    return "utf-8" if name in ("utf-16le", "utf-16be") else name


MAX_KNOWN_META: Final = 256  # bytes; longer tags are not remembered


def prescan(head: bytes, *, raw_text: bool = False) -> str | None:
    """The encoding that the first meta with one declares; a tag that `head` cuts off declares nothing.

    With `raw_text` the content of elements such as script and title is passed over.
    """
    for tag in charset_metas(head, raw_text=raw_text):
        name = read_known_meta(tag) if len(tag) <= MAX_KNOWN_META else read_meta(tag)
        if name:
            return name
    return None


def late_meta(payload: bytes) -> str | None:
    """The encoding that a meta behind the first 1,024 bytes declares.

    A browser that meets one begins anew with it ("change the encoding", 13.2.3.4).
    """
    return prescan(payload[:LATE_META_BYTES], raw_text=True)


def read_meta(tag: bytes) -> str | None:
    """The encoding that the tag of a meta element declares, None if none."""
    values: dict[bytes, bytes] = {}
    for found in ATTRIBUTE.finditer(tag, len(b"<meta")):
        if found["name"]:
            value = found["double"] or found["single"] or found["plain"] or b""
            values.setdefault(found["name"].lower(), value.lower())
    encoding: str | None = None
    if b"charset" in values:
        encoding = encoding_of(values[b"charset"].decode("latin-1"))
    elif values.get(b"http-equiv") == b"content-type" and b"content" in values:
        content = CONTENT_CHARSET.search(values[b"content"].decode("latin-1"))
        encoding = encoding_of(content[1] or content[2] or content[3]) if content else None
    if encoding in ("utf-16le", "utf-16be"):
        encoding = "utf-8"
    return "windows-1252" if encoding == "x-user-defined" else encoding


read_known_meta = lru_cache(maxsize=1 << 10)(read_meta)  # most pages have one of a few
