# SPDX-License-Identifier: Apache-2.0
"""Computes the features of a page's blocks; see features.pxd for what they are.

Four passes, none of which recurses: over the nodes (containers and what is in them), over the blocks (sums before each block, so that the
sum over any range of blocks is one difference), over the containers, and over the blocks again to write the values.
"""

cimport cython
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from thresher.native.measuring.blocks cimport (
    BLOCK_HEADING_1, BLOCK_HEADING_3, BLOCK_HEADING_6, Block, BlockArray, Blocks
)
from thresher.native.characters cimport count_marks, is_space
from thresher.native.parsing.document cimport KIND_ELEMENT, KIND_TEXT, Attribute, Document, Node, Slice, Tree, slice_at
from thresher.native.measuring.metrics cimport FLAG_BLANK, FLAG_CONCEALED, FLAG_HIDDEN, Metrics, MetricsArray, NodeMetrics
from thresher.native.scratch cimport Scratch, release, take
from thresher.native.parsing.tags cimport *

from thresher.native.parsing import tags


cdef enum Slot:
    SLOT_CONTAINERS = 0
    SLOT_ROWS = 1
    SLOT_GROUPS = 2
    SLOT_TABLE = 3
    SLOT_VALUES = 4
    SLOT_LISTS = 5          # container_of and sizes


cdef enum Meaning:
    MEANS_MAIN = 1
    MEANS_ARTICLE = 2
    MEANS_BODY_TEXT = 4
    MEANS_NAVIGATION = 8
    MEANS_ASIDE = 16
    MEANS_FOOTER = 32
    MEANS_HEADER = 64
    MEANS_FORM = 128
    MEANS_DIALOG = 256
    MEANS_TABLE = 512
    MEANS_FIGURE = 1024
    MEANS_QUOTE = 2048
    MEANS_LIST = 4096


cdef enum:
    GOOD_SIZE = 80          # a larger block is good
    MAX_PROBES = 32         # steps in a hash table; beyond them things that are alike are not seen to be, but nothing gets slow
    MAX_TITLE_WORDS = 32
    MAX_TOKEN = 24          # letters of a token that are hashed
    MAX_TERMS = 12          # terms of a block that are looked at: the first ones say most of what kind of block it is
    MAX_TERM = 24           # bytes of a term that are hashed
    CLASS_VALUES = 256      # a power of two: class attributes whose tokens are remembered
    NO_BLOCK = 0xFFFFFFFF
    NO_GROUP = 0xFFFFFFFF
    HASH_START = 2166136261     # FNV-1a, 32 bits
    HASH_STEP = 16777619


ctypedef struct Row:            # a block, and the sums over all blocks before it
    uint64_t text               # hash of the beginning of its text
    int32_t terms_sum           # learned weights of its first terms
    int32_t heading_terms_sum   # the same with the weights of headings
    uint32_t n_terms
    uint32_t container
    uint32_t size
    uint32_t link_size
    uint32_t punctuation
    uint32_t commas
    uint32_t copies             # number of the group of its copies
    uint8_t ends_sentence
    uint8_t good
    uint8_t seen
    uint8_t tag
    uint8_t concealed
    # sums before the block
    uint32_t size_before
    uint32_t link_size_before
    uint32_t punctuation_before
    uint32_t good_before        # size of good blocks
    uint32_t good_blocks_before
    uint32_t paragraphs_before
    uint32_t items_before


ctypedef struct Group:          # blocks or containers that are alike
    uint64_t key
    uint32_t count
    uint32_t size
    uint32_t link_size
    uint32_t punctuation
    uint32_t first
    uint32_t last


ctypedef struct Groups:
    Group* groups
    uint32_t n_groups           # at most `capacity`
    uint32_t capacity           # groups that there is room for, at least 1
    uint32_t* table             # number of a group + 1, 0 where free
    uint32_t mask


cdef uint64_t POWER1 = <uint64_t> 0x9E3779B97F4A7C15
cdef uint64_t POWER2 = POWER1 * POWER1
cdef uint64_t POWER3 = POWER2 * POWER1
cdef uint64_t POWER4 = POWER3 * POWER1

cdef uint8_t[TAG_COUNT] TAG_CODES
cdef uint16_t[TAG_COUNT] TAG_MEANINGS
cdef uint8_t[TAG_COUNT] LEAF_TEXT
cdef uint8_t[TAG_COUNT] PLAIN_TAGS      # tags that are no token of their own
cdef uint8_t[256] ENDS                  # ASCII characters that end a sentence

CODED_TAGS = (
    "button", "label", "option", "nav", "footer", "form", "aside", "legend", "summary", "details", "header", "hr", "address", "ul", "ol", "li", "dl",
    "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption", "center", "custom", "div", "body", "section", "main", "article",
    "figure", "figcaption", "h6", "h5", "h4", "h3", "h2", "h1", "blockquote", "pre", "p",
)
"""Tags in the order of their codes, 1 and up: roughly from furniture to text, so that one threshold parts them. 0 is everything else."""


def _fill_tables() -> None:
    """Fills the tables of tags and characters."""
    cdef int code
    names = {name[4:].lower(): int(value) for name, value in tags.Tag.__members__.items()}
    memset(TAG_CODES, 0, sizeof(TAG_CODES))
    memset(TAG_MEANINGS, 0, sizeof(TAG_MEANINGS))
    memset(LEAF_TEXT, 0, sizeof(LEAF_TEXT))
    memset(PLAIN_TAGS, 0, sizeof(PLAIN_TAGS))
    memset(ENDS, 0, sizeof(ENDS))
    for code, name in enumerate(CODED_TAGS):
        if name != "custom":
            TAG_CODES[<int> names[name]] = code + 1
    for name, meaning in (
        ("main", MEANS_MAIN), ("article", MEANS_ARTICLE), ("nav", MEANS_NAVIGATION), ("aside", MEANS_ASIDE), ("footer", MEANS_FOOTER),
        ("header", MEANS_HEADER), ("form", MEANS_FORM), ("dialog", MEANS_DIALOG), ("table", MEANS_TABLE), ("figure", MEANS_FIGURE),
        ("blockquote", MEANS_QUOTE), ("pre", MEANS_QUOTE), ("ul", MEANS_LIST), ("ol", MEANS_LIST), ("dl", MEANS_LIST),
    ):
        TAG_MEANINGS[<int> names[name]] = meaning
    for name in ("p", "pre", "li", "blockquote", "h2", "h3", "h4", "dd", "dt", "td"):
        LEAF_TEXT[<int> names[name]] = 1
    for name in ("div", "p", "li", "td", "tr", "tbody", "table", "ul", "html", "body"):
        PLAIN_TAGS[<int> names[name]] = 1
    for character in b".!?\"":
        ENDS[character] = 1


_fill_tables()
cdef uint8_t CUSTOM_CODE = CODED_TAGS.index("custom") + 1


# Hashes ------------------------------------------------------------------------------------------------------------------


