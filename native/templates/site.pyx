# SPDX-License-Identifier: Apache-2.0
"""Templates and main content from several pages of a site: TemEx and site-level ConEx (Alarte 2023, chapters 9 and 10).

Both map one page, the key page, to several other pages of its site and count on how many of these each node is mapped.
For TemEx, nodes mapped on at least `votes` pages are template. For site-level ConEx, nodes mapped on no page are
candidates, and it keeps those that lie together in the largest part of the page. HybEx (chapter 11) is TemEx on a key
page without the main content that page-level ConEx has found (`Outline.read(without=…)`).
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from thresher.native.base.arrays cimport new_array
from thresher.native.templates.mapping cimport UNMAPPED, Mapping, map_outlines
from thresher.native.templates.outline cimport Entry, Outline


cdef void find_main_content(
    const Entry* entries, uint32_t n_entries, const uint32_t* counts, uint32_t* sizes, uint8_t* roots
) noexcept nogil:
    """Mark in `roots` the entries whose subtrees are the main content (algorithms 12 to 15). Linear.

    `sizes` is room for n_entries numbers; the caller sets `roots` to 0.
    """
    cdef uint32_t e, n_reduced = 0, branch = UNMAPPED, last = 0, parent
    cdef bint below
    # Algorithm 12: candidates whose parent is not a candidate
    for e in range(n_entries):
        if counts[e] == 0 and (e == 0 or counts[entries[e].parent] != 0):
            roots[e] = 1
            n_reduced += 1
    if n_reduced <= 1:
        return
    # Algorithm 13: their parent with the most nodes; ties go to the first in document order
    for e in range(n_entries):
        sizes[e] = 1
    for e in range(n_entries - 1, 0, -1):
        sizes[entries[e].parent] += sizes[e]
    for e in range(n_entries):
        if roots[e]:
            parent = entries[e].parent
            if (
                branch == UNMAPPED or sizes[parent] > sizes[branch]
                or (sizes[parent] == sizes[branch] and entries[e].node < last)
            ):
                branch = parent
                last = entries[e].node
    # Algorithm 14: only nodes below that parent, by document order
    for e in range(n_entries):
        if roots[e]:
            below = entries[branch].node < entries[e].node < entries[branch].end or (
                # a temporary entry has the position of its first child
                entries[branch].is_group and entries[e].parent == branch
            )
            if not below:
                roots[e] = 0
    # Algorithm 15: two or more roots with one parent are replaced by that parent, children before parents. `sizes` now
    # counts roots.
    memset(sizes, 0, n_entries * sizeof(uint32_t))
    for e in range(n_entries - 1, 0, -1):
        if sizes[e] >= 2:
            roots[e] = 1
        if roots[e]:
            sizes[entries[e].parent] += 1
    if sizes[0] >= 2:
        roots[0] = 1


@cython.final
cdef class Occurrences:
    """On how many other pages of its site each node of one page is mapped."""

    cdef Outline key
    cdef uint32_t* numbers      # per entry of the key page
    cdef readonly int n_pages
    cdef readonly int exhausted     # mappings that ran out of steps (mapping.pxd)

    def __cinit__(self, Outline key not None, pages, Mapping mapping not None):
        cdef Outline page
        cdef uint32_t e
        self.key = key
        self.numbers = <uint32_t*> calloc(max(key.array.n_entries, 1), sizeof(uint32_t))
        if self.numbers == NULL:
            raise MemoryError(f"no memory to count {key.array.n_entries} nodes")
        for page in pages:
            if page.profiles is not key.profiles:
                raise ValueError("the outlines are of different sites: their Profiles are not the same")
            if map_outlines(&mapping.matcher, &key.array, &page.array, &key.profiles.table, &mapping.rules) < 0:
                raise MemoryError("no memory to map two pages")
            for e in range(key.array.n_entries):
                self.numbers[e] += mapping.matcher.mapped[e] != UNMAPPED
            self.n_pages += 1
            self.exhausted += mapping.matcher.exhausted

    def __dealloc__(self):
        free(self.numbers)

    def counts(self) -> list[int]:
        """For each entry of the key page's outline, the number of pages on which it is mapped. For tests."""
        return [self.numbers[e] for e in range(self.key.array.n_entries)]

    def template(self, uint32_t votes=2) -> bytes:
        """A byte per node of the key page: 1 if it is mapped on `votes` pages, or on all pages if there are fewer.

        Nodes outside the outline (blank texts, excluded nodes, the head) are 0.
        """
        cdef uint32_t e, enough = max(min(votes, <uint32_t> self.n_pages), 1)
        cdef bytes marks = PyBytes_FromStringAndSize(NULL, self.key.array.n_nodes)
        cdef uint8_t* mark = <uint8_t*> PyBytes_AS_STRING(marks)
        memset(mark, 0, self.key.array.n_nodes)
        for e in range(self.key.array.n_entries):
            if self.numbers[e] >= enough and not self.key.array.entries[e].is_group:
                mark[self.key.array.entries[e].node] = 1
        return marks

    def main_content(self) -> bytes:
        """A byte per node of the key page: 1 for the main content that site-level ConEx finds, with all nodes below it.
        """
        cdef uint32_t e, n_entries = self.key.array.n_entries
        cdef Entry* entry
        cdef bytes marks = PyBytes_FromStringAndSize(NULL, self.key.array.n_nodes)
        cdef uint8_t* mark = <uint8_t*> PyBytes_AS_STRING(marks)
        cdef uint8_t* roots = <uint8_t*> calloc(max(n_entries, 1), 1)
        cdef uint32_t* sizes = <uint32_t*> new_array(n_entries, sizeof(uint32_t))
        memset(mark, 0, self.key.array.n_nodes)
        if roots == NULL or sizes == NULL:
            free(roots)
            free(sizes)
            raise MemoryError(f"no memory to choose among {n_entries} nodes")
        if n_entries:
            find_main_content(self.key.array.entries, n_entries, self.numbers, sizes, roots)
            for e in range(n_entries):
                if roots[e]:
                    entry = self.key.array.entries + e
                    memset(mark + entry.node, 1, entry.end - entry.node)
        free(roots)
        free(sizes)
        return marks
