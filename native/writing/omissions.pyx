# SPDX-License-Identifier: Apache-2.0
"""What is left out; see omissions.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.characters cimport begins_ascii, is_space
from thresher.native.constructs.class_words cimport SAYS_ANCHOR, SAYS_EDIT, class_says
from thresher.native.measuring.invisible cimport MAX_INVISIBLE, is_invisible, shows_nothing
from thresher.native.measuring.metrics cimport FLAG_BLANK, next_visible
from thresher.native.parsing.document cimport (
    KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute, Slice, find_attribute, slice_at,
)
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_INSIDE = 32         # nodes of a heading's mark
    MAX_ABOVE = 3           # elements, from the heading upwards, whose ids its own link may name
    MAX_ASIDE = 16          # nodes beside a mark that are searched for other text


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


cdef bint says_permalink(const uint8_t* text, uint32_t length) noexcept nogil:
    """True for a text that describes a link to its own place."""
    return (
        begins_ascii(text, length, b"link to this ", 13) or begins_ascii(text, length, b"permalink", 9)
        or begins_ascii(text, length, b"permanent link", 14) or begins_ascii(text, length, b"direct link to ", 15)
        or begins_ascii(text, length, b"anchor link", 11) or begins_ascii(text, length, b"copy link", 9)
    )


cdef bint is_phrase(const Tree* tree, const MetricsArray* metrics, uint32_t node) noexcept nogil:
    """True if a link's text says that it leads to the heading around it."""
    cdef uint32_t n, end = tree.nodes[node].end
    cdef Slice slice
    n = next_visible(tree, metrics, node, end)
    while n < end and tree.nodes[n].kind != KIND_TEXT:
        n = next_visible(tree, metrics, n + 1, end)
    if n >= end:
        return False
    slice = slice_at(tree, tree.nodes[n].start, tree.nodes[n].length)
    while slice.length and is_space(slice.data[0]):
        slice.data += 1
        slice.length -= 1
    if slice.length == 3 and (
        slice.data[0] == 0xEE or (slice.data[0] == 0xEF and 0x80 <= slice.data[1] <= 0xA3)
    ):
        return True     # a single private-use character, which an icon font shows as a chain
    return says_permalink(slice.data, slice.length)


cdef bint has_fragment(const Tree* tree, uint32_t link) noexcept nogil:
    """True for a link into this page."""
    cdef const Attribute* attribute = find_attribute(tree, link, ATTR_HREF)
    return attribute != NULL and attribute.value_length > 0 and (
        slice_at(tree, attribute.value_start, attribute.value_length).data[0] == c"#"
    )


cdef bint names_itself(const Tree* tree, uint32_t link, uint32_t element) noexcept nogil:
    """True for a link to the id of the heading around it, of an element in that heading, or of a close ancestor.
    `element` is the heading, or an element in it.
    """
    cdef const Attribute* attribute = find_attribute(tree, link, ATTR_HREF)
    cdef Slice address = slice_at(tree, attribute.value_start, attribute.value_length)
    cdef uint32_t n = element, i, end
    cdef int step
    for step in range(MAX_ABOVE):
        if n == 0 or has_id(tree, n, address):
            break
        n = tree.nodes[n].parent
    if n != 0 and has_id(tree, n, address):
        return True
    end = min(tree.nodes[element].end, element + MAX_INSIDE)
    for i in range(element + 1, end):
        if tree.nodes[i].kind == KIND_ELEMENT and has_id(tree, i, address):
            return True
    return False


cdef bint has_id(const Tree* tree, uint32_t node, Slice address) noexcept nogil:
    """True if an element has the id that an address "#id" leads to."""
    cdef const Attribute* attribute = find_attribute(tree, node, ATTR_ID) if tree.nodes[node].n_attributes else NULL
    return attribute != NULL and attribute.value_length > 0 and attribute.value_length + 1 == address.length and memcmp(
        slice_at(tree, attribute.value_start, attribute.value_length).data, address.data + 1, attribute.value_length
    ) == 0


cdef bint attribute_says_permalink(const Tree* tree, uint32_t link, uint32_t name) noexcept nogil:
    """True for a link whose title or label describes a link to its own place."""
    cdef const Attribute* attribute = find_attribute(tree, link, name)
    cdef Slice value
    if attribute == NULL:
        return False
    value = slice_at(tree, attribute.value_start, attribute.value_length)
    return says_permalink(value.data, value.length)


cdef bint is_mark(const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t node) noexcept nogil:
    """True for a heading's link to itself at its beginning or end: "¶", "#", "Link to this heading"."""
    cdef uint32_t end = tree.nodes[node].end
    if tree.nodes[node].tag != TAG_A or end - node > MAX_INSIDE:
        return False
    if metrics.nodes[node].words and not is_phrase(tree, metrics, node):
        return False
    if not (
        attribute_says_permalink(tree, node, ATTR_TITLE) or attribute_says_permalink(tree, node, ATTR_ARIA_LABEL)
        or (has_fragment(tree, node) and (
            class_says(tree, node, SAYS_ANCHOR) or metrics.nodes[node].words
            or names_itself(tree, node, block.element)
        ))
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


cdef bint is_omitted_text(
    const Tree* tree, const MetricsArray* metrics, const Block* block, uint32_t text
) noexcept nogil:
    """True for a text inside an element that is left out of its block."""
    cdef uint32_t n = tree.nodes[text].parent
    cdef int step
    for step in range(MAX_INSIDE):
        if n <= block.element:
            return False
        if is_omitted(tree, metrics, block, n):
            return True
        n = tree.nodes[n].parent
    return False


cdef bint nothing_remains(const Tree* tree, const MetricsArray* metrics, const Block* block) noexcept nogil:
    """True for a heading, or a block without words, of which nothing remains."""
    cdef uint32_t n
    if not is_heading(block):
        return block.characters <= MAX_INVISIBLE and shows_nothing(tree, metrics, block.start, block.end)
    n = next_visible(tree, metrics, block.start, block.end)
    while n < block.end:
        if tree.nodes[n].kind == KIND_TEXT and not is_invisible(tree, metrics, n):
            if not is_omitted_text(tree, metrics, block, n):
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
    cdef uint32_t n = tree.nodes[block.start].parent
    cdef int step
    for step in range(MAX_INSIDE):
        if n <= block.element:
            break
        if is_omitted(tree, metrics, block, n):
            return tree.nodes[n].end
        n = tree.nodes[n].parent
    return block.start
