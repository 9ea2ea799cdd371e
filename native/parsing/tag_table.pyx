# SPDX-License-Identifier: Apache-2.0
"""Fills tables of tags from names."""

from libc.string cimport memset

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.word_table cimport kept
from thresher.native.parsing.tags cimport TAG_COUNT

from thresher.native.parsing.tags import TAG_NAMES

cdef (const char*)[TAG_COUNT] SPELLINGS
for _tag, _name in enumerate(TAG_NAMES):
    SPELLINGS[<int> _tag] = kept(_name)


cdef int fill_tags(uint8_t* table, object rows, uint8_t others=0) except -1:
    """Fill a table of TAG_COUNT bytes from {value: names separated by white space}; `others` for all other tags."""
    memset(table, others, TAG_COUNT)
    for value, names in rows.items():
        for name in names.split():
            table[<int> TAG_NAMES.index(name)] = value
    return 0


cdef const char* spelling_of(uint32_t tag) noexcept nogil:
    """The name of a tag below TAG_COUNT; empty for TAG_UNKNOWN."""
    THRESHER_CHECK(tag < TAG_COUNT)
    return SPELLINGS[tag]
