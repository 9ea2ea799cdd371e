# SPDX-License-Identifier: Apache-2.0
"""The insertion modes "in body" and "text"."""

from thresher.native.parsing.construction cimport *
from thresher.native.parsing.formatting cimport *
from thresher.native.parsing.insertion cimport *
from thresher.native.parsing.open_elements cimport *
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tokenizer cimport *
from thresher.native.parsing.tree cimport NS_MATHML, NS_SVG


cdef void any_other_end_tag(TreeBuilder* b) noexcept nogil:
    """"Any other end tag" in body."""
    cdef uint32_t tag = b.tokenizer.token.tag
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = search_end(b)
    if tag < TAG_COUNT and b.open_count[tag] == 0:
        return
    while i > lowest:
        i -= 1
        if b.stack[i].tag == tag:
            pop_to_depth(b, i)       # implied end tags are generated on the way
            return
        if b.stack[i].flags & FLAG_SPECIAL:
            return


cdef void start_list_item(TreeBuilder* b) noexcept nogil:
    """A start tag li, dd or dt: it closes the previous item."""
    cdef uint32_t tag = b.tokenizer.token.tag
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = search_end(b)
    cdef uint32_t open_tag
    b.frameset_ok = False
    while i > lowest:
        i -= 1
        open_tag = b.stack[i].tag
        if open_tag == tag or (tag != TAG_LI and (open_tag == TAG_DD or open_tag == TAG_DT)):
            generate_implied_end_tags(b, open_tag)
            pop_until(b, open_tag)
            break
        if b.stack[i].flags & FLAG_SPECIAL and open_tag not in (TAG_ADDRESS, TAG_DIV, TAG_P):
            break
    close_p(b)
    insert_html(b)


cdef bint frameset_in_body(TreeBuilder* b) noexcept nogil:
    """A start tag frameset in body: it replaces the body, unless the body already holds something that forbids it."""
    if b.depth < 2 or b.stack[1].tag != TAG_BODY or not b.frameset_ok:
        return False
    if leave_order(b, b.arena.n_nodes) < 0:
        return False
    unlink_node(b.arena, b.stack[1].node)
    pop_to_depth(b, 1)
    insert_html(b)
    b.mode = IN_FRAMESET
    return False


