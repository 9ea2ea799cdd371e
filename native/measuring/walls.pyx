# SPDX-License-Identifier: Apache-2.0
"""Finds where a wall ends the text of a page: a notice behind its own words, or what the page declares of itself."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr

from thresher.native.measuring.blocks cimport BlockArray
from thresher.native.measuring.furniture cimport end_of_item, is_prose
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *


cdef enum:
    MUCH_PROSE = 60         # words after a notice that ends nothing
    MAX_LEVELS = 6          # elements around a notice whose class may name a wall
    MAX_NAME = 120          # bytes of a class that are read
    MAX_DATA = 1 << 18      # bytes of a script that are looked at


cdef bint says_not_free(Slice data) noexcept nogil:
    """True if JSON-LD has the property isAccessibleForFree with the value false, of the page or of a part."""
    cdef const void* quote
    data = first_bytes(data, MAX_DATA)
    while data.length:
        quote = memchr(data.data, c'"', data.length)
        if quote == NULL:
            return False
        data = slice_from(data, <uint32_t> (<const uint8_t*> quote - data.data) + 1)
        if begins(data, b"isAccessibleForFree\""):
            data = without_leading_space(slice_from(data, 20))
            if data.length and data.data[0] == c":":
                data = without_leading_space(slice_from(data, 1))
                if data.length and data.data[0] == c'"':
                    data = slice_from(data, 1)
                if begins_word(data, b"false"):
                    return True
    return False


cdef bint is_declared_not_free(const Tree* tree, const ShownArray* shown) noexcept nogil:
    """True if a page says that its text is not free: in JSON-LD or microdata (isAccessibleForFree), or by its tier
    (article:content_tier).
    """
    cdef const Node* node
    cdef Slice value
    cdef uint32_t i, n
    for i in range(shown.n_unread):
        n = shown.unread[i]
        node = tree.nodes + n
        if is_html(node, TAG_SCRIPT):
            if (
                node.end > n + 1
                and begins_word(without_leading_space(value_in(tree, n, ATTR_TYPE)), b"application/ld+json")
                and says_not_free(text_of(tree, n + 1))
            ):
                return True
        elif is_html(node, TAG_META):
            value = trimmed(value_in(tree, n, ATTR_CONTENT))
            if is_word(value_in(tree, n, ATTR_PROPERTY), b"article:content_tier"):
                if is_word(value, b"locked") or is_word(value, b"metered"):
                    return True
            elif is_word(value_in(tree, n, ATTR_ITEMPROP), b"isaccessibleforfree") and is_word(value, b"false"):
                return True
    return False


cdef bint is_named_wall(const Tree* tree, uint32_t n) noexcept nogil:
    """True if the class of one of the elements around a node names a wall."""
    cdef Slice name
    cdef int level
    for level in range(MAX_LEVELS):
        n = tree.nodes[n].parent
        if n == 0:
            break
        name = first_bytes(class_of(tree, n), MAX_NAME)
        if (
            contains(name, b"paywall") or contains(name, b"regwall") or contains(name, b"subscriber-only")
            or contains(name, b"piano-") or contains(name, b"metered")
        ):
            return True
    return False


cdef bint is_in_margin(const Tree* tree, uint32_t n, bint or_form) noexcept nogil:
    """True for a node in a footer, an aside or a menu, or in a form or a dialog."""
    cdef uint32_t tag
    while n:
        tag = tree.nodes[n].tag
        if tree.nodes[n].kind == KIND_ELEMENT and (
            tag == TAG_FOOTER or tag == TAG_ASIDE or tag == TAG_NAV
            or (or_form and (tag == TAG_FORM or tag == TAG_DIALOG))
        ):
            return True
        n = tree.nodes[n].parent
    return False


cdef bint ends_text(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t b, size_t before
) noexcept nogil:
    """True if behind a wall's notice there is no more prose of the page's own."""
    cdef size_t after = 0
    cdef uint32_t i = b + 1, last = b, end
    if before == 0 or is_in_margin(tree, blocks.blocks[b].start, False):
        return False
    while last > 0 and not is_prose(blocks.blocks + last):
        last -= 1
    while i < blocks.n_blocks:
        end = end_of_item(metrics, blocks, i, blocks.blocks[b].start)
        if end > i:
            i = end
            continue
        if is_prose(blocks.blocks + i) and not is_in_margin(tree, blocks.blocks[i].start, True):
            if tree.nodes[blocks.blocks[i].element].parent == tree.nodes[blocks.blocks[last].element].parent:
                return False
            after += blocks.blocks[i].words
        i += 1
    return after < MUCH_PROSE or after < before


cdef size_t own_prose(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t* last
) noexcept nogil:
    """The words of a page's prose, without teasers behind its first block; 0 if it has none. `last` is its last block."""
    cdef size_t words = 0
    cdef uint32_t b = 0, end
    while b < blocks.n_blocks:
        if words:
            end = end_of_item(metrics, blocks, b, blocks.blocks[last[0]].start)
            if end > b:
                b = end
                continue
        if is_prose(blocks.blocks + b) and not is_in_margin(tree, blocks.blocks[b].start, True):
            words += blocks.blocks[b].words
            last[0] = b
        b += 1
    return words
