# SPDX-License-Identifier: Apache-2.0
"""What a pass over the nodes knows of class attributes. A page has few different ones, each on many elements.

The tokenizer gives equal class attributes the same address (as far as it remembers them), so an address says which
value it is, and no byte of a value is read twice. A value that has two addresses is only looked at twice.
"""

from libc.stdint cimport uint32_t

from thresher.native.parsing.tree cimport Attribute


cdef enum:
    KNOWN_BITS = 8
    KNOWN_VALUES = 1 << KNOWN_BITS


ctypedef struct KnownValue:     # all 0 at the beginning of a page
    uint32_t start          # its address
    uint32_t length         # its bytes; 0 for a free entry
    uint32_t said           # what the pass found in it


cdef inline uint32_t place_of_value(const Attribute* attribute) noexcept nogil:
    """Where a table of KNOWN_VALUES has an attribute's value. Another may stand there."""
    return attribute.value_start * <uint32_t> 0x9E3779B1 >> (32 - KNOWN_BITS)


cdef inline bint is_known(KnownValue* entry, const Attribute* attribute) noexcept nogil:
    """True if an entry is about an attribute's value. If it is not, it is from now on, and the caller sets `said`."""
    if entry.start == attribute.value_start and entry.length == attribute.value_length:
        return True
    entry.start = attribute.value_start
    entry.length = attribute.value_length
    return False
