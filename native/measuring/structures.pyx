# SPDX-License-Identifier: Apache-2.0
"""Deciding about tables and listings as wholes; see structures.pxd."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.check cimport THRESHER_CHECK
from thresher.native.measuring.blocks cimport BLOCK_PREFORMATTED, BLOCK_TABLE_CELL, Block, BlockArray
from thresher.native.measuring.metrics cimport FLAG_HIDDEN, MetricsArray
from thresher.native.measuring.regions cimport is_data_table
from thresher.native.parsing.document cimport KIND_ELEMENT, NS_HTML, Node, Tree
from thresher.native.parsing.tags cimport TAG_BODY, TAG_PRE, TAG_TABLE, TAG_TD, TAG_TH


cdef enum:
    MAX_LEVELS = 5          # ancestors from a structure to the element that is its section
    MAX_PASSED = 4          # short blocks beside a structure that are passed over
    SHORT = 4               # words of a block that is passed over, at most
    MOST = 30               # percent of a table's words from which on it is kept whole; below, it is dropped
    MOST_LINKS = 60         # percent of the words of a table in links, above which it is a menu


cdef uint32_t first_block_from(const BlockArray* blocks, uint32_t node) noexcept nogil:
    """The first block that begins at `node` or later."""
    cdef uint32_t low = 0, high = blocks.n_blocks, middle
    while low < high:
        middle = low + (high - low) // 2
        if blocks.blocks[middle].start < node:
            low = middle + 1
        else:
            high = middle
    return low


cdef int add_structure(
    StructureArray* array, const Tree* tree, const BlockArray* blocks, uint32_t node, uint32_t first, bint is_listing
) noexcept nogil:
    """Note the structure of an element whose first block is `first`."""
    cdef Structure* structure
    cdef uint32_t section = node
    cdef int level
    if make_room(&array.structures, &array.capacity, <size_t> array.n_structures + 1) < 0:
        return OUT_OF_MEMORY
    structure = array.structures + array.n_structures
    array.n_structures += 1
    for level in range(MAX_LEVELS):
        if section == 0 or tree.nodes[section].tag == TAG_BODY:
            break
        section = tree.nodes[section].parent
    structure.first = first
    structure.end = first_block_from(blocks, tree.nodes[node].end)
    structure.section = first_block_from(blocks, section)
    structure.section_end = first_block_from(blocks, tree.nodes[section].end)
    structure.is_listing = is_listing
    return 0


cdef bint may_have_structures(const Tree* tree, const BlockArray* blocks) noexcept nogil:
    """True where a block is preformatted or stands in a cell."""
    cdef const Block* block
    cdef uint32_t b
    for b in range(blocks.n_blocks):
        block = blocks.blocks + b
        if block.kind == BLOCK_PREFORMATTED or block.kind == BLOCK_TABLE_CELL:
            return True
        if block.item and (tree.nodes[block.item].tag == TAG_TD or tree.nodes[block.item].tag == TAG_TH):
            return True
    return False


cdef bint is_menu(const MetricsArray* metrics, uint32_t table) noexcept nogil:
    """True for a table whose words are mostly links: its cells are judged one by one."""
    return 100 * <size_t> metrics.nodes[table].link_words > MOST_LINKS * <size_t> metrics.nodes[table].words


cdef int find_structures(
    StructureArray* array, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil:
    """Find the data tables and listings of a page that was cut into blocks."""
    cdef const Node* nodes = tree.nodes
    cdef uint32_t n = 1, b = 0, columns = 0
    array.n_structures = 0
    if not may_have_structures(tree, blocks):
        return 0
    if make_room(&array.words, &array.words_capacity, <size_t> blocks.n_blocks + 1) < 0:
        return OUT_OF_MEMORY
    for b in range(blocks.n_blocks):
        array.words[b] = blocks.blocks[b].words
    b = 0
    while n < tree.n_nodes:
        while b < blocks.n_blocks and blocks.blocks[b].start < n:
            b += 1
        if b == blocks.n_blocks:
            break
        if metrics.nodes[n].flags & FLAG_HIDDEN:
            n = nodes[n].end
            continue
        if nodes[n].kind == KIND_ELEMENT and nodes[n].namespace == NS_HTML and blocks.blocks[b].start < nodes[n].end:
            if nodes[n].tag == TAG_TABLE and not is_menu(metrics, n) and is_data_table(tree, metrics, blocks, n, b, &columns):
                if add_structure(array, tree, blocks, n, b, False) < 0:
                    return OUT_OF_MEMORY
                n = nodes[n].end
                continue
            if nodes[n].tag == TAG_PRE and blocks.blocks[b].characters == metrics.nodes[n].characters:
                if add_structure(array, tree, blocks, n, b, True) < 0:
                    return OUT_OF_MEMORY
                n = nodes[n].end
                continue
        n += 1
    return 0


cdef bint kept_before(const Structure* one, const uint32_t* words, const uint8_t* keep, uint32_t first) noexcept nogil:
    """True where the block before a structure is kept and stands at `first` or later; short ones are passed over."""
    cdef uint32_t b = one.first, passed = 0
    while b > first and passed <= MAX_PASSED:
        b -= 1
        if keep[b]:
            return True
        if words[b] > SHORT:
            return False
        passed += 1
    return False


cdef bint kept_after(const Structure* one, const uint32_t* words, const uint8_t* keep, uint32_t end) noexcept nogil:
    """True where the block after a structure is kept and stands before `end`; short ones are passed over."""
    cdef uint32_t b = one.end, passed = 0
    while b < end and passed <= MAX_PASSED:
        if keep[b]:
            return True
        if words[b] > SHORT:
            return False
        b += 1
        passed += 1
    return False


cdef void keep_all(const Structure* one, uint8_t value, uint8_t* keep) noexcept nogil:
    memset(keep + one.first, value, one.end - one.first)


cdef void decide_one(const Structure* one, const uint32_t* words, uint32_t n_blocks, uint8_t* keep) noexcept nogil:
    """Keep or drop a structure."""
    cdef size_t all_words = 0, kept_words = 0
    cdef uint32_t b
    cdef bint before, after
    for b in range(one.first, one.end):
        all_words += words[b]
        kept_words += words[b] if keep[b] else 0
    if kept_words and 100 * kept_words >= MOST * all_words:
        keep_all(one, 1, keep)
        return
    keep_all(one, 0, keep)
    before = kept_before(one, words, keep, one.section)
    after = kept_after(one, words, keep, one.section_end)
    if (before and after) or (one.is_listing and (before or after)):
        keep_all(one, 1, keep)


cdef void decide_structures(
    const Structure* structures, uint32_t n_structures, const uint32_t* words, uint32_t n_blocks, uint8_t* keep
) noexcept nogil:
    """Keep or drop each structure of a page whose blocks were chosen, forward and then backward, so that a row of
    listings follows one that is kept on either side.
    """
    cdef uint32_t i
    for i in range(n_structures):
        THRESHER_CHECK(is_structure(structures + i, n_blocks))
        decide_one(structures + i, words, n_blocks, keep)
    for i in range(n_structures, 0, -1):
        decide_one(structures + i - 1, words, n_blocks, keep)


cdef size_t structures_bytes(const StructureArray* array) noexcept nogil:
    """Bytes of memory that it holds."""
    return array.capacity * sizeof(Structure) + array.words_capacity * sizeof(uint32_t)


cdef void free_structures(StructureArray* array) noexcept nogil:
    """Give the memory back."""
    free(array.structures)
    free(array.words)
    memset(array, 0, sizeof(StructureArray))