cdef bint in_body_start_tag(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    cdef uint32_t i
    if tag in (
        TAG_ADDRESS, TAG_ARTICLE, TAG_ASIDE, TAG_BLOCKQUOTE, TAG_CENTER, TAG_DETAILS, TAG_DIALOG, TAG_DIR, TAG_DIV,
        TAG_DL, TAG_FIELDSET, TAG_FIGCAPTION, TAG_FIGURE, TAG_FOOTER, TAG_HEADER, TAG_HGROUP, TAG_MAIN, TAG_MENU,
        TAG_NAV, TAG_OL, TAG_P, TAG_SEARCH, TAG_SECTION, TAG_SUMMARY, TAG_UL,
    ):
        close_p(b)
        insert_html(b)
    elif tag == TAG_A:
        i = b.n_formatting
        while i > 0 and b.formatting[i - 1].node != 0:
            i -= 1
            if b.formatting[i].tag == TAG_A:
                close_open_a(b, b.formatting[i].node)
                break
        reconstruct_formatting(b)
        insert_html(b)
        push_formatting(b)
    elif tag in (
        TAG_B, TAG_BIG, TAG_CODE, TAG_EM, TAG_FONT, TAG_I, TAG_S, TAG_SMALL, TAG_STRIKE, TAG_STRONG, TAG_TT, TAG_U,
    ):
        reconstruct_formatting(b)
        insert_html(b)
        push_formatting(b)
    elif tag == TAG_LI or tag == TAG_DD or tag == TAG_DT:
        start_list_item(b)
    elif tag in (TAG_AREA, TAG_BR, TAG_EMBED, TAG_IMG, TAG_KEYGEN, TAG_WBR):
        reconstruct_formatting(b)
        insert_void(b)
        b.frameset_ok = False
    elif tag in (
        TAG_BASE, TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META, TAG_NOFRAMES, TAG_SCRIPT, TAG_STYLE, TAG_TEMPLATE,
        TAG_TITLE,
    ):
        return process_by(b, IN_HEAD)
    elif tag in (TAG_H1, TAG_H2, TAG_H3, TAG_H4, TAG_H5, TAG_H6):
        close_p(b)
        if current_node(b).flags & FLAG_HEADING:
            pop_element(b)
        insert_html(b)
    elif tag == TAG_INPUT:
        if in_scope(b, TAG_SELECT):
            pop_until(b, TAG_SELECT)
        reconstruct_formatting(b)
        insert_void(b)
        if not attribute_is(b, ATTR_TYPE, b"hidden", 6):
            b.frameset_ok = False
    elif tag == TAG_OPTION:
        if in_scope(b, TAG_SELECT):
            generate_implied_end_tags(b, TAG_OPTGROUP)
        elif current_node(b).tag == TAG_OPTION:
            pop_element(b)
        reconstruct_formatting(b)
        insert_html(b)
    elif tag == TAG_OPTGROUP:
        if in_scope(b, TAG_SELECT):
            generate_implied_end_tags(b, TAG_UNKNOWN)
        elif current_node(b).tag == TAG_OPTION:
            pop_element(b)
        reconstruct_formatting(b)
        insert_html(b)
    elif tag == TAG_SELECT:
        b.frameset_ok = False
        if in_scope(b, TAG_SELECT):
            pop_until(b, TAG_SELECT)
            return False
        reconstruct_formatting(b)
        insert_html(b)
    elif tag == TAG_TABLE:
        if not b.quirks:
            close_p(b)
        insert_html(b)
        b.frameset_ok = False
        b.mode = IN_TABLE
    elif tag == TAG_HR:
        close_p(b)
        if in_scope(b, TAG_SELECT):
            generate_implied_end_tags(b, TAG_UNKNOWN)
        insert_void(b)
        b.frameset_ok = False
    elif tag == TAG_BUTTON:
        if in_scope(b, TAG_BUTTON):
            generate_implied_end_tags(b, TAG_UNKNOWN)
            pop_until(b, TAG_BUTTON)
        reconstruct_formatting(b)
        insert_html(b)
        b.frameset_ok = False
    elif tag == TAG_FORM:
        if b.form != 0 and b.open_count[<uint32_t>TAG_TEMPLATE] == 0:
            return False
        close_p(b)
        i = insert_html(b)
        if b.open_count[<uint32_t>TAG_TEMPLATE] == 0:
            b.form = i
    elif tag == TAG_PRE or tag == TAG_LISTING:
        close_p(b)
        insert_html(b)
        b.skip_newline = True
        b.frameset_ok = False
    elif tag == TAG_NOBR:
        reconstruct_formatting(b)
        if in_scope(b, TAG_NOBR):
            if adoption_agency(b, TAG_NOBR):
                any_other_end_tag(b)
            reconstruct_formatting(b)
        insert_html(b)
        push_formatting(b)
    elif tag == TAG_APPLET or tag == TAG_MARQUEE or tag == TAG_OBJECT:
        reconstruct_formatting(b)
        insert_html(b)
        insert_marker(b)
        b.frameset_ok = False
    elif tag == TAG_PARAM or tag == TAG_SOURCE or tag == TAG_TRACK:
        insert_void(b)
    elif tag == TAG_IMAGE:
        token.tag = TAG_IMG
        return True
    elif tag == TAG_TEXTAREA:
        insert_text_element(b, RCDATA_STATE)
        b.skip_newline = True
        b.frameset_ok = False
    elif tag == TAG_XMP:
        close_p(b)
        reconstruct_formatting(b)
        b.frameset_ok = False
        insert_text_element(b, RAWTEXT_STATE)
    elif tag == TAG_IFRAME:
        b.frameset_ok = False
        insert_text_element(b, RAWTEXT_STATE)
    elif tag == TAG_NOEMBED:
        insert_text_element(b, RAWTEXT_STATE)
    elif tag == TAG_PLAINTEXT:
        close_p(b)
        insert_html(b)
        b.tokenizer.state = PLAINTEXT_STATE
    elif tag == TAG_RB or tag == TAG_RTC:
        if in_scope(b, TAG_RUBY):
            generate_implied_end_tags(b, TAG_UNKNOWN)
        insert_html(b)
    elif tag == TAG_RP or tag == TAG_RT:
        if in_scope(b, TAG_RUBY):
            generate_implied_end_tags(b, TAG_RTC)
        insert_html(b)
    elif tag == TAG_MATH:
        reconstruct_formatting(b)
        insert_foreign(b, NS_MATHML)
    elif tag == TAG_SVG:
        reconstruct_formatting(b)
        insert_foreign(b, NS_SVG)
    elif tag == TAG_HTML:
        if b.open_count[<uint32_t>TAG_TEMPLATE] == 0:
            merge_attributes(b, b.stack[0].node)
    elif tag == TAG_BODY:
        if b.depth > 1 and b.stack[1].tag == TAG_BODY and b.open_count[<uint32_t>TAG_TEMPLATE] == 0:
            b.frameset_ok = False
            merge_attributes(b, b.stack[1].node)
    elif tag == TAG_SELECTEDCONTENT:
        b.has_selectedcontent = True
        reconstruct_formatting(b)
        insert_html(b)
    elif tag == TAG_FRAMESET:
        return frameset_in_body(b)
    elif tag in (
        TAG_CAPTION, TAG_COL, TAG_COLGROUP, TAG_FRAME, TAG_HEAD, TAG_TBODY, TAG_TD, TAG_TFOOT, TAG_TH, TAG_THEAD,
        TAG_TR,
    ):
        return False
    else:
        reconstruct_formatting(b)
        insert_html(b)
    return False


cdef void close_open_a(TreeBuilder* b, uint32_t node) noexcept nogil:
    """A start tag a while an a is active: close that one, wherever it is."""
    cdef uint32_t i
    adoption_agency(b, TAG_A)
    i = find_formatting(b, node)
    if i != MAX_FORMATTING:
        if is_open(b, &b.formatting[i]):
            remove_from_stack(b, b.formatting[i].depth)
        remove_formatting(b, i)


cdef void end_form(TreeBuilder* b) noexcept nogil:
    """An end tag form."""
    cdef uint32_t node = b.form
    cdef uint32_t i
    if b.open_count[<uint32_t>TAG_TEMPLATE] != 0:
        if in_scope(b, TAG_FORM):
            generate_implied_end_tags(b, TAG_UNKNOWN)
            pop_until(b, TAG_FORM)
        return
    b.form = 0
    if node == 0 or depth_in_scope(b, node) == 0:
        return
    generate_implied_end_tags(b, TAG_UNKNOWN)
    i = depth_in_scope(b, node)
    if i != 0:
        remove_from_stack(b, i)


cdef bint in_body_end_tag(TreeBuilder* b) noexcept nogil:
    cdef uint32_t tag = b.tokenizer.token.tag
    if tag in (
        TAG_ADDRESS, TAG_ARTICLE, TAG_ASIDE, TAG_BLOCKQUOTE, TAG_BUTTON, TAG_CENTER, TAG_DETAILS, TAG_DIALOG, TAG_DIR,
        TAG_DIV, TAG_DL, TAG_FIELDSET, TAG_FIGCAPTION, TAG_FIGURE, TAG_FOOTER, TAG_HEADER, TAG_HGROUP, TAG_LISTING,
        TAG_MAIN, TAG_MENU, TAG_NAV, TAG_OL, TAG_PRE, TAG_SEARCH, TAG_SECTION, TAG_SELECT, TAG_SUMMARY, TAG_UL,
    ):
        if current_node(b).tag == tag:
            pop_element(b)
        elif in_scope(b, tag):
            generate_implied_end_tags(b, TAG_UNKNOWN)
            pop_until(b, tag)
    elif tag in (
        TAG_A, TAG_B, TAG_BIG, TAG_CODE, TAG_EM, TAG_FONT, TAG_I, TAG_NOBR, TAG_S, TAG_SMALL, TAG_STRIKE, TAG_STRONG,
        TAG_TT, TAG_U,
    ):
        if adoption_agency(b, tag):
            any_other_end_tag(b)
    elif tag == TAG_P:
        if not in_button_scope(b, TAG_P):
            insert_named(b, TAG_P)
        close_p(b)
    elif tag == TAG_LI:
        if in_list_item_scope(b, TAG_LI):
            generate_implied_end_tags(b, TAG_LI)
            pop_until(b, TAG_LI)
    elif tag == TAG_DD or tag == TAG_DT:
        if in_scope(b, tag):
            generate_implied_end_tags(b, tag)
            pop_until(b, tag)
    elif tag in (TAG_H1, TAG_H2, TAG_H3, TAG_H4, TAG_H5, TAG_H6):
        if flag_in_scope(b, FLAG_HEADING, FLAG_SCOPE):
            generate_implied_end_tags(b, TAG_UNKNOWN)
            pop_until_flag(b, FLAG_HEADING)
    elif tag == TAG_FORM:
        end_form(b)
    elif tag == TAG_BODY or tag == TAG_HTML:
        if in_scope(b, TAG_BODY):
            b.mode = AFTER_BODY
            return tag == TAG_HTML
    elif tag == TAG_APPLET or tag == TAG_MARQUEE or tag == TAG_OBJECT:
        if in_scope(b, tag):
            generate_implied_end_tags(b, TAG_UNKNOWN)
            pop_until(b, tag)
            clear_to_marker(b)
    elif tag == TAG_BR:
        reconstruct_formatting(b)
        insert_named(b, TAG_BR)
        pop_element(b)
        b.frameset_ok = False
    elif tag == TAG_TEMPLATE:
        return process_by(b, IN_HEAD)
    else:
        any_other_end_tag(b)
    return False


cdef bint in_body(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_TEXT:
        in_body_text(b, token.start, token.length)
    elif token.kind == TOKEN_START_TAG:
        return in_body_start_tag(b)
    elif token.kind == TOKEN_END_TAG:
        return in_body_end_tag(b)
    elif token.kind == TOKEN_COMMENT:
        insert_comment(b, insertion_place(b))
    elif token.kind == TOKEN_EOF and b.n_templates != 0:
        return process_by(b, IN_TEMPLATE)
    return False        # NUL and doctypes are ignored


cdef bint text_mode(TreeBuilder* b) noexcept nogil:
    """The "text" insertion mode: in title, textarea, script, style and similar."""
    cdef Token* token = &b.tokenizer.token
    if token.kind == TOKEN_TEXT:
        insert_text(b, token.start, token.length)
        return False
    pop_element(b)
    b.mode = b.original_mode
    return token.kind == TOKEN_EOF
