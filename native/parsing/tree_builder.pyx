# SPDX-License-Identifier: Apache-2.0
"""The loop of the tree construction stage (HTML standard, 13.2.6), with scripting off and no fragments."""

from libc.stdint cimport uint32_t
from libc.string cimport memset

from thresher.native.parsing.after_body cimport (
    after_after_body, after_after_frameset, after_body, after_frameset, in_frameset,
)
from thresher.native.parsing.arena cimport STATUS_TOO_MANY_NODES, Arena, bytes_at
from thresher.native.parsing.before_body cimport (
    after_head, before_head, before_html, in_head, in_head_noscript, initial,
)
from thresher.native.parsing.construction cimport *
from thresher.native.parsing.foreign cimport in_foreign_content, is_for_foreign
from thresher.native.parsing.in_body cimport in_body, text_mode
from thresher.native.parsing.in_table cimport (
    in_caption, in_cell, in_column_group, in_row, in_table, in_table_body, in_table_text,
)
from thresher.native.parsing.in_template cimport in_template
from thresher.native.parsing.insertion cimport new_node, reserve_for_token
from thresher.native.parsing.open_elements cimport current_node
from thresher.native.parsing.tags cimport FLAG_FOREIGN
from thresher.native.parsing.tokenizer cimport TOKEN_EOF, TOKEN_TEXT, Token, Tokenizer, next_token
from thresher.native.parsing.tree cimport KIND_DOCUMENT


cdef Rules[INSERTION_MODES] RULES
RULES[<int>INITIAL] = initial
RULES[<int>BEFORE_HTML] = before_html
RULES[<int>BEFORE_HEAD] = before_head
RULES[<int>IN_HEAD] = in_head
RULES[<int>IN_HEAD_NOSCRIPT] = in_head_noscript
RULES[<int>AFTER_HEAD] = after_head
RULES[<int>IN_BODY] = in_body
RULES[<int>TEXT] = text_mode
RULES[<int>IN_TABLE] = in_table
RULES[<int>IN_TABLE_TEXT] = in_table_text
RULES[<int>IN_CAPTION] = in_caption
RULES[<int>IN_COLUMN_GROUP] = in_column_group
RULES[<int>IN_TABLE_BODY] = in_table_body
RULES[<int>IN_ROW] = in_row
RULES[<int>IN_CELL] = in_cell
RULES[<int>IN_TEMPLATE] = in_template
RULES[<int>AFTER_BODY] = after_body
RULES[<int>IN_FRAMESET] = in_frameset
RULES[<int>AFTER_FRAMESET] = after_frameset
RULES[<int>AFTER_AFTER_BODY] = after_after_body
RULES[<int>AFTER_AFTER_FRAMESET] = after_after_frameset


cdef inline void process_token(TreeBuilder* b) noexcept nogil:
    """The tree construction dispatcher."""
    cdef Token* token = &b.tokenizer.token
    cdef bint again = True
    if b.skip_newline:
        b.skip_newline = False
        if token.kind == TOKEN_TEXT and bytes_at(b.arena, token.start, token.length)[0] == c'\n':
            token.start += 1
            token.length -= 1
            if token.length == 0:
                return
    while again:
        if b.depth != 0 and current_node(b).flags & FLAG_FOREIGN and is_for_foreign(b):
            again = in_foreign_content(b)
        else:
            again = process_by(b, b.mode)


cdef void build_tree(TreeBuilder* b, Tokenizer* tokenizer, Arena* arena) noexcept nogil:
    """Build the tree of the page that the tokenizer was started on. arena.status tells how it ended."""
    cdef uint32_t kind
    b.arena = arena
    b.tokenizer = tokenizer
    b.rules = RULES
    b.mode = INITIAL
    b.original_mode = INITIAL
    b.in_order = True
    b.quirks = False
    b.frameset_ok = True
    b.foster_parenting = False
    b.skip_newline = False
    b.has_selectedcontent = False
    b.has_template = False
    b.head = 0
    b.form = 0
    b.depth = 0
    b.n_formatting = 0
    b.copied_bytes = 0
    b.n_templates = 0
    b.pending = 0
    b.last_pending = 0
    b.pending_not_space = False
    memset(b.open_count, 0, sizeof(b.open_count))
    arena.n_nodes = 0
    arena.n_pieces = 1      # 0 means none
    if reserve_for_token(b) < 0:
        return
    new_node(b, KIND_DOCUMENT)
    while reserve_for_token(b) == 0:
        tokenizer.cdata_allowed = b.depth != 0 and current_node(b).flags & FLAG_FOREIGN != 0
        kind = next_token(tokenizer)
        if arena.status >= STATUS_TOO_MANY_NODES or arena.n_nodes >= b.max_nodes:
            if arena.status < STATUS_TOO_MANY_NODES and kind != TOKEN_EOF:
                arena.status = STATUS_TOO_MANY_NODES
            kind = TOKEN_EOF
            tokenizer.token.kind = TOKEN_EOF
        process_token(b)
        if kind == TOKEN_EOF:
            return
