# SPDX-License-Identifier: Apache-2.0
"""Finds tables, listings, formulas, titles, notes, terms, contents, sections and repeated headings among the blocks."""

from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.measuring.blocks cimport *
from thresher.native.measuring.furniture cimport (
    SAYS_LOGIN, SAYS_WALL, end_of_furniture, end_of_item, is_prose, next_sign_up
)
from thresher.native.measuring.metrics cimport FLAG_BLANK, MetricsArray, next_visible
from thresher.native.measuring.regions cimport is_data_table
from thresher.native.measuring.walls cimport (
    LITTLE_PROSE, MAX_NOTICES, ends_text, is_declared_not_free, is_named_wall, own_prose
)
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_LEVELS = 5          # ancestors from a structure to the element that is its section
    MOST_LINKS = 60         # percentage of a table's words in links above which it is a menu
    # Most blocks, and words in blocks, between a title and the first kept block.
    MAX_BELOW = 6
    MAX_WORDS_BELOW = 25
    MAX_CONTENTS = 40       # most blocks with those of a table of contents
    MAX_HEADINGS = 8        # headings below a title that are inspected
    MAX_HEADING_WORDS = 20  # of a heading that is kept with what it heads
    MAX_DIGITS = 4          # digits that such a heading has not
    MAX_HEADING = 512       # bytes of each of its texts in which they are looked for
    MAX_NOTES = 1024
    MAX_NOTE_BLOCKS = 50
    MAX_NAME = 120          # bytes of a class or id that are read


cdef void add_blocks(
    StructureArray* array, uint32_t first, uint32_t end, uint32_t section, uint32_t section_end, StructureKind kind
) noexcept nogil:
    """Record a structure by the indices of its blocks. Without memory, the array has failed."""
    if array.failed or make_room(&array.structures, &array.capacity, <size_t> array.n_structures + 1) < 0:
        array.failed = True
        return
    array.structures[array.n_structures] = Structure(
        first=first, end=end, section=section, section_end=section_end, kind=kind
    )
    array.n_structures += 1


cdef void add_element(
    StructureArray* array, const Tree* tree, const BlockArray* blocks, uint32_t node, uint32_t first, StructureKind kind
) noexcept nogil:
    """Record the structure of an element whose first block is `first`."""
    cdef uint32_t section = node
    cdef int level
    for level in range(MAX_LEVELS):
        if section == 0 or tree.nodes[section].tag == TAG_BODY:
            break
        section = tree.nodes[section].parent
    add_blocks(
        array, first, first_block_from(blocks, tree.nodes[node].end), first_block_from(blocks, section),
        first_block_from(blocks, tree.nodes[section].end), kind
    )


cdef bint leads_into_page(const Tree* tree, uint32_t text) noexcept nogil:
    """True for text in a link to a place on this page."""
    cdef Slice address
    cdef uint32_t n = tree.nodes[text].parent
    cdef int level
    for level in range(MAX_LEVELS):
        if n == 0:
            break
        if tree.nodes[n].tag == TAG_A:
            address = value_in(tree, n, ATTR_HREF)
            return address.length > 1 and address.data[0] == c"#"
        n = tree.nodes[n].parent
    return False


cdef void find_title(StructureArray* array, const Tree* tree, const BlockArray* blocks) noexcept nogil:
    """Record the only h1 of a page with the blocks in which the text must begin, and the first headings below it."""
    cdef const Block* block
    cdef uint32_t b, title = blocks.n_blocks, end, headings = 0, passed = 0, between = 0
    for b in range(blocks.n_blocks):
        if blocks.blocks[b].kind == BLOCK_HEADING_1:
            if title < blocks.n_blocks:
                return
            title = b
    if title == blocks.n_blocks:
        return
    end = title + 1
    while end < blocks.n_blocks and end - title <= MAX_CONTENTS:
        block = blocks.blocks + end
        end += 1
        if not leads_into_page(tree, block.start):      # not an entry of a table of contents
            passed += 1
            between += block.words
            if passed > MAX_BELOW or between > MAX_WORDS_BELOW:
                break
    add_blocks(array, title, title + 1, title, end, STRUCTURE_TITLE)
    for b in range(title + 1, blocks.n_blocks):
        if headings < MAX_HEADINGS and BLOCK_HEADING_1 < blocks.blocks[b].kind <= BLOCK_HEADING_6:
            headings += 1
            add_blocks(array, b, b + 1, b, b + 1, STRUCTURE_HEADING)


