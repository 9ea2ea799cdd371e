# SPDX-License-Identifier: Apache-2.0
"""Reading a sealed tree: its structs (tree.pxd), the text of a node, the values of attributes, the words of a text.

A text that is absent is empty: nobody has to ask whether an attribute is there before reading its value. Words to
compare with are literals in lower case; their lengths are constants to the compiler, and no caller counts letters.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp, strlen

from thresher.native.base.characters cimport begins_ascii, equals_ascii, is_ascii_digit, is_ascii_letter, is_space
from thresher.native.parsing.tags cimport ATTR_CLASS, TAG_H1, TAG_H6
from thresher.native.parsing.tree cimport *


cdef enum:
    LONGEST_BLANK = 1 << 12 # bytes of white space; more is read as words, since texts are asked often


# --- nodes ---


cdef inline Slice text_of(const Tree* tree, uint32_t n) noexcept nogil:
    """The bytes of a text node; of an element, its name if that has no number (tags.pxd)."""
    return slice_at(tree, tree.nodes[n].start, tree.nodes[n].length)


cdef inline bint is_html(const Node* node, uint32_t tag) noexcept nogil:
    """True for the HTML element of a name."""
    return node.tag == tag and node.kind == KIND_ELEMENT and node.namespace == NS_HTML


cdef inline uint32_t next_html(const Tree* tree, uint32_t n, uint32_t tag) noexcept nogil:
    """The first HTML element of a name from node n on; tree.n_nodes if there is none."""
    cdef const Node* node = tree.nodes + n
    cdef const Node* end = tree.nodes + tree.n_nodes
    while node < end and not is_html(node, tag):
        node += 1
    return <uint32_t> (node - tree.nodes)


cdef inline bint is_heading_tag(uint32_t tag) noexcept nogil:
    """True for h1 to h6."""
    return TAG_H1 <= tag <= TAG_H6


cdef inline bint holds(const Tree* tree, uint32_t around, uint32_t n) noexcept nogil:
    """True for a node and those in it."""
    return around <= n < tree.nodes[around].end


cdef inline uint32_t next_within(const Tree* tree, uint32_t n) noexcept nogil:
    """The next node of a walk that looks into elements only: not below what native/constructs made a text."""
    return n + 1 if tree.nodes[n].kind == KIND_ELEMENT else tree.nodes[n].end


cdef inline uint32_t element_from(const Tree* tree, uint32_t n, uint32_t end) noexcept nogil:
    """The first element of nodes [n, end) in a walk that looks into elements only; `end` if there is none."""
    while n < end and tree.nodes[n].kind != KIND_ELEMENT:
        n = tree.nodes[n].end
    return n


cdef inline uint32_t past_blank(const Tree* tree, uint32_t n, uint32_t end) noexcept nogil:
    """The first of nodes [n, end) that is no text of white space, where those stand before it; `end` if there is none.
    """
    while n < end and tree.nodes[n].kind == KIND_TEXT and is_blank(text_of(tree, n)):
        n = tree.nodes[n].end
    return n


# --- texts ---


cdef inline Slice no_text() noexcept nogil:
    return Slice(data=NULL, length=0)


cdef inline Slice slice_from(Slice text, uint32_t start) noexcept nogil:
    """A text without its first bytes."""
    return Slice(data=text.data + start, length=text.length - start)


cdef inline Slice first_bytes(Slice text, uint32_t most) noexcept nogil:
    """A text, cut to a number of bytes."""
    return Slice(data=text.data, length=min(text.length, most))


cdef inline bint is_one_of(uint8_t byte, const char* bytes) noexcept nogil:
    """True for one of the bytes of a literal."""
    cdef size_t i
    for i in range(strlen(bytes)):
        if byte == <uint8_t> bytes[i]:
            return True
    return False


cdef inline Slice without_leading(Slice text, const char* bytes) noexcept nogil:
    """A text without those of its first bytes that are in a literal."""
    while text.length and is_one_of(text.data[0], bytes):
        text = slice_from(text, 1)
    return text


cdef inline Slice without_leading_space(Slice text) noexcept nogil:
    while text.length and is_space(text.data[0]):
        text = slice_from(text, 1)
    return text


cdef inline Slice trimmed(Slice text) noexcept nogil:
    """A text without leading and trailing white space, no-break spaces included."""
    while text.length and (is_space(text.data[0]) or begins(text, b"\xc2\xa0")):
        text = slice_from(text, 1 if text.data[0] < 0x80 else 2)
    while text.length:
        if is_space(text.data[text.length - 1]):
            text.length -= 1
        elif text.length >= 2 and text.data[text.length - 2] == 0xC2 and text.data[text.length - 1] == 0xA0:
            text.length -= 2
        else:
            break
    return text


cdef inline uint32_t leading_digits(Slice text) noexcept nogil:
    """How many digits a text begins with."""
    cdef uint32_t n = 0
    while n < text.length and is_ascii_digit(text.data[n]):
        n += 1
    return n


cdef inline uint32_t number_in(Slice text, uint32_t most) noexcept nogil:
    """The value of a text that is nothing but digits, `most` of them at most; 0 for any other text."""
    cdef uint32_t i, number = 0
    if text.length > most or leading_digits(text) < text.length:
        return 0
    for i in range(text.length):
        number = 10 * number + (text.data[i] - c"0")
    return number


cdef inline bint is_blank(Slice text) noexcept nogil:
    """True for a text of nothing but white space, LONGEST_BLANK bytes at most."""
    return text.length <= LONGEST_BLANK and without_leading_space(text).length == 0


cdef inline Slice first_word(Slice text) noexcept nogil:
    """The bytes of a text before its first white space."""
    cdef uint32_t i = 0
    while i < text.length and not is_space(text.data[i]):
        i += 1
    return first_bytes(text, i)


cdef inline bint next_word(Slice* rest, Slice* word) noexcept nogil:
    """Remove the first word of a list separated by white space; False if none is left."""
    rest[0] = without_leading_space(rest[0])
    word[0] = first_word(rest[0])
    rest[0] = slice_from(rest[0], word.length)
    return word.length > 0


cdef inline bint next_letters(Slice* rest, Slice* run) noexcept nogil:
    """Remove the first run of ASCII letters of a text and what stands before it; False if none is left."""
    cdef const uint8_t* p = rest.data
    cdef const uint8_t* end = p + rest.length
    while p < end and not is_ascii_letter(p[0]):
        p += 1
    run.data = p
    while p < end and is_ascii_letter(p[0]):
        p += 1
    run.length = <uint32_t> (p - run.data)
    rest.data, rest.length = p, <uint32_t> (end - p)
    return run.length > 0


cdef inline bint begins(Slice text, const char* prefix) noexcept nogil:
    """True if a text begins with a prefix, case-sensitive."""
    return text.length >= strlen(prefix) and memcmp(text.data, prefix, strlen(prefix)) == 0


cdef inline bint ends(Slice text, const char* suffix) noexcept nogil:
    """True if a text ends with a suffix, case-sensitive."""
    return text.length >= strlen(suffix) and memcmp(text.data + text.length - strlen(suffix), suffix, strlen(suffix)) == 0


cdef inline bint begins_word(Slice text, const char* lower) noexcept nogil:
    """True if a text begins with a lower-case word, ignoring ASCII case."""
    return begins_ascii(text.data, text.length, lower, strlen(lower))


cdef inline bint is_word(Slice text, const char* lower) noexcept nogil:
    """True if a text is a lower-case word, ignoring ASCII case."""
    return equals_ascii(text.data, text.length, lower, strlen(lower))


cdef inline bint take_prefix(Slice* text, const char* lower) noexcept nogil:
    """Remove a lower-case word that a text begins with, ignoring ASCII case; False if it begins with something else."""
    if not begins_word(text[0], lower):
        return False
    text[0] = slice_from(text[0], <uint32_t> strlen(lower))
    return True


cdef inline bint contains(Slice text, const char* lower) noexcept nogil:
    """True if a text contains a lower-case word, ignoring ASCII case."""
    while text.length >= strlen(lower):
        if begins_word(text, lower):
            return True
        text = slice_from(text, 1)
    return False


cdef inline bint same_bytes(Slice one, Slice other) noexcept nogil:
    return one.length == other.length and memcmp(one.data, other.data, one.length) == 0


# --- attributes ---


cdef inline Slice name_of(const Tree* tree, const Attribute* attribute) noexcept nogil:
    return slice_at(tree, attribute.name_start, attribute.name_length)


cdef inline Slice value_of(const Tree* tree, const Attribute* attribute) noexcept nogil:
    """The value of an attribute; empty if it is NULL."""
    return slice_at(tree, attribute.value_start, attribute.value_length) if attribute != NULL else no_text()


cdef inline Slice value_in(const Tree* tree, uint32_t n, uint32_t name) noexcept nogil:
    """The value of a node's attribute with that AttributeName; empty if there is none."""
    return value_of(tree, find_attribute(tree, n, name))


cdef inline Slice class_of(const Tree* tree, uint32_t n) noexcept nogil:
    """The class of a node; empty if it has none."""
    return value_in(tree, n, ATTR_CLASS)


cdef inline const Attribute* find_named(const Tree* tree, uint32_t n, const char* name) noexcept nogil:
    """A node's attribute, found by its lower-case name, which need not have a number (tags.pxd); NULL if there is none.
    """
    cdef const Attribute* attribute = tree.attributes + tree.nodes[n].attributes
    cdef uint32_t i
    for i in range(tree.nodes[n].n_attributes if tree.nodes[n].kind == KIND_ELEMENT else 0):
        if attribute[i].name_length == strlen(name) and is_word(name_of(tree, attribute + i), name):
            return attribute + i
    return NULL


cdef inline Slice attribute_of(const Tree* tree, uint32_t n, const char* name) noexcept nogil:
    """The value of a node's attribute, found by its lower-case name; empty if there is none."""
    return value_of(tree, find_named(tree, n, name))
