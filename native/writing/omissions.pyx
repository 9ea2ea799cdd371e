# SPDX-License-Identifier: Apache-2.0
"""Decides which elements of a heading, and which blocks without visible text, no format writes."""

from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.constructs.class_words cimport SAYS_ANCHOR, SAYS_EDIT, class_says
from thresher.native.measuring.invisible cimport MAX_INVISIBLE, is_invisible, shows_nothing

from thresher.native.constructs import construct_words


cdef enum:
    MAX_MARK = 32         # nodes of a heading's mark
    MAX_TO_ID = 3           # elements, from the heading upwards, whose ids its own link may name
    MAX_ASIDE = 16          # nodes beside a mark that are searched for other text


cdef WordTable PERMALINKS
fill_words(&PERMALINKS, {1: construct_words.PERMALINKS})


cdef bint has_text(
    const Tree* tree, const MetricsArray* metrics, uint32_t first, uint32_t end
) noexcept nogil:
    """True if nodes [first, end) hold text, or number more than MAX_ASIDE."""
    cdef uint32_t n = next_visible(tree, metrics, first, end), looked = 0
    while n < end:
        if looked == MAX_ASIDE or (tree.nodes[n].kind == KIND_TEXT and not metrics.nodes[n].flags & FLAG_BLANK):
            return True
        looked += 1
        n = next_visible(tree, metrics, n + 1, end)
    return False


cdef bint says_permalink(Slice text) noexcept nogil:
    """True for a text that describes a link to its own place."""
    return value_of_word(&PERMALINKS, text.data, text.length) != 0


cdef bint is_phrase(const Tree* tree, const MetricsArray* metrics, uint32_t node) noexcept nogil:
    """True if a link's text says that it leads to the heading around it."""
    cdef uint32_t end = tree.nodes[node].end, n = next_visible(tree, metrics, node, end)
    cdef Slice text
    while n < end and tree.nodes[n].kind != KIND_TEXT:
        n = next_visible(tree, metrics, n + 1, end)
    if n >= end:
        return False
    text = without_leading_space(text_of(tree, n))
    # a single private-use character, which an icon font shows as a chain
    return says_permalink(text) or text.length == 3 and (
        text.data[0] == 0xEE or (text.data[0] == 0xEF and 0x80 <= text.data[1] <= 0xA3)
    )


cdef bint has_id(const Tree* tree, uint32_t node, Slice fragment) noexcept nogil:
    """True if an element has the id that an address "#id" leads to."""
    return tree.nodes[node].n_attributes and fragment.length and same_bytes(value_in(tree, node, ATTR_ID), fragment)


cdef bint names_itself(const Tree* tree, Slice fragment, uint32_t element) noexcept nogil:
    """True for the id of the heading around a link, of an element in that heading, or of a close ancestor. `element`
    is the heading, or an element in it.
    """
    cdef uint32_t n = element, i
    cdef int step
    for step in range(MAX_TO_ID + 1):
        if n and has_id(tree, n, fragment):
            return True
        n = tree.nodes[n].parent
    for i in range(element + 1, min(tree.nodes[element].end, element + MAX_MARK)):
        if tree.nodes[i].kind == KIND_ELEMENT and has_id(tree, i, fragment):
            return True
    return False


cdef bint is_mark(const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t node) noexcept nogil:
    """True for a heading's link to itself at its beginning or end: "¶", "#", "Link to this heading"."""
    cdef uint32_t end = tree.nodes[node].end
    cdef Slice address
    if tree.nodes[node].tag != TAG_A or end - node > MAX_MARK:
        return False
    if metrics.nodes[node].words and not is_phrase(tree, metrics, node):
        return False
    address = value_in(tree, node, ATTR_HREF)
    if not (
        says_permalink(value_in(tree, node, ATTR_TITLE)) or says_permalink(value_in(tree, node, ATTR_ARIA_LABEL))
        or begins(address, b"#") and (
            class_says(tree, node, SAYS_ANCHOR) or metrics.nodes[node].words
            or names_itself(tree, slice_from(address, 1), block.element)
        )
    ):
        return False
    return node < block.start < end or not has_text(tree, metrics, end, block.end)


cdef bint is_omitted(const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t node) noexcept nogil:
    """True for an element within a heading that is left out with its content.

    False for an element that ends before the block begins, or that contains the block.
    """
    THRESHER_CHECK(node < tree.n_nodes)
    if (
        tree.nodes[node].kind != KIND_ELEMENT or tree.nodes[node].n_attributes == 0
        or tree.nodes[node].namespace != NS_HTML
    ):
        return False
    if tree.nodes[node].end <= block.start or node >= block.end or node <= block.element:
        return False
    if tree.nodes[node].tag == TAG_SPAN:
        return class_says(tree, node, SAYS_EDIT)
    return is_mark(tree, metrics, block, node)


cdef uint32_t omitted_around(
    const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t text
) noexcept nogil:
    """The element around a text that is left out of its block; 0 if there is none."""
    cdef uint32_t n = tree.nodes[text].parent
    cdef int step
    for step in range(MAX_MARK):
        if n <= block.element:
            break
        if is_omitted(tree, metrics, block, n):
            return n
        n = tree.nodes[n].parent
    return 0


cdef bint nothing_remains(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """True for a heading, or a block without words, of which nothing remains."""
    cdef uint32_t n
    if not is_heading(block):
        return block.characters <= MAX_INVISIBLE and shows_nothing(tree, metrics, block.start, block.end)
    n = next_visible(tree, metrics, block.start, block.end)
    while n < block.end:
        if tree.nodes[n].kind == KIND_TEXT and not is_invisible(tree, metrics, n) and (
            not omitted_around(tree, metrics, block, n)
        ):
            return False
        n = next_visible(tree, metrics, n + 1, block.end)
    return True


cdef bint ends_invisibly(
    const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t text
) noexcept nogil:
    """True for an invisible text at the end of its block, such as a no-break space behind the last line break."""
    return (
        block.end - text <= MAX_ASIDE and is_invisible(tree, metrics, text)
        and shows_nothing(tree, metrics, text + 1, block.end)
    )


cdef uint32_t first_written(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """The node where the writing of a block begins: after a left-out element that contains its first text."""
    cdef uint32_t omitted = omitted_around(tree, metrics, block, block.start)
    return tree.nodes[omitted].end if omitted else block.start