cdef uint32_t label_of(const Tree* tree, uint32_t node, bint* is_note) noexcept nogil:
    """The number of the footnote that a text node refers to or, with `is_note`, begins; 0 if there is none."""
    cdef const Node* text = tree.nodes + node
    cdef Slice slice
    cdef uint32_t i = 2, label = 0
    if text.kind != KIND_TEXT or text.namespace != CONSTRUCT_PREFIX:
        return 0
    slice = text_of(tree, node)
    if slice.length < 4 or slice.data[1] != c"^":
        return 0
    while i < slice.length and i < 8 and c"0" <= slice.data[i] <= c"9":
        label = 10 * label + slice.data[i] - c"0"
        i += 1
    is_note[0] = i + 1 < slice.length and slice.data[i + 1] == c":"
    return label


cdef uint32_t end_of_note(const Tree* tree, const BlockArray* blocks, uint32_t b) noexcept nogil:
    """One past the last block of a footnote whose first block is b. The footnote is the largest nearby element that
    begins with it and contains no other note.
    """
    cdef uint32_t n = tree.nodes[blocks.blocks[b].start].parent, end = b + 1, last, k
    cdef int level
    cdef bint is_note = False
    for level in range(MAX_LEVELS):
        if n == 0 or first_block_from(blocks, n) != b:
            break
        last = first_block_from(blocks, tree.nodes[n].end)
        if last > b + MAX_NOTE_BLOCKS:
            break
        for k in range(end, last):
            if label_of(tree, blocks.blocks[k].start, &is_note) and is_note:
                return end
        end = max(end, last)
        n = tree.nodes[n].parent
    return end


cdef void find_notes(StructureArray* array, const Tree* tree, const BlockArray* blocks) noexcept nogil:
    """Record the footnotes of a page, each with the first block that refers to it."""
    cdef uint32_t[MAX_NOTES + 1] references     # for each label 1 + the block; 0 if there is none
    cdef uint32_t b, n, label
    cdef bint is_note = False, any_note = False
    for b in range(blocks.n_blocks):
        if label_of(tree, blocks.blocks[b].start, &is_note) and is_note:
            any_note = True
            break
    if not any_note:
        return
    memset(references, 0, sizeof(references))
    for b in range(blocks.n_blocks):
        for n in range(blocks.blocks[b].start, blocks.blocks[b].end):
            label = label_of(tree, n, &is_note)
            if 0 < label <= MAX_NOTES and not is_note and references[label] == 0:
                references[label] = b + 1
    for b in range(blocks.n_blocks):
        label = label_of(tree, blocks.blocks[b].start, &is_note)
        if (
            0 < label <= MAX_NOTES and is_note and 0 < references[label] <= b
            and not tree.nodes[blocks.blocks[b].start].n_attributes
        ):
            n = end_of_note(tree, blocks, b)
            add_blocks(array, b, n, references[label] - 1, n, STRUCTURE_NOTE)


cdef bint may_have_structures(const Tree* tree, const BlockArray* blocks) noexcept nogil:
    """True if a block is preformatted or in a cell."""
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
    """True for a table whose words are mostly links; its cells are judged one by one."""
    return 100 * <size_t> metrics.nodes[table].link_words > MOST_LINKS * <size_t> metrics.nodes[table].words


cdef void find_pagers(StructureArray* array, const Tree* tree, const BlockArray* blocks, uint32_t table) noexcept nogil:
    """Record the pagers in a data table: all tables in it."""
    cdef uint32_t end = tree.nodes[table].end, n = table + 1, first, last
    while n < end:
        if tree.nodes[n].kind == KIND_ELEMENT and tree.nodes[n].tag == TAG_TABLE:
            first = first_block_from(blocks, n)
            last = first_block_from(blocks, tree.nodes[n].end)
            if first < last:
                add_blocks(array, first, last, first, last, STRUCTURE_PAGER)
            n = tree.nodes[n].end
        else:
            n += 1


