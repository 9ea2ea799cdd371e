# SPDX-License-Identifier: Apache-2.0
"""The insertion modes before the body: initial, before html, before head, in head, in head noscript, after head."""

from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memset

from thresher.native.parsing.arena cimport Arena, next_attribute, reserve_attributes
from thresher.native.parsing.construction cimport *
from thresher.native.parsing.doctype cimport doctype_is_quirky
from thresher.native.parsing.in_template cimport close_template, start_template
from thresher.native.parsing.insertion cimport *
from thresher.native.parsing.open_elements cimport current_node, flags_of, pop_element, push_element, remove_from_stack
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tokenizer cimport *
from thresher.native.parsing.tree cimport KIND_DOCTYPE, KIND_ELEMENT, Attribute


cdef bint initial(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t n
    if token.kind == TOKEN_TEXT:
        if not drop_leading_space(b):
            return False
    elif token.kind == TOKEN_COMMENT:
        insert_comment(b, last_in(0))
        return False
    elif token.kind == TOKEN_DOCTYPE:
        n = new_node(b, KIND_DOCTYPE)
        b.arena.nodes[n].start = token.start
        b.arena.nodes[n].length = token.length
        if token.n_attributes == 1:
            complete_identifiers(b)
        b.arena.nodes[n].attributes = token.attributes
        b.arena.nodes[n].n_attributes = <uint16_t>token.n_attributes
        attach_node(b, n, last_in(0))
        b.quirks = doctype_is_quirky(b)
        b.mode = BEFORE_HTML
        return False
    if token.kind != TOKEN_DOCTYPE:
        b.quirks = True
    b.mode = BEFORE_HTML
    return True


cdef void complete_identifiers(TreeBuilder* b) noexcept nogil:
    """Add the missing identifier, empty, to a doctype that has only one."""
    cdef Arena* arena = b.arena
    cdef Token* token = &b.tokenizer.token
    cdef Attribute empty
    if reserve_attributes(arena, 1) < 0:
        return
    memset(&empty, 0, sizeof(Attribute))
    if token.has_system:
        next_attribute(arena)[0] = arena.attributes[token.attributes]
        arena.attributes[token.attributes] = empty
        token.has_public = True
    else:
        next_attribute(arena)[0] = empty
    arena.n_attributes += 1
    token.n_attributes = 2


cdef void create_html(TreeBuilder* b, bint from_token) noexcept nogil:
    """Create the html element, for the current token or without attributes."""
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t n = new_node(b, KIND_ELEMENT)
    b.arena.nodes[n].tag = TAG_HTML
    if from_token:
        b.arena.nodes[n].attributes = token.attributes
        b.arena.nodes[n].n_attributes = <uint16_t>token.n_attributes
    attach_node(b, n, last_in(0))
    push_element(b, n, TAG_HTML, flags_of(b, TAG_HTML))


cdef bint before_html(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_DOCTYPE:
        return False
    if token.kind == TOKEN_COMMENT:
        insert_comment(b, last_in(0))
        return False
    if token.kind == TOKEN_TEXT:
        if not drop_leading_space(b):
            return False
    elif token.kind == TOKEN_START_TAG:
        if token.tag == TAG_HTML:
            create_html(b, True)
            b.mode = BEFORE_HEAD
            return False
    elif token.kind == TOKEN_END_TAG:
        if token.tag not in (TAG_HEAD, TAG_BODY, TAG_HTML, TAG_BR):
            return False
    create_html(b, False)
    b.mode = BEFORE_HEAD
    return True


cdef bint before_head(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_TEXT:
        if not drop_leading_space(b):
            return False
    elif token.kind == TOKEN_COMMENT:
        insert_comment(b, insertion_place(b))
        return False
    elif token.kind == TOKEN_DOCTYPE:
        return False
    elif token.kind == TOKEN_START_TAG:
        if token.tag == TAG_HTML:
            return process_by(b, IN_BODY)
        if token.tag == TAG_HEAD:
            b.head = insert_html(b)
            b.mode = IN_HEAD
            return False
    elif token.kind == TOKEN_END_TAG:
        if token.tag not in (TAG_HEAD, TAG_BODY, TAG_HTML, TAG_BR):
            return False
    b.head = insert_named(b, TAG_HEAD)
    b.mode = IN_HEAD
    return True


cdef bint in_head(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_TEXT:
        if not insert_leading_space(b):
            return False
    elif token.kind == TOKEN_COMMENT:
        insert_comment(b, insertion_place(b))
        return False
    elif token.kind == TOKEN_DOCTYPE:
        return False
    elif token.kind == TOKEN_START_TAG:
        if tag == TAG_HTML:
            return process_by(b, IN_BODY)
        if tag in (TAG_BASE, TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META):
            insert_void(b)
            return False
        if tag == TAG_TITLE:
            insert_text_element(b, RCDATA_STATE)
            return False
        if tag == TAG_NOFRAMES or tag == TAG_STYLE:
            insert_text_element(b, RAWTEXT_STATE)
            return False
        if tag == TAG_NOSCRIPT:
            insert_html(b)
            b.mode = IN_HEAD_NOSCRIPT
            return False
        if tag == TAG_SCRIPT:
            insert_text_element(b, SCRIPT_DATA_STATE)
            return False
        if tag == TAG_TEMPLATE:
            start_template(b)
            return False
        if tag == TAG_HEAD:
            return False
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_HEAD:
            pop_element(b)
            b.mode = AFTER_HEAD
            return False
        if tag == TAG_TEMPLATE:
            if b.open_count[<uint32_t>TAG_TEMPLATE] != 0:
                while current_node(b).flags & FLAG_THOROUGH_END:
                    pop_element(b)
                close_template(b)
            return False
        if tag not in (TAG_BODY, TAG_HTML, TAG_BR):
            return False
    pop_element(b)
    b.mode = AFTER_HEAD
    return True


cdef bint in_head_noscript(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_DOCTYPE:
        return False
    if token.kind == TOKEN_TEXT:
        if not insert_leading_space(b):
            return False
    elif token.kind == TOKEN_COMMENT:
        return in_head(b)
    elif token.kind == TOKEN_START_TAG:
        if tag == TAG_HTML:
            return process_by(b, IN_BODY)
        if tag in (TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META, TAG_NOFRAMES, TAG_STYLE):
            return in_head(b)
        if tag == TAG_HEAD or tag == TAG_NOSCRIPT:
            return False
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_NOSCRIPT:
            pop_element(b)
            b.mode = IN_HEAD
            return False
        if tag != TAG_BR:
            return False
    pop_element(b)
    b.mode = IN_HEAD
    return True


cdef bint after_head(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    cdef uint32_t i
    if token.kind == TOKEN_TEXT:
        if not insert_leading_space(b):
            return False
    elif token.kind == TOKEN_COMMENT:
        insert_comment(b, insertion_place(b))
        return False
    elif token.kind == TOKEN_DOCTYPE:
        return False
    elif token.kind == TOKEN_START_TAG:
        if tag == TAG_HTML:
            return process_by(b, IN_BODY)
        if tag == TAG_BODY:
            insert_html(b)
            b.frameset_ok = False
            b.mode = IN_BODY
            return False
        if tag == TAG_FRAMESET:
            insert_html(b)
            b.mode = IN_FRAMESET
            return False
        if tag in (
            TAG_BASE, TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META, TAG_NOFRAMES, TAG_SCRIPT, TAG_STYLE, TAG_TEMPLATE,
            TAG_TITLE,
        ):
            push_element(b, b.head, TAG_HEAD, flags_of(b, TAG_HEAD))
            i = b.depth - 1
            in_head(b)
            if i < b.depth and b.stack[i].node == b.head:
                remove_from_stack(b, i)
            return False
        if tag == TAG_HEAD:
            return False
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_TEMPLATE:
            return in_head(b)
        if tag not in (TAG_BODY, TAG_HTML, TAG_BR):
            return False
    insert_named(b, TAG_BODY)
    b.mode = IN_BODY
    return True
