# SPDX-License-Identifier: Apache-2.0
"""The owner of a page's tree: a parser with its arena, reused from page to page.

The structs and helpers of tree.pxd are cimported here, so that a pass over the tree needs only `from
thresher.native.parsing.document cimport Tree, Document`.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from thresher.native.parsing.arena cimport Arena
from thresher.native.parsing.tags cimport AttributeName, Tag
from thresher.native.parsing.tokenizer cimport Tokenizer
from thresher.native.parsing.tree cimport *
from thresher.native.parsing.tree_builder cimport TreeBuilder


cdef extern from "base/threads.h" nogil:
    bint take_flag(unsigned char* flag) noexcept
    void give_flag(unsigned char* flag) noexcept
    bint is_taken(const unsigned char* flag) noexcept
    uint64_t next_number(uint64_t* counter) noexcept


cdef class Document:
    cdef Tree tree                          # for passes over the tree; valid until the next parse()
    cdef Arena arena                        # owns the memory of `tree`
    cdef Tokenizer tokenizer
    cdef TreeBuilder builder
    cdef const unsigned char[::1] page      # keeps the bytes alive that `tree` points into
    cdef uint8_t* normalised                # the page with normalised newlines, if they differ
    cdef size_t normalised_capacity
    cdef uint32_t max_bytes
    cdef uint32_t max_nodes
    cdef uint32_t max_depth
    cdef uint32_t max_attributes
    cdef unsigned char busy                 # taken while a thread works on the page
    cdef unsigned long holder               # the thread with a Hold of the page, 0 if there is none
    cdef uint32_t holds                     # how many it has

    cdef int take_page(self, const unsigned char[::1] page) except -1   # between begin() and done(); then parse_page()
    cdef int begin(self) except -1
    cdef void done(self) noexcept
    cdef int require_idle(self) except -1
    cdef void _free(self) noexcept
    cdef uint32_t _check(self, n) except? 0xFFFFFFFF
    cdef bint _holds(self, uint32_t start, uint32_t length) noexcept
    cdef str slice(self, uint32_t start, uint32_t length)
    cdef str name_of(self, uint32_t n)
    cdef void parse_page(self) noexcept nogil       # the page that was taken


cdef class Hold:
    """Keeps a page as it is while this object lives: for functions that make Python objects of it, in which another
    thread may have its turn at any time. A thread may have several of one page; whatever another asks of the page
    raises RuntimeError, and so does a new page.
    """
    cdef Document document
