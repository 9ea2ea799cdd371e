# SPDX-License-Identifier: Apache-2.0
"""Template elements, the insertion mode "in template", and resetting the insertion mode appropriately."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.construction cimport *
from thresher.native.parsing.formatting cimport clear_to_marker, insert_marker
from thresher.native.parsing.insertion cimport attach_node, insert_html, last_in, new_node
from thresher.native.parsing.open_elements cimport pop_until, search_end
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tokenizer cimport TOKEN_END_TAG, TOKEN_EOF, TOKEN_START_TAG, Token
from thresher.native.parsing.tree cimport KIND_CONTENT


cdef void start_template(TreeBuilder* b) noexcept nogil:
    """A start tag template."""
    cdef uint32_t n = insert_html(b)
    cdef uint32_t content = new_node(b, KIND_CONTENT)
    attach_node(b, content, last_in(n))
    insert_marker(b)
    b.has_template = True
    b.frameset_ok = False
    b.mode = IN_TEMPLATE
    if b.n_templates < MAX_TEMPLATES:
        b.template_modes[b.n_templates] = IN_TEMPLATE
    b.n_templates += 1


cdef void close_template(TreeBuilder* b) noexcept nogil:
    """Pop elements up to a template on the stack, and everything that was set aside for it."""
    pop_until(b, TAG_TEMPLATE)
    clear_to_marker(b)
    if b.n_templates > 0:
        b.n_templates -= 1
    reset_insertion_mode(b)


cdef inline uint32_t template_mode(TreeBuilder* b) noexcept nogil:
    """The current template insertion mode."""
    if b.n_templates == 0:
        return IN_BODY
    return b.template_modes[min(b.n_templates, <uint32_t>MAX_TEMPLATES) - 1]


cdef void set_template_mode(TreeBuilder* b, uint32_t mode) noexcept nogil:
    """Replace the current template insertion mode."""
    if b.n_templates != 0:
        b.template_modes[min(b.n_templates, <uint32_t>MAX_TEMPLATES) - 1] = <uint8_t>mode
    b.mode = mode


cdef void reset_insertion_mode(TreeBuilder* b) noexcept nogil:
    """Reset the insertion mode appropriately."""
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = search_end(b)
    cdef uint32_t tag
    while i > lowest:
        i -= 1
        tag = b.stack[i].tag
        if tag == TAG_TD or tag == TAG_TH:
            b.mode = IN_CELL
        elif tag == TAG_TR:
            b.mode = IN_ROW
        elif tag == TAG_TBODY or tag == TAG_THEAD or tag == TAG_TFOOT:
            b.mode = IN_TABLE_BODY
        elif tag == TAG_CAPTION:
            b.mode = IN_CAPTION
        elif tag == TAG_COLGROUP:
            b.mode = IN_COLUMN_GROUP
        elif tag == TAG_TABLE:
            b.mode = IN_TABLE
        elif tag == TAG_TEMPLATE:
            b.mode = template_mode(b)
        elif tag == TAG_HEAD:
            b.mode = IN_HEAD
        elif tag == TAG_BODY:
            b.mode = IN_BODY
        elif tag == TAG_FRAMESET:
            b.mode = IN_FRAMESET
        elif tag == TAG_HTML:
            b.mode = AFTER_HEAD if b.head != 0 else BEFORE_HEAD
        else:
            continue
        return
    b.mode = IN_BODY


cdef bint in_template(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    if token.kind == TOKEN_START_TAG:
        if tag in (
            TAG_BASE, TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META, TAG_NOFRAMES, TAG_SCRIPT, TAG_STYLE, TAG_TEMPLATE,
            TAG_TITLE,
        ):
            return process_by(b, IN_HEAD)
        if tag in (TAG_CAPTION, TAG_COLGROUP, TAG_TBODY, TAG_TFOOT, TAG_THEAD):
            set_template_mode(b, IN_TABLE)
        elif tag == TAG_COL:
            set_template_mode(b, IN_COLUMN_GROUP)
        elif tag == TAG_TR:
            set_template_mode(b, IN_TABLE_BODY)
        elif tag == TAG_TD or tag == TAG_TH:
            set_template_mode(b, IN_ROW)
        else:
            set_template_mode(b, IN_BODY)
        return True
    if token.kind == TOKEN_END_TAG:
        return process_by(b, IN_HEAD) if tag == TAG_TEMPLATE else False
    if token.kind == TOKEN_EOF:
        if b.open_count[<uint32_t>TAG_TEMPLATE] == 0:
            return False
        close_template(b)
        return True
    return process_by(b, IN_BODY)
