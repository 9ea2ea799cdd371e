# SPDX-License-Identifier: Apache-2.0
"""The encodings of the WHATWG Encoding standard: their labels, and their decoders on top of Python's codecs.

Python's codecs differ from what browsers do in places, which are listed here encoding by encoding: undefined bytes of
the Windows code pages are C1 controls, KOI8-U has the two letters of Belarusian, Shift_JIS, EUC-JP, EUC-KR and Big5 are
their Windows and Hong Kong supersets, GBK is GB 18030, a malformed sequence gives one U+FFFD and never swallows an
ASCII byte.

All pairs of bytes were compared with other implementations: GB 18030, Shift_JIS, JIS X 0208 and Big5's rows A1 to F9
with ICU's converters, KS X 1001 with its Windows extension, JIS X 0212 and HKSCS-2008 with those of OpenJDK 17; what
differs is the standard's own (private-use characters, rows A1 and A2).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import Final

__all__ = ["LABELS", "decode_as", "encoding_of"]

# Encoding standard, section 4.2, "Names and labels". Every name is a label of itself.
NAMES_AND_LABELS: Final = """
utf-8            unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8
ibm866           866 cp866 csibm866
iso-8859-2       csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
iso-8859-3       csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
iso-8859-4       csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
iso-8859-5       csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
iso-8859-6       arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i
iso-8859-6       iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
iso-8859-7       csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7
iso-8859-7       iso_8859-7:1987 sun_eu_greek
iso-8859-8       csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8
iso-8859-8       iso_8859-8:1988 visual
iso-8859-8-i     csiso88598i logical
iso-8859-10      csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13      iso8859-13 iso885913
iso-8859-14      iso8859-14 iso885914
iso-8859-15      csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
iso-8859-16
koi8-r           cskoi8r koi koi8 koi8_r
koi8-u           koi8-ru
macintosh        csmacintosh mac x-mac-roman
windows-874      dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
windows-1250     cp1250 x-cp1250
windows-1251     cp1251 x-cp1251
windows-1252     ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591
windows-1252     iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252
windows-1253     cp1253 x-cp1253
windows-1254     cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5
windows-1254     x-cp1254
windows-1255     cp1255 x-cp1255
windows-1256     cp1256 x-cp1256
windows-1257     cp1257 x-cp1257
windows-1258     cp1258 x-cp1258
x-mac-cyrillic   x-mac-ukrainian
gbk              chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
gb18030
big5             big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp           cseucpkdfmtjapanese x-euc-jp
iso-2022-jp      csiso2022jp
shift_jis        csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
euc-kr           cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
replacement      csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr
utf-16be         unicodefffe
utf-16le         csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
x-user-defined
"""
LABELS: Final = {label: line.split()[0] for line in NAMES_AND_LABELS.strip().splitlines() for label in line.split()}


def encoding_of(label: str | None) -> str | None:
    """The encoding that a label names, None for an unknown one ("get an encoding", section 4.2)."""
    return LABELS.get(label.strip("\t\n\x0c\r ").lower()) if label else None


# ---------------------------------------------------------------------------------------------------------------------
# Single bytes
# ---------------------------------------------------------------------------------------------------------------------

PYTHON_NAMES: Final = {
    "ibm866": "cp866",
    "iso-8859-8-i": "iso-8859-8",
    "macintosh": "mac_roman",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic",
}
TABLES: dict[str, str] = {}  # encoding -> 256 characters, made when first used


def table_of(encoding: str) -> str:
    """The 256 characters of a single-byte encoding, U+FFFD where a byte is not defined."""
    table = TABLES.get(encoding)
    if table is None:
        if encoding == "x-user-defined":
            characters = [chr(byte) for byte in range(0x80)] + [chr(0xF700 + byte) for byte in range(0x80, 0x100)]
        else:
            characters = list(bytes(range(256)).decode(PYTHON_NAMES.get(encoding, encoding), "replace"))
        if encoding.startswith("windows-"):
            for byte in range(0x80, 0xA0):
                if characters[byte] == "\ufffd":
                    characters[byte] = chr(byte)
        elif encoding == "koi8-u":
            characters[0xAE], characters[0xBE] = "\u045e", "\u040e"
        table = TABLES[encoding] = "".join(characters)
    return table


# ---------------------------------------------------------------------------------------------------------------------
# Several bytes: Python's codec, an error handler that resumes where the standard does, and characters that differ
# ---------------------------------------------------------------------------------------------------------------------


def resume_at(data: bytes, start: int, most: int) -> int:
    """Where decoding goes on after a malformed sequence: behind it, but never behind an ASCII byte."""
    end = start + 1
    while end < min(start + most, len(data)) and data[end] >= 0x80:
        end += 1
    return end


def gb18030_error(error: UnicodeError) -> tuple[str, int]:
    """Section 10.2.1: byte 0x80 is the euro sign, 0xFF no lead; the second of four bytes is put back."""
    assert isinstance(error, UnicodeDecodeError)
    data, start = error.object, error.start
    if data[start] == 0x80:
        return "€", start + 1
    return "\ufffd", start + 1 if data[start] == 0xFF else resume_at(data, start, 2)


def big5_error(error: UnicodeError) -> tuple[str, int]:
    """Section 12.1.1, the pairs that only the Windows code page has (the euro sign among them), and what HKSCS-2008
    added.
    """
    assert isinstance(error, UnicodeDecodeError)
    data, start = error.object, error.start
    if data[start] in (0x80, 0xFF):
        return "\ufffd", start + 1
    if data[start] == 0x87 and start + 1 < len(data):
        trail = data[start + 1]
        place = trail - 0x7A if trail < 0x7F else trail - 0xA1 + 5 if trail >= 0xA1 else -1
        if 0 <= place < len(HKSCS_2008):
            return HKSCS_2008[place], start + 2
    try:
        return data[start : start + 2].decode("cp950"), start + 2
    except UnicodeDecodeError:
        return "\ufffd", resume_at(data, start, 2)


def euc_kr_error(error: UnicodeError) -> tuple[str, int]:
    """Section 14.1.1."""
    assert isinstance(error, UnicodeDecodeError)
    data, start = error.object, error.start
    return "\ufffd", start + 1 if data[start] in (0x80, 0xFF) else resume_at(data, start, 2)


def shift_jis_error(error: UnicodeError) -> tuple[str, int]:
    """Section 13.3.1; rows of user-defined characters are private-use characters."""
    assert isinstance(error, UnicodeDecodeError)
    data, start = error.object, error.start
    if 0x81 <= data[start] <= 0x9F or 0xE0 <= data[start] <= 0xFC:
        return "\ufffd", resume_at(data, start, 2)
    return "\ufffd", start + 1


def euc_jp_error(error: UnicodeError) -> tuple[str, int]:
    """Section 13.1.1, with NEC's row 13 and the IBM rows that Python's codec lacks, taken from code page 932."""
    assert isinstance(error, UnicodeDecodeError)
    data, start = error.object, error.start
    lead = data[start]
    pair = data[start : start + 2]
    if len(pair) == 2 and 0xA1 <= lead <= 0xFE and 0xA1 <= pair[1] <= 0xFE:
        try:
            return jis_to_shift_jis(lead & 0x7F, pair[1] & 0x7F).decode("cp932"), start + 2
        except UnicodeDecodeError:
            return "\ufffd", start + 2
    if lead == 0x8F and len(pair) == 2 and 0xA1 <= pair[1] <= 0xFE:
        return "\ufffd", resume_at(data, start, 3)
    return "\ufffd", resume_at(data, start, 2) if lead in (0x8E, 0x8F) or 0xA1 <= lead <= 0xFE else start + 1


def jis_to_shift_jis(row: int, cell: int) -> bytes:
    """A JIS X 0208 pair (each 0x21 to 0x7E) as Shift_JIS."""
    lead = (row + 1) // 2 + (0x70 if row < 0x5F else 0xB0)
    trail = cell + (0x20 if cell >= 0x60 else 0x1F) if row % 2 else cell + 0x7E
    return bytes((lead, trail))


def decode_iso_2022_jp(data: bytes) -> str:
    """ISO-2022-JP (section 13.2.1): ASCII, JIS X 0201 Roman and katakana, JIS X 0208, switched by escapes."""
    pieces = []
    mode = b"(B"
    for number, piece in enumerate(re.split(rb"\x1b(\(B|\(J|\(I|\$@|\$B)", data)):
        if number % 2:
            mode = piece
        elif mode in (b"$@", b"$B"):
            for line in re.split(rb"([\x00-\x20\x7f-\xff]+)", piece):  # bytes outside of the 94 by 94 characters
                if line[:1] > b"\x20" and line[0] < 0x7F:
                    pieces.append(
                        exchange(bytes(byte | 0x80 for byte in line).decode("euc_jp", "thresher-euc-jp"), EUC_JP)
                    )
                else:
                    pieces.append("".join("\n" if byte == 0x0A else "\ufffd" for byte in line))
        elif mode == b"(I":
            pieces.append("".join(chr(0xFF61 - 0x21 + b) if 0x21 <= b <= 0x5F else "\ufffd" for b in piece))
        else:
            text = piece.decode("latin-1").translate(NOT_IN_ISO_2022)
            pieces.append(text.replace("\\", "¥").replace("~", "‾") if mode == b"(J" else text)
    return "".join(pieces)


# Control characters that would switch the code are errors, as is every byte of 0x80 or more.
NOT_IN_ISO_2022: Final = dict.fromkeys([0x0E, 0x0F, 0x1B, *range(0x80, 0x100)], "\ufffd")


def exchanges(old: str, new: str) -> tuple[tuple[str, str], ...]:
    """Pairs of characters, of which the second is to stand for the first; none is on both sides."""
    return tuple(zip(old, new, strict=True))


def exchange(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    """A text with some characters exchanged. Looking for twenty that are not there takes a sixtieth of
    `str.translate`'s time.
    """
    for old, new in pairs:
        if old in text:
            text = text.replace(old, new)
    return text


# GB 18030-2005 to -2022: vertical forms and radicals left the private-use area; U+3000 for A3A0 is the standard's own.
GB18030: Final = exchanges(
    "\ue5e5\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796\ue7c7\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864",
    "\u3000\ufe10\ufe12\ufe11\ufe13\ufe14\ufe15\ufe16\ufe17\ufe18\ufe19\u1e3f\u9fb4\u9fb5\u9fb6\u9fb7\u9fb8\u9fb9\u9fba\u9fbb",
)
# Rows A1 and A2 as Windows has them.
BIG5: Final = exchanges("•､‾∼♁☉¥¢£\uffed", "‧﹑¯～⊕⊙￥￠￡▓")
# 877A to 877E and 87A1 to 87DF: Python's codec has HKSCS-2004.
HKSCS_2008: Final = "㡵𡵓𣚞𦀡㻬𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋"
# Python's codec makes the same characters of A1FE and A241, A240 and A242: these two are cut out, where they are pairs
# of their own.
SMALL_SLASHES: Final = {b"\xa2A": "\u2215", b"\xa2B": "\ufe68"}
SMALL_SLASH: Final = re.compile(b"|".join(SMALL_SLASHES))
EUC_JP: Final = exchanges("〜‖−¢£¬", "～∥－￠￡￢")
# Bytes A0 and FD to FF, which code page 932 gives a meaning and the standard does not.
SHIFT_JIS: Final = exchanges("\xa0\uf8f0\uf8f1\uf8f2\uf8f3", "\ufffd" * 5)

for handler_name, handler in (
    ("thresher-gb18030", gb18030_error),
    ("thresher-big5", big5_error),
    ("thresher-euc-kr", euc_kr_error),
    ("thresher-euc-jp", euc_jp_error),
    ("thresher-shift-jis", shift_jis_error),
):
    codecs.register_error(handler_name, handler)


def decode_big5(data: bytes) -> str:
    """Big5 with the supplementary characters of Hong Kong (section 12.1)."""
    if not any(pair in data for pair in SMALL_SLASHES):
        return exchange(data.decode("big5hkscs", "thresher-big5"), BIG5)
    pieces: list[str] = []
    done = 0
    for found in SMALL_SLASH.finditer(data):
        at = first = found.start()
        while first and 0x81 <= data[first - 1] <= 0xFE:
            first -= 1
        if (at - first) % 2 == 0:  # pairs before it, and not the first byte of one
            pieces += exchange(data[done:at].decode("big5hkscs", "thresher-big5"), BIG5), SMALL_SLASHES[found[0]]
            done = found.end()
    return "".join(pieces) + exchange(data[done:].decode("big5hkscs", "thresher-big5"), BIG5)


MULTI_BYTE: Final[dict[str, Callable[[bytes], str]]] = {
    "utf-8": lambda data: data.decode("utf-8", "replace"),
    "utf-16le": lambda data: data.decode("utf-16-le", "replace"),
    "utf-16be": lambda data: data.decode("utf-16-be", "replace"),
    "gbk": lambda data: exchange(data.decode("gb18030", "thresher-gb18030"), GB18030),
    "gb18030": lambda data: exchange(data.decode("gb18030", "thresher-gb18030"), GB18030),
    "big5": decode_big5,
    # Of 8FA2B7, JIS X 0212's tilde, Python's codec makes the ASCII one.
    "euc-jp": lambda data: exchange(
        data.replace(b"\x8f\xa2\xb7", b"\xa1\xc1").decode("euc_jp", "thresher-euc-jp"), EUC_JP
    ),
    "iso-2022-jp": decode_iso_2022_jp,
    "shift_jis": lambda data: exchange(data.decode("cp932", "thresher-shift-jis"), SHIFT_JIS),
    "euc-kr": lambda data: data.decode("cp949", "thresher-euc-kr"),
    "replacement": lambda data: "\ufffd" if data else "",
}


def decode_as(encoding: str, data: bytes) -> str:
    """`data` decoded as the standard decodes the encoding of that name; each malformed sequence is one U+FFFD.

    No byte order mark is looked for.
    """
    decode = MULTI_BYTE.get(encoding)
    if decode:
        return decode(data)
    return codecs.charmap_decode(data, "replace", table_of(encoding))[0]
