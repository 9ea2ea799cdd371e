# SPDX-License-Identifier: Apache-2.0
"""Structural signatures: a 64-bit number for a position in the pages of a site.

The signature of a position is a hash of the path from the body down to it: each element's name, classes, id and role. A
run of digits in them counts as one digit, because ids and classes are often numbered (`post-1234`). The body's own
attributes are excluded, because content management systems write the kind of page there.
"""

from array import array

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from thresher.native.parsing.document cimport Document
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport ATTR_CLASS, ATTR_ID, ATTR_ROLE, TAG_BODY, TAG_COUNT, TAG_FRAMESET, TAG_HTML
from thresher.native.templates.hashing cimport hash64, mix, next_token

cdef enum:
    MAX_TOKEN = 128     # bytes of a class, id or role that are hashed
    MAX_TOKENS = 32     # classes of an element that are hashed


cdef uint64_t hash_without_digits(const uint8_t* data, uint32_t length, uint64_t seed) noexcept nogil:
    """The hash of a token, with every run of digits as one digit."""
    cdef uint8_t[MAX_TOKEN] folded
    cdef uint32_t i, n = 0
    cdef bint digit = False
    for i in range(min(length, <uint32_t> MAX_TOKEN)):
        if c"0" <= data[i] <= c"9":
            if digit:
                continue
            folded[n] = c"0"
            digit = True
        else:
            folded[n] = data[i]
            digit = False
        n += 1
    return hash64(folded, n, seed)


cdef uint64_t step_of(const Tree* tree, uint32_t n) noexcept nogil:
    """The hash of one element of a path. The order of its classes does not matter."""
    cdef:
        const Attribute* attribute
        const uint8_t* token
        const uint8_t* end
        uint32_t i, length, tokens = 0
        uint64_t step, classes = 0
        Slice text
    step = tree.nodes[n].tag
    if tree.nodes[n].tag >= TAG_COUNT:
        text = text_of(tree, n)
        step = hash64(text.data, text.length, KIND_ELEMENT)
    step = mix(step, tree.nodes[n].namespace)
    for i in range(tree.nodes[n].n_attributes):
        attribute = tree.attributes + tree.nodes[n].attributes + i
        if attribute.name != ATTR_CLASS and attribute.name != ATTR_ID and attribute.name != ATTR_ROLE:
            continue
        text = value_of(tree, attribute)
        end = text.data + text.length
        token = next_token(text.data, end, &length)
        while length and tokens < MAX_TOKENS:
            classes += hash_without_digits(token, length, attribute.name)
            tokens += 1
            token = next_token(token + length, end, &length)
    return mix(step, classes)


cdef void find_paths(const Tree* tree, uint64_t* paths) noexcept nogil:
    """Set the signature of every node. An element extends the path of its parent by one step; any other node has its
    parent's signature.
    """
    cdef uint32_t n
    paths[0] = 1
    for n in range(1, tree.n_nodes):
        if tree.nodes[n].kind != KIND_ELEMENT:
            paths[n] = paths[tree.nodes[n].parent]
        elif tree.nodes[n].namespace == NS_HTML and (
            tree.nodes[n].tag == TAG_BODY or tree.nodes[n].tag == TAG_HTML or tree.nodes[n].tag == TAG_FRAMESET
        ):
            paths[n] = 1
        else:
            paths[n] = mix(paths[tree.nodes[n].parent], step_of(tree, n)) | 1


def signatures_of_nodes(Document document not None) -> array[int]:
    """The signature of each node of a page: an element's own, and for any other node that of its parent."""
    document.require_idle()
    found = array("Q", bytes(8 * document.tree.n_nodes))
    cdef uint64_t[::1] paths = found
    if document.tree.n_nodes:
        find_paths(&document.tree, &paths[0])
    return found
