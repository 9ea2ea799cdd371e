# SPDX-License-Identifier: Apache-2.0
"""Profiles: what two nodes of different pages are compared by, each kept once for all pages of a site.

A profile is an element's name, its classes and its other attributes as name and value; of a text or comment, its text with white space
collapsed. Nodes with equal profiles have the same number, so that comparing two nodes is comparing two numbers, and only
what differs has its sets of classes and attributes looked at.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from thresher.native.parsing.tree cimport Tree


cdef enum:
    NO_PROFILE = 0xFFFFFFFF     # a text of nothing but white space, a doctype: nothing that is compared
    MAX_SET = 64                # classes, and attributes, that are compared; what an element has beyond them is not looked at


ctypedef struct Profile:    # 24 bytes
    uint64_t name           # hash of kind, namespace and element name; of a text or comment, of its text
    uint32_t classes        # where its classes stand in Sets.values: hashes, sorted, each once
    uint32_t attributes     # where its attributes stand: hashes of name and value, sorted, without class
    uint32_t n_classes
    uint32_t n_attributes


ctypedef struct ProfileTable:
    Profile* profiles
    uint64_t* hashes        # of the whole profile
    uint32_t n_profiles
    size_t capacity
    size_t hashes_capacity
    uint64_t* values
    uint32_t n_values
    size_t values_capacity
    uint32_t* slots         # hash table of profile numbers plus 1, 0 where free
    uint32_t n_slots        # a power of two


cdef enum:
    GROUP_PROFILE = 0       # every table's profile 0: the temporary DIV around a part of many children (outline.pxd)


cdef int start_profiles(ProfileTable* table) except -1 nogil
cdef uint32_t profile_of(ProfileTable* table, const Tree* tree, uint32_t node) except? 0xFFFFFFFE nogil
cdef void free_profiles(ProfileTable* table) noexcept nogil
cdef uint32_t in_common(const uint64_t* one, uint32_t n_one, const uint64_t* other, uint32_t n_other) noexcept nogil


cdef class Profiles:
    """Owns the profiles of one site's pages; every Outline of the site refers to it."""
    cdef ProfileTable table