cdef inline uint64_t mix(uint64_t a, uint64_t b) noexcept nogil:
    """A hash of two numbers (the finaliser of SplitMix64)."""
    cdef uint64_t x = a * <uint64_t> 0x9E3779B97F4A7C15 + b
    x = (x ^ (x >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t> 0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline uint64_t hash_of(const uint8_t* data, uint32_t length) noexcept nogil:
    """A hash of bytes, eight at a time: class attributes are long, and a multiplication for each byte was a fifth of all features' time."""
    cdef uint64_t value = length, word
    while length >= 8:
        memcpy(&word, data, 8)
        value = (value ^ word) * <uint64_t> 0x9E3779B97F4A7C15
        value ^= value >> 32
        data += 8
        length -= 8
    word = 0
    memcpy(&word, data, length)
    return (value ^ word) * <uint64_t> 0x9E3779B97F4A7C15


# Tokens -----------------------------------------------------------------------------------------------------------------


cdef inline uint32_t fold(uint32_t value) noexcept nogil:
    """A hash in TOKEN_BITS bits."""
    return (value ^ (value >> TOKEN_BITS)) & (N_TOKENS - 1)


cdef bint next_token(Slice* rest, uint32_t start, uint32_t* token) noexcept nogil:
    """Takes the next token off the front of an attribute value: two letters or more, lower-cased, cut where lower case meets upper case."""
    cdef:
        const uint8_t* p = rest.data
        const uint8_t* end = rest.data + rest.length
        uint32_t value, letters
        uint8_t byte, lower
        bint was_lower
    while p < end:
        value = start
        letters = 0
        was_lower = False
        while p < end:
            byte = p[0]
            lower = byte | 0x20
            if not 0x61 <= lower <= 0x7A:
                break
            if byte != lower and was_lower:
                break
            was_lower = byte == lower
            if letters < MAX_TOKEN:
                value = (value ^ lower) * <uint32_t> HASH_STEP
            letters += 1
            p += 1
        if letters >= 2:
            rest.data = p
            rest.length = <uint32_t> (end - p)
            token[0] = fold(value)
            return True
        if letters == 0:
            p += 1
    rest.length = 0
    return False


ctypedef struct Terms:          # a text of which the terms are read one after the other
    const uint8_t* p
    const uint8_t* end
    uint32_t previous           # hash of the ideograph before p, 0 where there is none
    uint32_t pair               # a pair of ideographs that is due as a term, N_TOKENS where there is none


cdef inline void begin_terms(Terms* terms, Slice text) noexcept nogil:
    terms.p = text.data
    terms.end = text.data + text.length
    terms.previous = 0
    terms.pair = N_TOKENS


cdef bint next_term(Terms* terms, uint32_t* term) noexcept nogil:
    """Takes the next term off the front of a text.

    Terms are words of two bytes or more, Latin, Greek and Cyrillic lower-cased; ideographs, kana and hangul, each alone and in pairs; numbers by how many
    digits they have; and signs such as $, | and the copyright sign.
    """
    cdef:
        const uint8_t* p = terms.p
        const uint8_t* end = terms.end
        uint32_t value, length, letter, step
        uint8_t byte, lower
    if terms.pair != <uint32_t> N_TOKENS:
        term[0] = terms.pair
        terms.pair = N_TOKENS
        return True
    while p < end:
        byte = p[0]
        lower = byte | 0x20
        value = HASH_START
        length = 0
        if 0x61 <= lower <= 0x7A or 0xC3 <= byte <= 0xE1:
            while p < end:
                byte = p[0]
                lower = byte | 0x20
                letter = byte
                step = 1
                if 0x61 <= lower <= 0x7A:
                    letter = lower
                elif 0xC3 <= byte <= 0xDF and end - p >= 2:
                    letter = <uint32_t> (byte & 0x1F) << 6 | (p[1] & 0x3F)
                    step = 2
                    # Latin, Greek and Cyrillic capitals.
                    if 0xC0 <= letter <= 0xDE or 0x391 <= letter <= 0x3A9 or 0x410 <= letter <= 0x42F:
                        letter += 0x20
                elif not (0xC3 <= byte <= 0xE1 or (0x80 <= byte < 0xC0 and length)):
                    break
                if length < MAX_TERM:
                    value = (value ^ letter) * <uint32_t> HASH_STEP
                length += step
                p += step
            terms.previous = 0
            if length >= 2:
                terms.p = p
                term[0] = fold(value)
                return True
        elif 0xE3 <= byte <= 0xED and end - p >= 3:
            value = (((value ^ byte) * <uint32_t> HASH_STEP ^ p[1]) * <uint32_t> HASH_STEP ^ p[2]) * <uint32_t> HASH_STEP
            if terms.previous:
                terms.pair = fold((terms.previous ^ value) * <uint32_t> HASH_STEP)
            terms.previous = value * <uint32_t> HASH_STEP | 1
            terms.p = p + 3
            term[0] = fold(value)
            return True
        elif 0x30 <= byte <= 0x39:
            while p < end and 0x30 <= p[0] <= 0x39:
                length += 1
                p += 1
            terms.previous = 0
            terms.p = p
            term[0] = fold((value ^ (0x30 + min(length, <uint32_t> 5))) * <uint32_t> HASH_STEP)
            return True
        elif byte == 0xC2 and end - p >= 2:
            terms.previous = 0
            terms.p = p + 2
            term[0] = fold((value ^ p[1]) * <uint32_t> HASH_STEP * <uint32_t> HASH_STEP)
            return True
        elif byte == 0x24 or byte == 0x3A or byte == 0x3E or byte == 0x7C:      # $ : > |
            terms.previous = 0
            terms.p = p + 1
            term[0] = fold((value ^ byte) * <uint32_t> HASH_STEP)
            return True
        else:
            p += 1
            if byte < 0x80 or byte >= 0xC0:
                terms.previous = 0
    terms.p = p
    return False


cdef inline void read_terms(Row* row, Slice text, const int8_t* weights) noexcept nogil:
    """Adds the weights of the terms of a text node to its block."""
    cdef Terms terms
    cdef uint32_t term
    begin_terms(&terms, text)
    while row.n_terms < MAX_TERMS and next_term(&terms, &term):
        row.n_terms += 1
        row.terms_sum += weights[N_TOKENS + term]
        row.heading_terms_sum += weights[2 * N_TOKENS + term]


cdef inline uint32_t kind_of_token(uint32_t attribute, uint32_t tag) noexcept nogil:
    """Where the hash of a token starts: class and id share one kind, those of html and body are one of their own."""
    if attribute == ATTR_CLASS or attribute == ATTR_ID:
        return <uint32_t> HASH_START + (1 if tag == TAG_BODY or tag == TAG_HTML else 0)
    if attribute == ATTR_ROLE:
        return <uint32_t> HASH_START + 2
    if attribute == ATTR_ITEMPROP:
        return <uint32_t> HASH_START + 3
    return 0


cdef inline uint32_t token_of_tag(uint32_t tag) noexcept nogil:
    """The token of a tag that says something by itself, N_TOKENS for the others."""
    if tag == TAG_UNKNOWN or tag >= TAG_COUNT or PLAIN_TAGS[tag]:
        return N_TOKENS
    return fold((<uint32_t> HASH_START + 4 + tag) * <uint32_t> HASH_STEP * <uint32_t> HASH_STEP)


cdef inline bint same(Slice text, const char* lower) noexcept nogil:
    """True where a slice is the lower-case ASCII word, case ignored."""
    cdef uint32_t i
    for i in range(text.length):
        if lower[i] == 0 or (text.data[i] | 0x20) != <uint8_t> lower[i]:
            return False
    return lower[text.length] == 0


cdef uint16_t meaning_of_role(Slice role) noexcept nogil:
    """What a role says."""
    if same(role, "main"):
        return MEANS_MAIN
    if same(role, "article"):
        return MEANS_ARTICLE
    if same(role, "navigation") or same(role, "menu") or same(role, "menubar") or same(role, "menuitem") or same(role, "tablist"):
        return MEANS_NAVIGATION
    if same(role, "complementary"):
        return MEANS_ASIDE
    if same(role, "contentinfo"):
        return MEANS_FOOTER
    if same(role, "banner"):
        return MEANS_HEADER
    if same(role, "search") or same(role, "form"):
        return MEANS_FORM
    if same(role, "dialog") or same(role, "alertdialog") or same(role, "alert") or same(role, "tooltip"):
        return MEANS_DIALOG
    return 0


ctypedef struct ClassValue:     # a class attribute, and what there is to know of it
    const uint8_t* data
    uint32_t length             # 0 where the place is free
    int32_t total               # weights of its tokens
    uint64_t hash
    uint8_t any_token


cdef inline ClassValue* place_of(ClassValue* seen, Slice value) noexcept nogil:
    """Where a class attribute is remembered: the place is chosen by its length, its first eight bytes and its last eight."""
    cdef uint64_t head = 0, tail = 0
    if value.length >= 8:
        memcpy(&head, value.data, 8)
        memcpy(&tail, value.data + value.length - 8, 8)
    else:
        memcpy(&head, value.data, value.length)
    head = (head ^ (tail * <uint64_t> 0x9E3779B97F4A7C15) ^ value.length) * <uint64_t> 0xD6E8FEB86659FD93
    return seen + (head >> 32 & (CLASS_VALUES - 1))


cdef void read_class(ClassValue* known, Slice value, const int8_t* weights) noexcept nogil:
    """Fills in what is known of a class attribute. The tokens are those of elements inside the body."""
    cdef uint32_t token
    cdef Slice rest = value
    known.data = value.data
    known.length = value.length
    known.hash = hash_of(value.data, min(value.length, <uint32_t> 200))
    known.total = 0
    known.any_token = False
    if weights != NULL:
        while next_token(&rest, <uint32_t> HASH_START, &token):
            known.total += weights[token]
            known.any_token = True


cdef void read_attributes(Container* container, const Tree* tree, const Node* node, const int8_t* weights, ClassValue* seen) noexcept nogil:
    """Meaning, signature and token weights of an element, from its tag and attributes.

    Most class attributes are on a page several times: `seen` has CLASS_VALUES of them, so that the tokens of each are read once.
    """
    cdef:
        const Attribute* attribute = tree.attributes + node.attributes
        ClassValue* known
        Slice value, rest
        uint32_t i, token, start, signature = <uint32_t> HASH_START ^ node.tag
        uint32_t tag = node.tag if node.tag < TAG_COUNT else TAG_UNKNOWN
        int32_t total = 0
        bint any_token = False
    container.meaning |= TAG_MEANINGS[tag]
    token = token_of_tag(tag)
    if token < N_TOKENS and weights != NULL:
        total += weights[token]
        any_token = True
    for i in range(node.n_attributes):
        start = kind_of_token(attribute[i].name, tag)
        if start == 0 or attribute[i].value_length == 0:
            continue
        value = slice_at(tree, attribute[i].value_start, attribute[i].value_length)
        if attribute[i].name == ATTR_CLASS:
            known = place_of(seen, value)
            if known.length != value.length or memcmp(known.data, value.data, value.length) != 0:
                read_class(known, value, weights)
            signature = <uint32_t> mix(signature, known.hash)
            if start == <uint32_t> HASH_START:
                total += known.total
                any_token = any_token or known.any_token
                continue
        elif attribute[i].name == ATTR_ROLE:
            container.meaning |= meaning_of_role(value)
        elif attribute[i].name == ATTR_ITEMPROP and same(value, "articlebody"):
            container.meaning |= MEANS_BODY_TEXT
        if weights != NULL:
            rest = value
            while next_token(&rest, start, &token):
                total += weights[token]
                any_token = True
    container.signature = signature * <uint32_t> HASH_STEP
    if any_token:
        container.tokens_sum = min(max(container.tokens_sum + total, -30000), 30000)
        total = min(max(total, -30000), 30000)
        container.tokens_lowest = <int16_t> min(<int32_t> container.tokens_lowest, total)
        container.tokens_highest = <int16_t> max(<int32_t> container.tokens_highest, total)


# Groups of things that are alike ------------------------------------------------------------------------------------------


cdef void clear_groups(Groups* groups) noexcept nogil:
    groups.n_groups = 0
    memset(groups.table, 0, (<size_t> groups.mask + 1) * sizeof(uint32_t))


cdef uint32_t group_of(Groups* groups, uint64_t key) noexcept nogil:
    """Returns the number of the group of a key, always below `capacity`. A new key gets a new, empty group.

    A search takes MAX_PROBES steps at most, so crafted keys cost no time: a key that finds no place in the table gets a group that
    no later key will find. Each block or container asks once, so there is a group for each; if a caller ever asks more often,
    the last group is shared.
    """
    cdef uint32_t slot = <uint32_t> key & groups.mask, probes = 0, number
    cdef Group* group
    while groups.table[slot] != 0 and probes < MAX_PROBES:
        number = groups.table[slot] - 1
        if groups.groups[number].key == key:
            return number
        slot = (slot + 1) & groups.mask
        probes += 1
    number = groups.n_groups
    if number >= groups.capacity:
        return groups.capacity - 1
    groups.n_groups += 1
    if probes < MAX_PROBES:
        groups.table[slot] = number + 1
    group = groups.groups + number
    memset(group, 0, sizeof(Group))
    group.key = key
    return number


# The passes ----------------------------------------------------------------------------------------------------------------


cdef inline int16_t bounded(int64_t value) noexcept nogil:
    """A count as a feature."""
    return <int16_t> (32767 if value > 32767 else -32768 if value < -32768 else value)


cdef inline int16_t thousandths(double part, double whole) noexcept nogil:
    """A ratio as a feature; 0 where there is no whole."""
    return <int16_t> min(1000.0 * part / whole, 32767.0) if whole > 0 else <int16_t> 0


cdef inline uint32_t size_of(uint32_t characters, uint32_t words) noexcept nogil:
    """The size of a text: its characters, at least three per word."""
    return characters if characters > 3 * <uint64_t> words else <uint32_t> min(3 * <uint64_t> words, <uint64_t> 0xFFFFFFFF)


cdef void read_text(Row* row, Slice text) noexcept nogil:
    """Adds a text node to its block: punctuation, the last character, the hash."""
    cdef:
        const uint8_t* p = text.data
        const uint8_t* end = p + text.length
        const uint8_t* hashed
        uint64_t value = row.text
        uint8_t byte
    while end > p and is_space((end - 1)[0]):
        end -= 1
    while p < end and is_space(p[0]):
        p += 1
    if p == end:
        return
    count_marks(p, end, &row.punctuation, &row.commas)
    hashed = p + 48 if end - p > 48 else end
    # A sum of bytes times powers of a prime: four at a time their multiplications do not wait for each other.
    while hashed - p >= 4:
        value = (
            value * POWER4 + (p[0] | 0x20) * POWER3 + (p[1] | 0x20) * POWER2 + (p[2] | 0x20) * POWER1 + (p[3] | 0x20)
        )
        p += 4
    while p < hashed:
        value = value * POWER1 + (p[0] | 0x20)
        p += 1
    row.text = value + <uint64_t> (end - p)
    byte = (end - 1)[0]
    row.ends_sentence = ENDS[byte]
    if byte >= 0x80:
        read_wide_punctuation(row, text.data, end)


cdef void read_wide_punctuation(Row* row, const uint8_t* text, const uint8_t* end) noexcept nogil:
    """Counts the punctuation marks of Chinese and Japanese, for a text that ends in a character beyond ASCII."""
    cdef const uint8_t* p = text
    cdef uint32_t marks = 0, commas = 0
    cdef uint8_t last = 0
    while p + 2 < end:
        last = 0
        if p[0] == 0xE3 and p[1] == 0x80 and (p[2] == 0x81 or p[2] == 0x82):    # ideographic comma, full stop
            last = p[2]
            commas += p[2] == 0x81
            marks += 1
        elif p[0] == 0xEF and p[1] == 0xBC and (p[2] == 0x8C or p[2] == 0x9B or p[2] == 0x9A or p[2] == 0x81 or p[2] == 0x9F):
            last = p[2]                                                         # full-width , ; : ! ?
            commas += p[2] == 0x8C or p[2] == 0x9B
            marks += 1
        elif p[0] == 0xE2 and p[1] == 0x80 and (p[2] == 0xA6 or p[2] == 0x9D):    # ellipsis, closing quote
            last = p[2]
            marks += p[2] == 0xA6
        p += 1
    row.punctuation += marks
    row.commas += commas
    row.ends_sentence = last != 0 and last != 0x8C and last != 0x9B and last != 0x9A and (last != 0x81 or (end - 3)[0] == 0xEF)


cdef uint32_t read_nodes(
    Container* containers, Row* rows, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks,
    const int8_t* weights, uint32_t* title,
) noexcept nogil:
    """One forward loop over the nodes: containers with what is in them, blocks with their text. Returns the number of containers.

    An element is a container where find_blocks noted it as the boundary element of what is inside it.
    """
    cdef:
        const Node* nodes = tree.nodes
        const NodeMetrics* measured = metrics.nodes
        const Node* node
        Container* open = containers        # the innermost container around node n
        Container* container
        uint32_t n = 1, n_nodes = tree.n_nodes, n_containers = 1, images = 0, inputs = 0, block = 0, tag
        ClassValue[CLASS_VALUES] seen
    memset(seen, 0, sizeof(seen))
    memset(containers, 0, sizeof(Container))
    containers.end = n_nodes
    containers.pattern = NO_GROUP
    containers.tags = max(measured[0].tags, <uint32_t> 1)
    while n < n_nodes:
        while n >= open.end:
            close_container(open, images, inputs, block)
            open = containers + open.parent
        node = nodes + n
        if measured[n].flags & FLAG_HIDDEN:
            if node.tag == TAG_SELECT or node.tag == TAG_TEXTAREA:
                inputs += 1
            elif node.tag == TAG_HEAD and title[0] == 0:
                title[0] = find_title(tree, n)
            n = node.end
            continue
        if node.kind == KIND_TEXT:
            if not measured[n].flags & FLAG_BLANK:
                if block < blocks.n_blocks and blocks.blocks[block].start == n:
                    memset(rows + block, 0, sizeof(Row))
                    rows[block].text = <uint64_t> 0xCBF29CE484222325
                    rows[block].container = <uint32_t> (open - containers)
                    rows[block].concealed = measured[n].flags & FLAG_CONCEALED != 0
                    block += 1
                if block > 0:
                    read_text(rows + block - 1, slice_at(tree, node.start, node.length))
                    if weights != NULL and rows[block - 1].n_terms < MAX_TERMS:
                        read_terms(rows + block - 1, slice_at(tree, node.start, node.length), weights)
        elif node.kind == KIND_ELEMENT:
            tag = node.tag
            if tag == TAG_IMG:
                images += 1
            elif tag == TAG_INPUT:
                inputs += 1
            if blocks.places[n].element == n:
                container = containers + n_containers
                memset(container, 0, sizeof(Container))
                container.node = n
                container.end = node.end
                container.parent = <uint32_t> (open - containers)
                container.depth = open.depth + (open.depth < 65535)
                container.meaning = open.meaning
                container.tokens_sum = open.tokens_sum
                container.tokens_lowest = open.tokens_lowest
                container.tokens_highest = open.tokens_highest
                container.first_block = block
                container.pattern = NO_GROUP
                container.images = images
                container.inputs = inputs
                container.tags = max(measured[n].tags, <uint32_t> 1)
                if tag < TAG_COUNT and tag != TAG_UNKNOWN:
                    container.tag = TAG_CODES[tag]
                    container.is_leaf_text = LEAF_TEXT[tag]
                else:
                    container.tag = CUSTOM_CODE
                read_attributes(container, tree, node, weights, seen)
                n_containers += 1
                open = container
        n += 1
    while open != containers:
        close_container(open, images, inputs, block)
        open = containers + open.parent
    close_container(containers, images, inputs, block)
    return n_containers


cdef inline void close_container(Container* container, uint32_t images, uint32_t inputs, uint32_t block) noexcept nogil:
    container.images = images - container.images
    container.inputs = inputs - container.inputs
    container.end_block = block


cdef uint32_t find_title(const Tree* tree, uint32_t head) noexcept nogil:
    """The text node of the head's title, 0 where there is none."""
    cdef uint32_t n
    for n in range(head + 1, tree.nodes[head].end):
        if tree.nodes[n].tag == TAG_TITLE and tree.nodes[n].kind == KIND_ELEMENT and n + 1 < tree.nodes[n].end:
            return n + 1
    return 0


cdef void read_blocks(Row* rows, const Container* containers, const BlockArray* blocks, Groups* groups) noexcept nogil:
    """Sizes and copies of blocks, and the sums before each; the row after the last one holds the sums over all."""
    cdef:
        const Block* block
        Row* row
        Row* after
        Group* group
        uint32_t b
        uint8_t paragraph = TAG_CODES[<int> TAG_P], item = TAG_CODES[<int> TAG_LI]
    memset(rows + blocks.n_blocks, 0, sizeof(Row))
    for b in range(blocks.n_blocks):
        block = blocks.blocks + b
        row = rows + b
        row.size = size_of(block.characters, block.words)
        row.link_size = size_of(block.link_characters, block.link_words)
        if row.link_size > row.size:
            row.link_size = row.size
        row.good = row.size > GOOD_SIZE and 10 * <uint64_t> row.link_size < 3 * <uint64_t> row.size
        row.tag = containers[row.container].tag
        row.copies = group_of(groups, mix(row.text, block.characters))
        group = groups.groups + row.copies
        row.seen = group.count > 0
        group.count += 1
        if b == 0:
            row.size_before = 0
            row.link_size_before = 0
            row.punctuation_before = 0
            row.good_before = 0
            row.good_blocks_before = 0
            row.paragraphs_before = 0
            row.items_before = 0
        after = row + 1
        after.size_before = row.size_before + row.size
        after.link_size_before = row.link_size_before + row.link_size
        after.punctuation_before = row.punctuation_before + row.punctuation
        after.good_before = row.good_before + (row.size if row.good else 0)
        after.good_blocks_before = row.good_blocks_before + row.good
        after.paragraphs_before = row.paragraphs_before + (row.tag == paragraph)
        after.items_before = row.items_before + (row.tag == item)


cdef uint32_t words_in(uint32_t* words, uint32_t n_words, const Tree* tree, uint32_t node, const uint32_t* wanted, uint32_t n_wanted,
                       uint32_t* n_found) noexcept nogil:
    """Hashes of the words of a text node. With `wanted` counts those in it into n_found; else appends to words, up to MAX_TITLE_WORDS.

    Returns the number of words, with those that there were."""
    cdef:
        Slice text = slice_at(tree, tree.nodes[node].start, tree.nodes[node].length)
        const uint8_t* p = text.data
        const uint8_t* end = p + text.length
        uint32_t value = <uint32_t> HASH_START, i
        uint32_t length = 0     # bytes of the word so far
        uint8_t byte
        bint inside, whole
    while p <= end:
        byte = p[0] if p < end else <uint8_t> 0x20
        whole = byte >= 0xE3 and byte < 0xF8        # Chinese, Japanese and the like: a word by itself
        inside = byte >= 0x80 or 0x30 <= byte <= 0x39 or 0x61 <= (byte | 0x20) <= 0x7A
        if length > 0 and (not inside or whole or (byte & 0xC0 != 0x80 and length == 1000)):
            if wanted == NULL:
                if n_words < MAX_TITLE_WORDS:
                    words[n_words] = value
                    n_words += 1
            else:
                n_words += 1
                for i in range(n_wanted):
                    if wanted[i] == value:
                        n_found[0] += 1
                        break
            value = <uint32_t> HASH_START
            length = 0
        if inside:
            value = (value ^ (byte | 0x20 if byte < 0x80 else byte)) * <uint32_t> HASH_STEP
            if whole:
                length = 1000
            elif length < 999:
                length += 1
        p += 1
    return n_words


cdef uint32_t find_headline(const Row* rows, const Container* containers, const Tree* tree, const MetricsArray* metrics,
                            const BlockArray* blocks, uint32_t title) noexcept nogil:
    """The heading that has most words of the title, else the first h1; NO_BLOCK where there is neither."""
    cdef:
        uint32_t[MAX_TITLE_WORDS] wanted
        uint32_t n_wanted = 0, b, n, n_words, n_found, headline = NO_BLOCK, first = NO_BLOCK
        const Block* block
        double score, best = 0.5
    if title:
        n_wanted = words_in(wanted, 0, tree, title, NULL, 0, &n_found)
    for b in range(blocks.n_blocks):
        block = blocks.blocks + b
        if not BLOCK_HEADING_1 <= block.kind <= BLOCK_HEADING_3:
            continue
        if first == <uint32_t> NO_BLOCK and block.kind == BLOCK_HEADING_1:
            first = b
        if n_wanted == 0 or block.words > 2 * MAX_TITLE_WORDS:
            continue
        n_words = 0
        n_found = 0
        for n in range(block.start, block.end):
            if tree.nodes[n].kind == KIND_TEXT and not metrics.nodes[n].flags & (FLAG_HIDDEN | FLAG_BLANK):
                n_words = words_in(NULL, n_words, tree, n, wanted, n_wanted, &n_found)
        if n_words == 0:
            continue
        # The share of its words in the title times the share of the title in it, more for a heading of the first level.
        score = <double> n_found / n_words * min(n_found, n_wanted) / n_wanted * (3.0 if block.kind == BLOCK_HEADING_1 else 2.0)
        if score > best:
            best = score
            headline = b
    return headline if headline != <uint32_t> NO_BLOCK else first


cdef inline double range_size(const Row* rows, const Container* c) noexcept nogil:
    return rows[c.end_block].size_before - rows[c.first_block].size_before


cdef inline double range_links(const Row* rows, const Container* c) noexcept nogil:
    return rows[c.end_block].link_size_before - rows[c.first_block].link_size_before


cdef inline double range_good(const Row* rows, const Container* c) noexcept nogil:
    return rows[c.end_block].good_before - rows[c.first_block].good_before


cdef inline uint32_t n_blocks_of(const Container* c) noexcept nogil:
    return c.end_block - c.first_block


cdef void read_containers(Container* containers, uint32_t n_containers, const Row* rows, Groups* groups) noexcept nogil:
    """Densities, wider containers and groups of alike siblings."""
    cdef:
        Container* c
        Container* parent
        Group* group
        double size
        uint32_t i
        uint8_t body = TAG_CODES[<int> TAG_BODY]
    for i in range(n_containers):
        c = containers + i
        parent = containers + c.parent
        c.candidate = 0.0
        c.density_sum = 0.0
        if i == 0:
            c.density = 0.0
            c.lowest_density = 1e9
            c.wider = 0
            c.alike = group_of(groups, 0)
            c.repeated = 0
            continue
        size = range_size(rows, c)
        c.wider = c.parent if n_blocks_of(parent) > n_blocks_of(c) else parent.wider
        c.density = (size - range_links(rows, c)) / c.tags
        parent.density_sum += c.density
        c.lowest_density = c.density if parent.tag == 0 or c.tag == body or c.density < parent.lowest_density else parent.lowest_density
        c.alike = group_of(groups, mix(<uint64_t> c.parent << 32 | c.signature, 1))
        if n_blocks_of(c):
            group = groups.groups + c.alike
            group.count += 1
            group.size += <uint32_t> size
            group.link_size += <uint32_t> range_links(rows, c)
    # When all groups are counted: from each container up the one with the most alike siblings, paragraphs and headings aside.
    for i in range(1, n_containers):
        c = containers + i
        c.repeated = containers[c.parent].repeated
        if (not (c.tag == TAG_CODES[<int> TAG_P] or TAG_CODES[<int> TAG_H3] <= c.tag <= TAG_CODES[<int> TAG_H1])
                and groups.groups[c.alike].count > groups.groups[containers[c.repeated].alike].count):
            c.repeated = i


cdef uint32_t find_candidate(Container* containers, uint32_t n_containers, const Row* rows, uint32_t n_blocks) noexcept nogil:
    """The container where most points of text-like blocks come together, after readability.js (Mozilla, _grabArticle).

    Each block of size 25 or more, at most half of it in links, gives one point, one for each comma and up to three for its size to the
    container around it, and half as many to the next. A container's points are scaled by its share of plain text.
    """
    cdef:
        const Row* row
        Container* c
        double points, size
        uint32_t b, i, best = 0
    for b in range(n_blocks):
        row = rows + b
        if row.size < 25 or 2 * <uint64_t> row.link_size >= row.size:
            continue
        points = (1.0 + row.commas + min(row.size / 100.0, 3.0)) * (1.0 - <double> row.link_size / row.size)
        c = containers + row.container
        if c.is_leaf_text:
            c = containers + c.parent
        c.candidate += points
        containers[c.parent].candidate += points / 2
    for i in range(n_containers):
        c = containers + i
        size = range_size(rows, c)
        if size > 0:
            c.candidate *= 1.0 - range_links(rows, c) / size
        if c.candidate > containers[best].candidate:
            best = i
    return best


cdef void mark_common(Container* containers, uint32_t n_containers, uint32_t target, bint headline) noexcept nogil:
    """For each container the first one from it up that is the target or holds it."""
    cdef uint32_t i, at = target, common
    for i in range(n_containers):
        if headline:
            containers[i].headline_common = 0xFFFFFFFF
        else:
            containers[i].candidate_common = 0xFFFFFFFF
    while True:
        if headline:
            containers[at].headline_common = at
        else:
            containers[at].candidate_common = at
        if at == 0:
            break
        at = containers[at].parent
    for i in range(1, n_containers):
        if headline:
            if containers[i].headline_common == <uint32_t> 0xFFFFFFFF:
                common = containers[containers[i].parent].headline_common
                containers[i].headline_common = common
        elif containers[i].candidate_common == <uint32_t> 0xFFFFFFFF:
            common = containers[containers[i].parent].candidate_common
            containers[i].candidate_common = common


cdef int compute_features(
    FeatureTable* table, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const int8_t* weights, Scratch* scratch
) noexcept nogil:
    """Computes the features of all blocks. -1 where there is no memory. What `table` points to lives in the scratch memory."""
    cdef:
        uint32_t n_blocks = blocks.n_blocks, n_containers, slots = 64, title = 0, b, i, candidate, densest = 0, headline, pattern
        size_t stride = (<size_t> n_blocks + LANES - 1) // LANES * LANES
        Container* containers
        Container* c
        Row* rows
        Groups copies, alike
        Group* group
        uint32_t* lists
    table.n_blocks = n_blocks
    table.stride = <uint32_t> stride
    table.values = NULL
    table.n_containers = 0
    if n_blocks == 0:
        return 0
    containers = <Container*> take(scratch, SLOT_CONTAINERS, <size_t> metrics.nodes[0].tags + 1, sizeof(Container))
    rows = <Row*> take(scratch, SLOT_ROWS, <size_t> n_blocks + 1, sizeof(Row))
    if containers == NULL or rows == NULL:
        return -1
    n_containers = read_nodes(containers, rows, tree, metrics, blocks, weights, &title)
    # One array of groups and one hash table serve the three uses one after the other: copies of texts, alike siblings, patterns. The
    # groups of the first two are still needed while the next are filled, so that each has a part of the array of its own.
    while slots < 2 * <uint64_t> max(n_containers, n_blocks) and slots < <uint32_t> 0x80000000:
        slots <<= 1
    copies.groups = <Group*> take(scratch, SLOT_GROUPS, 2 * <size_t> n_containers + n_blocks, sizeof(Group))
    copies.table = <uint32_t*> take(scratch, SLOT_TABLE, slots, sizeof(uint32_t))
    lists = <uint32_t*> take(scratch, SLOT_LISTS, 2 * <size_t> n_blocks, sizeof(uint32_t))
    table.values = <int16_t*> take(scratch, SLOT_VALUES, stride * (N_FEATURES + MORE_FEATURES), sizeof(int16_t))
    if copies.groups == NULL or copies.table == NULL or lists == NULL or table.values == NULL:
        return -1
    copies.mask = slots - 1
    copies.capacity = n_blocks
    alike = copies
    clear_groups(&copies)
    read_blocks(rows, containers, blocks, &copies)
    alike.groups = copies.groups + n_blocks
    alike.capacity = n_containers
    clear_groups(&alike)
    read_containers(containers, n_containers, rows, &alike)
    candidate = find_candidate(containers, n_containers, rows, n_blocks)
    for i in range(n_containers):
        if containers[i].density_sum > containers[densest].density_sum:
            densest = i
    headline = find_headline(rows, containers, tree, metrics, blocks, title)
    mark_common(containers, n_containers, candidate, False)
    mark_common(containers, n_containers, rows[headline].container if headline != <uint32_t> NO_BLOCK else 0, True)
    # Patterns: the third part of the groups.
    copies.groups += <size_t> n_blocks + n_containers
    copies.capacity = n_containers
    clear_groups(&copies)
    for b in range(n_blocks):
        c = containers + rows[b].container
        # A container is grouped at its first block, however often its text goes on after another container's.
        if c.pattern == <uint32_t> NO_GROUP:
            c.pattern = group_of(&copies, mix(mix(c.signature, containers[c.parent].signature), containers[containers[c.parent].parent].signature))
        pattern = c.pattern
        group = copies.groups + pattern
        if group.count == 0:
            group.first = b
        group.last = b
        group.count += 1
        group.size += rows[b].size
        group.link_size += rows[b].link_size
        group.punctuation += rows[b].punctuation
        lists[b] = rows[b].container
        lists[n_blocks + b] = rows[b].size
    table.containers = containers
    table.n_containers = n_containers
    table.container_of = lists
    table.sizes = lists + n_blocks
    write_values(table, rows, containers, blocks, copies.groups - (<size_t> n_blocks + n_containers), alike.groups, copies.groups,
                 candidate, densest, headline)
    return 0


cdef void write_values(
    FeatureTable* table, const Row* rows, const Container* containers, const BlockArray* blocks, const Group* copies, const Group* alike,
    const Group* patterns, uint32_t candidate, uint32_t densest, uint32_t headline,
) noexcept nogil:
    """Writes every feature of every block."""
    cdef:
        size_t stride = table.stride
        int16_t* out
        const Row* row
        const Row* end = rows + table.n_blocks
        const Container* c
        const Container* level1
        const Container* level2
        const Container* level3
        const Container* level4
        const Container* level5
        const Container* best = containers + candidate
        const Container* dense = containers + densest
        const Container* common
        const Group* group
        uint32_t b, n_blocks = table.n_blocks, low, high, last_good = NO_BLOCK, last_heading = NO_BLOCK, largest = 0, next_good, longest = 0, concealed = 0
        double page_size = end.size_before, page_good = end.good_before, part
        double best_points = best.candidate, best_sum = dense.density_sum
        double per_block = 1000.0 / n_blocks, per_size = 1000.0 / max(page_size, 1.0), per_good = 1000.0 / max(page_good, 1.0)
        uint16_t meaning
        int16_t[11] page
    for b in range(n_blocks):
        if rows[b].size - rows[b].link_size > rows[largest].size - rows[largest].link_size:
            largest = b
        longest = max(longest, rows[b].size)
        if rows[b].concealed:
            concealed += rows[b].size
    # Padding is 0, so that what is computed of it is the same every time.
    if stride > n_blocks:
        for b in range(N_FEATURES):
            memset(table.values + b * stride + n_blocks, 0, (stride - n_blocks) * sizeof(int16_t))
    page[0] = bounded(<int64_t> page_size // 10)
    page[1] = bounded(n_blocks)
    page[2] = bounded(containers[0].tags)
    page[3] = bounded(containers[0].inputs)
    page[4] = bounded(containers[0].images)
    page[5] = thousandths(page_good, page_size)
    page[6] = bounded(end.good_blocks_before)
    page[7] = thousandths(longest, page_size)
    page[8] = thousandths(end.link_size_before, page_size)
    page[9] = thousandths(end.paragraphs_before, n_blocks)
    page[10] = thousandths(concealed, page_size)
    # The next good block is known from behind.
    next_good = NO_BLOCK
    b = n_blocks
    while b > 0:
        b -= 1
        table.values[NEXT_GOOD * stride + b] = bounded(next_good - b) if next_good != <uint32_t> NO_BLOCK else 999
        if rows[b].good:
            next_good = b
    for b in range(n_blocks):
        row = rows + b
        out = table.values + b
        c = containers + row.container
        out[BLOCK_SIZE * stride] = bounded(row.size)
        out[BLOCK_WORDS * stride] = bounded(blocks.blocks[b].words)
        out[BLOCK_PLAIN * stride] = bounded(row.size - row.link_size)
        out[BLOCK_LINK_DENSITY * stride] = thousandths(row.link_size, row.size)
        out[BLOCK_PUNCTUATION * stride] = bounded(row.punctuation)
        out[BLOCK_PUNCTUATION_DENSITY * stride] = thousandths(row.punctuation, row.size)
        out[BLOCK_ENDS_SENTENCE * stride] = row.ends_sentence
        out[BLOCK_TAG * stride] = row.tag
        out[BLOCK_TAGS * stride] = bounded(blocks.blocks[b].tags)
        out[BLOCK_COPIES * stride] = bounded(copies[row.copies].count)
        out[BLOCK_SEEN * stride] = row.seen
        out[BLOCK_ALIKE * stride] = bounded(alike[c.alike].count)
        out[BLOCK_DEPTH * stride] = bounded(c.depth)
        out[BLOCK_CONCEALED * stride] = row.concealed
        out[PLACE_BLOCKS * stride] = <int16_t> (b * per_block)
        out[PLACE_SIZE * stride] = <int16_t> (row.size_before * per_size)
        out[PLACE_GOOD * stride] = <int16_t> (row.good_before * per_good)
        out[PLACE_FROM_END * stride] = bounded(n_blocks - b)
        out[PREVIOUS_GOOD * stride] = bounded(b - last_good) if last_good != <uint32_t> NO_BLOCK else 999
        if row.good:
            last_good = b
        if BLOCK_HEADING_1 <= blocks.blocks[b].kind <= BLOCK_HEADING_6:
            last_heading = b
        out[BLOCK_TERMS * stride] = bounded(row.terms_sum)
        out[BLOCK_TERMS_MEAN * stride] = bounded(16 * row.terms_sum // <int32_t> max(row.n_terms, <uint32_t> 1))
        if last_heading != <uint32_t> NO_BLOCK and last_heading != b:
            out[HEADING_TERMS * stride] = bounded(rows[last_heading].heading_terms_sum)
            out[HEADING_TERMS_MEAN * stride] = bounded(
                16 * rows[last_heading].heading_terms_sum // <int32_t> max(rows[last_heading].n_terms, <uint32_t> 1))
        else:
            out[HEADING_TERMS * stride] = out[HEADING_TERMS_MEAN * stride] = 0
        out[PREVIOUS_HEADING * stride] = bounded(b - last_heading) if last_heading != <uint32_t> NO_BLOCK else 999
        if b > 0:
            out[PREVIOUS_TAG * stride] = (row - 1).tag
            out[PREVIOUS_SIZE * stride] = bounded((row - 1).size)
            out[PREVIOUS_LINK_DENSITY * stride] = thousandths((row - 1).link_size, (row - 1).size)
        else:
            out[PREVIOUS_TAG * stride] = out[PREVIOUS_SIZE * stride] = out[PREVIOUS_LINK_DENSITY * stride] = -1
        if b + 1 < n_blocks:
            out[NEXT_TAG * stride] = row[1].tag
            out[NEXT_SIZE * stride] = bounded(row[1].size)
            out[NEXT_LINK_DENSITY * stride] = thousandths(row[1].link_size, row[1].size)
        else:
            out[NEXT_TAG * stride] = out[NEXT_SIZE * stride] = out[NEXT_LINK_DENSITY * stride] = -1
        low = b - 3 if b > 3 else 0
        high = min(b + 4, n_blocks)
        part = rows[high].size_before - rows[low].size_before
        out[NEAR_SIZE * stride] = bounded(<int64_t> (part / (high - low)))
        out[NEAR_LINK_DENSITY * stride] = thousandths(rows[high].link_size_before - rows[low].link_size_before, part)
        low = b - 10 if b > 10 else 0
        high = min(b + 11, n_blocks)
        part = rows[high].size_before - rows[low].size_before
        out[WIDE_LINK_DENSITY * stride] = thousandths(rows[high].link_size_before - rows[low].link_size_before, part)
        out[WIDE_GOOD * stride] = thousandths(rows[high].good_before - rows[low].good_before, part)

        if b > 0 and row.container == (row - 1).container:
            # What depends on the container alone is as for the block before.
            copy_container_values(out, stride)
        else:
            level1 = c if n_blocks_of(c) > 1 else containers + c.wider
            level2 = containers + level1.wider
            level3 = containers + level2.wider
            level4 = containers + level3.wider
            level5 = containers + level4.wider
            part = range_size(rows, level1)
            out[LEVEL1_PLAIN_PER_TAG * stride] = bounded(<int64_t> (10.0 * level1.density))
            out[LEVEL1_GOOD * stride] = thousandths(range_good(rows, level1), part)
            out[LEVEL1_GOOD_SHARE * stride] = <int16_t> (range_good(rows, level1) * per_good)
            out[LEVEL1_TAG * stride] = level1.tag
            out[LEVEL1_DENSITY_SUM * stride] = thousandths(level1.density_sum, best_sum)
            out[LEVEL1_CANDIDATE * stride] = thousandths(level1.candidate, best_points)
            out[LEVEL1_SHARE * stride] = <int16_t> (part * per_size)
            out[LEVEL2_PARAGRAPHS * stride] = thousandths(
                rows[level2.end_block].paragraphs_before - rows[level2.first_block].paragraphs_before, n_blocks_of(level2))
            out[LEVEL2_LINK_DENSITY * stride] = thousandths(range_links(rows, level2), range_size(rows, level2))
            out[LEVEL2_DENSITY_SUM * stride] = bounded(<int64_t> level2.density_sum)
            out[LEVEL2_CANDIDATE * stride] = thousandths(level2.candidate, best_points)
            out[LEVEL2_GOOD_SHARE * stride] = <int16_t> (range_good(rows, level2) * per_good)
            out[LEVEL3_ITEMS * stride] = thousandths(
                rows[level3.end_block].items_before - rows[level3.first_block].items_before, n_blocks_of(level3))
            out[LEVEL3_INPUTS * stride] = bounded(level3.inputs)
            out[LEVEL3_GOOD_SHARE * stride] = <int16_t> (range_good(rows, level3) * per_good)
            out[LEVEL4_GOOD_SHARE * stride] = <int16_t> (range_good(rows, level4) * per_good)
            out[LEVEL4_SHARE * stride] = <int16_t> (range_size(rows, level4) * per_size)
            out[LEVEL4_ITEMS * stride] = thousandths(
                rows[level4.end_block].items_before - rows[level4.first_block].items_before, n_blocks_of(level4))
            out[LEVEL4_INPUTS * stride] = bounded(level4.inputs)
            out[LEVEL5_SIZE * stride] = bounded(<int64_t> range_size(rows, level5))
            out[LEVEL5_IMAGES * stride] = bounded(level5.images)
            out[LEVEL5_INPUTS * stride] = bounded(level5.inputs)
            out[LEVEL5_GOOD_SHARE * stride] = <int16_t> (range_good(rows, level5) * per_good)
            out[LOWEST_DENSITY * stride] = bounded(<int64_t> min(10.0 * level1.lowest_density, 32767.0))

            common = containers + c.candidate_common
            out[CANDIDATE_CLIMB * stride] = bounded(best.depth - common.depth)
            out[CANDIDATE_COMMON_SHARE * stride] = <int16_t> (range_size(rows, common) * per_size)
            out[CANDIDATE_COMMON_LINKS * stride] = thousandths(range_links(rows, common), range_size(rows, common))
            if headline != <uint32_t> NO_BLOCK:
                common = containers + c.headline_common
                out[HEADLINE_CLIMB * stride] = bounded(containers[rows[headline].container].depth - common.depth)
                out[HEADLINE_COMMON_SHARE * stride] = <int16_t> (range_size(rows, common) * per_size)
                out[HEADLINE_COMMON_GOOD * stride] = <int16_t> (range_good(rows, common) * per_good)
                out[HEADLINE_COMMON_LINKS * stride] = thousandths(range_links(rows, common), range_size(rows, common))
            else:
                out[HEADLINE_CLIMB * stride] = out[HEADLINE_COMMON_SHARE * stride] = -1
                out[HEADLINE_COMMON_GOOD * stride] = out[HEADLINE_COMMON_LINKS * stride] = -1

            group = patterns + c.pattern
            out[PATTERN_COUNT * stride] = bounded(group.count)
            out[PATTERN_SHARE * stride] = <int16_t> (group.size * per_size)
            out[PATTERN_SPAN * stride] = <int16_t> ((group.last - group.first) * per_block)
            out[PATTERN_LINK_DENSITY * stride] = thousandths(group.link_size, group.size)
            out[PATTERN_PUNCTUATION * stride] = thousandths(group.punctuation, group.size)
            out[PATTERN_SIZE * stride] = bounded(group.size // max(group.count, <uint32_t> 1))
            group = alike + containers[c.repeated].alike
            out[REPEATED_ALIKE * stride] = bounded(group.count)
            out[REPEATED_LINK_DENSITY * stride] = thousandths(group.link_size, group.size)
            out[REPEATED_SIZE * stride] = bounded(<int64_t> range_size(rows, containers + c.repeated))

            meaning = c.meaning
            out[IN_MAIN * stride] = meaning & (MEANS_MAIN | MEANS_ARTICLE | MEANS_BODY_TEXT)
            out[IN_FRAME * stride] = (meaning & (MEANS_NAVIGATION | MEANS_ASIDE | MEANS_FOOTER | MEANS_HEADER)) // MEANS_NAVIGATION
            out[IN_FORM * stride] = (meaning & (MEANS_FORM | MEANS_DIALOG)) // MEANS_FORM
            out[IN_TEXT * stride] = (meaning & (MEANS_TABLE | MEANS_FIGURE | MEANS_QUOTE | MEANS_LIST)) // MEANS_TABLE
            out[TOKENS_SUM * stride] = <int16_t> c.tokens_sum
            out[TOKENS_LOWEST * stride] = c.tokens_lowest
            out[TOKENS_HIGHEST * stride] = c.tokens_highest

        out[CANDIDATE_INSIDE * stride] = best.first_block <= b < best.end_block
        if b < best.first_block:
            out[CANDIDATE_DISTANCE * stride] = bounded(<int64_t> b - best.first_block)
        else:
            out[CANDIDATE_DISTANCE * stride] = bounded(<int64_t> b + 1 - best.end_block) if b >= best.end_block else 0
        out[CANDIDATE_SHARE * stride] = <int16_t> (range_size(rows, best) * per_size)
        out[DENSEST_INSIDE * stride] = dense.first_block <= b < dense.end_block
        out[DENSEST_SHARE * stride] = <int16_t> (range_size(rows, dense) * per_size)
        out[LARGEST_DISTANCE * stride] = bounded(<int64_t> b - largest)
        out[HEADLINE_DISTANCE * stride] = bounded(<int64_t> b - headline) if headline != <uint32_t> NO_BLOCK else -32768
        for low in range(11):
            out[(PAGE_SIZE + low) * stride] = page[low]


cdef inline void copy_container_values(int16_t* out, size_t stride) noexcept nogil:
    """The values that a block shares with the block before, whose container is the same."""
    cdef int f
    for f in range(LEVEL1_PLAIN_PER_TAG, LOWEST_DENSITY + 1):
        out[f * stride] = out[f * stride - 1]
    for f in range(CANDIDATE_CLIMB, CANDIDATE_COMMON_LINKS + 1):
        out[f * stride] = out[f * stride - 1]
    for f in range(HEADLINE_CLIMB, TOKENS_HIGHEST + 1):
        out[f * stride] = out[f * stride - 1]


FEATURES = tuple(name.lower() for name in globals()["Feature"].__members__ if name != "N_FEATURES")
"""Names of the features in the order of their numbers."""


@cython.final
cdef class Features:
    """Features of the blocks of one page, for training and for a look; reusable from page to page."""

    def __dealloc__(self):
        release(&self.scratch)

    def compute(self, Document document not None, Metrics metrics not None, Blocks blocks not None, bytes token_weights=None) -> None:
        """Computes the features of a document with its metrics and blocks; without weights the features of tokens and terms are 0.

        Raises ValueError where the weights are not one byte for each of 16384 tokens, terms and terms of headings, or the metrics are of another document.
        """
        cdef const int8_t* weights = NULL
        cdef int outcome
        if metrics.array.n_nodes != document.tree.n_nodes:
            raise ValueError("the metrics are of another document")
        if token_weights is not None:
            if len(token_weights) != N_WEIGHTS:
                raise ValueError(f"{len(token_weights)} token weights, not {N_WEIGHTS}")
            weights = <const int8_t*> <const char*> token_weights
        with nogil:
            outcome = compute_features(&self.table, &document.tree, &metrics.array, &blocks.array, weights, &self.scratch)
        if outcome:
            raise MemoryError(f"no memory for the features of {blocks.array.n_blocks} blocks")

    @property
    def n_blocks(self) -> int:
        """Blocks of the page."""
        return self.table.n_blocks

    def values(self) -> bytes:
        """All values: 16-bit integers of the machine's byte order, one row of n_blocks values per feature."""
        cdef Py_ssize_t f, width = self.table.n_blocks * sizeof(int16_t)
        if self.table.n_blocks == 0:
            return b""
        return b"".join([(<const char*> (self.table.values + f * self.table.stride))[:width] for f in range(N_FEATURES)])

    def containers(self) -> list[int]:
        """The container of each block, by number."""
        return [self.table.container_of[b] for b in range(self.table.n_blocks)]

    def parents(self) -> list[int]:
        """The container around each container, by number; the document, number 0, stands around itself."""
        return [self.table.containers[i].parent for i in range(self.table.n_containers)]

    def terms(self, Document document not None, Metrics metrics not None, Blocks blocks not None) -> list[list[int]]:
        """The terms of each block's text that are looked at, hashed."""
        cdef:
            const Tree* tree = &document.tree
            const Block* block
            Terms terms
            uint32_t b, n, term
            list found = [], own
        for b in range(blocks.array.n_blocks):
            block = blocks.array.blocks + b
            own = []
            for n in range(block.start, block.end):
                if tree.nodes[n].kind == KIND_TEXT and not metrics.array.nodes[n].flags & (FLAG_HIDDEN | FLAG_BLANK):
                    begin_terms(&terms, slice_at(tree, tree.nodes[n].start, tree.nodes[n].length))
                    while len(own) < MAX_TERMS and next_term(&terms, &term):
                        own.append(term)
            found.append(own)
        return found

    def tokens(self, Document document not None) -> list[list[int]]:
        """The tokens of each container, hashed; those of its path are these and its parents'."""
        cdef:
            const Tree* tree = &document.tree
            const Node* node
            const Attribute* attribute
            Slice rest
            uint32_t i, j, start, token, tag
            list found = [[]], own
        for i in range(1, self.table.n_containers):
            node = tree.nodes + self.table.containers[i].node
            tag = node.tag if node.tag < TAG_COUNT else TAG_UNKNOWN
            own = []
            token = token_of_tag(tag)
            if token < N_TOKENS:
                own.append(token)
            for j in range(node.n_attributes):
                attribute = tree.attributes + node.attributes + j
                start = kind_of_token(attribute.name, tag)
                if start == 0:
                    continue
                rest = slice_at(tree, attribute.value_start, attribute.value_length)
                while next_token(&rest, start, &token):
                    own.append(token)
            found.append(own)
        return found if self.table.n_containers else []
