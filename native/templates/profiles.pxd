# SPDX-License-Identifier: Apache-2.0
"""Profiles: what nodes of different pages are compared by. Each is stored once for all pages of a site.

An element's profile is its name, its classes and its other attributes with their values. The profile of a text or
comment is its text with white space collapsed. Nodes with equal profiles share a number, so comparing two nodes
compares two numbers. Sets of classes and attributes are compared only if the numbers differ.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from thresher.native.base.hash_table cimport HashTable
from thresher.native.parsing.tree cimport Tree


cdef enum:
    NO_PROFILE = 0xFFFFFFFF     # a blank text or a doctype, which is not compared
    # most classes, and attributes, that are compared; further ones of an element are ignored
    MAX_SET = 64


ctypedef struct Profile:    # 24 bytes
    uint64_t name           # hash of kind, namespace and element name; for a text or comment, of its text
    uint32_t classes        # start of its classes in ProfileTable.values: distinct sorted hashes
    uint32_t attributes     # start of its attributes there: sorted hashes of name and value, class excluded
    uint32_t n_classes
    uint32_t n_attributes


ctypedef struct ProfileTable:
    Profile* profiles
    uint32_t n_profiles
    size_t capacity
    uint64_t* values
    uint32_t n_values
    size_t values_capacity
    HashTable numbers       # maps the hash of a whole profile to its number


cdef enum:
    GROUP_PROFILE = 0       # profile 0 of every table: the temporary DIV around some of many children (outline.pxd)


cdef int profile_of(ProfileTable* table, const Tree* tree, uint32_t node, uint32_t* number) noexcept nogil
cdef uint32_t in_common(const uint64_t* one, uint32_t n_one, const uint64_t* other, uint32_t n_other) noexcept nogil


cdef class Profiles:
    """The profiles of one site's pages; every Outline of the site refers to them."""
    cdef ProfileTable table
