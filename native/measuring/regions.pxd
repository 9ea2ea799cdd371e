# SPDX-License-Identifier: Apache-2.0
"""Regions of a page: data tables and readers' comments.

A *data table* has at least two rows and at least two columns (or header cells), contains no table, is not marked as
presentation, and has on average at most two blocks per cell. All other table elements are layout.

*Comments* are the content of an element whose class or id has a word such as comments, comment-list or disqus_thread,
or that is marked as schema.org's Comment. html, body, main and article never count, because their classes describe the
page.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from thresher.native.base.word_table cimport WordTable
from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport Slice, Tree


cdef bint is_data_table(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t table, uint32_t next_block,
    uint32_t* columns
) noexcept nogil
cdef bint holds_rows(const Tree* tree, const MetricsArray* metrics, uint32_t table) noexcept nogil

cdef bint names_comments(Slice value) noexcept nogil            # true for such a class or id
cdef bint is_type_of_comments(Slice value) noexcept nogil       # true for such an itemtype
cdef bint has_item_type(const Tree* tree, const char* name) noexcept nogil     # true if one ends so
cdef bint is_comment_region(const Tree* tree, uint32_t n) noexcept nogil

cdef bint has_word(const Tree* tree, uint32_t n, uint16_t name, const WordTable* table, uint32_t wanted) noexcept nogil
