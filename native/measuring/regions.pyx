# SPDX-License-Identifier: Apache-2.0
"""Data tables, readers' comments and captions; see regions.pxd."""

from libc.stdint cimport int16_t, uint8_t, uint32_t
from libc.string cimport memcmp

from thresher.native.measuring.blocks cimport BLOCK_BUTTON, BLOCK_LABEL, Block, BlockArray
from thresher.native.base.characters cimport begins_ascii, is_space
from thresher.native.measuring.invisible cimport is_empty
from thresher.native.parsing.document cimport (
    KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute, Node, Slice, Tree, find_attribute, slice_at,
)
from thresher.native.measuring.metrics cimport FLAG_HIDDEN, MetricsArray, next_visible
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_TOKEN = 64
    MAX_VALUE = 1024        # bytes of a class or id that are read
    MAX_CAPTION_WORDS = 100
    MAX_CREDIT_WORDS = 60   # words of a block with a credit
    MAX_CREDIT_START = 32   # bytes that identify a credit
    MAX_CAPTION = 1024      # bytes of a block that are searched for one


cdef bint is_data_table(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint32_t table, uint32_t next_block,
    uint32_t* columns
) noexcept nogil:
    """True for a data table; sets `columns` to its number of columns. `next_block` is the first block that could be in
    it.

    Visits the table's nodes up to the first table inside it, so all tables of a page together cost one pass.
    """
    cdef const Node* nodes = tree.nodes
    cdef const Node* node
    cdef const Attribute* role = find_attribute(tree, table, ATTR_ROLE)
    cdef Slice value
    cdef uint32_t n = table + 1, end = nodes[table].end, rows = 0, cells = 0, in_row = 0, headers = 0, count
    columns[0] = 0
    if role != NULL and role.value_length:
        value = slice_at(tree, role.value_start, role.value_length)
        if value.data[0] == c"p" or value.data[0] == c"n":      # presentation, none
            return False
    n = next_visible(tree, metrics, n, end)
    while n < end:
        node = nodes + n
        if node.kind == KIND_ELEMENT and node.namespace == NS_HTML:
            if node.tag == TAG_TABLE:
                return False
            if node.tag == TAG_TR:
                rows += 1
                in_row = 0
            elif node.tag == TAG_TD or node.tag == TAG_TH:
                cells += 1
                in_row += 1
                headers += node.tag == TAG_TH
                columns[0] = max(columns[0], in_row)
        n = next_visible(tree, metrics, n + 1, end)
    if rows < 2 or columns[0] < 2 and not headers:
        return False
    count = 0
    while next_block + count < blocks.n_blocks and blocks.blocks[next_block + count].start < end:
        count += 1
    return count <= 2 * cells


cdef bint holds_rows(const Tree* tree, const MetricsArray* metrics, uint32_t table) noexcept nogil:
    """True for a table with header cells or with text in two cells of a row. Any other one is a column of texts."""
    cdef const Node* nodes = tree.nodes
    cdef uint32_t n, end = nodes[table].end, filled = 0
    n = next_visible(tree, metrics, table + 1, end)
    while n < end:
        if nodes[n].kind == KIND_ELEMENT and nodes[n].namespace == NS_HTML:
            if nodes[n].tag == TAG_TH:
                return True
            if nodes[n].tag == TAG_TR:
                filled = 0
            elif nodes[n].tag == TAG_TD and not is_empty(tree, metrics, n):
                filled += 1
                if filled == 2:
                    return True
        n = next_visible(tree, metrics, n + 1, end)
    return False


cdef bint ends(const uint8_t* token, uint32_t length, const char* word, uint32_t word_length) noexcept nogil:
    """True if a token ends with a word, case-sensitive."""
    return length >= word_length and memcmp(token + length - word_length, word, word_length) == 0


