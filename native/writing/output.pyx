# SPDX-License-Identifier: Apache-2.0
"""What several markup formats share; see output.pxd."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport TextMeasure, measure_text
from thresher.native.parsing.document cimport Attribute, Slice, find_attribute, slice_at
from thresher.native.writing.omissions cimport is_left_out
from thresher.native.writing.urls cimport resolve


cdef bint is_word(const uint8_t* data, uint32_t length) noexcept nogil:
    """True if one character, given as its bytes, is a letter, digit or ideograph."""
    cdef TextMeasure measure
    if length == 0:
        return False
    if data[0] < 0x80:
        return is_word_byte(data[0])
    measure = measure_text(data, length, data + length)
    return measure.words == 1


cdef Edge edge_of(const uint8_t* data, uint32_t length) noexcept nogil:
    """The Edge kind of one character, given as its bytes."""
    if length == 0:
        return EDGE_OTHER
    if is_ascii_punctuation(data[0]):
        return EDGE_PUNCTUATION
    return EDGE_WORD if is_word(data, length) else EDGE_OTHER


cdef bint put_address(Output* output, uint32_t node, uint32_t name) noexcept nogil:
    """Put the address in an attribute into output.url; False if it leads nowhere."""
    cdef const Attribute* attribute = find_attribute(output.tree, node, name)
    cdef Slice value
    if attribute == NULL or not has_room_for_address(output):
        return False
    value = slice_at(output.tree, attribute.value_start, attribute.value_length)
    return resolve(output.url, output.base, value, output.format.escapes_addresses)


cdef uint32_t next_kept(const Output* output, uint32_t index) noexcept nogil:
    """The first block from `index` on that is written; n_blocks if there is none."""
    while index < output.blocks.n_blocks and (
        not output.keep[index] or is_left_out(output.tree, output.metrics, output.blocks.blocks + index)
    ):
        index += 1
    return index
