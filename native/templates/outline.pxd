# SPDX-License-Identifier: Apache-2.0
"""Outline: what mapping needs to know about a page, the body as an array of small entries.

An outline is independent of the Document it was made from, so one Document serves all pages of a site. Entries are in
breadth-first order: entry 0 is the body, a parent comes before its children, and the children of an entry are adjacent,
in document order. Blank texts and doctypes have no entry. If an entry has `childnodes` children or more, each run of
`group` children goes under a temporary entry. This bounds the pairs of children that mapping compares (Alarte 2023,
section 9.3.1).
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.templates.profiles cimport Profiles, ProfileTable
from thresher.native.parsing.tree cimport Tree


ctypedef struct Entry:      # 28 bytes
    uint32_t node           # its node in the document; for a temporary entry the first node below it
    uint32_t parent         # its parent's entry; 0 for the body itself
    uint32_t first          # the entry of its first child
    uint32_t n_children
    uint32_t profile        # its profile's number (profiles.pxd)
    uint32_t end            # one past its last node in the document; for a temporary entry, that of the last child
    uint32_t is_group       # 1 for a temporary entry


ctypedef struct Outlined:
    Entry* entries
    uint32_t n_entries
    size_t capacity
    uint32_t n_nodes        # of the document


cdef class Outline:
    """The outline of one page of a site."""
    cdef Outlined array
    cdef readonly Profiles profiles
