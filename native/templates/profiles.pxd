# SPDX-License-Identifier: Apache-2.0
"""Profiles: what two nodes of different pages are compared by, each kept once for all pages of a site.

An element's profile is its name, its classes and its other attributes with their values. The profile of a text or
comment is its text with white space collapsed. Nodes with equal profiles have the same number, so two nodes are
compared by comparing two numbers; sets of classes and attributes are only looked at where the numbers differ.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from thresher.native.hash_table cimport HashTable
from thresher.native.parsing.tree cimport Tree


cdef enum:
    NO_PROFILE = 0xFFFFFFFF     # a text of nothing but white space, a doctype: nothing that is compared
    # classes, and attributes, that are compared; what an element has beyond them is not looked at
    MAX_SET = 64


ctypedef struct Profile:    # 24 bytes
    uint64_t name           # hash of kind, namespace and element name; of a text or comment, of its text
    uint32_t classes        # where its classes begin in ProfileTable.values: hashes, sorted, each once
    uint32_t attributes     # where its attributes begin there: hashes of name and value, sorted, class left out
    uint32_t n_classes
    uint32_t n_attributes


ctypedef struct ProfileTable:
    Profile* profiles
    uint32_t n_profiles
    size_t capacity
    uint64_t* values
    uint32_t n_values
    size_t values_capacity
    HashTable numbers       # of the hash of a whole profile, its number


cdef enum:
    GROUP_PROFILE = 0       # every table's profile 0: the temporary DIV around a part of many children (outline.pxd)


cdef int start_profiles(ProfileTable* table) noexcept nogil
cdef int profile_of(ProfileTable* table, const Tree* tree, uint32_t node, uint32_t* number) noexcept nogil
cdef void free_profiles(ProfileTable* table) noexcept nogil
cdef uint32_t in_common(const uint64_t* one, uint32_t n_one, const uint64_t* other, uint32_t n_other) noexcept nogil


cdef class Profiles:
    """The profiles of one site's pages; every Outline of the site refers to them."""
    cdef ProfileTable table
