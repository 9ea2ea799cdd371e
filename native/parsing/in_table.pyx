# SPDX-License-Identifier: Apache-2.0
"""The insertion modes of tables: in table, in table text, in caption, in column group, in table body, in row, in cell.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.parsing.arena cimport Arena, bytes_at
from thresher.native.parsing.construction cimport *
from thresher.native.parsing.formatting cimport clear_to_marker, insert_marker
from thresher.native.parsing.in_body cimport in_body_text
from thresher.native.parsing.in_template cimport reset_insertion_mode
from thresher.native.parsing.insertion cimport *
from thresher.native.parsing.open_elements cimport *
from thresher.native.base.scan cimport skip_space
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tokenizer cimport *


cdef inline void clear_stack_to(TreeBuilder* b, uint32_t one, uint32_t two, uint32_t three) noexcept nogil:
    """Clear the stack back to a table, table body or table row context. template and html end it as well."""
    cdef uint32_t tag
    while True:
        tag = current_node(b).tag
        if tag == one or tag == two or tag == three or tag == TAG_TEMPLATE or tag == TAG_HTML:
            return
        pop_element(b)


cdef void clear_to_table(TreeBuilder* b) noexcept nogil:
    """Clear the stack back to a table context."""
    clear_stack_to(b, TAG_TABLE, TAG_TABLE, TAG_TABLE)


cdef void clear_to_table_body(TreeBuilder* b) noexcept nogil:
    """Clear the stack back to a table body context."""
    clear_stack_to(b, TAG_TBODY, TAG_TFOOT, TAG_THEAD)


cdef void clear_to_table_row(TreeBuilder* b) noexcept nogil:
    """Clear the stack back to a table row context."""
    clear_stack_to(b, TAG_TR, TAG_TR, TAG_TR)


cdef bint by_foster_rules(TreeBuilder* b) noexcept nogil:
    """"Anything else" in table: as in body, with foster parenting."""
    cdef bint again
    b.foster_parenting = True
    again = process_by(b, IN_BODY)
    while again:        # image, which becomes img
        again = process_by(b, IN_BODY)
    b.foster_parenting = False
    return False


cdef bint in_table(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_TEXT or token.kind == TOKEN_NULL:
        if current_node(b).flags & FLAG_TABLE_PART or current_node(b).tag == TAG_TEMPLATE:
            b.pending = 0
            b.pending_not_space = False
            b.original_mode = b.mode
            b.mode = IN_TABLE_TEXT
            return True
        return by_foster_rules(b)
    if token.kind == TOKEN_COMMENT:
        insert_comment(b, insertion_place(b))
        return False
    if token.kind == TOKEN_DOCTYPE:
        return False
    if token.kind == TOKEN_EOF:
        return process_by(b, IN_BODY)
    if token.kind == TOKEN_START_TAG:
        if tag == TAG_CAPTION:
            clear_to_table(b)
            insert_marker(b)
            insert_html(b)
            b.mode = IN_CAPTION
            return False
        if tag == TAG_COLGROUP:
            clear_to_table(b)
            insert_html(b)
            b.mode = IN_COLUMN_GROUP
            return False
        if tag == TAG_COL:
            clear_to_table(b)
            insert_named(b, TAG_COLGROUP)
            b.mode = IN_COLUMN_GROUP
            return True
        if tag == TAG_TBODY or tag == TAG_TFOOT or tag == TAG_THEAD:
            clear_to_table(b)
            insert_html(b)
            b.mode = IN_TABLE_BODY
            return False
        if tag == TAG_TD or tag == TAG_TH or tag == TAG_TR:
            clear_to_table(b)
            insert_named(b, TAG_TBODY)
            b.mode = IN_TABLE_BODY
            return True
        if tag == TAG_TABLE:
            if not in_table_scope(b, TAG_TABLE):
                return False
            pop_until(b, TAG_TABLE)
            reset_insertion_mode(b)
            return True
        if tag == TAG_STYLE or tag == TAG_SCRIPT or tag == TAG_TEMPLATE:
            return process_by(b, IN_HEAD)
        if tag == TAG_INPUT and attribute_is(b, ATTR_TYPE, b"hidden", 6):
            insert_void(b)
            return False
        if tag == TAG_FORM:
            if b.open_count[<uint32_t>TAG_TEMPLATE] == 0 and b.form == 0:
                b.form = insert_html(b)
                pop_element(b)
            return False
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_TABLE:
            if in_table_scope(b, TAG_TABLE):
                pop_until(b, TAG_TABLE)
                reset_insertion_mode(b)
            return False
        if tag in (
            TAG_BODY, TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_HTML, TAG_TBODY, TAG_TD, TAG_TFOOT, TAG_TH, TAG_THEAD,
            TAG_TR,
        ):
            return False
        if tag == TAG_TEMPLATE:
            return process_by(b, IN_HEAD)
    return by_foster_rules(b)


cdef bint in_table_text(TreeBuilder* b) noexcept nogil:
    cdef Arena* arena = b.arena
    cdef Token* token = &b.tokenizer.token
    cdef const uint8_t* p
    cdef uint32_t i, first
    if token.kind == TOKEN_NULL:
        return False
    if token.kind == TOKEN_TEXT:
        if new_piece(arena, token.start, token.length, 0) < 0:
            return False
        i = arena.n_pieces - 1
        if b.pending == 0:
            b.pending = i
        else:
            arena.pieces[b.last_pending].next = i
        b.last_pending = i
        if not b.pending_not_space:
            p = bytes_at(arena, token.start, token.length)
            b.pending_not_space = skip_space(p, p + token.length) != p + token.length
        return False
    THRESHER_CHECK(b.pending < arena.n_pieces)
    i = first = b.pending
    if b.pending_not_space:
        b.foster_parenting = True
        while i != 0:
            in_body_text(b, arena.pieces[i].start, arena.pieces[i].length)
            i = arena.pieces[i].next
        b.foster_parenting = False
    else:
        while i != 0:
            insert_text(b, arena.pieces[i].start, arena.pieces[i].length)
            i = arena.pieces[i].next
    if first != 0 and first == b.last_pending and arena.n_pieces == first + 1:
        arena.n_pieces = first      # usually the only piece, which can be reused
    b.pending = 0
    b.mode = b.original_mode
    return True


cdef bint end_caption(TreeBuilder* b) noexcept nogil:
    """Close the caption; False if none is open."""
    if not in_table_scope(b, TAG_CAPTION):
        return False
    generate_implied_end_tags(b, TAG_UNKNOWN)
    pop_until(b, TAG_CAPTION)
    clear_to_marker(b)
    b.mode = IN_TABLE
    return True


cdef bint in_caption(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_START_TAG:
        if tag in (TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_TBODY, TAG_TD, TAG_TFOOT, TAG_TH, TAG_THEAD, TAG_TR):
            return end_caption(b)
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_CAPTION:
            end_caption(b)
            return False
        if tag == TAG_TABLE:
            return end_caption(b)
        if tag in (
            TAG_BODY, TAG_COL, TAG_COLGROUP, TAG_HTML, TAG_TBODY, TAG_TD, TAG_TFOOT, TAG_TH, TAG_THEAD, TAG_TR,
        ):
            return False
    return process_by(b, IN_BODY)


cdef bint in_column_group(TreeBuilder* b) noexcept nogil:
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
    elif token.kind == TOKEN_EOF:
        return process_by(b, IN_BODY)
    elif token.kind == TOKEN_START_TAG:
        if tag == TAG_HTML:
            return process_by(b, IN_BODY)
        if tag == TAG_COL:
            insert_void(b)
            return False
        if tag == TAG_TEMPLATE:
            return process_by(b, IN_HEAD)
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_COLGROUP:
            if current_node(b).tag == TAG_COLGROUP:
                pop_element(b)
                b.mode = IN_TABLE
            return False
        if tag == TAG_COL:
            return False
        if tag == TAG_TEMPLATE:
            return process_by(b, IN_HEAD)
    if current_node(b).tag != TAG_COLGROUP:
        return False
    pop_element(b)
    b.mode = IN_TABLE
    return True


cdef bint in_table_body(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_START_TAG:
        if tag == TAG_TR:
            clear_to_table_body(b)
            insert_html(b)
            b.mode = IN_ROW
            return False
        if tag == TAG_TH or tag == TAG_TD:
            clear_to_table_body(b)
            insert_named(b, TAG_TR)
            b.mode = IN_ROW
            return True
        if tag in (TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_TBODY, TAG_TFOOT, TAG_THEAD):
            return end_table_body(b)
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_TBODY or tag == TAG_TFOOT or tag == TAG_THEAD:
            if in_table_scope(b, tag):
                clear_to_table_body(b)
                pop_element(b)
                b.mode = IN_TABLE
            return False
        if tag == TAG_TABLE:
            return end_table_body(b)
        if tag in (TAG_BODY, TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_HTML, TAG_TD, TAG_TH, TAG_TR):
            return False
    return in_table(b)


cdef bint end_table_body(TreeBuilder* b) noexcept nogil:
    """Close the table body for a token that ends it; False if none is open."""
    if not (in_table_scope(b, TAG_TBODY) or in_table_scope(b, TAG_THEAD) or in_table_scope(b, TAG_TFOOT)):
        return False
    clear_to_table_body(b)
    pop_element(b)
    b.mode = IN_TABLE
    return True


cdef bint end_row(TreeBuilder* b) noexcept nogil:
    """Close the row; False if none is open."""
    if not in_table_scope(b, TAG_TR):
        return False
    clear_to_table_row(b)
    pop_element(b)
    b.mode = IN_TABLE_BODY
    return True


cdef bint in_row(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_START_TAG:
        if tag == TAG_TH or tag == TAG_TD:
            clear_to_table_row(b)
            insert_html(b)
            b.mode = IN_CELL
            insert_marker(b)
            return False
        if tag in (TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_TBODY, TAG_TFOOT, TAG_THEAD, TAG_TR):
            return end_row(b)
    elif token.kind == TOKEN_END_TAG:
        if tag == TAG_TR:
            end_row(b)
            return False
        if tag == TAG_TABLE:
            return end_row(b)
        if tag == TAG_TBODY or tag == TAG_TFOOT or tag == TAG_THEAD:
            return in_table_scope(b, tag) and end_row(b)
        if tag in (TAG_BODY, TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_HTML, TAG_TD, TAG_TH):
            return False
    return in_table(b)


cdef void close_cell(TreeBuilder* b) noexcept nogil:
    """Close the cell."""
    cdef uint32_t tag
    generate_implied_end_tags(b, TAG_UNKNOWN)
    while b.depth > 1:
        tag = current_node(b).tag
        pop_element(b)
        if tag == TAG_TD or tag == TAG_TH:
            break
    clear_to_marker(b)
    b.mode = IN_ROW


cdef bint in_cell(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_END_TAG:
        if tag == TAG_TD or tag == TAG_TH:
            if in_table_scope(b, tag):
                generate_implied_end_tags(b, TAG_UNKNOWN)
                pop_until(b, tag)
                clear_to_marker(b)
                b.mode = IN_ROW
            return False
        if tag in (TAG_BODY, TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_HTML):
            return False
        if tag in (TAG_TABLE, TAG_TBODY, TAG_TFOOT, TAG_THEAD, TAG_TR):
            if not in_table_scope(b, tag):
                return False
            close_cell(b)
            return True
    elif token.kind == TOKEN_START_TAG:
        if tag in (TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_TBODY, TAG_TD, TAG_TFOOT, TAG_TH, TAG_THEAD, TAG_TR):
            if not (in_table_scope(b, TAG_TD) or in_table_scope(b, TAG_TH)):
                return False
            close_cell(b)
            return True
    return process_by(b, IN_BODY)
