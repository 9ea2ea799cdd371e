# SPDX-License-Identifier: Apache-2.0
"""Votes of several extractors over the blocks of one page, from one parse.

The members are rows of the table in registry.pyx.
"""

from libc.stdint cimport uint8_t

from thresher.native.choosing.interface cimport MAX_OPTIONS, ExtractorFunction, Page


cdef enum:
    MAX_MEMBERS = 16


ctypedef struct Member:
    ExtractorFunction function
    double[MAX_OPTIONS] options
    uint8_t best            # its votes in majority-best
    uint8_t weighted        # its votes in majority-weighted


ctypedef struct MajorityOptions:
    double share            # of the votes that keeps a block


ctypedef struct ThresholdOptions:
    double x                # members that must keep a block,
    double y                # among this many first ones


cdef int add_member(const Member* member) except -1

cdef int majority(const Page* page) noexcept nogil
cdef int majority_best(const Page* page) noexcept nogil
cdef int majority_weighted(const Page* page) noexcept nogil
cdef int threshold(const Page* page) noexcept nogil
