# SPDX-License-Identifier: Apache-2.0
"""Character references: the standard's "character reference state" and the states after it.

The names come from Python's html.entities, which has the standard's table. A name is letters and digits plus at most
one ";". So the longest match that the standard asks for is either the whole run of letters and digits with its ";", or
the longest of the 106 old names that are valid without one. Both are look-ups in one hash table.
"""

from html.entities import html5
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcmp, memcpy

from thresher.native.base.characters cimport is_ascii_letter_or_digit
from thresher.native.base.scan cimport hash_bytes

cdef enum:
    SLOTS = 8192            # a power of two, more than three times the number of names
    NAME_BYTES = 32         # the longest name, CounterClockwiseContourIntegral;, has 32 bytes
    OLD_NAME_BYTES = 6      # the longest name that is valid without ";"

ctypedef struct Reference:
    uint8_t name[NAME_BYTES]
    uint8_t value[REFERENCE_BYTES]
    uint8_t name_length     # 0 if the slot is free
    uint8_t value_length

cdef Reference _references[SLOTS]

# "Numeric character reference end state": the windows-1252 meaning of 0x80 to 0x9F; 0 if there is none.
cdef uint16_t[32] _C1 = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
    0x0178,
]


def _build() -> None:
    cdef bytes raw, value
    cdef const unsigned char* data
    cdef uint32_t i
    for name, text in html5.items():
        raw = name.encode()
        value = text.encode()
        if (
            len(raw) > NAME_BYTES or len(value) > REFERENCE_BYTES
            or (not raw.endswith(b";") and len(raw) > OLD_NAME_BYTES)
        ):
            raise ValueError(f"the table of character references cannot hold {name}")
        data = raw
        i = hash_bytes(data, len(raw)) & <uint32_t>(SLOTS - 1)
        while _references[i].name_length != 0:
            i = (i + 1) & <uint32_t>(SLOTS - 1)
        memcpy(_references[i].name, data, len(raw))
        memcpy(_references[i].value, <const unsigned char*>value, len(value))
        _references[i].name_length = len(raw)
        _references[i].value_length = len(value)


_build()


cdef inline const Reference* _find(const uint8_t* name, uint32_t length) noexcept nogil:
    cdef uint32_t i = hash_bytes(name, length) & <uint32_t>(SLOTS - 1)
    while _references[i].name_length != 0:
        if _references[i].name_length == length and memcmp(_references[i].name, name, length) == 0:
            return &_references[i]
        i = (i + 1) & <uint32_t>(SLOTS - 1)
    return NULL


cdef uint32_t encode_utf8(uint32_t code, uint8_t* out) noexcept nogil:
    """Write a code point as UTF-8 and return the number of bytes."""
    if code < 0x80:
        out[0] = <uint8_t>code
        return 1
    if code < 0x800:
        out[0] = <uint8_t>(0xC0 | code >> 6)
        out[1] = <uint8_t>(0x80 | code & 63)
        return 2
    if code < 0x10000:
        out[0] = <uint8_t>(0xE0 | code >> 12)
        out[1] = <uint8_t>(0x80 | code >> 6 & 63)
        out[2] = <uint8_t>(0x80 | code & 63)
        return 3
    out[0] = <uint8_t>(0xF0 | code >> 18)
    out[1] = <uint8_t>(0x80 | code >> 12 & 63)
    out[2] = <uint8_t>(0x80 | code >> 6 & 63)
    out[3] = <uint8_t>(0x80 | code & 63)
    return 4


cdef uint32_t _decode_number(const uint8_t* p, const uint8_t* end, uint8_t* out, uint32_t* written) noexcept nogil:
    """The "numeric character reference" states; p stands at "&#"."""
    cdef const uint8_t* q = p + 2
    cdef const uint8_t* digits
    cdef uint32_t code = 0
    if q < end and (q[0] | 32) == c'x':
        q += 1
        digits = q
        while q < end and hexadecimal_digit(q[0]) < 16:
            if code < 0x110000:
                code = code * 16 + hexadecimal_digit(q[0])
            q += 1
    else:
        digits = q
        while q < end and c'0' <= q[0] <= c'9':
            if code < 0x110000:
                code = code * 10 + (q[0] - c'0')
            q += 1
    if q == digits:
        return 0
    if q < end and q[0] == c';':
        q += 1
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        code = 0xFFFD
    elif 0x80 <= code < 0xA0 and _C1[code - 0x80] != 0:
        code = _C1[code - 0x80]
    written[0] = encode_utf8(code, out)
    return <uint32_t>(q - p)


cdef uint32_t decode_reference(
    const uint8_t* p, const uint8_t* end, bint in_attribute, uint8_t* out, uint32_t* written
) noexcept nogil:
    """Decode the reference at p, which is a "&". Returns its length in the page; 0 if it is only an ampersand.

    `out` has room for REFERENCE_BYTES; `written` is set to the number of bytes used.
    """
    cdef const uint8_t* name = p + 1
    cdef const uint8_t* q = name
    cdef const Reference* found = NULL
    cdef uint32_t length
    if name == end:
        return 0
    if name[0] == c'#':
        return _decode_number(p, end, out, written)
    while q < end and q - name < NAME_BYTES - 1 and is_ascii_letter_or_digit(q[0]):
        q += 1
    length = <uint32_t>(q - name)
    if length < 2:      # the shortest names have two letters
        return 0
    if q < end and q[0] == c';':
        found = _find(name, length + 1)
        if found != NULL:
            length += 1
    if found == NULL:
        if length > OLD_NAME_BYTES:
            length = OLD_NAME_BYTES
        while length >= 2:
            found = _find(name, length)
            if found != NULL:
                break
            length -= 1
        if found == NULL:
            return 0
        q = name + length
        # "For historical reasons": in an attribute, &copy=1 and &copyright are not references.
        if in_attribute and q < end and (q[0] == c'=' or is_ascii_letter_or_digit(q[0])):
            return 0
    memcpy(out, found.value, found.value_length)
    written[0] = found.value_length
    return length + 1
