# SPDX-License-Identifier: Apache-2.0
"""Decides which images belong to the main text, and lists them."""

from thresher.native.choosing.region_rules cimport is_caption_element
from thresher.native.measuring.structures cimport first_block_from
from thresher.native.writing.urls cimport resolve


cdef enum:
    MAX_CLIMB = 10          # ancestors of an image that are inspected
    MAX_FIGURE = 200        # nodes of an image with its caption
    MAX_BESIDE = 8          # nodes before a noscript element that are searched for an image
    MAX_SIZE = 6            # digits of an image's width in a srcset
    MAX_SEARCHED = 64       # nodes of an element that are searched for an image; a larger one may have one


cdef Writer PICTURES
PICTURES.mark = put_picture


cdef const Writer* pictures_writer() noexcept nogil:
    return &PICTURES


cdef bint is_one(const Tree* tree, uint32_t node, uint32_t name) noexcept nogil:
    """True for an attribute with value 0 or 1: the size of a tracking image."""
    cdef Slice value = value_in(tree, node, name)
    return value.length == 1 and (value.data[0] == c"0" or value.data[0] == c"1")


cdef bint is_figure(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element that holds little more than a caption."""
    cdef uint32_t i, end = tree.nodes[n].end
    if tree.nodes[n].tag == TAG_FIGURE:
        return True
    if end - n > MAX_FIGURE:
        return False
    for i in range(n, end):
        if tree.nodes[i].kind == KIND_ELEMENT and is_caption_element(tree, i):
            return True
    return False


cdef bint stands_in_text(const Output* output, uint32_t image, bint past_figures) noexcept nogil:
    """True if most of the text in the smallest text-bearing element around an image is kept. With `past_figures`, an
    element of which only the caption was dropped says nothing: then the one around it counts.
    """
    cdef uint32_t node = image, a, b
    cdef const uint32_t* sums = output.sums
    cdef const uint32_t* kept = sums + output.blocks.n_blocks + 1
    cdef int step
    for step in range(MAX_CLIMB):
        node = output.tree.nodes[node].parent
        if node == 0:
            break
        a = first_block_from(output.blocks, node)
        b = first_block_from(output.blocks, output.tree.nodes[node].end)
        if b > a and 2 * <size_t> (kept[b] - kept[a]) > sums[b] - sums[a]:
            return True
        if b > a and not (past_figures and is_figure(output.tree, node)):
            return False
    return False


cdef Slice largest_of(Slice candidates) noexcept nogil:
    """The address in a srcset with the largest width or density; of equal ones the first."""
    cdef Slice address, found = no_text()
    cdef uint32_t size, most = 0
    while next_word(&candidates, &address):
        size = 0
        if address.data[address.length - 1] != c",":        # a description follows, up to the next comma
            candidates = without_leading_space(candidates)
            size = number_in(first_bytes(candidates, leading_digits(candidates)), MAX_SIZE)
            while candidates.length and candidates.data[0] != c",":
                candidates = slice_from(candidates, 1)
            candidates = without_leading(candidates, b",")
        while address.length and address.data[address.length - 1] == c",":
            address.length -= 1
        if address.length and (found.length == 0 or size > most):
            found, most = address, size
    return found


cdef bint put_address_of(Output* output, const Attribute* attribute) noexcept nogil:
    """Put the address in an attribute into output.url: the whole value, or the largest entry of a srcset. False if it
    has none, or `attribute` is NULL.
    """
    cdef Slice value = value_of(output.tree, attribute)
    if attribute == NULL:
        return False
    if ends(name_of(output.tree, attribute), b"srcset"):
        value = largest_of(value)
    return has_room_for_address(output) and resolve(output.url, output.base, value, output.format.escapes_addresses)


cdef bint put_image_address(Output* output, uint32_t node) noexcept nogil:
    """Put an image's address into output.url; False if it has none.

    Pages that load images late have a placeholder in src, often a data: URL, and the address in another attribute.
    """
    cdef (const char*)[4] names = [b"data-lazy-src", b"data-original", b"data-srcset", b"data-lazy-srcset"]
    cdef int k
    if put_address(output, node, ATTR_DATA_SRC):
        return True
    for k in range(4):
        if put_address_of(output, find_named(output.tree, node, names[k])):
            return True
    return put_address(output, node, ATTR_SRC) or put_address_of(output, find_named(output.tree, node, b"srcset"))


cdef bint is_copy(const Output* output, uint32_t node) noexcept nogil:
    """True for an image in noscript that repeats an image beside it which a script loads."""
    cdef const Node* nodes = output.tree.nodes
    cdef uint32_t noscript = nodes[node].parent, n = noscript, looked = 0
    if nodes[noscript].tag != TAG_NOSCRIPT:
        return False
    while n > nodes[noscript].parent + 1 and looked < MAX_BESIDE:
        n -= 1
        looked += 1
        if nodes[n].kind == KIND_ELEMENT and nodes[n].tag == TAG_IMG:
            return True
        if nodes[n].kind == KIND_TEXT and not output.metrics.nodes[n].flags & FLAG_BLANK:
            return False
    return False


cdef bint is_image(Output* output, uint32_t n) noexcept nogil:
    """True for an image that leads somewhere, is no tracking pixel and no copy of the one beside it."""
    return not (
        is_one(output.tree, n, ATTR_WIDTH) or is_one(output.tree, n, ATTR_HEIGHT) or is_copy(output, n)
        or not put_image_address(output, n)
    )


cdef bint may_hold_image(const Output* output, uint32_t n) noexcept nogil:
    """True if an element may hold an image."""
    cdef uint32_t i, end = output.tree.nodes[n].end
    if end - n > MAX_SEARCHED:
        return True
    for i in range(n + 1, end):
        if output.tree.nodes[i].tag == TAG_IMG and output.tree.nodes[i].kind == KIND_ELEMENT:
            return True
    return False


# --- pictures ---


cdef void put_picture(Output* output, uint32_t n, uint32_t block) noexcept nogil:
    """List an image: the first `most` of them, with their addresses one after the other."""
    cdef Pictures* pictures = output.pictures
    cdef Picture* picture
    cdef bint in_text = in_block(output, n, block)
    if output.tree.nodes[n].tag != TAG_IMG or not (in_text or stands_in_text(output, n, True)):
        return
    if not is_image(output, n):
        return
    if pictures.count < pictures.most:
        put(output.text, output.url.data, output.url.length)
        output.addresses += output.url.length
        picture = pictures.found + pictures.count
        picture.node = n
        picture.block = block + 1 if in_text else block     # behind a block: its text is not taken apart
        picture.address_end = <uint32_t> output.text.length
    pictures.count += 1
