# SPDX-License-Identifier: Apache-2.0
"""Finds labels and buttons in and around a listing, reads its language from them, and removes them."""

from thresher.native.constructs.class_words cimport *
from thresher.native.parsing.tag_table cimport fill_tags


cdef enum:
    MAX_LABEL = 40         # nodes of a label or toolbar
    MAX_WRAPPERS = 4        # ancestors of a listing whose children are inspected
    MAX_BESIDE = 8          # children of such an ancestor on each side of the listing
    MAX_CLASS = 256         # bytes of a class that are searched for short words
    MAX_TITLE = 80          # bytes of text beside a listing that do not end the search


cdef uint8_t[TAG_COUNT] MAY_LABEL
fill_tags(MAY_LABEL, {1: "div span button small figcaption header i em b strong a code"})


cdef enum Label:
    LABEL_NOT = 0           # other text
    LABEL_EMPTY = 1         # no text
    LABEL_LANGUAGE = 2
    LABEL_BUTTON = 3        # text of buttons, perhaps beside the name of a language


cdef Label label_of(const Rewriting* page, uint32_t n, uint32_t* length) noexcept nogil:
    """The kind of label that an element's text is. Adds the bytes of text that is no label to `length`."""
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t i = n, end = nodes[n].end
    cdef Slice text
    cdef Label found = LABEL_EMPTY
    cdef uint32_t in_button = 0
    if end - n > MAX_LABEL:
        length[0] += MAX_TITLE
        return LABEL_NOT
    while i < end:
        if nodes[i].kind == KIND_ELEMENT:
            if nodes[i].namespace != NS_HTML or nodes[i].tag in (TAG_SCRIPT, TAG_STYLE, TAG_SELECT, TAG_TEMPLATE):
                i = nodes[i].end
                continue
            if nodes[i].tag == TAG_BUTTON or has_role_button(page, i):
                in_button = nodes[i].end
                found = LABEL_BUTTON
            i += 1
            continue
        text = without_space(text_of(page.tree, i)) if nodes[i].kind == KIND_TEXT else no_text()
        if text.length:
            if i < in_button or is_button_label(text):
                found = LABEL_BUTTON
            elif is_language_name(text):
                found = max(found, LABEL_LANGUAGE)
            else:
                length[0] += text.length
                return LABEL_NOT
        i = nodes[i].end
    return found


cdef bint has_role_button(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element with role="button"."""
    return is_word(value_in(page.tree, n, ATTR_ROLE), b"button")


cdef bint has_token_class(const Rewriting* page, uint32_t n) noexcept nogil:
    """True if a word of an element's class is one that a highlighter gives to a word of code: nb of Pygments,
    hljs-built_in, token, pl-en. One of two letters always is.
    """
    cdef Slice value = first_bytes(class_of(page.tree, n), MAX_CLASS), word
    while next_word(&value, &word):
        if word.length <= 2:
            return True
    return class_says(page.tree, n, SAYS_TOKEN)


cdef bint holds_token(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element that is or holds a highlighted word of code: by its class, or, as Shiki writes them, a span
    with a style and nothing else.
    """
    cdef const Node* node
    cdef uint32_t i
    for i in range(n, page.tree.nodes[n].end):
        node = page.tree.nodes + i
        if node.kind != KIND_ELEMENT or node.n_attributes == 0:
            continue
        if has_token_class(page, i):
            return True
        if node.tag == TAG_SPAN and node.n_attributes == 1 and find_attribute(page.tree, i, ATTR_STYLE) != NULL:
            return True
    return False


cdef bint is_label(const Rewriting* page, uint32_t n) noexcept nogil:
    """True for an element inside a listing that is not code: a button, an element that holds only buttons and labels,
    or one whose class is that of a label and whose text names a language. A highlighted word of code is none.
    """
    cdef const Node* node = page.tree.nodes + n
    cdef uint32_t length = 0
    cdef Label label
    if node.namespace != NS_HTML or node.tag >= TAG_COUNT:
        return False
    if node.tag == TAG_BUTTON:
        return True
    if not MAY_LABEL[node.tag] or (node.n_attributes == 0 and node.tag != TAG_DIV):
        return False
    if has_role_button(page, n):
        return True
    label = label_of(page, n, &length)
    # `copy` in df.copy() and `run` in docker run are on buttons, too
    if label == LABEL_BUTTON and holds_token(page, n):
        return False
    return label == LABEL_BUTTON or (label == LABEL_LANGUAGE and class_says(page.tree, n, SAYS_LABEL))


cdef Slice language_in_label(const Rewriting* page, uint32_t n) noexcept nogil:
    """The language that a label names; empty if it names none or has more than one word."""
    cdef uint32_t i
    cdef Slice text
    for i in range(n + 1, page.tree.nodes[n].end):
        if page.tree.nodes[i].kind == KIND_TEXT:
            text = without_space(text_of(page.tree, i))
            if first_word(text).length == text.length and is_language_name(text):
                return text
    return no_text()


cdef bint is_wrapper(const Node* node) noexcept nogil:
    return node.kind == KIND_ELEMENT and node.namespace == NS_HTML and (
        node.tag in (TAG_DIV, TAG_FIGURE, TAG_SPAN, TAG_SECTION, TAG_CODE) or node.tag >= TAG_COUNT
    )


cdef bint look_beside(Rewriting* page, uint32_t wrapper, uint32_t child, bint change) noexcept nogil:
    """Inspect the children of a wrapper that stand beside the one with the listing. With `change`, remove the labels
    among them. False if other text stands there.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t n = wrapper + 1, looked = 0, length = 0
    cdef Label label
    while n < nodes[wrapper].end:
        if not charge(page, 1) or nodes[n].kind == KIND_TEXT and n != child and not is_blank(text_of(page.tree, n)):
            return False
        if n == child or nodes[n].kind != KIND_ELEMENT:
            n = nodes[n].end
            continue
        label = label_of(page, n, &length)
        looked += 1
        if looked > MAX_BESIDE or length >= MAX_TITLE:
            return False
        if change and (label == LABEL_LANGUAGE or label == LABEL_BUTTON) and (
            nodes[n].tag >= TAG_COUNT or MAY_LABEL[nodes[n].tag]
        ):
            remove(page, n)
        n = nodes[n].end
    return True


cdef void remove_labels(Rewriting* page, uint32_t listing) noexcept nogil:
    """Remove the labels beside a listing. Moves outwards as long as its wrappers hold nothing else but a short title.
    """
    cdef const Node* nodes = page.tree.nodes
    cdef uint32_t child = listing, wrapper
    cdef int step
    for step in range(MAX_WRAPPERS):
        wrapper = nodes[child].parent
        if wrapper == 0 or not is_wrapper(nodes + wrapper) or not look_beside(page, wrapper, child, False):
            return
        look_beside(page, wrapper, child, True)
        child = wrapper
