# SPDX-License-Identifier: Apache-2.0
"""The rules for foreign content: SVG and MathML (HTML standard, 13.2.6.5)."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.arena cimport bytes_at
from thresher.native.parsing.construction cimport FOREIGN, OpenElement, TreeBuilder, process_by
from thresher.native.parsing.insertion cimport *
from thresher.native.parsing.open_elements cimport current_node, flags_of, pop_element, pop_to_depth, search_end
from thresher.native.base.scan cimport skip_space
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tokenizer cimport *
from thresher.native.parsing.tree cimport NS_MATHML


cdef bint is_for_foreign(TreeBuilder* b) noexcept nogil:
    """Tree construction dispatcher: true if the rules for foreign content apply. The current node is foreign."""
    cdef Token* token = &b.tokenizer.token
    cdef OpenElement* element = current_node(b)
    if token.kind == TOKEN_EOF:
        return False
    if token.kind == TOKEN_START_TAG:
        if element.flags & FLAG_HTML_INTEGRATION:
            return False
        if element.flags & FLAG_MATHML_TEXT:
            return token.tag == TAG_MGLYPH or token.tag == TAG_MALIGNMARK
        if token.tag == TAG_SVG and b.arena.nodes[element.node].tag == TAG_ANNOTATION_XML:
            return b.arena.nodes[element.node].namespace != NS_MATHML
        return True
    if token.kind == TOKEN_TEXT or token.kind == TOKEN_NULL:
        return not element.flags & (FLAG_HTML_INTEGRATION | FLAG_MATHML_TEXT)
    return True


cdef bint break_out(TreeBuilder* b) noexcept nogil:
    """An HTML tag in foreign content: leave the content, and process the token in the insertion mode."""
    while b.depth > 1 and current_node(b).flags & FLAG_FOREIGN:
        if current_node(b).flags & (FLAG_HTML_INTEGRATION | FLAG_MATHML_TEXT):
            break
        pop_element(b)
    return process_by(b, b.mode)


cdef bint end_tag_in_foreign(TreeBuilder* b) noexcept nogil:
    """"Any other end tag" in foreign content."""
    cdef uint32_t tag = <uint32_t>FOREIGN | b.tokenizer.token.tag
    cdef uint32_t i = b.depth
    cdef uint32_t lowest = search_end(b)
    while i > lowest:
        i -= 1
        if i == 0:
            return False
        if not b.stack[i].flags & FLAG_FOREIGN:
            return process_by(b, b.mode)
        if b.stack[i].tag == tag:
            pop_to_depth(b, i)
            return False
    return False


cdef bint in_foreign_content(TreeBuilder* b) noexcept nogil:
    cdef Token* token = &b.tokenizer.token
    cdef uint32_t tag = token.tag
    cdef const uint8_t* p
    if token.kind == TOKEN_TEXT:
        insert_text(b, token.start, token.length)
        if b.frameset_ok:
            p = bytes_at(b.arena, token.start, token.length)
            if skip_space(p, p + token.length) != p + token.length:
                b.frameset_ok = False
        return False
    if token.kind == TOKEN_NULL:
        insert_replacements(b, token.length)
        return False
    if token.kind == TOKEN_COMMENT:
        insert_comment(b, insertion_place(b))
        return False
    if token.kind == TOKEN_START_TAG:
        if flags_of(b, tag) & FLAG_BREAKOUT or (
            tag == TAG_FONT
            and (has_attribute(b, ATTR_COLOR) or has_attribute(b, ATTR_FACE) or has_attribute(b, ATTR_SIZE))
        ):
            return break_out(b)
        insert_foreign(b, b.arena.nodes[current_node(b).node].namespace)
        return False
    if token.kind == TOKEN_END_TAG:
        if tag == TAG_BR or tag == TAG_P:
            return break_out(b)
        return end_tag_in_foreign(b)
    return False
