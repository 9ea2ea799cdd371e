# SPDX-License-Identifier: Apache-2.0
"""Reads title, description, URL, type and JSON-LD of a page, and looks up the words of its blocks in them.

The strings of JSON-LD come as written (linked_data.pxd). Here their escapes, tags and character references are removed
as far as words need it.
"""

from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.base.hash_table cimport *
from thresher.native.facts.linked_data cimport (
    GROUP_ARTICLE, GROUP_FACT, GROUP_RECIPE, KEY_HEADLINE, KEY_NAME, LinkedString, add_linked_script,
    finish_linked_data, free_linked_data, is_linked_data, linked_data_bytes, start_linked_data
)
from thresher.native.parsing.entities cimport hexadecimal_digit, put_code
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *
from thresher.native.scoring.url_form cimport OG_UNSAID, UrlForm, forget_url, og_type_of, read_url
from thresher.native.scoring.rounding cimport thousandths
from thresher.native.scoring.texts cimport MAX_COVER, TextPass, read_on, start_pass
from thresher.native.base.text_buffer cimport TextBuffer, put_byte, start_text


cdef enum:
    MAX_PAIRS = 1 << 14         # pairs that are entered
    KEPT_PAIRS = 1 << 10        # entries kept for the next page, which has to clear all of them
    MAX_ENTITY = 10             # bytes from & to ; of a reference within a string


cdef inline uint64_t pair_of(uint64_t first, uint64_t second) noexcept nogil:
    """The key of two neighbouring words."""
    cdef uint64_t value = first * <uint64_t> 0x9E3779B97F4A7C15 ^ second
    value = (value ^ value >> 29) * <uint64_t> 0xBF58476D1CE4E5B9
    return value ^ value >> 32


cdef int add_words(Declared* declared, Slice text, const uint8_t* readable, uint8_t part) noexcept nogil:
    """Enter the word pairs of a declared text. A text of one word is a pair with nothing. The memory may be read up to
    `readable`.
    """
    cdef const uint8_t* p = text.data
    cdef const uint8_t* end = p + text.length
    cdef TextPass read
    cdef uint64_t previous = 0
    cdef uint32_t count = 0, i
    start_pass(&read, 0, 0, MAX_COVER)
    while p < end:
        read.n_words = 0
        p = read_on(&read, p, end, readable)
        for i in range(read.n_words):
            if declared.pairs.n_entries >= MAX_PAIRS:
                return 0
            if count + i > 0 and enter_pair(declared, pair_of(previous, read.words[i]), part) != 0:
                return OUT_OF_MEMORY
            previous = read.words[i]
        count += read.n_words
    if count == 1 and declared.pairs.n_entries < MAX_PAIRS:
        return enter_pair(declared, pair_of(previous, 0), part)
    return 0


cdef inline int enter_pair(Declared* declared, uint64_t key, uint8_t part) noexcept nogil:
    """Enter a pair of words that is declared in a part; 0, or OUT_OF_MEMORY."""
    cdef HashEntry* entry
    cdef uint32_t found
    cdef int i
    if enter_key(&declared.pairs, key, 0, &found) < 0:
        return OUT_OF_MEMORY
    entry = entry_for(&declared.pairs, key)
    if not entry.value & part:
        entry.value |= part
        for i in range(N_PARTS):
            declared.n_pairs[i] += part >> i & 1
    return 0


# --- JSON-LD ---


