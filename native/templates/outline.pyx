# SPDX-License-Identifier: Apache-2.0
"""Makes the outline of a page's body."""

cimport cython
from libc.stdlib cimport calloc, free

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.parsing.document cimport Document
from thresher.native.templates.profiles cimport GROUP_PROFILE, NO_PROFILE, Profiles, ProfileTable, profile_of
from thresher.native.parsing.tags cimport TAG_BODY, TAG_FRAMESET, TAG_HTML
from thresher.native.parsing.tree cimport KIND_ELEMENT, NS_HTML, Node, Tree


cdef uint32_t find_body(const Tree* tree) noexcept nogil:
    """The body or frameset; otherwise the html element; otherwise 0, the document."""
    cdef uint32_t n = 1, html = 0
    cdef const Node* node
    while n < tree.n_nodes:
        node = tree.nodes + n
        if node.kind == KIND_ELEMENT and node.namespace == NS_HTML:
            if node.tag == TAG_HTML and node.parent == 0:
                html = n
            elif (node.tag == TAG_BODY or node.tag == TAG_FRAMESET) and node.parent == html:
                return n
        # searches only children of the document and of html
        n = n + 1 if n == html else node.end
    return html


cdef int append(
    Outlined* outlined, ProfileTable* table, const Tree* tree, const uint8_t* without, uint32_t parent, uint32_t n
) noexcept nogil:
    """Add an entry for node n, unless it is excluded or has nothing to compare."""
    cdef Entry* entry
    cdef uint32_t profile
    if without != NULL and without[n]:
        return 0
    if profile_of(table, tree, n, &profile) < 0:
        return OUT_OF_MEMORY
    if profile == <uint32_t> NO_PROFILE:
        return 0
    if make_room(&outlined.entries, &outlined.capacity, <size_t> outlined.n_entries + 1) < 0:
        return OUT_OF_MEMORY
    entry = outlined.entries + outlined.n_entries
    entry.node = n
    entry.parent = parent
    entry.first = 0
    entry.n_children = 0
    entry.profile = profile
    entry.end = tree.nodes[n].end
    entry.is_group = 0
    outlined.n_entries += 1
    return 1


cdef void group_children(Outlined* outlined, uint32_t parent, uint32_t group) noexcept nogil:
    """Replace the last entries, the children of `parent`, by temporary ones. The children are read again when the
    temporary entries are expanded.
    """
    cdef Entry* entries
    cdef uint32_t first = outlined.entries[parent].first, count = outlined.entries[parent].n_children, i, size
    cdef uint32_t n_groups = (count + group - 1) // group
    THRESHER_CHECK(group > 0 and first + count == outlined.n_entries)
    entries = outlined.entries + first
    for i in range(n_groups):
        size = min(group, count - i * group)
        entries[i].node = entries[i * group].node
        entries[i].end = entries[i * group + size - 1].end
        entries[i].n_children = size
        entries[i].profile = GROUP_PROFILE
        entries[i].is_group = 1
    outlined.n_entries = first + n_groups
    outlined.entries[parent].n_children = n_groups


cdef int outline_page(
    Outlined* outlined, ProfileTable* table, const Tree* tree, const uint8_t* without, uint32_t childnodes, uint32_t
    group
) noexcept nogil:
    """Make the outline of a page, without the subtrees of nodes marked in `without`. Linear in nodes and attributes."""
    cdef uint32_t e = 0, child, end
    cdef Entry* entry
    outlined.n_entries = 0
    outlined.n_nodes = tree.n_nodes
    child = find_body(tree)
    if child == 0:
        return 0
    if append(outlined, table, tree, NULL, 0, child) < 0:
        return OUT_OF_MEMORY
    while e < outlined.n_entries:
        entry = outlined.entries + e
        child = entry.node if entry.is_group else entry.node + 1
        end = entry.end
        entry.first = outlined.n_entries
        while child < end:
            if append(outlined, table, tree, without, e, child) < 0:
                return OUT_OF_MEMORY
            child = tree.nodes[child].end
        entry = outlined.entries + e
        entry.n_children = outlined.n_entries - entry.first
        if childnodes and not entry.is_group and entry.n_children >= childnodes:
            group_children(outlined, e, group)
        e += 1
    return 0


@cython.final
cdef class Outline:
    """The outline of one page of a site."""

    def __cinit__(self, Profiles profiles not None):
        self.profiles = profiles

    def __dealloc__(self):
        free(self.array.entries)

    def read(
        self, Document document not None, *, const unsigned char[::1] without=None, uint32_t childnodes=0, uint32_t
        group=100
    ) -> None:
        """Make this the outline of the document's page.

        `without` has a byte for each node; nodes whose byte is not 0 are excluded with their subtrees. An element with
        `childnodes` children or more gets them in temporary groups of `group`; 0 means never. Raises ValueError if the
        numbers do not fit together.
        """
        cdef const uint8_t* left_out = NULL
        document.require_idle()
        if without is not None and without.shape[0]:
            if without.shape[0] != document.tree.n_nodes:
                raise ValueError(f"{without.shape[0]} bytes for {document.tree.n_nodes} nodes")
            left_out = &without[0]
        if childnodes and not 1 <= group <= childnodes:
            raise ValueError(f"group must be from 1 to childnodes, {childnodes}, not {group}")
        if outline_page(&self.array, &self.profiles.table, &document.tree, left_out, childnodes, group) < 0:
            raise MemoryError(f"no memory for the outline of {document.tree.n_nodes} nodes")

    def __len__(self) -> int:
        return self.array.n_entries

    @property
    def n_nodes(self) -> int:
        """Nodes of the document that was read."""
        return self.array.n_nodes

    @property
    def nbytes(self) -> int:
        """Bytes of memory held, beside those of the profiles."""
        return self.array.capacity * sizeof(Entry)

    def leaves_not_in(self, Outline other not None) -> int:
        """The number of different leaves that this page has and the other lacks: 0 for a copy. A leaf is a text, or an
        element without children.
        """
        cdef uint8_t* seen
        cdef uint32_t e, found = 0
        if other.profiles is not self.profiles:
            raise ValueError("the two outlines are of different sites: their Profiles are not the same")
        seen = <uint8_t*> calloc(max(self.profiles.table.n_profiles, 1), 1)
        if seen == NULL:
            raise MemoryError(f"no memory to compare {self.profiles.table.n_profiles} profiles")
        for e in range(other.array.n_entries):
            if other.array.entries[e].n_children == 0:
                seen[other.array.entries[e].profile] = 1
        for e in range(self.array.n_entries):
            if self.array.entries[e].n_children == 0 and not seen[self.array.entries[e].profile]:
                seen[self.array.entries[e].profile] = 1
                found += 1
        free(seen)
        return found

    def node(self, uint32_t entry) -> int | None:
        """The document's node of an entry; None for a temporary one. For tests."""
        if entry >= self.array.n_entries:
            raise IndexError(f"entry {entry} of {self.array.n_entries}")
        return None if self.array.entries[entry].is_group else self.array.entries[entry].node
