# SPDX-License-Identifier: Apache-2.0
"""What several formats of markup need; see output.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp

from thresher.native.characters cimport TextMeasure, is_space, measure_text
from thresher.native.parsing.document cimport KIND_ELEMENT, Attribute, Slice, Tree, find_attribute, slice_at
from thresher.native.parsing.tags cimport ATTR_CLASS
from thresher.native.writing.urls cimport resolve


cdef enum:
    MAX_LANGUAGE = 20       # bytes of the name of a programming language
    MAX_CLASS = 1024        # bytes of a class that are looked at


cdef bint is_word(const uint8_t* data, uint32_t length) noexcept nogil:
    """True where one character, given as its bytes, is a letter, digit or ideograph."""
    cdef TextMeasure measure
    if length == 0:
        return False
    if data[0] < 0x80:
        return is_word_byte(data[0])
    measure = measure_text(data, length)
    return measure.words == 1


cdef Edge edge_of(const uint8_t* data, uint32_t length) noexcept nogil:
    """What kind of character this is, given as its bytes."""
    if length == 0:
        return EDGE_OTHER
    if is_ascii_punctuation(data[0]):
        return EDGE_PUNCTUATION
    return EDGE_WORD if is_word(data, length) else EDGE_OTHER


cdef bint put_address(Output* output, uint32_t node, uint32_t name) noexcept nogil:
    """Put the address that an attribute holds into output.url; False where it leads nowhere."""
    cdef const Attribute* attribute = find_attribute(output.tree, node, name)
    cdef Slice value
    if attribute == NULL or output.addresses > MAX_ADDRESSES:
        return False
    value = slice_at(output.tree, attribute.value_start, attribute.value_length)
    return resolve(output.url, output.base, value, output.format.escapes_addresses)


cdef uint32_t language_prefix(const uint8_t* data, uint32_t length) noexcept nogil:
    """The length of "language-" or "lang-" at the beginning of a class that goes on after it, else 0."""
    if length > 9 and memcmp(data, <const char*> b"language-", 9) == 0:
        return 9
    if length > 5 and memcmp(data, <const char*> b"lang-", 5) == 0:
        return 5
    return 0


cdef Slice code_language(const Tree* tree, uint32_t pre) noexcept nogil:
    """The language that a pre element, or the code element at its beginning, has in a class such as language-python."""
    cdef Slice value, found
    cdef const Attribute* attribute
    cdef uint32_t n, i, length, prefix
    cdef uint8_t c
    found.data = NULL
    found.length = 0
    for n in range(pre, min(pre + 2, tree.nodes[pre].end)):
        if tree.nodes[n].kind != KIND_ELEMENT:
            break
        attribute = find_attribute(tree, n, ATTR_CLASS)
        if attribute == NULL:
            continue
        value = slice_at(tree, attribute.value_start, min(attribute.value_length, <uint32_t> MAX_CLASS))
        i = 0
        while i < value.length:
            prefix = language_prefix(value.data + i, value.length - i)
            if prefix:
                i += prefix
                length = 0
                while i + length < value.length and length <= MAX_LANGUAGE:
                    c = value.data[i + length]
                    if not (is_ascii_letter_or_digit(c) or c == c"+" or c == c"#" or c == c"." or c == c"_" or c == c"-"):
                        break
                    length += 1
                if 0 < length <= MAX_LANGUAGE and (i + length == value.length or is_space(value.data[i + length])):
                    found.data = value.data + i
                    found.length = length
                    return found
            while i < value.length and not is_space(value.data[i]):
                i += 1
            i += 1
    return found