cdef bint is_comment_token(const uint8_t* token, uint32_t length) noexcept nogil:
    """True for a lower-case word of a class or id that names a list of comments or one comment."""
    if (
        begins_ascii(token, length, b"disqus", 6) or begins_ascii(token, length, b"fb-comment", 10)
        or begins_ascii(token, length, b"livefyre", 8)
    ):
        return True
    if begins_ascii(token, length, b"commentar", 9):      # commentary: the subject of a sports page
        return False
    # comments-closed, has-comments-off: a state of the page, not comments
    if (
        ends(token, length, b"open", 4) or ends(token, length, b"closed", 6) or ends(token, length, b"enabled", 7)
        or ends(token, length, b"disabled", 8)
        or ends(token, length, b"off", 3) or ends(token, length, b"on", 2)
    ) and not ends(token, length, b"section", 7):
        return False
    return (
        begins_ascii(token, length, b"comment", 7) or ends(token, length, b"comments", 8)
        or ends(token, length, b"commentlist", 11) or ends(token, length, b"comment-list", 12)
    )


ctypedef struct Credit:
    const char* text
    uint32_t length


cdef enum:
    N_SOURCES = 17
    N_CREDITS = 40
    N_AGENCIES = 14


# Words that a credit begins with, ASCII in lower case, in the languages with the most pages. The first N_SOURCES count
# only where a block begins: within one they may be the source of what it says.
cdef Credit[N_CREDITS] CREDITS
CREDIT_WORDS = [word.replace("_", " ").encode() for word in """
image images picture credit credits source quelle fuente fonte crédit crédits crédito kilde zdroj источник Источник 提供
photo photos photograph photography photo_credit image_credit foto fotos bild bilder bildquelle bildrechte imagen
fotograf fotografie fotografia kuva фото Фото 写真 图片来源 照片 صورة
""".split()]
# What only the credit of an agency says, in lower case.
cdef Credit[N_AGENCIES] AGENCIES
AGENCY_WORDS = [
    b"getty images", b"ap photo", b"associated press", b"picture alliance", b"picture-alliance", b"shutterstock",
    b"imago/", b"imago images", b"reuters/", b"afp/", b"dpa/", b"epa/", b"epa-efe", b"afp via",
]


cdef int _fill_credits(Credit* credits, list words, int n) except -1:
    """Fill a table of words."""
    cdef int i
    if len(words) != n:
        raise RuntimeError(f"{len(words)} words of credits, and there is room for {n}")
    for i in range(n):
        credits[i].text = <const char*> <bytes> words[i]
        credits[i].length = len(words[i])
    return 0


_fill_credits(CREDITS, CREDIT_WORDS, N_CREDITS)
_fill_credits(AGENCIES, AGENCY_WORDS, N_AGENCIES)


ctypedef bint (*TokenTest)(const uint8_t* token, uint32_t length) noexcept nogil


cdef bint has_token(const Tree* tree, uint32_t n, uint16_t name, TokenTest test) noexcept nogil:
    """True if a word of an attribute, in lower case, passes a test."""
    cdef const Attribute* attribute = find_attribute(tree, n, name)
    return attribute != NULL and passes(slice_at(tree, attribute.value_start, attribute.value_length), test)


cdef bint names_comments(Slice value) noexcept nogil:
    return may_name_comments(value) and passes(value, is_comment_token)


cdef bint may_name_comments(Slice value) noexcept nogil:
    """A quick check: False if no word contains "mm", "sq" or "fy", as all words that name comments do."""
    cdef uint32_t i, n = min(value.length, <uint32_t> MAX_VALUE)
    cdef uint8_t found = 0
    for i in range(1, n):       # no early exit: the compiler checks sixteen bytes at a time
        found |= (
            ((value.data[i - 1] | 0x20) == c"m") & ((value.data[i] | 0x20) == c"m")
            | ((value.data[i - 1] | 0x20) == c"s") & ((value.data[i] | 0x20) == c"q")
            | ((value.data[i - 1] | 0x20) == c"f") & ((value.data[i] | 0x20) == c"y")
        )
    return found != 0


cdef bint is_type_of_comments(Slice value) noexcept nogil:
    return (
        ends(value.data, value.length, b"schema.org/Comment", 18)
        or ends(value.data, value.length, b"schema.org/UserComments", 23)
    )


cdef bint has_item_type(const Tree* tree, const char* name, uint32_t length) noexcept nogil:
    cdef const Attribute* attribute
    cdef Slice value
    cdef uint32_t i
    for i in range(tree.n_attributes):
        attribute = tree.attributes + i
        if attribute.name == ATTR_ITEMTYPE:
            value = slice_at(tree, attribute.value_start, attribute.value_length)
            if ends(value.data, value.length, name, length):
                return True
    return False