cdef void decode_string(TextBuffer* text, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Decode the content of a JSON string: resolve escapes, then replace HTML tags and character references by spaces.
    """
    cdef const uint8_t* q
    cdef uint32_t code
    cdef uint8_t byte
    cdef int i
    cdef bint in_tag = False
    start_text(text)
    while p < end:
        byte = p[0]
        p += 1
        if byte == c"\\" and p < end:
            byte = p[0]
            p += 1
            if byte == c"u" and end - p >= 4:
                code = 0
                for i in range(4):
                    code = code << 4 | hexadecimal_digit(p[i]) & 15     # other characters count 0
                p += 4
                if code == c"<" or code == c">" or code == c"&":
                    byte = <uint8_t> code
                else:
                    if not in_tag:
                        put_code(text, c" " if 0xD800 <= code < 0xE000 else code)   # half a surrogate pair
                    continue
            elif byte != c'"' and byte != c"/":
                byte = c" "         # white space, or a backslash
        if byte == c"<" and p < end and (p[0] == c"/" or c"a" <= (p[0] | 0x20) <= c"z"):
            in_tag = True
        elif byte == c">" and in_tag:
            in_tag = False
            byte = c" "
        elif byte == c"&" and not in_tag:
            q = p
            while q < end and q - p < MAX_ENTITY and q[0] != c";" and not is_space(q[0]):
                q += 1
            if q < end and q[0] == c";":
                p = q + 1
            byte = c" "
        if not in_tag:
            put_byte(text, byte)


cdef int add_linked(Declared* declared, const Tree* tree) noexcept nogil:
    """Enter the prose and the names of the page's JSON-LD."""
    cdef const LinkedString* string
    cdef Slice text
    cdef uint32_t i
    for i in range(declared.linked.n_strings):
        string = declared.linked.strings + i
        if string.group == GROUP_FACT and string.key != KEY_NAME and string.key != KEY_HEADLINE:
            continue
        text = slice_at(tree, string.start, string.length)
        decode_string(&declared.text, text.data, text.data + text.length)
        if declared.text.failed:
            return OUT_OF_MEMORY
        text.data = declared.text.data
        text.length = <uint32_t> declared.text.length
        if add_words(declared, text, declared.text.data + declared.text.capacity, part_declared(string)) != 0:
            return OUT_OF_MEMORY
    return 0


cdef uint8_t part_declared(const LinkedString* string) noexcept nogil:
    """The DeclaredPart of a string."""
    if string.group == GROUP_ARTICLE:
        return PART_ARTICLE
    if string.group == GROUP_RECIPE:
        return PART_RECIPE
    return PART_HEAD if string.key == KEY_HEADLINE else PART_OTHER


# --- the page ---


cdef enum MetaName:
    META_OTHER = 0
    META_DESCRIPTION
    META_ADDRESS
    META_TYPE


cdef MetaName meta_name(const Tree* tree, uint32_t n) noexcept nogil:
    """What a meta element has: a description of the page, its URL, its type."""
    cdef Slice value = value_in(tree, n, ATTR_NAME)
    cdef int i
    for i in range(2):
        if is_word(value, b"description") or is_word(value, b"og:description") or (
            is_word(value, b"twitter:description")
        ):
            return META_DESCRIPTION
        if is_word(value, b"og:url"):
            return META_ADDRESS
        if is_word(value, b"og:type"):
            return META_TYPE
        value = value_in(tree, n, ATTR_PROPERTY)
    return META_OTHER


cdef int read_meta(Declared* declared, const Tree* tree, uint32_t n, UrlForm* named) noexcept nogil:
    """Read a meta element, with og:url into `named`; 0, or OUT_OF_MEMORY."""
    cdef const Attribute* attribute = find_attribute(tree, n, ATTR_CONTENT)
    cdef MetaName name
    cdef Slice value
    if attribute == NULL:
        return 0
    name = meta_name(tree, n)
    value = value_of(tree, attribute)
    if name == META_DESCRIPTION:
        return add_words(declared, value, readable_end(tree, attribute.value_start), PART_HEAD)
    if name == META_ADDRESS and named.depth < 0:
        read_url(value, named)
    elif name == META_TYPE and declared.og_type == OG_UNSAID:
        declared.og_type = og_type_of(value)
    return 0


cdef void read_link(Declared* declared, const Tree* tree, uint32_t n) noexcept nogil:
    """Read the page's own URL from a link element, if it is there."""
    cdef Slice url = value_in(tree, n, ATTR_HREF)
    if url.data != NULL and is_word(without_space(value_in(tree, n, ATTR_REL)), b"canonical"):
        read_url(url, &declared.url)


cdef int read_declared(Declared* declared, const Tree* tree, const ShownArray* shown) noexcept nogil:
    """Read what a page declares about itself; 0, or OUT_OF_MEMORY."""
    cdef:
        const Node* node
        uint32_t i, n, past = 0     # where the content of a template ends
        UrlForm named               # by og:url
    THRESHER_CHECK(shown.serial == tree.serial)
    if declared.pairs.capacity > KEPT_PAIRS:
        free_table(&declared.pairs)
    declared.pairs.secret = hash_secret()
    empty_table(&declared.pairs)
    memset(declared.n_pairs, 0, sizeof(declared.n_pairs))
    start_linked_data(&declared.linked)
    forget_url(&declared.url)
    forget_url(&named)
    declared.og_type = OG_UNSAID
    for i in range(shown.n_unread):
        n = shown.unread[i]
        node = tree.nodes + n
        if n < past or node.kind != KIND_ELEMENT:
            continue
        if node.tag == TAG_TEMPLATE and n + 1 < node.end and tree.nodes[n + 1].kind == KIND_CONTENT:
            past = tree.nodes[n + 1].end
        elif node.tag == TAG_SCRIPT:
            if is_linked_data(tree, n):
                add_linked_script(&declared.linked, tree, n)
        elif node.tag == TAG_META:
            if read_meta(declared, tree, n, &named) != 0:
                return OUT_OF_MEMORY
        elif node.tag == TAG_LINK:
            if declared.url.depth < 0:
                read_link(declared, tree, n)
        elif node.tag == TAG_TITLE and n + 1 < node.end and tree.nodes[n + 1].kind == KIND_TEXT:
            if add_words(
                declared, text_of(tree, n + 1),
                readable_end(tree, tree.nodes[n + 1].start), PART_HEAD
            ) != 0:
                return OUT_OF_MEMORY
    if declared.url.depth < 0:
        declared.url = named
    if finish_linked_data(&declared.linked) != 0:
        return OUT_OF_MEMORY
    declared.types = declared.linked.types
    if add_linked(declared, tree) != 0:
        return OUT_OF_MEMORY
    if declared.pairs.n_entries:
        note_pairs(declared)
    return 0


cdef void note_pairs(Declared* declared) noexcept nogil:
    """Set a bit for the lowest bits of each key. Most pairs of a page are not declared, and a test in 2 KiB that stay
    in the cache rejects them.
    """
    cdef const HashEntry* entry = declared.pairs.entries
    cdef const HashEntry* end = entry + declared.pairs.capacity
    memset(declared.noted, 0, sizeof(declared.noted))
    while entry < end:
        if entry.round == declared.pairs.round:
            declared.noted[entry.key >> 6 & (NOTED_WORDS - 1)] |= <uint64_t> 1 << (entry.key & 63)
        entry += 1


cdef inline uint64_t hits_of(const Declared* declared, uint64_t key) noexcept nogil:
    """1 in the sixteen bits of each part that has this pair."""
    cdef const HashEntry* entry
    if not declared.noted[key >> 6 & (NOTED_WORDS - 1)] >> (key & 63) & 1:
        return 0
    entry = entry_for(&declared.pairs, key)
    if entry.round != declared.pairs.round:
        return 0
    return (
        <uint64_t> (entry.value & 1) | <uint64_t> (entry.value >> 1 & 1) << 16 | <uint64_t> (entry.value >> 2 & 1) << 32
        | <uint64_t> (entry.value >> 3 & 1) << 48
    )


cdef void covered_shares(const Declared* declared, const TextPass* read, int16_t* shares) noexcept nogil:
    """How many thousandths of the pairs at the beginning of a block are declared, for each DeclaredPart."""
    cdef uint64_t hits = 0          # sixteen bits per part
    cdef uint32_t n_words = min(read.n_words, <uint32_t> MAX_COVER), pairs = n_words - 1 if n_words else 0, i
    for i in range(pairs):
        hits += hits_of(declared, pair_of(read.words[i], read.words[i + 1]))
    if n_words == 1:
        pairs = 1
        hits = hits_of(declared, pair_of(read.words[0], 0))
    for i in range(N_PARTS):
        shares[i] = thousandths(<uint32_t> (hits >> 16 * i & 0xFFFF), pairs) if hits else 0


cdef void free_declared(Declared* declared) noexcept nogil:
    """Free the memory."""
    free_linked_data(&declared.linked)
    free_table(&declared.pairs)
    free(declared.text.data)
    memset(declared, 0, sizeof(Declared))


cdef size_t declared_bytes(const Declared* declared) noexcept nogil:
    """Bytes of memory held."""
    return (
        linked_data_bytes(&declared.linked) + declared.pairs.capacity * sizeof(HashEntry) + declared.text.capacity
    )