cdef void find_tables_and_listings(
    StructureArray* array, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil:
    """Record the data tables and listings of a page."""
    cdef const Node* nodes = tree.nodes
    cdef uint32_t n = 1, b = 0, columns = 0
    while next_with_block(tree, metrics, blocks, &n, &b):
        if (
            nodes[n].tag == TAG_TABLE and not is_menu(metrics, n)
            and is_data_table(tree, metrics, blocks, n, b, &columns)
        ):
            add_element(array, tree, blocks, n, b, STRUCTURE_TABLE)
            find_pagers(array, tree, blocks, n)
            n = nodes[n].end
        elif nodes[n].tag == TAG_PRE and blocks.blocks[b].characters == metrics.nodes[n].characters:
            add_element(array, tree, blocks, n, b, STRUCTURE_LISTING)
            n = nodes[n].end
        else:
            n += 1


cdef bint is_of_comments(const Tree* tree, uint32_t node) noexcept nogil:
    """True if the class or id of a definition list or a term names comments, as Blogger's do."""
    return tree.nodes[node].n_attributes and (
        contains(first_bytes(class_of(tree, node), MAX_NAME), b"comment")
        or contains(first_bytes(value_in(tree, node, ATTR_ID), MAX_NAME), b"comment")
    )


cdef bint is_plain_term(const Tree* tree, const Block* block) noexcept nogil:
    """True for a term that is not a link and not part of a reader's comment."""
    return block.link_characters == 0 and not is_of_comments(tree, block.item) and (
        not is_of_comments(tree, tree.nodes[block.item].parent)
    )


cdef void find_terms(StructureArray* array, const Tree* tree, const BlockArray* blocks) noexcept nogil:
    """Record terms with their descriptions."""
    cdef uint32_t b = 0, first
    while b < blocks.n_blocks:
        if blocks.blocks[b].kind != BLOCK_TERM or not is_plain_term(tree, blocks.blocks + b):
            b += 1
            continue
        first = b
        while b < blocks.n_blocks and blocks.blocks[b].kind == BLOCK_TERM:
            b += 1
        if b < blocks.n_blocks and tree.nodes[blocks.blocks[b].item].tag == TAG_DD:
            add_blocks(array, first, b, first, b + 1, STRUCTURE_TERM)


cdef bint is_formula(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """True for a block that is a single display formula."""
    cdef const Node* node = tree.nodes + block.start
    return node.kind == KIND_TEXT and node.namespace == CONSTRUCT_DISPLAY and (
        metrics.nodes[block.start].characters == block.characters
    )


cdef void find_formulas(
    StructureArray* array, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil:
    """Record display formulas; consecutive ones form one structure."""
    cdef uint32_t b = 0, first
    while b < blocks.n_blocks:
        if not is_formula(tree, metrics, blocks.blocks + b):
            b += 1
            continue
        first = b
        while b < blocks.n_blocks and is_formula(tree, metrics, blocks.blocks + b):
            b += 1
        add_blocks(
            array, first, b, first - min(first, <uint32_t> MAX_PASSED), min(b + MAX_PASSED, blocks.n_blocks),
            STRUCTURE_TABLE
        )


cdef bint is_entry(const Tree* tree, const Block* block) noexcept nogil:
    """True for a block that consists of links into this page."""
    return (
        block.link_characters > 0 and block.link_characters == block.characters and leads_into_page(tree, block.start)
    )


cdef bint heads_text(const BlockArray* blocks, uint32_t label, uint32_t after) noexcept nogil:
    """True if a heading above a list of links also covers the text below it: the next heading is of a lower level."""
    cdef uint32_t b
    if not is_heading(blocks.blocks + label):
        return False
    for b in range(after, min(blocks.n_blocks, after + MAX_CONTENTS)):
        if is_heading(blocks.blocks + b):
            return blocks.blocks[b].kind > blocks.blocks[label].kind
    return True


cdef bint fills_nav(const Tree* tree, const BlockArray* blocks, uint32_t b) noexcept nogil:
    """True for a heading that is the only text of a nav element: a script adds the entries."""
    cdef uint32_t nav = tree.nodes[blocks.blocks[b].element].parent
    return (
        BLOCK_HEADING_1 < blocks.blocks[b].kind <= BLOCK_HEADING_6 and tree.nodes[nav].tag == TAG_NAV
        and first_block_from(blocks, nav) == b and first_block_from(blocks, tree.nodes[nav].end) == b + 1
    )


cdef void find_contents(StructureArray* array, const Tree* tree, const BlockArray* blocks) noexcept nogil:
    """Record the headings and labels of tables of contents: short blocks above two or more links into the page, and
    headings that stand alone in a nav element.
    """
    cdef const Block* block
    cdef uint32_t b, end = 0
    for b in range(blocks.n_blocks):
        block = blocks.blocks + b
        if b < end or block.words > SHORT or block.link_characters or block.kind == BLOCK_HEADING_1:
            continue
        end = b + 1
        while end < blocks.n_blocks and is_entry(tree, blocks.blocks + end):
            end += 1
        if not (end > b + 2 and not heads_text(blocks, b, end)) and not fills_nav(tree, blocks, b):
            continue
        add_blocks(array, b, b + 1, b, end, STRUCTURE_CONTENTS)


cdef bint holds_number(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """True for a block that shows MAX_DIGITS or more: a date, or the name and time of whoever posts."""
    cdef Slice text
    cdef uint32_t n = block.start, i, digits = 0
    while True:
        n = next_text(tree, metrics, n, block.end)
        if n >= block.end:
            return digits >= MAX_DIGITS
        text = text_of(tree, n)
        for i in range(min(text.length, <uint32_t> MAX_HEADING)):
            digits += c"0" <= text.data[i] <= c"9"
        n += 1


cdef void find_sections(
    StructureArray* array, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil:
    """Record the headings below the first level that text or a heading of a lower level follows, the last one first:
    whether one is kept can depend on the next. A heading that fills a nav element heads nothing.
    """
    cdef const Block* block
    cdef uint32_t b = blocks.n_blocks
    cdef uint8_t next_kind = 0
    while b > 0:
        b -= 1
        block = blocks.blocks + b
        if (
            BLOCK_HEADING_1 < block.kind <= BLOCK_HEADING_6 and b + 1 < blocks.n_blocks
            and not BLOCK_HEADING_1 <= next_kind <= block.kind and 0 < block.words <= MAX_HEADING_WORDS
            and 2 * <size_t> block.link_characters < block.characters
            and not holds_number(tree, metrics, block) and not fills_nav(tree, blocks, b)
        ):
            add_blocks(array, b, b + 1, b, b + 2, STRUCTURE_SECTION)
        next_kind = block.kind


cdef uint32_t next_text(const Tree* tree, const MetricsArray* metrics, uint32_t n, uint32_t end) noexcept nogil:
    """The first visible text node in nodes [n, end) that is not blank; `end` if there is none."""
    n = next_visible(tree, metrics, n, end)
    while n < end and (tree.nodes[n].kind != KIND_TEXT or metrics.nodes[n].flags & FLAG_BLANK):
        n = next_visible(tree, metrics, n + 1, end)
    return n


cdef bint have_same_text(
    const Tree* tree, const MetricsArray* metrics, const Block* a, const Block* b
) noexcept nogil:
    """True if two blocks have the same text in nodes of the same lengths, white space aside."""
    cdef uint32_t m = next_text(tree, metrics, a.start, a.end), n = next_text(tree, metrics, b.start, b.end)
    cdef Slice one, other
    while m < a.end and n < b.end:
        one = without_space(text_of(tree, m))
        other = without_space(text_of(tree, n))
        if not same_bytes(one, other):
            return False
        m = next_text(tree, metrics, m + 1, a.end)
        n = next_text(tree, metrics, n + 1, b.end)
    return m == a.end and n == b.end


cdef void find_repeated(
    StructureArray* array, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil:
    """Record the headings that repeat the heading before them."""
    cdef const Block* block
    cdef uint32_t b = 0, first
    while b + 1 < blocks.n_blocks:
        block = blocks.blocks + b
        first = b
        b += 1
        if not is_heading(block):
            continue
        while (
            b < blocks.n_blocks and blocks.blocks[b].kind == block.kind and blocks.blocks[b].words == block.words
            and have_same_text(tree, metrics, block, blocks.blocks + b)
        ):
            b += 1
        if b > first + 1:
            add_blocks(array, first + 1, b, first, b, STRUCTURE_REPEATED)


cdef inline bint is_wall(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t b, uint32_t says, size_t before,
    bint declared
) noexcept nogil:
    """True for a block that says that it is the notice of a wall, and ends the page's own text. "Already a subscriber?"
    stands behind whole articles, too.
    """
    if not says & SAYS_WALL and not (
        before < LITTLE_PROSE and (declared or is_named_wall(tree, blocks.blocks[b].start))
    ):
        return False
    return ends_text(tree, metrics, blocks, b, before)


cdef void find_furniture(
    StructureArray* array, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil:
    """Record the blocks that say that they are furniture, with the lists of other pages below them; what is behind a
    wall; and boxes that ask for an address.
    """
    cdef uint32_t b = 0, end, says = 0, parent, around = 0, last = 0, notices = 0
    cdef size_t prose = 0, run = 0, longest = 0
    cdef bint declared = is_declared_not_free(tree, &metrics.shown)
    while b < blocks.n_blocks:
        if is_prose(blocks.blocks + b):
            parent = tree.nodes[blocks.blocks[b].element].parent
            run = run + blocks.blocks[b].words if parent == around else blocks.blocks[b].words
            around = parent
            longest = max(longest, run)
            prose += blocks.blocks[b].words
        end = end_of_furniture(tree, metrics, blocks, b, longest, &says)
        if end > b and says & (SAYS_WALL | SAYS_LOGIN) and array.wall == WALL_NONE and notices < MAX_NOTICES:
            notices += 1
            if is_wall(tree, metrics, blocks, b, says, prose, declared):
                end = blocks.n_blocks
                array.wall = WALL_SEEN
        if end > b:
            add_blocks(array, b, end, b, end, STRUCTURE_FURNITURE)
        b = max(end, b + 1)
    if declared and array.wall == WALL_NONE and 0 < own_prose(tree, metrics, blocks, &last) < LITTLE_PROSE:
        array.wall = WALL_DECLARED
        add_teasers(array, metrics, blocks, last)
    add_sign_ups(array, tree, metrics, blocks)


cdef void add_teasers(
    StructureArray* array, const MetricsArray* metrics, const BlockArray* blocks, uint32_t last
) noexcept nogil:
    """Record the teasers behind the last prose of a page whose wall is declared."""
    cdef uint32_t b = last + 1, end
    while b < blocks.n_blocks:
        end = end_of_item(metrics, blocks, b, blocks.blocks[last].start)
        if end > b:
            add_blocks(array, b, end, b, end, STRUCTURE_FURNITURE)
        b = max(end, b + 1)


cdef void add_sign_ups(
    StructureArray* array, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil:
    """Record the boxes that ask for an address."""
    cdef const Box* box
    cdef uint32_t number = next_sign_up(tree, metrics, blocks, 0), end
    while number < blocks.n_boxes:
        box = blocks.boxes + number
        add_blocks(array, box.first_block, box.end_block, box.first_block, box.end_block, STRUCTURE_FURNITURE)
        end = box.end
        while number < blocks.n_boxes and blocks.boxes[number].node < end:
            number += 1
        number = next_sign_up(tree, metrics, blocks, number)


cdef int find_structures(
    StructureArray* array, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks
) noexcept nogil:
    """Find the structures of a page that has been cut into blocks."""
    cdef uint32_t b
    array.n_structures = 0
    array.wall = WALL_NONE
    array.failed = False
    if may_have_structures(tree, blocks):
        find_tables_and_listings(array, tree, metrics, blocks)
    find_title(array, tree, blocks)
    find_notes(array, tree, blocks)
    find_terms(array, tree, blocks)
    find_formulas(array, tree, metrics, blocks)
    find_contents(array, tree, blocks)
    find_sections(array, tree, metrics, blocks)
    find_repeated(array, tree, metrics, blocks)
    find_furniture(array, tree, metrics, blocks)
    if array.failed:
        return OUT_OF_MEMORY
    if array.n_structures == 0:
        return 0
    if make_room(&array.words, &array.words_capacity, <size_t> blocks.n_blocks + 1) < 0:
        return OUT_OF_MEMORY
    for b in range(blocks.n_blocks):
        array.words[b] = blocks.blocks[b].words
    return 0


cdef size_t structures_bytes(const StructureArray* array) noexcept nogil:
    """Bytes of memory held."""
    return array.capacity * sizeof(Structure) + array.words_capacity * sizeof(uint32_t)


cdef void free_structures(StructureArray* array) noexcept nogil:
    """Free the memory."""
    free(array.structures)
    free(array.words)
    memset(array, 0, sizeof(StructureArray))