cdef bint passes(Slice value, TokenTest test) noexcept nogil:
    """True if a word of a value, in lower case, passes a test."""
    cdef uint8_t[MAX_TOKEN] token
    cdef uint32_t k = 0, length, n = min(value.length, <uint32_t> MAX_VALUE)
    while k < n:
        length = 0
        while k < n and not is_space(value.data[k]):
            if length < MAX_TOKEN:
                token[length] = value.data[k] | (0x20 if c"A" <= value.data[k] <= c"Z" else 0)
                length += 1
            k += 1
        if length and test(token, length):
            return True
        k += 1
    return False


cdef bint is_comment_region(const Tree* tree, uint32_t n) noexcept nogil:
    """True if an element's class, id or itemtype marks it as comments."""
    cdef const Attribute* attribute
    if tree.nodes[n].n_attributes == 0:
        return False
    if has_token(tree, n, ATTR_CLASS, is_comment_token) or has_token(tree, n, ATTR_ID, is_comment_token):
        return True
    attribute = find_attribute(tree, n, ATTR_ITEMTYPE)
    return attribute != NULL and is_type_of_comments(slice_at(tree, attribute.value_start, attribute.value_length))


cdef bint is_caption_token(const uint8_t* token, uint32_t length) noexcept nogil:
    """True for a lower-case class word that names the caption or credit of a picture."""
    return (
        ends(token, length, b"caption", 7) or ends(token, length, b"caption-text", 12)
        or ends(token, length, b"caption__text", 13) or ends(token, length, b"photo-credit", 12)
        or ends(token, length, b"photocredit", 11) or ends(token, length, b"image-credit", 12)
        or ends(token, length, b"imagecredit", 11) or ends(token, length, b"__credit", 8)
        or ends(token, length, b"image-source", 12) or ends(token, length, b"image-copyright", 15)
        or ends(token, length, b"photo-source", 12) or ends(token, length, b"figcaption", 10)
    )


cdef uint32_t words_between(const BlockArray* blocks, uint32_t first, uint32_t end, uint32_t most) noexcept nogil:
    """The number of words in the blocks from `first` on that begin before node `end`. Stops once it exceeds `most`."""
    cdef uint32_t words = 0
    while first < blocks.n_blocks and blocks.blocks[first].start < end and words <= most:
        words += blocks.blocks[first].words
        first += 1
    return words


cdef bint is_credit(const uint8_t* text, uint32_t length, bint begins) noexcept nogil:
    """True for a text, ASCII in lower case, that begins like the credit of a picture; `begins` where a block does."""
    cdef uint32_t i, word
    if begins and (begins_ascii(text, length, b"\xc2\xa9", 2) or begins_ascii(text, length, b"c)", 2)):     # ©, (c)
        return True
    for i in range(0 if begins else N_SOURCES, N_CREDITS):
        word = CREDITS[i].length
        if begins_ascii(text, length, CREDITS[i].text, word) and word < length and (
            text[word] == c":" or text[word] == c"/" or text[word] == c"|"
            or begins_ascii(text + word, length - word, b" :", 2)
            or begins_ascii(text + word, length - word, b"\xef\xbc\x9a", 3)     # full-width :
            or begins_ascii(text + word, length - word, b" by ", 4)
            or begins_ascii(text + word, length - word, b" via ", 5)
            or begins_ascii(text + word, length - word, b" \xc2\xa9", 3)
        ):
            return True
    for i in range(N_AGENCIES):
        if begins_ascii(text, length, AGENCIES[i].text, AGENCIES[i].length):
            return True
    return False


cdef bint holds_credit(const Tree* tree, const Block* block) noexcept nogil:
    """True if a word of a block is where the credit of a picture begins."""
    cdef Slice text
    cdef uint8_t[MAX_CREDIT_START] start
    cdef uint32_t n, i, k, length, left = MAX_CAPTION
    cdef bint begins = True     # nothing but white space and brackets stands before
    cdef bint inside = False    # a word goes on
    cdef uint8_t byte
    for n in range(block.start, block.end):
        if tree.nodes[n].kind != KIND_TEXT:
            inside = False
            continue
        text = slice_at(tree, tree.nodes[n].start, tree.nodes[n].length)
        text.length = min(text.length, left)
        left -= text.length
        for i in range(text.length):
            byte = text.data[i]
            if not inside and not is_space(byte) or 0xE3 <= byte <= 0xE9:   # Chinese and Japanese have no spaces
                length = min(text.length - i, <uint32_t> MAX_CREDIT_START)
                for k in range(length):
                    start[k] = text.data[i + k] | (0x20 if c"A" <= text.data[i + k] <= c"Z" else 0)
                if is_credit(start, length, begins):
                    return True
            inside = not is_space(byte) and byte != c"(" and byte != c"[" and byte != c"/" and byte != c"|"
            begins = begins and not inside
    return False


