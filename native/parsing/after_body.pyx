# SPDX-License-Identifier: Apache-2.0
"""The insertion modes after the body, and in and after framesets."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.arena cimport bytes_at
from thresher.native.parsing.construction cimport *
from thresher.native.parsing.insertion cimport *
from thresher.native.parsing.open_elements cimport current_node, pop_element
from thresher.native.base.scan cimport skip_space
from thresher.native.parsing.tags cimport TAG_FRAME, TAG_FRAMESET, TAG_HTML, TAG_NOFRAMES
from thresher.native.parsing.tokenizer cimport *


cdef bint after_body(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_TEXT:
        if leading_space(b) == token.length:
            return process_by(b, IN_BODY)
    elif token.kind == TOKEN_COMMENT:
        insert_comment(b, last_in(b.stack[0].node))
        return False
    elif token.kind == TOKEN_DOCTYPE or token.kind == TOKEN_EOF:
        return False
    elif token.kind == TOKEN_START_TAG:
        if token.tag == TAG_HTML:
            return process_by(b, IN_BODY)
    elif token.kind == TOKEN_END_TAG:
        if token.tag == TAG_HTML:
            b.mode = AFTER_AFTER_BODY
            return False
    b.mode = IN_BODY
    return True


cdef void insert_only_space(TreeBuilder* b) noexcept nogil:
    """Insert the white space of a text token and ignore the rest."""
    cdef Token* token = &b.tokenizer.token
    cdef const uint8_t* p
    cdef const uint8_t* q
    cdef const uint8_t* end
    while insert_leading_space(b):
        p = q = bytes_at(b.arena, token.start, token.length)
        end = p + token.length
        while q < end and skip_space(q, q + 1) == q:
            q += 1
        token.start += <uint32_t>(q - p)
        token.length -= <uint32_t>(q - p)
        if token.length == 0:
            return


cdef bint in_frameset(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_TEXT:
        insert_only_space(b)
    elif token.kind == TOKEN_COMMENT:
        insert_comment(b, insertion_place(b))
    elif token.kind == TOKEN_START_TAG:
        if tag == TAG_HTML:
            return process_by(b, IN_BODY)
        if tag == TAG_FRAMESET:
            insert_html(b)
        elif tag == TAG_FRAME:
            insert_void(b)
        elif tag == TAG_NOFRAMES:
            return process_by(b, IN_HEAD)
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_FRAMESET and b.depth > 1:
            pop_element(b)
            if current_node(b).tag != TAG_FRAMESET:
                b.mode = AFTER_FRAMESET
    return False


cdef bint after_frameset(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_TEXT:
        insert_only_space(b)
    elif token.kind == TOKEN_COMMENT:
        insert_comment(b, insertion_place(b))
    elif token.kind == TOKEN_START_TAG:
        if token.tag == TAG_HTML:
            return process_by(b, IN_BODY)
        if token.tag == TAG_NOFRAMES:
            return process_by(b, IN_HEAD)
    elif token.kind == TOKEN_END_TAG:
        if token.tag == TAG_HTML:
            b.mode = AFTER_AFTER_FRAMESET
    return False


cdef bint after_after_body(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_COMMENT:
        insert_comment(b, last_in(0))
        return False
    if token.kind == TOKEN_DOCTYPE:
        return process_by(b, IN_BODY)
    if token.kind == TOKEN_TEXT:
        if leading_space(b) == token.length:
            return process_by(b, IN_BODY)
    elif token.kind == TOKEN_EOF:
        return False
    elif token.kind == TOKEN_START_TAG and token.tag == TAG_HTML:
        return process_by(b, IN_BODY)
    b.mode = IN_BODY
    return True


cdef bint after_after_frameset(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_COMMENT:
        insert_comment(b, last_in(0))
    elif token.kind == TOKEN_TEXT:
        insert_only_space(b)
    elif token.kind == TOKEN_START_TAG:
        if token.tag == TAG_HTML:
            return process_by(b, IN_BODY)
        if token.tag == TAG_NOFRAMES:
            return process_by(b, IN_HEAD)
    return False