cdef bint is_behind_picture(const Tree* tree, const BlockArray* blocks, uint32_t b) noexcept nogil:
    """True if a picture stands between a block and the previous one."""
    cdef uint32_t n = blocks.blocks[b - 1].end if b else 1
    while n < blocks.blocks[b].start:
        if tree.nodes[n].kind == KIND_ELEMENT and (
            tree.nodes[n].tag == TAG_IMG or tree.nodes[n].tag == TAG_PICTURE or tree.nodes[n].tag == TAG_VIDEO
        ):
            return True
        n += 1
    return False


cdef void apply_rule(
    const BlockArray* blocks, uint8_t* keep, uint32_t first, uint32_t end, RegionRule rule, const int16_t* scores
) noexcept nogil:
    """Drop the blocks from `first` on that begin before node `end`, except those that are SURE by their scores (which
    may be NULL); or keep those that are not mostly links, buttons or labels.
    """
    cdef const Block* block
    while first < blocks.n_blocks and blocks.blocks[first].start < end:
        block = blocks.blocks + first
        if rule == REGION_OUT:
            if scores == NULL or scores[first] < SURE:
                keep[first] = 0
        elif (
            2 * <size_t> block.link_characters < block.characters and block.kind != BLOCK_BUTTON
            and block.kind != BLOCK_LABEL
        ):
            keep[first] = 1
        first += 1


cdef void apply_region_rules(
    const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, uint8_t* keep, const RegionRules* rules
) noexcept nogil:
    """Change which blocks are kept, according to the rule for each kind of region. One pass over the nodes."""
    cdef const Node* node
    cdef uint32_t n = 1, block = 0, columns = 0, comments_end = 0, tables_end = 0, captions_end = 0, credit = 0
    while n < tree.n_nodes and block < blocks.n_blocks:
        node = tree.nodes + n
        while block < blocks.n_blocks and blocks.blocks[block].start < n:
            block += 1
        if metrics.nodes[n].flags & FLAG_HIDDEN:
            n = node.end
            continue
        if (
            node.kind == KIND_ELEMENT and node.namespace == NS_HTML and block < blocks.n_blocks
            and blocks.blocks[block].start < node.end
        ):
            if (
                rules.tables != REGION_AS_CHOSEN and node.tag == TAG_TABLE and n >= tables_end
                and is_data_table(tree, metrics, blocks, n, block, &columns)
            ):
                apply_rule(blocks, keep, block, node.end, rules.tables, NULL)
                tables_end = node.end
            elif (
                rules.comments != REGION_AS_CHOSEN and n >= comments_end and node.tag != TAG_HTML
                and node.tag != TAG_BODY and node.tag != TAG_MAIN and node.tag != TAG_ARTICLE and node.tag != TAG_FORM
                and is_comment_region(tree, n)
            ):
                apply_rule(blocks, keep, block, node.end, rules.comments, NULL)
                comments_end = node.end
            elif (
                rules.captions != REGION_AS_CHOSEN and n >= captions_end
                and (node.tag == TAG_FIGCAPTION or has_token(tree, n, ATTR_CLASS, is_caption_token))
                and words_between(blocks, block, node.end, MAX_CAPTION_WORDS) <= MAX_CAPTION_WORDS
            ):
                apply_rule(blocks, keep, block, node.end, rules.captions, rules.scores)
                captions_end = node.end
        n += 1
    if rules.captions != REGION_AS_CHOSEN:
        for credit in range(blocks.n_blocks):
            if (
                blocks.blocks[credit].words <= MAX_CREDIT_WORDS and is_behind_picture(tree, blocks, credit)
                and holds_credit(tree, blocks.blocks + credit)
            ):
                apply_rule(blocks, keep, credit, blocks.blocks[credit].start + 1, rules.captions, rules.scores)
